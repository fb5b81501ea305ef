// Package foldpath tells which paths some file systems take for one: those that differ in the case of letters, or in how Unicode spells a
// character. It folds more than any one of them does (each by its own tables and version of Unicode), and nothing that differs for all of them,
// such as compatibility forms. It is for warnings only: everywhere else a path is its bytes.
package foldpath

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Fold returns one text for all paths that a file system without case or with a Unicode normal form may take for
// each other: fully decomposed, each letter the least of its case, marks on one letter in one order.
func Fold(path string) string {
	isASCII := true
	for i := 0; i < len(path); i++ {
		isASCII = isASCII && path[i] < utf8.RuneSelf
	}
	if isASCII {
		return strings.ToUpper(path)
	}
	var folded []rune
	for _, c := range path {
		for _, part := range decompose(c) {
			folded = append(folded, leastCase(part))
		}
	}
	for i := 0; i < len(folded); i++ {
		marks := i
		for marks < len(folded) && unicode.Is(unicode.M, folded[marks]) {
			marks++
		}
		slices.Sort(folded[i:marks])
		i = max(i, marks)
	}
	return string(folded)
}

// leastCase returns the first of the characters that differ from c in case only.
func leastCase(c rune) rune {
	least := c
	for other := unicode.SimpleFold(c); other != c; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return least
}

var decomposed = sync.OnceValue(func() map[rune][]rune {
	table := map[rune][]rune{}
	for entry := range strings.SplitSeq(decompositions, " ") {
		c, size := utf8.DecodeRuneInString(entry)
		table[c] = []rune(entry[size:])
	}
	return table
})

// decompose returns the full canonical decomposition of one character. Hangul is computed as Unicode 3.12 says.
func decompose(c rune) []rune {
	const syllables, count, leads, vowels, trails = 0xAC00, 11172, 0x1100, 0x1161, 0x11A7
	if at := c - syllables; at >= 0 && at < count {
		parts := []rune{leads + at/588, vowels + at%588/28, trails + at%28}
		if at%28 == 0 {
			return parts[:2]
		}
		return parts
	}
	if parts := decomposed()[c]; parts != nil {
		return parts
	}
	return []rune{c}
}
