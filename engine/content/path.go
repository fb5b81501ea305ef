// Package content is repository paths, the Source port through which one side of a verdict is read, and content
// snapshots: which bytes stand at which paths. Snapshot identity binds paths and bytes and nothing else: no mode, no
// Git id, no place or time of capture (DESIGN 5). It lists no directory by itself and interprets no exclusion.
package content

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxComponent is the longest path component, in bytes of UTF-8.
const MaxComponent = 255

// CheckPath returns why name cannot be a repository path, or nil: components of 1 to 255 bytes of UTF-8 divided by
// single slashes, none of them ".", ".." or a spelling of ".git" that Git refuses, no NUL (DESIGN 5, "Path").
func CheckPath(name string) error {
	if !utf8.ValidString(name) {
		return fmt.Errorf("%q is not UTF-8", name)
	}
	if strings.ContainsRune(name, 0) {
		return fmt.Errorf("%q holds a NUL", name)
	}
	for component := range strings.SplitSeq(name, "/") {
		switch {
		case component == "":
			return fmt.Errorf("%q has an empty component", name)
		case component == "." || component == "..":
			return fmt.Errorf("%q has a component %q", name, component)
		case len(component) > MaxComponent:
			return fmt.Errorf("%q has a component of more than %d bytes", name, MaxComponent)
		case isDotGit(component):
			return fmt.Errorf("%q has a component that Git keeps for itself", name)
		}
	}
	return nil
}

// isDotGit reports the spellings of ".git" that Git refuses because some file system takes them for it. They are Git's
// own two rules and not their product: what Git admits must stay a path.
func isDotGit(component string) bool {
	if isHFSDotGit(component) {
		return true
	}
	// NTFS takes a backslash for a slash.
	for piece := range strings.SplitSeq(component, `\`) {
		if isNTFSDotGit(piece) {
			return true
		}
	}
	return false
}

// isHFSDotGit reports ".git" in any ASCII case with code points inside that HFS+ ignores.
func isHFSDotGit(component string) bool {
	return lowerASCII(strings.Map(func(r rune) rune {
		if isHFSIgnorable(r) {
			return -1
		}
		return r
	}, component)) == ".git"
}

// isNTFSDotGit reports ".git" and the short name git~1 in any ASCII case, with dots, blanks or a stream at the end.
func isNTFSDotGit(piece string) bool {
	piece, _, _ = strings.Cut(piece, ":")
	piece = lowerASCII(strings.TrimRight(piece, ". "))
	return piece == ".git" || piece == "git~1"
}

// lowerASCII leaves the letters alone that only Unicode folds to ASCII, as Git does.
func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

func isHFSIgnorable(r rune) bool {
	return r >= 0x200c && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x206a && r <= 0x206f || r == 0xfeff
}

// ComparePaths orders paths component by component by scalar, a prefix first: "a/b" comes before "a.b".
func ComparePaths(a, b string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] == b[i] {
			continue
		}
		switch {
		case a[i] == '/':
			return -1
		case b[i] == '/':
			return 1
		case a[i] < b[i]:
			return -1
		}
		return 1
	}
	return len(a) - len(b)
}
