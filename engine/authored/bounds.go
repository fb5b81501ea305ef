package authored

import (
	"bytes"
	"strings"
)

// The bounds of a body. The Markdown library takes time that grows with the square of the containers on a line, and
// with the product of the link definitions and the lines of a paragraph.
const (
	maxBody        = 1 << 20 // bytes
	maxNesting     = 100     // quotes and list items that begin on one line
	maxDefinitions = 1000    // lines that may begin a link definition, between two blank lines
)

// bounded reports a body that would take too long to read.
func (r *reader) bounded(body []byte, first int) bool {
	if len(body) > maxBody {
		r.report(first, "MODULE.TOO_BIG", "split the module", "%d bytes below the front matter; at most %d are read", len(body), maxBody)
		return false
	}
	definitions, number := 0, first-1
	for source := range bytes.Lines(body) {
		number++
		line := strings.TrimRight(string(source), "\r\n")
		if isBlank(line) {
			definitions = 0
		}
		containers, rest := 0, strings.TrimLeft(line, " \t")
		for length := containerLength(rest); length > 0 && containers <= maxNesting; length = containerLength(rest) {
			containers++
			rest = strings.TrimLeft(rest[length:], " \t")
		}
		if containers > maxNesting {
			r.report(number, "MODULE.TOO_DEEP", "nest less", "more than %d quotes and list items begin on one line", maxNesting)
			return false
		}
		if strings.HasPrefix(rest, "[") {
			definitions++
		}
		if definitions > maxDefinitions {
			r.report(number, "MODULE.TOO_BIG", "put a blank line between them",
				"more than %d lines begin with [ and no blank line between them", maxDefinitions)
			return false
		}
	}
	return true
}

// containerLength returns the length of the quote or list marker that s begins with, or 0.
func containerLength(s string) int {
	if strings.HasPrefix(s, ">") {
		return 1
	}
	return markerLength(s)
}
