package analysis

import (
	"errors"
	"testing"

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
	} {
		accepted := apply(t, base(), row.both...)
		_, err := judgeFiles(t, accepted, apply(t, accepted, row.edits...))
		if code, outcome, target := refusal(err); code != row.code || outcome != fault.Unsupported || target == "" {
			t.Errorf("%s: %v%s", row.name, err, list(err))
		}
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
