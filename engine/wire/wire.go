package wire

import (
	"bytes"
	"encoding/json"
	"strings"
)

// The contract versions of the public interface (DESIGN 3).
const (
	SchemaVersion   = 11
	HandleVersion   = 4
	EnvelopeVersion = 1
	IdentityVersion = 2
)

// NewHandle makes the handle of an id "kind:sha256:…".
func NewHandle(id string) Handle {
	kind, _, _ := strings.Cut(id, ":")
	return Handle{HandleVersion, kind, id}
}

// Optional is a text where the interface has null for none.
func Optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Text is the text of a key that may be null or absent: "" is none.
func Text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// JSON returns the indented JSON text of a result, with a line end. Text that is not UTF-8 is quoted as in Go source.
func JSON(result any) ([]byte, error) { return encode(result, "  ") }

// Compact returns the same on one line, without a line end: what is decoded from it encodes to the same bytes.
func Compact(value any) ([]byte, error) {
	text, err := encode(value, "")
	return bytes.TrimSuffix(text, []byte("\n")), err
}

func encode(value any, indent string) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if err := encoder.Encode(legible(value)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
