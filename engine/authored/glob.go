package authored

import (
	"fmt"
	"strings"

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

// ParseGlob checks pattern. Patterns are relative to the root of the repository and name files: no leading or
// trailing slash, no empty component, no "." or "..".
func ParseGlob(pattern string) (Glob, error) {
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
