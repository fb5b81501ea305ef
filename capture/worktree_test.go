package capture_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/fault"
)

// Whatever stands in the worktree, the side is the tree that git add -A would make of it, and making it changes nothing.
func TestWorktreeIsWhatAddAllWouldRecord(t *testing.T) {
	must := func(f *fixture, err error) {
		f.T.Helper()
		if err != nil {
			f.T.Fatal(err)
		}
	}
	for _, c := range []struct {
		name    string
		prepare func(f *fixture)
	}{
		{"clean", func(f *fixture) { f.Commit("a", "1", "d/b", "2") }},
		{"no commit yet", func(f *fixture) { f.Write("a", "1") }},
		{"changed, staged, deleted, new, ignored", func(f *fixture) {
			f.Commit("a", "1", "b", "1", "gone", "1", "d/gone", "1", ".gitignore", "*.o\nout/\n", "kept.o", "tracked")
			f.Git("add", "-f", "kept.o")
			f.Git("commit", "-qm", "o")
			f.Write("a", "2")
			f.Write("b", "2")
			f.Git("add", "b")
			f.Write("b", "3")
			must(f, os.Remove(filepath.Join(f.Dir, "gone")))
			must(f, os.RemoveAll(filepath.Join(f.Dir, "d")))
			f.Write("new/x", "n")
			f.Write("x.o", "ignored")
			f.Write("out/y", "ignored")
			f.Write("kept.o", "changed")
		}},
		{"staged but gone again", func(f *fixture) {
			f.Commit("a", "1")
			f.Write("b", "1")
			f.Git("add", "b")
			must(f, os.Remove(filepath.Join(f.Dir, "b")))
			f.Git("rm", "-q", "--cached", "a")
		}},
		{"intent to add, there and gone", func(f *fixture) {
			f.Commit("a", "1")
			f.Write("there", "x")
			f.Write("gone", "x")
			f.Git("add", "-N", "there", "gone")
			must(f, os.Remove(filepath.Join(f.Dir, "gone")))
		}},
		{"line ends by attribute and by autocrlf", func(f *fixture) {
			f.Commit(".gitattributes", "*.txt text\n*.bin -text\n", "old", "crlf\r\nin the index\r\n")
			f.Git("config", "core.autocrlf", "true")
			f.Write("a.txt", "one\r\ntwo\r\n")
			f.Write("b.bin", "one\r\ntwo\r\n")
			f.Write("auto", "one\r\ntwo\r\n")
			f.Write("old", "still\r\ncrlf\r\n")
		}},
		{"ident, filter, encoding", func(f *fixture) {
			f.Git("config", "filter.up.clean", "tr a-z A-Z")
			f.Commit(".gitattributes", "*.id ident\n*.up filter=up\n*.u16 working-tree-encoding=UTF-16LE\n", "x.up", "before")
			f.Write("a.id", "$Id: 0123456789 $\n")
			f.Write("b.up", "lower case\n")
			f.Write("x.up", "after\n")
			f.Write("c.u16", "h\x00i\x00\n\x00")
		}},
		{"attributes that are not staged", func(f *fixture) {
			f.Commit("a", "1")
			f.Write(".gitattributes", "* text\n")
			f.Write("a", "x\r\ny\r\n")
		}},
		{"links", func(f *fixture) {
			f.Commit("a", "1", "b", "2", "dir/c", "3")
			must(f, os.Remove(filepath.Join(f.Dir, "b")))
			must(f, os.Symlink("a", filepath.Join(f.Dir, "b")))
			must(f, os.Symlink("/etc/passwd", filepath.Join(f.Dir, "out")))
			must(f, os.RemoveAll(filepath.Join(f.Dir, "dir")))
			must(f, os.Symlink(".", filepath.Join(f.Dir, "dir")))
		}},
		{"odd names", func(f *fixture) {
			f.Commit("new\nline", "1", "tab\there", "1")
			f.Write("new\nline", "2")
			for _, name := range []string{`quo"te`, `back\slash`, "é", "-dash", ":(glob)*", " lead", "x\xff", `"begins`} {
				f.Write(name, name)
			}
		}},
		{"file and directory change places", func(f *fixture) {
			f.Commit("d/x", "1", "f", "1")
			must(f, os.RemoveAll(filepath.Join(f.Dir, "d")))
			f.Write("d", "file")
			must(f, os.Remove(filepath.Join(f.Dir, "f")))
			f.Write("f/x", "below")
		}},
		{"nested repositories", func(f *fixture) {
			f.Commit("a", "1")
			nested := f.At(filepath.Join(f.Dir, "new nested"))
			nested.Write("x", "1")
			nested.Git("init", "-q", "--object-format="+f.Git("rev-parse", "--show-object-format"))
			nested.Commit("x", "1")
			known := f.At(filepath.Join(f.Dir, "known"))
			known.Write("y", "1")
			known.Git("init", "-q", "--object-format="+f.Git("rev-parse", "--show-object-format"))
			known.Commit("y", "1")
			f.Git("-c", "advice.addEmbeddedRepo=false", "add", "known")
			f.Git("commit", "-qm", "link")
			known.Commit("y", "2")
			known.Write("y", "dirty")
		}},
		{"split index", func(f *fixture) {
			f.Commit("a", "1", "b", "1")
			f.Git("config", "core.splitIndex", "true")
			f.Git("update-index", "--split-index")
			f.Write("a", "2")
			f.Git("add", "a")
			f.Write("b", "2")
			f.Write("c", "3")
		}},
		{"sparse checkout", func(f *fixture) {
			f.Commit("in/a", "1", "out/b", "1", "out/.gitattributes", "* text\n")
			f.Git("sparse-checkout", "init", "--cone", "--sparse-index")
			f.Git("sparse-checkout", "set", "in")
			f.Write("in/a", "2")
			f.Write("in/new", "2")
		}},
		{"attributes that are not checked out", func(f *fixture) {
			f.Commit("in/a", "1", "in/.gitattributes", "* text\n", "out/b", "1")
			f.Git("sparse-checkout", "set", "--no-cone", "/in/", "!/in/.gitattributes")
			f.Write("in/a", "x\r\ny\r\n")
		}},
		{"skip-worktree and assume-unchanged", func(f *fixture) {
			f.Commit("s", "1", "u", "1", "gone", "1")
			f.Git("update-index", "--skip-worktree", "s", "gone")
			f.Git("update-index", "--assume-unchanged", "u")
			f.Write("s", "not seen")
			f.Write("u", "not seen")
			must(f, os.Remove(filepath.Join(f.Dir, "gone")))
		}},
		{"touched only", func(f *fixture) {
			f.Commit("a", "1")
			must(f, os.Chtimes(filepath.Join(f.Dir, "a"), time.Unix(1, 0), time.Unix(1, 0)))
		}},
	} {
		for _, format := range []string{"sha1", "sha256"} {
			t.Run(c.name+" "+format, func(t *testing.T) {
				t.Parallel()
				f := newFixture(t, "--object-format="+format)
				c.prepare(f)
				r := f.open()
				accepted := ""
				if head, unborn, err := r.Head(t.Context()); err != nil {
					t.Fatal(err)
				} else if !unborn {
					accepted = head.Tree
				}
				// What git makes of it is made in a copy, so that nothing here can be owed to it.
				copied := f.At(filepath.Join(t.TempDir(), "copy"))
				must(f, exec.Command("cp", "-a", f.Dir, copied.Dir).Run())
				copied.Git("-c", "advice.addEmbeddedRepo=false", "add", "-A")
				want := treeFiles(copied, copied.Git("write-tree"))
				before := gitFiles(t, f.Dir)
				check(t, f, r, capture.Worktree(r), want, accepted)
				if after := gitFiles(t, f.Dir); before != after {
					t.Errorf("the Git directory changed:\n%s\n%s", before, after)
				}
			})
		}
	}
}

// gitFiles lists the files of the Git directory with their sizes.
func gitFiles(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(filepath.Join(dir, ".git"), func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			b.WriteString(path + " " + info.Mode().String() + " " + time.Duration(info.Size()).String() + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A repository without a commit cannot be added, so it is not there; git add itself stops at it.
func TestNestedRepositoryWithoutCommit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Commit("a", "1")
	nested := f.At(filepath.Join(f.Dir, "nested"))
	nested.Write("x", "1")
	nested.Git("init", "-q")
	entries, err := capture.Worktree(f.open()).List(t.Context())
	if err != nil || len(entries) != 1 || entries[0].Name != "a" {
		t.Error(entries, err)
	}
}

// A side stands still: bytes once read stay, and a file that is gone when it is read is a fault, not other bytes.
func TestWorktreeStandsStill(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Commit("a", "1")
	f.Write("b", "first")
	f.Write("c", "soon gone")
	side := capture.Worktree(f.open())
	entries, err := side.List(t.Context())
	if err != nil || len(entries) != 3 {
		t.Fatal(entries, err)
	}
	for range 2 {
		data, err := side.Read(t.Context(), entries[1], entries[0], entries[1])
		if err != nil || string(data[0]) != "first" || string(data[1]) != "1" || string(data[2]) != "first" {
			t.Fatalf("%q %v", data, err)
		}
		f.Write("b", "second")
		f.Write("d", "not seen")
	}
	if again, err := side.List(t.Context()); err != nil || len(again) != 3 {
		t.Error(again, err)
	}
	if err := os.Remove(filepath.Join(f.Dir, "c")); err != nil {
		t.Fatal(err)
	}
	if _, err := side.Read(t.Context(), entries[2]); !fault.Is(err, "WORKTREE.CHANGED") {
		t.Error(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(f.Dir, "c")); err != nil {
		t.Fatal(err)
	}
	if _, err := side.Read(t.Context(), entries[2]); !fault.Is(err, "WORKTREE.CHANGED") {
		t.Error(err)
	}
}

// Stage records what a commit then holds: new, changed, ignored and deleted files, and those a sparse checkout leaves out.
func TestStage(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Commit("in/a", "1", "out/old", "1", "out/gone", "1", ".gitignore", "*.o\n")
	f.Git("sparse-checkout", "set", "in")
	f.Write("in/a", "2")
	f.Write("in/x.o", "ignored")
	f.Write("out/new\nname", "new")
	f.Write("out/old", "written again")
	r := f.open()
	if err := r.Stage(t.Context(), []string{"in/a", "in/x.o", "out/new\nname", "out/old"}); err != nil {
		t.Fatal(err)
	}
	f.Git("commit", "-qm", "x")
	want := map[string]string{
		"in/a": "file 2", "in/x.o": "file ignored", "out/new\nname": "file new", "out/old": "file written again", "out/gone": "file 1",
		".gitignore": "file *.o\n",
	}
	check(t, f, r, capture.Tree(r, nil, f.Git("rev-parse", "HEAD^{tree}")), want, "")
	if err := os.Remove(filepath.Join(f.Dir, "in/a")); err != nil {
		t.Fatal(err)
	}
	if err := r.Stage(t.Context(), []string{"in/a"}); err != nil {
		t.Fatal(err)
	}
	if entries, err := capture.Index(r).List(t.Context(), "in"); err != nil || len(entries) != 1 || entries[0].Kind != content.Regular {
		t.Error(entries, err)
	}
}
