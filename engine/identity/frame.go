package identity

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
)

// frameTag opens every hash frame, so that no other use of SHA-256 can give one of our ids.
const frameTag = "coding-standards:identity:v2\x00"

// Hash returns the id of record: "kind:sha256:" and the 64 hex digits of SHA-256 over the tag, u32be length and domain,
// u32be length and kind, u64be length and canonical text. The grammar of domain and kind is checked by CheckNames.
func Hash(domain, kind string, record any) (string, error) {
	text, err := Encode(record)
	if err != nil {
		return "", fmt.Errorf("%s: %w", kind, err)
	}
	return HashText(domain, kind, text)
}

// HashText is Hash for text that is canonical already.
func HashText(domain, kind string, text []byte) (string, error) {
	if err := CheckNames(domain, kind); err != nil {
		return "", err
	}
	frame := make([]byte, 0, len(frameTag)+16+len(domain)+len(kind))
	frame = append(frame, frameTag...)
	frame = binary.BigEndian.AppendUint32(frame, uint32(len(domain)))
	frame = append(frame, domain...)
	frame = binary.BigEndian.AppendUint32(frame, uint32(len(kind)))
	frame = append(frame, kind...)
	frame = binary.BigEndian.AppendUint64(frame, uint64(len(text)))
	h := sha256.New()
	h.Write(frame)
	h.Write(text)
	return kind + separator + hex.EncodeToString(h.Sum(nil)), nil
}

const separator = ":sha256:"

// Bytes returns "sha256:" and the hex digest of raw bytes: how records name file content.
func Bytes(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Split takes an id apart into kind and 64 lower-case hex digits.
func Split(id string) (kind, digest string, ok bool) {
	kind, digest, ok = strings.Cut(id, separator)
	return kind, digest, ok && checkName(kind, isKindByte) && isDigest(digest)
}

// IsBytesDigest reports whether s is what Bytes returns.
func IsBytesDigest(s string) bool {
	digest, ok := strings.CutPrefix(s, "sha256:")
	return ok && isDigest(digest)
}

func isDigest(s string) bool {
	if len(s) != sha256.Size*2 {
		return false
	}
	for i := 0; i < len(s); i++ {
		if hexValue(s[i]) < 0 {
			return false
		}
	}
	return true
}

// CheckNames checks a domain (lower-case letters, digits and ". : -") and a kind (a lower-case letter, then lower-case
// letters, digits and "-").
func CheckNames(domain, kind string) error {
	if !checkName(domain, func(c byte) bool { return isKindByte(c) || c == '.' || c == ':' }) {
		return fmt.Errorf("domain %q: %w", domain, ErrEncoding)
	}
	if !checkName(kind, isKindByte) {
		return fmt.Errorf("kind %q: %w", kind, ErrEncoding)
	}
	return nil
}

func isKindByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-'
}

func checkName(s string, admitted func(byte) bool) bool {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !admitted(s[i]) {
			return false
		}
	}
	return true
}
