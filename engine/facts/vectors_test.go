package facts_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/identity"
)

type (
	record = identity.Record
	list   = identity.List
)

var (
	visible = facts.Contract{ID: "ui.visible", Revision: 1, Type: facts.TypeBoolean, Context: facts.ContextChange, Capability: facts.Capability, Aliases: []string{"visible"}}
	risk    = facts.Contract{ID: "risk", Revision: 3, Type: facts.TypeEnum, Nullable: true, Values: []string{"low", "high"}, Context: facts.ContextChange, Capability: facts.Capability}
	owner   = facts.Contract{ID: "owner.name", Revision: 1, Type: facts.TypeString, Nullable: true, Context: facts.ContextChange, Capability: facts.Capability}
	areas   = facts.Contract{ID: "task.areas", Revision: 1, Type: facts.TypeEnumSet, Values: []string{"api", "ui"}, Context: facts.ContextTask, Capability: facts.Capability}
	touched = facts.Contract{ID: "touched.module", Revision: 1, Type: facts.TypeCanonicalID, Context: facts.ContextChange, Capability: facts.Capability}
	schema  = facts.NewSchema(visible, risk, owner, areas, touched)
)

func all(of ...any) record { return record{"operator": "all", "of": of} }
func anyOf(of ...any) record {
	return record{"operator": "any", "of": of}
}
func not(of record) record { return record{"operator": "not", "of": of} }
func equals(fact string, value any) record {
	return record{"operator": "equals", "fact": fact, "value": value}
}
func contains(fact string, value any) record {
	return record{"operator": "contains", "fact": fact, "value": value}
}
func in(fact string, values ...any) record {
	return record{"operator": "in", "fact": fact, "values": values}
}
func exists(fact string) record { return record{"operator": "exists", "fact": fact} }
func matches(fact string, pattern string) record {
	return record{"operator": "matches", "fact": fact, "glob": pattern}
}

func compile(t testing.TB, e record, s *facts.Schema) *facts.Program {
	t.Helper()
	p, err := facts.Compile(e, s)
	if err != nil {
		t.Fatalf("%v: %v", e, err)
	}
	return p
}

// The tests of engine/identity let python3 recompute the file.
func TestVectors(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct{ Name, ID string }
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, id := range schema.IDs() {
		contract, _ := schema.Find(id)
		got["contract "+id] = contract.Digest()
	}
	for name, e := range map[string]record{
		"always":   {"operator": "always"},
		"equals":   equals("visible", true),
		"in":       in("risk", "low", "high", "low"),
		"contains": contains("change.kinds", "deleted"),
		"exists":   exists("owner.name"),
		"matches":  matches("change.paths", "src/**/*.go"),
		"nested": all(not(contains("change.extensions", "md")),
			anyOf(equals("ui.visible", true), equals("risk", "high"), equals("visible", true))),
	} {
		got["program "+name] = compile(t, e, schema).Digest()
	}
	for _, v := range vectors {
		if got[v.Name] != v.ID {
			t.Errorf("%s: got %q, want %s", v.Name, got[v.Name], v.ID)
		}
		delete(got, v.Name)
	}
	if len(got) > 0 || len(vectors) < 15 {
		t.Errorf("%d vectors; none for %v", len(vectors), got)
	}
}
