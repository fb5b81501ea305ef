package schemas

import (
	"slices"
	"strings"
)

// The names that are no definition: the whole public schema, and the tools for agents.
const (
	DocumentName = "document"
	ToolsName    = "agent-tools"
)

// definitionPrefix goes before the name of a definition that an authored format has, too.
const definitionPrefix = "defs/"

// Entry is one schema that can be asked for by name. Kind is document, request, result, part, authored or tools.
type Entry struct{ Name, Title, Kind string }

// List returns every schema, by kind and in the order of its text. Nothing is compiled for that.
func List() []Entry {
	root := ordered().(*object)
	defs := root.of["$defs"].(*object)
	printed := map[string]bool{}
	for _, branch := range root.of["oneOf"].([]any) {
		ref, _ := branch.(*object).of["$ref"].(string)
		printed[strings.TrimPrefix(ref, "#/$defs/")] = true
	}
	list := []Entry{{DocumentName, titleOf(root), "document"}}
	for _, name := range defs.keys {
		kind := "part"
		switch {
		case strings.HasSuffix(name, "Request") || name == "submission":
			kind = "request"
		case strings.HasSuffix(name, "Result") || printed[name]:
			kind = "result"
		}
		given := name
		if slices.Contains(authoredNames, name) {
			given = definitionPrefix + name
		}
		list = append(list, Entry{given, titleOf(defs.of[name].(*object)), kind})
	}
	for _, name := range authoredNames {
		text, _ := Authored(name)
		list = append(list, Entry{name, titleOf(parse(text).(*object)), "authored"})
	}
	list = append(list, Entry{ToolsName, "The operations as tools for agents, each with its input schema", "tools"})
	order := []string{"document", "authored", "request", "result", "tools", "part"}
	slices.SortStableFunc(list, func(a, b Entry) int { return slices.Index(order, a.Kind) - slices.Index(order, b.Kind) })
	return list
}

// titleOf is a schema's title, else the first sentence of its description.
func titleOf(schema *object) string {
	for _, key := range []string{"title", "description"} {
		if text, ok := schema.of[key].(string); ok {
			first, _, _ := strings.Cut(text, ". ")
			return strings.TrimRight(first, ".?")
		}
	}
	panic("internal error: a schema has no description")
}

// Named returns the schema of a name of List as a text that stands alone, and whether there is one. The name of the file that
// holds it will do, too: standards.v11.schema.json, manifest.schema.json.
func Named(name string) ([]byte, bool) {
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".json"), ".schema")
	switch name {
	case DocumentName, "standards", "standards.v11":
		return Text(), true
	case ToolsName:
		return AgentTools(), true
	}
	if text, ok := Authored(name); ok {
		return text, true
	}
	return Standalone(strings.TrimPrefix(name, definitionPrefix))
}
