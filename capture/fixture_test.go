package capture_test

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/gitext/gittest"
)

// fixture is a real repository that can be opened.
type fixture struct {
	*gittest.Repository
	clock time.Time
}

func newFixture(t *testing.T, initArgs ...string) *fixture {
	t.Helper()
	return &fixture{Repository: gittest.New(t, initArgs...)}
}

// At is the same home in another directory.
func (f *fixture) At(dir string) *fixture {
	return &fixture{Repository: &gittest.Repository{T: f.T, Dir: dir, Env: f.Env}}
}

func (f *fixture) open() *gitext.Repo {
	f.T.Helper()
	r, err := gitext.Open(context.Background(), gitext.Options{Dir: f.Dir, Env: f.Env})
	if err != nil {
		f.T.Fatal(err)
	}
	f.T.Cleanup(func() { r.Close() })
	return r
}

// raw is what git prints, byte for byte.
func (f *fixture) raw(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = f.Dir, f.Env
	out, err := cmd.Output()
	return string(out), err
}
