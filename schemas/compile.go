package schemas

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
)

const draft = "https://json-schema.org/draft/2020-12/schema"

// Compile reads a schema text (JSON Schema Draft 2020-12) that lies within the projection profile of doc/contract.md. One
// that does not is refused with all Refusals, in the order of the text, so that nothing is generated from it.
func Compile(text []byte) (*Contract, error) {
	if _, err := strict(text); err != nil {
		rule, f := "TEXT", fault.As(err)
		if f.Code == "JSON.NUMBER" {
			rule = "NUMBER"
		}
		return nil, Refusals{{rule, f.Target, f.Message}}
	}
	c := &compiler{
		defs:         map[string]*Def{},
		defName:      regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`),
		propertyName: regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`),
	}
	contract := c.root(parse(text))
	if len(c.refused) == 0 {
		c.unions(contract)
		c.recursion(contract)
		c.nulls(contract)
	}
	if len(c.refused) > 0 {
		return nil, c.refused
	}
	// The profile is read by us; that the text is a schema at all is for the validator to say.
	if err := check(text); err != nil {
		return nil, Refusals{{"SCHEMA", "#", err.Error()}}
	}
	return contract, nil
}

type compiler struct {
	defs                  map[string]*Def
	refused               Refusals
	defName, propertyName *regexp.Regexp
}

func (c *compiler) refuse(rule, at, format string, args ...any) {
	c.refused = append(c.refused, Refusal{rule, at, fmt.Sprintf(format, args...)})
}

func (c *compiler) root(document any) *Contract {
	contract := &Contract{Document: &Def{Name: "document"}}
	o, ok := document.(*object)
	if !ok {
		c.refuse("ROOT", "#", "a schema must be an object")
		return contract
	}
	if o.of["$schema"] != draft {
		c.refuse("ROOT", "#/$schema", "$schema must be %q", draft)
	}
	if id, ok := o.of["$id"].(string); !ok || !strings.HasPrefix(id, "https://") {
		c.refuse("ROOT", "#/$id", "$id must be an absolute URL")
	}
	defs, ok := o.of["$defs"].(*object)
	if _, union := o.of["oneOf"]; !ok || !union {
		c.refuse("ROOT", "#", "the root must be a oneOf with $defs beside it")
		return contract
	}
	for _, name := range defs.keys {
		if !c.defName.MatchString(name) {
			c.refuse("NAME", "#/$defs/"+escapePointer.Replace(name), "the name of a definition must be a small letter, then letters and digits")
		}
		def := &Def{Name: name}
		c.defs[name], contract.Defs = def, append(contract.Defs, def)
	}
	c.keywords(o, "#", "root")
	contract.Document.Description = c.described(o, "#")
	contract.Document.Type = c.union(o, "#")
	for _, def := range contract.Defs {
		c.def(def, defs.of[def.Name])
	}
	return contract
}

func (c *compiler) described(o *object, at string) string {
	text, _ := o.of["description"].(string)
	if text == "" {
		c.refuse("DESCRIPTION", at, "a description for people is missing")
	}
	return text
}

func (c *compiler) def(def *Def, value any) {
	at := "#/$defs/" + def.Name
	def.Type = &Type{}
	o, ok := value.(*object)
	if !ok {
		c.refuse("BOOLEAN_SCHEMA", at, "a definition must be an object")
		return
	}
	def.Description = c.described(o, at)
	if canonical(o, def.Name) {
		def.Type = &Type{Kind: Canonical, Description: def.Description}
		return
	}
	if factValue(o) {
		def.Type = &Type{
			Kind: FactValue, Description: def.Description, MaxLength: c.bound(o, at, "maxLength", "UNBOUNDED_STRING", 0, 0),
			MaxItems: c.bound(o, at, "maxItems", "UNBOUNDED_ARRAY", 0, 0), Item: c.property(o.of["items"], at+"/items", false),
		}
		if def.Type.Item.Kind != String || def.Type.Item.Nullable {
			c.refuse("VALUE", at+"/items", "the members of a fact's value are strings, said in this place")
		}
		return
	}
	switch form, nullable := c.form(o, at); {
	case form == "object" && !nullable:
		def.Type = c.object(o, at)
	case form == "oneOf":
		c.keywords(o, at, form)
		def.Type = c.union(o, at)
	case form == "$ref" || form == "anyOf" || nullable:
		c.refuse("ALIAS", at, "a definition must say what it is; whether null is allowed is said where it is used")
	case form != "":
		def.Type = c.scalar(o, at, form)
	}
	def.Type.Description = def.Description
}

// canonical recognizes the only open shape: any value of the identity encoding.
func canonical(o *object, name string) bool {
	keys := slices.DeleteFunc(slices.Clone(o.keys), func(key string) bool { return slices.Contains(annotations, key) })
	itself := func(key string) bool {
		at, ok := o.of[key].(*object)
		return ok && len(at.keys) == 1 && at.of["$ref"] == "#/$defs/"+name
	}
	types, _ := o.of["type"].([]any)
	return slices.Equal(keys, []string{"type", "items", "additionalProperties"}) && itself("items") && itself("additionalProperties") &&
		slices.Equal(types, []any{"null", "boolean", "integer", "string", "array", "object"})
}

// factValue recognizes what a fact may be: a boolean, a string or a list of strings.
func factValue(o *object) bool {
	keys := slices.DeleteFunc(slices.Clone(o.keys), func(key string) bool { return slices.Contains(annotations, key) })
	types, _ := o.of["type"].([]any)
	return slices.Equal(keys, []string{"type", "maxLength", "items", "maxItems"}) && slices.Equal(types, []any{"boolean", "string", "array"})
}

func (c *compiler) object(o *object, at string) *Type {
	t := &Type{Kind: Object}
	switch more := o.of["additionalProperties"].(type) {
	case bool:
		if more {
			c.refuse("OPEN_OBJECT", at+"/additionalProperties", "an object must be closed: additionalProperties must be false")
		}
	case nil:
		c.refuse("OPEN_OBJECT", at, "an object must be closed: additionalProperties must be false")
	default:
		c.refuse("ADDITIONAL_PROPERTIES", at+"/additionalProperties", "additionalProperties must be false; a schema there makes a map of any keys")
	}
	c.keywords(o, at, "object")
	properties, ok := o.of["properties"].(*object)
	if !ok {
		c.refuse("VALUE", at+"/properties", "an object must list its properties")
		return t
	}
	required := c.required(o, properties, at)
	for _, name := range properties.keys {
		place := at + "/properties/" + escapePointer.Replace(name)
		if !c.propertyName.MatchString(name) {
			c.refuse("NAME", place, "the name of a property must be of small letters, digits and underscores")
		}
		field := Field{Name: name, Type: c.property(properties.of[name], place, true), Required: slices.Contains(required, name)}
		if !field.Required && field.Type.Nullable {
			c.refuse("OPTIONAL_NULL", place, "a property may be absent or null, not both")
		}
		t.Fields = append(t.Fields, field)
	}
	return t
}

func (c *compiler) required(o, properties *object, at string) []string {
	value, there := o.of["required"]
	if !there {
		return nil
	}
	list, ok := value.([]any)
	var names []string
	for i, item := range list {
		name, isText := item.(string)
		if _, known := properties.of[name]; !isText || !known {
			c.refuse("REQUIRED", fmt.Sprintf("%s/required/%d", at, i), "%v is required and is no property", item)
		}
		names = append(names, name)
	}
	if !ok || len(list) == 0 {
		c.refuse("VALUE", at+"/required", "required must be a list of names")
	}
	return names
}

// property compiles the schema of a property, an item or the one half of an anyOf: a scalar, an array or a reference.
func (c *compiler) property(value any, at string, describe bool) *Type {
	o, ok := value.(*object)
	if !ok {
		c.refuse("BOOLEAN_SCHEMA", at, "a schema must be an object")
		return &Type{}
	}
	form, nullable := c.form(o, at)
	var t *Type
	switch form {
	case "$ref":
		c.keywords(o, at, form)
		t = &Type{Kind: Ref, Def: c.reference(o.of["$ref"], at+"/$ref")}
		t.Description, _ = o.of["description"].(string)
		return t
	case "anyOf":
		c.keywords(o, at, form)
		t = c.nullable(o, at)
	case "object", "oneOf":
		c.keywords(o, at, form)
		c.refuse("INLINE", at, "an object or a union must be a definition, so that it has a name")
		t = &Type{}
	case "":
		return &Type{}
	default:
		t = c.scalar(o, at, form)
		t.Nullable = nullable
	}
	if t.Description, _ = o.of["description"].(string); describe {
		t.Description = c.described(o, at)
	}
	return t
}

func (c *compiler) nullable(o *object, at string) *Type {
	list, _ := o.of["anyOf"].([]any)
	if len(list) != 2 || !isNull(list[1]) {
		c.refuse("ANY_OF", at+"/anyOf", "anyOf may only be a schema and then null; use a oneOf of objects with a tag")
		return &Type{}
	}
	t := c.property(list[0], at+"/anyOf/0", false)
	if t.Nullable {
		c.refuse("ANY_OF", at+"/anyOf/0", "null is allowed twice")
	}
	t.Nullable = true
	return t
}

// nulls refuses null beside the canonical value, which may be null by itself, when every definition is compiled.
func (c *compiler) nulls(contract *Contract) {
	for _, def := range contract.Defs {
		at := "#/$defs/" + def.Name
		c.nullTwice(def.Type, at)
		for _, field := range def.Type.Fields {
			place := at + "/properties/" + field.Name
			if !field.Required && field.Type.Resolve().Kind == Canonical {
				c.refuse("OPTIONAL_NULL", place, "a property may be absent or null, not both")
			}
			c.nullTwice(field.Type, place)
		}
	}
}

func (c *compiler) nullTwice(t *Type, at string) {
	for t.Kind == Array {
		t = t.Item
	}
	if t.Nullable && t.Resolve().Kind == Canonical {
		c.refuse("ANY_OF", at, "null is allowed twice")
	}
}

func isNull(value any) bool {
	o, ok := value.(*object)
	return ok && len(o.keys) == 1 && o.of["type"] == "null"
}

func (c *compiler) reference(value any, at string) *Def {
	ref, _ := value.(string)
	name, local := strings.CutPrefix(ref, "#/$defs/")
	switch {
	case !strings.HasPrefix(ref, "#"):
		c.refuse("REMOTE_REFERENCE", at, "%q leads out of this text", ref)
	case !local || strings.Contains(name, "/"):
		c.refuse("REFERENCE", at, "%q is not of the form #/$defs/NAME", ref)
	case c.defs[name] == nil:
		c.refuse("UNDEFINED", at, "%q is not defined", ref)
	}
	return c.defs[name]
}

// scalar compiles what has no name of its own: strings, integers, booleans, listed values and arrays.
func (c *compiler) scalar(o *object, at, form string) *Type {
	c.keywords(o, at, form)
	t := &Type{Kind: Kind(form)}
	switch form {
	case "string":
		t.MinLength = c.bound(o, at, "minLength", "", 0, 0)
		t.MaxLength = c.bound(o, at, "maxLength", "UNBOUNDED_STRING", 0, MaxInteger)
		t.Pattern = c.pattern(o, at)
		c.order(at, t.MinLength, t.MaxLength)
	case "integer":
		t.Minimum = c.bound(o, at, "minimum", "UNBOUNDED_INTEGER", -MaxInteger, -MaxInteger)
		t.Maximum = c.bound(o, at, "maximum", "UNBOUNDED_INTEGER", -MaxInteger, MaxInteger)
		c.order(at, t.Minimum, t.Maximum)
	case "array":
		t.MinItems = c.bound(o, at, "minItems", "", 0, 0)
		t.MaxItems = c.bound(o, at, "maxItems", "UNBOUNDED_ARRAY", 0, MaxInteger)
		c.order(at, t.MinItems, t.MaxItems)
		if unique, there := o.of["uniqueItems"]; there {
			if t.Unique, there = unique.(bool); !there {
				c.refuse("VALUE", at+"/uniqueItems", "uniqueItems must be true or false")
			}
		}
		if _, there := o.of["items"]; !there {
			c.refuse("VALUE", at+"/items", "an array must say what its items are")
			break
		}
		t.Item = c.property(o.of["items"], at+"/items", false)
	case "enum":
		list, ok := o.of["enum"].([]any)
		if !ok {
			c.refuse("VALUE", at+"/enum", "enum must be a list")
		}
		c.values(t, list, at+"/enum")
	case "const":
		c.values(t, []any{o.of["const"]}, at+"/const")
	}
	return t
}

func (c *compiler) order(at string, low, high int64) {
	if low > high {
		c.refuse("VALUE", at, "the lower bound %d is above the upper one %d", low, high)
	}
}
