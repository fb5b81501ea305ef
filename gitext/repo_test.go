package gitext

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext/gittest"
)

func openFault(t *testing.T, o Options, code string) *fault.Error {
	t.Helper()
	_, err := Open(context.Background(), o)
	return wantFault(t, err, fault.Unavailable, code)
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	env := gittest.Hermetic(t)
	nowhere := t.TempDir()
	openFault(t, Options{Dir: nowhere, Env: env}, "GIT.NOT_A_REPOSITORY")
	openFault(t, Options{Dir: filepath.Join(nowhere, "gone"), Env: env}, "GIT.NOT_A_REPOSITORY")
	openFault(t, Options{Dir: nowhere, GitDir: "gone", Env: env}, "GIT.NOT_A_REPOSITORY")
	openFault(t, Options{Dir: nowhere, Env: setEnv(env, "PATH", nowhere)}, "GIT.MISSING")

	// A program of an older version's answers, and one that a relative entry of PATH would find.
	old := t.TempDir()
	if err := os.WriteFile(filepath.Join(old, "git"), []byte("#!/bin/sh\necho git version 2.38.9\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	e := openFault(t, Options{Dir: nowhere, Env: setEnv(env, "PATH", old)}, "GIT.TOO_OLD")
	if !strings.Contains(e.Message, "2.38.9") || !strings.Contains(e.Message, "2.39") {
		t.Error(e.Message)
	}
	openFault(t, Options{Dir: old, Env: setEnv(env, "PATH", ".:")}, "GIT.MISSING")
}

func TestVersions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"2.39.5": true, "2.39.0.windows.1": true, "2.40": true, "3.0.1": true, "2.38.9": false, "1.99.1": false, "2.9.0": false, "x": false} {
		if atLeast(text, oldest) != want {
			t.Error(text)
		}
	}
	if version, err := Version(t.Context()); err != nil || version == "" {
		t.Error(version, err)
	}
	if !strings.HasPrefix(Libgit2Version(), "1.5.") {
		t.Error(Libgit2Version())
	}
}

func TestOpenRefusesForeignOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a repository away")
	}
	f := newFixture(t)
	if err := os.Chown(f.Dir, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(filepath.Join(f.Dir, ".git"), 12345, 12345); err != nil {
		t.Fatal(err)
	}
	e := openFault(t, Options{Dir: f.Dir, Env: f.Env}, "GIT.OWNERSHIP")
	if !strings.Contains(e.Next[0], f.Dir) {
		t.Error(e.Next)
	}
}

// Where a repository is opened from and how it is named does not change what it is.
func TestDiscovery(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Commit("sub/a", "1")
	git := filepath.Join(f.Dir, ".git")
	parent := filepath.Dir(f.Dir)
	f.Git("worktree", "add", "-q", "../linked", "-b", "linked")
	f.Git("clone", "-q", "--bare", ".", "../bare.git")
	f.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../bare.git", "module")
	module, modules := filepath.Join(f.Dir, "module"), filepath.Join(git, "modules/module")
	linked, bare := filepath.Join(parent, "linked"), filepath.Join(parent, "bare.git")
	for _, c := range []struct {
		name           string
		o              Options
		top, git, comn string
	}{
		{"top level", Options{Dir: f.Dir}, f.Dir, git, git},
		{"subdirectory", Options{Dir: filepath.Join(f.Dir, "sub")}, f.Dir, git, git},
		{"linked worktree", Options{Dir: linked}, linked, filepath.Join(git, "worktrees/linked"), git},
		{"a hook in a linked worktree", Options{Dir: linked, Env: []string{"GIT_DIR=" + filepath.Join(git, "worktrees/linked")}},
			linked, filepath.Join(git, "worktrees/linked"), git},
		{"--git-dir and --work-tree", Options{Dir: parent, GitDir: "repo/.git", WorkTree: "repo"}, f.Dir, git, git},
		{"submodule", Options{Dir: module}, module, modules, modules},
		{"bare", Options{Dir: bare}, "", bare, bare},
		{"the Git directory itself", Options{Dir: git}, "", git, git},
	} {
		c.o.Env = append(append([]string{}, f.Env...), c.o.Env...)
		r, err := Open(t.Context(), c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if r.TopLevel != c.top || r.GitDir != c.git || r.CommonDir != c.comn || r.Bare != (c.top == "") || r.ObjectFormat != "sha1" {
			t.Errorf("%s: %+v", c.name, r)
		}
		if _, err := r.Index(t.Context()); (err == nil) != (c.top != "") {
			t.Errorf("%s: index: %v", c.name, err)
		}
		if c.top == "" {
			_, err := r.DiffWorktree(t.Context())
			wantFault(t, err, fault.Invalid, "WORKTREE.NONE")
		}
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	r := f.open()
	if value, scope, origin, err := r.ConfigScope(t.Context(), "core.hooksPath"); err != nil || value+scope+origin != "" {
		t.Error(value, scope, origin, err)
	}
	if path, err := r.GitPath(t.Context(), "hooks"); err != nil || path != filepath.Join(f.Dir, ".git/hooks") {
		t.Error(path, err)
	}
	f.Git("config", "core.hooksPath", ".husky")
	if value, scope, origin, err := r.ConfigScope(t.Context(), "core.hooksPath"); err != nil || value != ".husky" || scope != "local" || !strings.HasSuffix(origin, ".git/config") {
		t.Error(value, scope, origin, err)
	}
	if path, err := r.GitPath(t.Context(), "hooks"); err != nil || path != filepath.Join(f.Dir, ".husky") {
		t.Error(path, err)
	}
	commanded := f.With("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.hooksPath", "GIT_CONFIG_VALUE_0=/x").open()
	if value, scope, _, err := commanded.ConfigScope(t.Context(), "core.hooksPath"); err != nil || value != "/x" || scope != "command" {
		t.Error(value, scope, err)
	}
	if mail, err := r.AuthorMail(t.Context()); err != nil || mail != "a@example.org" {
		t.Error(mail, err)
	}
	nobody := &fixture{&gittest.Repository{T: t, Dir: f.Dir, Env: unsetEnv(f.Env, "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL")}}
	f.Git("config", "user.useConfigOnly", "true")
	_, err := nobody.open().AuthorMail(t.Context())
	wantFault(t, err, fault.Invalid, "IDENTITY.MISSING")
}

func TestRelative(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Commit("sub/a", "1")
	if err := os.Symlink(f.Dir, filepath.Join(filepath.Dir(f.Dir), "link")); err != nil {
		t.Fatal(err)
	}
	sub := f.At(filepath.Join(filepath.Dir(f.Dir), "link", "sub")).open()
	for path, want := range map[string]string{"a": "sub/a", "../b": "b", "new/x": "sub/new/x", filepath.Join(f.Dir, "c"): "c", "./a": "sub/a"} {
		if have, err := sub.Relative(path); err != nil || have != want {
			t.Errorf("%q: %q %v", path, have, err)
		}
	}
	for _, path := range []string{"../..", "..", "/etc/passwd", "../../other/x"} {
		_, err := sub.Relative(path)
		wantFault(t, err, fault.Invalid, "PATH.OUTSIDE")
	}
	if abs, err := FromDir("/a", "b"); err != nil || abs != "/a/b" {
		t.Error(abs, err)
	}
}

// A git that hangs ends with the context, and with it what it started.
func TestCancelEndsTheProcessGroup(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Commit(".gitattributes", "x filter=slow\n")
	pid := filepath.Join(t.TempDir(), "pid")
	f.Git("config", "filter.slow.clean", "echo $$ >'"+pid+"'; sleep 600")
	f.Git("config", "filter.slow.required", "true")
	f.Write("x", "1")
	r := f.open()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if data, err := os.ReadFile(pid); err == nil && len(data) > 0 {
				cancel()
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	start := time.Now()
	_, err := r.CleanBytes(ctx, []string{"x"}, 0)
	if err == nil || fault.As(err) != nil || time.Since(start) > time.Minute {
		t.Fatal(err, time.Since(start))
	}
	data, _ := os.ReadFile(pid)
	for range 200 {
		if _, err := os.Stat("/proc/" + strings.TrimSpace(string(data))); err != nil {
			return
		}
		if state, _ := os.ReadFile("/proc/" + strings.TrimSpace(string(data)) + "/stat"); strings.Contains(string(state), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the filter still runs")
}

// Branches and remotes are asked for once, whichever goroutine comes first, so the refs of one push are judged alike.
func TestBranchesAreAskedOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	tip := f.Commit("a", "1")
	f.Git("config", "remote.origin.url", "u")
	f.Git("update-ref", "refs/remotes/origin/trunk", tip)
	f.Git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
	r := f.open()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := r.RemoteHeads(stopped, PushTarget{Remote: "origin"}); err == nil {
		t.Error("a question that was broken off is answered")
	}
	ask := func() error {
		heads, err := r.RemoteHeads(t.Context(), PushTarget{Remote: "origin", URL: "u"})
		if err != nil || !slices.Equal(heads, []string{"trunk"}) {
			t.Errorf("%q %v", heads, err)
		}
		return nil
	}
	if err := together(ask, ask); err != nil {
		t.Fatal(err)
	}
	f.Git("symbolic-ref", "-d", "refs/remotes/origin/HEAD")
	f.Git("config", "--unset", "remote.origin.url")
	ask()
	// Which remote is pushed to is asked anew.
	if heads, err := r.RemoteHeads(t.Context(), PushTarget{Remote: "elsewhere"}); err != nil || !slices.Equal(heads, []string{"trunk"}) {
		t.Errorf("%q %v", heads, err)
	}
	if heads, err := f.open().RemoteHeads(t.Context(), PushTarget{Remote: "origin"}); err != nil || len(heads) != 0 {
		t.Errorf("a new command: %q %v", heads, err)
	}
}

// A path with line ends in it, which divide git's answers, is a place like any other.
func TestDiscoveryBelowLineEnds(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Commit("sub/a", "1")
	parent := filepath.Join(filepath.Dir(f.Dir), "a\n\nb\n")
	if err := os.Mkdir(parent, 0o777); err != nil {
		t.Fatal(err)
	}
	top := filepath.Join(parent, "repo\n")
	if err := os.Rename(f.Dir, top); err != nil {
		t.Fatal(err)
	}
	f = f.At(top)
	git, linked, bare := filepath.Join(top, ".git"), filepath.Join(parent, "linked\n"), filepath.Join(parent, "bare.git")
	f.Git("worktree", "add", "-q", linked, "-b", "linked")
	f.Git("clone", "-q", "--bare", ".", bare)
	for _, c := range []struct{ dir, top, git, common string }{
		{top, top, git, git},
		{filepath.Join(top, "sub"), top, git, git},
		{linked, linked, filepath.Join(git, "worktrees", filepath.Base(f.Git("-C", linked, "rev-parse", "--git-dir"))), git},
		{bare, "", bare, bare},
	} {
		r, err := Open(t.Context(), Options{Dir: c.dir, Env: f.Env})
		if err != nil {
			t.Errorf("%q: %v", c.dir, err)
			continue
		}
		if r.TopLevel != c.top || r.GitDir != c.git || r.CommonDir != c.common || r.Bare != (c.top == "") || r.ObjectFormat != "sha1" {
			t.Errorf("%q: %q %q %q %v", c.dir, r.TopLevel, r.GitDir, r.CommonDir, r.Bare)
		}
		if head, unborn, err := r.Head(t.Context()); err != nil || unborn || head.ID != f.Git("rev-parse", "HEAD") {
			t.Errorf("%q: %v %v %v", c.dir, head, unborn, err)
		}
		r.Close()
	}
}

// A lock that another git left is named and left alone; nothing waits for it.
func TestStageNamesTheLock(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Commit("a", "1")
	f.Write("a", "2")
	lock := filepath.Join(f.Dir, ".git/index.lock")
	f.Write(".git/index.lock", "left")
	e := wantFault(t, f.open().Stage(t.Context(), []string{"a"}), fault.Unavailable, "INDEX.LOCKED")
	if e.Target != lock || len(e.Next) != 1 || e.Next[0] != "rm "+lock {
		t.Error(e.Target, e.Next)
	}
	if data, err := os.ReadFile(lock); err != nil || string(data) != "left" {
		t.Error(string(data), err)
	}
}

// What is to be typed is typed from the directory at hand.
func TestConflictsAreNamedFromHere(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	names := []string{"-dash", "docs/a b.md", "docs/é.md", "[x]"}
	write := func(text string) {
		for _, name := range names {
			f.Write(name, text)
		}
		f.Commit()
	}
	write("base")
	f.Git("checkout", "-q", "-b", "topic")
	write("topic")
	f.Git("checkout", "-q", "main")
	write("main")
	if out, err := f.Run("", "merge", "topic"); err == nil {
		t.Fatal(out)
	}
	r, err := Open(t.Context(), Options{Dir: filepath.Join(f.Dir, "docs"), Env: f.Env})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_, err = r.Index(t.Context())
	e := wantFault(t, err, fault.Invalid, "INDEX.UNMERGED")
	add := exec.Command("sh", "-c", e.Next[len(e.Next)-1])
	add.Dir, add.Env = filepath.Join(f.Dir, "docs"), f.Env
	if out, err := add.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", e.Next, err, out)
	}
	if left := f.Git("ls-files", "-u"); left != "" {
		t.Errorf("after %q these are left: %s", e.Next, left)
	}
}
