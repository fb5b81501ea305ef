package main

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"

	"github.com/git-standards/git-standards/schemas"
)

// writeDecoders writes one function for each type.
func writeDecoders(contract *schemas.Contract) ([]byte, error) {
	var b bytes.Buffer
	for _, def := range append([]*schemas.Def{contract.Document}, contract.Defs...) {
		name := goName(def.Name)
		switch def.Type.Kind {
		case schemas.Union:
			fmt.Fprintf(&b, "\n// Decode%s reads a validated tree.\nfunc Decode%s(tree any) %s {\n\tswitch tag := text(object(tree)[%q]); tag {\n", name, name, name, def.Type.Tag)
			for _, branch := range def.Type.Branches {
				fmt.Fprintf(&b, "\tcase %s:\n\t\treturn Decode%s(tree)\n", quoted(branch.Values), goName(branch.Def.Name))
			}
			fmt.Fprintf(&b, "\tdefault:\n\t\tpanic(notValidated(%q, tag))\n\t}\n}\n", "a "+def.Type.Tag+" of "+def.Name)
		case schemas.Object:
			fmt.Fprintf(&b, "\n// Decode%s reads a validated tree.\nfunc Decode%s(tree any) %s {\n\to := object(tree)\n\treturn %s{\n", name, name, name, name)
			for _, field := range def.Type.Fields {
				fmt.Fprintf(&b, "\t\t%s: %s,\n", goName(field.Name), decoding(field))
			}
			b.WriteString("\t}\n}\n")
		}
	}
	return source(b.String())
}

// writeTable writes the table of decoders that the tests go through.
func writeTable(contract *schemas.Contract) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(strings.Replace(header, "package wire", "package main", 1))
	b.WriteString("\nimport \"github.com/git-standards/git-standards/engine/wire\"\n\nvar wireDecoders = map[string]func(any) any{\n")
	for _, def := range append([]*schemas.Def{contract.Document}, contract.Defs...) {
		if def.Type.Kind == schemas.Object || def.Type.Kind == schemas.Union {
			fmt.Fprintf(&b, "\t%q: func(tree any) any { return wire.Decode%s(tree) },\n", def.Name, goName(def.Name))
		}
	}
	b.WriteString("}\n")
	return format.Source(b.Bytes())
}

func quoted(values []string) string {
	list := make([]string, len(values))
	for i, value := range values {
		list[i] = fmt.Sprintf("%q", value)
	}
	return strings.Join(list, ", ")
}

// decoding is the expression that reads one property of the object o.
func decoding(field schemas.Field) string {
	isPointer := strings.HasPrefix(native(field.Type, !field.Required), "*")
	t := *field.Type
	t.Nullable = false
	switch {
	case !field.Required && isPointer:
		return fmt.Sprintf("pointerIfThere(o, %q, %s)", field.Name, decoder(&t))
	case !field.Required:
		return fmt.Sprintf("ifThere(o, %q, %s)", field.Name, decoder(&t))
	case field.Type.Nullable && isPointer:
		return fmt.Sprintf("pointer(o[%q], %s)", field.Name, decoder(&t))
	case field.Type.Nullable:
		return fmt.Sprintf("%s(o[%q])", decoder(field.Type), field.Name)
	}
	return called(&t, fmt.Sprintf("o[%q]", field.Name))
}

// called is the expression that decodes a value, and decoder the function that does.
func called(t *schemas.Type, value string) string {
	if t.Resolve().Kind == schemas.Array {
		return fmt.Sprintf("list(%s, %s)", value, decoder(t.Resolve().Item))
	}
	return decoder(t) + "(" + value + ")"
}

func decoder(t *schemas.Type) string {
	resolved := t.Resolve()
	inner := *t
	inner.Nullable = false
	switch {
	case t.Nullable && strings.HasPrefix(native(t, false), "*"):
		return fmt.Sprintf("func(tree any) %s { return pointer(tree, %s) }", native(t, false), decoder(&inner))
	case t.Nullable:
		return fmt.Sprintf("func(tree any) %s { if tree == nil { return nil }; return %s }", native(t, false), called(&inner, "tree"))
	case resolved.Kind == schemas.Array:
		return fmt.Sprintf("func(tree any) %s { return %s }", native(t, false), called(t, "tree"))
	case resolved.Kind == schemas.Object, resolved.Kind == schemas.Union:
		return "Decode" + goName(t.Def.Name)
	}
	return map[schemas.Kind]string{schemas.String: "text", schemas.Integer: "integer", schemas.Boolean: "boolean",
		schemas.Canonical: "canonical", schemas.FactValue: "factValue"}[resolved.Kind]
}
