package workspace_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/cmd/git-standards/workspace"
	"github.com/git-standards/git-standards/engine"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext/gittest"
	"github.com/git-standards/git-standards/schemas"
)

// binary is the command that results are compared with: the one that GIT_STANDARDS_BIN names, else one built here.
var binary = os.Getenv("GIT_STANDARDS_BIN")

// TestMain gives this process, whose environment a workspace hands to git, a home and an identity of its own.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		folder, err := os.MkdirTemp("", "git-standards-facade")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(folder)
		for _, pair := range os.Environ() {
			if name, _, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "GIT_") {
				os.Unsetenv(name)
			}
		}
		config := filepath.Join(folder, ".gitconfig")
		allowed, err := gittest.Allowed()
		if err == nil {
			err = os.WriteFile(config, []byte(allowed), 0o666)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		for name, value := range map[string]string{
			"HOME": folder, "XDG_CONFIG_HOME": folder, "GIT_CONFIG_GLOBAL": config, "GIT_CONFIG_NOSYSTEM": "1",
			"GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "Ann@Example.com", "GIT_COMMITTER_NAME": "Ann", "GIT_COMMITTER_EMAIL": "ann@example.com",
		} {
			os.Setenv(name, value)
		}
		if binary == "" {
			binary = filepath.Join(folder, "git-standards")
			build := exec.Command("go", "build", "-o", binary, "..")
			build.Env = append(os.Environ(), "HOME="+home, "GOFLAGS=-buildvcs=false")
			if out, err := build.CombinedOutput(); err != nil {
				fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
				return 1
			}
		}
		return m.Run()
	}())
}

// home is where the toolchain that builds the command keeps what it has built.
var home = os.Getenv("HOME")

// fixture is the standards and consumers that the command's own scripts begin with.
const fixture = "../testdata/fixture"

// adopted is a repository whose one commit adopts the fixture, on its base branch.
func adopted(t *testing.T) *gittest.Repository {
	t.Helper()
	r := gittest.New(t)
	if err := os.CopyFS(r.Dir, os.DirFS(fixture)); err != nil {
		t.Fatal(err)
	}
	r.Commit()
	return r
}

// edit replaces a text that stands once in a file.
func edit(r *gittest.Repository, file, old, now string) {
	r.T.Helper()
	text, err := os.ReadFile(filepath.Join(r.Dir, file))
	if err != nil || strings.Count(string(text), old) != 1 {
		r.T.Fatalf("%s holds %q %d times, %v", file, old, strings.Count(string(text), old), err)
	}
	r.Write(file, strings.Replace(string(text), old, now, 1))
}

// raised raises the revision of the unit api.errors, which asks for its three consumers.
func raised(t *testing.T) *gittest.Repository {
	t.Helper()
	r := adopted(t)
	edit(r, "standards/api.md", "[Errors], revision: 1", "[Errors], revision: 2")
	return r
}

func engineOf(r *gittest.Repository) *engine.Engine {
	return engine.New(workspace.Opener(workspace.Options{Dir: r.Dir}))
}

// result checks that an operation ended with a result of one shape of the public schema, and that it holds no place of this machine
// and no word of a library.
func result[T any](t *testing.T, r *gittest.Repository) func(any, error) T {
	return func(got any, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		text := public(t, r, got)
		shape, ok := got.(T)
		if !ok {
			t.Fatalf("got %T, want %T\n%s", got, shape, text)
		}
		return shape
	}
}

// libraries are words of what is below the facade.
var libraries = []string{"libgit2", "git2go", "sqlite", "sql:", "database disk image", "goroutine", ".go:", "exit status", "no such file or directory", "permission denied"}

// public is a result as JSON, checked.
func public(t *testing.T, r *gittest.Repository, got any) string {
	t.Helper()
	text, err := wire.JSON(got)
	if err != nil {
		t.Fatal(err)
	}
	if err := schemas.Validate("", text); err != nil {
		t.Errorf("no public shape: %v\n%s", err, text)
	}
	// The one name of a file that may be said is that of the store.
	said := strings.ReplaceAll(strings.ToLower(string(text)), `"target": "authority.sqlite3"`, "")
	for _, word := range append([]string{strings.ToLower(filepath.Dir(r.Dir)), strings.ToLower(os.TempDir()) + "/"}, libraries...) {
		if strings.Contains(said, word) {
			t.Errorf("%q is said:\n%s", word, text)
		}
	}
	return string(text)
}

// printed is what the command prints as JSON in a repository, whatever it exits with.
func printed(t *testing.T, r *gittest.Repository, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(context.Background(), binary, append(args, "--format", "json")...)
	cmd.Dir = r.Dir
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); err != nil && !ok || len(out) == 0 {
		t.Fatalf("%v: %v %v", args, err, exit)
	}
	return string(out)
}
