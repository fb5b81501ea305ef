package workspace_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/cmd/git-standards/workspace"
	"github.com/git-standards/git-standards/engine"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext/gittest"
)

const decisions = "standards/decisions"

func noChange(question string, evidence ...string) wire.Answer {
	return wire.Answer{Question: question, Result: wire.Optional("no-change"), Rationale: "it only names the codes", Evidence: evidence}
}

// unwritten fails if any decision was written or staged.
func unwritten(t *testing.T, r *gittest.Repository) {
	t.Helper()
	if status := r.Git("status", "--porcelain", "--ignored", "-uall", "--", decisions); status != "" {
		t.Errorf("written:\n%s", status)
	}
	if _, err := os.Lstat(filepath.Join(r.Dir, decisions)); err == nil {
		t.Errorf("%s is there", decisions)
	}
}

func TestResolveWritesAndStages(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := raised(t)
	e := engineOf(r)
	open := result[wire.Pending](t, r)(e.Prepare(ctx, wire.PrepareRequest{})).Questions
	p := result[wire.Pending](t, r)(e.Resolve(ctx, wire.ResolveRequest{Answers: []wire.Answer{noChange(open[0].Abbrev, "docs/readme.md")}}))
	if len(p.Questions) != 2 || len(p.Written) != 1 || !p.Stored || len(p.Decisions) != 1 || p.Decisions[0].Principal != "ann@example.com" {
		t.Fatalf("%+v", p)
	}
	if staged := r.Git("diff", "--cached", "--name-only"); staged != p.Written[0] {
		t.Errorf("staged %q, written %q", staged, p.Written)
	}
	// The evidence is pinned by its bytes.
	data, err := os.ReadFile(filepath.Join(r.Dir, "docs/readme.md"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(r.Dir, p.Written[0]))
	if err != nil || !strings.Contains(string(text), fmt.Sprintf("  - path: docs/readme.md\n    sha256: sha256:%x\n", sha256.Sum256(data))) {
		t.Errorf("%v\n%s", err, text)
	}
	// What is returned is the state as it is now, but for what this call wrote.
	again := result[wire.Pending](t, r)(e.Prepare(ctx, wire.PrepareRequest{}))
	again.Written = p.Written
	if diff := cmp.Diff(p, again); diff != "" {
		t.Error(diff)
	}
	// Without staging the index stays; the last answers complete the state.
	no := false
	c := result[wire.Complete](t, r)(e.Resolve(ctx, wire.ResolveRequest{
		Answers: []wire.Answer{noChange(open[1].Question), noChange(open[2].Question)}, Analysis: &again.Analysis.ID, Stage: &no,
	}))
	if len(c.Written) != 1 || r.Git("diff", "--cached", "--name-only") != p.Written[0] {
		t.Errorf("%q staged\n%s", c.Written, r.Git("status", "--short"))
	}
	// The same answer again replaces one's own: the files stay what they are.
	before := r.Git("status", "--porcelain", "-uall")
	result[wire.Complete](t, r)(e.Resolve(ctx, wire.ResolveRequest{Answers: []wire.Answer{noChange(open[0].Question, "docs/readme.md")}}))
	if now := r.Git("status", "--porcelain", "-uall"); now != before {
		t.Errorf("%s\nwas\n%s", now, before)
	}
}

// All answers are written, or none.
func TestResolveRefusesAll(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := raised(t)
	e := engineOf(r)
	p := result[wire.Pending](t, r)(e.Prepare(ctx, wire.PrepareRequest{}))
	a, b := p.Questions[0].Question, p.Questions[1].Question
	moved := "analysis-root:sha256:" + strings.Repeat("0", 64)
	updated := noChange(a)
	updated.Result = wire.Optional("updated")
	for _, row := range []struct {
		name    string
		answers []wire.Answer
		request wire.ResolveRequest
		code    string
	}{
		{"a question that is not asked", []wire.Answer{noChange(a), noChange("question:sha256:" + strings.Repeat("0", 64))}, wire.ResolveRequest{}, "QUESTION.NOT_ASKED"},
		{"no question at all", []wire.Answer{noChange("xyz")}, wire.ResolveRequest{}, "QUESTION.MALFORMED"},
		{"one question twice", []wire.Answer{noChange(a), noChange(b), noChange(a)}, wire.ResolveRequest{}, "REQUEST.USAGE"},
		{"updated, where nothing changed", []wire.Answer{noChange(b), updated}, wire.ResolveRequest{}, "ANSWER.NOT_UPDATED"},
		{"evidence that is not there", []wire.Answer{noChange(a, "docs/none.md")}, wire.ResolveRequest{}, "EVIDENCE.MISSING"},
		{"evidence outside", []wire.Answer{noChange(a, "../x")}, wire.ResolveRequest{}, "PATH.OUTSIDE"},
		{"evidence anywhere", []wire.Answer{noChange(a, filepath.Join(r.Dir, "docs/errors.md"))}, wire.ResolveRequest{}, "PATH.OUTSIDE"},
		{"another state", []wire.Answer{noChange(a)}, wire.ResolveRequest{Analysis: &moved}, "ANALYSIS.MOVED"},
		{"a side that is none, whatever is asked", []wire.Answer{noChange("question:sha256:" + strings.Repeat("0", 64))},
			wire.ResolveRequest{Proposed: wire.CommitSource{Source: "commit", Revision: "no\nside"}}, "REVISION.UNKNOWN"},
		{"a side that asks nothing", []wire.Answer{noChange(a)}, wire.ResolveRequest{Proposed: wire.CommitSource{Source: "commit", Revision: "none"}}, "REVISION.UNKNOWN"},
	} {
		row.request.Answers = row.answers
		if got := result[wire.Rejected](t, r)(e.Resolve(ctx, row.request)); got.Code != row.code {
			t.Errorf("%s: %+v", row.name, got)
		}
		unwritten(t, r)
	}
	// The state that the answers are about is no more once the text changed; the same request is then refused.
	edit(r, "standards/logging.md", "A logged error", "Every logged error")
	if got := result[wire.Rejected](t, r)(e.Resolve(ctx, wire.ResolveRequest{Answers: []wire.Answer{noChange(a)}, Analysis: &p.Analysis.ID})); got.Code != "ANALYSIS.MOVED" {
		t.Errorf("%+v", got)
	}
	unwritten(t, r)
}

// Two people who answer otherwise contradict each other: the second answer is not written.
func TestResolveRefusesAContradiction(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := raised(t)
	_, id := one(t, r, engineOf(r))
	as := func(principal string) *engine.Engine {
		return engine.New(workspace.Opener(workspace.Options{Dir: r.Dir, Principal: principal}))
	}
	result[wire.Pending](t, r)(as("bo@example.com").Resolve(ctx, wire.ResolveRequest{Answers: []wire.Answer{noChange(id)}}))
	before := r.Git("status", "--porcelain", "-uall")
	other := noChange(id)
	other.Result = wire.Optional("not-applicable")
	if got := result[wire.Rejected](t, r)(as("cy@example.com").Resolve(ctx, wire.ResolveRequest{Answers: []wire.Answer{other}})); got.Code != "DECISION.CONTRADICTION" {
		t.Errorf("%+v", got)
	}
	if now := r.Git("status", "--porcelain", "-uall"); now != before {
		t.Errorf("%s\nwas\n%s", now, before)
	}
}

// A question that a hook recorded can be answered from the store; but not where no side can be judged, and not before the standards
// are in force.
func TestResolveFromTheStore(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := raised(t)
	e := engineOf(r)
	_, id := one(t, r, e)
	r.Git("checkout", "-q", "--", "standards")
	// The worktree asks nothing now; the answer is for a tree that is nowhere.
	if c := result[wire.Complete](t, r)(e.Resolve(ctx, wire.ResolveRequest{Answers: []wire.Answer{noChange(id)}})); len(c.Written) != 1 {
		t.Errorf("%+v", c)
	}
	r.Git("reset", "-q", "--hard")
	r.Git("clean", "-qfd")
	unwritten(t, r)

	// Broken text in the worktree, the index and HEAD.
	good := r.Git("rev-parse", "HEAD")
	edit(r, "standards/api.md", "role: topic", "role: topix")
	r.Commit()
	if got := result[wire.Rejected](t, r)(e.Resolve(ctx, wire.ResolveRequest{Accepted: &good, Answers: []wire.Answer{noChange(id)}})); got.Code != "MODULE.ROLE" {
		t.Errorf("%+v", got)
	}
	unwritten(t, r)

	r.Git("reset", "-q", "--hard", good)
	r.Git("checkout", "-q", "--orphan", "fresh")
	if got := result[wire.Rejected](t, r)(e.Resolve(ctx, wire.ResolveRequest{Answers: []wire.Answer{noChange(id)}})); got.Code != "SUBMISSION.NOT_APPLICABLE" {
		t.Errorf("%+v", got)
	}
	unwritten(t, r)
}
