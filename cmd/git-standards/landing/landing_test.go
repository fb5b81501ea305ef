package landing

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/gitext/gittest"
	"github.com/git-standards/git-standards/store/journal"
)

var ctx = context.Background()

// fixture is a repository whose main and topic have both moved, and a plan to merge them. Nothing is checked out.
type fixture struct {
	*gittest.Repository
	base, head string
}

func newFixture(t *testing.T) *fixture {
	f := &fixture{Repository: gittest.New(t)}
	f.Commit("a", "a\n", "b", "b\n")
	f.Git("checkout", "-q", "-b", "topic")
	f.head = f.Commit("a", "topic\n")
	f.Git("checkout", "-q", "main")
	f.base = f.Commit("b", "main\n")
	f.Git("checkout", "-q", "--detach")
	return f
}

// copy is the same repository for one more test.
func (f *fixture) copy(t *testing.T) *fixture {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo")
	if err := os.CopyFS(dir, os.DirFS(f.Dir)); err != nil {
		t.Fatal(err)
	}
	return &fixture{Repository: &gittest.Repository{T: t, Dir: dir, Env: f.Env}, base: f.base, head: f.head}
}

func (f *fixture) open() *gitext.Repo {
	f.T.Helper()
	r, err := gitext.Open(ctx, gitext.Options{Dir: f.Dir, Env: f.Env})
	if err != nil {
		f.T.Fatal(err)
	}
	f.T.Cleanup(func() { r.Close() })
	return r
}

func (f *fixture) log(r *gitext.Repo) *Log {
	f.T.Helper()
	l, err := Open(ctx, r)
	if err != nil {
		f.T.Fatal(err)
	}
	return l
}

// plan merges topic into main, or with fast lands it as it is on old, with forward nothing but the record.
func (f *fixture) plan(kind string) Plan {
	f.T.Helper()
	r := f.open()
	p := Plan{Publication: "publication:sha256:" + strings.Repeat("1", 64), Base: f.base, Head: f.head, Branch: "refs/heads/main", Note: "publication 111111111111: x\n{\"a\":1}\n"}
	switch kind {
	case "merge":
		l, err := r.Landing(ctx, p.Base, p.Head)
		if err != nil {
			f.T.Fatal(err)
		}
		defer l.Close()
		p.Tree = l.Tree
		p.Text = gitext.CommitText(l.Tree, []string{p.Base, p.Head}, "A <a@b.c> 1 +0000", "A <a@b.c> 1 +0000", "Merge")
		if p.Commit, err = r.ObjectID("commit", p.Text); err != nil {
			f.T.Fatal(err)
		}
	case "forward":
		p.Base, p.Commit = f.Git("merge-base", "main", "topic"), f.head
		f.Git("branch", "-f", "main", p.Base)
	case "record":
		p.Branch, p.Base, p.Commit = "", f.Git("merge-base", "main", "topic"), f.head
	}
	return p
}

// ends is where a publication can be ended: after each record of the journal, after the branch and after the notes.
var ends = []string{"intent", "made", "ref", "moved", "notes", "noted", "done"}

var errEnd = errors.New("the process ends here")

// Ended after every step, a publication is recognised by the next: whatever it had begun is finished or closed, the branch moves once, its note
// is there once, and git finds nothing wrong.
func TestEveryStepIsSurvived(t *testing.T) {
	t.Parallel()
	whole := newFixture(t)
	for _, kind := range []string{"merge", "forward", "record"} {
		for i, step := range ends {
			if kind == "record" && (step == "made" || step == "ref" || step == "moved") {
				continue
			}
			t.Run(kind+" "+step, func(t *testing.T) {
				t.Parallel()
				f := whole.copy(t)
				p := f.plan(kind)
				r := f.open()
				l := f.log(r)
				l.after = func(at string) error {
					if at == step {
						return errEnd
					}
					return nil
				}
				if err := l.Publish(ctx, p); !errors.Is(err, errEnd) {
					t.Fatalf("not ended: %v", err)
				}
				l.Close()

				l = f.log(r)
				defer l.Close()
				settled, err := l.Settle(ctx, NoWord)
				if err != nil {
					t.Fatal(err)
				}
				landed := p.Branch != "" && i >= 2 || p.Branch == "" && i >= 4
				if step == "done" && len(settled) != 0 || step != "done" && (len(settled) != 1 || settled[0].Landed != landed) {
					t.Errorf("settled as %v; landed is %v", settled, landed)
				}
				if p.Branch != "" {
					want := p.Base
					if landed {
						want = p.Commit
					}
					if got := f.Git("rev-parse", "main"); got != want {
						t.Errorf("main is at %s, not %s", got, want)
					}
				}
				checkNote(t, f, p, landed)
				if again, err := l.Settle(ctx, NoWord); err != nil || len(again) != 0 {
					t.Errorf("settled twice: %v %v", again, err)
				}
				if !landed {
					if err := l.Publish(ctx, p); err != nil {
						t.Fatal(err)
					}
					checkNote(t, f, p, true)
				}
				f.Git("fsck", "--strict")
			})
		}
	}
}

func checkNote(t *testing.T, f *fixture, p Plan, want bool) {
	t.Helper()
	note, err := f.Run("", "notes", "--ref=standards", "show", p.Commit)
	if want != (err == nil) || want && note+"\n" != p.Note {
		t.Errorf("want a note: %v; it is %q, %v", want, note, err)
	}
}

// Whether a branch that was moved away again had been moved at all, nobody can tell; a person says.
func TestUncertain(t *testing.T) {
	t.Parallel()
	whole := newFixture(t)
	for name, row := range map[string]struct {
		step string // forward is made, of a plan that lands the head as it is
		then func(f *fixture, p Plan)
		want string // landed, absent or uncertain
	}{
		"taken back after it was noted down":          {"moved", func(f *fixture, p Plan) { f.Git("branch", "-f", "main", p.Base) }, "uncertain"},
		"taken back before":                           {"ref", func(f *fixture, p Plan) { f.Git("branch", "-f", "main", p.Base) }, "uncertain"},
		"git was killed after it had logged the move": {"made", func(f *fixture, p Plan) { f.logMove(p) }, "absent"},
		"deleted":                            {"made", func(f *fixture, p Plan) { f.Git("branch", "-D", "main") }, "uncertain"},
		"moved on by others":                 {"moved", func(f *fixture, p Plan) { f.advance("main") }, "landed"},
		"moved on by others, not noted down": {"ref", func(f *fixture, p Plan) { f.advance("main") }, "landed"},
		"others were faster":                 {"made", func(f *fixture, p Plan) { f.advance("main") }, "absent"},
		"the head itself was to land and came in as a second parent": {"forward", func(f *fixture, p Plan) {
			f.Git("update-ref", "refs/heads/main", f.Git("commit-tree", "-p", "main", "-p", "topic", "-m", "by hand", f.Git("rev-parse", "topic^{tree}")))
		}, "absent"},
		"the head was merged by hand":                 {"made", func(f *fixture, p Plan) { f.Git("checkout", "-q", "main"); f.Git("merge", "-q", "--no-edit", "topic") }, "absent"},
		"it became the second parent of another line": {"moved", func(f *fixture, p Plan) { f.turn() }, "landed"},
		"the same, not noted down":                    {"ref", func(f *fixture, p Plan) { f.turn() }, "uncertain"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := whole.copy(t)
			p, step := f.plan("merge"), row.step
			if step == "forward" {
				p, step = f.plan(step), "made"
			}
			r := f.open()
			l := f.log(r)
			l.after = func(at string) error {
				if at == step {
					return errEnd
				}
				return nil
			}
			if err := l.Publish(ctx, p); !errors.Is(err, errEnd) {
				t.Fatal(err)
			}
			l.Close()
			row.then(f, p)
			l = f.log(r)
			defer l.Close()
			refs := f.Git("for-each-ref")
			settled, err := l.Settle(ctx, NoWord)
			if row.want != "uncertain" {
				if err != nil || len(settled) != 1 || settled[0].Landed != (row.want == "landed") {
					t.Fatalf("%v, %v", settled, err)
				}
				checkNote(t, f, p, row.want == "landed")
				return
			}
			fault := wantFault(t, err, "PUBLISH.UNCERTAIN")
			if !strings.Contains(fault.Message, p.Base) || !strings.Contains(fault.Message, p.Commit) || len(fault.Next) != 3 {
				t.Errorf("%q %q", fault.Message, fault.Next)
			}
			if got := f.Git("for-each-ref"); got != refs {
				t.Errorf("refs changed: %s", got)
			}
			word := Landed
			if row.step == "made" {
				word = Absent
			}
			if settled, err := l.Settle(ctx, word); err != nil || len(settled) != 1 || settled[0].Landed != (word == Landed) {
				t.Fatalf("%v, %v", settled, err)
			}
			checkNote(t, f, p, word == Landed)
			if again, err := l.Settle(ctx, NoWord); err != nil || len(again) > 0 {
				t.Errorf("%v, %v", again, err)
			}
		})
	}
}

// advance puts a commit on a branch.
func (f *fixture) advance(branch string) {
	tree := f.Git("rev-parse", branch+"^{tree}")
	f.Git("update-ref", "refs/heads/"+branch, f.Git("commit-tree", "-p", branch, "-m", "later", tree))
}

// logMove is what a git leaves that is killed between the reflog and the ref.
func (f *fixture) logMove(p Plan) {
	log := filepath.Join(f.Dir, ".git", "logs", "refs", "heads", "main")
	text, err := os.ReadFile(log)
	if err == nil {
		err = os.WriteFile(log, append(text, p.Base+" "+p.Commit+" A <a@b.c> 1 +0000\tpublish: x\n"...), 0o644)
	}
	if err != nil {
		f.T.Fatal(err)
	}
}

// turn makes main the second parent of a commit on another line, and main that commit.
func (f *fixture) turn() {
	tree := f.Git("rev-parse", "main^{tree}")
	f.Git("update-ref", "refs/heads/main", f.Git("commit-tree", "-p", "topic", "-p", "main", "-m", "turned", tree))
}

func wantFault(t *testing.T, err error, code string) *fault.Error {
	t.Helper()
	f := fault.As(err)
	if f == nil || f.Code != code {
		t.Fatalf("%v, want %s", err, code)
	}
	return f
}

// What another program has written there stops a publish: it may be about a branch that is half moved.
func TestForeignSteps(t *testing.T) {
	t.Parallel()
	for _, step := range []map[string]any{
		{"step": "done", "intent": int64(7), "outcome": "published"}, {"step": "pushed", "intent": int64(1)}, {"step": "moved"}, {},
	} {
		f := newFixture(t)
		r := f.open()
		j, err := journal.Open(ctx, filepath.Join(r.CommonDir, journal.FolderName), Stream)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := j.Append(ctx, step); err != nil {
			t.Fatal(err)
		}
		j.Close()
		l := f.log(r)
		_, err = l.Settle(ctx, NoWord)
		wantFault(t, err, "PUBLISH.JOURNAL")
		l.Close()
	}
}

// A lock that a killed git left refuses a publish, which then has changed nothing; one on the notes leaves the record to the next.
func TestLocks(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	p := f.plan("forward")
	r := f.open()
	l := f.log(r)
	defer l.Close()
	f.Write(".git/refs/heads/main.lock", "")
	wantFault(t, l.Publish(ctx, p), "REF.LOCKED")
	if settled, err := l.Settle(ctx, NoWord); err != nil || len(settled) > 0 {
		t.Errorf("refused and still open: %v, %v", settled, err)
	}
	f.Write(".git/refs/notes/standards.lock", "")
	if err := removeLock(f, "refs/heads/main.lock"); err != nil {
		t.Fatal(err)
	}
	unfinished := wantFault(t, l.Publish(ctx, p), "PUBLISH.UNFINISHED")
	if !strings.Contains(fmt.Sprint(unfinished.Next), "standards.lock") || f.Git("rev-parse", "main") != p.Commit {
		t.Errorf("%q", unfinished.Next)
	}
	if err := removeLock(f, "refs/notes/standards.lock"); err != nil {
		t.Fatal(err)
	}
	if settled, err := l.Settle(ctx, NoWord); err != nil || len(settled) != 1 || !settled[0].Landed {
		t.Errorf("%v, %v", settled, err)
	}
	checkNote(t, f, p, true)
}

func removeLock(f *fixture, name string) error { return os.Remove(filepath.Join(f.Dir, ".git", name)) }
