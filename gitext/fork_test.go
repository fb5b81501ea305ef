package gitext

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext/gittest"
)

// line makes a commit on top of parents whose message is its only content and returns its id.
func (f *fixture) line(message string, parents ...string) string {
	f.T.Helper()
	args := []string{"commit-tree", "-m", message}
	for _, parent := range parents {
		args = append(args, "-p", parent)
	}
	return f.Git(append(args, f.Feed("", "hash-object", "-w", "-t", "tree", "/dev/null"))...)
}

func TestForkPoint(t *testing.T) {
	t.Parallel()
	type setting struct {
		refs   []string // "<ref> <commit>"
		config []string // "<key>=<value>"
		head   string   // what refs/remotes/origin/HEAD names, "<remote> <branch>"
	}
	// root ← m1 ← m2 (main), root ← t1 ← t2 (topic); lone is unrelated; x1 and x2 cross.
	model := newFixture(t)
	c := map[string]string{}
	for _, names := range []string{"root", "m1 root", "m2 m1", "t1 root", "t2 t1", "lone", "a1 root", "b1 root", "x1 a1 b1", "x2 b1 a1"} {
		name, parents, _ := strings.Cut(names, " ")
		var ids []string
		for _, parent := range strings.Fields(parents) {
			ids = append(ids, c[parent])
		}
		c[name] = model.line(name, ids...)
	}
	build := func(t *testing.T, s setting) *fixture {
		f := &fixture{&gittest.Repository{T: t, Dir: t.TempDir(), Env: model.Env}}
		if err := os.CopyFS(f.Dir, os.DirFS(model.Dir)); err != nil {
			t.Fatal(err)
		}
		for _, pair := range s.refs {
			name, commit, _ := strings.Cut(pair, " ")
			f.Git("update-ref", name, c[commit])
		}
		for _, pair := range s.config {
			key, value, _ := strings.Cut(pair, "=")
			f.Git("config", key, value)
		}
		if remote, branch, ok := strings.Cut(s.head, " "); ok {
			f.Git("symbolic-ref", "refs/remotes/"+remote+"/HEAD", "refs/remotes/"+remote+"/"+branch)
		}
		return f
	}
	smaller := func(a, b string) string {
		if c[a] < c[b] {
			return a
		}
		return b
	}
	zero := strings.Repeat("0", 40)
	url := []string{"remote.origin.url=https://h/r"}
	for _, tc := range []struct {
		name     string
		setting  setting
		tip      string
		others   []string
		base     string
		push     *PushTarget
		accepted string // name of a commit
		branch   string
		why      string
		none     bool
	}{
		{name: "local main", setting: setting{refs: []string{"refs/heads/main m2", "refs/heads/topic t2"}}, tip: "t2",
			accepted: "root", branch: "refs/heads/main", why: "main"},
		{name: "on main itself", setting: setting{refs: []string{"refs/heads/main m2"}}, tip: "m2",
			accepted: "m2", branch: "refs/heads/main", why: "main"},
		{name: "remote HEAD", setting: setting{refs: []string{"refs/heads/main t2", "refs/remotes/origin/dev m1"}, config: url, head: "origin dev"},
			tip: "m2", accepted: "m1", branch: "refs/remotes/origin/dev", why: "refs/remotes/origin/HEAD"},
		{name: "a stale local branch does not count beside its remote one", tip: "m2", accepted: "m1",
			setting: setting{refs: []string{"refs/heads/main root", "refs/remotes/origin/main m1"}, config: url},
			branch:  "refs/remotes/origin/main", why: "main"},
		{name: "gate.base", base: "rel", tip: "m2", accepted: "m1", branch: "refs/remotes/origin/rel", why: "gate.base",
			setting: setting{refs: []string{"refs/remotes/origin/rel m1", "refs/remotes/origin/main root"}, config: url, head: "origin main"}},
		{name: "gate.base that is not here", base: "rel", tip: "m2", accepted: "m2", why: "gate.base rel is not here",
			setting: setting{refs: []string{"refs/heads/main root"}}},
		{name: "several remotes, the nearest", tip: "m2", accepted: "m1", branch: "refs/remotes/up/main", why: "main",
			setting: setting{refs: []string{"refs/remotes/origin/main root", "refs/remotes/up/main m1"}, config: append(url, "remote.up.url=u")}},
		{name: "a slash in the remote's name", tip: "m2", accepted: "m1", branch: "refs/remotes/team/a/main", why: "refs/remotes/team/a/HEAD",
			setting: setting{refs: []string{"refs/remotes/team/a/main m1"}, config: []string{"remote.team/a.url=u"}, head: "team/a main"}},
		{name: "a branch whose last part is the name is another branch", tip: "m2", accepted: "m2", why: "no base branch is here",
			setting: setting{refs: []string{"refs/remotes/origin/team/main m1"}, config: url}},
		{name: "init.defaultBranch", tip: "m2", accepted: "m1", branch: "refs/heads/dev", why: "init.defaultBranch",
			setting: setting{refs: []string{"refs/heads/dev m1", "refs/heads/main root"}, config: []string{"init.defaultBranch=dev"}}},
		{name: "init.defaultBranch that does not exist", tip: "m2", accepted: "m1", branch: "refs/heads/master", why: "master",
			setting: setting{refs: []string{"refs/heads/master m1", "refs/heads/trunk root"}, config: []string{"init.defaultBranch=dev"}}},
		{name: "trunk", tip: "m2", accepted: "m1", branch: "refs/heads/trunk", why: "trunk", setting: setting{refs: []string{"refs/heads/trunk m1"}}},
		{name: "nothing", tip: "m2", accepted: "m2", why: "no base branch is here", setting: setting{refs: []string{"refs/heads/topic m2"}}},
		{name: "unrelated", tip: "lone", accepted: "m2", branch: "refs/heads/main", why: "main, without common history", setting: setting{refs: []string{"refs/heads/main m2"}}},
		{name: "unborn", why: "no commit yet", setting: setting{refs: []string{"refs/heads/main m2"}}},
		{name: "criss-cross takes the smallest id", tip: "x1", accepted: "a1|b1", branch: "refs/heads/main", why: "main",
			setting: setting{refs: []string{"refs/heads/main x2"}}},
		{name: "a merge in the making counts its other parents", tip: "t2", others: []string{"m2"}, accepted: "m2",
			branch: "refs/heads/main", why: "main", setting: setting{refs: []string{"refs/heads/main m2"}}},

		{name: "push by name", tip: "m2", push: &PushTarget{Remote: "up", URL: "u", RemoteID: zero}, accepted: "root",
			branch: "refs/remotes/up/main", why: "main",
			setting: setting{refs: []string{"refs/remotes/origin/main m1", "refs/remotes/up/main root"}, config: append(url, "remote.up.url=u")}},
		{name: "push by URL", tip: "m2", push: &PushTarget{Remote: "https://h/up", URL: "https://h/up", RemoteID: zero}, accepted: "root",
			branch: "refs/remotes/up/main", why: "main",
			setting: setting{refs: []string{"refs/remotes/origin/main m1", "refs/remotes/up/main root"},
				config: append(url, "remote.up.url=x", "remote.up.pushurl=short:up", "url.https://h/.insteadOf=short:")}},
		{name: "push to a remote without that branch", tip: "m2", push: &PushTarget{Remote: "up", URL: "u", RemoteID: zero}, accepted: "m1",
			branch: "refs/remotes/origin/main", why: "main",
			setting: setting{refs: []string{"refs/remotes/origin/main m1"}, config: append(url, "remote.up.url=u")}},
		{name: "push by a URL that no remote has", tip: "m2", push: &PushTarget{Remote: "v", URL: "v", RemoteID: zero}, accepted: "m1",
			branch: "refs/remotes/origin/main", why: "main",
			setting: setting{refs: []string{"refs/remotes/origin/main m1", "refs/heads/main m2"}, config: url}},
		{name: "push of the base branch itself", tip: "m2", push: &PushTarget{Remote: "origin", RemoteID: zero}, accepted: "m1",
			branch: "refs/remotes/origin/main", why: "main",
			setting: setting{refs: []string{"refs/heads/main m2", "refs/remotes/origin/main m1"}, config: url}},
		{name: "push of a local base branch to an empty remote", tip: "m2", push: &PushTarget{Remote: "origin", RemoteID: zero}, none: true,
			why: "the base branch main is only a local one here", setting: setting{refs: []string{"refs/heads/main m2"}, config: url}},
		{name: "push of a topic to an empty remote", tip: "t2", push: &PushTarget{Remote: "origin", RemoteID: zero}, accepted: "root",
			branch: "refs/heads/main", why: "main", setting: setting{refs: []string{"refs/heads/main m2"}, config: url}},
		{name: "push that moves a branch, no base", tip: "m2", base: "rel", push: &PushTarget{Remote: "origin", RemoteID: "m1"}, accepted: "m1",
			why: "remote old id", setting: setting{config: url}},
		{name: "push over an id that is not here", tip: "m2", base: "rel", push: &PushTarget{Remote: "origin", RemoteID: strings.Repeat("e", 40)},
			accepted: "m1", why: "remote-tracking refs",
			setting: setting{refs: []string{"refs/remotes/origin/one root", "refs/remotes/origin/two m1"}, config: url}},
		{name: "push with no base and nothing known", tip: "m2", base: "rel", push: &PushTarget{Remote: "origin", RemoteID: zero}, none: true,
			why: "gate.base rel is not here", setting: setting{config: url}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			f := build(t, tc.setting)
			q := ForkRequest{Tip: c[tc.tip], Base: tc.base}
			for _, other := range tc.others {
				q.OtherParents = append(q.OtherParents, c[other])
			}
			if tc.push != nil {
				push := *tc.push
				if id, ok := c[push.RemoteID]; ok {
					push.RemoteID = id
				}
				q.Push = &push
			}
			fork, err := f.open().ForkPoint(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			want := tc.accepted
			if a, b, ok := strings.Cut(want, "|"); ok {
				want = smaller(a, b)
			}
			if fork.Accepted != c[want] || fork.Branch != tc.branch || fork.None != tc.none || fork.Why != tc.why && (!tc.none || !strings.HasPrefix(fork.Why, tc.why)) {
				t.Errorf("%+v, want %s %s", fork, want, c[want])
			}
		})
	}
}

// A merge base that deeper history could contradict is never given out; one that it could not, is.
func TestForkPointInShallowClones(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Commit("a", "1")
	early := f.Commit("a", "2")
	fork := f.Commit("a", "3")
	f.Commit("main", "1")
	f.Git("checkout", "-q", "-b", "topic", fork)
	f.Commit("t", "1")
	f.Git("checkout", "-q", "-b", "old", early)
	f.Commit("o", "1")
	for _, c := range []struct {
		name, depth, branch string
		certain             bool
	}{
		{"one deep", "1", "topic", false}, {"to the fork", "2", "topic", true}, {"beyond", "3", "topic", true},
		{"base cut between the forks", "2", "old", false}, {"whole", "9", "old", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "clone")
			f.Git("clone", "-q", "--no-single-branch", "--depth", c.depth, "-b", c.branch, "file://"+f.Dir, dir)
			clone := f.At(dir)
			r := clone.open()
			head, _, err := r.Head(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			have, err := r.ForkPoint(t.Context(), ForkRequest{Tip: head.ID, Base: "main"})
			if !c.certain {
				e := wantFault(t, err, fault.Unavailable, "HISTORY.SHALLOW")
				if e.Next[0] != "git fetch --unshallow" {
					t.Error(e.Next)
				}
				_, err = r.Landing(t.Context(), clone.Git("rev-parse", "origin/main"), head.ID)
				wantFault(t, err, fault.Unavailable, "HISTORY.SHALLOW")
				return
			}
			want := f.Git("merge-base", "main", c.branch)
			if err != nil || have.Accepted != want {
				t.Errorf("%+v %v, want %s", have, err, want)
			}
		})
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	r := f.open()
	if _, unborn, err := r.Head(t.Context()); err != nil || !unborn {
		t.Fatal(unborn, err)
	}
	if name, err := r.CurrentBranch(t.Context()); err != nil || name != "main" {
		t.Error(name, err)
	}
	first := f.Commit("a", "1")
	second := f.Commit("a", "2")
	commit, unborn, err := r.Head(t.Context())
	if err != nil || unborn || commit.ID != second || len(commit.Parents) != 1 || commit.Parents[0] != first || commit.Tree != f.Git("rev-parse", "HEAD^{tree}") {
		t.Fatal(commit, unborn, err)
	}
	f.Git("checkout", "-q", "--detach")
	if name, err := r.CurrentBranch(t.Context()); err != nil || name != "" {
		t.Error(name, err)
	}
	for _, rev := range []string{"", "nothing", "--all", "-q", "HEAD^{tree}", "HEAD:a", strings.Repeat("a", 40), "a\x00b", "--", "@{u}", "HEAD@{99}"} {
		_, err := r.Commit(t.Context(), rev)
		wantFault(t, err, fault.Invalid, "REVISION.UNKNOWN")
	}
	// A branch whose commit is lost is not a branch without commits.
	f.Git("checkout", "-q", "main")
	if err := os.WriteFile(filepath.Join(f.Dir, ".git/refs/heads/main"), []byte(strings.Repeat("ab", 20)+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, _, err = r.Head(t.Context())
	wantFault(t, err, fault.Unavailable, "OBJECT.MISSING")
}

func TestMergeParentsAndPeel(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Commit("a", "1")
	f.Git("checkout", "-q", "-b", "topic")
	topic := f.Commit("b", "1")
	f.Git("checkout", "-q", "main")
	f.Commit("c", "1")
	if parents, err := f.open().MergeParents(t.Context()); err != nil || len(parents) != 0 {
		t.Fatal(parents, err)
	}
	f.Git("merge", "-q", "--no-commit", "--no-ff", "topic")
	if parents, err := f.open().MergeParents(t.Context()); err != nil || len(parents) != 1 || parents[0] != topic {
		t.Fatal(parents, err)
	}
	f.Git("merge", "--abort")
	// In pre-merge-commit the parent stands in the environment only; what the hook is told is taken from git itself.
	f.Write(".git/hooks/pre-merge-commit", "#!/bin/sh\nenv | grep ^GITHEAD_ >.git/told\ntest ! -e .git/MERGE_HEAD\n")
	if err := os.Chmod(filepath.Join(f.Dir, ".git/hooks/pre-merge-commit"), 0o755); err != nil {
		t.Fatal(err)
	}
	f.Git("merge", "-q", "--no-ff", "-m", "m", "topic")
	told, err := os.ReadFile(filepath.Join(f.Dir, ".git/told"))
	if err != nil {
		t.Fatal(err)
	}
	r := f.With(strings.Fields(string(told))...).open()
	if parents, err := r.MergeParents(t.Context()); err != nil || len(parents) != 1 || parents[0] != topic {
		t.Fatal(parents, err)
	}
	f.Git("tag", "-am", "1", "one", "topic")
	f.Git("tag", "-am", "2", "two", "one")
	f.Git("tag", "-am", "t", "tree", "HEAD^{tree}")
	for tag, want := range map[string]string{"one": topic, "two": topic, "topic": topic, "tree": ""} {
		commit, isCommit, err := r.Peel(t.Context(), f.Git("rev-parse", tag))
		if err != nil || isCommit != (want != "") || commit.ID != want {
			t.Error(tag, commit, isCommit, err)
		}
	}
}

func TestDeletedBetween(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Commit("d/kept", "k", "d/old", "o", "other", "x")
	base := f.Git("rev-parse", "HEAD")
	f.Commit("d/gone", "first", "d/stays", "s")
	f.Commit("d/gone", "last")
	f.Git("checkout", "-q", "-b", "side", base)
	f.Commit("d/from side", "s")
	f.Git("checkout", "-q", "main")
	f.Git("merge", "-q", "-m", "m", "side")
	f.Git("rm", "-q", "d/gone", "d/old", "other", "d/from side")
	head := f.Commit()
	r := f.open()
	deleted, err := r.DeletedBetween(t.Context(), base, head, "d")
	if err != nil || len(deleted) != 2 || deleted[0].Name != "d/from side" || deleted[1].Name != "d/gone" || string(deleted[1].Data) != "last" {
		t.Errorf("%q %v", deleted, err)
	}
	if deleted, err := r.DeletedBetween(t.Context(), head, head, "d"); err != nil || len(deleted) != 0 {
		t.Errorf("%q %v", deleted, err)
	}
	if deleted, err := r.DeletedBetween(t.Context(), "", head, "d"); err != nil || len(deleted) != 3 {
		t.Errorf("%q %v", deleted, err)
	}
}

// A commit whose parents are cut off seems to add all that it has.
func TestDeletedBetweenInAShallowClone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	root := f.Commit("d/old", "o")
	f.Git("checkout", "-q", "-b", "side", root)
	side := f.Commit("x", "1")
	f.Git("checkout", "-q", "main")
	f.Git("rm", "-q", "d/old")
	base := f.Commit("y", "1")
	f.Git("merge", "-q", "-m", "m", "side")
	head := f.Git("rev-parse", "HEAD")
	if deleted, err := f.open().DeletedBetween(t.Context(), base, head, "d"); err != nil || len(deleted) != 0 {
		t.Errorf("%q %v", deleted, err)
	}
	dir := filepath.Join(t.TempDir(), "shallow")
	f.Git("clone", "-q", "--depth", "2", "file://"+f.Dir, dir)
	r := f.At(dir).open()
	for _, from := range []string{base, ""} {
		_, err := r.DeletedBetween(t.Context(), from, head, "d")
		e := wantFault(t, err, fault.Unavailable, "HISTORY.SHALLOW")
		if e.Target != side && from != "" {
			t.Errorf("target %q", e.Target)
		}
	}
	// What lies behind both ends was cut off for both, and is no part of the range.
	if deleted, err := r.DeletedBetween(t.Context(), head, head, "d"); err != nil || len(deleted) != 0 {
		t.Errorf("%q %v", deleted, err)
	}
	f.Commit("d/gone", "g")
	f.Git("rm", "-q", "d/gone")
	f.Commit()
	f.At(dir).Git("fetch", "-q", "origin")
	deleted, err := r.DeletedBetween(t.Context(), head, f.Git("rev-parse", "HEAD"), "d")
	if err != nil || len(deleted) != 1 || deleted[0].Name != "d/gone" {
		t.Errorf("%q %v", deleted, err)
	}
}
