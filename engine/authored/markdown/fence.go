package markdown

import "strings"

// fence is an open fenced code block; no fence is open when length is 0. A strict one may stand in a container whose
// content begins further right than the line, so only what every reading agrees on is taken for its end.
type fence struct {
	char   byte
	length int
	indent int
	strict bool
}

// fenceLength returns the length of the fence that content begins with, or 0: three or more ` or ~, and no further `
// on the line of a ` fence.
func fenceLength(content string) int {
	if content == "" || content[0] != '`' && content[0] != '~' {
		return 0
	}
	length := runLength(content)
	if length < 3 || content[0] == '`' && strings.Contains(content[length:], "`") {
		return 0
	}
	return length
}

func runLength(s string) int {
	return len(s) - len(strings.TrimLeft(s, s[:1]))
}

// open starts the fence that stands in line at content, or gives up on the rest of the section where a parser might
// see no fence there: a wrong idea of what is fenced would join the lines of code.
func (n *normalizer) open(line, content string, length int) {
	prefix := line[:len(line)-len(content)]
	n.fence = fence{char: content[0], length: length, indent: len(prefix), strict: prefix != ""}
	n.raw = n.markup || !n.isFencePrefix(prefix)
}

// isFencePrefix reports whether a fence behind prefix is one for certain: at most three spaces, then list markers
// each with one space. A numbered item other than the first cannot interrupt a paragraph.
func (n *normalizer) isFencePrefix(prefix string) bool {
	rest := strings.TrimLeft(prefix, " ")
	if len(prefix)-len(rest) > 3 {
		return false
	}
	if first := markerLength(rest); first > 1 && !n.fresh && rest[:first-1] != "1" {
		return false
	}
	for rest != "" {
		length := markerLength(rest)
		if length == 0 || !strings.HasPrefix(rest[length:], " ") {
			return false
		}
		rest = rest[length+1:]
	}
	return true
}

// fenced takes a line while a fence is open.
func (n *normalizer) fenced(line string) {
	n.write(line)
	if isBlank(line) {
		return
	}
	content := strings.TrimLeft(line, " ")
	indent := len(line) - len(content)
	if content[0] == '\t' {
		// A tab is four columns or more, too many for the end of a fence at the margin.
		n.raw = n.fence.strict
		return
	}
	closes := content[0] == n.fence.char && runLength(content) >= n.fence.length && isBlank(content[runLength(content):])
	if n.fence.strict {
		if indent < n.fence.indent || closes && indent != n.fence.indent {
			n.raw = true
			return
		}
	} else if indent > 3 {
		return
	}
	if closes {
		n.fence = fence{}
	}
}
