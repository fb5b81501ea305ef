package capture_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
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
		{"line ends of every kind of attribute", func(f *fixture) {
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
		{"core.autocrlf=input and core.eol", func(f *fixture) {
			f.Commit("a", "1\n", "t.txt", "1\n", ".gitattributes", "*.txt text\n")
			f.Git("config", "core.autocrlf", "input")
			f.Git("config", "core.eol", "crlf")
			f.Git("config", "core.safecrlf", "warn")
			f.Write("a", "1\r\n2\r\n")
			f.Write("t.txt", "1\r\n2\n")
			f.Write("mixed", "1\r\n2\n")
		}},
		{"attributes of the user, of the machine and of this repository", func(f *fixture) {
			f.Commit("a", "1")
			f.Write(".git/info/attributes", "*.here text\n")
			f.Write(".git/users", "*.users text\nmacro.* upper\n[attr]upper filter=up\n")
			f.Git("config", "core.attributesFile", filepath.Join(f.Dir, ".git/users"))
			f.Git("config", "filter.up.clean", "tr a-z A-Z")
			f.Write("x.here", "1\r\n")
			f.Write("x.users", "1\r\n")
			f.Write("macro.x", "lower\n")
		}},
		{"pointers of a large file storage", func(f *fixture) {
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
		{"a filter that is not required fails", func(f *fixture) {
			f.Git("config", "filter.bad.clean", "false")
			f.Commit(".gitattributes", "*.bad filter=bad\n*.no filter=nowhere\n")
			f.Write("a.bad", "as it is\n")
			f.Write("a.no", "as it is\n")
		}},
		{"a filter that is asked by the path", func(f *fixture) {
			f.Git("config", "filter.name.clean", "sed s,^,%f:,")
			f.Commit(".gitattributes", "* filter=name\n", "sub dir/it's", "1\n")
			f.Write("sub dir/it's", "2\n")
			f.Write("$(id)\nnew", "3\n")
		}},
		{"encodings", func(f *fixture) {
			f.Commit(".gitattributes", "*.u16 working-tree-encoding=UTF-16 text\n*.l1 working-tree-encoding=ISO-8859-1\n*.u8 working-tree-encoding=UTF-8\n", "was.l1", "\xe9\n")
			f.Write("big.u16", "\xfe\xff\x00h\x00i\x00\r\x00\n")
			f.Write("little.u16", "\xff\xfeh\x00\r\x00\n\x00")
			f.Write("was.l1", "\xe9\xe8\n")
			f.Write("same.u8", "\xc3\xa9\n")
		}},
		{"modes", func(f *fixture) {
			f.Commit("plain", "1", "run", "1", "both", "1")
			must(f, os.Chmod(filepath.Join(f.Dir, "run"), 0o755))
			must(f, os.Chmod(filepath.Join(f.Dir, "both"), 0o755))
			f.Write("both", "2")
			f.Write("new", "1")
			must(f, os.Chmod(filepath.Join(f.Dir, "new"), 0o700))
			f.Write("group", "1")
			must(f, os.Chmod(filepath.Join(f.Dir, "group"), 0o654))
		}},
		{"modes that do not count", func(f *fixture) {
			f.Commit("plain", "1", "run", "1")
			f.Git("update-index", "--chmod=+x", "run")
			f.Git("config", "core.fileMode", "false")
			must(f, os.Chmod(filepath.Join(f.Dir, "plain"), 0o755))
			f.Write("plain", "2")
			f.Write("run", "2")
		}},
		{"links that are files here", func(f *fixture) {
			f.Commit("a", "1")
			must(f, os.Symlink("a", filepath.Join(f.Dir, "link")))
			f.Commit()
			f.Git("config", "core.symlinks", "false")
			must(f, os.Remove(filepath.Join(f.Dir, "link")))
			f.Write("link", "elsewhere")
		}},
		{"ignored by every list", func(f *fixture) {
			f.Commit("a", "1", ".gitignore", "*.o\n!kept.o\n/deep/*\n!/deep/in\n", "sub/.gitignore", "here\n")
			f.Write(".git/info/exclude", "excluded\n")
			f.Write(".git/global", "everywhere\n")
			f.Git("config", "core.excludesFile", filepath.Join(f.Dir, ".git/global"))
			for _, name := range []string{"x.o", "kept.o", "deep/out", "deep/in", "excluded", "sub/excluded", "everywhere", "sub/here", "here", "new/.gitignore", "new/x"} {
				f.Write(name, "*\n")
			}
		}},
		{"pipes and empty directories", func(f *fixture) {
			f.Commit("a", "1")
			must(f, syscall.Mkfifo(filepath.Join(f.Dir, "pipe"), 0o644))
			must(f, os.MkdirAll(filepath.Join(f.Dir, "empty/deep"), 0o755))
		}},
		{"racily clean", func(f *fixture) {
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
				if have, want := worktreeTree(t, copied, r), copied.Git("write-tree"); have != want {
					t.Errorf("modes and ids make the tree %s, git add -A makes %s", have, want)
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

// worktreeTree is the tree that git makes, in a copy, of the entries and bytes that the worktree of r is said to have.
func worktreeTree(t *testing.T, copied *fixture, r *gitext.Repo) string {
	t.Helper()
	changes, err := r.DiffWorktree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	entries, err := r.Worktree(t.Context(), changes)
	if err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	for _, entry := range entries {
		if entry.ID == "" {
			text := ""
			if entry.Mode == gitext.ModeSymlink {
				if text, err = os.Readlink(filepath.Join(r.TopLevel, entry.Name)); err != nil {
					data, readErr := os.ReadFile(filepath.Join(r.TopLevel, entry.Name)) // core.symlinks=false
					text, err = string(data), readErr
				}
			} else {
				var files []gitext.Clean
				if files, err = r.CleanBytes(t.Context(), []string{entry.Name}, 0); err == nil {
					text = string(files[0].Data)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "bytes")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			entry.ID = copied.Git("hash-object", "-w", "--no-filters", file)
		}
		fmt.Fprintf(&list, "%06o %s\t%s\x00", entry.Mode, entry.ID, entry.Name)
	}
	scratch := copied.At(copied.Dir)
	scratch.Env = append(slices.Clone(copied.Env), "GIT_INDEX_FILE="+filepath.Join(t.TempDir(), "index"))
	if list.Len() > 0 {
		scratch.Feed(list.String(), "update-index", "-z", "--index-info")
	}
	return scratch.Git("write-tree", "--missing-ok")
}

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
			copied := f.At(filepath.Join(t.TempDir(), "copy"))
			if err := exec.Command("cp", "-a", f.Dir, copied.Dir).Run(); err != nil {
				t.Fatal(err)
			}
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
