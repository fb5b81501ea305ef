package analysis

import (
	"errors"
	"testing"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
)

// These refuse the request as a whole: there is no line to name, or nothing that this change could mend.
func TestSidesThatCannotBeJudged(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name        string
		both, edits []edit
		code        string
	}{
		{"a consumer whose name cannot be recorded (DESIGN 5)", []edit{write("src/err/\xff.go", "x")}, []edit{raise("api.errors", 1, 2)}, "CONTENT.PATH"},
		{"an input of a fact that is asked", []edit{declares(), write("src/\xff.go", "x"), when("contains: {fact: areas, value: web}")}, []edit{raise("api.names", 1, 2)}, "CONTENT.PATH"},
	} {
		accepted := apply(t, base(), row.both...)
		_, err := judgeFiles(t, accepted, apply(t, accepted, row.edits...))
		if code, outcome, target := refusal(err); code != row.code || outcome != fault.Unsupported || target == "" {
			t.Errorf("%s: %v%s", row.name, err, list(err))
		}
	}
}

// An input that cannot be recorded refuses once the answer to another fact says that it is asked.
func TestUnrecordableInputIsAskedInTheEnd(t *testing.T) {
	t.Parallel()
	accepted := apply(t, base(), mayWaive(), declares(), write("src/\xff.go", "x"), when(ifAreasToo))
	proposed := apply(t, accepted, raise("api.names", 1, 2))
	open := mustJudge(t, accepted, proposed).Open
	if len(open) != 1 || describe(open[0].Question) != visible {
		t.Fatalf("%d questions are open", len(open))
	}
	q := open[0].Question
	proposed = proposed.With(contenttest.Files{decision.Folder(q.Record) + "/a.yaml": valueText(t, true, "ann", q)})
	_, err := judgeFiles(t, accepted, proposed)
	if code, outcome, target := refusal(err); code != "CONTENT.PATH" || outcome != fault.Unsupported || target != "src/\xff.go" {
		t.Errorf("%v%s", err, list(err))
	}
}

// refusal gives code, outcome and place of a refusal; of findings, those of the first.
func refusal(err error) (code string, outcome fault.Outcome, target string) {
	var findings *corpus.FindingsError
	if errors.As(err, &findings) {
		f := findings.Findings[0]
		outcome = fault.Invalid
		if f.Unsupported {
			outcome = fault.Unsupported
		}
		return f.Code, outcome, f.File
	}
	if f := fault.As(err); f != nil {
		return f.Code, f.Outcome, f.Target
	}
	return "", outcome, ""
}
