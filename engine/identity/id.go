package identity

import (
	"fmt"
	"strings"
)

// CheckID returns why s cannot be an identifier, or nil: an ASCII letter or digit, then letters, digits and . _ : / -
// (RULES A4).
func CheckID(s string) error {
	if s == "" {
		return fmt.Errorf("an id cannot be empty")
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9':
		case i == 0:
			return fmt.Errorf("id %q must begin with a letter or a digit", s)
		case strings.IndexByte("._:/-", c) < 0:
			return fmt.Errorf("id %q holds something else than letters, digits and . _ : / -", s)
		}
	}
	return nil
}
