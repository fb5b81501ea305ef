package decisionfile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/authored/reading"
)

var (
	aDefinition = "provider-definition:sha256:" + strings.Repeat("a", 64)
	anInput     = "content-snapshot:sha256:" + strings.Repeat("b", 64)
	anEvidence  = "sha256:" + strings.Repeat("c", 64)
)

const observed = `questions:
  - recipe: q1
    kind: fact
kind: fact
value: true
rationale: observed by ci.ui
principal: ann@example.com
provider:
  id: ci.ui
  definition: DEFINITION
  inputs: INPUTS
  evidence: EVIDENCE
`

func observedText(edits ...string) []byte {
	text := strings.NewReplacer("DEFINITION", aDefinition, "INPUTS", anInput, "EVIDENCE", anEvidence).Replace(observed)
	return []byte(strings.NewReplacer(edits...).Replace(text))
}

// RULES F6: the file says who observed the value, by which command, over which files, and what was printed.
func TestObservations(t *testing.T) {
	t.Parallel()
	d, _ := decisionfile.Parse("f", observedText())
	if want := (decisionfile.Observation{ID: "ci.ui", Definition: aDefinition, Inputs: anInput, Evidence: anEvidence}); d.Provider == nil || *d.Provider != want {
		t.Fatalf("%+v", d.Provider)
	}
	for _, row := range []struct {
		name  string
		edits []string
		code  string // of a finding on the line that says at
		at    string
	}{
		{"as it is written", nil, "", ""},
		{"without inputs", []string{"  inputs: " + anInput + "\n", ""}, "", ""},
		{"no id", []string{"  id: ci.ui\n", ""}, "YAML.KEY_MISSING", "definition:"},
		{"no evidence", []string{"  evidence: " + anEvidence + "\n", ""}, "YAML.KEY_MISSING", "id:"},
		{"a key more", []string{"  id: ci.ui", "  id: ci.ui\n  value: true"}, "YAML.KEY_UNKNOWN", "  value:"},
		{"no mapping", []string{"provider:\n", "x:\n", "principal:", "provider: [a]\nprincipal:"}, "YAML.TYPE", "provider: [a]"},
		{"no id that could be one", []string{"ci.ui\n", "ci ui\n"}, "DECISION.PROVIDER", "id:"},
		{"another digest", []string{aDefinition, anInput}, "DECISION.PROVIDER", "definition:"},
		{"a short digest", []string{anInput, anInput[:80]}, "DECISION.PROVIDER", "inputs:"},
		{"no digest of bytes", []string{anEvidence, anInput}, "DECISION.PROVIDER", "evidence:"},
		{"of another kind", []string{"kind: fact", "kind: impact-review", "value: true", "result: no-impact"}, "DECISION.PROVIDER", "  id:"},
		{"a waiver", []string{"value: true", "result: waiver"}, "DECISION.PROVIDER", "  id:"},
	} {
		text := observedText(row.edits...)
		_, findings := decisionfile.Parse("f", text)
		findings = slices.DeleteFunc(findings, func(f reading.Finding) bool { return f.Unsupported })
		if row.code == "" {
			if len(findings) > 0 {
				t.Errorf("%s: %+v", row.name, findings)
			}
			continue
		}
		lines := strings.Split(string(text), "\n")
		if !slices.ContainsFunc(findings, func(f reading.Finding) bool { return f.Code == row.code && strings.Contains(lines[f.Line-1], row.at) }) {
			t.Errorf("%s: %+v", row.name, findings)
		}
	}
}
