package markdown

import (
	"bytes"
	"strings"
)

// The bounds of a text. The Markdown library takes time that grows with the square of the containers on a line, and
// with the product of the link definitions and the lines of a paragraph.
const (
	MaxBytes       = 1 << 20
	MaxNesting     = 100  // quotes and list items that begin on one line
	MaxDefinitions = 1000 // lines that may begin a link definition, between two blank lines
)

// Excess is which of the bounds a text breaks.
type Excess int

// The bounds that can be broken, none first.
const (
	Fits Excess = iota
	TooBig
	TooDeep
	TooManyDefinitions
)

// Check reports a text that would take too long to read, and the line, counted from 1, on which it does.
func Check(text []byte) (line int, excess Excess) {
	if len(text) > MaxBytes {
		return 1, TooBig
	}
	definitions, number := 0, 0
	for source := range bytes.Lines(text) {
		number++
		line := strings.TrimRight(string(source), "\r\n")
		if isBlank(line) {
			definitions = 0
		}
		containers, rest := 0, strings.TrimLeft(line, " \t")
		for length := containerLength(rest); length > 0 && containers <= MaxNesting; length = containerLength(rest) {
			containers++
			rest = strings.TrimLeft(rest[length:], " \t")
		}
		if containers > MaxNesting {
			return number, TooDeep
		}
		if strings.HasPrefix(rest, "[") {
			definitions++
		}
		if definitions > MaxDefinitions {
			return number, TooManyDefinitions
		}
	}
	return 0, Fits
}

// containerLength returns the length of the quote or list marker that s begins with, or 0.
func containerLength(s string) int {
	if strings.HasPrefix(s, ">") {
		return 1
	}
	return markerLength(s)
}
