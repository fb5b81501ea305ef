package markdown

import (
	"strings"
	"unicode/utf8"
)

// Normalize returns the conservative normal form of a section of Markdown (RULES A8; doc/normalization.md is the whole
// algorithm). Sections with one normal form have one meaning: equal HTML but for the white space of soft breaks. The
// converse is not promised: what is not understood for certain is kept as it stands. It never fails, takes time
// linear in the section and depends on no Markdown parser, so a new parser cannot change a digest.
func Normalize(section []byte) string {
	n := normalizer{lines: sourceLines(string(section)), fresh: true}
	n.out = make([]byte, 0, len(section))
	for n.at < len(n.lines) {
		n.step()
	}
	// The line end of the last line says nothing; that of a blank one is the only trace of the line itself.
	if len(n.out) > 0 && !n.endsBlank {
		n.out = n.out[:len(n.out)-1]
	}
	return string(n.out)
}

// sourceLines splits text at \n, \r\n and \r. The last line needs no end.
func sourceLines(text string) []string {
	var lines []string
	for len(text) > 0 {
		end := strings.IndexAny(text, "\r\n")
		if end < 0 {
			return append(lines, text)
		}
		lines = append(lines, text[:end])
		if strings.HasPrefix(text[end:], "\r\n") {
			end++
		}
		text = text[end+1:]
	}
	return lines
}

// normalizer is one run over the lines of a section.
type normalizer struct {
	lines []string
	at    int
	out   []byte

	endsBlank bool // the line written last is blank
	raw       bool // verbatim to the end of the section
	keep      bool // verbatim until a blank line
	markup    bool // keep was set by a line that may open a quote or an HTML block
	fence     fence

	// Since the last blank line:
	span  bool // a ` or a < was seen, so blanks at line ends may count
	fresh bool // no line was seen
	plain bool // all lines are certainly one top-level paragraph

	last struct{ paragraph, pipe, angle bool } // the line written last; angle: it holds an unclosed <
}

func (n *normalizer) step() {
	line := n.lines[n.at]
	switch {
	case n.raw:
		n.write(line)
	case n.fence.length > 0:
		n.fenced(line)
	case isBlank(line):
		n.blank()
		return
	default:
		n.text(line)
	}
	n.at++
}

func (n *normalizer) write(line string) {
	n.out = append(append(n.out, line...), '\n')
	n.endsBlank = isBlank(line)
}

// blank takes a run of blank lines: nothing at either end, all of it before what may be indented code, else one line.
func (n *normalizer) blank() {
	end := n.at
	for end < len(n.lines) && isBlank(n.lines[end]) {
		end++
	}
	switch {
	case end == len(n.lines) || len(n.out) == 0:
	case isIndented(n.lines[end]):
		for _, line := range n.lines[n.at:end] {
			n.write(line)
		}
	default:
		n.write("")
	}
	n.at = end
	n.keep, n.markup, n.span, n.fresh, n.plain = false, false, false, true, false
	n.last.paragraph = false
}

// text takes a line that is neither blank nor known to be code.
func (n *normalizer) text(line string) {
	content := line[markersLength(line):]
	if opensRawText(line) {
		n.raw = true
		n.write(line)
		return
	}
	if length := fenceLength(content); length > 0 {
		n.open(line, content, length)
		n.write(line)
		n.last.paragraph = false
		n.fresh, n.plain = false, false
		return
	}
	switch {
	case strings.HasPrefix(content, ">") || strings.HasPrefix(content, "<"):
		n.keep, n.markup = true, true
	case mayDefineLink(content):
		n.keep = true
	case !n.fresh && n.isDelimiterRow(line, n.plain):
		n.keep = true
	}
	underline := n.plain && isUnderline(line)
	if n.fresh {
		n.plain = startsWithLetter(line)
	} else {
		n.plain = n.plain && startsWithLetter(strings.TrimLeft(line, " "))
	}
	n.fresh = underline
	if n.joins(line) {
		line = strings.TrimLeft(line, " ")
		if n.out[len(n.out)-2] == ' ' {
			n.out = n.out[:len(n.out)-1]
		}
		n.out[len(n.out)-1] = ' '
	} else {
		n.last.paragraph = !n.keep && isParagraphText(line)
		n.last.pipe = strings.Contains(line, "|")
		n.last.angle = false
	}
	n.write(line)
	n.last.angle = angleOpen(n.last.angle, line)
	n.span = n.span || strings.ContainsAny(line, "`<")
}

// joins reports whether line continues the paragraph whose text is the line written last.
func (n *normalizer) joins(line string) bool {
	if n.keep || !n.last.paragraph || n.last.pipe || n.last.angle {
		return false
	}
	if !startsWithLetter(strings.TrimLeft(line, " ")) || strings.Contains(line, "|") {
		return false
	}
	before := n.out[:len(n.out)-1]
	switch before[len(before)-1] {
	case '\t', '\\':
		return false
	case ' ':
		if c := before[len(before)-2]; n.span || c == ' ' || c == '\t' || c == '\\' {
			return false
		}
	}
	// The header of a table without pipes looks like the last line of a paragraph.
	return n.at+1 == len(n.lines) || !n.isDelimiterRow(n.lines[n.at+1], n.plain)
}

// isDelimiterRow reports whether line may be the delimiter row of a table. Hyphens alone are the underline of a
// heading when they follow a top-level paragraph; after a list item they continue its text and can be a table.
func (n *normalizer) isDelimiterRow(line string, plain bool) bool {
	if strings.Trim(line, "|-: \t") != "" || !strings.Contains(line, "-") {
		return false
	}
	return !plain || !isUnderline(line)
}

func isUnderline(line string) bool {
	text := strings.TrimRight(line, " \t")
	bar := strings.TrimLeft(text, " ")
	return len(text)-len(bar) <= 3 && bar != "" && (strings.Trim(bar, "-") == "" || strings.Trim(bar, "=") == "")
}

func isBlank(line string) bool {
	return strings.Trim(line, " \t") == ""
}

// isIndented reports whether line begins with white space that could make it indented code.
func isIndented(line string) bool {
	lead := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return len(lead) >= 4 || strings.Contains(lead, "\t")
}

// isParagraphText reports whether line is at most three spaces, list markers each with one space, and a letter.
func isParagraphText(line string) bool {
	rest := strings.TrimLeft(line, " ")
	if len(line)-len(rest) > 3 {
		return false
	}
	for {
		length := markerLength(rest)
		if length == 0 || !strings.HasPrefix(rest[length:], " ") {
			return startsWithLetter(rest)
		}
		rest = rest[length+1:]
	}
}

// markerLength returns the length of the list marker that s begins with, without the blank after it, or 0.
func markerLength(s string) int {
	digits := 0
	for digits < len(s) && digits < 10 && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	switch {
	case digits == len(s) || digits > 9:
		return 0
	case digits > 0 && (s[digits] == '.' || s[digits] == ')'):
		return digits + 1
	case digits == 0 && strings.IndexByte("-+*", s[0]) >= 0:
		return 1
	}
	return 0
}

// markersLength returns where the content of line begins behind any white space and list markers, however spaced.
func markersLength(line string) int {
	at := len(line) - len(strings.TrimLeft(line, " \t"))
	for {
		length := markerLength(line[at:])
		rest := strings.TrimLeft(line[at+length:], " \t")
		if length == 0 || len(rest) == len(line)-at-length {
			return at
		}
		at = len(line) - len(rest)
	}
}

// rawText are the openings after which white space counts, until an end that only a Markdown parser finds for certain.
var rawText = []string{"<pre", "<script", "<style", "<textarea", "<!", "<?"}

func opensRawText(line string) bool {
	for rest := line; ; {
		at := strings.IndexByte(rest, '<')
		if at < 0 {
			return false
		}
		rest = rest[at:]
		for _, opening := range rawText {
			if len(rest) >= len(opening) && equalASCIIFold(rest[:len(opening)], opening) {
				return true
			}
		}
		rest = rest[1:]
	}
}

// equalASCIIFold compares with lower without regard to ASCII case: Unicode's folding would depend on its version.
func equalASCIIFold(s, lower string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// mayDefineLink reports whether content may begin a link reference definition: a [ whose label does not end on this
// line, or ends before a colon.
func mayDefineLink(content string) bool {
	if !strings.HasPrefix(content, "[") {
		return false
	}
	for i := 1; i < len(content); i++ {
		switch content[i] {
		case '\\':
			i++
		case ']':
			return strings.HasPrefix(content[i+1:], ":")
		}
	}
	return true
}

// angleOpen reports whether a < is open at the end of line. A > behind a backslash closes no link destination.
func angleOpen(open bool, line string) bool {
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '<':
			open = true
		case line[i] == '>' && (i == 0 || line[i-1] != '\\'):
			open = false
		}
	}
	return open
}

// startsWithLetter is fixed for ever: it must not follow the letters of some version of Unicode.
func startsWithLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	switch {
	case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
		return true
	case r >= 0xC0 && r <= 0x1FFF:
		return r != 0xD7 && r != 0xF7 && r != 0x1680 && r != 0x180E
	}
	return r >= 0x3040 && r <= 0xD7FF || r >= 0x20000 && r <= 0x3FFFF
}
