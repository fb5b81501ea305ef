package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Key is one key of a format that people write.
type Key struct {
	// Path leads to it from the top: gate.base; below a list, units[].id.
	Path     string
	Required bool
	// Value says what is written behind it, in a few words: text, list of text, one of a, b.
	Value string
	// Meaning is the key's description, Example its first example as JSON, which is YAML as well; "" where there is none.
	Meaning, Example string
}

// expression is the one definition that holds itself; its keys stand by themselves (ExpressionKeys).
const expression = "#/$defs/expression"

// Keys lists every key of a format of AuthoredNames in the order of its schema. Expressions and questions' records are not taken apart.
func Keys(name string) []Key {
	text, known := Authored(name)
	if !known {
		panic("internal error: no format " + name)
	}
	root := parse(text).(*object)
	w := keyWalk{defs: root.of["$defs"].(*object), told: map[string]string{}}
	w.object("", root)
	return w.keys
}

// ExpressionKeys lists the operators of an expression (RULES A9), as Keys does.
func ExpressionKeys() []Key {
	text, _ := Authored("manifest")
	w := keyWalk{told: map[string]string{}, defs: parse(text).(*object).of["$defs"].(*object)}
	w.object("", w.defs.of[strings.TrimPrefix(expression, "#/$defs/")].(*object).of["else"].(*object))
	return w.keys
}

// manyKeys is from how many keys on a definition is listed once, where it is first met: the other places say which that is.
const manyKeys = 5

type keyWalk struct {
	defs *object
	keys []Key
	told map[string]string // by $ref, where its keys are listed
}

// resolve follows a schema's $ref. What stands beside the reference comes before what stands behind it.
func (w *keyWalk) resolve(schema *object) *object {
	ref, ok := schema.of["$ref"].(string)
	if !ok {
		return schema
	}
	merged := &object{of: map[string]any{}}
	for _, from := range []*object{schema, w.resolve(w.defs.of[strings.TrimPrefix(ref, "#/$defs/")].(*object))} {
		for _, key := range from.keys {
			if _, set := merged.of[key]; !set && key != "$ref" {
				merged.set(key, from.of[key])
			}
		}
	}
	return merged
}

func (w *keyWalk) object(prefix string, schema *object) {
	properties, ok := schema.of["properties"].(*object)
	if !ok {
		return
	}
	required, _ := schema.of["required"].([]any)
	for _, name := range properties.keys {
		given := properties.of[name].(*object)
		s := w.resolve(given)
		k := Key{Path: prefix + name, Required: slices.Contains(required, any(name)), Value: w.value(given)}
		k.Meaning, _ = s.of["description"].(string)
		if examples, ok := s.of["examples"].([]any); ok && len(examples) > 0 {
			k.Example = line(examples[0])
		}
		if ref, ok := given.of["$ref"].(string); ok && w.told[ref] != "" {
			k.Value += ", as " + w.told[ref]
		}
		w.keys = append(w.keys, k)
		w.below(k.Path, given)
	}
}

// below lists the keys of what a schema takes: a mapping, a list of such, either, or the values of a mapping whose keys are names.
func (w *keyWalk) below(path string, schema *object) {
	if schema.of["$ref"] == expression || schema.of["$ref"] == "#/$defs/record" {
		return
	}
	s := w.resolve(schema)
	properties, _ := s.of["properties"].(*object)
	if ref, ok := schema.of["$ref"].(string); ok && properties != nil && len(properties.keys) >= manyKeys {
		if first := w.told[ref]; first != "" {
			return
		}
		w.told[ref] = path
	}
	w.object(path+".", s)
	if items, ok := s.of["items"].(*object); ok {
		w.below(path+"[]", items)
	}
	if values, ok := s.of["additionalProperties"].(*object); ok {
		w.below(path+".*", values)
	}
	choices, _ := s.of["anyOf"].([]any)
	listed := map[any]bool{}
	for _, choice := range choices {
		branch := choice.(*object)
		if items, ok := branch.of["items"].(*object); ok && items.of["$ref"] != nil && listed[items.of["$ref"]] {
			continue // one, or a list of such
		}
		listed[branch.of["$ref"]] = true
		w.below(path, branch)
	}
}

// value says in a few words what a schema takes.
func (w *keyWalk) value(schema *object) string {
	if schema.of["$ref"] == expression {
		return "expression"
	}
	s := w.resolve(schema)
	if value, ok := s.of["const"]; ok {
		return line(value)
	}
	if values, ok := s.of["enum"].([]any); ok {
		var words []string
		for _, value := range values {
			words = append(words, fmt.Sprint(value))
		}
		return "one of " + strings.Join(words, ", ")
	}
	if choices, ok := s.of["anyOf"].([]any); ok {
		var words []string
		for _, choice := range choices {
			words = append(words, w.value(choice.(*object)))
		}
		return strings.Join(words, ", or ")
	}
	switch kind, _ := s.of["type"].(string); kind {
	case "string":
		return "text"
	case "object":
		return "mapping"
	case "array":
		items, ok := s.of["items"].(*object)
		if !ok {
			return "list"
		}
		return "list of " + strings.TrimPrefix(w.value(items), "one of ")
	case "":
		return "value"
	case "boolean":
		return "true or false"
	default:
		return kind
	}
}

// line is a value of a schema as JSON on one line.
func line(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic("internal error: " + err.Error())
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, b.Bytes()); err != nil {
		panic("internal error: " + err.Error())
	}
	return compact.String()
}
