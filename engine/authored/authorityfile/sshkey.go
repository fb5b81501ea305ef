package authorityfile

import (
	"bytes"
	"crypto/ecdh"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"regexp"
	"strings"
)

var keyForm = regexp.MustCompile(`^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-ssh-ed25519@openssh\.com|sk-ecdsa-sha2-nistp256@openssh\.com) ` +
	`[A-Za-z0-9+/]+={0,2}(?: [^\x00-\x1f\x7f-\x9f\x{2028}\x{2029}]*)?$`)

// The bounds of RSA keys: what proves something, and what can be verified in reasonable time.
const (
	minRSABits = 2048
	maxRSABits = 16384
)

var curves = map[string]ecdh.Curve{"nistp256": ecdh.P256(), "nistp384": ecdh.P384(), "nistp521": ecdh.P521()}

// fingerprint checks a key that has the form of a line in a .pub file, and returns what ssh-keygen -lf prints of it: SHA256: and 43
// characters (RFC 4253, 6.6; RFC 5656, 3.1; RFC 8709, 4; OpenSSH PROTOCOL.u2f). A key has one encoding only, so that no key can be
// listed twice as two.
func fingerprint(line string) (string, error) {
	words := strings.SplitN(line, " ", 3)
	blob, err := base64.StdEncoding.Strict().DecodeString(words[1])
	if err != nil {
		return "", errors.New("its Base64 is damaged")
	}
	w := &wire{rest: blob}
	if name := w.text(); string(name) != words[0] {
		return "", fmt.Errorf("it says that it is of type %q, and holds one of type %.40q", words[0], name)
	}
	switch kind := strings.TrimSuffix(words[0], "@openssh.com"); {
	case strings.HasSuffix(kind, "ed25519"):
		w.check(len(w.text()) == 32, "it does not have 32 bytes")
	case kind == "ssh-rsa":
		w.rsa()
	default:
		curve := kind[strings.LastIndexByte(kind, '-')+1:]
		w.check(string(w.text()) == curve, "it names another curve")
		_, err := curves[curve].NewPublicKey(w.text())
		w.check(err == nil, "it is no point of its curve")
	}
	if strings.HasPrefix(words[0], "sk-") {
		w.text() // the application, which is "ssh:" unless somebody chose another
	}
	w.check(len(w.rest) == 0, "something follows it")
	sum := sha256.Sum256(blob)
	return "SHA256:" + base64.RawStdEncoding.EncodeToString(sum[:]), w.err
}

// wire reads the fields of a key until something is wrong.
type wire struct {
	rest []byte
	err  error
}

func (w *wire) check(fits bool, why string) {
	if w.err == nil && !fits {
		w.err = errors.New(why)
	}
}

func (w *wire) text() []byte {
	if len(w.rest) < 4 || uint64(binary.BigEndian.Uint32(w.rest)) > uint64(len(w.rest)-4) {
		w.check(false, "it is cut off")
		w.rest = nil
		return nil
	}
	n := binary.BigEndian.Uint32(w.rest)
	text := w.rest[4 : 4+n]
	w.rest = w.rest[4+n:]
	return text
}

// positive reads a positive integer in its one encoding, without the zero byte that keeps it from being negative.
func (w *wire) positive() []byte {
	n := w.text()
	w.check(len(n) > 0 && n[0] < 0x80 && !(len(n) > 1 && n[0] == 0 && n[1] < 0x80) && !bytes.Equal(n, []byte{0}), "a number of it is not written as it must be")
	return bytes.TrimPrefix(n, []byte{0})
}

func (w *wire) rsa() {
	e, n := w.positive(), w.positive()
	w.check(len(e) > 0 && len(e) <= 3 && e[len(e)-1]&1 == 1 && !bytes.Equal(e, []byte{1}), "its exponent cannot be used")
	size := 0
	if len(n) > 0 {
		size = (len(n)-1)*8 + bits.Len8(n[0])
	}
	w.check(size >= minRSABits && size <= maxRSABits, fmt.Sprintf("it has %d bits; from %d to %d are taken", size, minRSABits, maxRSABits))
}
