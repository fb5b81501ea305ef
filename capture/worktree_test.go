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
		f.t.Helper()
		if err != nil {
			f.t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name    string
		prepare func(f *fixture)
	}{
		{"clean", func(f *fixture) { f.commit("a", "1", "d/b", "2") }},
		{"no commit yet", func(f *fixture) { f.write("a", "1") }},
		{"changed, staged, deleted, new, ignored", func(f *fixture) {
			f.commit("a", "1", "b", "1", "gone", "1", "d/gone", "1", ".gitignore", "*.o\nout/\n", "kept.o", "tracked")
			f.git("add", "-f", "kept.o")
			f.git("commit", "-qm", "o")
			f.write("a", "2")
			f.write("b", "2")
			f.git("add", "b")
			f.write("b", "3")
			must(f, os.Remove(filepath.Join(f.dir, "gone")))
			must(f, os.RemoveAll(filepath.Join(f.dir, "d")))
			f.write("new/x", "n")
			f.write("x.o", "ignored")
			f.write("out/y", "ignored")
			f.write("kept.o", "changed")
		}},
		{"staged but gone again", func(f *fixture) {
			f.commit("a", "1")
			f.write("b", "1")
			f.git("add", "b")
			must(f, os.Remove(filepath.Join(f.dir, "b")))
			f.git("rm", "-q", "--cached", "a")
		}},
		{"intent to add, there and gone", func(f *fixture) {
			f.commit("a", "1")
			f.write("there", "x")
			f.write("gone", "x")
			f.git("add", "-N", "there", "gone")
			must(f, os.Remove(filepath.Join(f.dir, "gone")))
		}},
		{"line ends by attribute and by autocrlf", func(f *fixture) {
			f.commit(".gitattributes", "*.txt text\n*.bin -text\n", "old", "crlf\r\nin the index\r\n")
			f.git("config", "core.autocrlf", "true")
			f.write("a.txt", "one\r\ntwo\r\n")
			f.write("b.bin", "one\r\ntwo\r\n")
			f.write("auto", "one\r\ntwo\r\n")
			f.write("old", "still\r\ncrlf\r\n")
		}},
		{"ident, filter, encoding", func(f *fixture) {
			f.git("config", "filter.up.clean", "tr a-z A-Z")
			f.commit(".gitattributes", "*.id ident\n*.up filter=up\n*.u16 working-tree-encoding=UTF-16LE\n", "x.up", "before")
			f.write("a.id", "$Id: 0123456789 $\n")
			f.write("b.up", "lower case\n")
			f.write("x.up", "after\n")
			f.write("c.u16", "h\x00i\x00\n\x00")
		}},
		{"attributes that are not staged", func(f *fixture) {
			f.commit("a", "1")
			f.write(".gitattributes", "* text\n")
			f.write("a", "x\r\ny\r\n")
		}},
		{"links", func(f *fixture) {
			f.commit("a", "1", "b", "2", "dir/c", "3")
			must(f, os.Remove(filepath.Join(f.dir, "b")))
			must(f, os.Symlink("a", filepath.Join(f.dir, "b")))
			must(f, os.Symlink("/etc/passwd", filepath.Join(f.dir, "out")))
			must(f, os.RemoveAll(filepath.Join(f.dir, "dir")))
			must(f, os.Symlink(".", filepath.Join(f.dir, "dir")))
		}},
		{"odd names", func(f *fixture) {
			f.commit("new\nline", "1", "tab\there", "1")
			f.write("new\nline", "2")
			for _, name := range []string{`quo"te`, `back\slash`, "é", "-dash", ":(glob)*", " lead", "x\xff", `"begins`} {
				f.write(name, name)
			}
		}},
		{"file and directory change places", func(f *fixture) {
			f.commit("d/x", "1", "f", "1")
			must(f, os.RemoveAll(filepath.Join(f.dir, "d")))
			f.write("d", "file")
			must(f, os.Remove(filepath.Join(f.dir, "f")))
			f.write("f/x", "below")
		}},
		{"nested repositories", func(f *fixture) {
			f.commit("a", "1")
			nested := f.at(filepath.Join(f.dir, "new nested"))
			nested.write("x", "1")
			nested.git("init", "-q", "--object-format="+f.git("rev-parse", "--show-object-format"))
			nested.commit("x", "1")
			known := f.at(filepath.Join(f.dir, "known"))
			known.write("y", "1")
			known.git("init", "-q", "--object-format="+f.git("rev-parse", "--show-object-format"))
			known.commit("y", "1")
			f.git("-c", "advice.addEmbeddedRepo=false", "add", "known")
			f.git("commit", "-qm", "link")
			known.commit("y", "2")
			known.write("y", "dirty")
		}},
		{"split index", func(f *fixture) {
			f.commit("a", "1", "b", "1")
			f.git("config", "core.splitIndex", "true")
			f.git("update-index", "--split-index")
			f.write("a", "2")
			f.git("add", "a")
			f.write("b", "2")
			f.write("c", "3")
		}},
		{"sparse checkout", func(f *fixture) {
			f.commit("in/a", "1", "out/b", "1", "out/.gitattributes", "* text\n")
			f.git("sparse-checkout", "init", "--cone", "--sparse-index")
			f.git("sparse-checkout", "set", "in")
			f.write("in/a", "2")
			f.write("in/new", "2")
		}},
		{"attributes that are not checked out", func(f *fixture) {
			f.commit("in/a", "1", "in/.gitattributes", "* text\n", "out/b", "1")
			f.git("sparse-checkout", "set", "--no-cone", "/in/", "!/in/.gitattributes")
			f.write("in/a", "x\r\ny\r\n")
		}},
		{"skip-worktree and assume-unchanged", func(f *fixture) {
			f.commit("s", "1", "u", "1", "gone", "1")
			f.git("update-index", "--skip-worktree", "s", "gone")
			f.git("update-index", "--assume-unchanged", "u")
			f.write("s", "not seen")
			f.write("u", "not seen")
			must(f, os.Remove(filepath.Join(f.dir, "gone")))
		}},
		{"touched only", func(f *fixture) {
			f.commit("a", "1")
			must(f, os.Chtimes(filepath.Join(f.dir, "a"), time.Unix(1, 0), time.Unix(1, 0)))
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
				copied := f.at(filepath.Join(t.TempDir(), "copy"))
				must(f, exec.Command("cp", "-a", f.dir, copied.dir).Run())
				copied.git("-c", "advice.addEmbeddedRepo=false", "add", "-A")
				want := treeFiles(copied, copied.git("write-tree"))
				before := gitFiles(t, f.dir)
				check(t, f, r, capture.Worktree(r), want, accepted)
				if after := gitFiles(t, f.dir); before != after {
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
	f.commit("a", "1")
	nested := f.at(filepath.Join(f.dir, "nested"))
	nested.write("x", "1")
	nested.git("init", "-q")
	entries, err := capture.Worktree(f.open()).List(t.Context())
	if err != nil || len(entries) != 1 || entries[0].Name != "a" {
		t.Error(entries, err)
	}
}

// A side stands still: bytes once read stay, and a file that is gone when it is read is a fault, not other bytes.
func TestWorktreeStandsStill(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("a", "1")
	f.write("b", "first")
	f.write("c", "soon gone")
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
		f.write("b", "second")
		f.write("d", "not seen")
	}
	if again, err := side.List(t.Context()); err != nil || len(again) != 3 {
		t.Error(again, err)
	}
	if err := os.Remove(filepath.Join(f.dir, "c")); err != nil {
		t.Fatal(err)
	}
	if _, err := side.Read(t.Context(), entries[2]); !fault.Is(err, "WORKTREE.CHANGED") {
		t.Error(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(f.dir, "c")); err != nil {
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
	f.commit("in/a", "1", "out/old", "1", "out/gone", "1", ".gitignore", "*.o\n")
	f.git("sparse-checkout", "set", "in")
	f.write("in/a", "2")
	f.write("in/x.o", "ignored")
	f.write("out/new\nname", "new")
	f.write("out/old", "written again")
	r := f.open()
	if err := r.Stage(t.Context(), []string{"in/a", "in/x.o", "out/new\nname", "out/old"}); err != nil {
		t.Fatal(err)
	}
	f.git("commit", "-qm", "x")
	want := map[string]string{
		"in/a": "file 2", "in/x.o": "file ignored", "out/new\nname": "file new", "out/old": "file written again", "out/gone": "file 1",
		".gitignore": "file *.o\n",
	}
	check(t, f, r, capture.Tree(r, nil, f.git("rev-parse", "HEAD^{tree}")), want, "")
	if err := os.Remove(filepath.Join(f.dir, "in/a")); err != nil {
		t.Fatal(err)
	}
	if err := r.Stage(t.Context(), []string{"in/a"}); err != nil {
		t.Fatal(err)
	}
	if entries, err := capture.Index(r).List(t.Context(), "in"); err != nil || len(entries) != 1 || entries[0].Kind != content.Regular {
		t.Error(entries, err)
	}
}
