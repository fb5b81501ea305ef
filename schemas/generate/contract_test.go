package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/schemas"
)

const instances = 2000

func contract(t testing.TB) *schemas.Contract {
	t.Helper()
	c, err := schemas.Compile(schemas.Text())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func typeOf(t testing.TB, c *schemas.Contract, name string) *schemas.Type {
	t.Helper()
	if name == "document" {
		return c.Document.Type
	}
	def, ok := c.Find(name)
	if !ok {
		t.Fatalf("no definition %s", name)
	}
	return &schemas.Type{Kind: schemas.Ref, Def: def}
}

// defOf is how Read names a definition: the whole document is "".
func defOf(name string) string {
	if name == "document" {
		return ""
	}
	return name
}

// validators are the library's own, over every definition, set up as its documentation says.
func validators(t testing.TB) map[string]*jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemas.Text()))
	if err != nil {
		t.Fatal(err)
	}
	id := doc.(map[string]any)["$id"].(string)
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(id, doc); err != nil {
		t.Fatal(err)
	}
	all := map[string]*jsonschema.Schema{}
	for name := range wireDecoders {
		at := id
		if name != "document" {
			at += "#/$defs/" + name
		}
		if all[name], err = compiler.Compile(at); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// alone is the verdict of the library by itself; false for text that is no JSON.
func alone(validator *jsonschema.Schema, text []byte) bool {
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	return err == nil && validator.Validate(instance) == nil
}

// again decodes a tree to native types and writes these on one line.
func again(t testing.TB, name string, tree any) []byte {
	t.Helper()
	text, err := wire.Compact(wireDecoders[name](tree))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return text
}

func seeds(t testing.TB, stream uint64) maker {
	t.Helper()
	return maker{rand.New(rand.NewPCG(11, stream))}
}

// Every instance made from the compiled contract is valid, and comes back from the native types byte for byte.
func TestInstancesRoundTrip(t *testing.T) {
	t.Parallel()
	c, m, direct := contract(t), seeds(t, 1), validators(t)
	all := names()
	if len(all) < 50 {
		t.Fatalf("only %d definitions", len(all))
	}
	for i := range instances {
		name := all[i%len(all)]
		text := compact(nil, m.of(typeOf(t, c, name)))
		tree, err := schemas.Read(defOf(name), text)
		if err != nil || !alone(direct[name], text) {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		if got := again(t, name, tree); !bytes.Equal(got, text) {
			t.Fatalf("%s: written\n%s\ncame back as\n%s", name, text, got)
		}
		// The indented text that people get holds the same.
		indented, err := wire.JSON(wireDecoders[name](tree))
		if err != nil {
			t.Fatal(err)
		}
		same, err := schemas.Read(defOf(name), indented)
		if err != nil || !reflect.DeepEqual(same, tree) {
			t.Fatalf("%s: indented: %v", name, err)
		}
	}
}

// What the validator refuses is never decoded, and what is read is what the validator allows and comes back byte for byte.
func TestMutantsAreNeverDecodedWhereTheValidatorRefuses(t *testing.T) {
	t.Parallel()
	c, m, direct := contract(t), seeds(t, 2), validators(t)
	all := names()
	accepted, byValidator, before := 0, 0, map[string]int{}
	for i := range instances {
		name := all[i%len(all)]
		instance, how := m.mutate(m.of(typeOf(t, c, name)))
		text := compact(nil, instance)
		tree, err := schemas.Read(defOf(name), text)
		allowed := alone(direct[name], text)
		if err != nil {
			f := fault.As(err)
			if f == nil || f.Outcome != fault.Invalid || strings.ContainsAny(f.Error(), "\n\x00") || len(f.Error()) > 1500 {
				t.Fatalf("%s: %s: %q", name, how, err)
			}
			if f.Code == "JSON.SHAPE" {
				byValidator++
			} else {
				before[f.Code]++
			}
			if allowed && f.Code == "JSON.SHAPE" {
				t.Fatalf("%s: %s: refused here alone: %v\n%s", name, how, err, text)
			}
			continue
		}
		if accepted++; !allowed {
			t.Fatalf("%s: %s: read, though the validator refuses\n%s", name, how, text)
		}
		want := text
		if bytes.Contains(text, []byte(`\u0041`)) {
			want = bytes.ReplaceAll(text, []byte(`\u0041`), []byte("A")) // the one mutation that is not written as we write
		}
		if got := again(t, name, tree); !bytes.Equal(got, want) {
			t.Fatalf("%s: %s: written\n%s\ncame back as\n%s", name, how, text, got)
		}
	}
	t.Logf("%d read, %d refused by the validator, before it %v", accepted, byValidator, before)
	if accepted < 200 || byValidator < 800 || before["JSON.DUPLICATE_KEY"] < 20 || before["JSON.NUMBER"] < 20 || before["JSON.SYNTAX"] < 5 || before["JSON.ENCODING"] < 5 {
		t.Error("the mutants are not spread over what can happen")
	}
}

// A schema that stands alone gives the verdict of the definition that it was taken from: those of Standalone, and the
// input schemas of the tools, which hold no reference at all.
func TestSchemasThatStandAlone(t *testing.T) {
	t.Parallel()
	c, m, direct := contract(t), seeds(t, 3), validators(t)
	texts := map[string][][]byte{}
	for _, def := range c.Defs {
		text, ok := schemas.Standalone(def.Name)
		if !ok || !bytes.HasSuffix(text, []byte("}\n")) {
			t.Fatalf("%s does not stand alone", def.Name)
		}
		texts[def.Name] = append(texts[def.Name], text)
	}
	if _, ok := schemas.Standalone("nothing"); ok {
		t.Error("a schema of nothing")
	}
	var file struct {
		Interface, Request, Projection int
		Tools                          []struct {
			Name, Description string
			InputSchema       json.RawMessage
		}
	}
	if err := json.Unmarshal(schemas.AgentTools(), &file); err != nil {
		t.Fatal(err)
	}
	var tools []string
	for _, tool := range file.Tools {
		name := strings.TrimPrefix(tool.Name, "standards_") + "Request"
		tools, texts[name] = append(tools, tool.Name), append(texts[name], tool.InputSchema)
		var top map[string]any
		if err := json.Unmarshal(tool.InputSchema, &top); err != nil || top["type"] != "object" || top["oneOf"] != nil || bytes.Contains(tool.InputSchema, []byte(`"$`)) || tool.Description == "" {
			t.Errorf("%s does not stand alone: %v", tool.Name, err)
		}
	}
	if strings.Join(tools, " ") != "standards_query standards_prepare standards_resolve standards_inspect" {
		t.Errorf("tools: %v", tools)
	}
	for name, list := range texts {
		if wireDecoders[name] == nil {
			continue
		}
		for _, text := range list {
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			if err != nil {
				t.Fatal(name, err)
			}
			compiler := jsonschema.NewCompiler()
			if err := compiler.AddResource("https://alone.invalid/", doc); err != nil {
				t.Fatal(name, err)
			}
			standing, err := compiler.Compile("https://alone.invalid/")
			if err != nil {
				t.Fatal(name, err)
			}
			verdicts := map[bool]int{}
			for i := range 60 {
				instance := m.of(typeOf(t, c, name))
				if i%2 == 1 {
					instance, _ = m.mutate(instance)
				}
				text := compact(nil, instance)
				want := alone(direct[name], text)
				verdicts[want]++
				if alone(standing, text) != want {
					t.Errorf("%s standing alone does not say %v of %s", name, want, text)
				}
			}
			if verdicts[true] == 0 || verdicts[false] == 0 {
				t.Errorf("%s: verdicts %v", name, verdicts)
			}
		}
	}
}

// A decoder looks at no rule, and takes nothing that was not validated for something else.
func TestDecodersPanicOnWhatWasNotValidated(t *testing.T) {
	t.Parallel()
	for name, decode := range wireDecoders {
		for _, tree := range []any{nil, "text", []any{}, map[string]any{"result": "nothing", "kind": 1, "source": []any{}}} {
			func() {
				defer func() {
					_, isObject := tree.(map[string]any)
					// Every key may be absent or null, or takes any text.
					mayBeEmpty := isObject && slices.Contains([]string{"prepareRequest", "about", "providerClaim", "providerNoObservation"}, name)
					if said, _ := recover().(string); !strings.HasPrefix(said, "internal error: ") && !mayBeEmpty {
						t.Errorf("%s of %v: %q", name, tree, said)
					}
				}()
				decode(tree)
			}()
		}
	}
}

func FuzzRead(f *testing.F) {
	shapes, err := os.ReadDir("../testdata/shapes")
	if err != nil {
		f.Fatal(err)
	}
	for _, entry := range shapes {
		text, err := os.ReadFile("../testdata/shapes/" + entry.Name())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(strings.TrimSuffix(entry.Name(), ".json"), text)
	}
	direct := validators(f)
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		if wireDecoders[name] == nil {
			return
		}
		tree, err := schemas.Read(defOf(name), text)
		if err != nil {
			if fault.As(err) == nil {
				t.Fatalf("%v is no fault", err)
			}
			return
		}
		if !alone(direct[name], text) {
			t.Fatalf("%s: read, though the validator refuses: %q", name, text)
		}
		once := again(t, name, tree)
		same, err := schemas.Read(defOf(name), once)
		if err != nil || !reflect.DeepEqual(tree, same) || !bytes.Equal(once, again(t, name, same)) {
			t.Fatalf("%s: %q came back as %q: %v", name, text, once, err)
		}
	})
}
