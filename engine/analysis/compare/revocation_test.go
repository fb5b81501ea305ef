package compare

import (
	"testing"

	"github.com/git-standards/git-standards/engine/authored/authorityfile"
)

// What was revoked stays so (RULES F4): by hand, which row takes away all that another one did.
func TestTakesAway(t *testing.T) {
	t.Parallel()
	row := func(principal, key string, capabilities ...string) authorityfile.Revoked {
		return authorityfile.Revoked{Principal: principal, Key: key, Capabilities: capabilities}
	}
	whole, key, consumer, both := row("ann", ""), row("ann", "SHA256:a"), row("ann", "", "standards.review.consumer"),
		row("ann", "", "standards.waive", "standards.review.consumer")
	for _, c := range []struct {
		now, was authorityfile.Revoked
		all      bool
	}{
		{whole, whole, true}, {whole, key, true}, {whole, both, true},
		{key, whole, false}, {consumer, whole, false}, {both, whole, false},
		{key, key, true}, {row("ann", "SHA256:b"), key, false}, {consumer, key, false},
		{both, consumer, true}, {consumer, both, false}, {key, consumer, false},
		{row("bob", ""), whole, false}, {row("bob", "SHA256:a"), key, false},
	} {
		if takesAway(c.now, c.was) != c.all {
			t.Errorf("%+v takes away all of %+v: want %v", c.now, c.was, c.all)
		}
	}
}
