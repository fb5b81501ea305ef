package schemas_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/schemas"
)

// An editor shows what a key is for and marks what is none: every object is closed, but for the two that hold what others
// decide, and every property and entry is described.
func TestAuthoredSchemasAreClosedAndDescribed(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir("authored")
	if err != nil || len(files) != len(schemas.AuthoredNames()) {
		t.Fatal(files, err)
	}
	open := []string{"module#", "decision#/$defs/record", "decision#/$defs/value"} // other tools' keys; whatever was asked
	for _, name := range schemas.AuthoredNames() {
		text, ok := schemas.Authored(name)
		if !ok {
			t.Fatal(name)
		}
		var root map[string]any
		if err := json.Unmarshal(text, &root); err != nil {
			t.Fatal(err)
		}
		defs, _ := root["$defs"].(map[string]any)
		described := func(schema map[string]any) bool {
			if ref, ok := schema["$ref"].(string); ok && schema["description"] == nil {
				schema, _ = defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
			}
			text, _ := schema["description"].(string)
			return text != "" && (strings.HasSuffix(text, ".") || strings.HasSuffix(text, ")") || strings.HasSuffix(text, "characters"))
		}
		var walk func(schema map[string]any, place string)
		walk = func(schema map[string]any, place string) {
			properties, isObject := schema["properties"].(map[string]any)
			if isObject && schema["additionalProperties"] != false && !slices.Contains(open, place) {
				t.Errorf("%s is not closed", place)
			}
			if !described(schema) {
				t.Errorf("%s is not described", place)
			}
			for key, property := range properties {
				walk(property.(map[string]any), place+"/"+key)
			}
			if items, ok := schema["items"].(map[string]any); ok {
				walk(items, place+"/items")
			}
		}
		walk(root, name+"#")
		for def, schema := range defs {
			walk(schema.(map[string]any), name+"#/$defs/"+def)
		}
	}
	if _, ok := schemas.Authored("pending"); ok {
		t.Error("pending is no authored format")
	}
}
