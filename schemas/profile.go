package schemas

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// MaxInteger bounds every integer of the interface on both sides: beyond it, readers that keep numbers as floats differ.
const MaxInteger = 1<<53 - 1

// Refusal is one place of a schema text that lies outside the projection profile. Rule is the word of doc/contract.md,
// Place a JSON pointer.
type Refusal struct {
	Rule, Place, Message string
}

func (r Refusal) Error() string {
	return fmt.Sprintf("PROFILE.%s at %s: %s", r.Rule, r.Place, r.Message)
}

// Refusals are all of them, in the order of the text.
type Refusals []Refusal

func (list Refusals) Error() string {
	lines := make([]string, len(list))
	for i, r := range list {
		lines[i] = r.Error()
	}
	return strings.Join(lines, "\n")
}

// outside names the rule that refuses each keyword of Draft 2020-12 which the profile leaves out.
var outside = map[string]string{
	"patternProperties": "PATTERN_PROPERTIES", "propertyNames": "PATTERN_PROPERTIES", "unevaluatedProperties": "OPEN_OBJECT",
	"minProperties": "OPEN_OBJECT", "maxProperties": "OPEN_OBJECT",
	"allOf": "COMBINATION", "not": "COMBINATION", "if": "COMBINATION", "then": "COMBINATION", "else": "COMBINATION",
	"dependentRequired": "COMBINATION", "dependentSchemas": "COMBINATION", "dependencies": "COMBINATION",
	"$dynamicRef": "DYNAMIC", "$dynamicAnchor": "DYNAMIC", "$recursiveRef": "DYNAMIC", "$recursiveAnchor": "DYNAMIC",
	"$anchor": "ANCHOR", "$vocabulary": "ANCHOR", "$id": "RESOURCE", "$schema": "RESOURCE", "$defs": "RESOURCE", "definitions": "RESOURCE",
	"format": "FORMAT", "contentEncoding": "FORMAT", "contentMediaType": "FORMAT", "contentSchema": "FORMAT",
	"prefixItems": "TUPLE", "additionalItems": "TUPLE", "contains": "TUPLE", "minContains": "TUPLE", "maxContains": "TUPLE", "unevaluatedItems": "TUPLE",
	"multipleOf": "NUMBER", "exclusiveMinimum": "NUMBER", "exclusiveMaximum": "NUMBER",
	"default": "ANNOTATION", "examples": "ANNOTATION", "deprecated": "ANNOTATION", "readOnly": "ANNOTATION", "writeOnly": "ANNOTATION",
}

// annotations may stand beside everything.
var annotations = []string{"$comment", "title", "description"}

// admitted are the keywords of each form of schema, by the keyword that makes it that form.
var admitted = map[string][]string{
	"object": {"type", "properties", "required", "additionalProperties"},
	"string": {"type", "minLength", "maxLength", "pattern"}, "integer": {"type", "minimum", "maximum"}, "boolean": {"type"},
	"array": {"type", "items", "minItems", "maxItems", "uniqueItems"},
	"$ref":  {"$ref"}, "oneOf": {"oneOf"}, "anyOf": {"anyOf"}, "enum": {"enum"}, "const": {"const"},
	"root": {"$schema", "$id", "oneOf", "$defs"},
}

// keywords refuses every keyword that does not belong to the form.
func (c *compiler) keywords(o *object, at, form string) {
	for _, key := range o.keys {
		if slices.Contains(annotations, key) {
			if _, ok := o.of[key].(string); !ok {
				c.refuse("VALUE", at+"/"+key, "%s must be a string", key)
			}
			continue
		}
		if slices.Contains(admitted[form], key) {
			continue
		}
		rule, known := outside[key]
		switch {
		case known:
			c.refuse(rule, at+"/"+escapePointer.Replace(key), "the keyword %s is not in the profile here", key)
		case form == "$ref":
			c.refuse("REFERENCE_SIBLING", at+"/"+escapePointer.Replace(key), "only a description may stand beside $ref, not %s", key)
		case isAdmitted(key):
			c.refuse("MISPLACED", at+"/"+escapePointer.Replace(key), "the keyword %s says nothing about this form (%s)", key, form)
		default:
			c.refuse("UNKNOWN", at+"/"+escapePointer.Replace(key), "the keyword %q is unknown", key)
		}
	}
}

func isAdmitted(key string) bool {
	for _, list := range admitted {
		if slices.Contains(list, key) {
			return true
		}
	}
	return false
}

// form returns which of the forms a schema has, "" after a refusal.
func (c *compiler) form(o *object, at string) (form string, nullable bool) {
	for _, key := range []string{"$ref", "oneOf", "anyOf", "enum", "const"} {
		if _, ok := o.of[key]; ok {
			return key, false
		}
	}
	switch kind := o.of["type"].(type) {
	case string:
		return c.named(kind, at), false
	case []any:
		if len(kind) == 2 && kind[1] == "null" {
			if name, ok := kind[0].(string); ok && name != "null" {
				return c.named(name, at), true
			}
		}
		c.refuse("TYPE", at+"/type", "a list of types may only be one type and then null")
	case nil:
		c.keywords(o, at, "untyped") // names what stands there instead
		c.refuse("UNTYPED", at, "a schema must have a type, enum, const, $ref, oneOf or anyOf")
	default:
		c.refuse("VALUE", at+"/type", "type must be a string or a list of two")
	}
	return "", false
}

func (c *compiler) named(kind, at string) string {
	switch kind {
	case "object", "array", "string", "integer", "boolean":
		return kind
	case "number":
		c.refuse("NUMBER", at+"/type", "a number may be a float; use integer")
	default:
		c.refuse("TYPE", at+"/type", "the type %q cannot stand alone", kind)
	}
	return ""
}

// bound reads an integer keyword within low … MaxInteger; where it must be there and is not, rule refuses.
func (c *compiler) bound(o *object, at, key, rule string, low, otherwise int64) int64 {
	value, there := o.of[key]
	if !there {
		if rule != "" {
			c.refuse(rule, at, "%s is missing", key)
		}
		return otherwise
	}
	number, ok := value.(json.Number)
	n, err := number.Int64()
	if !ok || err != nil || n < low || n > MaxInteger {
		c.refuse("VALUE", at+"/"+key, "%s must be an integer from %d to %d", key, low, int64(MaxInteger))
		return otherwise
	}
	return n
}

func (c *compiler) pattern(o *object, at string) string {
	value, there := o.of["pattern"]
	if !there {
		return ""
	}
	text, ok := value.(string)
	if !ok {
		c.refuse("VALUE", at+"/pattern", "pattern must be a string")
	}
	if _, err := regexp.Compile(text); err != nil {
		c.refuse("PATTERN", at+"/pattern", "the pattern is not RE2: %v", err)
	}
	return text
}

// values reads enum and const: strings, or integers, each once.
func (c *compiler) values(t *Type, list []any, at string) {
	if len(list) == 0 {
		c.refuse("ENUM", at, "no value is allowed")
	}
	for _, value := range list {
		switch v := value.(type) {
		case string:
			if slices.Contains(t.Texts, v) {
				c.refuse("ENUM", at, "%q stands twice", v)
			}
			t.Kind, t.Texts = String, append(t.Texts, v)
		case json.Number:
			n, err := v.Int64()
			if err != nil || n > MaxInteger || n < -MaxInteger {
				c.refuse("ENUM", at, "%s is no integer within ±%d", v, int64(MaxInteger))
			}
			if slices.Contains(t.Numbers, n) {
				c.refuse("ENUM", at, "%s stands twice", v)
			}
			t.Kind, t.Numbers = Integer, append(t.Numbers, n)
		default:
			c.refuse("ENUM", at, "only strings and integers may be listed")
		}
	}
	if len(t.Texts) > 0 && len(t.Numbers) > 0 {
		c.refuse("ENUM", at, "strings and integers may not be mixed")
	}
}
