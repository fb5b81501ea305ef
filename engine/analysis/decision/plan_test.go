package decision

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

func TestCheckRefusesWhatAQuestionDoesNotAllow(t *testing.T) {
	t.Parallel()
	changed, same := review(t, "api.errors", 2, "stable", errorsPath, "x"), review(t, "api.names", 2, "lower case", namesPath, "x")
	changed.Updatable = true
	impact := asked(t, identity.Record{
		"recipe": "q1", "kind": "impact-review", "reason": "same-revision", "unit": "http.codes", "revision": int64(1), "structure": structure(t, "410"),
	})
	stored := question.Stored(changed.ID, changed.Record)
	for _, row := range []struct {
		rule      string
		question  *question.Question
		result    string
		rationale string
		code      string
	}{
		{"E3", changed, "updated", "r", ""},
		{"E3", changed, "no-change", "r", ""},
		{"E3", changed, "not-applicable", "r", ""},
		{"E3", changed, "blocked", "r", ""},
		{"E3", impact, "no-impact", "r", ""},
		{"E3", impact, "blocked", "r", ""},
		{"E4", same, "updated", "r", "ANSWER.NOT_UPDATED"},
		{"H1", stored, "updated", "r", "ANSWER.NOT_UPDATED"},
		{"H1", stored, "no-change", "r", ""},
		{"E3", changed, "no-impact", "r", "ANSWER.RESULT"},
		{"E3", impact, "no-change", "r", "ANSWER.RESULT"},
		{"E3", impact, "updated", "r", "ANSWER.RESULT"},
		{"E3", same, "waiver", "r", ""},
		{"E3", same, "", "r", "ANSWER.RESULT"},
		{"E1", same, "no-change", "", "ANSWER.RATIONALE"},
		{"E1", same, "no-change", " \n\t", "ANSWER.RATIONALE"},
	} {
		err := Check(Submitted{Question: row.question, Result: row.result, Rationale: row.rationale})
		if row.code == "" && err != nil || row.code != "" && (!fault.Is(err, row.code) || fault.As(err).Outcome != fault.Invalid) {
			t.Errorf("%s: %s to %v: %v", row.rule, row.result, row.question.Record, err)
		}
	}
}

// A store may hold questions of kinds that a later version judges: no answer to one is written, and it is said why.
func TestAnAnswerToAKindThatIsNotJudgedIsUnsupported(t *testing.T) {
	t.Parallel()
	record := identity.Record{
		"recipe": "q1", "kind": "fact", "fact": "license", "contract": "fact-contract:sha256:" + strings.Repeat("0", 64),
		"inputs": identity.List{}, "units": identity.List{"api.errors"},
	}
	id, err := question.ID(record)
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range []string{"no-change", "absent"} {
		plan, err := PlanAnswers(context.Background(), contenttest.Files{}.Tree(), contenttest.Files{}.Tree(), nil, nil, "ann",
			[]Submitted{{Question: question.Stored(id, record), Result: result, Rationale: "r"}})
		if f := fault.As(err); plan != nil || f == nil || f.Code != "QUESTION.NOT_ASKED" || f.Outcome != fault.Invalid {
			t.Errorf("%s: %v", result, err)
		}
	}
}

// RULES E2: folder, name and principal as slugs of [a-z0-9-], at most 60 characters, and the first 12 digits of the id.
func TestFileNames(t *testing.T) {
	t.Parallel()
	id := "question:sha256:0123456789abcdef" + strings.Repeat("0", 48)
	about := func(unit string, target identity.Record) identity.Record {
		return identity.Record{"kind": question.ConsumerReview, "unit": unit, "consumer": target}
	}
	for _, row := range []struct {
		question  *question.Question
		principal string
		attempt   int
		want      string
	}{
		{question.Stored(id, about("api.errors", identity.Record{"path": "src/err/a.go"})), "ann@example.com", 1, "api-errors/src-err-a-go.0123456789ab.ann-example-com.yaml"},
		{question.Stored(id, about("api.errors", identity.Record{"path": "src/err/a.go"})), "ann@example.com", 3, "api-errors/src-err-a-go.0123456789ab.ann-example-com-3.yaml"},
		{question.Stored(id, about("API:Errors/x", identity.Record{"module": "topic.http"})), "Ann", 2, "api-errors-x/topic-http.0123456789ab.ann-2.yaml"},
		{question.Stored(id, identity.Record{"kind": question.ImpactReview, "reason": question.SameRevision, "unit": "api.errors"}), "ann", 1, "api-errors/same-revision.0123456789ab.ann.yaml"},
		{question.Stored(id, identity.Record{"kind": question.ImpactReview, "reason": question.UnmappedText, "module": "topic.api"}), "ann", 1, "topic-api/unmapped-text.0123456789ab.ann.yaml"},
		{question.Stored(id, identity.Record{"kind": question.ImpactReview, "reason": "declaration-changed", "declaration": "manifest#gate.base"}), "ann", 1,
			"_manifest/declaration-changed.0123456789ab.ann.yaml"},
		{question.Stored(id, identity.Record{"kind": question.ImpactReview, "reason": "declaration-changed", "declaration": "manifest#modules"}), "ann", 1,
			"_manifest/declaration-changed.0123456789ab.ann.yaml"},
		{question.Stored(id, identity.Record{"kind": question.ImpactReview, "reason": "declaration-changed", "declaration": "manifest#level"}), "ann", 1,
			"manifest/declaration-changed.0123456789ab.ann.yaml"}, // of a module of that name
		{question.Stored(id, identity.Record{"kind": question.ImpactReview, "reason": "declaration-changed", "declaration": "topic.api#level"}), "ann", 1,
			"topic-api/declaration-changed.0123456789ab.ann.yaml"},
		{question.Stored(id, identity.Record{"kind": question.ImpactReview, "reason": "base-invalid", "file": "standards/api.md"}), "ann", 1,
			"_manifest/base-invalid.0123456789ab.ann.yaml"},
		{question.Stored(id, identity.Record{"kind": question.Coverage, "unit": "api.errors"}), "ann", 1, "api-errors/coverage.0123456789ab.ann.yaml"},
		{question.Stored(id, about("u", identity.Record{"path": strings.Repeat("a/", 40) + "x"})), "é", 1, "u/" + strings.Repeat("a-", 29) + "a.0123456789ab.x.yaml"},
	} {
		got, err := FileName([]*question.Question{row.question}, row.principal, row.attempt)
		if err != nil || got != "standards/decisions/"+row.want {
			t.Errorf("%s, not %s: %v", got, row.want, err)
		}
	}
}

func plan(t *testing.T, accepted, proposed contenttest.Files, asked map[string]bool, principal string, submitted ...Submitted) *Plan {
	t.Helper()
	p, err := PlanAnswers(context.Background(), accepted.Tree(), proposed.Worktree(), contenttest.Changes(accepted, proposed), asked, principal, submitted)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// fileName is the name of ann's answer to one question.
func fileName(t *testing.T, q *question.Question, attempt int) string {
	t.Helper()
	name, err := FileName([]*question.Question{q}, "ann", attempt)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func TestPlanOfAnAnswer(t *testing.T) {
	t.Parallel()
	old, latest := review(t, "api.names", 2, "lower case", namesPath, "x"), review(t, "api.names", 3, "lower case", namesPath, "x")
	other := review(t, "api.errors", 2, "stable", errorsPath, "x")
	now := map[string]bool{latest.ID: true}
	name, second := fileName(t, latest, 1), fileName(t, latest, 2)
	const x, y = folderNames + "x.yaml", folderNames + "y.yaml"
	for _, row := range []struct {
		rule, name            string
		landed, added         contenttest.Files
		wantWritten, wantGone []string
	}{
		{"E2", "the first answer", nil, nil, []string{name}, nil},
		{"E9", "one's own superseded answer of this range goes", nil, contenttest.Files{x: answered(t, "no-change", "ann", old)}, []string{name}, []string{x}},
		{"E9", "another's stays", nil, contenttest.Files{x: answered(t, "no-change", "bob", old), y: answered(t, "no-change", "bob", latest)}, []string{name}, nil},
		{"E9", "one that landed with other bytes stays", contenttest.Files{x: answered(t, "no-change", "ann", old)}, nil, []string{name}, nil},
		{"E9", "one's own answer to the same question is replaced, landed or not", contenttest.Files{x: answered(t, "no-change", "ann", latest)}, nil, []string{name}, []string{x}},
		{"E9", "and in its own place", nil, contenttest.Files{name: answered(t, "no-change", "ann", latest)}, []string{name}, nil},
		{"E9", "a file with several loses only the superseded", nil, contenttest.Files{x: answered(t, "no-change", "ann", old, other)}, []string{name, x}, nil},
		{"E9", "another locator stays", nil, contenttest.Files{x: answered(t, "no-change", "ann", other)}, []string{name}, nil},
		{"E2", "a taken name gets -2", nil, contenttest.Files{name: answered(t, "no-change", "bob", old)}, []string{second}, nil},
		{"E2", "a name that keeps other answers is taken", nil, contenttest.Files{name: answered(t, "no-change", "ann", latest, other)}, []string{second, name}, nil},
	} {
		t.Run(row.rule+" "+row.name, func(t *testing.T) {
			accepted := contenttest.Files{}.With(row.landed)
			p := plan(t, accepted, accepted.With(row.added), now, "ann", Submitted{Question: latest, Result: "not-applicable", Rationale: "because", Evidence: nil})
			if !slices.Equal(row.wantWritten, p.Written()) || !slices.Equal(row.wantGone, p.Remove) {
				t.Errorf("written %q, removed %q", p.Written(), p.Remove)
			}
		})
	}
	// Two relations to one consumer have one locator (RULES D4): an answer to the one leaves that to the other alone.
	record := maps.Clone(latest.Record)
	record["relation"] = "template-projection"
	twin := asked(t, record)
	added, both := contenttest.Files{x: answered(t, "no-change", "ann", twin)}, map[string]bool{latest.ID: true, twin.ID: true}
	if p := plan(t, nil, added, both, "ann", Submitted{Question: latest, Result: "no-change", Rationale: "because", Evidence: nil}); len(p.Remove) > 0 || len(p.Write) != 1 {
		t.Errorf("written %q, removed %q", p.Written(), p.Remove)
	}
	p := plan(t, nil, nil, now, "ann", Submitted{Question: latest, Result: "not-applicable", Rationale: "because", Evidence: []decisionfile.Evidence{{SHA256: identity.Bytes(nil)}}})
	answers, findings := Read(name, p.Write[name])
	if len(findings) > 0 || len(answers) != 1 || answers[0].Question != latest.ID || answers[0].Rationale != "because" || answers[0].Principal != "ann" || len(answers[0].Evidence) != 1 {
		t.Errorf("%s %v", p.Write[name], findings)
	}
}

// A refused submission plans nothing.
// More answers than a file can hold and still be read stand in several; together they answer each question once.
func TestPlanOfVeryManyAnswers(t *testing.T) {
	t.Parallel()
	var submitted []Submitted
	want := map[string]bool{}
	for i := range 3000 {
		q := review(t, "api.errors", 2, "stable", fmt.Sprintf("docs/%04d.md", i), "x")
		want[q.ID] = true
		submitted = append(submitted, Submitted{Question: q, Result: "no-change", Rationale: "fine"})
	}
	none := contenttest.Files{}
	plan, err := PlanAnswers(context.Background(), none.Tree(), none.Tree(), nil, want, "ann@example.com", submitted)
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Write) != 2 {
		t.Errorf("%d files", len(plan.Write))
	}
	for name, text := range plan.Write {
		d, findings := decisionfile.Parse(name, text)
		if d == nil || len(findings) > 0 {
			t.Fatalf("%s: %v", name, findings)
		}
		for _, record := range d.Questions {
			id, err := question.ID(record.(identity.Record))
			if err != nil || !want[id] {
				t.Fatalf("%s is answered twice or was not asked: %v", id, err)
			}
			delete(want, id)
		}
	}
	if len(want) > 0 {
		t.Errorf("%d questions are not answered", len(want))
	}
}

func TestPlanIsAllOrNothing(t *testing.T) {
	t.Parallel()
	errors, names := review(t, "api.errors", 2, "stable", errorsPath, "x"), review(t, "api.names", 2, "lower case", namesPath, "x")
	now, tree := map[string]bool{errors.ID: true, names.ID: true}, contenttest.Files{}
	good, bad := Submitted{Question: errors, Result: "no-change", Rationale: "r", Evidence: nil}, Submitted{Question: names, Result: "no-impact", Rationale: "r", Evidence: nil}
	p, err := PlanAnswers(context.Background(), contenttest.Files{}.Tree(), tree.Tree(), nil, now, "ann", []Submitted{good, bad})
	if p != nil || !fault.Is(err, "ANSWER.RESULT") {
		t.Errorf("%v %v", p, err)
	}
	tree["standards/decisions/api-errors/x.yaml"] = "broken"
	p, err = PlanAnswers(context.Background(), contenttest.Files{}.Tree(), tree.Tree(), nil, now, "ann", []Submitted{good})
	if p != nil || err == nil || !strings.Contains(err.Error(), "standards/decisions/api-errors/x.yaml") {
		t.Errorf("%v %v", p, err)
	}
}
