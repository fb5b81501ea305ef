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
	section := func(text string) []edit { return []edit{sub(manifest, "version: 1\n", "version: 1\n"+text+"\n")} }
	when := []edit{sub(api, "docs/names.md, rel", "docs/names.md, when: {exists: x}, rel")}
	on := []edit{sub(api, "docs/names.md, rel", "docs/names.md, on: [policy, consumer], rel")}
	for _, row := range []struct {
		name        string
		both, edits []edit
		code        string
	}{
		{"a consumer whose name cannot be recorded (DESIGN 5)", []edit{write("src/err/\xff.go", "x")}, []edit{raise("api.errors", 1, 2)}, "CONTENT.PATH"},
		{"facts on both sides (A9)", section("facts: {}"), nil, "UNSUPPORTED.FACTS"},
		{"providers on both sides (F6)", section("providers: {}"), nil, "UNSUPPORTED.PROVIDERS"},
		{"routing on both sides", section("routing: {}"), nil, "UNSUPPORTED.ROUTING"},
		{"horizon on both sides (C11)", section("horizon: {}"), nil, "UNSUPPORTED.HORIZON"},
		{"horizon taken out (C11)", section("horizon: {}"), []edit{write(manifest, base()[manifest])}, "UNSUPPORTED.HORIZON"},
		{"when on both sides (C10)", when, nil, "UNSUPPORTED.WHEN"},
		{"when taken out (C10)", when, []edit{write(api, base()[api])}, "UNSUPPORTED.WHEN"},
		{"on: consumer on both sides (C9)", on, nil, "UNSUPPORTED.ON_CONSUMER"},
		{"on: consumer taken out (C9)", on, []edit{write(api, base()[api])}, "UNSUPPORTED.ON_CONSUMER"},
		{"facts are added (A9)", nil, section("facts: {}"), "UNSUPPORTED.FACTS"},
		{"horizon is added (C11)", nil, section("horizon: {}"), "UNSUPPORTED.HORIZON"},
		{"when is added (C10)", nil, when, "UNSUPPORTED.WHEN"},
		{"on: consumer is added (C9)", nil, on, "UNSUPPORTED.ON_CONSUMER"},
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
