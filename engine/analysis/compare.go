package analysis

import (
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/graph"
)

// comparison is what differs between the two corpora, before any consumer is looked at.
type comparison struct {
	Input
	*graph.Patterns
	units    []unitChange // by id
	outside  []*corpus.Module
	declared []declaration
	repairs  []corpus.Unreadable
	findings []authored.Finding // what is wrong in the change and not in either side alone
	edges    edgeComparison

	oldStones, newStones map[string]stone
	lineage              map[string]bool // ids that the accepted side knows
	followed             map[string]bool // ids that a unit of the proposed side names as its predecessors
}

// unitChange is a unit whose revision or structure differs; old or new is nil where the side has none.
type unitChange struct{ old, new *corpus.Unit }

func (u unitChange) id() string {
	if u.new != nil {
		return u.new.ID
	}
	return u.old.ID
}

// reviews reports whether the consumers are asked: unless only the text differs (RULES C1, C4, C5).
func (u unitChange) reviews() bool {
	return u.old == nil || u.new == nil || u.old.Revision != u.new.Revision
}

// FindingsOfChange is what is wrong in a change of the standards and in neither side alone (RULES C5).
func FindingsOfChange(accepted, proposed *corpus.Corpus) []authored.Finding {
	return compare(Input{Accepted: accepted, Proposed: proposed}).findings
}

func compare(in Input) *comparison {
	c := &comparison{
		Input: in, repairs: in.Accepted.Unreadable, oldStones: tombstones(in.Accepted), newStones: tombstones(in.Proposed),
		lineage: oldLineage(in.Accepted), followed: map[string]bool{}, Patterns: graph.NewPatterns(),
	}
	for _, unit := range c.Proposed.Units() {
		for _, id := range unit.Predecessors {
			c.followed[id] = true
		}
	}
	c.compareManifests()
	c.compareAuthorities()
	if c.Proposed.Manifest == nil {
		return c // no standard binds any more: the manifest's own keys say so
	}
	for _, old := range c.Accepted.Modules {
		if !c.Accepted.IsUnreadable(old.File) {
			c.compareModules(old, c.Proposed.Module(old.ID))
		}
	}
	for _, old := range c.Accepted.Units() {
		if c.Accepted.IsUnreadable(old.Module.File) {
			continue
		}
		if now := c.Proposed.Unit(old.ID); now != nil {
			c.compareUnits(old, now)
		} else if c.checkRemoval(old) {
			c.units = append(c.units, unitChange{old, nil})
		}
	}
	for _, now := range c.Proposed.Units() {
		if c.oldUnit(now.ID) == nil && !c.isRepaired(now.Module) {
			c.units = append(c.units, unitChange{nil, now})
			c.checkPredecessors(now, nil)
		}
	}
	slices.SortFunc(c.units, func(a, b unitChange) int { return strings.Compare(a.id(), b.id()) })
	c.compareTombstones()
	c.compareEdges()
	return c
}

// oldUnit and oldModule are of the accepted side, or nil where it has none that can be read.
func (c *comparison) oldUnit(id string) *corpus.Unit {
	if unit := c.Accepted.Unit(id); unit != nil && !c.Accepted.IsUnreadable(unit.Module.File) {
		return unit
	}
	return nil
}

func (c *comparison) oldModule(id string) *corpus.Module {
	if m := c.Accepted.Module(id); m != nil && !c.Accepted.IsUnreadable(m.File) {
		return m
	}
	return nil
}

// isRepaired reports a module of the proposed side that stands in the place of one that cannot be read on the accepted side:
// nothing is asked about its units, for nobody can say how they differ (RULES B7).
func (c *comparison) isRepaired(m *corpus.Module) bool {
	return slices.ContainsFunc(c.repairs, func(u corpus.Unreadable) bool {
		return u.File == m.File || u.Module != "" && u.Module == m.ID && c.oldModule(m.ID) == nil ||
			u.File == corpus.ManifestPath && len(c.Accepted.Manifest.Modules) == 0
	})
}

// asks reports whether a change of what belongs to these modules, of either side, asks at all (RULES C15): the level of a
// side that binds is enough, so that nothing is weakened unasked. The gate is the accepted side's (RULES B1).
func (c *comparison) asks(modules ...*corpus.Module) bool {
	return slices.ContainsFunc(modules, func(m *corpus.Module) bool {
		return m != nil && m.Level != corpus.ReferenceLevel && slices.Contains(c.Accepted.Manifest.Gate.Block, m.Level)
	})
}

func (c *comparison) asksAbout(u unitChange) bool { return c.asks(moduleOf(u.old), moduleOf(u.new)) }

func moduleOf(u *corpus.Unit) *corpus.Module {
	if u == nil {
		return nil
	}
	return u.Module
}

func (c *comparison) compareUnits(old, now *corpus.Unit) {
	c.declareUnit(old, now)
	c.checkPredecessors(now, old.Predecessors)
	if old.Revision != now.Revision || old.Structure != now.Structure {
		c.units = append(c.units, unitChange{old, now})
	}
}

func (c *comparison) compareModules(old, now *corpus.Module) {
	c.declareModule(old, now)
	if now != nil && old.Outside != now.Outside && !c.isRepaired(now) && c.asks(old, now) {
		c.outside = append(c.outside, now)
	}
}
