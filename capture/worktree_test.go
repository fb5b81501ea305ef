package capture_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
		sparse  bool
	}{
		{name: "clean", prepare: func(f *fixture) { f.Commit("a", "1", "d/b", "2") }},
		{name: "no commit yet", prepare: func(f *fixture) { f.Write("a", "1") }},
		{name: "changed, staged, deleted, new, ignored", prepare: func(f *fixture) {
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
		{name: "staged but gone again", prepare: func(f *fixture) {
			f.Commit("a", "1")
			f.Write("b", "1")
			f.Git("add", "b")
			must(f, os.Remove(filepath.Join(f.Dir, "b")))
			f.Git("rm", "-q", "--cached", "a")
		}},
		{name: "intent to add, there and gone", prepare: func(f *fixture) {
			f.Commit("a", "1")
			f.Write("there", "x")
			f.Write("gone", "x")
			f.Git("add", "-N", "there", "gone")
			must(f, os.Remove(filepath.Join(f.Dir, "gone")))
		}},
		{name: "line ends by attribute and by autocrlf", prepare: func(f *fixture) {
			f.Commit(".gitattributes", "*.txt text\n*.bin -text\n", "old", "crlf\r\nin the index\r\n")
			f.Git("config", "core.autocrlf", "true")
			f.Write("a.txt", "one\r\ntwo\r\n")
			f.Write("b.bin", "one\r\ntwo\r\n")
			f.Write("auto", "one\r\ntwo\r\n")
			f.Write("old", "still\r\ncrlf\r\n")
		}},
		{name: "ident, filter, encoding", prepare: func(f *fixture) {
			f.Git("config", "filter.up.clean", "tr a-z A-Z")
			f.Commit(".gitattributes", "*.id ident\n*.up filter=up\n*.u16 working-tree-encoding=UTF-16LE\n", "x.up", "before")
			f.Write("a.id", "$Id: 0123456789 $\n")
			f.Write("b.up", "lower case\n")
			f.Write("x.up", "after\n")
			f.Write("c.u16", "h\x00i\x00\n\x00")
		}},
		{name: "attributes that are not staged", prepare: func(f *fixture) {
			f.Commit("a", "1")
			f.Write(".gitattributes", "* text\n")
			f.Write("a", "x\r\ny\r\n")
		}},
		{name: "links", prepare: func(f *fixture) {
			f.Commit("a", "1", "b", "2", "dir/c", "3")
			must(f, os.Remove(filepath.Join(f.Dir, "b")))
			must(f, os.Symlink("a", filepath.Join(f.Dir, "b")))
			must(f, os.Symlink("/etc/passwd", filepath.Join(f.Dir, "out")))
			must(f, os.RemoveAll(filepath.Join(f.Dir, "dir")))
			must(f, os.Symlink(".", filepath.Join(f.Dir, "dir")))
		}},
		{name: "a link to itself takes a folder's place", prepare: func(f *fixture) {
			f.Commit("d/e/x", "1", "d/y", "1", "a", "1")
			f.Write("d/intended", "1")
			f.Git("add", "-N", "d/intended")
			must(f, os.RemoveAll(filepath.Join(f.Dir, "d")))
			must(f, os.Symlink("d", filepath.Join(f.Dir, "d")))
			must(f, os.Symlink("nowhere", filepath.Join(f.Dir, "other")))
		}},
		{name: "odd names", prepare: func(f *fixture) {
			f.Commit("new\nline", "1", "tab\there", "1")
			f.Write("new\nline", "2")
			for _, name := range []string{`quo"te`, `back\slash`, "é", "-dash", ":(glob)*", " lead", "x\xff", `"begins`} {
				f.Write(name, name)
			}
		}},
		{name: "file and directory change places", prepare: func(f *fixture) {
			f.Commit("d/x", "1", "f", "1")
			must(f, os.RemoveAll(filepath.Join(f.Dir, "d")))
			f.Write("d", "file")
			must(f, os.Remove(filepath.Join(f.Dir, "f")))
			f.Write("f/x", "below")
		}},
		{name: "nested repositories", prepare: func(f *fixture) {
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
		{name: "split index", prepare: func(f *fixture) {
			f.Commit("a", "1", "b", "1")
			f.Git("config", "core.splitIndex", "true")
			f.Git("update-index", "--split-index")
			f.Write("a", "2")
			f.Git("add", "a")
			f.Write("b", "2")
			f.Write("c", "3")
		}},
		{name: "sparse checkout", prepare: func(f *fixture) {
			f.Commit("in/a", "1", "out/b", "1", "out/.gitattributes", "* text\n")
			f.Git("sparse-checkout", "init", "--cone", "--sparse-index")
			f.Git("sparse-checkout", "set", "in")
			f.Write("in/a", "2")
			f.Write("in/new", "2")
		}},
		{name: "attributes that are not checked out", prepare: func(f *fixture) {
			f.Commit("in/a", "1", "in/.gitattributes", "* text\n", "out/b", "1")
			f.Git("sparse-checkout", "set", "--no-cone", "/in/", "!/in/.gitattributes")
			f.Write("in/a", "x\r\ny\r\n")
		}},
		{name: "skip-worktree and assume-unchanged", prepare: func(f *fixture) {
			f.Commit("s", "1", "u", "1", "gone", "1")
			f.Git("update-index", "--skip-worktree", "s", "gone")
			f.Git("update-index", "--assume-unchanged", "u")
			f.Write("s", "not seen")
			f.Write("u", "not seen")
			must(f, os.Remove(filepath.Join(f.Dir, "gone")))
		}},
		{name: "line ends of every kind of attribute", prepare: func(f *fixture) {
			f.Commit(".gitattributes", "*.crlf text eol=crlf\n*.lf text eol=lf\n*.auto text=auto\n*.old -crlf\n*.raw -text\n*.bin binary\n",
				"was.auto", "crlf in the index\r\n", "m.crlf", "a\n")
			for _, ending := range []string{"crlf", "lf", "auto", "old", "raw", "bin", "none"} {
				f.Write("a."+ending, "one\r\ntwo\nthree\r\n")
				f.Write("nul."+ending, "one\r\n\x00two\r\n")
				f.Write("cr."+ending, "one\rtwo\r")
				f.Write("end."+ending, "no line end")
			}
			f.Write("was.auto", "crlf in the index\r\nand on disk\r\n")
			f.Write("m.crlf", "a\r\nb\r\n")
		}},
		{name: "core.autocrlf=input and core.eol", prepare: func(f *fixture) {
			f.Commit("a", "1\n", "t.txt", "1\n", ".gitattributes", "*.txt text\n")
			f.Git("config", "core.autocrlf", "input")
			f.Git("config", "core.eol", "crlf")
			f.Git("config", "core.safecrlf", "warn")
			f.Write("a", "1\r\n2\r\n")
			f.Write("t.txt", "1\r\n2\n")
			f.Write("mixed", "1\r\n2\n")
		}},
		{name: "attributes of the user, of the machine and of this repository", prepare: func(f *fixture) {
			f.Commit("a", "1")
			f.Write(".git/info/attributes", "*.here text\n")
			f.Write(".git/users", "*.users text\nmacro.* upper\n[attr]upper filter=up\n")
			f.Git("config", "core.attributesFile", filepath.Join(f.Dir, ".git/users"))
			f.Git("config", "filter.up.clean", "tr a-z A-Z")
			f.Write("x.here", "1\r\n")
			f.Write("x.users", "1\r\n")
			f.Write("macro.x", "lower\n")
		}},
		{name: "pointers of a large file storage", prepare: func(f *fixture) {
			f.Commit(".gitattributes", "*.png filter=lfs diff=lfs merge=lfs -text\n*.md filter=lfs\n")
			f.Write(".git/clean", lfsClean)
			must(f, os.Chmod(filepath.Join(f.Dir, ".git/clean"), 0o755))
			f.Git("config", "filter.lfs.clean", filepath.Join(f.Dir, ".git/clean"))
			f.Git("config", "filter.lfs.required", "true")
			f.Write("a.png", strings.Repeat("picture\r\n\x00", 1000))
			f.Commit("b.md", "in the index as a pointer")
			f.Write("b.md", "changed")
			f.Write("pointer.md", "version https://git-lfs.github.com/spec/v1\noid sha256:"+strings.Repeat("0", 64)+"\nsize 3\n")
			f.Write("empty.md", "")
		}},
		{name: "a filter that is not required fails", prepare: func(f *fixture) {
			f.Git("config", "filter.bad.clean", "false")
			f.Commit(".gitattributes", "*.bad filter=bad\n*.no filter=nowhere\n")
			f.Write("a.bad", "as it is\n")
			f.Write("a.no", "as it is\n")
		}},
		{name: "a filter that is asked by the path", prepare: func(f *fixture) {
			f.Git("config", "filter.name.clean", "sed s,^,%f:,")
			f.Commit(".gitattributes", "* filter=name\n", "sub dir/it's", "1\n")
			f.Write("sub dir/it's", "2\n")
			f.Write("$(id)\nnew", "3\n")
		}},
		{name: "encodings", prepare: func(f *fixture) {
			f.Commit(".gitattributes", "*.u16 working-tree-encoding=UTF-16 text\n*.l1 working-tree-encoding=ISO-8859-1\n*.u8 working-tree-encoding=UTF-8\n", "was.l1", "\xe9\n")
			f.Write("big.u16", "\xfe\xff\x00h\x00i\x00\r\x00\n")
			f.Write("little.u16", "\xff\xfeh\x00\r\x00\n\x00")
			f.Write("was.l1", "\xe9\xe8\n")
			f.Write("same.u8", "\xc3\xa9\n")
		}},
		{name: "modes", prepare: func(f *fixture) {
			f.Commit("plain", "1", "run", "1", "both", "1")
			must(f, os.Chmod(filepath.Join(f.Dir, "run"), 0o755))
			must(f, os.Chmod(filepath.Join(f.Dir, "both"), 0o755))
			f.Write("both", "2")
			f.Write("new", "1")
			must(f, os.Chmod(filepath.Join(f.Dir, "new"), 0o700))
			f.Write("group", "1")
			must(f, os.Chmod(filepath.Join(f.Dir, "group"), 0o654))
		}},
		{name: "modes that do not count", prepare: func(f *fixture) {
			f.Commit("plain", "1", "run", "1")
			f.Git("update-index", "--chmod=+x", "run")
			f.Git("config", "core.fileMode", "false")
			must(f, os.Chmod(filepath.Join(f.Dir, "plain"), 0o755))
			f.Write("plain", "2")
			f.Write("run", "2")
		}},
		{name: "links that are files here", prepare: func(f *fixture) {
			f.Commit("a", "1")
			must(f, os.Symlink("a", filepath.Join(f.Dir, "link")))
			f.Commit()
			f.Git("config", "core.symlinks", "false")
			must(f, os.Remove(filepath.Join(f.Dir, "link")))
			f.Write("link", "elsewhere")
		}},
		{name: "ignored by every list", prepare: func(f *fixture) {
			f.Commit("a", "1", ".gitignore", "*.o\n!kept.o\n/deep/*\n!/deep/in\n", "sub/.gitignore", "here\n")
			f.Write(".git/info/exclude", "excluded\n")
			f.Write(".git/global", "everywhere\n")
			f.Git("config", "core.excludesFile", filepath.Join(f.Dir, ".git/global"))
			for _, name := range []string{"x.o", "kept.o", "deep/out", "deep/in", "excluded", "sub/excluded", "everywhere", "sub/here", "here", "new/.gitignore", "new/x"} {
				f.Write(name, "*\n")
			}
		}},
		{name: "pipes and empty directories", prepare: func(f *fixture) {
			f.Commit("a", "1")
			must(f, syscall.Mkfifo(filepath.Join(f.Dir, "pipe"), 0o644))
			must(f, os.MkdirAll(filepath.Join(f.Dir, "empty/deep"), 0o755))
		}},
		{name: "racily clean", prepare: func(f *fixture) {
			// The same size in the same second as the last git add.
			for _, name := range []string{"a", "b"} {
				f.Write(name, "old")
			}
			f.Git("add", "-A")
			f.Write("a", "new")
			now := time.Unix(1_800_000_000, 0)
			for _, name := range []string{"a", "b", ".git/index"} {
				must(f, os.Chtimes(filepath.Join(f.Dir, name), now, now))
			}
		}},
		{name: "new files with a bit that does not count", prepare: func(f *fixture) {
			f.Commit("plain", "1")
			f.Git("config", "core.fileMode", "false")
			f.Write("run", "1")
			f.Write("other", "1")
			must(f, os.Chmod(filepath.Join(f.Dir, "run"), 0o755))
		}},
		{name: "executables", prepare: func(f *fixture) {
			f.Commit("run", "1", "not", "1")
			must(f, os.Chmod(filepath.Join(f.Dir, "run"), 0o755))
			f.Git("add", "run")
			f.Git("commit", "-qm", "x")
			must(f, os.Chmod(filepath.Join(f.Dir, "run"), 0o644))
			must(f, os.Chmod(filepath.Join(f.Dir, "not"), 0o755))
		}},
		{name: "names that differ in case or form alone", prepare: func(f *fixture) {
			f.Commit("Std.md", "1", "std.md", "2", "d/x", "3", "D/x", "4", "\u00e9", "5")
			f.Git("config", "core.ignoreCase", "false")
			f.Write("std.md", "changed")
			f.Write("D/x", "changed")
			f.Write("STD.md", "new")
			f.Write("e\u0301", "new")
		}},
		{name: "new files outside a sparse checkout", sparse: true, prepare: func(f *fixture) {
			f.Commit("in/a", "1", "out/b", "1", "out/c", "1")
			f.Git("sparse-checkout", "set", "in")
			f.Write("out/b", "written again")
			f.Write("out/new", "2")
		}},
		{name: "CRLF in the index and on disk, touched", prepare: func(f *fixture) {
			f.Commit("old", "a\r\nb\r\n", "lf", "a\n")
			f.Git("config", "core.autocrlf", "input")
			must(f, os.Chtimes(filepath.Join(f.Dir, "old"), time.Unix(1, 0), time.Unix(1, 0)))
			f.Write("lf", "a\r\nb\r\n")
		}},
		{name: "attributes whose values read like none", prepare: func(f *fixture) {
			f.Commit(".gitattributes", "*.a filter=unspecified\n*.b filter=unset\n*.c text=unset\n", "c.c", "1\n")
			f.Git("config", "filter.unspecified.clean", "tr a-z A-Z")
			f.Git("config", "filter.unset.clean", "tr a-z A-Z")
			f.Git("config", "core.autocrlf", "input")
			for _, name := range []string{"a.a", "a.b", "a.c", "c.c"} {
				f.Write(name, "lower\r\ncase\n")
			}
		}},
		{name: "git lfs itself", prepare: func(f *fixture) {
			if err := exec.Command("git-lfs", "version").Run(); err != nil {
				f.T.Skip("SKIPPED: no git-lfs: ", err)
			}
			f.Git("lfs", "install", "--local")
			f.Commit("a", "1")
			f.Git("lfs", "track", "*.png")
			f.Write("b.png", strings.Repeat("picture\r\n\x00", 1000))
			f.Write("empty.png", "")
		}},
		{name: "touched only", prepare: func(f *fixture) {
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
				copied := f.copied()
				args := []string{"-c", "advice.addEmbeddedRepo=false", "add", "-A"}
				if c.sparse {
					args = append(args, "--sparse") // SHORTCOMINGS.md, "Where we differ from Git"
				}
				copied.Git(args...)
				want := treeFiles(copied, copied.Git("write-tree"))
				before := gitFiles(t, f.Dir)
				check(t, f, r, capture.Worktree(r), want, accepted)
				have, err := listing(t.Context(), copied, r)
				if diff := cmp.Diff(staged(copied), have); err != nil || diff != "" {
					t.Errorf("git add -A and we differ: %v\n%s", err, diff)
				}
				if after := gitFiles(t, f.Dir); before != after {
					t.Errorf("the Git directory changed:\n%s\n%s", before, after)
				}
			})
		}
	}
}

// lfsClean does what git lfs clean does, but for keeping what it reads: a file becomes the pointer to it, a pointer stays.
const lfsClean = `#!/bin/sh
file=$(mktemp) && cat >"$file"
if [ ! -s "$file" ] || head -n 1 "$file" | grep -q '^version https://git-lfs'; then
	cat "$file"
else
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n' "$(sha256sum <"$file" | cut -d ' ' -f 1)" "$(wc -c <"$file")"
fi
rm "$file"
`

// What git add refuses is refused by the name of the file, whatever stands beside it.
func TestWhatGitAddRefuses(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(f *fixture)
	}{
		{"a required filter fails", func(f *fixture) {
			f.Git("config", "filter.bad.clean", "false")
			f.Git("config", "filter.bad.required", "true")
			f.Write(".gitattributes", "*.bad filter=bad\n")
		}},
		{"a required filter is not installed", func(f *fixture) {
			f.Git("config", "filter.bad.required", "true")
			f.Write(".gitattributes", "*.bad filter=bad\n")
		}},
		{"line ends that would not come back", func(f *fixture) {
			f.Git("config", "core.autocrlf", "input")
			f.Git("config", "core.safecrlf", "true")
			f.Write("m.bad", "1\r\n2\n")
		}},
		{"an encoding that is broken", func(f *fixture) {
			f.Write(".gitattributes", "*.bad working-tree-encoding=UTF-16\n")
			f.Write("m.bad", "\xff")
		}},
		{"a pipe in a file's place", func(f *fixture) {
			f.Git("add", "m.bad")
			if err := os.Remove(filepath.Join(f.Dir, "m.bad")); err != nil {
				f.T.Fatal(err)
			}
			if err := syscall.Mkfifo(filepath.Join(f.Dir, "m.bad"), 0o644); err != nil {
				f.T.Fatal(err)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.Commit("a", "1")
			for _, name := range []string{"a", "k", "n", "z"} {
				f.Write(name, "fine\n")
			}
			f.Write("m.bad", "bad\n")
			c.prepare(f)
			copied := f.copied()
			if out, err := copied.Run("", "add", "-A"); err == nil {
				t.Fatal("git add takes it:", out)
			}
			r := f.open()
			before := gitFiles(t, f.Dir)
			_, err := filesOf(t.Context(), capture.Worktree(r))
			if e := fault.As(err); e == nil || e.Code != "WORKTREE.UNREADABLE" || e.Target != "m.bad" || e.Outcome != fault.Unavailable {
				t.Error(err)
			}
			if after := gitFiles(t, f.Dir); before != after {
				t.Errorf("the Git directory changed:\n%s\n%s", before, after)
			}
		})
	}
}

// Of the files that did not change none is read, though the index is only a copy: neither a program nor time is spent on them.
func TestOnlyChangedFilesAreRead(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Write("a", "1")
	f.Write("other", "1")
	for _, name := range []string{"a", "other"} {
		if err := os.Chtimes(filepath.Join(f.Dir, name), time.Unix(1_000_000_000, 0), time.Unix(1_000_000_000, 0)); err != nil {
			t.Fatal(err)
		}
	}
	f.Commit()
	f.Git("config", "filter.bad.clean", "false")
	f.Git("config", "filter.bad.required", "true")
	f.Write(".git/info/attributes", "other filter=bad\n")
	f.Write("a", "2")
	side := capture.Worktree(f.open())
	entries, err := side.List(t.Context(), "a")
	if err != nil || len(entries) != 1 || entries[0].Object != "" {
		t.Fatal(entries, err)
	}
	if data, err := side.Read(t.Context(), entries...); err != nil || string(data[0]) != "2" {
		t.Errorf("%q %v", data, err)
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
