package decision

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/content/contenttest"
)

// RULES E6: what is in the state, what the accepted side does not hold alike, and what is no decision that can be read, is kept.
func TestHistoryIsWhatLandedAndIsInNoState(t *testing.T) {
	t.Parallel()
	past := review(t, "api.names", 1, "lower case", namesPath, "x")
	now := review(t, "api.names", 2, "lower case", namesPath, "x")
	accepted := contenttest.Files{
		folderNames + "past.yaml":                answered(t, "no-change", "ann", past),
		folderNames + "now.yaml":                 answered(t, "no-change", "ann", now),
		folderNames + "both.yaml":                answered(t, "no-change", "ann", past, now),
		folderNames + "changed.yaml":             answered(t, "no-change", "ann", past),
		folderNames + "gone.yaml":                answered(t, "no-change", "ann", past),
		folderNames + "linked.yaml":              answered(t, "no-change", "ann", past),
		folderNames + "broken.yaml":              "- [",
		folderNames + "README.md":                "# Names\n",
		folderNames + TemporaryPrefix + "x.yaml": answered(t, "no-change", "ann", past),
		"standards/decisions/old/any-name":       answered(t, "no-change", "bob", past),
		"docs/past.yaml":                         answered(t, "no-change", "ann", past),
	}
	proposed := accepted.With(contenttest.Files{
		folderNames + "changed.yaml": answered(t, "blocked", "ann", past),
		folderNames + "linked.yaml":  contenttest.Symlink,
		folderNames + "new.yaml":     answered(t, "no-change", "ann", past),
	})
	delete(proposed, folderNames+"gone.yaml")
	history, findings, err := History(context.Background(), accepted.Tree(), proposed.Worktree(), map[string]bool{now.ID: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{folderNames + "past.yaml", "standards/decisions/old/any-name"}, history); diff != "" {
		t.Error(diff)
	}
	if len(findings) != 1 || findings[0].File != folderNames+"broken.yaml" {
		t.Errorf("%v", findings)
	}
}
