package analysis

import (
	"reflect"

	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/identity"
)

// edgeComparison is the edges of both sides by what became of them. An edge is named by unit, relation and target
// (RULES C15). Edges that name what does not exist read as absent.
type edgeComparison struct {
	kept    []graph.Edge // as the proposed side writes them
	dropped []graph.Edge
	added   []graph.Edge
	old     map[graph.Kin][]graph.Edge
	now     map[graph.Kin][]graph.Edge
	byUnit  map[string][]graph.Edge // all edges of both sides, each once
	isNew   map[string]bool         // by name: the accepted side has it not
	isKept  map[string]bool         // by name: both sides have it
	before  map[string]graph.Edge   // by name, as the accepted side writes them
	after   map[string]graph.Edge   // and as the proposed side does
}

func (c *comparison) compareEdges() {
	e := &c.edges
	e.old, e.now, e.byUnit = map[graph.Kin][]graph.Edge{}, map[graph.Kin][]graph.Edge{}, map[string][]graph.Edge{}
	e.isNew, e.isKept = map[string]bool{}, map[string]bool{}
	oldByName, nowByName := map[string]graph.Edge{}, map[string]graph.Edge{}
	e.before, e.after = oldByName, nowByName
	accepted := graph.Edges(c.Accepted)
	for _, edge := range accepted {
		if c.Accepted.IsUnreadable(edge.Owner.File) || c.oldUnit(edge.Unit) == nil || edge.Module != "" && c.Accepted.Module(edge.Module) == nil {
			continue
		}
		oldByName[edge.Name] = edge
		e.old[edge.Kin()] = append(e.old[edge.Kin()], edge)
	}
	for _, edge := range graph.Edges(c.Proposed) {
		nowByName[edge.Name] = edge
		e.now[edge.Kin()] = append(e.now[edge.Kin()], edge)
		e.byUnit[edge.Unit] = append(e.byUnit[edge.Unit], edge)
		if old, known := oldByName[edge.Name]; known {
			e.kept = append(e.kept, edge)
			e.isKept[edge.Name] = true
			if old.Consumer == edge.Consumer && edge.When["operator"] == facts.Always {
				continue // one module of both sides, and no fact that they could name apart
			}
			c.declareEdge(edge, edgeValue(c.Accepted, old), edgeValue(c.Proposed, edge), edge.Owner.File, edge.Line)
			continue
		}
		e.isNew[edge.Name] = true
		if !c.isRepaired(edge.Owner) && !c.isRepaired(c.Proposed.Unit(edge.Unit).Module) {
			e.added = append(e.added, edge)
		}
	}
	for _, edge := range accepted {
		if _, known := oldByName[edge.Name]; !known {
			continue
		}
		if _, kept := nowByName[edge.Name]; !kept {
			e.byUnit[edge.Unit] = append(e.byUnit[edge.Unit], edge)
			if c.Proposed.Unit(edge.Unit) != nil {
				e.dropped = append(e.dropped, edge)
			}
		}
	}
}

// edgeValue is what a row of a side says, with the facts of its condition by their ids.
func edgeValue(side *corpus.Corpus, e graph.Edge) any {
	return identity.Record{
		"relation": e.Relation, "target": corpus.Target(e.Consumer), "when": corpus.WhenValue(side.ByID(e.When)), "on": set(e.On), "evidence-owner": optionalText(e.EvidenceOwner),
	}
}

// declareEdge notes an edge whose declaration differs; new is what is left of it.
func (c *comparison) declareEdge(edge graph.Edge, old, new any, file string, line int) {
	unit := c.Proposed.Unit(edge.Unit)
	if c.asks(unit.Module, moduleOf(c.oldUnit(edge.Unit))) {
		c.declare(declaration{
			name: unit.ID + "#consumers." + edge.Relation + "." + targetName(edge), module: unit.Module.ID, unit: unit.ID,
			file: file, line: line, old: old, new: new,
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

// sameTerms reports that an edge of the proposed side binds as one of the accepted side does, wherever they lead.
func (c *comparison) sameTerms(a, b graph.Edge) bool {
	return reflect.DeepEqual(c.Proposed.ByID(a.When), c.Accepted.ByID(b.When)) && a.EvidenceOwner == b.EvidenceOwner && reflect.DeepEqual(set(a.On), set(b.On))
}

// replacement finds the edge of the proposed side that stands for one that was dropped: it leads wherever that one could lead,
// or to where its consumers moved (RULES C6, C13). One on the same terms is better than one on others.
func (a *asker) replacement(edge graph.Edge) (by graph.Edge, found bool) {
	moved := a.carried(edge)
	for _, e := range a.edges.now[edge.Kin()] {
		if (a.Covers(e, edge) || moved != nil && a.takesUp(e, moved)) && (!found || a.sameTerms(e, edge)) {
			by, found = e, true
		}
	}
	return by, found
}

// declareDropped asks about each edge that no other one replaces on the same terms (RULES C7). What is left of one that was
// narrowed is part of the question.
func (a *asker) declareDropped() {
	for _, edge := range a.edges.dropped {
		by, replaced := a.replacement(edge)
		if replaced && a.sameTerms(by, edge) {
			a.replaced = append(a.replaced, edge)
			continue
		}
		var left any
		var targets []string
		for _, e := range a.edges.now[edge.Kin()] {
			if a.Covers(edge, e) {
				targets = append(targets, targetName(e))
			}
		}
		switch {
		case replaced:
			left = edgeValue(a.Proposed, by)
		case len(targets) > 0:
			left = set(targets)
		}
		unit := a.Proposed.Unit(edge.Unit)
		file, line := unit.Module.File, unit.Line // the row is gone: where it stood, or its unit, is the place
		if m := a.Proposed.Module(edge.Owner.ID); m != nil {
			file, line = m.File, m.LineOf("consumers")
		}
		a.declareEdge(edge, edgeValue(a.Accepted, edge), left, file, line)
	}
}
