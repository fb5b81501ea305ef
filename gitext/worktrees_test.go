package gitext

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/gitext/gittest"
)

func TestOtherWorktrees(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Git("commit", "-q", "--allow-empty", "-m", "x")
	odd := filepath.Join(filepath.Dir(r.Dir), "a\nb 'c'")
	r.Git("worktree", "add", "-q", "-b", "odd", odd)
	bare := filepath.Join(filepath.Dir(r.Dir), "bare")
	r.Git("clone", "-q", "--bare", ".", bare)
	linked := filepath.Join(filepath.Dir(r.Dir), "linked")
	r.Git("-C", bare, "worktree", "add", "-q", "-b", "linked", linked)
	for dir, want := range map[string][]string{r.Dir: {odd}, bare: {linked}, linked: nil} {
		repo, err := Open(context.Background(), Options{Dir: dir, Env: r.Env})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := repo.OtherWorktrees(context.Background()); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", dir, got, err, want)
		}
		repo.Close()
	}
}

// Git itself says which variables tie it to a repository; those that carry settings stay.
func TestWithoutRepository(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("git", "rev-parse", "--local-env-vars").Output()
	if err != nil {
		t.Fatal(err)
	}
	settings := []string{"GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT", "GIT_GRAFT_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE"}
	env := []string{"A=b"}
	for _, name := range strings.Fields(string(out)) {
		if !slices.Contains(settings, name) {
			env = append(env, name+"=x")
		}
	}
	if got := WithoutRepository(env); !slices.Equal(got, []string{"A=b"}) {
		t.Errorf("%q", got)
	}
	if got := WithoutRepository([]string{"GIT_CONFIG_COUNT=1"}); len(got) != 1 {
		t.Errorf("%q", got)
	}
}
