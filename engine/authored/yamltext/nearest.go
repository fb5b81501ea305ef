package yamltext

import (
	"fmt"
	"strings"
)

// longestWord bounds, in bytes, the words that are compared, as that takes time for each letter of each option.
const longestWord = 100

// Nearest returns the option that a typing error is most likely to have meant, or "": the first with the fewest errors, of
// those in which at most a third of the letters is wrong behind the qualifier that both have, else the only option that
// begins with the word, which somebody stopped writing. Capitals do not matter.
func Nearest(word string, options []string) string {
	if len(word) > longestWord {
		return ""
	}
	word = strings.ToLower(word)
	best, fewest := "", longestWord
	begun, several := "", false
	for _, option := range options {
		lower := strings.ToLower(option)
		if len(word) > 2 && strings.HasPrefix(lower, word) {
			several = several || begun != "" && begun != option
			begun = option
		}
		qualifier := commonQualifier(word, lower)
		letters := max(len(word), len(lower)) - qualifier
		if 3*(letters-min(len(word), len(lower))+qualifier) > letters {
			continue
		}
		if errors := typingErrors(word[qualifier:], lower[qualifier:]); 3*errors <= letters && errors < fewest {
			best, fewest = option, errors
		}
	}
	if best == "" && !several {
		return begun
	}
	return best
}

// DidYouMean returns the end of a message that names the option nearest to the word, or "".
func DidYouMean(word string, options []string) string {
	if option := Nearest(word, options); option != "" {
		return fmt.Sprintf("; did you mean %q?", option)
	}
	return ""
}

// commonQualifier is the length of the parts with which both names begin, as docs.guide. in docs.guide.errors: they are no sign
// that one was meant for the other, since all names in their place have them.
func commonQualifier(a, b string) int {
	length := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if strings.IndexByte("./:,", a[i]) >= 0 {
			length = i + 1
		}
	}
	return length
}

// typingErrors is how many letters were left out, added, mistaken or swapped with their neighbours to make b of a, counted in
// bytes: the distance of optimal string alignment.
func typingErrors(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range len(b) {
			cost := last[j]
			if a[i] != b[j] {
				cost++
			}
			row[j+1] = min(cost, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
