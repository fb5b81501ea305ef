package schemas_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/git-standards/git-standards/schemas"
)

// Every name that is listed is listed once, has one line, and names a schema that stands alone.
func TestEveryListedSchemaStandsAlone(t *testing.T) {
	t.Parallel()
	list := schemas.List()
	var names []string
	kinds := map[string]int{}
	for _, entry := range list {
		kinds[entry.Kind]++
		if slices.Contains(names, entry.Name) || entry.Title == "" || strings.ContainsAny(entry.Title, "\n") {
			t.Errorf("%+v", entry)
		}
		names = append(names, entry.Name)
		text, ok := schemas.Named(entry.Name)
		if !ok {
			t.Errorf("%s has no schema", entry.Name)
			continue
		}
		if entry.Kind == "tools" {
			continue
		}
		schema, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(entry.Name, err)
		}
		compiler := jsonschema.NewCompiler()
		compiler.UseLoader(nothing{})
		if err := compiler.AddResource("x:x", schema); err != nil {
			t.Fatal(entry.Name, err)
		}
		if _, err := compiler.Compile("x:x"); err != nil {
			t.Errorf("%s: %v", entry.Name, err)
		}
	}
	if kinds["authored"] != 5 || kinds["document"] != 1 || kinds["tools"] != 1 || kinds["request"] != 6 || kinds["result"] < 15 || kinds["part"] < 40 {
		t.Errorf("%v", kinds)
	}
	var root struct {
		Defs map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(schemas.Text(), &root); err != nil || len(list) != len(root.Defs)+7 {
		t.Errorf("%d listed of %d definitions: %v", len(list), len(root.Defs), err)
	}
	// One name has two meanings; both can be asked for.
	file, _ := schemas.Named("decision")
	part, _ := schemas.Named("defs/decision")
	if !strings.Contains(string(file), "rationale") || !strings.Contains(string(part), "counted") {
		t.Error("decision and defs/decision")
	}
	for file, name := range map[string]string{
		"standards": "document", "standards.v11.schema.json": "document", "manifest.schema.json": "manifest", "agent-tools.json": "agent-tools",
	} {
		text, _ := schemas.Named(name)
		if got, ok := schemas.Named(file); !ok || string(got) != string(text) {
			t.Errorf("%s is not %s", file, name)
		}
	}
	for _, unknown := range []string{"", ".json", "nothing", "defs/", "defs/manifest", "#/$defs/pending", "../standards"} {
		if _, ok := schemas.Named(unknown); ok {
			t.Errorf("%q names a schema", unknown)
		}
	}
}

type nothing struct{}

func (nothing) Load(url string) (any, error) { return nil, fmt.Errorf("%s is not embedded", url) }
