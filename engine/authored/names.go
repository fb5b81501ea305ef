package authored

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/yamltext"
)

// maxSlug is the longest slug, in bytes (RULES E2).
const maxSlug = 60

// Slug returns s as a name for a file: lower-case ASCII letters, digits and single hyphens, at most 60 of them, "x"
// where nothing is left. Different texts can have one slug.
func Slug(s string) string {
	var b strings.Builder
	for i := 0; i < len(s) && b.Len() < maxSlug; i++ {
		c := s[i]
		switch {
		case c >= 'A' && c <= 'Z':
			b.WriteByte(c + 'a' - 'A')
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteByte(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if slug := strings.TrimRight(b.String(), "-"); slug != "" {
		return slug
	}
	return "x"
}

// Roles returns the roles of a module, in the order in which modules are read where nothing else decides (RULES A1).
func Roles() []string { return slices.Clone(roles) }

// CheckRole returns why s cannot be the role of a module, or nil (RULES A1).
func CheckRole(s string) error { return oneOf("role", s, roles) }

// CheckLevel returns why s cannot be the level of a module, or nil (RULES A1).
func CheckLevel(s string) error { return oneOf("level", s, levels) }

func oneOf(what, s string, options []string) error {
	if slices.Contains(options, s) {
		return nil
	}
	return fmt.Errorf("%s is one of %s, not %q%s", what, strings.Join(options, ", "), s, yamltext.DidYouMean(s, options))
}
