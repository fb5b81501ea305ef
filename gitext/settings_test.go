package gitext

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

// What someone else's file, the user or the environment says is not the repository's own.
func TestOwnSettings(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	own := func(f *fixture) []string {
		t.Helper()
		values, err := f.open().OwnSettings(t.Context(), "standards.consent")
		if err != nil {
			t.Fatal(err)
		}
		return values
	}
	if got := own(f); got != nil {
		t.Errorf("%q", got)
	}
	shared := filepath.Join(f.Dir, "shared.config")
	if err := os.WriteFile(shared, []byte("[standards]\n\tconsent = from-the-tree\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	f.Git("config", "include.path", "../shared.config")
	f.Git("config", "--global", "--add", "standards.consent", "from-the-user")
	commanded := f.With("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=standards.consent", "GIT_CONFIG_VALUE_0=from-the-environment")
	if seen := commanded.Git("config", "--get-all", "standards.consent"); seen != "from-the-user\nfrom-the-tree\nfrom-the-environment" {
		t.Fatalf("git sees %q", seen)
	}
	if got := own(commanded); got != nil {
		t.Errorf("%q", got)
	}
	r := f.open()
	for _, value := range []string{"one", "a = \"b\"; #\n\\", "one"} {
		if err := r.AddOwnSetting(t.Context(), "standards.consent", value); err != nil {
			t.Fatal(err)
		}
	}
	if got := own(commanded); !slices.Equal(got, []string{"one", "a = \"b\"; #\n\\", "one"}) {
		t.Errorf("%q", got)
	}
	f.Git("config", "extensions.worktreeConfig", "true")
	f.Git("config", "--worktree", "--add", "standards.consent", "here")
	if got := own(f); len(got) != 4 || got[3] != "here" {
		t.Errorf("%q", got)
	}
	if err := os.WriteFile(filepath.Join(f.Dir, ".git/config.lock"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	wantFault(t, r.AddOwnSetting(t.Context(), "standards.consent", "two"), fault.Unavailable, "GIT.FAILED")
	if err := os.WriteFile(filepath.Join(f.Dir, ".git/config"), []byte("[broken"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := r.OwnSettings(t.Context(), "standards.consent")
	wantFault(t, err, fault.Unavailable, "GIT.FAILED")
}
