package facts

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/identity"
)

// The bounds of an expression: how deep operators stand in each other, how many there are, and the values of one "in".
const (
	MaxDepth  = 16
	MaxNodes  = 256
	MaxValues = 256
)

// The operators of expressions (RULES A9).
const (
	Always   = "always"
	All      = "all"
	Any      = "any"
	Not      = "not"
	Equals   = "equals"
	In       = "in"
	Contains = "contains"
	Exists   = "exists"
	Matches  = "matches"
)

// operands are the keys beside "operator".
var operands = map[string][]string{
	Always: {}, All: {"of"}, Any: {"of"}, Not: {"of"}, Equals: {"fact", "value"}, In: {"fact", "values"}, Contains: {"fact", "value"},
	Exists: {"fact"}, Matches: {"fact", "glob"},
}

// Operators returns the operators of expressions but "always", which stands alone.
func Operators() []string { return []string{All, Any, Not, Equals, In, Contains, Exists, Matches} }

// Operands returns the keys that an operator has beside it, nil for none that exists.
func Operands(operator string) []string { return slices.Clone(operands[operator]) }

// The ways in which an expression does not fit the facts.
type Misfit int

const (
	MisfitForm    Misfit = iota // it is no expression
	MisfitUnknown               // it names a fact that is not declared
	MisfitType                  // it compares a fact in a way that its type does not have
)

// Error is why an expression cannot be compiled. Fact is the name as it was written, "" where it is not about one.
type Error struct {
	Misfit Misfit
	Fact   string
	Reason string
}

func (e *Error) Error() string { return e.Reason }

// Canonical returns an expression in its canonical form: operands of all and any sorted by their canonical text and each once, values of
// in sorted and each once. Facts stay as they are named. The error is an *Error about the form.
func Canonical(e identity.Record) (identity.Record, error) {
	c := &compiler{}
	out, _, err := c.node(e, 1)
	return out, err
}

// compiler brings expressions into their canonical form and, where it has a schema, into a program.
type compiler struct {
	schema *Schema
	nodes  int
	facts  map[string]bool // those that it names, by id
}

func misfit(format string, args ...any) error {
	return &Error{MisfitForm, "", fmt.Sprintf(format, args...)}
}

// node returns the canonical form of e and, where there is a schema, how it is evaluated.
func (c *compiler) node(e identity.Record, depth int) (identity.Record, term, error) {
	if c.nodes++; c.nodes > MaxNodes {
		return nil, term{}, misfit("an expression has at most %d operators", MaxNodes)
	}
	if depth > MaxDepth {
		return nil, term{}, misfit("operators stand at most %d deep in each other", MaxDepth)
	}
	operator, _ := e["operator"].(string)
	keys, known := operands[operator]
	if !known {
		return nil, term{}, misfit("%q is no operator", operator)
	}
	for _, key := range keys {
		if _, given := e[key]; !given {
			return nil, term{}, misfit("%s needs %q", operator, key)
		}
	}
	if len(e) != len(keys)+1 {
		return nil, term{}, misfit("%s takes %s and nothing else", operator, strings.Join(keys, " and "))
	}
	switch operator {
	case Always:
		return identity.Record{"operator": Always}, term{operator: Always}, nil
	case All, Any:
		return c.several(operator, e["of"], depth)
	case Not:
		of, isRecord := e["of"].(identity.Record)
		if !isRecord {
			return nil, term{}, misfit("not takes one expression")
		}
		inner, t, err := c.node(of, depth+1)
		if err != nil {
			return nil, term{}, err
		}
		return identity.Record{"operator": Not, "of": inner}, term{operator: Not, of: []term{t}}, nil
	}
	return c.comparison(operator, e)
}

// operand is one of all or any beside its canonical text, by which they are ordered.
type operand struct {
	text   []byte
	record identity.Record
	term   term
}

func (c *compiler) several(operator string, of any, depth int) (identity.Record, term, error) {
	list, isList := of.(identity.List)
	if !isList || len(list) == 0 {
		return nil, term{}, misfit("%s takes a list of one expression or more", operator)
	}
	var all []operand
	for _, item := range list {
		inner, isRecord := item.(identity.Record)
		if !isRecord {
			return nil, term{}, misfit("%s takes expressions", operator)
		}
		record, t, err := c.node(inner, depth+1)
		if err != nil {
			return nil, term{}, err
		}
		text, err := identity.Encode(record)
		if err != nil {
			return nil, term{}, misfit("%s: %v", operator, err)
		}
		all = append(all, operand{text, record, t})
	}
	slices.SortFunc(all, func(a, b operand) int { return bytes.Compare(a.text, b.text) })
	all = slices.CompactFunc(all, func(a, b operand) bool { return bytes.Equal(a.text, b.text) })
	records, t := make(identity.List, len(all)), term{operator: operator}
	for i, one := range all {
		records[i] = one.record
		t.of = append(t.of, one.term)
	}
	return identity.Record{"operator": operator, "of": records}, t, nil
}

// comparison is an operator over one fact.
func (c *compiler) comparison(operator string, e identity.Record) (identity.Record, term, error) {
	name, isText := e["fact"].(string)
	if !isText || identity.CheckID(name) != nil {
		return nil, term{}, misfit("%s takes the id of a fact", operator)
	}
	out, t := identity.Record{"operator": operator, "fact": name}, term{operator: operator, fact: name}
	switch operator {
	case Equals, Contains:
		if !isScalar(e["value"]) {
			return nil, term{}, misfit("%s takes a text, true or false", operator)
		}
		out["value"], t.values = e["value"], identity.List{e["value"]}
	case In:
		values, isList := e["values"].(identity.List)
		if !isList || len(values) == 0 || len(values) > MaxValues {
			return nil, term{}, misfit("in takes a list of 1 to %d values", MaxValues)
		}
		for _, value := range values {
			if !isScalar(value) {
				return nil, term{}, misfit("in takes texts, true and false")
			}
		}
		t.values = slices.CompactFunc(slices.SortedFunc(slices.Values(values), compareScalars), func(a, b any) bool { return a == b })
		out["values"] = t.values
	case Matches:
		text, _ := e["glob"].(string)
		pattern, err := glob.Parse(text)
		if err == nil && !utf8.ValidString(text) {
			err = fmt.Errorf("glob %q is not UTF-8", text)
		}
		if err != nil {
			return nil, term{}, misfit("matches: %v", err)
		}
		out["glob"], t.glob = text, pattern
	}
	if c.schema == nil {
		return out, t, nil
	}
	contract, err := c.bind(name, &t)
	if err != nil {
		return nil, term{}, err
	}
	out["fact"], t.fact = contract.ID, contract.ID
	c.facts[contract.ID] = true
	return out, t, nil
}

func isScalar(value any) bool {
	switch v := value.(type) {
	case bool:
		return true
	case string:
		return v != "" && len(v) <= MaxText && utf8.ValidString(v)
	}
	return false
}

// compareScalars orders false, true, then texts by scalar value.
func compareScalars(a, b any) int {
	key := func(v any) string {
		switch v {
		case false:
			return ""
		case true:
			return "\x00"
		}
		return "\x01" + v.(string)
	}
	return strings.Compare(key(a), key(b))
}

// bind checks a comparison against the contract of its fact.
func (c *compiler) bind(name string, t *term) (Contract, error) {
	contract, known := c.schema.Find(name)
	if !known {
		return contract, &Error{MisfitUnknown, name, fmt.Sprintf("fact %q is not declared", name)}
	}
	var admitted bool
	switch t.operator {
	case Equals, In:
		admitted = !contract.isSet()
	case Contains:
		admitted = contract.isSet()
	case Matches:
		admitted = contract.Type == TypeString || contract.Type == TypeCanonicalID || contract.Type == TypeStringSet
	case Exists:
		admitted = true
	}
	if !admitted {
		return contract, &Error{MisfitType, name, fmt.Sprintf("%s does not look at a fact of type %s, as %q is", t.operator, contract.Type, name)}
	}
	for _, value := range t.values {
		if err := contract.checkOperand(value); err != nil {
			return contract, &Error{MisfitType, name, fmt.Sprintf("%s: %v", t.operator, err)}
		}
	}
	return contract, nil
}

// checkOperand returns why value can be neither the fact's value nor a member of it.
func (c Contract) checkOperand(value any) error {
	text, isText := value.(string)
	switch {
	case isText != (c.Type != TypeBoolean):
		return fmt.Errorf("fact %q takes %s", c.ID, c.takes())
	case isText:
		return c.checkText(text)
	}
	return nil
}
