package capture_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/gitext"
)

// fixture is a real repository under a home of its own.
type fixture struct {
	t   *testing.T
	dir string
	env []string
}

func hermetic(t *testing.T) []string {
	home := t.TempDir()
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=A@Example.org", "GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.org",
		"GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000",
	}
}

func newFixture(t *testing.T, initArgs ...string) *fixture {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{t: t, dir: filepath.Join(dir, "repo"), env: hermetic(t)}
	if err := os.Mkdir(f.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	f.git(append([]string{"init", "-q", "-b", "main"}, initArgs...)...)
	return f
}

// at is the same home in another directory.
func (f *fixture) at(dir string) *fixture { return &fixture{t: f.t, dir: dir, env: f.env} }

func (f *fixture) run(stdin string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = f.dir, f.env
	if stdin != "" {
		cmd.Stdin = strings.NewReader(stdin)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if err != nil {
		out.Write(errs.Bytes())
	}
	return strings.TrimSuffix(out.String(), "\n"), err
}

func (f *fixture) git(args ...string) string {
	f.t.Helper()
	out, err := f.run("", args...)
	if err != nil {
		f.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return out
}

func (f *fixture) write(name, text string) {
	f.t.Helper()
	path := filepath.Join(f.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

// commit writes files, given as name, text, …, commits all and returns the id.
func (f *fixture) commit(files ...string) string {
	f.t.Helper()
	for i := 0; i < len(files); i += 2 {
		f.write(files[i], files[i+1])
	}
	f.git("add", "-A")
	f.git("commit", "-q", "--allow-empty", "-m", "c "+strings.Join(files, " "))
	return f.git("rev-parse", "HEAD")
}

func (f *fixture) open() *gitext.Repo {
	f.t.Helper()
	r, err := gitext.Open(context.Background(), gitext.Options{Dir: f.dir, Env: f.env})
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { r.Close() })
	return r
}

// raw is what git prints, byte for byte.
func (f *fixture) raw(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = f.dir, f.env
	out, err := cmd.Output()
	return string(out), err
}
