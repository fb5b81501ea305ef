package yamltext

import (
	"bytes"
	"sort"
	"strings"
	"unicode/utf8"
)

// syntaxHelp says in our words what the YAML library means, and what to write. The first that the library's message
// holds counts.
var syntaxHelp = []struct{ library, message, next string }{
	{"there is nothing in it", "there is nothing in it", "write its keys, or remove the file"},
	{"tab character", "a tab stands where YAML wants blanks", "indent with blanks"},
	{"could not find expected ':'", "a key has no colon, or a text goes on where a key should begin", "write key: value, and indent the further lines of a text"},
	{"mapping values are not allowed", "a second colon in one value, or a key that is indented more than the one before",
		`put quotes around a value that holds ": ", and begin all keys of a mapping in one column`},
	{"did not find expected key", "the line begins in a column of its own", "begin all keys of a mapping in one column"},
	{"expected '-' indicator", "the line stands in a list and begins with no -", "begin each entry with - in one column"},
	{"block sequence entries are not allowed", "a - stands where no list can begin", "begin the list on a line of its own"},
	{"expected ',' or", "a { or [ that is not closed, or no comma between two entries", "close it on its line, and put quotes around a value that begins with { or [, or holds a ?"},
	{"expected node content", "a [, { or comma with nothing behind it that YAML can read", "close it, or put quotes around the value"},
	{"end of stream", "a quote that is not closed", "close the quote"},
	{"alphabetic or numeric", "a value that begins with * or &", "put quotes around it"},
	{"cannot start any token", "a tab before the first word, or a value that begins with @, ` or %", "indent with blanks, or put quotes around the value"},
	{"unknown escape", `an escape that YAML does not know`, `write \\ for a backslash, or use single quotes`},
	{"control characters", "a control character", "remove it"},
}

// explainSyntax returns what to say for a message of the YAML library.
func explainSyntax(message string) (string, string) {
	for _, help := range syntaxHelp {
		if strings.Contains(message, help.library) {
			return help.message, help.next
		}
	}
	return message, "correct the YAML of this line or the one before"
}

// syntaxLine returns the first line with which the text has that message. The library names the line on which the
// block around began.
func syntaxLine(text []byte, message string) int {
	var ends []int
	for i, c := range text {
		if c == '\n' {
			ends = append(ends, i+1)
		}
	}
	// What is wrong on a line stays wrong whatever follows it.
	return 1 + sort.Search(len(ends), func(i int) bool {
		_, _, err := decode(text[:ends[i]])
		return err != nil && err.Error() == message
	})
}

// ConflictLine returns the line of the first marker of an unresolved merge, or 0.
func ConflictLine(text []byte) int {
	for number, line := range bytes.Split(text, []byte("\n")) {
		if bytes.HasPrefix(line, []byte("<<<<<<< ")) {
			return number + 1
		}
	}
	return 0
}

// InvalidLine returns the number of the first line that is not UTF-8, or 0.
func InvalidLine(text []byte) int {
	for at := 0; at < len(text); {
		c, size := utf8.DecodeRune(text[at:])
		if c == utf8.RuneError && size == 1 {
			return 1 + bytes.Count(text[:at], []byte("\n"))
		}
		at += size
	}
	return 0
}
