package trust

import (
	"fmt"
	"strings"
)

// escapeMark begins every id that stands for a text that is none.
const escapeMark = "text:"

// Escape gives any text a canonical id (RULES A4: a letter or digit, then letters, digits and . _ : / -), different texts different
// ones. A text that is a canonical id already is its own, unless it begins with "text:". Every other becomes "text:" and its bytes,
// of which letters, digits and . _ : / stand for themselves and every other is "-" and two lower-case hex digits:
// ann@example.com is text:ann-40example.com.
func Escape(text string) string {
	if isCanonical(text) && !strings.HasPrefix(text, escapeMark) {
		return text
	}
	var b strings.Builder
	b.WriteString(escapeMark)
	for i := range len(text) {
		if c := text[i]; isCanonicalByte(c) && c != '-' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "-%02x", c)
		}
	}
	return b.String()
}

// isCanonical reports whether a text is a canonical id.
func isCanonical(text string) bool {
	for i := range len(text) {
		if c := text[i]; !isCanonicalByte(c) || i == 0 && !isAlphanumeric(c) {
			return false
		}
	}
	return text != ""
}

func isCanonicalByte(c byte) bool { return isAlphanumeric(c) || strings.IndexByte("._:/-", c) >= 0 }

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
