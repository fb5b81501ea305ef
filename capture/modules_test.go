package capture_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
)

// Gitlinks are gone through at the paths of the map alone, each in its own database, whatever .gitmodules and the worktree say; what is
// read is what git archives of each repository, put below its path.
func TestSubmodulesThroughAnExplicitMap(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			super := newFixture(t, "--object-format="+format)
			beside := func(name string) *fixture {
				f := super.At(filepath.Join(filepath.Dir(super.Dir), name))
				super.Git("init", "-q", "-b", "main", "--object-format="+format, f.Dir)
				return f
			}
			link := func(f *fixture, path, commit string) {
				f.Git("update-index", "--add", "--cacheinfo", "160000,"+commit+","+path)
			}
			inner, middle := beside("inner"), beside("middle")
			deep := inner.Commit("deep/file", "deep\n", "x", "inner\n")
			middle.Commit("x", "middle\n", "dir/y", "dir\n")
			link(middle, "vendor/inner", deep)
			middle.Git("commit", "-qm", "linked")
			super.Commit("x", "super\n", "libs/a.txt", "text\n", ".gitmodules", "[submodule \"m\"]\n\tpath = libs/middle\n\turl = /nowhere\n")
			before := super.Git("rev-parse", "HEAD^{tree}")
			link(super, "libs/middle", middle.Git("rev-parse", "HEAD"))
			link(super, "libs/other", deep)
			super.Git("commit", "-qm", "linked")
			tree := super.Git("rev-parse", "HEAD^{tree}")

			r := super.open()
			objects := func(f *fixture) gitext.Objects {
				o, err := f.open().Objects(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				return o
			}
			want := treeFiles(super, "HEAD")
			add := func(path string, f *fixture) {
				delete(want, path)
				for name, text := range treeFiles(f, "HEAD") {
					want[path+"/"+name] = text
				}
			}
			modules := map[string]gitext.Objects{}
			for _, step := range []struct {
				path   string
				f      *fixture
				linked bool // a gitlink stands there
			}{{"x", inner, false}, {"vendor/inner", inner, false}, {"libs/middle", middle, true}, {"libs/middle/vendor/inner", inner, true}} {
				modules[step.path] = objects(step.f)
				if step.linked {
					add(step.path, step.f)
				}
				side := capture.TreeThrough(r, nil, modules, tree)
				check(t, super, r, side, want, before)
			}
			side := capture.TreeThrough(r, nil, modules, tree)
			for under, names := range map[string][]string{
				"libs/middle/vendor": {"libs/middle/vendor/inner/deep/file", "libs/middle/vendor/inner/x"}, "libs/middle/x": {"libs/middle/x"},
				"libs/middle/vendor/inner/deep/file": {"libs/middle/vendor/inner/deep/file"}, "libs/middle/nothing": nil, "libs/other": {"libs/other"}, "libs/other/x": nil,
			} {
				entries, err := side.List(t.Context(), under)
				if err != nil {
					t.Fatal(err)
				}
				var have []string
				for _, e := range entries {
					have = append(have, e.Name)
				}
				if !slices.Equal(have, names) {
					t.Errorf("below %q are %q, want %q", under, have, names)
				}
			}
			skipped, err := content.ListSkipping(t.Context(), side, "libs/middle/vendor/inner")
			if err != nil || len(skipped) != len(want)-2 {
				t.Error(skipped, err)
			}

			// A database that has not the commit, and one that has damage, are no other content.
			modules["libs/other"] = objects(middle)
			_, err = capture.TreeThrough(r, nil, modules, tree).List(t.Context())
			if e := fault.As(err); e == nil || e.Code != "OBJECT.MISSING" || e.Target != deep {
				t.Error(err)
			}
			blob := inner.Git("rev-parse", "HEAD:deep/file")
			path := filepath.Join(inner.Dir, ".git/objects", blob[:2], blob[2:])
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			inner.Write(".git/objects/"+blob[:2]+"/"+blob[2:], "damaged")
			delete(modules, "libs/other")
			if _, err := filesOf(t.Context(), capture.TreeThrough(r, nil, modules, tree)); !fault.Is(err, "OBJECT.CORRUPT") {
				t.Error(err)
			}
		})
	}
}
