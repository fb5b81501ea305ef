package authored

import (
	"maps"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/identity"
)

// expression reads a condition over facts (RULES A9; doc/facts.md) in its canonical form, or Always beside a finding.
// Which facts there are is not known here.
func (r *reader) expression(node yamltext.Node, what string) Expression {
	if !node.IsGiven() {
		return Always()
	}
	before := len(r.Findings)
	read := r.condition(node, what)
	if len(r.Findings) > before {
		return Always()
	}
	canonical, err := facts.Canonical(read)
	if err != nil { // its form was read above; what is left are the bounds
		r.Refuse(node, "EXPRESSION.TOO_BIG", "make one fact of what it asks about", "%s: %s", what, err)
		return Always()
	}
	return canonical
}

// condition reads one expression as it is written.
func (r *reader) condition(node yamltext.Node, what string) identity.Record {
	operators := facts.Operators()
	if node.Kind() == yamltext.KindString {
		if node.Value() != facts.Always {
			r.Refuse(node, "EXPRESSION.OPERATOR", "write always, or an expression such as {exists: {fact: ID}}",
				"%s cannot be the word %q%s", what, node.Value(), yamltext.DidYouMean(node.Value(), []string{facts.Always}))
		}
		return Always()
	}
	f, ok := r.Mapping(node, what, 0, operators...)
	if !ok {
		return nil
	}
	var given []string
	for _, operator := range operators {
		if f.Get(operator).IsGiven() {
			given = append(given, operator)
		}
	}
	switch len(given) {
	case 0:
		if len(f.Keys) == 0 {
			r.Refuse(node, "EXPRESSION.OPERATOR", "write always, or one of "+strings.Join(operators, ", "), "%s names no operator", what)
		}
		return nil
	case 1:
	default:
		r.Refuse(node, "EXPRESSION.OPERATOR", "write all: with a list of them, or any:", "%s has one operator, not %s", what, strings.Join(given, " and "))
		return nil
	}
	operator := given[0]
	return r.operation(operator, f.Get(operator), operator+" in "+what)
}

// maxWhat keeps the names of nested places short in messages.
const maxWhat = 60

func (r *reader) operation(operator string, node yamltext.Node, what string) identity.Record {
	if len(what) > maxWhat {
		what = operator
	}
	switch operator {
	case facts.Not:
		return identity.Record{"operator": operator, "of": r.condition(node, what)}
	case facts.All, facts.Any:
		of := identity.List{}
		items := r.List(node, what)
		for _, item := range items {
			of = append(of, r.condition(item, "an entry of "+what))
		}
		r.notEmpty(node, items, what, "list what it is about, or write always")
		return identity.Record{"operator": operator, "of": of}
	}
	keys := facts.Operands(operator)
	f, ok := r.Mapping(node, what, len(keys), keys...)
	if !ok {
		return nil
	}
	out := identity.Record{"operator": operator, "fact": r.ID(f.Get("fact"), "fact of "+what)}
	switch {
	case slices.Contains(keys, "value"):
		out["value"] = r.operand(f.Get("value"), "value of "+what)
	case slices.Contains(keys, "values"):
		values := identity.List{}
		items := r.List(f.Get("values"), "values of "+what)
		for _, item := range items {
			values = append(values, r.operand(item, "an entry of values of "+what))
		}
		r.notEmpty(f.Get("values"), items, "values of "+what, "list one value or more")
		out["values"] = values
	case slices.Contains(keys, "glob"):
		text := r.Text(f.Get("glob"), "glob of "+what)
		if text == "" {
			break
		}
		if _, err := glob.Parse(text); err != nil {
			r.Refuse(f.Get("glob"), "EXPRESSION.GLOB", howToGlob(text), "glob of %s: %s", what, err)
		}
		out["glob"] = text
	}
	return out
}

func (r *reader) notEmpty(node yamltext.Node, items []yamltext.Node, what, next string) {
	if node.IsGiven() && node.Kind() == yamltext.KindList && len(items) == 0 {
		r.Refuse(node, "EXPRESSION.EMPTY", next, "%s is empty", what)
	}
}

// operand reads a value that facts are compared with.
func (r *reader) operand(node yamltext.Node, what string) any {
	if node.IsGiven() && node.Kind() == yamltext.KindBool {
		value, _ := r.Boolean(node, what)
		return value
	}
	return r.Text(node, what)
}

// written is an expression as a person writes it.
func written(e Expression) any {
	operator := e["operator"].(string)
	switch of := e["of"].(type) {
	case identity.Record:
		return identity.Record{operator: written(of)}
	case identity.List:
		list := make(identity.List, len(of))
		for i, item := range of {
			list[i] = written(item.(identity.Record))
		}
		return identity.Record{operator: list}
	}
	operands := maps.Clone(e)
	delete(operands, "operator")
	if len(operands) == 0 {
		return operator
	}
	return identity.Record{operator: operands}
}
