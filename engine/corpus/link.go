package corpus

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/corpus/records"
	"github.com/git-standards/git-standards/engine/facts"
)

// UnitNamed returns the unit with that id or alias, or nil (RULES A2).
func (c *Corpus) UnitNamed(id string) *Unit { return c.names[id] }

// linker checks what one module alone cannot know.
type linker struct {
	*Corpus
	taken  map[string]place
	stones map[string]*authored.Tombstone
	edges  map[string]edgePlace
	hides  bool // a glob of the manifest could not be read, and where it leads any id may be declared

	hidesFacts bool // something of the manifest could not be read, and it may be a fact

	moduleIDs, unitIDs []string // sorted
	suggested          int
}

type place struct {
	what, file string
	line       int
}

// edgePlace is where a row stands and what it calls its unit.
type edgePlace struct {
	place
	unit string
}

func (p place) String() string { return fmt.Sprintf("the %s at %s:%d", p.what, p.file, p.line) }

// link checks that ids are unique over the corpus and that references name something (RULES A2 to A4). The only error
// is that of ctx.
func (c *Corpus) link(ctx context.Context) error {
	units := 0
	for _, m := range c.Modules {
		units += len(m.Units)
	}
	c.names = make(map[string]*Unit, units)
	l := &linker{
		Corpus: c, taken: make(map[string]place, len(c.Modules)+units), stones: map[string]*authored.Tombstone{},
		edges: make(map[string]edgePlace, c.Consumers()),
	}
	l.hides = slices.ContainsFunc(c.Findings, func(f reading.Finding) bool { return f.File == ManifestPath && f.Code == "MANIFEST.GLOB" })
	l.hidesFacts = slices.ContainsFunc(c.Findings, func(f reading.Finding) bool {
		return f.File == ManifestPath && f.Severity == reading.SeverityError && !references[f.Code]
	})
	l.claimAll()
	l.moduleIDs, l.unitIDs = slices.Sorted(maps.Keys(c.modules)), slices.Sorted(maps.Keys(c.units))
	l.manifest()
	for _, m := range c.Modules {
		if err := ctx.Err(); err != nil {
			return err
		}
		l.references(m)
		l.lineage(m)
		l.consumers(m)
	}
	c.findCycles("requires", func(m *Module) []string { return m.Requires })
	c.findCycles("specializes", func(m *Module) []string { return m.Specializes })
	l.routers()
	c.findTwins()
	slices.SortStableFunc(c.Modules, func(a, b *Module) int { return strings.Compare(a.ID, b.ID) })
	return nil
}

// claimAll gives each id to the first that has it, modules before what stands in them.
func (l *linker) claimAll() {
	for _, m := range l.Modules {
		if l.modules[m.ID] == m {
			l.claim(m.ID, "module", m.File, m.Line)
		}
	}
	for _, m := range l.Modules {
		for i := range m.Units {
			unit := m.units[m.Units[i].ID]
			if unit == nil {
				continue
			}
			if l.claim(unit.ID, "unit", m.File, unit.Line) {
				l.units[unit.ID], l.names[unit.ID] = unit, unit
			}
			for _, alias := range unit.Aliases {
				if l.claim(alias, "alias", m.File, unit.Line) {
					l.names[alias] = unit
				}
			}
		}
		for i := range m.Tombstones {
			if stone := &m.Tombstones[i]; l.claim(stone.ID, "tombstone", m.File, stone.Line) {
				l.stones[stone.ID] = stone
			}
		}
	}
}

func (l *linker) claim(id, what, file string, line int) bool {
	first, taken := l.taken[id]
	if !taken {
		l.taken[id] = place{what, file, line}
		return true
	}
	if first.file == file {
		return false // the module's own finding
	}
	next := "give one of the two another id"
	if what == "tombstone" && first.what == "unit" || what == "unit" && first.what == "tombstone" {
		next = "remove the tombstone, or give the unit a new id: a retired id is not used again"
	}
	l.find("ID.REPEATED", file, line, fmt.Sprintf("id %q of this %s is taken by %s", id, what, first), next)
	return false
}

// references checks what a module names.
func (l *linker) references(m *Module) {
	for _, list := range []struct {
		key string
		ids []string
	}{{"requires", m.Requires}, {"specializes", m.Specializes}} {
		for _, id := range list.ids {
			if l.modules[id] == nil && !l.isExplained(id) {
				what, next := l.unknown(id, "module", m.ID)
				l.find("MODULE.REFERENCE_UNKNOWN", m.File, m.LineOf(list.key), list.key+" names "+what, next)
			}
		}
	}
}

// lineage checks that successors still have a place. Predecessors may name what is gone.
func (l *linker) lineage(m *Module) {
	check := func(kind, self string, line int, successors []string) {
		for _, id := range successors {
			if l.names[id] != nil || l.stones[id] != nil || l.isExplained(id) {
				continue
			}
			what, next := l.unknown(id, "unit", self)
			l.find("UNIT.SUCCESSOR_UNKNOWN", m.File, line, fmt.Sprintf("successors of %s %q names %s", kind, self, what), next+", or remove it")
		}
	}
	for _, u := range m.Units {
		check("unit", u.ID, u.Line, u.Successors)
	}
	for _, stone := range m.Tombstones {
		check("tombstone", stone.ID, stone.Line, stone.Successors)
	}
}

func (l *linker) consumers(m *Module) {
	for i := range m.Consumers {
		edge := &m.Consumers[i]
		switch stone := l.stones[edge.Unit]; {
		case edge.Unit == "" || l.names[edge.Unit] != nil:
		case stone != nil:
			l.find("CONSUMER.UNIT_RETIRED", m.File, edge.Line, fmt.Sprintf("unit %q is retired: see %s", edge.Unit, l.taken[edge.Unit]), l.instead(stone))
		case !l.isExplained(edge.Unit):
			what, next := l.unknown(edge.Unit, "unit", "")
			l.find("CONSUMER.UNIT_UNKNOWN", m.File, edge.Line, "the consumer names "+what, next)
		}
		if edge.Module != "" && l.modules[edge.Module] == nil && !l.isExplained(edge.Module) {
			what, next := l.unknown(edge.Module, "module", "")
			l.find("CONSUMER.MODULE_UNKNOWN", m.File, edge.Line, "the consumer is "+what, next)
		}
		l.condition(edge.When, facts.ContextChange, m.File, edge.Line, "when of the consumer")
		l.class(edge, m.File)
		if edge.Unit == "" || edge.Relation == "" || edge.Module+edge.Path+edge.Glob == "" {
			continue // what could not be read is equal to nothing
		}
		named := *edge
		if unit := l.names[edge.Unit]; unit != nil {
			named.Unit = unit.ID
		}
		name := records.EdgeName(&named)
		first, repeated := l.edges[name]
		if !repeated {
			l.edges[name] = edgePlace{place{"row", m.File, edge.Line}, edge.Unit}
		} else if first.file != m.File || first.unit != edge.Unit { // else it is the module's own finding
			l.find("CONSUMER.REPEATED", m.File, edge.Line, fmt.Sprintf("the same consumer is declared by %s", first), "remove one of the two rows")
		}
	}
}

// isExplained reports whether an id may be declared where something could not be read, which has its own finding.
func (l *linker) isExplained(id string) bool { return l.hides || l.unread[id] }

// maxSuggestions bounds how often the nearest id is searched, which takes time for each id there is.
const maxSuggestions = 10

// unknown says what is wrong with an id that should name a unit or a module other than self, and what to write.
func (l *linker) unknown(id, kind, self string) (what, next string) {
	if other, taken := l.taken[id]; taken {
		what = fmt.Sprintf("%q, which is no %s but %s", id, kind, other)
		if m := l.modules[id]; m != nil && kind == "unit" && len(m.Units) > 0 {
			return what, "name one of its units: " + shortened(slices.Sorted(maps.Keys(m.units)), ", ")
		}
		return what, "name a " + kind
	}
	known := l.unitIDs
	if kind == "module" {
		known = l.moduleIDs
	}
	what = fmt.Sprintf("%s %q, which does not exist", kind, id)
	if near := l.nearest(id, known, self); near != "" {
		return what + fmt.Sprintf(" (did you mean %q?)", near), "write " + near
	}
	if len(known) == 0 {
		return what, "declare it: no " + kind + " is declared yet"
	}
	return what, fmt.Sprintf("name a %s that exists, such as %s", kind, shortened(known, ", "))
}

// instead says what to write for a retired unit: the living ones that its tombstone leads to.
func (l *linker) instead(stone *authored.Tombstone) string {
	var living []string
	seen := map[string]bool{}
	var follow func(stone *authored.Tombstone)
	follow = func(stone *authored.Tombstone) {
		for _, id := range stone.Successors {
			if seen[id] {
				continue
			}
			seen[id] = true
			if l.names[id] != nil {
				living = append(living, id)
			} else if next := l.stones[id]; next != nil {
				follow(next)
			}
		}
	}
	switch follow(stone); len(living) {
	case 0:
		return "remove the row: the tombstone names no successor"
	case 1:
		return "write unit: " + living[0]
	}
	return "write a row for each successor that it now follows: " + shortened(living, ", ")
}

// shortened joins words, of a long list the first and the last.
func shortened(words []string, glue string) string {
	const most = 8
	if len(words) <= most {
		return strings.Join(words, glue)
	}
	head, tail := words[:most-3], words[len(words)-2:]
	return strings.Join(head, glue) + glue + fmt.Sprintf("… (%d more)", len(words)-len(head)-len(tail)) + glue + strings.Join(tail, glue)
}

func (c *Corpus) findCycles(key string, next func(*Module) []string) {
	const white, grey, black = 0, 1, 2
	colour := map[string]int{}
	var walk func(m *Module, trail []string)
	walk = func(m *Module, trail []string) {
		colour[m.ID] = grey
		for _, id := range next(m) {
			target := c.modules[id]
			switch {
			case target == nil || colour[id] == black:
			case colour[id] == grey:
				circle := append(slices.Clone(trail[slices.Index(trail, id):]), id)
				c.find("MODULE.CYCLE", m.File, m.LineOf(key), fmt.Sprintf("%s runs in a circle: %s", key, shortened(circle, " → ")),
					fmt.Sprintf("remove %s from %s here, or break the circle elsewhere", id, key))
			default:
				walk(target, append(trail, id))
			}
		}
		colour[m.ID] = black
	}
	for _, m := range c.Modules {
		if c.modules[m.ID] == m && colour[m.ID] == white {
			walk(m, []string{m.ID})
		}
	}
}
