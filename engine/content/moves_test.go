package content_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/content/contenttest"
)

// RULES C13: exactly one place, and nothing that would vanish unasked; by objects where both sides have them, else by bytes.
func TestMoves(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name     string
		old, now contenttest.Files
		want     map[string]string
	}{
		{"to one place", contenttest.Files{"a": "1\n"}, contenttest.Files{"b": "1\n", "c": "2\n"}, map[string]string{"a": "b"}},
		{"to two places", contenttest.Files{"a": "1\n"}, contenttest.Files{"b": "1\n", "c": "1\n"}, nil},
		{"two with the same bytes", contenttest.Files{"a": "1\n", "b": "1\n"}, contenttest.Files{"c": "1\n"}, nil},
		{"two that change places with others", contenttest.Files{"a": "1\n", "b": "2\n"}, contenttest.Files{"c": "2\n", "d": "1\n"}, map[string]string{"a": "d", "b": "c"}},
		{"no bytes at all", contenttest.Files{"a": ""}, contenttest.Files{"b": ""}, nil},
		{"nothing new", contenttest.Files{"a": "1\n"}, contenttest.Files{}, nil},
		{"nothing lost", contenttest.Files{}, contenttest.Files{"a": "1\n"}, nil},
	} {
		var lost, fresh []content.Entry
		for _, c := range contenttest.Changes(row.old, row.now) {
			if c.Old != nil {
				lost = append(lost, *c.Old)
			} else {
				fresh = append(fresh, *c.New)
			}
		}
		if row.want == nil {
			row.want = map[string]string{}
		}
		check := func(by string, proposed content.Source) {
			got, err := content.Moves(t.Context(), row.old.Tree(), lost, proposed, fresh)
			if diff := cmp.Diff(row.want, got); err != nil || diff != "" {
				t.Errorf("%s, by %s: %v %s", row.name, by, err, diff)
			}
		}
		check("objects", row.now.Tree())
		for i := range fresh {
			fresh[i].Object = ""
		}
		check("bytes", row.now.Worktree())
	}
}
