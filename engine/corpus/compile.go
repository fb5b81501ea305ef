package corpus

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/identity"
)

// Structure returns the structural digest of normalized text (RULES A8; doc/normalization.md).
func Structure(normal string) (string, error) {
	return identity.Hash("coding-standards:unit-structure:v1", "structure", normal)
}

func compileModule(name string, data []byte) (*compiled, error) {
	done := &compiled{data: data}
	if !authored.IsModule(data) {
		return done, nil
	}
	module, findings := authored.ParseModule(name, data)
	done.findings = findings
	if module == nil || HasErrors(findings) {
		// What could be read still takes part in the checks across modules, so that all findings come at once.
		if module != nil && module.ID != "" {
			done.module = &Module{Module: module, units: map[string]*Unit{}}
			for i := range module.Units {
				done.module.units[module.Units[i].ID] = &Unit{Unit: &module.Units[i], Module: done.module}
			}
		}
		return done, nil
	}
	m := &Module{Module: module, units: map[string]*Unit{}}
	var err error
	if m.Outside, err = Structure(module.Outside.Normal); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i := range module.Units {
		unit := &Unit{Unit: &module.Units[i], Module: m, Representation: identity.Bytes(module.Units[i].Text.Raw)}
		if unit.Structure, err = Structure(unit.Text.Normal); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		m.units[unit.ID] = unit
	}
	if m.Node, err = m.node(data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	done.module = m
	return done, nil
}

// add takes a module into the corpus; a repeated id is a finding and the first in path order stays.
func (c *Corpus) add(m *Module) {
	c.Modules = append(c.Modules, m)
	if first := c.modules[m.ID]; first != nil {
		c.find("MODULE.ID_REPEATED", m.File, m.Line, fmt.Sprintf("module id %q is taken by %s:%d", m.ID, first.File, first.Line), "give one of the two another id")
		return
	}
	c.modules[m.ID] = m
}

// link checks what one module alone cannot know: ids unique over the corpus, and references that name something
// (RULES A4). The only error is that of ctx.
func (c *Corpus) link(ctx context.Context) error {
	type place struct {
		what, file string
		line       int
	}
	taken := map[string]place{}
	claim := func(id, what, file string, line int) bool {
		if first, ok := taken[id]; ok {
			if first.file == file {
				return false // the module's own finding
			}
			c.find("ID.REPEATED", file, line, fmt.Sprintf("id %q of this %s is taken by the %s at %s:%d", id, what, first.what, first.file, first.line), "give one of the two another id")
			return false
		}
		taken[id] = place{what, file, line}
		return true
	}
	for _, m := range c.Modules {
		if c.modules[m.ID] == m {
			claim(m.ID, "module", m.File, m.Line)
		}
	}
	for _, m := range c.Modules {
		for i := range m.Units {
			if unit := m.units[m.Units[i].ID]; unit != nil && claim(unit.ID, "unit", m.File, unit.Line) {
				c.units[unit.ID] = unit
			}
			for _, alias := range m.Units[i].Aliases {
				claim(alias, "alias", m.File, m.Units[i].Line)
			}
		}
		for _, stone := range m.Tombstones {
			claim(stone.ID, "tombstone", m.File, stone.Line)
		}
	}
	known := &suggestions{modules: slices.Sorted(maps.Keys(c.modules)), units: slices.Sorted(maps.Keys(c.units))}
	edges := map[string]place{}
	for _, m := range c.Modules {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.linkModule(m, known)
		for i := range m.Consumers {
			edge := &m.Consumers[i]
			if edge.Unit == "" || edge.Relation == "" || edge.Module+edge.Path+edge.Glob == "" {
				continue // what could not be read is equal to nothing
			}
			name := EdgeName(edge)
			if first, ok := edges[name]; ok && first.file == m.File {
				continue // the module's own finding
			} else if ok {
				c.find("CONSUMER.REPEATED", m.File, edge.Line, fmt.Sprintf("the same consumer is declared at %s:%d", first.file, first.line), "remove one of the two rows")
			} else {
				edges[name] = place{file: m.File, line: edge.Line}
			}
		}
	}
	c.findCycles("requires", func(m *Module) []string { return m.Requires })
	c.findCycles("specializes", func(m *Module) []string { return m.Specializes })
	slices.SortStableFunc(c.Modules, func(a, b *Module) int { return strings.Compare(a.ID, b.ID) })
	return nil
}

func (c *Corpus) linkModule(m *Module, known *suggestions) {
	for _, list := range []struct {
		key string
		ids []string
	}{{"requires", m.Requires}, {"specializes", m.Specializes}} {
		for _, id := range list.ids {
			if c.modules[id] == nil {
				c.find("MODULE.REFERENCE_UNKNOWN", m.File, m.LineOf(list.key), fmt.Sprintf("%s names module %q, which does not exist%s", list.key, id, known.nearest(id, known.modules)), "name a module's id")
			}
		}
	}
	for i := range m.Consumers {
		edge := &m.Consumers[i]
		if edge.Unit != "" && c.UnitNamed(edge.Unit) == nil {
			c.find("CONSUMER.UNIT_UNKNOWN", m.File, edge.Line, fmt.Sprintf("unit %q does not exist%s", edge.Unit, known.nearest(edge.Unit, known.units)), "name a unit's id")
		}
		if edge.Module != "" && c.modules[edge.Module] == nil {
			c.find("CONSUMER.MODULE_UNKNOWN", m.File, edge.Line, fmt.Sprintf("module %q does not exist%s", edge.Module, known.nearest(edge.Module, known.modules)), "name a module's id")
		}
	}
}

// maxSuggestions bounds how often the nearest id is searched, which takes time for each id there is.
const maxSuggestions = 10

// suggestions are the ids that an unknown one may have meant, sorted.
type suggestions struct {
	modules, units []string
	made           int
}

func (s *suggestions) nearest(id string, known []string) string {
	if s.made == maxSuggestions {
		return ""
	}
	s.made++
	if near := authored.Nearest(id, known); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
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
				at := slices.Index(trail, id)
				c.find("MODULE.CYCLE", m.File, m.LineOf(key), fmt.Sprintf("%s runs in a circle: %s", key, strings.Join(append(slices.Clone(trail[at:]), id), " → ")), "take one of these references out")
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

// EdgeName is what names an edge (RULES C15): its unit, relation and module, path or glob.
func EdgeName(edge *authored.Consumer) string {
	target := "path\x00" + edge.Path
	switch {
	case edge.Module != "":
		target = "module\x00" + edge.Module
	case edge.Glob != "":
		target = "glob\x00" + edge.Glob
	}
	return strings.Join([]string{edge.Unit, edge.Relation, target}, "\x00")
}
