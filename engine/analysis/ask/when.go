package ask

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/graph"
)

// condition is when an edge is followed: where any of its programs is true. An edge that stands on both sides has the `when` of
// both, so that nothing is weakened unasked: that `when` itself changed is a question of its own (RULES C7).
type condition struct {
	programs []*facts.Program
	always   bool   // one of them cannot be judged by the contracts of the accepted side
	digest   string // of the `when` that stands in the record: the proposed side's, where it has the edge
}

// judgedBy is the contracts by which `when` is judged: those of the accepted side, and of the proposed one what the accepted does not
// declare (RULES B1).
func judgedBy(accepted, proposed *corpus.Corpus) *facts.Schema {
	var contracts []facts.Contract
	for _, side := range []*corpus.Corpus{accepted, proposed} {
		schema := side.Schema()
		for _, id := range schema.IDs() {
			if c, ok := schema.Find(id); ok {
				contracts = append(contracts, c)
			}
		}
	}
	return facts.NewSchema(contracts...)
}

// conditionOf is the condition of an edge, whichever side it is of.
func (a *Asker) conditionOf(edge graph.Edge) *condition {
	if c, known := a.conditions[edge.Name]; known {
		return c
	}
	c := &condition{}
	if now, stands := a.Edges.After.Named(edge.Name); stands {
		a.addWhen(c, now.When, a.Proposed)
	}
	if old, stood := a.Edges.Before.Named(edge.Name); stood {
		a.addWhen(c, old.When, a.Accepted)
	}
	a.conditions[edge.Name] = c
	return c
}

// addWhen adds the `when` of one side. Which facts it names its own side says: what is an alias there may be the name of another fact
// on the other side. One that does not fit the contracts of the accepted side, which its own side declares otherwise, holds: whoever
// changes a contract does not take anyone out by it.
func (a *Asker) addWhen(c *condition, when authored.Expression, side *corpus.Corpus) {
	own := side.Program(when, facts.ContextChange)
	if own == nil {
		// Only an accepted side can name a fact that it does not have, or one of tasks (RULES B7): the row reads as one without a when.
		c.always, c.digest = true, cmp.Or(c.digest, question.ProgramAlways)
		return
	}
	program, err := facts.Compile(own.Expression(), a.contracts)
	if err != nil {
		c.always, c.digest = true, cmp.Or(c.digest, own.Digest())
		return
	}
	c.programs, c.digest = append(c.programs, program), cmp.Or(c.digest, program.Digest())
}

// holds says whether an edge is followed, and where that is not known, which facts would settle it.
func (c *condition) holds(v facts.Values) (facts.Truth, []string) {
	if c.always {
		return facts.True, nil
	}
	result := facts.False
	var unsettled []string
	for _, p := range c.programs {
		switch truth, names := p.Evaluate(v); truth {
		case facts.True:
			return facts.True, nil
		case facts.Unknown:
			result, unsettled = facts.Unknown, append(unsettled, names...)
		}
	}
	slices.Sort(unsettled)
	return result, slices.Compact(unsettled)
}

// facts is the facts that a condition names, built-in ones aside.
func (c *condition) facts() []string {
	var names []string
	if c.always {
		return nil
	}
	for _, p := range c.programs {
		for _, id := range p.Facts() {
			if !strings.HasPrefix(id, facts.BuiltinPrefix) {
				names = append(names, id)
			}
		}
	}
	return names
}

// looksAtChange reports a condition that names a built-in fact.
func (c *condition) looksAtChange() bool {
	return slices.ContainsFunc(c.programs, func(p *facts.Program) bool {
		return slices.ContainsFunc(p.Facts(), func(id string) bool { return strings.HasPrefix(id, facts.BuiltinPrefix) })
	})
}
