package compare

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/identity"
)

// Declaration is one declared value that differs between the sides (RULES C7). Name says which, such as "topic.api#level";
// Old and New are identity values, nil where the side declares none. Lists whose order is free are sorted (RULES C14).
type Declaration struct {
	Name, Module, Unit string
	File               string
	Line               int
	Old, New           any
}

func (c *Comparison) declare(d Declaration) {
	if !reflect.DeepEqual(d.Old, d.New) {
		c.Declared = append(c.Declared, d)
	}
}

// set is a list whose order is free.
func set(list []string) any { return identity.Texts(slices.Sorted(slices.Values(list))) }

func optionalSet(list []string) any {
	if list == nil {
		return nil
	}
	return set(list)
}

func optionalText(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// declareModule compares what a module declares of itself; now is nil where it is removed.
func (c *Comparison) declareModule(old, now *corpus.Module) {
	if !c.Asks(old, now) {
		return
	}
	if now == nil {
		c.declare(Declaration{Name: old.ID + "#module", Module: old.ID, File: old.File, Line: 1, Old: identity.Record{
			"role": old.Role, "level": old.Level, "requires": c.known(old.Requires), "specializes": c.known(old.Specializes),
			"verification": optionalText(old.Verification), "owner": optionalText(old.Owner), "outside": old.Outside,
		}})
		return
	}
	for _, d := range []struct {
		key      string
		old, new any
	}{
		{"level", old.Level, now.Level},
		{"role", old.Role, now.Role},
		{"requires", c.known(old.Requires), set(now.Requires)},
		{"specializes", c.known(old.Specializes), set(now.Specializes)},
		{"verification", optionalText(old.Verification), optionalText(now.Verification)},
		{"owner", optionalText(old.Owner), optionalText(now.Owner)},
	} {
		c.declare(Declaration{Name: now.ID + "#" + d.key, Module: now.ID, File: now.File, Line: now.LineOf(d.key), Old: d.old, New: d.new})
	}
}

// known leaves out what names no module of the accepted side: it reads as absent (RULES B7).
func (c *Comparison) known(modules []string) any {
	return set(slices.DeleteFunc(slices.Clone(modules), func(id string) bool { return c.accepted.Module(id) == nil }))
}

func (c *Comparison) knownUnits(ids []string) any {
	return set(slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return c.accepted.UnitNamed(id) == nil && c.oldStones[id].module == nil }))
}

func (c *Comparison) declareUnit(old, now *corpus.Unit) {
	if !c.Asks(old.Module, now.Module) {
		return
	}
	for _, d := range []struct {
		key      string
		old, new any
	}{
		{"module", old.Module.ID, now.Module.ID},
		{"heading", identity.Texts(old.Heading), identity.Texts(now.Heading)},
		{"aliases", set(old.Aliases), set(now.Aliases)},
		{"predecessors", set(old.Predecessors), set(now.Predecessors)},
		{"successors", c.knownUnits(old.Successors), set(now.Successors)},
	} {
		c.declareOfUnit(now, d.key, d.old, d.new)
	}
	if now.Revision < old.Revision {
		c.declareOfUnit(now, "revision", old.Revision, now.Revision)
	}
}

func (c *Comparison) declareOfUnit(unit *corpus.Unit, key string, old, new any) {
	c.declare(Declaration{
		Name: unit.ID + "#" + key, Module: unit.Module.ID, Unit: unit.ID, File: unit.Module.File, Line: unit.Line, Old: old, New: new,
	})
}

// stone is a tombstone and the module that holds it.
type stone struct {
	authored.Tombstone
	module *corpus.Module
}

func tombstones(c *corpus.Corpus) map[string]stone {
	stones := map[string]stone{}
	for _, m := range c.Modules {
		for _, t := range m.Tombstones {
			if !c.IsUnreadable(m.File) {
				stones[t.ID] = stone{t, m}
			}
		}
	}
	return stones
}

func (s stone) value() any {
	if s.module == nil {
		return nil
	}
	return identity.Record{
		"retired-revision": s.RetiredRevision, "successors": set(s.Successors), "evidence": optionalText(s.Evidence),
	}
}

// compareTombstones asks about each that is other than before, but for those that a removal of this change needs (RULES C14).
func (c *Comparison) compareTombstones() {
	old, now := c.oldStones, c.newStones
	ids := maps.Clone(old)
	maps.Copy(ids, now)
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		was, is := old[id], now[id]
		needed := was.module == nil && c.oldUnit(id) != nil
		if needed || is.module != nil && c.IsRepaired(is.module) || !c.Asks(was.module, is.module) {
			continue
		}
		d := Declaration{Name: id + "#tombstone", Old: was.value(), New: is.value()}
		switch {
		case is.module != nil:
			d.Module, d.File, d.Line = is.module.ID, is.module.File, is.Line
		default:
			d.Module, d.File, d.Line = was.module.ID, was.module.File, 1
			if m := c.proposed.Module(d.Module); m != nil {
				d.File, d.Line = m.File, m.LineOf("tombstones")
			}
		}
		c.declare(d)
	}
}

// checkRemoval reports whether a unit may be removed: a tombstone or a successor must name it, else that is a finding
// (RULES C5). The tombstone may say a later revision, to which the same change raised the unit before.
func (c *Comparison) checkRemoval(old *corpus.Unit) bool {
	if stone, ok := c.newStones[old.ID]; ok {
		if stone.RetiredRevision >= old.Revision {
			return true
		}
		c.find("UNIT.TOMBSTONE_REVISION", stone.module.File, stone.Line,
			fmt.Sprintf("the tombstone says that unit %q was retired at revision %d, but it is at revision %d where this lands", old.ID, stone.RetiredRevision, old.Revision),
			fmt.Sprintf("write retired-revision: %d", old.Revision))
		return false
	}
	if c.proposed.UnitNamed(old.ID) != nil || c.followed[old.ID] {
		return true
	}
	file, line := old.Module.File, 1
	if m := c.proposed.Module(old.Module.ID); m != nil {
		file, line = m.File, m.LineOf("units")
	}
	c.find("UNIT.REMOVED", file, line, fmt.Sprintf("unit %q is removed and nothing says what became of it", old.ID),
		fmt.Sprintf("add to the tombstones of a Module: {id: %s, retired-revision: %d}; or name it in predecessors of the unit that takes its place", old.ID, old.Revision))
	return false
}

// oldLineage is the ids that the accepted side knows: of units, and in whatever says what became of one.
func oldLineage(c *corpus.Corpus) map[string]bool {
	ids := map[string]bool{}
	for _, m := range c.Modules {
		for i := range m.Units {
			unit := &m.Units[i]
			for _, id := range slices.Concat([]string{unit.ID}, unit.Aliases, unit.Predecessors, unit.Successors) {
				ids[id] = true
			}
		}
		for _, t := range m.Tombstones {
			for _, id := range append([]string{t.ID}, t.Successors...) {
				ids[id] = true
			}
		}
	}
	return ids
}

// checkPredecessors finds names that are new in this change and that no side knows: only writing a wrong reference is
// refused. A module that is new brings the history it has.
func (c *Comparison) checkPredecessors(unit *corpus.Unit, known []string) {
	if c.OldModule(unit.Module.ID) == nil || c.IsRepaired(unit.Module) {
		return
	}
	for _, id := range unit.Predecessors {
		if slices.Contains(known, id) || c.lineage[id] || c.proposed.UnitNamed(id) != nil || c.newStones[id].module != nil {
			continue
		}
		c.find("UNIT.PREDECESSOR_UNKNOWN", unit.Module.File, unit.Line, fmt.Sprintf("predecessors of unit %q names %q, which neither side has", unit.ID, id),
			"name the id of the unit that was there before")
	}
}

func (c *Comparison) find(code, file string, line int, message, next string) {
	c.Findings = append(c.Findings, reading.Finding{
		Code: code, Severity: reading.SeverityError, File: file, Line: line, Message: message, Next: next,
	})
}
