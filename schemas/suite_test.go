package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/git-standards/git-standards/engine/fault"
)

type suiteGroup struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

func suite(t testing.TB) map[string][]suiteGroup {
	t.Helper()
	names, err := filepath.Glob("testdata/suite/*.json")
	if err != nil || len(names) != 21 {
		t.Fatal(names, err)
	}
	all := map[string][]suiteGroup{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var groups []suiteGroup
		if err := json.Unmarshal(text, &groups); err != nil {
			t.Fatal(name, err)
		}
		all[filepath.Base(name)] = groups
	}
	return all
}

// direct is the library as its own documentation uses it.
func direct(schema, data []byte) (bool, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return false, err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("https://example.invalid/schema", doc); err != nil {
		return false, err
	}
	compiled, err := compiler.Compile("https://example.invalid/schema")
	if err != nil {
		return false, err
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return false, err
	}
	return compiled.Validate(instance) == nil, nil
}

// through is the same through this package: its strict reading, its set-up, its loader.
func through(schema, data []byte) (bool, error) {
	compiler, _, err := newCompiler("https://example.invalid/schema", schema)
	if err != nil {
		return false, err
	}
	compiled, err := compiler.Compile("https://example.invalid/schema")
	if err != nil {
		return false, err
	}
	instance, err := strict(data)
	if err != nil {
		return false, err
	}
	return compiled.Validate(instance) == nil, nil
}

var fraction = regexp.MustCompile(`^found -?[0-9]+\.[0-9]+;`)

// Adapter parity: whatever strict reading lets through gets the same verdict here, from the library alone and from the
// suite. What it refuses before is counted by its reason, exactly.
func TestSuite(t *testing.T) {
	t.Parallel()
	compared, refused := 0, map[string]int{}
	for file, groups := range suite(t) {
		for _, group := range groups {
			for _, test := range group.Tests {
				name := file + ": " + group.Description + ": " + test.Description
				alone, err := direct(group.Schema, test.Data)
				if err != nil {
					t.Errorf("%s: the library: %v", name, err)
				}
				ours, err := through(group.Schema, test.Data)
				if f := fault.As(err); f != nil {
					reason := "other"
					if fraction.MatchString(f.Message) {
						reason = "fraction"
					}
					refused[f.Code+" "+reason]++
					continue
				}
				if compared++; err != nil || ours != alone || ours != test.Valid {
					t.Errorf("%s: %v here, %v alone, %v in the suite: %v", name, ours, alone, test.Valid, err)
				}
			}
		}
	}
	// Fractions stand nowhere in the interface, 1.0 neither; the files of these keywords hold nothing else that is refused.
	want := map[string]int{"JSON.NUMBER fraction": 51}
	if t.Logf("%d cases compared, refused before: %v", compared, refused); compared != 502 || !maps.Equal(refused, want) {
		t.Errorf("want 502 and %v", want)
	}
}

// The library by itself opens the files that a schema names; through this package nothing is loaded.
func TestNothingIsLoaded(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "any.json")
	if err := os.WriteFile(file, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	schema := fmt.Appendf(nil, `{"$ref":%q}`, "file://"+filepath.ToSlash(file))
	if valid, err := direct(schema, []byte("0")); err != nil || !valid {
		t.Errorf("the danger is none: %v %v", valid, err)
	}
	if _, err := through(schema, []byte("0")); err == nil || !strings.Contains(err.Error(), "is not embedded") {
		t.Errorf("a file was opened: %v", err)
	}
}
