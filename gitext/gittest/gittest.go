// Package gittest gives tests real repositories under a home, an identity and dates of their own. It runs git itself, so
// that what it says of a repository is owed to nothing of ours.
package gittest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Repository is a directory in which git runs with an environment.
type Repository struct {
	T   *testing.T
	Dir string
	Env []string
}

// FileSystem is the kind of file system on which the tests have their temporary folders, as the kernel names it.
var FileSystem = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("df", "--output=fstype", os.TempDir()).Output()
	lines := strings.Fields(string(out))
	if err != nil || len(lines) != 2 {
		return "", fmt.Errorf("df --output=fstype %s: %v %q", os.TempDir(), err, out)
	}
	return lines[1], nil
})

// Allowed is a Git configuration that admits FileSystem, whichever it is, so that no test but those of file systems depends on it.
func Allowed() (string, error) {
	name, err := FileSystem()
	return "[standards]\n\tallowFilesystem = " + name + "\n", err
}

// Hermetic is an environment with nothing of the machine's but its programs.
func Hermetic(t *testing.T) []string {
	home := t.TempDir()
	allowed, err := Allowed()
	if err == nil {
		err = os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(allowed), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home, "GIT_CONFIG_GLOBAL=" + home + "/.gitconfig", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=A@Example.org", "GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.org",
		"GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000",
	}
}

// New makes a repository whose branch is main; arguments are added to git init.
func New(t *testing.T, initArgs ...string) *Repository {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &Repository{T: t, Dir: filepath.Join(dir, "repo"), Env: Hermetic(t)}
	if err := os.Mkdir(r.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.Git(append([]string{"init", "-q", "-b", "main"}, initArgs...)...)
	return r
}

// Run runs git and returns what it printed, standard error only where it failed, without the last line end.
func (r *Repository) Run(stdin string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.Dir, r.Env
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

// Git runs git, which must succeed.
func (r *Repository) Git(args ...string) string {
	r.T.Helper()
	return r.Feed("", args...)
}

// Feed runs git with standard input, which must succeed.
func (r *Repository) Feed(stdin string, args ...string) string {
	r.T.Helper()
	out, err := r.Run(stdin, args...)
	if err != nil {
		r.T.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return out
}

// Write writes a file, with the directories above it.
func (r *Repository) Write(name, text string) {
	r.T.Helper()
	path := filepath.Join(r.Dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.T.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.T.Fatal(err)
	}
}

// Commit writes files, given as name, text, …, commits all and returns the id.
func (r *Repository) Commit(files ...string) string {
	r.T.Helper()
	for i := 0; i < len(files); i += 2 {
		r.Write(files[i], files[i+1])
	}
	r.Git("add", "-A")
	r.Git("commit", "-q", "--allow-empty", "-m", "c "+strings.Join(files, " "))
	return r.Git("rev-parse", "HEAD")
}
