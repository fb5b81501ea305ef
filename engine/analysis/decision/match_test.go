package decision

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/identity"
)

// RULES E5: exit 2, both files named.
func TestContradiction(t *testing.T) {
	t.Parallel()
	names := review(t, "api.names", 2, "lower case", namesPath, "x")
	for _, third := range []string{"", "no-change", "first"} {
		files := contenttest.Files{folderNames + "a.yaml": answered(t, "no-change", "ann", names), folderNames + "b.yaml": answered(t, "not-applicable", "ann", names)}
		if third == "first" { // two that agree come before the one that does not
			files[folderNames+"a.0.yaml"] = answered(t, "no-change", "cid", names)
		} else if third != "" {
			files["standards/decisions/other.yaml"] = answered(t, third, "cid", names)
		}
		_, err := match(t, names, files)
		var findings *corpus.FindingsError
		if !errors.As(err, &findings) || findings.Findings[0].Code != "DECISION.CONTRADICTION" || findings.Findings[0].Unsupported ||
			!strings.Contains(err.Error(), folderNames+"a.") || !strings.Contains(err.Error(), folderNames+"b.yaml") {
			t.Errorf("%v", err)
		}
	}
}

// RULES E7: stale shows what changed, and the answer that differs least is the one that is shown.
func TestStaleSaysWhatChanged(t *testing.T) {
	t.Parallel()
	now := review(t, "api.names", 2, "small", namesPath, "now")
	bytesNow := Changed{"consumer", identity.Bytes([]byte("then")), identity.Bytes([]byte("now"))}
	structureNow := Changed{"structure", structure(t, "lower case"), structure(t, "small")}
	onlyBytes := review(t, "api.names", 2, "small", namesPath, "then")
	all := review(t, "api.names", 4, "lower case", namesPath, "then")
	for _, row := range []struct {
		answers []*question.Question
		want    []Changed
	}{
		{[]*question.Question{onlyBytes}, []Changed{bytesNow}},
		{[]*question.Question{all}, []Changed{bytesNow, {"revision", "4", "2"}, structureNow}},
		{[]*question.Question{all, onlyBytes}, []Changed{bytesNow}},
		{[]*question.Question{review(t, "api.names", 2, "lower case", namesPath, "now")}, []Changed{structureNow}},
	} {
		files := contenttest.Files{}
		for i, q := range row.answers {
			files[fmt.Sprintf("%sa%d.yaml", folderNames, i)] = answered(t, "no-change", "ann", q)
		}
		m, err := match(t, now, files)
		if err != nil || len(m.Open) != 1 || m.Open[0].State != StateStale || m.Open[0].Stale == nil {
			t.Fatalf("%v %v", m.Open, err)
		}
		if diff := cmp.Diff(row.want, m.Open[0].Changed); diff != "" {
			t.Error(diff)
		}
	}
}

func TestMalformedDecisionsAreFindings(t *testing.T) {
	t.Parallel()
	names := review(t, "api.names", 2, "lower case", namesPath, "x")
	good := answered(t, "no-change", "ann", names)
	if m, err := match(t, names, contenttest.Files{folderNames + "a.yaml": good}); err != nil || len(m.Open) > 0 {
		t.Fatalf("%v %v", m.Open, err)
	}
	for _, row := range []struct{ name, old, now, code string }{
		{"no recipe", "recipe: q1", "recipe: q0", "DECISION.QUESTION"},
		{"a newer version's recipe (D3)", "recipe: q1", "recipe: q2", "UNSUPPORTED.RECIPE"},
		{"a field more", "    recipe:", "    note: x\n    recipe:", "DECISION.QUESTION"},
		{"a field less", "    revision: 2\n", "", "DECISION.QUESTION"},
		{"a revision that is none", "revision: 2", "revision: 0", "DECISION.QUESTION"},
		{"a result of another kind", "result: no-change", "result: no-impact", "DECISION.RESULT"},
		{"a value", "result: no-change", "value: true", "DECISION.RESULT"},
		{"no principal", "principal: ann\n", "", "YAML.KEY_MISSING"},
		{"an unknown key", "principal: ann\n", "principal: ann\nnote: x\n", "YAML.KEY_UNKNOWN"},
		{"no YAML", good, "- [", "YAML.SYNTAX"},
	} {
		text := strings.Replace(strings.Replace(good, "  - recipe", "  -\n    recipe", 1), row.old, row.now, 1)
		if row.old == good {
			text = row.now
		}
		_, err := match(t, names, contenttest.Files{folderNames + "a.yaml": text})
		var findings *corpus.FindingsError
		if !errors.As(err, &findings) || findings.Findings[0].Code != row.code || findings.Findings[0].File != folderNames+"a.yaml" || findings.Findings[0].Line < 1 {
			t.Errorf("%s: %v", row.name, err)
		}
	}
}

// A finding about one question of a file that holds several stands at its line, which is where its record begins.
func TestAFindingStandsAtItsQuestion(t *testing.T) {
	t.Parallel()
	first, second := review(t, "api.names", 2, "lower case", namesPath, "x"), review(t, "api.names", 2, "lower case", namesPath, "y")
	good := answered(t, "no-change", "ann", first, second)
	at := strings.Count(good[:strings.LastIndex(good, "  - recipe")], "\n") + 1
	if at < 3 {
		t.Fatalf("the second question stands at line %d of\n%s", at, good)
	}
	for _, row := range []struct{ now, code string }{{"q0", "DECISION.QUESTION"}, {"q2", "UNSUPPORTED.RECIPE"}} {
		i := strings.LastIndex(good, "recipe: q1")
		answers, findings := Read("a.yaml", []byte(good[:i]+"recipe: "+row.now+good[i+len("recipe: q1"):]))
		if len(answers) != 1 || len(findings) != 1 || findings[0].Code != row.code || findings[0].Line != at {
			t.Errorf("%s: %d answers, %v, want line %d", row.code, len(answers), findings, at)
		}
	}
}
