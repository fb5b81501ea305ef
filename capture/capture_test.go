package capture_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
)

// TestMain lets the test binary stand in for a hook: it prints the side that the index of the hook's environment is.
func TestMain(m *testing.M) {
	out := os.Getenv("CAPTURE_TEST_HOOK")
	if out == "" {
		// Each of the random worktrees costs some thirty processes. What the command line says comes later, and counts.
		if err := flag.Set("rapid.checks", "25"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(m.Run())
	}
	repo, err := gitext.Open(context.Background(), gitext.Options{})
	if err == nil {
		var files map[string]string
		if files, err = filesOf(context.Background(), capture.Index(repo)); err == nil {
			err = os.WriteFile(out, []byte(fmt.Sprintf("%q", files)), 0o600)
		}
		repo.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// filesOf reads a side whole: for each path its kind and bytes.
func filesOf(ctx context.Context, s content.Source) (map[string]string, error) {
	entries, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	var regular []content.Entry
	for i, entry := range entries {
		if i > 0 && content.ComparePaths(entries[i-1].Name, entry.Name) >= 0 {
			return nil, fmt.Errorf("%q is out of order", entry.Name)
		}
		switch entry.Kind {
		case content.Regular:
			regular = append(regular, entry)
		case content.Gitlink:
			files[entry.Name] = "gitlink " + entry.Object
		case content.Symlink:
			files[entry.Name] = "symlink"
		}
	}
	data, err := s.Read(ctx, regular...)
	for i, entry := range regular[:len(data)] {
		files[entry.Name] = "file " + string(data[i])
	}
	return files, err
}

// treeFiles is the same of a tree, as git itself says.
func treeFiles(f *fixture, treeish string) map[string]string {
	f.T.Helper()
	files := map[string]string{}
	for record := range strings.SplitSeq(f.Git("ls-tree", "-r", "-z", "--full-tree", treeish), "\x00") {
		head, name, ok := strings.Cut(record, "\t")
		if !ok {
			continue
		}
		fields := strings.Fields(head)
		switch fields[0] {
		case "160000":
			files[name] = "gitlink " + fields[2]
		case "120000":
			files[name] = "symlink"
		default:
			data, err := f.raw("cat-file", "blob", fields[2])
			if err != nil {
				f.T.Fatal(err)
			}
			files[name] = "file " + data
		}
	}
	return files
}

// check compares a side with what git says it holds, and its changes from an accepted tree with the lists' difference.
func check(t *testing.T, f *fixture, r *gitext.Repo, side content.Source, want map[string]string, accepted string) {
	t.Helper()
	have, err := filesOf(t.Context(), side)
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(have, want) {
		t.Errorf("the side is\n%q\ngit says\n%q", have, want)
	}
	for _, from := range []content.Source{capture.Tree(r, nil, accepted), content.Empty} {
		changes, err := capture.Changes(t.Context(), from, side)
		if err != nil {
			t.Fatal(err)
		}
		old, err := filesOf(t.Context(), from)
		if err != nil {
			t.Fatal(err)
		}
		// Laid over the old side, the changes must give the new one.
		for _, c := range changes {
			if (c.Old == nil) != (old[c.Name] == "") {
				t.Errorf("%q: old entry %v", c.Name, c.Old)
			}
			delete(old, c.Name)
			if c.New != nil {
				old[c.Name] = want[c.Name]
			}
		}
		if !maps.Equal(old, want) {
			t.Errorf("changes %v give\n%q\nwant\n%q", changes, old, want)
		}
	}
}

func TestTrees(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	first := f.Commit("a/b", "1", "a.b", "2", "a-b", "3", "x", "4")
	second := f.Commit("a/b", "other", "a/c", "new")
	f.Git("rm", "-q", "x")
	if err := os.Symlink("a.b", filepath.Join(f.Dir, "link")); err != nil {
		t.Fatal(err)
	}
	third := f.Commit()
	r := f.open()
	for _, pair := range [][2]string{{first, second}, {second, third}, {third, first}} {
		accepted, proposed := f.Git("rev-parse", pair[0]+"^{tree}"), f.Git("rev-parse", pair[1]+"^{tree}")
		check(t, f, r, capture.Tree(r, nil, proposed), treeFiles(f, proposed), accepted)
	}
	side := capture.Tree(r, nil, f.Git("rev-parse", third+"^{tree}"))
	entries, err := side.List(t.Context(), "a", "link", "nothing", "a.b/x")
	if err != nil || len(entries) != 3 || entries[0].Name != "a/b" || entries[2].Name != "link" {
		t.Error(entries, err)
	}
	if _, err := side.Read(t.Context(), entries[2]); !fault.Is(err, "CONTENT.NO_BYTES") {
		t.Error(err)
	}
	if changes, err := capture.Changes(t.Context(), side, content.Empty); err != nil || len(changes) != 5 {
		t.Error(changes, err)
	}
}

// What is skipped is left out of every side, and of a tree it is not even read.
func TestListSkipping(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	commit := f.Commit("a/b/c", "1", "a/b/d/e", "2", "a/bc", "3", "x", "4")
	r := f.open()
	tree := f.Git("rev-parse", commit+"^{tree}")
	want := map[string][]string{"": {"a/b/c", "a/b/d/e", "a/bc", "x"}, "a/b": {"a/bc", "x"}, "a/bc": {"a/b/c", "a/b/d/e", "a/bc", "x"}, "a": {"x"}}
	check := func(side content.Source, skip string) {
		t.Helper()
		entries, err := content.ListSkipping(t.Context(), side, skip)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, entry := range entries {
			names = append(names, entry.Name)
		}
		if !slices.Equal(names, want[skip]) {
			t.Errorf("without %q: %q", skip, names)
		}
	}
	for skip := range want {
		for _, side := range []content.Source{capture.Tree(r, nil, tree), capture.Index(r), capture.Worktree(r)} {
			check(side, skip)
		}
	}
	id := f.Git("rev-parse", commit+":a/b")
	if err := os.Remove(filepath.Join(f.Dir, ".git", "objects", id[:2], id[2:])); err != nil {
		t.Fatal(err)
	}
	check(capture.Tree(f.open(), nil, tree), "a/b")
}

// An executable bit is no part of a side.
func TestModesAreNoChange(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Commit("a", "1")
	before := f.Git("rev-parse", "HEAD^{tree}")
	if err := os.Chmod(filepath.Join(f.Dir, "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	f.Commit()
	r := f.open()
	changes, err := capture.Changes(t.Context(), capture.Tree(r, nil, before), capture.Tree(r, nil, f.Git("rev-parse", "HEAD^{tree}")))
	if err != nil || len(changes) != 0 {
		t.Error(changes, err)
	}
}

func TestIndexIsWhatGitWouldWrite(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(f *fixture)
	}{
		{"no commit yet", func(f *fixture) { f.Write("a", "1"); f.Git("add", "a") }},
		{"nothing at all", func(*fixture) {}},
		{"staged, with other text on disk", func(f *fixture) {
			f.Commit("a", "1", "b", "1")
			f.Write("a", "staged")
			f.Git("add", "a")
			f.Write("a", "on disk")
			f.Write("b", "on disk")
			f.Write("untracked", "x")
		}},
		{"intent to add", func(f *fixture) {
			f.Commit("a", "1", "empty", "")
			f.Write("intended", "x")
			f.Write("empty too", "")
			f.Git("add", "empty too")
			f.Git("add", "-N", "intended")
		}},
		{"intent to add alone", func(f *fixture) { f.Write("intended", "x"); f.Git("add", "-N", "intended") }},
		{"odd names", func(f *fixture) {
			f.Commit("new\nline", "1", "tab\there", "2", `quo"te\`, "3", "é", "4", "-dash", "5", ":(glob)*", "6", "sp ace", "7")
			f.Write("new\nline", "changed")
			f.Git("add", "-A")
		}},
		{"split index", func(f *fixture) {
			f.Commit("a", "1", "b", "1")
			f.Git("update-index", "--split-index")
			f.Write("a", "2")
			f.Git("add", "a")
			f.Git("rm", "-q", "--cached", "b")
		}},
		{"sparse index", func(f *fixture) {
			f.Commit("in/a", "1", "out/b", "1", "out/deep/c", "1")
			f.Git("sparse-checkout", "init", "--cone", "--sparse-index")
			f.Git("sparse-checkout", "set", "in")
			f.Write("in/a", "2")
			f.Git("add", "in/a")
		}},
		{"a file where a directory was", func(f *fixture) {
			f.Commit("d/x", "1", "d/y", "1")
			f.Git("rm", "-rq", "d")
			f.Write("d", "now a file")
			f.Git("add", "d")
		}},
		{"hostile settings", func(f *fixture) {
			f.Commit("a", "1", "b", "2")
			f.Git("mv", "a", "c")
			for key, value := range map[string]string{
				"diff.renames": "copies", "diff.external": "false", "core.quotePath": "true", "diff.noprefix": "true", "diff.orderFile": "/nothing",
				"core.fsmonitor": "/bin/false", "diff.ignoreSubmodules": "all", "diff.relative": "true", "color.ui": "always", "core.pager": "false",
			} {
				f.Git("config", key, value)
			}
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
				// write-tree leaves intended entries out, as commit does.
				check(t, f, r, capture.Index(r), treeFiles(f, f.Git("write-tree")), accepted)
			})
		}
	}
}

func TestUnmergedIsRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Commit("new\nline", "1")
	f.Git("checkout", "-q", "-b", "topic")
	f.Commit("new\nline", "2")
	f.Git("checkout", "-q", "main")
	f.Commit("new\nline", "3")
	if out, err := f.Run("", "merge", "topic"); err == nil {
		t.Fatal(out)
	}
	r := f.open()
	tree := capture.Tree(r, nil, f.Git("rev-parse", "HEAD^{tree}"))
	for _, side := range []content.Source{capture.Index(r), capture.Worktree(r)} {
		_, listErr := side.List(t.Context())
		_, changesErr := capture.Changes(t.Context(), tree, side)
		for _, err := range []error{listErr, changesErr} {
			if e := fault.As(err); e == nil || e.Code != "INDEX.UNMERGED" || e.Outcome != fault.Invalid || !strings.Contains(e.Message, `"new\nline"`) {
				t.Errorf("%T: %v", side, err)
			}
		}
	}
}

// In a hook the index is the one that the commit being made will record, wherever git keeps it.
func TestIndexInAHookIsTheCommit(t *testing.T) {
	for _, c := range []struct {
		name   string
		commit func(f *fixture) *fixture // the place to commit in, after committing
	}{
		{"commit", func(f *fixture) *fixture { f.Git("commit", "-qm", "x"); return f }},
		{"commit -a", func(f *fixture) *fixture { f.Git("commit", "-qam", "x"); return f }},
		{"commit PATH", func(f *fixture) *fixture { f.Git("commit", "-qm", "x", "b"); return f }},
		{"commit --amend", func(f *fixture) *fixture { f.Git("commit", "-qm", "x", "--amend"); return f }},
		{"from a subdirectory", func(f *fixture) *fixture { f.At(filepath.Join(f.Dir, "sub")).Git("commit", "-qm", "x", "."); return f }},
		{"a relative index of the user's", func(f *fixture) *fixture {
			f.Git("read-tree", "--index-output=.git/other", "HEAD")
			other := f.At(filepath.Join(f.Dir, "sub"))
			other.Env = append(slices.Clone(other.Env), "GIT_INDEX_FILE=.git/other")
			other.Git("add", "c")
			other.Git("commit", "-qm", "x")
			return f
		}},
		{"--git-dir and --work-tree", func(f *fixture) *fixture {
			f.At(filepath.Dir(f.Dir)).Git("--git-dir=repo/.git", "--work-tree=repo", "commit", "-qam", "x")
			return f
		}},
		{"linked worktree", func(f *fixture) *fixture {
			linked := f.At(filepath.Join(filepath.Dir(f.Dir), "linked"))
			f.Git("worktree", "add", "-q", linked.Dir, "-b", "linked")
			linked.Write("sub/c", "in the linked one")
			linked.At(filepath.Join(linked.Dir, "sub")).Git("commit", "-qam", "x")
			return linked
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.Commit("a", "1", "b", "1", "sub/c", "1")
			f.Write("a", "staged")
			f.Git("add", "a")
			f.Write("a", "on disk")
			f.Write("b", "on disk")
			f.Write("sub/c", "on disk")
			seen := filepath.Join(t.TempDir(), "seen")
			binary, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			f.Write(".git/hooks/pre-commit", "#!/bin/sh\nCAPTURE_TEST_HOOK='"+seen+"' exec '"+binary+"'\n")
			if err := os.Chmod(filepath.Join(f.Dir, ".git/hooks/pre-commit"), 0o755); err != nil {
				t.Fatal(err)
			}
			place := c.commit(f)
			data, err := os.ReadFile(seen)
			if err != nil {
				t.Fatal(err)
			}
			if want := fmt.Sprintf("%q", treeFiles(place, "HEAD")); string(data) != want {
				t.Errorf("the hook saw\n%s\nthe commit holds\n%s", data, want)
			}
		})
	}
}

// Every kind of side tells how large its files are before they are read.
func TestSizes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Git("config", "filter.half.clean", "head -c 3")
	f.Commit(".gitattributes", "*.half filter=half\n", "a", "12345", "b.half", "123456")
	f.Write("new.half", "1234567")
	f.Write("a", "now longer")
	r := f.open()
	for _, c := range []struct {
		side content.Source
		want map[string]int64
	}{
		{capture.Tree(r, nil, f.Git("rev-parse", "HEAD^{tree}")), map[string]int64{"a": 5, "b.half": 3}},
		{capture.Index(r), map[string]int64{"a": 5, "b.half": 3}},
		{capture.Worktree(r), map[string]int64{"a": 10, "b.half": 3, "new.half": 3}},
	} {
		for name, want := range c.want {
			entries, err := c.side.List(t.Context(), name)
			if err != nil || len(entries) != 1 {
				t.Fatal(entries, err)
			}
			sizes, err := c.side.(content.Sizer).Sizes(t.Context(), entries...)
			if err != nil || sizes[0] != want {
				t.Errorf("%s: %v %v, want %d", name, sizes, err, want)
			}
			data, err := c.side.Read(t.Context(), entries...)
			if err != nil || int64(len(data[0])) != want {
				t.Errorf("%s: %q %v", name, data, err)
			}
		}
	}
}
