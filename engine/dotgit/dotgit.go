// Package dotgit knows the names that Git keeps for itself: the spellings of ".git" that some file system takes for it.
// They are Git's own two rules and not their product, so that what git fsck admits here is admitted and nothing else. It
// promises nothing about ".", "..", other special names such as .gitmodules, or whether a name may stand in a tree.
package dotgit

import (
	"strings"
	"unicode/utf8"
)

// Refused reports whether git fsck says hasDotgit of one component of a path, given as raw bytes without a slash.
func Refused(component string) bool {
	if isHFS(component) {
		return true
	}
	// NTFS takes a backslash for a slash.
	for piece := range strings.SplitSeq(component, `\`) {
		if isNTFS(piece) {
			return true
		}
	}
	return false
}

// isHFS reports ".git" in any ASCII case with code points inside that HFS+ ignores. Git reads a name no further than
// to the first bytes that are no UTF-8.
func isHFS(component string) bool {
	missing := ".git"
	for len(component) > 0 {
		c, size := utf8.DecodeRuneInString(component)
		component = component[size:]
		switch {
		case c == utf8.RuneError && size == 1, c == 0xfffe, c == 0xffff: // Git takes the last two for malformed, too
			return missing == ""
		case isIgnorable(c):
		case missing == "" || lower(c) != rune(missing[0]):
			return false
		default:
			missing = missing[1:]
		}
	}
	return missing == ""
}

func isIgnorable(c rune) bool {
	return c >= 0x200c && c <= 0x200f || c >= 0x202a && c <= 0x202e || c >= 0x206a && c <= 0x206f || c == 0xfeff
}

// isNTFS reports ".git" and the short name git~1 in any ASCII case, with dots, blanks or a stream at the end.
func isNTFS(piece string) bool {
	piece, _, _ = strings.Cut(piece, ":")
	piece = strings.Map(lower, strings.TrimRight(piece, ". "))
	return piece == ".git" || piece == "git~1"
}

// lower leaves the letters alone that only Unicode folds to ASCII, as Git does.
func lower(c rune) rune {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
