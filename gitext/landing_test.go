package gitext

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

// diverged is a repository whose main and topic change different lines of one file, and rename and add others.
func diverged(t *testing.T, format string) (f *fixture, base, head string) {
	f = newFixture(t, "--object-format="+format)
	lines := strings.Repeat("line\n", 20)
	f.Commit("doc.md", "top\n"+lines+"end\n", "dir/moved", lines+"x", "same", "s")
	f.Git("checkout", "-q", "-b", "topic")
	head = f.Commit("doc.md", "top of topic\n"+lines+"end\n", "other/new", "n")
	f.Git("checkout", "-q", "main")
	f.Git("mv", "dir/moved", "moved")
	base = f.Commit("doc.md", "top\n"+lines+"end of main\n")
	return f, base, head
}

// objectFiles lists the object files below a Git directory with their bytes.
func objectFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func sameFiles(t *testing.T, before, after map[string]string) {
	t.Helper()
	for path, data := range after {
		if old, ok := before[path]; !ok || old != data {
			t.Errorf("%s is new or other", path)
		}
	}
	for path := range before {
		if _, ok := after[path]; !ok {
			t.Errorf("%s is gone", path)
		}
	}
}

// The merge is one function of two commits: neither where it is made nor whose settings rule there matters, nothing that
// is configured runs, and the repository's objects stay as they are.
func TestLandingIsTheSameEverywhere(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			f, base, head := diverged(t, format)
			f.Git("checkout", "-q", "-b", "merged", base)
			f.Git("merge", "-q", "-m", "m", head)
			want := f.Git("rev-parse", "HEAD^{tree}")
			f.Git("checkout", "-q", "main")
			parent := t.TempDir()
			ran := filepath.Join(parent, "ran")

			bare := f.At(filepath.Join(parent, "b:are \"q\".git"))
			f.Git("clone", "-q", "--bare", ".", bare.Dir)
			empty := f.At(filepath.Join(parent, "empty"))
			f.Git("clone", "-q", "--no-checkout", ".", empty.Dir)
			linked := f.At(filepath.Join(parent, "linked"))
			f.Git("worktree", "add", "-q", linked.Dir, "topic")
			borrowed := f.At(filepath.Join(parent, "borrowed"))
			f.Git("clone", "-q", "--shared", ".", borrowed.Dir)

			// All that could run or change a merge is set to do so.
			evil := filepath.Join(parent, "evil")
			if err := os.WriteFile(evil, []byte("#!/bin/sh\ntouch '"+ran+"'\nexit 0\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			for _, place := range []*fixture{f, bare, empty, borrowed} {
				for key, value := range map[string]string{
					"merge.evil.driver": evil, "merge.default": "evil", "merge.renormalize": "true", "merge.renames": "false",
					"merge.conflictStyle": "diff3", "filter.evil.clean": evil, "filter.evil.smudge": evil, "filter.evil.required": "true",
					"core.fsmonitor": evil, "core.hooksPath": parent, "diff.evil.textconv": evil, "diff.renames": "false",
					"core.attributesFile": filepath.Join(parent, "attributes"), "core.autocrlf": "true",
				} {
					place.Git("config", key, value)
				}
				gitDir := place.Git("rev-parse", "--absolute-git-dir")
				if err := os.MkdirAll(filepath.Join(gitDir, "info"), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(gitDir, "info", "attributes"), []byte("* merge=evil filter=evil diff=evil\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for name, place := range map[string]*fixture{
				"worktree": f, "bare": bare, "no checkout": empty, "linked worktree": linked, "alternates": borrowed,
				"hostile environment": f.With("GIT_MERGE_VERBOSITY=5", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=merge.default", "GIT_CONFIG_VALUE_0=evil",
					"GIT_ATTR_SOURCE=HEAD", "GIT_EXTERNAL_DIFF="+evil, "LC_ALL=de_DE.UTF-8"),
			} {
				r := place.open()
				before := objectFiles(t, filepath.Join(r.CommonDir, "objects"))
				l, err := r.Landing(t.Context(), base, head)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if l.Tree != want || !l.Merged {
					t.Errorf("%s: %+v, git merge made %s", name, l, want)
				}
				entries, err := WalkTree(t.Context(), l.Objects, l.Tree)
				if err != nil || len(entries) != 4 {
					t.Fatalf("%s: %v %v", name, entries, err)
				}
				if data, err := ReadBlob(t.Context(), l.Objects, entries[0].ID); err != nil || !strings.HasPrefix(string(data), "top of topic\n") ||
					!strings.HasSuffix(string(data), "end of main\n") {
					t.Errorf("%s: %q %v", name, data, err)
				}
				if err := l.Close(); err != nil {
					t.Error(err)
				}
				if _, err := os.Stat(l.private); !os.IsNotExist(err) {
					t.Errorf("%s: %s is left", name, l.private)
				}
				sameFiles(t, before, objectFiles(t, filepath.Join(r.CommonDir, "objects")))
			}
			if _, err := os.Stat(ran); err == nil {
				t.Error("something that is configured ran")
			}
		})
	}
}

func TestLandingWithoutAMerge(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	first := f.Commit("a", "1")
	second := f.Commit("a", "2")
	r := f.open()
	for _, pair := range [][2]string{{first, second}, {second, first}, {second, second}} {
		l, err := r.Landing(t.Context(), pair[0], pair[1])
		if err != nil || l.Merged || l.Tree != f.Git("rev-parse", second+"^{tree}") {
			t.Fatal(l, err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if _, err := WalkTree(t.Context(), l.Objects, l.Tree); err != nil {
			t.Error(err)
		}
	}
}

func TestLandingRefuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Commit("new\nline", "1", "b", "1", "c", "1")
	f.Git("checkout", "-q", "-b", "topic")
	head := f.Commit("new\nline", "2", "b", "2", "c", "2")
	f.Git("checkout", "-q", "main")
	base := f.Commit("new\nline", "3", "b", "3")
	r := f.open()
	_, err := r.Landing(t.Context(), base, head)
	e := wantFault(t, err, fault.Invalid, "MERGE.CONFLICT")
	if !strings.Contains(e.Message, `"b", "new\nline"`) || strings.Contains(e.Message, `"c"`) {
		t.Error(e.Message)
	}
	f.Git("checkout", "-q", "--orphan", "lone")
	lone := f.Commit("b", "lone")
	_, err = r.Landing(t.Context(), base, lone)
	wantFault(t, err, fault.Invalid, "MERGE.UNRELATED")
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "git-standards-*")); len(left) > 20 {
		t.Errorf("%d private directories are left", len(left))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Landing(ctx, base, head); err == nil || fault.As(err) != nil {
		t.Errorf("cancelled: %v", err)
	}
}

// In the quarantine of pre-receive the objects are not in the repository yet; what git exports there is taken from a
// real hook.
func TestLandingUnderQuarantine(t *testing.T) {
	t.Parallel()
	f, base, head := diverged(t, "sha1")
	bare := f.At(filepath.Join(t.TempDir(), "remote.git"))
	f.Git("clone", "-q", "--bare", "--single-branch", "-b", "main", "file://"+f.Dir, bare.Dir)
	hook := filepath.Join(bare.Dir, "hooks", "pre-receive")
	if err := os.MkdirAll(filepath.Dir(hook), 0o755); err != nil {
		t.Fatal(err)
	}
	// The quarantine is copied, for the test runs after the hook has ended.
	script := "#!/bin/sh\ncp -r \"$GIT_OBJECT_DIRECTORY\" ./kept && printf '%s' \"$GIT_ALTERNATE_OBJECT_DIRECTORIES\" >told && test -n \"$GIT_QUARANTINE_PATH\" && exit 1\n"
	if err := os.WriteFile(hook, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := f.Run("", "push", "-q", bare.Dir, "topic"); err == nil {
		t.Fatal(out)
	}
	told, err := os.ReadFile(filepath.Join(bare.Dir, "told"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bare.open().Commit(t.Context(), head); !fault.Is(err, "REVISION.UNKNOWN") {
		t.Fatal("the objects are there already", err)
	}
	r := bare.With("GIT_DIR=.", "GIT_OBJECT_DIRECTORY="+filepath.Join(bare.Dir, "kept"), alternates+"="+string(told)).open()
	l, err := r.Landing(t.Context(), base, head)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if entries, err := WalkTree(t.Context(), l.Objects, l.Tree); err != nil || len(entries) != 4 {
		t.Error(entries, err)
	}
	if _, err := r.Commit(t.Context(), head); err != nil {
		t.Error(err)
	}
}

func TestAlternatesAreQuoted(t *testing.T) {
	t.Parallel()
	r := &Repo{dir: "/top"}
	dirs := []string{"/a", "/with:colon", `/"quote`, `"leading`, "/é\n\t\\:", "/x\x01:"}
	list := joinAlternates(dirs)
	have := r.splitAlternates(list)
	dirs[3] = `/top/"leading`
	if strings.Join(have, "|") != strings.Join(dirs, "|") {
		t.Errorf("%q → %s → %q", dirs, list, have)
	}
	if have := r.splitAlternates(`:rel:"\a\101"::`); len(have) != 2 || have[0] != "/top/rel" || have[1] != "/top/\aA" {
		t.Error(strconv.Quote(strings.Join(have, "|")))
	}
}
