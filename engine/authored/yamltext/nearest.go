package yamltext

import (
	"fmt"
	"strings"
)

// Nearest returns the option that a typing error is most likely to have meant, or "".
func Nearest(word string, options []string) string {
	best, distance := "", max(2, len(word)/3)+1 // the first distance that is too far
	if len(word) > 100 {
		return ""
	}
	for _, option := range options {
		// A word that somebody stopped writing is nearer than any typing error.
		if len(word) > 2 && strings.HasPrefix(strings.ToLower(option), strings.ToLower(word)) {
			return option
		}
		if len(option) > len(word)+distance {
			continue
		}
		if d := editDistance(strings.ToLower(word), strings.ToLower(option)); d < distance && 2*d <= len(option) {
			best, distance = option, d
		}
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

// editDistance is Levenshtein's, over bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
