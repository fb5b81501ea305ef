package compare

import (
	"reflect"
	"slices"

	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/corpus/records"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/identity"
)

// Edges is the edges of both sides by what became of them. An edge is named by unit, relation and target
// (RULES C15). Edges that name what does not exist read as absent.
type Edges struct {
	Kept    []graph.Edge // as the proposed side writes them
	Dropped []graph.Edge
	Added   []graph.Edge
	Before  graph.List // as the accepted side writes them
	After   graph.List // and as the proposed side does
}

// IsNew reports an edge, by name, that the accepted side has not.
func (e *Edges) IsNew(name string) bool {
	_, was := e.Before.Named(name)
	return !was
}

// IsKept reports an edge, by name, that both sides have.
func (e *Edges) IsKept(name string) bool {
	_, is := e.After.Named(name)
	return is && !e.IsNew(name)
}

// OfUnit is all edges of a unit of both sides, each once: those of the proposed side, then what was dropped.
func (e *Edges) OfUnit(id string) []graph.Edge {
	edges := slices.Clone(e.After.OfUnit(id))
	for _, edge := range e.Before.OfUnit(id) {
		if _, stands := e.After.Named(edge.Name); !stands {
			edges = append(edges, edge)
		}
	}
	return edges
}

func (c *Comparison) compareEdges() {
	e := &c.Edges
	e.Before = slices.DeleteFunc(graph.Edges(c.accepted), func(edge graph.Edge) bool {
		return c.accepted.IsUnreadable(edge.Owner.File) || c.oldUnit(edge.Unit) == nil || edge.Module != "" && c.accepted.Module(edge.Module) == nil
	})
	e.After = graph.Edges(c.proposed)
	for _, edge := range e.After {
		if old, known := e.Before.Named(edge.Name); known {
			e.Kept = append(e.Kept, edge)
			if old.Consumer == edge.Consumer && edge.When["operator"] == facts.Always {
				continue // one module of both sides, and no fact that they could name apart
			}
			c.declareEdge(edge, edgeValue(c.accepted, old), edgeValue(c.proposed, edge), edge.Owner.File, edge.Line)
			continue
		}
		if !c.IsRepaired(edge.Owner) && !c.IsRepaired(c.proposed.Unit(edge.Unit).Module) {
			e.Added = append(e.Added, edge)
		}
	}
	for _, edge := range e.Before {
		if _, kept := e.After.Named(edge.Name); !kept && c.proposed.Unit(edge.Unit) != nil {
			e.Dropped = append(e.Dropped, edge)
		}
	}
}

// edgeValue is what a row of a side says, with the facts of its condition by their ids.
func edgeValue(side *corpus.Corpus, e graph.Edge) any {
	return identity.Record{
		"relation": e.Relation, "target": records.Target(e.Consumer), "when": records.When(side.ByID(e.When)), "on": set(e.On), "evidence-owner": optionalText(e.EvidenceOwner),
	}
}

// declareEdge notes an edge whose declaration differs; new is what is left of it.
func (c *Comparison) declareEdge(edge graph.Edge, old, new any, file string, line int) {
	unit := c.proposed.Unit(edge.Unit)
	if c.Asks(unit.Module, moduleOf(c.oldUnit(edge.Unit))) {
		c.declare(Declaration{
			Name: unit.ID + "#consumers." + edge.Relation + "." + targetName(edge), Module: unit.Module.ID, Unit: unit.ID,
			File: file, Line: line, Old: old, New: new,
		})
	}
}

func targetName(e graph.Edge) string {
	switch {
	case e.Module != "":
		return "module:" + e.Module
	case e.Glob != "":
		return "glob:" + e.Glob
	}
	return "path:" + e.Path
}

// SameTerms reports that an edge of the proposed side binds as one of the accepted side does, wherever they lead.
func (c *Comparison) SameTerms(a, b graph.Edge) bool {
	return reflect.DeepEqual(c.proposed.ByID(a.When), c.accepted.ByID(b.When)) && a.EvidenceOwner == b.EvidenceOwner && reflect.DeepEqual(set(a.On), set(b.On))
}

// DeclareReplaced notes an edge that was dropped and for which another one stands, on other terms (RULES C7).
func (c *Comparison) DeclareReplaced(edge, by graph.Edge) {
	c.declareDropped(edge, edgeValue(c.proposed, by))
}

// DeclareNarrowed notes an edge that was dropped. What is left of it is part of the question.
func (c *Comparison) DeclareNarrowed(edge graph.Edge, left []graph.Edge) {
	if len(left) == 0 {
		c.declareDropped(edge, nil)
		return
	}
	targets := make([]string, len(left))
	for i, e := range left {
		targets[i] = targetName(e)
	}
	c.declareDropped(edge, set(targets))
}

func (c *Comparison) declareDropped(edge graph.Edge, left any) {
	unit := c.proposed.Unit(edge.Unit)
	file, line := unit.Module.File, unit.Line // the row is gone: where it stood, or its unit, is the place
	if m := c.proposed.Module(edge.Owner.ID); m != nil {
		file, line = m.File, m.LineOf("consumers")
	}
	c.declareEdge(edge, edgeValue(c.accepted, edge), left, file, line)
}
