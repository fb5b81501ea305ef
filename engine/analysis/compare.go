package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/graph"
)

// comparison is what differs between the two corpora, sorted into what asks something in this version and what is
// refused by name until a version judges it: nothing passes unjudged.
type comparison struct {
	units       []unitChange // by id
	outside     []*corpus.Module
	newEdges    []graph.Edge
	oldEdges    []graph.Edge // of the accepted side, by name
	edges       []graph.Edge // of the proposed side, by name
	acceptedBy  map[string]graph.Edge
	proposedBy  map[string]graph.Edge
	edgesOf     map[string][]graph.Edge // of the proposed side, by unit
	unsupported []authored.Finding
}

type unitChange struct{ old, new *corpus.Unit }

func compare(accepted, proposed *corpus.Corpus) *comparison {
	c := &comparison{oldEdges: graph.Edges(accepted), edges: graph.Edges(proposed), edgesOf: map[string][]graph.Edge{}}
	c.acceptedBy, c.proposedBy = byName(c.oldEdges), byName(c.edges)
	for _, edge := range c.edges {
		c.edgesOf[edge.Unit] = append(c.edgesOf[edge.Unit], edge)
	}
	c.compareManifests(accepted.Manifest, proposed.Manifest)
	for _, old := range accepted.Modules {
		now := proposed.Module(old.ID)
		if now == nil {
			c.refuse("MODULE_REMOVED", "C5", old.File, old.Line, "module %q is removed", old.ID)
			continue
		}
		c.compareModules(old, now)
	}
	for _, unit := range accepted.Units() {
		if now := proposed.Unit(unit.ID); now == nil {
			if proposed.Module(unit.Module.ID) != nil {
				c.refuse("UNIT_REMOVED", "C5", unit.Module.File, unit.Line, "unit %q is removed", unit.ID)
			}
		} else {
			c.compareUnits(unit, now)
		}
	}
	for _, unit := range proposed.Units() {
		if accepted.Unit(unit.ID) == nil {
			c.units = append(c.units, unitChange{nil, unit})
		}
	}
	slices.SortFunc(c.units, func(a, b unitChange) int { return strings.Compare(a.new.ID, b.new.ID) })
	c.compareEdges(accepted, proposed)
	return c
}

func byName(edges []graph.Edge) map[string]graph.Edge {
	m := make(map[string]graph.Edge, len(edges))
	for _, edge := range edges {
		m[edge.Name] = edge
	}
	return m
}

// refuse notes a change that falls under a row of RULES C which this version does not judge.
func (c *comparison) refuse(code, rule, file string, line int, format string, args ...any) {
	c.unsupported = append(c.unsupported, authored.Finding{
		Code:        "UNSUPPORTED." + code,
		Severity:    authored.SeverityError,
		File:        file,
		Line:        line,
		Message:     fmt.Sprintf(format, args...) + ": this version does not judge that yet (RULES " + rule + ")",
		Next:        "take this part of the change back",
		Unsupported: true,
	})
}

func (c *comparison) compareManifests(old, now *authored.Manifest) {
	declared := func(key string, differs bool) {
		if differs {
			line := now.Lines[key]
			if line == 0 { // the key was taken out: its section is the place, else the file
				line = max(now.Lines["gate"], 1)
			}
			c.refuse("MANIFEST_CHANGED", "C7", corpus.ManifestPath, line, "%s is changed", key)
		}
	}
	a, b := old.Gate, now.Gate
	declared("modules", !sameSet(old.Modules, now.Modules))
	declared("gate.base", a.Base != b.Base)
	declared("gate.protected", !sameSet(a.Protected, b.Protected))
	declared("gate.block", !sameSet(a.Block, b.Block))
	declared("gate.commit", a.Commit != b.Commit)
	declared("gate.push", a.Push != b.Push)
	declared("gate.require-applicable", a.RequireApplicable != b.RequireApplicable)
}

// sameSet compares lists whose order is free (RULES C14).
func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func (c *comparison) compareModules(old, now *corpus.Module) {
	declared := func(key string, differs bool) {
		if differs {
			c.refuse("DECLARATION_CHANGED", "C7", now.File, now.LineOf(key), "%s of module %q is changed", key, now.ID)
		}
	}
	declared("level", old.Level != now.Level)
	declared("role", old.Role != now.Role)
	declared("requires", !sameSet(old.Requires, now.Requires))
	declared("specializes", !sameSet(old.Specializes, now.Specializes))
	declared("verification", old.Verification != now.Verification)
	declared("owner", old.Owner != now.Owner)
	declared("tombstones", !slices.EqualFunc(sortStones(old.Tombstones), sortStones(now.Tombstones), sameStone))
	if old.Outside != now.Outside {
		c.outside = append(c.outside, now)
	}
}

func sortStones(stones []authored.Tombstone) []authored.Tombstone {
	stones = slices.Clone(stones)
	slices.SortFunc(stones, func(a, b authored.Tombstone) int { return strings.Compare(a.ID, b.ID) })
	return stones
}

func sameStone(a, b authored.Tombstone) bool {
	return a.ID == b.ID && a.RetiredRevision == b.RetiredRevision && a.Evidence == b.Evidence && sameSet(a.Successors, b.Successors)
}

func (c *comparison) compareUnits(old, now *corpus.Unit) {
	declared := func(key string, differs bool) {
		if differs {
			c.refuse("DECLARATION_CHANGED", "C7", now.Module.File, now.Line, "%s of unit %q is changed", key, now.ID)
		}
	}
	declared("the module", old.Module.ID != now.Module.ID)
	declared("heading", !slices.Equal(old.Heading, now.Heading))
	declared("aliases", !sameSet(old.Aliases, now.Aliases))
	declared("predecessors", !sameSet(old.Predecessors, now.Predecessors))
	declared("successors", !sameSet(old.Successors, now.Successors))
	if now.Revision < old.Revision {
		c.refuse("REVISION_LOWERED", "C7", now.Module.File, now.Line, "the revision of unit %q is lowered from %d to %d", now.ID, old.Revision, now.Revision)
	}
	if old.Revision != now.Revision || old.Structure != now.Structure {
		c.units = append(c.units, unitChange{old, now})
	}
}

// compareEdges refuses edges that were dropped or changed (C7), and new edges of a unit that neither is new nor raised
// its revision (C6). The others are walked with their unit.
func (c *comparison) compareEdges(accepted, proposed *corpus.Corpus) {
	for _, old := range c.oldEdges {
		now, kept := c.proposedBy[old.Name]
		switch {
		case proposed.Unit(old.Unit) == nil || old.Module != "" && proposed.Module(old.Module) == nil:
			// refused already, with what was removed
		case !kept:
			owner := old.Owner
			if m := proposed.Module(owner.ID); m != nil {
				owner = m
			}
			c.refuse("EDGE_DROPPED", "C7", owner.File, owner.LineOf("consumers"), "the consumer %q of unit %q is dropped or narrowed", old.Describe(), old.Unit)
		case old.EvidenceOwner != now.EvidenceOwner:
			c.refuse("DECLARATION_CHANGED", "C7", now.Owner.File, now.Line, "evidence-owner of a consumer of unit %q is changed", now.Unit)
		}
	}
	for _, edge := range c.edges {
		if _, known := c.acceptedBy[edge.Name]; known {
			continue
		}
		c.newEdges = append(c.newEdges, edge)
		old, now := accepted.Unit(edge.Unit), proposed.Unit(edge.Unit)
		if old != nil && now != nil && old.Revision == now.Revision {
			c.refuse("EDGE_ADDED", "C6", edge.Owner.File, edge.Line, "the consumer %q is added to unit %q, whose revision is the same", edge.Describe(), edge.Unit)
		}
	}
}
