package gitext

import (
	"context"
	"slices"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext/gittest"
)

// fixture is a real repository that can be opened.
type fixture struct{ *gittest.Repository }

func newFixture(t *testing.T, initArgs ...string) *fixture {
	t.Helper()
	return &fixture{gittest.New(t, initArgs...)}
}

// At is the same home in another directory.
func (f *fixture) At(dir string) *fixture {
	return &fixture{&gittest.Repository{T: f.T, Dir: dir, Env: f.Env}}
}

// With is the same repository with more variables.
func (f *fixture) With(env ...string) *fixture {
	return &fixture{&gittest.Repository{T: f.T, Dir: f.Dir, Env: slices.Concat(f.Env, env)}}
}

func (f *fixture) open() *Repo {
	f.T.Helper()
	r, err := Open(context.Background(), Options{Dir: f.Dir, Env: f.Env})
	if err != nil {
		f.T.Fatal(err)
	}
	f.T.Cleanup(func() { r.Close() })
	return r
}

func wantFault(t *testing.T, err error, outcome fault.Outcome, code string) *fault.Error {
	t.Helper()
	e := fault.As(err)
	if e == nil || e.Code != code || e.Outcome != outcome {
		t.Fatalf("want %s %s, have %v", outcome, code, err)
	}
	if len(e.Next) == 0 && outcome != fault.Unsupported && code != "GIT.FAILED" && code != "WORKTREE.CHANGED" {
		t.Errorf("%s says nothing to type next", code)
	}
	return e
}
