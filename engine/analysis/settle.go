package analysis

import (
	"fmt"
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/trust"
)

// factAnswer is what counts as the answer to a fact.
type factAnswer struct {
	value  any
	waived bool
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
func settle(conditions []*condition, known facts.Values, answers map[string]factAnswer) settled {
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
func (s *settled) waive(needed map[string]bool, answers map[string]factAnswer) (more bool) {
	for id := range needed {
		if answers[id].waived {
			s.waived[id], s.asked[id], more = true, true, true
		}
	}
	return more
}

func (s *settled) bind(needed map[string]bool, answers map[string]factAnswer) (more bool) {
	for id := range needed {
		if answer, here := answers[id]; here {
			s.values[id], s.asked[id], more = answer.value, true, true
		}
	}
	return more
}

// settleFacts chooses what is asked: the facts that count and the reviews whose `when` is true. All others are derivable (RULES E6). It
// gives the answers without those that may not count.
func (a *asker) settleFacts(policy *trust.Policy, answers []*decision.Answer) ([]*decision.Answer, error) {
	conditions := make([]*condition, len(a.candidates))
	for i, c := range a.candidates {
		conditions[i] = c.condition
	}
	for {
		a.settled = settle(conditions, a.known, a.answersTo(answers))
		kept, err := a.checkRemovals(policy, conditions, answers)
		if err != nil {
			return nil, err
		}
		if len(kept) == len(answers) {
			break
		}
		answers = kept
	}
	if err := a.checkAskable(conditions); err != nil {
		return nil, err
	}
	a.hanging = map[string][]*question.Question{}
	for _, id := range slices.Sorted(maps.Keys(a.facts)) {
		a.put(a.facts[id], a.asked[id])
	}
	for _, c := range a.candidates {
		truth, names := c.condition.holds(a.values)
		if c.refused != nil && truth == facts.True {
			return nil, c.refused
		}
		if c.question != nil {
			a.put(c.question, truth == facts.True)
			a.hang(c.question, names)
		}
		if c.reason == question.ConsumerDeleted && truth != facts.True && !a.isOpen(names) {
			a.noticeUnasked(c.review)
		}
	}
	return answers, nil
}

// checkAskable refuses a condition that only facts could settle of which no question can be made. Where another fact is open beside
// them, its answer may leave them unasked.
func (a *asker) checkAskable(conditions []*condition) error {
	for _, c := range conditions {
		truth, names := c.holds(a.values)
		if truth != facts.Unknown || slices.ContainsFunc(names, func(id string) bool { return a.waived[id] || a.refusedFacts[id] == nil }) {
			continue
		}
		return a.refusedFacts[slices.Min(names)]
	}
	return nil
}

// hang notes which reviews are asked or not by the facts that are still open.
func (a *asker) hang(review *question.Question, names []string) {
	for _, id := range names {
		q := a.facts[id]
		if q == nil || !a.isOpen(names) || slices.ContainsFunc(a.hanging[q.ID], func(other *question.Question) bool { return other.ID == review.ID }) {
			continue
		}
		a.hanging[q.ID] = append(a.hanging[q.ID], review)
	}
}

// isOpen reports that a question is open about one of some facts.
func (s *settled) isOpen(ids []string) bool {
	return slices.ContainsFunc(ids, func(id string) bool { return s.asked[id] && !s.waived[id] })
}

// noticeUnasked says that a consumer is gone about which nobody is asked: whoever deletes something watched is told (RULES A7).
func (a *asker) noticeUnasked(r review) {
	a.notices = append(a.notices, Notice{
		Code: DeletedCode, Target: fmt.Sprintf("%s:%d", r.edge.Owner.File, r.edge.Line), Paths: []string{r.path},
		Message: fmt.Sprintf("%q is gone, and was a consumer of unit %q; its when does not hold, so nobody is asked", r.path, r.edge.Unit),
	})
}

// put files a question under what is asked or what is derivable beside.
func (a *asker) put(q *question.Question, asked bool) {
	if asked {
		a.questions = append(a.questions, q)
	} else {
		a.derivable = append(a.derivable, q)
	}
}

// answersTo is the counted answers by the facts that they settle. Two that differ are a contradiction, which Match refuses.
func (a *asker) answersTo(answers []*decision.Answer) map[string]factAnswer {
	factOf := map[string]string{}
	for id, q := range a.facts {
		factOf[q.ID] = id
	}
	byFact := map[string]factAnswer{}
	for _, answer := range answers {
		if id, ok := factOf[answer.Question]; ok {
			waived := answer.Result == facts.Waiver
			byFact[id] = factAnswer{answer.Value, waived || byFact[id].waived}
		}
	}
	return byFact
}
