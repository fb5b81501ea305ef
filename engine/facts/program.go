package facts

import (
	"slices"

	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/identity"
)

// Truth is a value of Kleene's strong logic of three values. Its order is that of the logic: all is the least of its operands,
// any the greatest.
type Truth int8

const (
	False Truth = iota
	Unknown
	True
)

func (t Truth) String() string { return [...]string{"false", "unknown", "true"}[t] }

// Values are what is known, by the id of the fact and as Contract.Check returns it: nil is known to be absent, a fact that is not
// there is unknown.
type Values map[string]any

// Program is an expression over the contracts of its facts.
type Program struct {
	expression identity.Record
	digest     string
	facts      []string
	root       term
}

// term is one operator of a program.
type term struct {
	operator string
	of       []term
	fact     string
	values   identity.List // of equals, in and contains
	glob     glob.Glob
}

// ProgramDomain is the identity domain of programs.
const ProgramDomain = "coding-standards:applicability-program:v1"

// Compile binds an expression to the facts that it names, an alias to its fact. The error is an *Error.
func Compile(e identity.Record, s *Schema) (*Program, error) {
	c := &compiler{schema: s, facts: map[string]bool{}}
	canonical, root, err := c.node(e, 1)
	if err != nil {
		return nil, err
	}
	p := &Program{expression: canonical, root: root, facts: []string{}}
	for id := range c.facts {
		p.facts = append(p.facts, id)
	}
	slices.Sort(p.facts)
	p.digest = mustHash(ProgramDomain, "program", c.withContracts(canonical))
	return p, nil
}

// withContracts is a canonical expression with the digest of its contract beside every fact.
func (c *compiler) withContracts(e identity.Record) identity.Record {
	out := identity.Record{}
	for key, value := range e {
		out[key] = value
		switch of := value.(type) {
		case identity.Record:
			out[key] = c.withContracts(of)
		case identity.List:
			if key == "of" {
				list := make(identity.List, len(of))
				for i, item := range of {
					list[i] = c.withContracts(item.(identity.Record))
				}
				out[key] = list
			}
		}
	}
	if id, ok := e["fact"].(string); ok {
		out["contract"] = c.schema.digests[id]
	}
	return out
}

// Digest returns "program:sha256:…" over the canonical expression and the contracts of the facts that it names, and of no
// other.
func (p *Program) Digest() string { return p.digest }

// Expression returns the canonical expression, every fact by its id.
func (p *Program) Expression() identity.Record { return p.expression }

// Facts returns the ids of the facts that the expression names, sorted.
func (p *Program) Facts() []string { return slices.Clone(p.facts) }

// Evaluate returns what the expression is under the values, and where that is unknown the facts that would settle it, sorted: the unknown
// ones that count. With all of them known the result is known; any others that become known leave it as it is.
func (p *Program) Evaluate(v Values) (Truth, []string) {
	unsettled := map[string]bool{}
	truth := p.root.evaluate(v, unsettled)
	if truth != Unknown {
		return truth, nil
	}
	names := make([]string, 0, len(unsettled))
	for id := range unsettled {
		names = append(names, id)
	}
	slices.Sort(names)
	return Unknown, names
}

// evaluate adds to unsettled only where the term is unknown: what a known one hides does not count.
func (t *term) evaluate(v Values, unsettled map[string]bool) Truth {
	switch t.operator {
	case Always:
		return True
	case Not:
		return True - t.of[0].evaluate(v, unsettled)
	case All, Any:
		return t.several(v, unsettled)
	}
	value, known := v[t.fact]
	if !known {
		unsettled[t.fact] = true
		return Unknown
	}
	if value != nil && t.holds(value) {
		return True
	}
	return False
}

func (t *term) several(v Values, unsettled map[string]bool) Truth {
	settles, result := False, True // of all
	if t.operator == Any {
		settles, result = True, False
	}
	within := map[string]bool{}
	for i := range t.of {
		switch t.of[i].evaluate(v, within) {
		case settles:
			return settles
		case Unknown:
			result = Unknown
		}
	}
	for id := range within {
		unsettled[id] = true
	}
	return result
}

// holds reports whether a value that is there fits the comparison.
func (t *term) holds(value any) bool {
	if t.operator == Exists {
		return true
	}
	fits := func(scalar any) bool { return slices.Contains(t.values, scalar) }
	if t.operator == Matches {
		fits = func(scalar any) bool {
			text, _ := scalar.(string)
			return t.glob.Match(text)
		}
	}
	if members, isSet := value.(identity.List); isSet {
		return slices.ContainsFunc(members, fits)
	}
	return fits(value)
}
