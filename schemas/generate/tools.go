package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/git-standards/git-standards/schemas"
)

// writeTools writes one tool for each operation: a definition xRequest with an xResult beside it.
func writeTools(contract *schemas.Contract) ([]byte, error) {
	w := &toolWriter{open: map[*schemas.Def]bool{}}
	w.printf(`{"interface":%d,"request_contract":%d,"result_projection":%d,"tools":[`, schemas.Interface, schemas.RequestContract, schemas.ResultProjection)
	count := 0
	for _, def := range contract.Defs {
		operation, isRequest := strings.CutSuffix(def.Name, "Request")
		if _, hasResult := contract.Find(operation + "Result"); !isRequest || !hasResult {
			continue
		}
		if def.Type.Kind != schemas.Object {
			return nil, schemas.Refusals{{Rule: "TOOL", Place: "#/$defs/" + def.Name, Message: "the request of an operation must be an object"}}
		}
		if count++; count > 1 {
			w.printf(",")
		}
		w.printf(`{"name":%s,"description":%s,"inputSchema":`, quote("standards_"+operation), quote(def.Description))
		w.schema(&schemas.Type{Kind: schemas.Ref, Def: def}, false)
		w.printf("}")
	}
	w.printf("]}")
	if w.refused != nil {
		return nil, w.refused
	}
	var b bytes.Buffer
	if err := json.Indent(&b, w.out.Bytes(), "", "  "); err != nil {
		return nil, fmt.Errorf("indenting the tools: %w", err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// toolWriter writes input schemas that stand alone: every reference is replaced by what it refers to.
type toolWriter struct {
	out     bytes.Buffer
	open    map[*schemas.Def]bool
	refused schemas.Refusals
}

func (w *toolWriter) printf(format string, args ...any) { fmt.Fprintf(&w.out, format, args...) }

func quote(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic("internal error: a list of texts is no JSON: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (w *toolWriter) refuse(def *schemas.Def, message string) {
	w.refused = append(w.refused, schemas.Refusal{Rule: "TOOL", Place: "#/$defs/" + def.Name, Message: message})
}

// schema writes the schema of one place, with its description where the tool's own does not say it already.
func (w *toolWriter) schema(t *schemas.Type, describe bool) {
	if t.Kind == schemas.Ref {
		if w.open[t.Def] {
			w.refuse(t.Def, "a request may not hold itself: its tool could not stand alone")
			return
		}
		w.open[t.Def] = true
		defer delete(w.open, t.Def)
	}
	resolved := t.Resolve()
	w.printf("{")
	if describe && resolved.Description != "" {
		w.printf(`"description":%s,`, quote(resolved.Description))
	}
	switch resolved.Kind {
	case schemas.Object:
		w.object(t.Def, resolved)
	case schemas.Union:
		w.printf(`"oneOf":[`)
		for i, branch := range resolved.Branches {
			if i > 0 {
				w.printf(",")
			}
			w.schema(&schemas.Type{Kind: schemas.Ref, Def: branch.Def}, true)
		}
		w.printf("]")
	case schemas.Array:
		w.printf(`"type":"array","items":`)
		w.schema(resolved.Item, true)
		if resolved.MinItems > 0 {
			w.printf(`,"minItems":%d`, resolved.MinItems)
		}
		w.printf(`,"maxItems":%d`, resolved.MaxItems)
		if resolved.Unique {
			w.printf(`,"uniqueItems":true`)
		}
	case schemas.Boolean:
		w.printf(`"type":"boolean"`)
	case schemas.String:
		w.text(resolved)
	case schemas.Integer:
		w.integer(resolved)
	case schemas.FactValue:
		w.printf(`"type":["boolean","string","array"],"maxLength":%d,"items":{`, resolved.MaxLength)
		w.text(resolved.Item)
		w.printf(`},"maxItems":%d`, resolved.MaxItems)
	default:
		w.refuse(t.Def, "a request may not hold a value of any shape")
	}
	w.printf("}")
}

func (w *toolWriter) object(def *schemas.Def, t *schemas.Type) {
	w.printf(`"type":"object","properties":{`)
	required := []string{}
	for i, field := range t.Fields {
		if i > 0 {
			w.printf(",")
		}
		if field.Type.Nullable {
			w.refuse(def, "a key of a request is absent where there is nothing, not null: "+field.Name)
		}
		w.printf("%s:", quote(field.Name))
		w.schema(field.Type, true)
		if field.Required {
			required = append(required, field.Name)
		}
	}
	w.printf("}")
	if len(required) > 0 {
		w.printf(`,"required":%s`, quote(required))
	}
	w.printf(`,"additionalProperties":false`)
}

func (w *toolWriter) text(t *schemas.Type) {
	if t.Texts != nil {
		w.printf(`"type":"string","enum":%s`, quote(t.Texts))
		return
	}
	w.printf(`"type":"string"`)
	if t.MinLength > 0 {
		w.printf(`,"minLength":%d`, t.MinLength)
	}
	w.printf(`,"maxLength":%d`, t.MaxLength)
	if t.Pattern != "" {
		w.printf(`,"pattern":%s`, quote(t.Pattern))
	}
}

func (w *toolWriter) integer(t *schemas.Type) {
	if t.Numbers != nil {
		w.printf(`"type":"integer","enum":%s`, quote(t.Numbers))
		return
	}
	w.printf(`"type":"integer","minimum":%d,"maximum":%d`, t.Minimum, t.Maximum)
}
