package analysis

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/content/contenttest"
)

const horizonText = "horizon: {include: [\"src/**\", \"docs/**\"], exclude: [{glob: src/main.go, reason: no code}]}\n"

func declareHorizon() edit {
	return sub(manifest, "version: 1\n", "version: 1\n"+horizonText)
}

// audits is the units whose coverage is asked about, open ones with what is left.
func audits(v *Verdict) (asked, left []string) {
	for _, q := range v.Asked {
		if q.Kind == question.Coverage {
			asked = append(asked, q.Unit)
		}
	}
	for _, open := range v.Open {
		if open.Kind == question.Coverage {
			for _, m := range open.Cover.Left() {
				left = append(left, m.Path)
			}
		}
	}
	return asked, left
}

func TestWhichUnitsAskForCoverage(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		rule, name  string
		both, edits []edit
		want        string
	}{
		{"C11", "a revision", []edit{declareHorizon()}, []edit{raise("api.errors", 1, 2)}, "api.errors"},
		{"C11", "the text", []edit{declareHorizon()}, []edit{sub(api, "lower case", "in lower case")}, "api.names"},
		{"C11", "two units of two modules", []edit{declareHorizon()}, []edit{raise("api.errors", 1, 2), raise("http.codes", 1, 2)}, "api.errors http.codes"},
		{"C3", "a line break", []edit{declareHorizon()}, []edit{sub(api, "code that\nclients", "code\nthat clients")}, ""},
		{"C8", "text outside units", []edit{declareHorizon()}, []edit{sub(api, "What a client sees.", "What clients see.")}, ""},
		{"C4", "a new unit", []edit{declareHorizon()}, []edit{
			sub(api, "    - {id: api.names,", "    - {id: api.new, heading: [New], revision: 1}\n    - {id: api.names,"), sub(api, "## Names", "## New\n\nText.\n\n## Names"),
		}, "api.new"},
		{"C15", "of a reference", []edit{declareHorizon()}, []edit{sub("standards/glossary.md", "is a word", "is one word")}, ""},
		{"C15", "of a level that is not blocked", []edit{declareHorizon(), sub(manifest, "version: 1\n", "version: 1\ngate: {block: [MUST]}\n")}, []edit{raise("http.codes", 1, 2)}, ""},
		{"A7", "a file of the horizon alone", []edit{declareHorizon()}, []edit{write("src/main.go", "x"), write("docs/more.md", "x")}, ""},
		{"B1", "a horizon that the change declares", nil, []edit{declareHorizon(), raise("api.errors", 1, 2)}, ""},
		{"B1", "a horizon that the change takes away", []edit{declareHorizon()}, []edit{sub(manifest, horizonText, ""), raise("api.errors", 1, 2)}, "api.errors"},
		{"C16", "no horizon", nil, []edit{raise("api.errors", 1, 2)}, ""},
	} {
		accepted := apply(t, base(), row.both...)
		v := mustJudge(t, accepted, apply(t, accepted, row.edits...))
		asked, left := audits(v)
		if got := strings.Join(asked, " "); got != row.want {
			t.Errorf("%s %s: asks about %q", row.rule, row.name, got)
		}
		const all = "docs/errors.md docs/names.md src/err/a.go src/err/b.go"
		if want := strings.TrimSpace(strings.Repeat(all+" ", len(asked))); strings.Join(left, " ") != want {
			t.Errorf("%s %s: left %q", row.rule, row.name, left)
		}
		want := Certified
		if len(row.both) == 0 {
			want = NotAudited
		} else if row.want != "" {
			want = Uncovered
		}
		if got := v.Coverage(); got != want {
			t.Errorf("%s %s: coverage %s", row.rule, row.name, got)
		}
	}
}

// attested is files with an answer that attests, of what is left for the principal, what keep says.
func attested(t *testing.T, accepted, proposed contenttest.Files, principal string, keep func(decisionfile.Member) bool) contenttest.Files {
	t.Helper()
	v := mustJudge(t, accepted, proposed)
	var submitted []decision.Submitted
	for _, open := range v.Open {
		if open.Kind != question.Coverage {
			continue
		}
		members, _ := open.Cover.LeftFor(principal)
		members = slices.DeleteFunc(members, func(m decisionfile.Member) bool { return keep != nil && !keep(m) })
		submitted = append(submitted, decision.Submitted{Question: open.Question, Result: decisionfile.CompleteResult, Rationale: "read", Members: members})
	}
	plan, err := decision.PlanAnswers(context.Background(), accepted.Tree(), proposed.Tree(), contenttest.Changes(accepted, proposed), v.AskedSet(), principal, submitted)
	if err != nil {
		t.Fatal(err)
	}
	after := proposed.Clone()
	for _, name := range plan.Remove {
		delete(after, name)
	}
	for name, text := range plan.Write {
		after[name] = string(text)
	}
	return after
}

// RULES D2: what stands in the horizon is in no question and, until somebody attests it, in no state; what was attested and is other
// bytes now is left, and it alone.
func TestCoverageIsBoundToBytesByAnswersAlone(t *testing.T) {
	t.Parallel()
	accepted := apply(t, base(), declareHorizon())
	changed := apply(t, accepted, sub(api, "lower case", "in lower case"))
	more := apply(t, changed, write("docs/new.md", "new\n"), write("src/err/a.go", "package err // other\n"))
	one, two := mustJudge(t, accepted, changed), mustJudge(t, accepted, more)
	if rootID(t, one) != rootID(t, two) {
		t.Error("a file of the horizon is part of the state")
	}
	done := attested(t, accepted, changed, "ann", nil)
	v := mustJudge(t, accepted, done)
	if v.Coverage() != Certified || len(v.Certificates) != 1 {
		t.Fatalf("%s, %d certificates", v.Coverage(), len(v.Certificates))
	}
	rootID(t, v)
	if len(v.Horizons) == 0 {
		t.Error("no directory to look at")
	}
	later := apply(t, done, write("docs/new.md", "new\n"), write("src/err/a.go", "package err // other\n"), write("src/main.go", "x"), remove("docs/errors.md"), write("x.md", "x"))
	_, left := audits(mustJudge(t, accepted, later))
	if !slices.Equal(left, []string{"docs/new.md", "src/err/a.go"}) {
		t.Errorf("left %q", left)
	}
	again := attested(t, accepted, later, "bob", nil)
	if v := mustJudge(t, accepted, again); v.Coverage() != Certified {
		t.Errorf("left %v", v.Notices)
	}
	// Another text is another question, of which nothing is attested.
	if _, left := audits(mustJudge(t, accepted, apply(t, again, sub(api, "in lower case", "always in lower case")))); len(left) != 4 {
		t.Errorf("left %q", left)
	}
	half := attested(t, accepted, changed, "ann", func(m decisionfile.Member) bool { return strings.HasPrefix(m.Path, "src/") })
	if v := mustJudge(t, accepted, half); v.Coverage() != Uncovered || len(v.Certificates) != 0 {
		t.Errorf("%s by half", v.Coverage())
	}
}

// A change of who did what never makes another state or question; whose attestations count is the gate's to ask.
func TestEvidenceDoesNotHideAnAuthor(t *testing.T) {
	t.Parallel()
	authority := "version: 1\nissuer: {id: team, revision: 1}\nsignatures: optional\nprincipals:\n" +
		"  - {id: ann, emails: [ann@x.org], capabilities: [standards.review.audit, standards.review.impact]}\n" +
		"  - {id: bob, emails: [bob@x.org], capabilities: [standards.review.audit]}\n"
	accepted := apply(t, base(), declareHorizon(), write("standards/authority.yaml", authority))
	changed := apply(t, accepted, sub(api, "lower case", "in lower case"))
	v := mustJudge(t, accepted, attested(t, accepted, changed, "ann", nil))
	for _, answer := range v.Counted {
		for _, path := range []string{"notes.txt", api, "docs/names.md", "src/main.go"} {
			answer.Evidence = append(answer.Evidence, decisionfile.Evidence{Path: path})
		}
	}
	for _, row := range []struct {
		mail   string
		paths  []string
		closed bool
	}{
		{"ann@x.org", []string{api}, true},
		{"ANN@X.org", []string{"other.txt"}, true},
		{"ann@x.org", []string{"standards/decisions/a/b.yaml", "notes.txt"}, false},
		{"ann@x.org", []string{"notes.txt", "docs/names.md"}, true}, // in the horizon
		{"ann@x.org", []string{"src/main.go"}, false},               // excluded from it, and cited
		{"ann@x.org", []string{manifest}, true},
		{"bob@x.org", []string{api}, false},
		{"nobody@x.org", []string{api}, false},
		{"", []string{api}, false},
	} {
		notices, err := v.NotIndependent([]Written{{row.mail, row.paths}})
		if err != nil || (len(notices) > 0) != row.closed {
			t.Errorf("%s %q: %v %v", row.mail, row.paths, notices, err)
		}
	}
}
