package judge_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
)

const authorityText = "version: 1\nissuer: {id: team, revision: 1}\nprincipals: [{id: ann, capabilities: []}]\n"

func TestPrepare(t *testing.T) {
	t.Parallel()
	empty := contenttest.Files{}
	for _, row := range []struct {
		rule, name         string
		accepted, proposed contenttest.Files
		result, code       string
	}{
		{"B6", "adoption from nothing", empty, base(), "adoption", ""},
		{"B6", "adoption where other files stand", contenttest.Files{"README": "x"}, base(), "adoption", ""},
		{"B6", "adoption where standards had no manifest", base().With(contenttest.Files{manifest: ""}), base(), "adoption", ""},
		{"A7", "adoption of an edge to nothing", empty, base().With(contenttest.Files{"docs/errors.md": ""}), "", "CONSUMER.ABSENT"},
		{"A2", "adoption of invalid text", empty, sub(base(), api, "[Errors]", "[Erors]"), "", "MODULE.HEADING_MISSING"},
		{"F", "adoption with authority.yaml", empty, base().With(contenttest.Files{corpus.AuthorityPath: authorityText}), "adoption", ""},
		{"F", "adoption with an authority.yaml that cannot be read", empty, base().With(contenttest.Files{corpus.AuthorityPath: "x"}), "", "YAML.TYPE"},
		{"B7", "an accepted authority.yaml that cannot be read", base().With(contenttest.Files{corpus.AuthorityPath: "x"}),
			base().With(contenttest.Files{corpus.AuthorityPath: authorityText}), "", "AUTHORITY.UNREADABLE"},
		{"B7", "an accepted authority.yaml that is a link", base().With(contenttest.Files{corpus.AuthorityPath: contenttest.Symlink}), base(), "", "AUTHORITY.UNREADABLE"},
		{"B7", "an accepted authority.yaml that cannot be read, beside a manifest that is a link", base().With(contenttest.Files{corpus.AuthorityPath: "x", manifest: contenttest.Symlink}),
			base(), "", "AUTHORITY.UNREADABLE"},
		{"F", "a proposed authority.yaml that cannot be read", base(), base().With(contenttest.Files{corpus.AuthorityPath: "x"}), "", "YAML.TYPE"},
		{"C7", "authority.yaml is added", base(), base().With(contenttest.Files{corpus.AuthorityPath: authorityText}), "pending", ""},
		{"C7", "authority.yaml is removed", base().With(contenttest.Files{corpus.AuthorityPath: authorityText}), base(), "pending", ""},
		{"B7", "a link in place of the accepted manifest is no adoption", base().With(contenttest.Files{manifest: contenttest.Symlink}), base(), "pending", ""},
		{"B6", "a folder in place of the accepted manifest is adoption", base().With(contenttest.Files{manifest: "", manifest + "/x": "x"}), base(), "adoption", ""},
		{"H4", "no standards anywhere", empty, contenttest.Files{"README": "x"}, "", "MANIFEST.MISSING"},
		{"A7", "a first manifest that is a link", empty, contenttest.Files{manifest: contenttest.Symlink}, "", "MANIFEST.NOT_A_FILE"},
		{"C7", "the manifest removed", base(), base().With(contenttest.Files{manifest: ""}), "pending", ""},
		{"C16", "nothing changed", base(), base(), "complete", ""},
		{"C1", "a raise", base(), raised(), "pending", ""},
	} {
		outcome, err := prepare(t, row.accepted, row.proposed)
		if code(err) != row.code {
			t.Errorf("%s %s: %v", row.rule, row.name, err)
		}
		if err != nil {
			continue
		}
		result := ""
		switch r := outcome.Result().(type) {
		case wire.Adoption:
			result = r.Result
		case wire.Pending:
			result = r.Result
		case wire.Complete:
			result = r.Result
		}
		if result != row.result || (outcome.Analysis == nil) == (outcome.Adoption == nil) || (outcome.Verdict == nil) != (outcome.Analysis == nil) {
			t.Errorf("%s %s: %s", row.rule, row.name, shape(t, outcome.Result()))
		}
	}
}

func TestAdoptionCountsWhatNobodyWasAskedAbout(t *testing.T) {
	t.Parallel()
	outcome, err := prepare(t, contenttest.Files{}, base())
	if err != nil {
		t.Fatal(err)
	}
	a := outcome.Adoption
	if a.Modules != 1 || a.Units != 1 || a.Consumers != 2 || a.Accepted.Snapshot != nil || a.Proposed.Snapshot == nil || len(a.Notices) != 1 {
		t.Errorf("%s", shape(t, a))
	}
	store := memory{}
	if err := judge.Record(context.Background(), store, outcome); err != nil || len(store) != 0 {
		t.Error("an adoption has no state", err)
	}
}

func TestAnalysisIsWhatTheVerdictSays(t *testing.T) {
	t.Parallel()
	accepted, proposed := base(), sub(raised(), "docs/errors.md", "Errors.", "Errors!")
	outcome, err := prepare(t, accepted, proposed)
	if err != nil {
		t.Fatal(err)
	}
	a := outcome.Analysis
	if a.Result != "pending" || a.Stored || a.Issuer != "open" || a.Coverage != "not-audited" || len(a.Questions) != 2 || len(a.Decisions) != 0 ||
		a.Analysis.ID != outcome.Verdict.Root.ID || a.Accepted.Snapshot == nil || a.Accepted.Source != "commit" || a.Proposed.Source != "index" {
		t.Fatalf("%s", shape(t, a))
	}
	q := a.Questions[0]
	if *q.About.Module != "topic.api" || *q.About.Unit != "api.errors" || *q.About.Consumer != "docs/errors.md" || q.About.Declaration != nil ||
		q.Capability != "standards.review.consumer" || strings.Join(q.Results, " ") != "updated no-change not-applicable blocked" || q.State != "open" || q.Who != "mine" {
		t.Errorf("%+v", q)
	}
	submitted := []decision.Submitted{}
	for _, asked := range outcome.Verdict.Asked {
		submitted = append(submitted, decision.Submitted{Question: asked, Result: "no-change", Rationale: "r"})
	}
	plan, err := decision.PlanAnswers(context.Background(), contenttest.Files{}.Tree(), proposed.Tree(), nil, outcome.Verdict.AskedSet(), "ann", submitted)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range plan.Write {
		proposed[name] = string(text)
	}
	if outcome, err = prepare(t, accepted, proposed); err != nil {
		t.Fatal(err)
	}
	a = outcome.Analysis
	if a.Result != "complete" || len(a.Questions) != 0 || len(a.Decisions) != 2 || !a.Decisions[0].Counted || a.Decisions[0].Trust != "asserted" || a.Decisions[0].Principal != "ann" {
		t.Errorf("%s", shape(t, a))
	}
	if text := shape(t, a); !strings.Contains(text, `"questions": []`) || !strings.Contains(text, `"written": []`) || strings.Contains(text, `"notices": null`) {
		t.Errorf("%s", text)
	}
	store := memory{}
	if err := judge.Record(context.Background(), store, outcome); err != nil || !a.Stored {
		t.Fatal(err)
	}
	// DESIGN 1, "Cold": every handle in the store can be read from it alone.
	for id := range store {
		if _, _, err := judge.Inspect(context.Background(), store, judge.Codecs(), id); err != nil {
			t.Error(err)
		}
	}
}

type failing struct{ memory }

func (failing) Put(context.Context, ...authority.Node) error { return errors.New("disk full") }

// DESIGN 4: the store is a record, never an input.
func TestAFailedRecordOnlyLeavesStoredFalse(t *testing.T) {
	t.Parallel()
	outcome, err := prepare(t, base(), raised())
	if err != nil {
		t.Fatal(err)
	}
	before := shape(t, outcome.Analysis)
	if err := judge.Record(context.Background(), failing{}, outcome); err == nil || shape(t, outcome.Analysis) != before {
		t.Error("the result changed", err)
	}
}

func TestRejectSaysInvalidBeforeUnsupported(t *testing.T) {
	t.Parallel()
	finding := func(code, severity string, unsupported bool) reading.Finding {
		return reading.Finding{Code: code, Severity: severity, File: "f.md", Line: 3, Message: "wrong", Next: "mend " + code, Unsupported: unsupported}
	}
	warning, unsupported, invalid := finding("W", reading.SeverityWarning, false), finding("U", reading.SeverityError, true), finding("I", reading.SeverityError, false)
	for _, row := range []struct {
		err           error
		code, outcome string
		target, next  string
		findings      int
	}{
		{&corpus.FindingsError{Findings: []reading.Finding{warning, unsupported, invalid}}, "I", "invalid", "f.md:3", "mend I", 3},
		{&corpus.FindingsError{Findings: []reading.Finding{invalid, unsupported}}, "I", "invalid", "f.md:3", "mend I", 2},
		{&corpus.FindingsError{Findings: []reading.Finding{warning, unsupported}}, "U", "unsupported", "f.md:3", "mend U", 2},
		{fault.New(fault.Unauthorized, "X.Y", "t", "no").Hint("a", "b"), "X.Y", "unauthorized", "t", "a b", 0},
		{errors.Join(errors.New("x"), fault.New(fault.Unavailable, "X.Z", "", "no")), "X.Z", "unavailable", "", "", 0},
		{errors.New("surprise"), "INTERNAL.ERROR", "unavailable", "", "", 0},
	} {
		r := judge.Reject(row.err)
		target := ""
		if r.Target != nil {
			target = *r.Target
		}
		if r.Result != "rejected" || r.Code != row.code || r.Outcome != row.outcome || target != row.target || strings.Join(r.Next, " ") != row.next || len(r.Findings) != row.findings || r.Findings == nil {
			t.Errorf("%v: %s", row.err, shape(t, r))
		}
	}
	if r := judge.Reject(fault.New(fault.Invalid, "A", "", "outer").Because(errors.New("inner"))); r.Message != "outer: inner" {
		t.Error(r.Message)
	}
}

func TestLint(t *testing.T) {
	t.Parallel()
	dangling := base().With(contenttest.Files{"docs/errors.md": "", "standards/x.md": "# x"})
	for _, row := range []struct {
		name            string
		files, accepted contenttest.Files
		severity        string
	}{
		{"all edges new (A7)", dangling, nil, "error"},
		{"the edge was there (A7)", dangling, base(), "warning"},
		{"the accepted side has none", dangling, contenttest.Files{}, "error"},
	} {
		var old = contenttest.Files{}.Tree()
		if old = nil; row.accepted != nil {
			old = row.accepted.Tree()
		}
		l, err := judge.New().Lint(context.Background(), row.files.Worktree(), old)
		if err != nil || l.Modules != 1 || l.Units != 1 || l.Ignored != 1 || len(l.Findings) != 1 || l.Findings[0].Severity != row.severity || l.Findings[0].Line != 9 {
			t.Errorf("%s: %v %+v", row.name, err, l)
		}
	}
	if _, err := judge.New().Lint(context.Background(), contenttest.Files{}.Tree(), nil); !fault.Is(err, "MANIFEST.MISSING") {
		t.Error(err)
	}
}

func abbreviated(hexes ...string) []*question.Question {
	var list []*question.Question
	for _, hex := range hexes {
		list = append(list, &question.Question{ID: "question:sha256:" + hex + strings.Repeat("0", 64-len(hex)), Record: identity.Record{}})
	}
	return list
}
