package records_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/corpus/records"
)

// The vectors are checked by scripts/identity_vectors.py, from doc/identity.md alone.
func TestProviderDefinitions(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct{ Name, Kind, Value, ID string }
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, v := range vectors {
		if v.Kind != "provider-definition" {
			continue
		}
		var p struct {
			ID        string
			Revision  int64
			Command   []string
			TimeLimit int64 `json:"time_limit"`
		}
		if err := json.Unmarshal([]byte(v.Value), &p); err != nil {
			t.Fatal(v.Name, err)
		}
		got := records.ProviderDefinition(authored.Provider{Line: 7, ID: p.ID, Revision: p.Revision, Command: p.Command, TimeLimit: p.TimeLimit})
		if got != v.ID || seen[got] != "" {
			t.Errorf("%s: %s, not %s; beside %s", v.Name, got, v.ID, seen[got])
		}
		seen[got] = v.Name
	}
	if len(seen) < 7 {
		t.Fatalf("only %d vectors", len(seen))
	}
}
