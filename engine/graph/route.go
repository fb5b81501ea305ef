package graph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/corpus"
)

// Why a module is to be read.
const (
	WhyCore        = "core"        // its role says that it always applies
	WhyChanged     = "changed"     // its file is among the paths
	WhyConsumer    = "consumer"    // a path is a consumer of one of its units
	WhyRequired    = "required"    // a module to be read requires it
	WhySpecialized = "specialized" // a module to be read specializes it
)

// Reason is one reason to read a module: Subject is the path or the module that gives it, Unit the unit it is about or "".
type Reason struct{ Why, Subject, Unit string }

// Entry is one module of a reading plan. Units are those to be read: those that a path consumes, else all of them.
type Entry struct {
	Module  *corpus.Module
	Reasons []Reason
	Units   []*corpus.Unit
}

// roles is the order in which modules are read where nothing else decides.
var roles = authored.Roles()

// Route is the reading plan of a set of paths: what must be read by whoever works on them. What a module requires or specializes
// comes before it.
func Route(c *corpus.Corpus, paths []string) []Entry {
	reasons := map[string][]Reason{}
	given := map[string]bool{}
	for _, path := range paths {
		given[path] = true
	}
	for _, m := range c.Modules {
		if m.Role == "core" {
			reasons[m.ID] = append(reasons[m.ID], Reason{Why: WhyCore, Subject: m.ID})
		}
		if given[m.File] {
			reasons[m.ID] = append(reasons[m.ID], Reason{Why: WhyChanged, Subject: m.File})
		}
	}
	matched := map[string][]string{} // by glob: many rows share one
	for _, r := range declared(c) {
		unit := c.Unit(r.Source)
		if unit == nil {
			continue
		}
		path := r.Path
		if target := c.Module(r.Module); target != nil {
			path = target.File
		}
		var led []string
		switch {
		case r.Glob == "" && given[path]:
			led = []string{path}
		case r.Glob != "":
			known := false
			if led, known = matched[r.Glob]; !known {
				led = matching(r.Glob, paths)
				matched[r.Glob] = led
			}
		}
		for _, path := range led {
			reasons[unit.Module.ID] = append(reasons[unit.Module.ID], Reason{WhyConsumer, path, unit.ID})
		}
	}
	p := plan{corpus: c, reasons: reasons, done: map[string]bool{}}
	direct := make([]*corpus.Module, 0, len(reasons))
	for id := range reasons {
		direct = append(direct, c.Module(id))
	}
	slices.SortFunc(direct, byRole)
	for _, m := range direct {
		p.include(m)
	}
	return p.entries()
}

// matching is the paths that a consumer's glob leads to (RULES A10).
func matching(pattern string, paths []string) []string {
	g, err := glob.Parse(pattern)
	if err != nil {
		return nil // a finding of the module
	}
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return corpus.IsDecision(path) || !g.Match(path) })
}

func byRole(a, b *corpus.Module) int {
	return cmp.Or(cmp.Compare(slices.Index(roles, a.Role), slices.Index(roles, b.Role)), strings.Compare(a.ID, b.ID))
}

type plan struct {
	corpus  *corpus.Corpus
	reasons map[string][]Reason
	done    map[string]bool
	order   []*corpus.Module
}

// include puts a module behind all that it rests on. A cycle is a finding of the corpus; here it only ends the descent.
func (p *plan) include(m *corpus.Module) {
	if p.done[m.ID] {
		return
	}
	p.done[m.ID] = true
	for _, need := range []struct {
		why string
		ids []string
	}{{WhyRequired, m.Requires}, {WhySpecialized, m.Specializes}} {
		for _, id := range slices.Sorted(slices.Values(need.ids)) {
			if other := p.corpus.Module(id); other != nil {
				p.reasons[id] = append(p.reasons[id], Reason{Why: need.why, Subject: m.ID})
				p.include(other)
			}
		}
	}
	p.order = append(p.order, m)
}

func (p *plan) entries() []Entry {
	list := make([]Entry, 0, len(p.order))
	for _, m := range p.order {
		e := Entry{Module: m, Reasons: slices.Compact(sortReasons(p.reasons[m.ID]))}
		whole := slices.ContainsFunc(e.Reasons, func(r Reason) bool { return r.Unit == "" })
		for i := range m.Units {
			unit := m.Unit(m.Units[i].ID)
			if unit != nil && (whole || slices.ContainsFunc(e.Reasons, func(r Reason) bool { return r.Unit == unit.ID })) {
				e.Units = append(e.Units, unit)
			}
		}
		list = append(list, e)
	}
	return list
}

func sortReasons(list []Reason) []Reason {
	slices.SortFunc(list, func(a, b Reason) int {
		return cmp.Or(strings.Compare(a.Why, b.Why), strings.Compare(a.Subject, b.Subject), strings.Compare(a.Unit, b.Unit))
	})
	return list
}
