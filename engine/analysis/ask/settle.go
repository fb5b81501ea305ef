package ask

import (
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/facts"
)

// Answer is what counts as the answer to a question of fact.
type Answer struct {
	Value  any
	Waived bool
}

// settled is what is known at the fixed point of facts and conditions (RULES C10). Asked are the facts that were needed on the way, known
// or not.
type settled struct {
	values facts.Values
	asked  map[string]bool
	waived map[string]bool
}

// settle starts with what is known of the change and binds, round by round, the answers to the facts that would settle what is unknown,
// until nothing new is known. It ends, as each round but the last binds or waives a fact; and it goes by sets, so that no order of
// edges, facts or answers counts.
func settle(conditions []*condition, known facts.Values, answers map[string]Answer) settled {
	s := settled{values: maps.Clone(known), asked: map[string]bool{}, waived: map[string]bool{}}
	if s.values == nil {
		s.values = facts.Values{}
	}
	for {
		needed := s.needed(conditions)
		more := s.waive(needed, answers)
		if !more {
			more = s.bind(needed, answers)
		}
		if !more {
			maps.Copy(s.asked, needed)
			return s
		}
	}
}

// needed is the facts that would settle what is unknown. Whatever hangs on a waived fact asks nothing more.
func (s *settled) needed(conditions []*condition) map[string]bool {
	needed := map[string]bool{}
	for _, c := range conditions {
		truth, names := c.holds(s.values)
		if truth != facts.Unknown || slices.ContainsFunc(names, func(id string) bool { return s.waived[id] }) {
			continue
		}
		for _, id := range names {
			needed[id] = true
		}
	}
	return needed
}

// waive comes before bind: what is not asked because of a waiver is bound by nothing.
func (s *settled) waive(needed map[string]bool, answers map[string]Answer) (more bool) {
	for id := range needed {
		if answers[id].Waived {
			s.waived[id], s.asked[id], more = true, true, true
		}
	}
	return more
}

func (s *settled) bind(needed map[string]bool, answers map[string]Answer) (more bool) {
	for id := range needed {
		if answer, here := answers[id]; here {
			s.values[id], s.asked[id], more = answer.Value, true, true
		}
	}
	return more
}
