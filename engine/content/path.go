// Package content is repository paths, the Source port through which one side of a verdict is read, and content
// snapshots: which bytes stand at which paths. Snapshot identity binds paths and bytes and nothing else: no mode, no
// Git id, no place or time of capture (DESIGN 5). It lists no directory by itself and interprets no exclusion.
package content

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/git-standards/git-standards/engine/dotgit"
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
		case dotgit.Refused(component):
			return fmt.Errorf("%q has a component that Git keeps for itself", name)
		}
	}
	return nil
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
