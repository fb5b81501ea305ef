package graph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/facts"
)

// plan is a reading plan that is being made.
type plan struct {
	corpus  *corpus.Corpus
	reasons map[string][]Reason // by module
	done    map[string]bool
	order   []*corpus.Module
}

func (p *plan) add(module string, r Reason) {
	if p.corpus.Module(module) != nil {
		p.reasons[module] = append(p.reasons[module], r)
	}
}

// judged adds a reason that holds under a condition, unless that is false.
func (p *plan) judged(module string, r Reason, when authored.Expression, context string, known facts.Values) {
	truth, settle := Holds(p.corpus, when, context, known)
	if truth == facts.Unknown {
		r.State, r.Facts = Unresolved, settle
	}
	if truth != facts.False {
		p.add(module, r)
	}
}

func best(reasons []Reason) State {
	state := Conditional
	for _, r := range reasons {
		state = min(state, r.State)
	}
	return state
}

// include puts a module behind all that it rests on. A cycle is a finding of the corpus; here it only ends the descent.
func (p *plan) include(m *corpus.Module, state State) {
	if p.done[m.ID] {
		return
	}
	p.done[m.ID] = true
	if state != Selected {
		state = Conditional
	}
	for _, need := range []struct {
		why string
		ids []string
	}{{WhyRequired, m.Requires}, {WhySpecialized, m.Specializes}} {
		for _, id := range slices.Sorted(slices.Values(need.ids)) {
			p.add(id, Reason{Why: need.why, Subject: m.ID, State: state})
			if other := p.corpus.Module(id); other != nil {
				p.include(other, state)
			}
		}
	}
	p.order = append(p.order, m)
}

func (p *plan) entries() []Entry {
	list := make([]Entry, 0, len(p.order))
	for _, m := range p.order {
		e := Entry{Module: m, Reasons: material(merged(p.reasons[m.ID]))}
		e.State = best(e.Reasons)
		for i := range m.Units {
			unit := m.Unit(m.Units[i].ID)
			if unit == nil {
				continue
			}
			about := slices.DeleteFunc(slices.Clone(e.Reasons), func(r Reason) bool { return r.Unit != "" && r.Unit != unit.ID })
			if len(about) > 0 {
				e.Units = append(e.Units, EntryUnit{unit, best(about)})
			}
		}
		list = append(list, e)
	}
	return list
}

// material leaves out the reasons that change nothing: what they would have read is read anyway.
func material(reasons []Reason) []Reason {
	selected := map[string]bool{}
	for _, r := range reasons {
		if r.State == Selected {
			selected[r.Unit] = true
		}
	}
	return slices.DeleteFunc(reasons, func(r Reason) bool { return r.State != Selected && (selected[""] || selected[r.Unit]) })
}

// merged are the reasons in order, those that several rows give as one.
func merged(list []Reason) []Reason {
	slices.SortStableFunc(list, func(a, b Reason) int {
		return cmp.Or(strings.Compare(a.Why, b.Why), strings.Compare(a.Subject, b.Subject), strings.Compare(a.Unit, b.Unit), cmp.Compare(a.State, b.State))
	})
	var out []Reason
	for _, r := range list {
		last := len(out) - 1
		switch {
		case last < 0 || out[last].Why != r.Why || out[last].Subject != r.Subject || out[last].Unit != r.Unit:
			out = append(out, r)
		case out[last].State == r.State: // else the one that holds decides
			out[last].Facts = slices.Compact(slices.Sorted(slices.Values(slices.Concat(out[last].Facts, r.Facts))))
		}
	}
	return out
}
