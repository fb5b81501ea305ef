package main

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// everyForm is an object with every form of property that the profile admits, many of which the schema does not use.
const everyForm = `"everyForm": {"description": "d", "type": "object", "properties": {
	"a": {"description": "d", "type": ["string", "null"], "maxLength": 1},
	"b": {"description": "d", "type": ["integer", "null"], "minimum": 0, "maximum": 1},
	"c": {"description": "d", "type": ["boolean", "null"]},
	"d": {"description": "d", "type": ["array", "null"], "items": {"type": ["string", "null"], "maxLength": 1}, "maxItems": 1},
	"e": {"description": "d", "anyOf": [{"type": "array", "items": {"type": "array", "items": {"$ref": "#/$defs/side"}, "maxItems": 1}, "maxItems": 1}, {"type": "null"}]},
	"f": {"description": "d", "anyOf": [{"$ref": "#/$defs/proposedSide"}, {"type": "null"}]},
	"g": {"description": "d", "anyOf": [{"$ref": "#/$defs/everyForm"}, {"type": "null"}]},
	"h": {"description": "d", "anyOf": [{"$ref": "#/$defs/name"}, {"type": "null"}]},
	"i": {"description": "d", "anyOf": [{"$ref": "#/$defs/heading"}, {"type": "null"}]},
	"j": {"$ref": "#/$defs/canonicalValue"},
	"k": {"description": "d", "type": "array", "items": {"anyOf": [{"$ref": "#/$defs/side"}, {"type": "null"}]}, "maxItems": 1},
	"l": {"description": "d", "type": "array", "items": {"anyOf": [{"$ref": "#/$defs/heading"}, {"type": "null"}]}, "maxItems": 1},
	"m": {"description": "d", "type": "array", "items": {"anyOf": [{"$ref": "#/$defs/proposedSide"}, {"type": "null"}]}, "maxItems": 1},
	"n": {"description": "d", "enum": [1, 2]},
	"o": {"$ref": "#/$defs/side"},
	"p": {"$ref": "#/$defs/proposedSide"},
	"q": {"$ref": "#/$defs/group"},
	"r": {"$ref": "#/$defs/heading"},
	"s": {"$ref": "#/$defs/everyForm"},
	"t": {"description": "d", "type": "integer", "minimum": 0, "maximum": 1},
	"u": {"description": "d", "type": "array", "items": {"$ref": "#/$defs/canonicalValue"}, "maxItems": 1},
	"v": {"$ref": "#/$defs/name"},
	"w": {"$ref": "#/$defs/factValue"},
	"x": {"description": "d", "anyOf": [{"$ref": "#/$defs/factValue"}, {"type": "null"}]}
	}, "required": ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "x"], "additionalProperties": false},
	"role": {`

// What is generated from any admitted schema is Go that the hand-written part of engine/wire compiles with.
func TestEveryAdmittedFormCompiles(t *testing.T) {
	t.Parallel()
	files, err := generate(changed(t, `"role": {`, everyForm))
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var parsed []*ast.File
	parse := func(name string, text any) {
		file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	for _, file := range files {
		if strings.HasPrefix(file.path, "engine/wire/") {
			parse(file.path, file.text)
		}
	}
	byHand, err := filepath.Glob(top + "/engine/wire/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range byHand {
		if !strings.HasSuffix(name, "_gen.go") && !strings.HasSuffix(name, "_test.go") {
			parse(name, nil)
		}
	}
	config := types.Config{Importer: importer.ForCompiler(set, "source", nil)}
	pkg, err := config.Check("wire", set, parsed, nil)
	if err != nil {
		t.Fatal(err)
	}
	fields := types.ObjectString(pkg.Scope().Lookup("EveryForm"), types.RelativeTo(pkg))
	want := `type EveryForm struct{A *string "json:\"a\""; B *int "json:\"b\""; C *bool "json:\"c\""; D []*string "json:\"d\""; E [][]Side "json:\"e\""; ` +
		`F ProposedSide "json:\"f\""; G *EveryForm "json:\"g\""; H *string "json:\"h\""; I []string "json:\"i\""; ` +
		`J encoding/json.RawMessage "json:\"j\""; K []*Side "json:\"k\""; L [][]string "json:\"l\""; M []ProposedSide "json:\"m\""; N int "json:\"n\""; ` +
		`O *Side "json:\"o,omitzero\""; P ProposedSide "json:\"p,omitzero\""; Q *string "json:\"q,omitzero\""; R []string "json:\"r,omitzero\""; ` +
		`S *EveryForm "json:\"s,omitzero\""; T *int "json:\"t,omitzero\""; U []encoding/json.RawMessage "json:\"u,omitzero\""; V *string "json:\"v,omitzero\""; ` +
		`W any "json:\"w,omitzero\""; X any "json:\"x\""}`
	if fields != want {
		t.Errorf("got  %s\nwant %s", fields, want)
	}
}
