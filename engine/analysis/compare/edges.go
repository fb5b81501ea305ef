package compare

import (
	"reflect"

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
	Old     map[graph.Kin][]graph.Edge
	Now     map[graph.Kin][]graph.Edge
	ByUnit  map[string][]graph.Edge // all edges of both sides, each once
	Before  map[string]graph.Edge   // by name, as the accepted side writes them
	After   map[string]graph.Edge   // and as the proposed side does
}

// IsNew reports an edge, by name, that the accepted side has not.
func (e *Edges) IsNew(name string) bool {
	_, was := e.Before[name]
	return !was
}

// IsKept reports an edge, by name, that both sides have.
func (e *Edges) IsKept(name string) bool {
	_, is := e.After[name]
	return is && !e.IsNew(name)
}

func (c *Comparison) compareEdges() {
	e := &c.Edges
	e.Old, e.Now, e.ByUnit = map[graph.Kin][]graph.Edge{}, map[graph.Kin][]graph.Edge{}, map[string][]graph.Edge{}
	e.Before, e.After = map[string]graph.Edge{}, map[string]graph.Edge{}
	accepted := graph.Edges(c.accepted)
	for _, edge := range accepted {
		if c.accepted.IsUnreadable(edge.Owner.File) || c.oldUnit(edge.Unit) == nil || edge.Module != "" && c.accepted.Module(edge.Module) == nil {
			continue
		}
		e.Before[edge.Name] = edge
		e.Old[edge.Kin()] = append(e.Old[edge.Kin()], edge)
	}
	for _, edge := range graph.Edges(c.proposed) {
		e.After[edge.Name] = edge
		e.Now[edge.Kin()] = append(e.Now[edge.Kin()], edge)
		e.ByUnit[edge.Unit] = append(e.ByUnit[edge.Unit], edge)
		if old, known := e.Before[edge.Name]; known {
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
	for _, edge := range accepted {
		if _, known := e.Before[edge.Name]; !known {
			continue
		}
		if _, kept := e.After[edge.Name]; !kept {
			e.ByUnit[edge.Unit] = append(e.ByUnit[edge.Unit], edge)
			if c.proposed.Unit(edge.Unit) != nil {
				e.Dropped = append(e.Dropped, edge)
			}
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
