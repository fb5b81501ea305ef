// Package schemas is the JSON Schema texts of the public interface and the check of a document against them.
//
// It promises that a document which passes is one JSON value without two readings (strict, see Validate) and has exactly
// the keys and values that the schema allows. It reads nothing from disk or network, whatever a schema refers to, and
// compiles a schema only when one is asked for, so that start-up pays nothing.
package schemas

import (
	"bytes"
	_ "embed"
	"errors"
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
// and whose message says what was found and what is allowed. The codes: JSON.TOO_LARGE, JSON.ENCODING, JSON.SYNTAX,
// JSON.DEPTH, JSON.DUPLICATE_KEY, JSON.NUMBER for text that is not strict JSON, JSON.SHAPE for the rest.
func Validate(def string, document []byte) error {
	value, err := strict(document)
	if err != nil {
		return err
	}
	schema, err := compiled(def)
	if err != nil {
		return err
	}
	err = schema.Validate(value)
	var refused *jsonschema.ValidationError
	if errors.As(err, &refused) {
		return explain(refused, value)
	}
	if err != nil {
		return fmt.Errorf("validating: %w", err)
	}
	return nil
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
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			panic("internal error: the embedded schema is not JSON")
		}
		compiler := jsonschema.NewCompiler()
		compiler.UseLoader(deny{})
		if err := compiler.AddResource(location, doc); err != nil {
			panic("internal error: the embedded schema is refused")
		}
		cache.compiler, cache.root = compiler, doc.(map[string]any)
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
