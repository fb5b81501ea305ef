package yamltext

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Scalar writes a string as one YAML scalar on one line, quoted wherever a reader might take it for something else.
func Scalar(s string) string {
	var w Writer
	w.Scalar(s)
	return w.String()
}

// FlowList writes strings as one YAML list on one line, such as the heading of a unit.
func FlowList(list []string) string {
	var w Writer
	items := make([]any, len(list))
	for i, item := range list {
		items[i] = item
	}
	w.Flow(items)
	return w.String()
}

// Scalar writes a string plain where every reader of YAML, the old ones too, takes it for that string, else quoted.
func (w *Writer) Scalar(s string) {
	if !utf8.ValidString(s) {
		w.err = fmt.Errorf("the string %q is not UTF-8", s)
	}
	if isPlain(s) {
		w.Raw(s)
		return
	}
	w.Raw(`"`)
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			w.Raw(`\` + string(c))
		case c == '\n':
			w.Raw(`\n`)
		case c == '\t':
			w.Raw(`\t`)
		case isPrintable(c):
			w.Raw(string(c))
		case c <= 0xFF:
			w.Raw(fmt.Sprintf(`\x%02x`, c))
		case c <= 0xFFFF:
			w.Raw(fmt.Sprintf(`\u%04x`, c))
		default:
			w.Raw(fmt.Sprintf(`\U%08x`, c))
		}
	}
	w.Raw(`"`)
}

// isPrintable is what YAML lets stand in a text unescaped, line ends and the byte order mark aside.
func isPrintable(c rune) bool {
	switch {
	case c >= 0x20 && c < 0x7F:
		return true
	case c == 0x2028 || c == 0x2029 || c == 0xFEFF:
		return false
	}
	return c >= 0xA0 && c <= 0xD7FF || c >= 0xE000 && c <= 0xFFFD || c >= 0x10000 && c <= 0x10FFFF
}

// isPlain admits a letter, then letters, digits and . _ / @ + - and single blanks and colons inside, and none of the
// words that some YAML takes for a boolean or null.
func isPlain(s string) bool {
	if s == "" || len(s) > 500 {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		inside := i > 0 && i+1 < len(s) && s[i+1] != ' ' && s[i+1] != ':'
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		case i > 0 && (c >= '0' && c <= '9' || strings.IndexByte("._/@+-", c) >= 0):
		case inside && (c == ' ' || c == ':'):
		default:
			return false
		}
	}
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null":
		return false
	}
	return true
}
