// Package glob reads and compares the patterns by which manifests and consumers name repository paths (RULES A3, A5).
//
// It promises that a pattern that Parse takes is matched in bounded time against any path; that Covers and Rename
// are right or say that they do not know; and that nothing but the text of a pattern and of a path counts. It lists no
// files and knows no rule about where a pattern may lead: that is for its callers to say. It is the only room that imports
// a glob library.
package glob

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"
)

// The bounds of a glob. Matching tries the alternatives of braces and the reaches of ** one by one.
const (
	maxGlob         = 1024
	maxAlternatives = 64
	maxDoubleStars  = 4
)

// Glob is a checked pattern over repository paths: * ? [class] within a component, ** across components, {a,b} for
// alternatives, \ before a character that stands for itself. Case counts, and a leading dot is nothing special.
type Glob struct {
	pattern string
	base    string
}

// Parse checks pattern. Patterns are relative to the root of the repository and name files: no leading or
// trailing slash, no empty component, no "." or "..".
func Parse(pattern string) (Glob, error) {
	switch {
	case pattern == "":
		return Glob{}, fmt.Errorf("a glob cannot be empty")
	case len(pattern) > maxGlob:
		return Glob{}, fmt.Errorf("a glob of %d bytes; at most %d are read", len(pattern), maxGlob)
	case strings.ContainsFunc(pattern, isControl):
		return Glob{}, fmt.Errorf("glob %q holds a control character", pattern)
	case !doublestar.ValidatePattern(pattern):
		return Glob{}, fmt.Errorf("glob %q has a bracket, a brace or a backslash without its other half", pattern)
	case strings.Count(pattern, "**") > maxDoubleStars:
		return Glob{}, fmt.Errorf("glob %q holds more than %d **", pattern, maxDoubleStars)
	case strings.Count(pattern, "{")+strings.Count(pattern, ",") > maxAlternatives || alternatives(pattern) > maxAlternatives:
		return Glob{}, fmt.Errorf("glob %q stands for more than %d alternatives", pattern, maxAlternatives)
	}
	components := strings.Split(pattern, "/")
	literal := 0
	for i, component := range components {
		switch component {
		case "":
			return Glob{}, fmt.Errorf("glob %q begins or ends with a slash or holds two together", pattern)
		case ".", "..":
			return Glob{}, fmt.Errorf("glob %q holds the component %q; globs begin at the root of the repository", pattern, component)
		}
		if literal == i && i < len(components)-1 && !strings.ContainsAny(component, `*?[]{}\`) {
			literal++
		}
	}
	return Glob{pattern: pattern, base: strings.Join(components[:literal], "/")}, nil
}

// alternatives returns a bound of the number of patterns that the braces of pattern multiply to.
func alternatives(pattern string) int {
	product, here := 1, 1
	for i := 0; i < len(pattern) && product <= maxAlternatives; i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '{':
			product, here = product*here, 1
		case ',':
			here++
		}
		if product*here > maxAlternatives {
			return product * here
		}
	}
	return product * here
}

// Match reports whether the glob matches the whole of path.
func (g Glob) Match(path string) bool {
	return g.pattern != "" && doublestar.MatchUnvalidated(g.pattern, path)
}

// Base returns the directory below which all matches lie, "" for the root.
func (g Glob) Base() string { return g.base }

// String returns the pattern.
func (g Glob) String() string { return g.pattern }

func isControl(c rune) bool { return unicode.IsControl(c) || c == '\u2028' || c == '\u2029' }
