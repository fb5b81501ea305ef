package schemas

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// smallest is a schema within the profile; extra definitions follow its own.
func smallest(extra string) string {
	if extra != "" {
		extra = ", " + extra
	}
	return `{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://x.invalid/s", "description": "d",
		"oneOf": [{"$ref": "#/$defs/a"}], "$defs": {
		"a": {"description": "d", "type": "object", "properties": {"tag": {"description": "d", "const": "a"}}, "required": ["tag"], "additionalProperties": false},
		"s": {"description": "d", "type": "string", "maxLength": 9}` + extra + `}}`
}

// with is a definition x that is an object with one property p.
func with(property string) string {
	return `"x": {"description": "d", "type": "object", "properties": {"p": ` + property + `}, "required": ["p"], "additionalProperties": false}`
}

const closed = `"required": ["p"], "additionalProperties": false}`

// canonicalV is a definition v that is the canonical value.
const canonicalV = `"v": {"description": "d", "type": ["null", "boolean", "integer", "string", "array", "object"],
	"items": {"$ref": "#/$defs/v"}, "additionalProperties": {"$ref": "#/$defs/v"}}, `

// outsideProfile is one case or more for each rule: what is added to the smallest schema, and what must be refused where.
var outsideProfile = []struct{ name, extra, rule, place string }{
	{"patternProperties", `"x": {"description": "d", "type": "object", "properties": {}, "patternProperties": {"^a": {}}, "additionalProperties": false}`, "PATTERN_PROPERTIES", "#/$defs/x/patternProperties"},
	{"propertyNames", `"x": {"description": "d", "type": "object", "properties": {}, "propertyNames": {}, "additionalProperties": false}`, "PATTERN_PROPERTIES", "#/$defs/x/propertyNames"},
	{"open object", `"x": {"description": "d", "type": "object", "properties": {}}`, "OPEN_OBJECT", "#/$defs/x"},
	{"object said to be open", `"x": {"description": "d", "type": "object", "properties": {}, "additionalProperties": true}`, "OPEN_OBJECT", "#/$defs/x/additionalProperties"},
	{"unevaluatedProperties", `"x": {"description": "d", "type": "object", "properties": {}, "unevaluatedProperties": false}`, "OPEN_OBJECT", "#/$defs/x/unevaluatedProperties"},
	{"maxProperties", `"x": {"description": "d", "type": "object", "properties": {}, "maxProperties": 1, "additionalProperties": false}`, "OPEN_OBJECT", "#/$defs/x/maxProperties"},
	{"a map", `"x": {"description": "d", "type": "object", "properties": {}, "additionalProperties": {"$ref": "#/$defs/s"}}`, "ADDITIONAL_PROPERTIES", "#/$defs/x/additionalProperties"},
	{"an object without properties", `"x": {"description": "d", "type": "object", "additionalProperties": false}`, "VALUE", "#/$defs/x/properties"},
	{"an almost canonical value", `"x": {"description": "d", "type": ["null", "boolean", "integer", "string", "array"], "items": {"$ref": "#/$defs/x"}, "additionalProperties": {"$ref": "#/$defs/x"}}`, "TYPE", "#/$defs/x/type"},
	{"a canonical value or null", canonicalV + with(`{"description": "d", "anyOf": [{"$ref": "#/$defs/v"}, {"type": "null"}]}`), "ANY_OF", "#/$defs/x/properties/p"},
	{"canonical values or null", canonicalV + with(`{"description": "d", "type": "array", "items": {"anyOf": [{"$ref": "#/$defs/v"}, {"type": "null"}]}, "maxItems": 1}`), "ANY_OF", "#/$defs/x/properties/p"},
	{"a canonical value or nothing", canonicalV + strings.Replace(with(`{"$ref": "#/$defs/v"}`), `"required": ["p"], `, "", 1), "OPTIONAL_NULL", "#/$defs/x/properties/p"},
	{"a record of canonical values", canonicalV + `"x": {"description": "d", "type": "object", "additionalProperties": {"$ref": "#/$defs/v"}}`, "ADDITIONAL_PROPERTIES", "#/$defs/x/additionalProperties"},
	{"a canonical value of others", `"x": {"description": "d", "type": ["null", "boolean", "integer", "string", "array", "object"], "items": {"$ref": "#/$defs/s"}, "additionalProperties": {"$ref": "#/$defs/x"}}`, "TYPE", "#/$defs/x/type"},
	{"a fact's value without bounds", `"x": {"description": "d", "type": ["boolean", "string", "array"], "items": {"type": "string", "maxLength": 1}, "maxItems": 1}`, "TYPE", "#/$defs/x/type"},
	{"a fact's value of any", `"x": {"description": "d", "type": ["boolean", "string", "array"], "maxLength": 1, "items": {"type": "boolean"}, "maxItems": 1}`, "VALUE", "#/$defs/x/items"},
	{"oneOf of schemas", `"x": {"description": "d", "oneOf": [{"type": "string", "maxLength": 1}, {"type": "boolean"}]}`, "UNTAGGED_UNION", "#/$defs/x/oneOf/0"},
	{"oneOf of strings", `"x": {"description": "d", "oneOf": [{"$ref": "#/$defs/s"}, {"$ref": "#/$defs/a"}]}`, "UNTAGGED_UNION", "#/$defs/x/oneOf"},
	{"oneOf without a common tag", `"x": {"description": "d", "oneOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}]}, "b": {"description": "d", "type": "object", "properties": {"p": {"description": "d", "const": "b"}}, ` + closed, "UNTAGGED_UNION", "#/$defs/x/oneOf"},
	{"oneOf with an optional tag", `"x": {"description": "d", "oneOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}]}, "b": {"description": "d", "type": "object", "properties": {"tag": {"description": "d", "const": "b"}}, "additionalProperties": false}`, "UNTAGGED_UNION", "#/$defs/x/oneOf"},
	{"oneOf with a free tag", `"x": {"description": "d", "oneOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}]}, "b": {"description": "d", "type": "object", "properties": {"tag": {"$ref": "#/$defs/s"}}, "required": ["tag"], "additionalProperties": false}`, "UNTAGGED_UNION", "#/$defs/x/oneOf"},
	{"overlapping tags", `"x": {"description": "d", "oneOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}]}, "b": {"description": "d", "type": "object", "properties": {"tag": {"description": "d", "enum": ["b", "a"]}}, "required": ["tag"], "additionalProperties": false}`, "OVERLAPPING_TAGS", "#/$defs/x/oneOf"},
	{"one branch twice", `"x": {"description": "d", "oneOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}]}`, "OVERLAPPING_TAGS", "#/$defs/x/oneOf"},
	{"oneOf of nothing", `"x": {"description": "d", "oneOf": []}`, "VALUE", "#/$defs/x/oneOf"},
	{"anyOf of two types", with(`{"description": "d", "anyOf": [{"$ref": "#/$defs/s"}, {"$ref": "#/$defs/a"}]}`), "ANY_OF", "#/$defs/x/properties/p/anyOf"},
	{"anyOf with null first", with(`{"description": "d", "anyOf": [{"type": "null"}, {"$ref": "#/$defs/s"}]}`), "ANY_OF", "#/$defs/x/properties/p/anyOf"},
	{"anyOf with null twice", with(`{"description": "d", "anyOf": [{"type": ["boolean", "null"]}, {"type": "null"}]}`), "ANY_OF", "#/$defs/x/properties/p/anyOf/0"},
	{"anyOf of three", with(`{"description": "d", "anyOf": [{"$ref": "#/$defs/s"}, {"type": "null"}, {"$ref": "#/$defs/a"}]}`), "ANY_OF", "#/$defs/x/properties/p/anyOf"},
	{"anyOf with null and more", with(`{"description": "d", "anyOf": [{"$ref": "#/$defs/s"}, {"type": "null", "maxLength": 1}]}`), "ANY_OF", "#/$defs/x/properties/p/anyOf"},
	{"array bounds crossed", with(`{"description": "d", "type": "array", "items": {"$ref": "#/$defs/s"}, "minItems": 2, "maxItems": 1}`), "VALUE", "#/$defs/x/properties/p"},
	{"integer bounds crossed", with(`{"description": "d", "type": "integer", "minimum": 2, "maximum": 1}`), "VALUE", "#/$defs/x/properties/p"},
	{"const below -(2^53-1)", with(`{"description": "d", "const": -9007199254740992}`), "ENUM", "#/$defs/x/properties/p/const"},
	{"a canonical value with others below its keys", `"x": {"description": "d", "type": ["null", "boolean", "integer", "string", "array", "object"], "items": {"$ref": "#/$defs/x"}, "additionalProperties": {"$ref": "#/$defs/s"}}`, "TYPE", "#/$defs/x/type"},
	{"oneOf with a tag that may be null", `"x": {"description": "d", "oneOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}]}, "b": {"description": "d", "type": "object", "properties": {"tag": {"description": "d", "anyOf": [{"enum": ["b"]}, {"type": "null"}]}}, "required": ["tag"], "additionalProperties": false}`, "UNTAGGED_UNION", "#/$defs/x/oneOf"},
	{"a branch with more than a reference", `"x": {"description": "d", "oneOf": [{"$ref": "#/$defs/a", "description": "d"}]}`, "UNTAGGED_UNION", "#/$defs/x/oneOf/0"},
	{"remote $ref", with(`{"$ref": "https://example.com/schema"}`), "REMOTE_REFERENCE", "#/$defs/x/properties/p/$ref"},
	{"file:// $ref", with(`{"$ref": "file:///etc/hostname"}`), "REMOTE_REFERENCE", "#/$defs/x/properties/p/$ref"},
	{"relative $ref", with(`{"$ref": "s#/$defs/a"}`), "REMOTE_REFERENCE", "#/$defs/x/properties/p/$ref"},
	{"$ref to an anchor", with(`{"$ref": "#name"}`), "REFERENCE", "#/$defs/x/properties/p/$ref"},
	{"$ref to the root", with(`{"$ref": "#"}`), "REFERENCE", "#/$defs/x/properties/p/$ref"},
	{"$ref into a definition", with(`{"$ref": "#/$defs/a/properties/tag"}`), "REFERENCE", "#/$defs/x/properties/p/$ref"},
	{"undefined $ref", with(`{"$ref": "#/$defs/nowhere"}`), "UNDEFINED", "#/$defs/x/properties/p/$ref"},
	{"$ref with a sibling that matters", with(`{"$ref": "#/$defs/s", "maxLength": 3}`), "REFERENCE_SIBLING", "#/$defs/x/properties/p/maxLength"},
	{"$dynamicRef", with(`{"description": "d", "$dynamicRef": "#a"}`), "DYNAMIC", "#/$defs/x/properties/p/$dynamicRef"},
	{"$dynamicAnchor", `"x": {"description": "d", "type": "boolean", "$dynamicAnchor": "a"}`, "DYNAMIC", "#/$defs/x/$dynamicAnchor"},
	{"$anchor", `"x": {"description": "d", "type": "boolean", "$anchor": "a"}`, "ANCHOR", "#/$defs/x/$anchor"},
	{"nested $id", `"x": {"description": "d", "type": "boolean", "$id": "https://y.invalid/"}`, "RESOURCE", "#/$defs/x/$id"},
	{"nested $defs", `"x": {"description": "d", "type": "boolean", "$defs": {}}`, "RESOURCE", "#/$defs/x/$defs"},
	{"allOf", with(`{"description": "d", "allOf": [{"$ref": "#/$defs/s"}]}`), "COMBINATION", "#/$defs/x/properties/p/allOf"},
	{"not", with(`{"description": "d", "type": "boolean", "not": {}}`), "COMBINATION", "#/$defs/x/properties/p/not"},
	{"if", `"x": {"description": "d", "type": "boolean", "if": {}, "then": {}}`, "COMBINATION", "#/$defs/x/if"},
	{"dependentRequired", `"x": {"description": "d", "type": "object", "properties": {}, "dependentRequired": {}, "additionalProperties": false}`, "COMBINATION", "#/$defs/x/dependentRequired"},
	{"format", with(`{"description": "d", "type": "string", "maxLength": 9, "format": "date"}`), "FORMAT", "#/$defs/x/properties/p/format"},
	{"contentEncoding", with(`{"description": "d", "type": "string", "maxLength": 9, "contentEncoding": "base64"}`), "FORMAT", "#/$defs/x/properties/p/contentEncoding"},
	{"prefixItems", with(`{"description": "d", "type": "array", "items": {"$ref": "#/$defs/s"}, "maxItems": 1, "prefixItems": []}`), "TUPLE", "#/$defs/x/properties/p/prefixItems"},
	{"contains", with(`{"description": "d", "type": "array", "items": {"$ref": "#/$defs/s"}, "maxItems": 1, "contains": {}}`), "TUPLE", "#/$defs/x/properties/p/contains"},
	{"array without items", with(`{"description": "d", "type": "array", "maxItems": 1}`), "VALUE", "#/$defs/x/properties/p/items"},
	{"unbounded string", with(`{"description": "d", "type": "string"}`), "UNBOUNDED_STRING", "#/$defs/x/properties/p"},
	{"string bounded by its pattern alone", with(`{"description": "d", "type": "string", "pattern": "^a$"}`), "UNBOUNDED_STRING", "#/$defs/x/properties/p"},
	{"unbounded array", with(`{"description": "d", "type": "array", "items": {"$ref": "#/$defs/s"}}`), "UNBOUNDED_ARRAY", "#/$defs/x/properties/p"},
	{"integer unbounded above", with(`{"description": "d", "type": "integer", "minimum": 0}`), "UNBOUNDED_INTEGER", "#/$defs/x/properties/p"},
	{"integer unbounded below", with(`{"description": "d", "type": "integer", "maximum": 0}`), "UNBOUNDED_INTEGER", "#/$defs/x/properties/p"},
	{"integer beyond 2^53-1", with(`{"description": "d", "type": "integer", "minimum": 0, "maximum": 9007199254740992}`), "VALUE", "#/$defs/x/properties/p/maximum"},
	{"negative length", with(`{"description": "d", "type": "string", "maxLength": -1}`), "VALUE", "#/$defs/x/properties/p/maxLength"},
	{"bounds crossed", with(`{"description": "d", "type": "string", "minLength": 3, "maxLength": 2}`), "VALUE", "#/$defs/x/properties/p"},
	{"length that is a text", with(`{"description": "d", "type": "string", "maxLength": "9"}`), "VALUE", "#/$defs/x/properties/p/maxLength"},
	{"number", with(`{"description": "d", "type": "number"}`), "NUMBER", "#/$defs/x/properties/p/type"},
	{"multipleOf", with(`{"description": "d", "type": "integer", "minimum": 0, "maximum": 9, "multipleOf": 2}`), "NUMBER", "#/$defs/x/properties/p/multipleOf"},
	{"float const", with(`{"description": "d", "const": 1.5}`), "NUMBER", "#/$defs/x/properties/p/const"},
	{"null const", with(`{"description": "d", "const": null}`), "ENUM", "#/$defs/x/properties/p/const"},
	{"boolean const", with(`{"description": "d", "const": true}`), "ENUM", "#/$defs/x/properties/p/const"},
	{"const beyond 2^53-1", with(`{"description": "d", "const": 9007199254740992}`), "ENUM", "#/$defs/x/properties/p/const"},
	{"mixed enum", with(`{"description": "d", "enum": ["a", 1]}`), "ENUM", "#/$defs/x/properties/p/enum"},
	{"empty enum", with(`{"description": "d", "enum": []}`), "ENUM", "#/$defs/x/properties/p/enum"},
	{"enum with a value twice", with(`{"description": "d", "enum": ["a", "a"]}`), "ENUM", "#/$defs/x/properties/p/enum"},
	{"enum that is no list", with(`{"description": "d", "enum": "a"}`), "VALUE", "#/$defs/x/properties/p/enum"},
	{"enum beside a type", with(`{"description": "d", "type": "string", "enum": ["a"]}`), "MISPLACED", "#/$defs/x/properties/p/type"},
	{"a keyword of another type", with(`{"description": "d", "type": "boolean", "maxLength": 3}`), "MISPLACED", "#/$defs/x/properties/p/maxLength"},
	{"enum with a number twice", with(`{"description": "d", "enum": [1, 1]}`), "ENUM", "#/$defs/x/properties/p/enum"},
	{"a type that is a number", with(`{"description": "d", "type": 1}`), "VALUE", "#/$defs/x/properties/p/type"},
	{"several types", with(`{"description": "d", "type": ["string", "boolean"], "maxLength": 3}`), "TYPE", "#/$defs/x/properties/p/type"},
	{"null before the type", with(`{"description": "d", "type": ["null", "boolean"]}`), "TYPE", "#/$defs/x/properties/p/type"},
	{"only null", with(`{"description": "d", "type": "null"}`), "TYPE", "#/$defs/x/properties/p/type"},
	{"no type", with(`{"description": "d"}`), "UNTYPED", "#/$defs/x/properties/p"},
	{"a schema that is true", with(`true`), "BOOLEAN_SCHEMA", "#/$defs/x/properties/p"},
	{"a definition that is false", `"x": false`, "BOOLEAN_SCHEMA", "#/$defs/x"},
	{"recursion without an end", with(`{"$ref": "#/$defs/x"}`), "RECURSION", "#/$defs/x"},
	{"recursion through two", with(`{"$ref": "#/$defs/y"}`) + `, ` + strings.Replace(with(`{"$ref": "#/$defs/x"}`), `"x"`, `"y"`, 1), "RECURSION", "#/$defs/x"},
	{"recursion through an array that holds one", with(`{"description": "d", "type": "array", "items": {"$ref": "#/$defs/x"}, "minItems": 1, "maxItems": 2}`), "RECURSION", "#/$defs/x"},
	{"recursion through the only branch", `"x": {"description": "d", "oneOf": [{"$ref": "#/$defs/y"}]}, "y": {"description": "d", "type": "object", "properties": {"tag": {"description": "d", "const": "y"}, "p": {"$ref": "#/$defs/x"}}, "required": ["tag", "p"], "additionalProperties": false}`, "RECURSION", "#/$defs/x"},
	{"unknown keyword", `"x": {"description": "d", "type": "boolean", "x-order": 1}`, "UNKNOWN", "#/$defs/x/x-order"},
	{"keyword in other letters", `"x": {"description": "d", "type": "boolean", "Type": "string"}`, "UNKNOWN", "#/$defs/x/Type"},
	{"default", with(`{"description": "d", "type": "boolean", "default": true}`), "ANNOTATION", "#/$defs/x/properties/p/default"},
	{"pattern with look-ahead", with(`{"description": "d", "type": "string", "maxLength": 9, "pattern": "^(?=a)"}`), "PATTERN", "#/$defs/x/properties/p/pattern"},
	{"pattern with a back reference", with(`{"description": "d", "type": "string", "maxLength": 9, "pattern": "(a)\\1"}`), "PATTERN", "#/$defs/x/properties/p/pattern"},
	{"pattern that is a number", with(`{"description": "d", "type": "string", "maxLength": 9, "pattern": 1}`), "VALUE", "#/$defs/x/properties/p/pattern"},
	{"uniqueItems that is a number", with(`{"description": "d", "type": "array", "items": {"$ref": "#/$defs/s"}, "maxItems": 2, "uniqueItems": 1}`), "VALUE", "#/$defs/x/properties/p/uniqueItems"},
	{"definition without a description", `"x": {"type": "boolean"}`, "DESCRIPTION", "#/$defs/x"},
	{"property without a description", with(`{"type": "boolean"}`), "DESCRIPTION", "#/$defs/x/properties/p"},
	{"description that is a list", `"x": {"description": [], "type": "boolean"}`, "DESCRIPTION", "#/$defs/x"},
	{"title that is a number", `"x": {"title": 1, "description": "d", "type": "boolean"}`, "VALUE", "#/$defs/x/title"},
	{"required key that is no property", `"x": {"description": "d", "type": "object", "properties": {}, "required": ["q"], "additionalProperties": false}`, "REQUIRED", "#/$defs/x/required/0"},
	{"required key twice", `"x": {"description": "d", "type": "object", "properties": {"p": {"$ref": "#/$defs/s"}}, "required": ["p", "p"], "additionalProperties": false}`, "SCHEMA", "#"},
	{"nothing required by a list", `"x": {"description": "d", "type": "object", "properties": {}, "required": [], "additionalProperties": false}`, "VALUE", "#/$defs/x/required"},
	{"an object inside a property", with(`{"description": "d", "type": "object", "properties": {}, "additionalProperties": false}`), "INLINE", "#/$defs/x/properties/p"},
	{"a union inside a property", with(`{"description": "d", "oneOf": [{"$ref": "#/$defs/a"}]}`), "INLINE", "#/$defs/x/properties/p"},
	{"an object inside an array", with(`{"description": "d", "type": "array", "maxItems": 1, "items": {"type": "object"}}`), "INLINE", "#/$defs/x/properties/p/items"},
	{"a definition that only refers", `"x": {"description": "d", "$ref": "#/$defs/s"}`, "ALIAS", "#/$defs/x"},
	{"a definition that may be null", `"x": {"description": "d", "type": ["boolean", "null"]}`, "ALIAS", "#/$defs/x"},
	{"absent or null", `"x": {"description": "d", "type": "object", "properties": {"p": {"description": "d", "type": ["boolean", "null"]}}, "additionalProperties": false}`, "OPTIONAL_NULL", "#/$defs/x/properties/p"},
	{"a name with a dash", `"x-y": {"description": "d", "type": "boolean"}`, "NAME", "#/$defs/x-y"},
	{"a property in capitals", `"x": {"description": "d", "type": "object", "properties": {"P": {"$ref": "#/$defs/s"}}, "additionalProperties": false}`, "NAME", "#/$defs/x/properties/P"},
}

func TestOutsideProfile(t *testing.T) {
	t.Parallel()
	covered := map[string]bool{}
	for _, row := range outsideProfile {
		covered[row.rule] = true
		refused := refusals(t, row.name, smallest(row.extra))
		found := false
		for _, r := range refused {
			found = found || r.Rule == row.rule && r.Place == row.place
		}
		if !found {
			t.Errorf("%s: %v, want %s at %s", row.name, refused, row.rule, row.place)
		}
	}
	for keyword, rule := range outside {
		covered[rule] = true
		extra := fmt.Sprintf(`"x": {"description": "d", "type": "boolean", %q: {}}`, keyword)
		if got := refusals(t, keyword, smallest(extra)); len(got) != 1 || got[0].Rule != rule || got[0].Place != "#/$defs/x/"+keyword {
			t.Errorf("%s: %v, want %s", keyword, got, rule)
		}
	}
	for _, row := range []struct{ text, rule, place string }{
		{strings.Replace(smallest(""), "2020-12", "2019-09", 1), "ROOT", "#/$schema"},
		{strings.Replace(smallest(""), "https://x.invalid/s", "s", 1), "ROOT", "#/$id"},
		{strings.Replace(smallest(""), `"oneOf"`, `"anyOf"`, 1), "ROOT", "#"},
		{strings.Replace(smallest(""), `"description": "d",`, ``, 1), "DESCRIPTION", "#"},
		{strings.Replace(smallest(""), `"oneOf"`, `"type": "object", "oneOf"`, 1), "MISPLACED", "#/type"},
		{`[]`, "ROOT", "#"},
		{`{`, "TEXT", "#"},
		{strings.Replace(smallest(""), `"$id"`, `"$schema"`, 1), "TEXT", "#/$schema"},
	} {
		covered[row.rule] = true
		got := refusals(t, row.text, row.text)
		if got[0].Rule != row.rule || got[0].Place != row.place {
			t.Errorf("%.80s: %v, want %s at %s", row.text, got, row.rule, row.place)
		}
	}
	page, err := os.ReadFile("../doc/contract.md")
	if err != nil {
		t.Fatal(err)
	}
	covered["TOOL"] = true // a rule of the generator, which has cases of its own
	for _, row := range regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\|").FindAllStringSubmatch(string(page), -1) {
		if !covered[row[1]] {
			t.Errorf("no case for the rule %s of doc/contract.md", row[1])
		}
		delete(covered, row[1])
	}
	if len(covered) > 0 {
		t.Errorf("rules that doc/contract.md does not name: %v", covered)
	}
}

func refusals(t *testing.T, name, text string) Refusals {
	t.Helper()
	contract, err := Compile([]byte(text))
	var refused Refusals
	if !errors.As(err, &refused) || len(refused) == 0 || contract != nil {
		t.Fatalf("%s: %v, want refusals", name, err)
	}
	for _, r := range refused {
		if !strings.HasPrefix(r.Error(), "PROFILE."+r.Rule+" at #") || r.Message == "" || strings.Contains(r.Error(), "\n") && r.Rule != "SCHEMA" {
			t.Errorf("%s: %q", name, r.Error())
		}
	}
	return refused
}

// What is near to each rule and within it.
func TestWithinProfile(t *testing.T) {
	t.Parallel()
	for _, extra := range []string{
		"",
		with(`{"description": "d", "type": ["string", "null"], "maxLength": 0, "pattern": "^$"}`),
		with(`{"description": "d", "anyOf": [{"type": "array", "items": {"type": ["integer", "null"], "minimum": -9007199254740991, "maximum": 9007199254740991}, "maxItems": 0}, {"type": "null"}]}`),
		with(`{"$comment": "c", "title": "t", "description": "d", "$ref": "#/$defs/s"}`),
		with(`{"description": "d", "enum": [-1, 9007199254740991]}`),
		with(`{"description": "d", "anyOf": [{"$ref": "#/$defs/x"}, {"type": "null"}]}`),
		with(`{"description": "d", "type": "array", "items": {"$ref": "#/$defs/x"}, "maxItems": 2}`),
		`"x": {"description": "d", "type": "object", "properties": {"p": {"$ref": "#/$defs/x"}}, "additionalProperties": false}`,
		`"x": {"description": "d", "oneOf": [{"$ref": "#/$defs/y"}, {"$ref": "#/$defs/a"}]}, "y": {"description": "d", "type": "object", "properties": {"p": {"$ref": "#/$defs/x"}, "tag": {"description": "d", "enum": ["y", "z"]}}, "required": ["p", "tag"], "additionalProperties": false}`,
		`"x": {"description": "d", "type": ["null", "boolean", "integer", "string", "array", "object"], "items": {"$ref": "#/$defs/x"}, "additionalProperties": {"$ref": "#/$defs/x"}}, ` + strings.Replace(with(`{"$ref": "#/$defs/x"}`), `"x"`, `"y"`, 1),
	} {
		if _, err := Compile([]byte(smallest(extra))); err != nil {
			t.Errorf("%s: %v", extra, err)
		}
	}
}

// All refusals are told at once, and by how the text is written.
func TestRefusalsAreInOrder(t *testing.T) {
	t.Parallel()
	refused := refusals(t, "several", smallest(`"x": {"description": "d", "type": "boolean", "format": "a"}, "y": {"type": "string"}`))
	want := "PROFILE.FORMAT at #/$defs/x/format: the keyword format is not in the profile here\n" +
		"PROFILE.DESCRIPTION at #/$defs/y: a description for people is missing\n" +
		"PROFILE.UNBOUNDED_STRING at #/$defs/y: maxLength is missing"
	if refused.Error() != want {
		t.Errorf("got %s", refused)
	}
}

func TestCompiledContract(t *testing.T) {
	t.Parallel()
	contract, err := Compile(Text())
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ def, want string }{
		{"pending", "object"}, {"query", "union by kind: routeQuery=[route] readQuery=[read] relatedQuery=[related]"},
		{"proposedSide", "union by source: worktreeSource=[worktree] indexSource=[index] commitSource=[commit]"},
		{"resolveResult", "union by result: pending=[pending] complete=[complete] rejected=[rejected]"},
		{"canonicalValue", "canonical"}, {"factValue", "factValue"}, {"role", "string"}, {"heading", "array"},
	} {
		def, ok := contract.Find(row.def)
		if !ok {
			t.Fatal(row.def)
		}
		got := string(def.Type.Kind)
		if def.Type.Kind == Union {
			got += " by " + def.Type.Tag + ":"
			for _, branch := range def.Type.Branches {
				got += fmt.Sprintf(" %s=%s", branch.Def.Name, branch.Values)
			}
		}
		if got != row.want || def.Description == "" {
			t.Errorf("%s: %s, want %s", row.def, got, row.want)
		}
	}
	if _, ok := contract.Find("nothing"); ok || contract.Document.Type.Tag != "result" || len(contract.Document.Type.Branches) != 23 {
		t.Errorf("the document: %+v", contract.Document.Type)
	}
	// The versions stand once in the text for each shape, and here.
	var versions struct {
		Defs map[string]struct {
			Properties map[string]struct{ Const any }
		} `json:"$defs"`
	}
	if err := json.Unmarshal(Text(), &versions); err != nil {
		t.Fatal(err)
	}
	for name, def := range versions.Defs {
		want := any(float64(Interface))
		if strings.HasSuffix(strings.ToLower(name), "handle") {
			want = 4.0
		}
		if name == "providerRequest" { // commands that others wrote are not written anew with the interface
			want = 1.0
		}
		if p, there := def.Properties["schema_version"]; there && p.Const != want {
			t.Errorf("%s has version %v", name, p.Const)
		}
	}
}

func FuzzCompile(f *testing.F) {
	f.Add(Text())
	for _, row := range outsideProfile {
		f.Add([]byte(smallest(row.extra)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		contract, err := Compile(text)
		var refused Refusals
		if err != nil && (!errors.As(err, &refused) || len(refused) == 0) || (contract == nil) != (err != nil) {
			t.Fatalf("%q: %v", text, err)
		}
	})
}
