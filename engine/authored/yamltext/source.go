package yamltext

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Source finds where the values of a text stand in it, by the lines and columns of the YAML library, which count characters.
type Source struct {
	text   []byte
	starts []int // of the lines
}

// NewSource returns the source of a text that was parsed.
func NewSource(text []byte) *Source {
	s := &Source{text: text, starts: []int{0}}
	for at := 0; at < len(text); {
		n := breakLength(text[at:])
		if at += max(n, 1); n > 0 {
			s.starts = append(s.starts, at)
		}
	}
	return s
}

// LineStart returns the offset of the line on which a value begins that has a span.
func (s *Source) LineStart(n Node) int { return s.starts[n.yaml.Line-1] }

// breaks are the line ends of YAML 1.1, by which the library counts, CRLF aside.
var breaks = []string{"\r\n", "\n", "\r", "\u0085", "\u2028", "\u2029"}

func breakLength(text []byte) int {
	for _, b := range breaks {
		if bytes.HasPrefix(text, []byte(b)) {
			return len(b)
		}
	}
	return 0
}

// Span returns where a scalar of one line begins and ends, quotes included. It is not ok for another form of value, and
// wherever what stands there does not read as the value.
func (s *Source) Span(n Node) (start, end int, ok bool) {
	node := n.yaml
	if node.Kind != yaml.ScalarNode || node.Line < 1 || node.Line > len(s.starts) || node.Style&yaml.TaggedStyle != 0 {
		return 0, 0, false
	}
	start = s.starts[node.Line-1]
	for column := 1; column < node.Column && start < len(s.text); column++ {
		_, size := utf8.DecodeRune(s.text[start:])
		start += size
	}
	rest := s.text[start:]
	switch {
	case node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return 0, 0, false
	case node.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0:
		return start, start + len(node.Value), node.Value != "" && bytes.HasPrefix(rest, []byte(node.Value))
	}
	length := quotedLength(rest)
	if length == 0 {
		return 0, 0, false
	}
	read, _, err := decode(rest[:length])
	return start, start + length, err == nil && read.Kind == yaml.ScalarNode && read.Value == node.Value
}

// quotedLength is the length of the quoted scalar that text begins with, 0 where none ends on the same line.
func quotedLength(text []byte) int {
	if len(text) == 0 || text[0] != '"' && text[0] != '\'' {
		return 0
	}
	quote := text[0]
	for i := 1; i < len(text) && breakLength(text[i:]) == 0; i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			if i++; breakLength(text[i:]) > 0 {
				return 0
			}
		case text[i] != quote:
		case quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return 0
}

// Requote writes a value in the style of the one it replaces, as far as that can hold it.
func Requote(old Node, now string) string {
	style := old.yaml.Style
	plain := strings.IndexFunc(now, func(c rune) bool { return !isPrintable(c) }) < 0
	switch {
	case style&yaml.SingleQuotedStyle != 0 && plain:
		return "'" + strings.ReplaceAll(now, "'", "''") + "'"
	case style&yaml.DoubleQuotedStyle != 0 && isPlain(now):
		return `"` + now + `"`
	// With a slash inside, no reader takes a name that begins with a digit or a dot for a number, a date or a time.
	case style&yaml.DoubleQuotedStyle == 0 && strings.Contains(now, "/") && strings.IndexByte(".0123456789", now[0]) >= 0 && isPlain("a"+now):
		return now
	}
	return Scalar(now)
}
