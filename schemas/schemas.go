// Package schemas is the JSON Schema texts of the public interface and the check of a document against them.
//
// It promises that a document which passes is one JSON value without two readings (strict, see Validate) and has exactly
// the keys and values that the schema allows. It reads nothing from disk or network, whatever a schema refers to, and
// compiles a schema only when one is asked for, so that start-up pays nothing.
package schemas

import (
	"bytes"
	_ "embed"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed standards.v11.schema.json
var text []byte

const location = "https://git-standards.invalid/schemas/standards.v11.schema.json"

// Text returns the JSON Schema (Draft 2020-12) of interface 11.
func Text() []byte { return bytes.Clone(text) }

// Validate checks document against the schema of all results (def "") or against one of its $defs, such as "pending" or
// "submission". A document that is refused is an invalid fault whose target is the place as a JSON pointer ("#/answers/0")
// and whose message says what was found and what is allowed. The codes: JSON.TOO_LARGE, JSON.TOO_MANY, JSON.ENCODING,
// JSON.SYNTAX, JSON.DEPTH, JSON.DUPLICATE_KEY, JSON.NUMBER for text that is not strict JSON, JSON.SHAPE for the rest.
func Validate(def string, document []byte) error {
	_, err := Read(def, document)
	return err
}

// Read is Validate, and returns the tree of values that was validated: map[string]any, []any, string, json.Number, bool
// and nil. What is decoded from that tree and not from the text is what was checked.
func Read(def string, document []byte) (any, error) {
	tree, err := strict(document)
	if err != nil {
		return nil, err
	}
	refused, err := validate(def, tree)
	switch {
	case err != nil:
		return nil, err
	case refused != nil:
		return nil, explain(refused, tree)
	}
	return tree, nil
}

var cache struct {
	sync.Mutex
	compiler *jsonschema.Compiler
	root     map[string]any
}

func compiled(def string) (*jsonschema.Schema, error) {
	cache.Lock()
	defer cache.Unlock()
	if cache.compiler == nil {
		compiler, root, err := newCompiler(location, text)
		if err != nil {
			panic("internal error: the embedded schema is refused: " + err.Error())
		}
		cache.compiler, cache.root = compiler, root
	}
	at := location
	if def != "" {
		if _, known := cache.root["$defs"].(map[string]any)[def]; !known {
			panic(fmt.Sprintf("internal error: no schema named %q", def))
		}
		at += "#/$defs/" + def
	}
	return cache.compiler.Compile(at)
}

// newCompiler sets the validator up for one text, which it knows by url and beside which it loads nothing.
func newCompiler(url string, text []byte) (*jsonschema.Compiler, map[string]any, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, nil, fmt.Errorf("reading a schema: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(deny{})
	if err := compiler.AddResource(url, doc); err != nil {
		return nil, nil, fmt.Errorf("adding a schema: %w", err)
	}
	root, _ := doc.(map[string]any)
	return compiler, root, nil
}

// check has the validator compile a text and each of its definitions.
func check(text []byte) error {
	compiler, root, err := newCompiler(location, text)
	if err != nil {
		return err
	}
	if _, err := compiler.Compile(location); err != nil {
		return fmt.Errorf("compiling a schema: %w", err)
	}
	for name := range root["$defs"].(map[string]any) {
		if _, err := compiler.Compile(location + "#/$defs/" + name); err != nil {
			return fmt.Errorf("compiling a schema: %w", err)
		}
	}
	return nil
}

// deny is the loader that loads nothing: the library's own would open files that a schema names.
type deny struct{}

func (deny) Load(url string) (any, error) { return nil, fmt.Errorf("schema %q is not embedded", url) }

// description returns the description of the embedded schema at a place, or "".
func description(url string) string {
	cache.Lock()
	defer cache.Unlock()
	var at any = cache.root
	for _, step := range pointerSteps(url) {
		object, _ := at.(map[string]any)
		at = object[step]
	}
	object, _ := at.(map[string]any)
	s, _ := object["description"].(string)
	return s
}
