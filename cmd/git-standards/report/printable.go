package report

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Printable escapes, in text that may hold names from outside, what does not print: controls, bidirectional marks, bytes that are not
// UTF-8, line ends.
func Printable(text string) string {
	plain := func(r rune, size int) bool { return strconv.IsPrint(r) && (r != utf8.RuneError || size > 1) }
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if plain(r, size) {
			b.WriteString(text[i : i+size])
		} else {
			quoted := strconv.Quote(text[i : i+size])
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		i += size
	}
	return b.String()
}
