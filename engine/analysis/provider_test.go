package analysis

import (
	"testing"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus/records"
	"github.com/git-standards/git-standards/engine/identity"
)

// RULES F6: a state holds the authority of a provider only where what an answer says of it can be what ran. The answer itself counts, as
// its principal's.
func TestAProviderStandsForWhatItCanHaveRun(t *testing.T) {
	t.Parallel()
	accepted := apply(t, base(), declares(), when("contains: {fact: ui.areas, value: web}"),
		sub(manifest, "aliases: [areas]}", "aliases: [areas], provider: ci.ui}"),
		sub(manifest, "version: 1\n", "version: 1\nproviders:\n  - {id: ci.ui, revision: 1, command: [look]}\n  - {id: ci.other, revision: 1, command: [look]}\n"))
	bare := apply(t, accepted, raise("api.names", 1, 2))
	q := mustJudge(t, accepted, bare).Open[0].Question
	definition := func(id string) string {
		return records.ProviderDefinition(authored.Provider{ID: id, Revision: 1, Command: []string{"look"}, TimeLimit: 60})
	}
	snapshotOf := func(files map[string][]byte) string {
		node, err := content.NewSnapshot(files)
		if err != nil {
			t.Fatal(err)
		}
		return node.ID
	}
	read := snapshotOf(map[string][]byte{"src/main.go": []byte("package main\n")})
	for _, row := range []struct {
		name string
		says decisionfile.Observation
		want int
	}{
		{"as declared", decisionfile.Observation{ID: "ci.ui", Definition: definition("ci.ui"), Inputs: read}, 1},
		{"another command", decisionfile.Observation{ID: "ci.ui", Definition: definition("ci.new"), Inputs: read}, 0},
		{"the provider of no fact", decisionfile.Observation{ID: "ci.other", Definition: definition("ci.other"), Inputs: read}, 0},
		{"over other files", decisionfile.Observation{ID: "ci.ui", Definition: definition("ci.ui"), Inputs: snapshotOf(map[string][]byte{"src/main.go": []byte("x")})}, 0},
		{"over none", decisionfile.Observation{ID: "ci.ui", Definition: definition("ci.ui")}, 0},
	} {
		row.says.Evidence = identity.Bytes([]byte("{}"))
		text, err := decisionfile.Format(decisionfile.Decision{
			Kind: q.Kind, Rationale: "looked", Principal: "ann", Questions: []any{q.Record}, Value: identity.List{"web"}, Provider: &row.says,
		})
		if err != nil {
			t.Fatal(err)
		}
		v := mustJudge(t, accepted, bare.With(contenttest.Files{"standards/decisions/_facts/x.yaml": string(text)}))
		got := 0
		for _, at := range authority.Reach(v.Root).References() {
			if at.Kind == "provider-authority" {
				got++
			}
		}
		if got != row.want || len(v.Counted) != 1 {
			t.Errorf("%s: %d authorities of providers, %d answers count", row.name, got, len(v.Counted))
		}
	}
}
