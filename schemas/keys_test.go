package schemas_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/schemas"
)

// Every name that stands below a "properties" of an authored schema is listed, the records of questions aside, and each says what it is.
func TestEveryKeyIsListed(t *testing.T) {
	t.Parallel()
	for _, name := range schemas.AuthoredNames() {
		text, _ := schemas.Authored(name)
		var schema map[string]any
		if err := json.Unmarshal(text, &schema); err != nil {
			t.Fatal(err)
		}
		delete(schema["$defs"].(map[string]any), "record")
		want := map[string]bool{}
		propertyNames(schema, want)
		for _, key := range schemas.ExpressionKeys() {
			delete(want, key.Path[strings.LastIndex(key.Path, ".")+1:])
		}
		for _, key := range schemas.Keys(name) {
			delete(want, key.Path[strings.LastIndex(key.Path, ".")+1:])
			if key.Meaning == "" || key.Value == "" {
				t.Errorf("%s: %+v says too little", name, key)
			}
		}
		if len(want) > 0 {
			t.Errorf("%s: %v are not listed", name, want)
		}
	}
}

func propertyNames(value any, names map[string]bool) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			propertyNames(item, names)
		}
	case map[string]any:
		if properties, ok := value["properties"].(map[string]any); ok {
			for name := range properties {
				names[name] = true
			}
		}
		for _, item := range value {
			propertyNames(item, names)
		}
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	for _, want := range []struct {
		format   string
		path     string
		required bool
		value    string
	}{
		{"manifest", "modules", true, "list of text"},
		{"manifest", "gate.protected", false, "text, or list of text"},
		{"manifest", "routing.rules[].when", true, "expression"},
		{"manifest", "horizon.exclude[].reason", true, "text"},
		{"module", "standard.level", true, "one of MUST, SHOULD, PROFILE, REFERENCE"},
		{"module", "standard.units[].revision", true, "integer"},
		{"authority", "revocations.revoked[].key", false, "text"},
		{"decision", "members[].blob", true, "text"},
	} {
		at := slices.IndexFunc(schemas.Keys(want.format), func(k schemas.Key) bool { return k.Path == want.path })
		if at < 0 {
			t.Errorf("%s: no %s", want.format, want.path)
		} else if got := schemas.Keys(want.format)[at]; got.Required != want.required || got.Value != want.value {
			t.Errorf("%s: %+v", want.format, got)
		}
	}
}
