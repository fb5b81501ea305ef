// Package compare is what differs between two corpora, before any consumer is looked at: units, declared values and edges, and what is wrong
// in the change and in neither side alone. It is a function of both sides' standards; whom a difference asks, and where edges lead, it does
// not know.
package compare

import (
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/corpus"
)

// Comparison is what differs.
type Comparison struct {
	Units    []UnitChange // by id
	Outside  []*corpus.Module
	Declared []Declaration
	Repairs  []corpus.Unreadable
	Findings []reading.Finding
	Edges    Edges

	accepted, proposed   *corpus.Corpus
	oldStones, newStones map[string]stone
	lineage              map[string]bool // ids that the accepted side knows
	followed             map[string]bool // ids that a unit of the proposed side names as its predecessors
}

// UnitChange is a unit whose revision or structure differs; old or new is nil where the side has none.
type UnitChange struct{ Old, New *corpus.Unit }

// ID is the unit's.
func (u UnitChange) ID() string {
	if u.New != nil {
		return u.New.ID
	}
	return u.Old.ID
}

// Reviews reports whether the consumers are asked: unless only the text differs (RULES C1, C4, C5).
func (u UnitChange) Reviews() bool {
	return u.Old == nil || u.New == nil || u.Old.Revision != u.New.Revision
}

// Corpora compares the standards of two sides.
func Corpora(accepted, proposed *corpus.Corpus) *Comparison {
	c := &Comparison{
		accepted: accepted, proposed: proposed, Repairs: accepted.Unreadable, oldStones: tombstones(accepted), newStones: tombstones(proposed),
		lineage: oldLineage(accepted), followed: map[string]bool{},
	}
	for _, unit := range c.proposed.Units() {
		for _, id := range unit.Predecessors {
			c.followed[id] = true
		}
	}
	c.compareManifests()
	c.compareAuthorities()
	if c.proposed.Manifest == nil {
		return c // no standard binds any more: the manifest's own keys say so
	}
	for _, old := range c.accepted.Modules {
		if !c.accepted.IsUnreadable(old.File) {
			c.compareModules(old, c.proposed.Module(old.ID))
		}
	}
	for _, old := range c.accepted.Units() {
		if c.accepted.IsUnreadable(old.Module.File) {
			continue
		}
		if now := c.proposed.Unit(old.ID); now != nil {
			c.compareUnits(old, now)
		} else if c.checkRemoval(old) {
			c.Units = append(c.Units, UnitChange{old, nil})
		}
	}
	for _, now := range c.proposed.Units() {
		if c.oldUnit(now.ID) == nil && !c.IsRepaired(now.Module) {
			c.Units = append(c.Units, UnitChange{nil, now})
			c.checkPredecessors(now, nil)
		}
	}
	slices.SortFunc(c.Units, func(a, b UnitChange) int { return strings.Compare(a.ID(), b.ID()) })
	c.compareTombstones()
	c.compareEdges()
	return c
}

// Unit is one unit of both sides, whether it differs or not. Old is nil where the accepted side has none that can be read.
func (c *Comparison) Unit(id string) UnitChange {
	return UnitChange{c.oldUnit(id), c.proposed.Unit(id)}
}

func (c *Comparison) oldUnit(id string) *corpus.Unit {
	if unit := c.accepted.Unit(id); unit != nil && !c.accepted.IsUnreadable(unit.Module.File) {
		return unit
	}
	return nil
}

// OldModule is a module of the accepted side, or nil where it has none that can be read.
func (c *Comparison) OldModule(id string) *corpus.Module {
	if m := c.accepted.Module(id); m != nil && !c.accepted.IsUnreadable(m.File) {
		return m
	}
	return nil
}

// IsRepaired reports a module of the proposed side that stands in the place of one that cannot be read on the accepted side:
// nothing is asked about its units, for nobody can say how they differ (RULES B7).
func (c *Comparison) IsRepaired(m *corpus.Module) bool {
	return slices.ContainsFunc(c.Repairs, func(u corpus.Unreadable) bool {
		return u.File == m.File || u.Module != "" && u.Module == m.ID && c.OldModule(m.ID) == nil ||
			u.File == corpus.ManifestPath && len(c.accepted.Manifest.Modules) == 0
	})
}

// Asks reports whether a change of what belongs to these modules, of either side, asks at all (RULES C15): the level of a
// side that binds is enough, so that nothing is weakened unasked. The gate is the accepted side's (RULES B1).
func (c *Comparison) Asks(modules ...*corpus.Module) bool {
	return slices.ContainsFunc(modules, func(m *corpus.Module) bool {
		return m != nil && m.Level != corpus.ReferenceLevel && slices.Contains(c.accepted.Manifest.Gate.Block, m.Level)
	})
}

// AsksAbout is Asks for the modules of a unit on both sides.
func (c *Comparison) AsksAbout(u UnitChange) bool { return c.Asks(moduleOf(u.Old), moduleOf(u.New)) }

func moduleOf(u *corpus.Unit) *corpus.Module {
	if u == nil {
		return nil
	}
	return u.Module
}

func (c *Comparison) compareUnits(old, now *corpus.Unit) {
	if old == now && len(old.Successors) == 0 {
		return // one text of both sides, which names nothing that only one of them might have
	}
	c.declareUnit(old, now)
	c.checkPredecessors(now, old.Predecessors)
	if old.Revision != now.Revision || old.Structure != now.Structure {
		c.Units = append(c.Units, UnitChange{old, now})
	}
}

func (c *Comparison) compareModules(old, now *corpus.Module) {
	c.declareModule(old, now)
	if now != nil && old.Outside != now.Outside && !c.IsRepaired(now) && c.Asks(old, now) {
		c.Outside = append(c.Outside, now)
	}
}
