package identity_test

import (
	"testing"

	"github.com/git-standards/git-standards/engine/identity"
)

func TestCheckID(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"a", "0", "topic.api", "a._:/-Z9"} {
		if err := identity.CheckID(id); err != nil {
			t.Error(err)
		}
	}
	for _, id := range []string{"", ".a", "-a", "a b", "é", "aé", "a\n", "a#", "_a", "a\x00"} {
		if identity.CheckID(id) == nil {
			t.Errorf("%q was accepted", id)
		}
	}
}
