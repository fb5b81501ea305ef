package schemas

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed agent-tools.json
var agentTools []byte

// AgentTools returns the definitions of the tools for agents: {"interface", "request_contract", "result_projection",
// "tools": [{"name", "description", "inputSchema"}]}, one tool for each operation. Every input schema stands alone.
func AgentTools() []byte { return bytes.Clone(agentTools) }

// Standalone returns the schema of one of the $defs as a text of its own, which holds the definitions that it refers to.
// It reports false where there is no such definition. No schema is compiled for that.
func Standalone(def string) ([]byte, bool) {
	root := parse(text).(*object)
	defs := root.of["$defs"].(*object)
	body, known := defs.of[def].(*object)
	if !known {
		return nil, false
	}
	out := &object{of: map[string]any{}}
	out.set("$schema", root.of["$schema"])
	out.set("$id", strings.Replace(location, ".schema.json", "/"+def+".schema.json", 1))
	for _, key := range body.keys {
		out.set(key, body.of[key])
	}
	needed := map[string]bool{}
	collectReferences(body, defs, needed)
	more := &object{of: map[string]any{}}
	for _, name := range defs.keys {
		if needed[name] {
			more.set(name, defs.of[name])
		}
	}
	if len(more.keys) > 0 {
		out.set("$defs", more)
	}
	return indented(out), true
}

// collectReferences adds the names of all definitions that a schema refers to, directly or not.
func collectReferences(value any, defs *object, needed map[string]bool) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			collectReferences(item, defs, needed)
		}
	case *object:
		for _, key := range v.keys {
			ref, isText := v.of[key].(string)
			name, isLocal := strings.CutPrefix(ref, "#/$defs/")
			if key == "$ref" && isText && isLocal && !needed[name] {
				needed[name] = true
				collectReferences(defs.of[name], defs, needed)
			}
			collectReferences(v.of[key], defs, needed)
		}
	}
}

func indented(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Sprintf("internal error: a schema is no JSON: %v", err))
	}
	return b.Bytes()
}
