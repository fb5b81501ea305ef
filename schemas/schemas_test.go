package schemas_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/schemas"
)

// defOf is the schema that checks an example of testdata/shapes, the literal shapes of SHAPES.md with every … filled in.
func defOf(name string) string {
	if name == "submission" || strings.HasSuffix(name, "Request") {
		return name
	}
	return ""
}

func examples(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("testdata/shapes/*.json")
	if err != nil || len(names) != 25 {
		t.Fatal(names, err)
	}
	all := map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(name), ".json")] = text
	}
	return all
}

func TestExamplesPass(t *testing.T) {
	t.Parallel()
	for name, text := range examples(t) {
		if err := schemas.Validate(defOf(name), text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := schemas.Validate(name, text); err != nil {
			t.Errorf("%s by its own name: %v", name, err)
		}
	}
}

// enums are the keys of SHAPES whose values come from a closed list.
var enums = []string{"result", "source", "kind", "reason", "state", "who", "trust", "coverage", "outcome", "severity", "capability", "role",
	"level", "relation", "direction", "applicability"}

// optional are the keys that may be absent: those of requests.
var optional = []string{"evidence", "groups", "direction", "transitive", "accepted", "proposed", "analysis", "stage"}

// isHandle tells the one object whose kind is open: codec sets, not the schema, close it.
func isHandle(object map[string]any) bool {
	return object["id"] != nil && object["schema_version"] != nil
}

// mutations calls try with every document that differs from the example by one key removed, one key added, one value
// outside its list, or one value of another type, and says what was done.
func mutations(document any, try func(what string)) {
	var walk func(at any, place string)
	walk = func(at any, place string) {
		switch v := at.(type) {
		case map[string]any:
			for key, old := range v {
				here := place + "/" + key
				delete(v, key)
				isAnswer := key == "result" && v["rationale"] != nil // which may have a value instead
				if isResult := v["schema_version"] != nil || v["applicability"] != nil; isResult || !slices.Contains(optional, key) && !isAnswer {
					try("without " + here)
				}
				v[key+"x"] = old
				try("misspelt " + here)
				delete(v, key+"x")
				if key != "payload" { // which may be of any type
					v[key] = []any{map[string]any{}}
					try("another type at " + here)
				}
				if _, isText := old.(string); isText && slices.Contains(enums, key) && !isHandle(v) && (key != "source" || v["relation"] == nil) &&
					(key != "result" || v["principal"] == nil) && (key != "kind" || v["bytes"] == nil) { // of a decision: a fact has any value; of stored objects: any kind
					v[key] = "nonsense"
					try("unknown value at " + here)
				}
				v[key] = old
			}
			if v["state"] == "installed" {
				v["name"] = "post-checkout"
				try("unknown hook")
				v["name"] = "pre-commit"
			}
			v["extra"] = nil
			try("one key more in " + place)
			delete(v, "extra")
			for key, item := range v {
				if key != "payload" {
					walk(item, place+"/"+key)
				}
			}
		case []any:
			for i, item := range v {
				v[i] = 1.0
				try("a number in " + place)
				v[i] = item
				walk(item, place+"/0")
			}
		}
	}
	walk(document, "#")
}

func TestEveryDeviationIsRefused(t *testing.T) {
	t.Parallel()
	for name, text := range examples(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var document any
			if err := json.Unmarshal(text, &document); err != nil {
				t.Fatal(err)
			}
			count := 0
			mutations(document, func(what string) {
				count++
				changed, err := json.Marshal(document)
				if err != nil {
					t.Fatal(err)
				}
				err = schemas.Validate(defOf(name), changed)
				f := fault.As(err)
				if f == nil || f.Code != "JSON.SHAPE" || f.Outcome != fault.Invalid || !strings.HasPrefix(f.Target, "#") {
					t.Errorf("%s: %v", what, err)
				} else if strings.Contains(f.Message, "jsonschema") || strings.Contains(f.Message, "testdata") || len(f.Message) > 700 {
					t.Errorf("%s: message %q", what, f.Message)
				}
			})
			if count < 4 {
				t.Errorf("only %d deviations", count)
			}
		})
	}
}

func replace(t *testing.T, name, old, now string) []byte {
	t.Helper()
	text := string(examples(t)[name])
	if !strings.Contains(text, old) {
		t.Fatalf("%s holds no %s", name, old)
	}
	return []byte(strings.Replace(text, old, now, 1))
}

func TestMessages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		document        []byte
		def             string
		target, message string
	}{
		{replace(t, "pending", `"who": "mine"`, `"who": "yours"`), "", "#/questions/0/who", `found "yours"; allowed: "mine", "awaiting"`},
		{replace(t, "pending", `"stored": true`, `"stored": "yes"`), "", "#/stored", `found "yes"; allowed: boolean`},
		{replace(t, "pending", `"stored": true,`, ``), "", "#", `missing: "stored"`},
		{replace(t, "pending", `"stored": true`, `"stored": true, "stord": 1`), "", "#", `found the unknown key "stord"`},
		{replace(t, "pending", `"schema_version": 11`, `"schema_version": 12`), "", "#/schema_version", `found 12; allowed: 11`},
		{replace(t, "pending", `"result": "pending"`, `"result": "waiting"`), "", "#/result",
			`found "waiting"; allowed: "pending", "complete", "adoption", "rejected", "lint", "inspection", "closure", "projection", "init", "adopted", "moved", "hooks", "pruned", "audit", "tests", "store-check", "store-copy", "store-stat", "doctor", "version", "navigation", "graph", "schemas"`},
		{replace(t, "pending", `"branch": "refs/remotes/origin/main"`, `"branch": 1`), "", "#/base/branch", `found 1; allowed: null, string`},
		{replace(t, "pending", `"why": "gate.base"`, `"why": ""`), "", "#/base/why", `found ""; allowed: at least 1 character`},
		{replace(t, "submission", `"result": "updated"`, `"result": "done"`), "submission", "#/answers/0/result",
			`found "done"; allowed: "updated", "no-change", "not-applicable", "no-impact", "complete", "value", "absent", "waiver", "blocked"`},
		{[]byte(`{"schema_version":11,"answers":[]}`), "submission", "#/answers", `found an array of 0 items; allowed: at least 1 item`},
		{[]byte(`[]`), "submission", "#", `found an array of 0 items; allowed: object`},
		{[]byte(`[]`), "", "#", `found an array of 0 items; allowed: object`},
		{[]byte(`null`), "", "#", `found null; allowed: object`},
		{replace(t, "submission", `"evidence": []`, `"evidence": ["a", "b", "a"]`), "submission", "#/answers/1/evidence", `items 0 and 2 are equal`},
		{replace(t, "submission", `"no-change"`, `"done", "Rationale": ""`), "submission", "#/answers/1", `found the unknown key "Rationale"; allowed: question, result, value, rationale, evidence (and 1 more)`},
		{replace(t, "inspection", `"question:sha256:`, `"question:sha1:`), "", "#/handle/id", "allowed: a stored object's id in data"},
	} {
		err := schemas.Validate(c.def, c.document)
		f := fault.As(err)
		if f == nil || f.Target != c.target || !strings.Contains(f.Message, c.message) {
			t.Errorf("got %v\nwant %s: %s", err, c.target, c.message)
		}
	}
}

func TestTextThatIsNotStrictJSON(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 65) + strings.Repeat("]", 65)
	for _, c := range []struct{ text, code, target string }{
		{"", "JSON.SYNTAX", "#"},
		{" ", "JSON.SYNTAX", "#"},
		{"{", "JSON.SYNTAX", "#"},
		{"{} {}", "JSON.SYNTAX", "#"},
		{"{}x", "JSON.SYNTAX", "#"},
		{"\ufeff{}", "JSON.SYNTAX", "#"},
		{"// no\n{}", "JSON.SYNTAX", "#"},
		{"{'a':1}", "JSON.SYNTAX", "#"},
		{"[1,]", "JSON.SYNTAX", "#"},
		{"[NaN]", "JSON.SYNTAX", "#"},
		{"[01]", "JSON.SYNTAX", "#"},
		{strings.Repeat("[", 20_000), "JSON.DEPTH", "#" + strings.Repeat("/0", 64)},
		{"\"\xff\"", "JSON.ENCODING", "#"},
		{`"\ud800"`, "JSON.ENCODING", "#"},
		{`"\udc00"`, "JSON.ENCODING", "#"},
		{`"\ud800\u0041"`, "JSON.ENCODING", "#"},
		{`"\ud800x\udc00"`, "JSON.ENCODING", "#"},
		{`"\\\ud800"`, "JSON.ENCODING", "#"},
		{`{"\ud83d":1}`, "JSON.ENCODING", "#"},
		{`{"a":1,"a":1}`, "JSON.DUPLICATE_KEY", "#/a"},
		{`{"a":{"b/c~":[{},{"x":1,"\u0078":2}]}}`, "JSON.DUPLICATE_KEY", "#/a/b~1c~0/1/x"},
		{"[1.5]", "JSON.NUMBER", "#/0"},
		{"[1e1000000]", "JSON.NUMBER", "#/0"},
		{"[1E2]", "JSON.NUMBER", "#/0"},
		{"[-0]", "JSON.NUMBER", "#/0"},
		{"[" + strings.Repeat("0,", schemas.MaxValues-1) + "0]", "JSON.TOO_MANY", "#"},
		{"[" + strings.Repeat(`{"a":0},`, schemas.MaxValues/3) + "0]", "JSON.TOO_MANY", "#"},
		{"[" + strings.Repeat("1", 65) + "]", "JSON.NUMBER", "#/0"},
		{deep, "JSON.DEPTH", "#" + strings.Repeat("/0", 64)},
		{strings.Repeat(" ", schemas.MaxDocument+1), "JSON.TOO_LARGE", "#"},
		// Strict, though no document of ours.
		{`"\ud83d\ude00 \\ud800 \u0000"`, "JSON.SHAPE", "#"},
		{deep[1 : len(deep)-1], "JSON.SHAPE", "#"},
		{"[" + strings.Repeat("1", 64) + "]", "JSON.SHAPE", "#"},
		{"[" + strings.Repeat("0,", schemas.MaxValues-2) + "0]", "JSON.SHAPE", "#"},
	} {
		err := schemas.Validate("", []byte(c.text))
		if !fault.Is(err, c.code) || fault.As(err).Target != c.target {
			t.Errorf("%.40q: %v, want %s at %s", c.text, err, c.code, c.target)
		}
	}
}

// Bounded: megabytes of every shape that could cost more than its size are refused in seconds, with a short message.
func TestHostileDocumentsCostLittle(t *testing.T) {
	t.Parallel()
	answer := `{"question":"0000000","result":"x","rationale":"x","evidence":[` + strings.TrimSuffix(strings.Repeat(`"a",`, 1000), ",") + `]},`
	var keys strings.Builder
	for i := range 100_000 {
		keys.WriteString(`"k` + strings.Repeat("x", i%40) + string(rune(0x4e00+i%20000)) + string(rune(0x100+i/20000)) + `":1,`)
	}
	for name, text := range map[string]string{
		"many unknown keys": `{` + keys.String() + `"z":1}`,
		"many answers":      `{"schema_version":11,"answers":[` + strings.Repeat(answer, 500) + `1]}`,
		"much evidence":     `{"schema_version":11,"answers":[{"question":"0000000","result":"updated","rationale":"x","evidence":["` + strings.Join(distinct(100_000), `","`) + `",""]}]}`,
		"a long key":        `{"` + strings.Repeat("k", 4<<20) + `":1,"` + strings.Repeat("k", 4<<20) + `":1}`,
		"a long string":     `{"schema_version":11,"answers":"` + strings.Repeat(`\u0041`, 1<<20) + `"}`,
		"a long pattern":    `{"schema_version":11,"answers":[{"question":"` + strings.Repeat("0", 4<<20) + `x","result":"updated","rationale":"x","evidence":[]}]}`,
		"many numbers":      `[` + strings.Repeat("123456789,", 1<<18) + `1]`,
		"schema keywords":   `{"$ref":"file:///etc/hostname","$id":"x","$schema":"file:///etc/hostname","__proto__":{}}`,
	} {
		start := time.Now()
		err := schemas.Validate("submission", []byte(text))
		f := fault.As(err)
		if f == nil || len(f.Error()) > 1000 {
			t.Errorf("%s: %.300v", name, err)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func distinct(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = "d/" + strings.Repeat("a", i%50) + string(rune(0x4e00+i%20000)) + string(rune(0x100+i/20000))
	}
	return names
}

// A closed schema with open corners would let a key through unseen: every object says what it allows.
func TestEveryObjectIsClosed(t *testing.T) {
	t.Parallel()
	var root map[string]any
	if err := json.Unmarshal(schemas.Text(), &root); err != nil {
		t.Fatal(err)
	}
	var walk func(at any, place string)
	walk = func(at any, place string) {
		schema, ok := at.(map[string]any)
		if !ok {
			return
		}
		if properties, ok := schema["properties"].(map[string]any); ok {
			required, _ := schema["required"].([]any)
			mayLack := strings.HasSuffix(place, "Request") || strings.HasSuffix(place, "Query") || place == "$defs/answer" ||
				place == "$defs/providerNoObservation" // what others write may leave out what they have nothing to say about
			if schema["additionalProperties"] != false || len(required) != len(properties) && !mayLack {
				t.Errorf("%s is not closed", place)
			}
			for key, property := range properties {
				walk(property, place+"/"+key)
			}
		}
		walk(schema["items"], place+"/items")
		if schema["description"] == nil && schema["$ref"] == nil && strings.HasPrefix(place, "$defs/") && strings.Count(place, "/") == 1 {
			t.Errorf("%s has no description", place)
		}
	}
	for name, def := range root["$defs"].(map[string]any) {
		walk(def, "$defs/"+name)
	}
}

func FuzzValidate(f *testing.F) {
	for _, text := range examples(f) {
		f.Add(text)
	}
	for _, text := range []string{`{"a":1,"a":2}`, `"\ud800"`, `[1e9]`, `{"result":"pending"}`, "\xff", `{} {}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, def := range []string{"", "submission"} {
			err := schemas.Validate(def, text)
			if err == nil {
				if !json.Valid(text) {
					t.Fatalf("%q passes", text)
				}
			} else if fault.As(err) == nil {
				t.Fatalf("%q: %v is no fault", text, err)
			}
		}
	})
}
