package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

func writeAll(t *testing.T, files map[string]string) string {
	t.Helper()
	top := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Join(top, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(top, name), []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return top
}

// holds fails unless the folder holds exactly these files with these texts.
func holds(t *testing.T, top string, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	err := filepath.Walk(top, func(name string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		if info.Mode().Perm() != 0o640 {
			t.Errorf("%s has the mode %v", name, info.Mode())
		}
		data, err := os.ReadFile(name)
		got[strings.TrimPrefix(name, top+"/")] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s holds %q, want %q", name, got[name], text)
		}
		delete(got, name)
	}
	for name := range got {
		t.Errorf("%s is left", name)
	}
}

func stay(name string) string { return name }

func TestRewritesAreAllOrNone(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.md": "one", "b/b.md": "two"}
	young := []rewrite{{name: "a.md", old: []byte("one"), now: []byte("1")}, {name: "b/b.md", old: []byte("two"), now: []byte("2")}}
	edits := func() []rewrite { return append([]rewrite{}, young...) }

	top := writeAll(t, files)
	w, err := prepareRewrites(top, edits())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.put(stay); err != nil {
		t.Fatal(err)
	}
	w.close()
	holds(t, top, map[string]string{"a.md": "1", "b/b.md": "2"})

	// Somebody saved the second file meanwhile.
	top = writeAll(t, map[string]string{"a.md": "one", "b/b.md": "saved"})
	if _, err := prepareRewrites(top, edits()); !fault.Is(err, "FILE.CHANGED") {
		t.Errorf("a changed file: %v", err)
	}
	holds(t, top, map[string]string{"a.md": "one", "b/b.md": "saved"})

	// The second file cannot be put in its place: the first is put back.
	top = writeAll(t, files)
	w, err = prepareRewrites(top, edits())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.put(func(name string) string { return strings.Replace(name, "b/b.md", "none/b.md", 1) }); !fault.Is(err, "FILE.NOT_WRITTEN") {
		t.Errorf("no such folder: %v", err)
	}
	if err := w.undo(); err != nil {
		t.Error(err)
	}
	w.close()
	holds(t, top, files)

	// The folder moved between the two steps, and with it what was prepared in it.
	top = writeAll(t, files)
	w, err = prepareRewrites(top, edits())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(top, "b"), filepath.Join(top, "c")); err != nil {
		t.Fatal(err)
	}
	if err := w.put(func(name string) string { return strings.Replace(name, "b/", "c/", 1) }); err != nil {
		t.Error(err)
	}
	w.close()
	holds(t, top, map[string]string{"a.md": "1", "c/b.md": "2"})
}

func TestRewritesFollowNoLink(t *testing.T) {
	t.Parallel()
	for _, link := range []string{"b", "b/b.md"} {
		top := writeAll(t, map[string]string{"b/b.md": "two", "x/b.md": "two"})
		if err := os.RemoveAll(filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(top, strings.Replace(link, "b", "x", 1)), filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
		if _, err := prepareRewrites(top, []rewrite{{name: "b/b.md", old: []byte("two"), now: []byte("2")}}); !fault.Is(err, "FILE.LINK") {
			t.Errorf("%s is a link: %v", link, err)
		}
		if data, err := os.ReadFile(filepath.Join(top, "x/b.md")); err != nil || string(data) != "two" {
			t.Errorf("%q %v", data, err)
		}
	}
	top := writeAll(t, map[string]string{"big.md": strings.Repeat("x", maxEdited+1)})
	root, err := os.OpenRoot(top)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, _, err := readFile(root, "big.md"); !fault.Is(err, "FILE.TOO_BIG") {
		t.Error(err)
	}
}
