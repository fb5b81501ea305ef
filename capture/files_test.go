package capture

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/gitext/gittest"
)

// Of a worktree only what changed is opened, however its files are asked for.
func TestUnchangedFilesAreNotOpened(t *testing.T) {
	repo := gittest.New(t)
	for _, name := range []string{"a", "b", "d/c"} {
		repo.Write(name, name)
		if err := os.Chtimes(filepath.Join(repo.Dir, name), time.Unix(1_000_000_000, 0), time.Unix(1_000_000_000, 0)); err != nil {
			t.Fatal(err)
		}
	}
	repo.Git("add", "-A")
	repo.Write("d/c", "changed")
	repo.Write("new", "new")
	opened, err := gitext.Open(t.Context(), gitext.Options{Dir: repo.Dir, Env: repo.Env})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	side := Worktree(opened).(*listSource)
	var touched []string
	side.files.native.pause = func(step, name string) {
		if step == "opened" || step == "reopened" {
			touched = append(touched, step+" "+name)
		}
	}
	entries, err := side.List(t.Context())
	if err != nil || len(entries) != 4 || len(touched) > 0 {
		t.Fatal(entries, touched, err)
	}
	data, err := side.Read(t.Context(), entries...)
	if err != nil || string(data[0]) != "a" || string(data[2]) != "changed" || string(data[3]) != "new" {
		t.Errorf("%q %v", data, err)
	}
	want := []string{"opened d/c", "opened new", "reopened d/c", "reopened new"}
	if !slices.Equal(touched, want) {
		t.Errorf("%q", touched)
	}
	// What was read stands still, and is not read again.
	if _, err := side.Read(t.Context(), entries...); err != nil || len(touched) != len(want) {
		t.Error(touched, err)
	}
}
