package ask

import (
	"fmt"
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/facts"
)

// Settle makes known, by the question of each fact, what counts as its answer, and nothing of what was made known before.
func (a *Asker) Settle(answers map[string]Answer) {
	byFact := map[string]Answer{}
	for id, q := range a.facts {
		if answer, here := answers[q.ID]; here {
			byFact[id] = answer
		}
	}
	conditions := make([]*condition, len(a.candidates))
	for i, c := range a.candidates {
		conditions[i] = c.condition
	}
	a.settled = settle(conditions, a.known, byFact)
}

// Bound lists the questions of fact whose value is known by an answer.
func (a *Asker) Bound() []string {
	var bound []string
	for _, id := range slices.Sorted(maps.Keys(a.values)) {
		if q := a.facts[id]; q != nil { // else a built-in one
			bound = append(bound, q.ID)
		}
	}
	return bound
}

// Removing is those of some bound questions whose values take out a review that the others leave in.
func (a *Asker) Removing(bound map[string]bool) map[string]bool {
	others := maps.Clone(a.values)
	maps.DeleteFunc(others, func(id string, _ any) bool { return a.facts[id] != nil && bound[a.facts[id].ID] })
	removing := map[string]bool{}
	for _, c := range a.candidates {
		now, _ := c.condition.holds(a.values)
		if without, _ := c.condition.holds(others); now != facts.False || without == facts.False {
			continue
		}
		for _, id := range c.condition.facts() {
			if q := a.facts[id]; q != nil && bound[q.ID] {
				removing[q.ID] = true
			}
		}
	}
	return removing
}

// Questions is what a change asks.
type Questions struct {
	Asked     []*question.Question            // by (module, unit, kind, consumer)
	Derivable []*question.Question            // beside them: what would be asked with every edge followed and every `when` true (RULES E6)
	Hanging   map[string][]*question.Question // by the question of a fact: the reviews that it decides
	Notices   []Notice
	Uncarried int // edges that still name a place from which their consumers moved
}

// Choose files what may be asked, once, by what is settled: the facts that count and the reviews whose `when` is true are asked, all others
// derivable.
func (a *Asker) Choose() (Questions, error) {
	if err := a.checkAskable(); err != nil {
		return Questions{}, err
	}
	for _, id := range slices.Sorted(maps.Keys(a.facts)) {
		a.put(a.facts[id], a.asked[id])
	}
	hanging := map[string][]*question.Question{}
	for _, c := range a.candidates {
		truth, names := c.condition.holds(a.values)
		if c.refused != nil && truth == facts.True {
			return Questions{}, c.refused
		}
		if c.question != nil {
			a.put(c.question, truth == facts.True)
			a.hang(hanging, c.question, names)
		}
		if c.reason == question.ConsumerDeleted && truth != facts.True && !a.isOpen(names) {
			a.noticeUnasked(c.review)
		}
	}
	return Questions{Asked: question.Sort(a.questions), Derivable: a.derivable, Hanging: hanging, Notices: a.notices, Uncarried: a.uncarried}, nil
}

// checkAskable refuses a condition that only facts could settle of which no question can be made. Where another fact is open beside
// them, its answer may leave them unasked.
func (a *Asker) checkAskable() error {
	for _, c := range a.candidates {
		truth, names := c.condition.holds(a.values)
		if truth != facts.Unknown || slices.ContainsFunc(names, func(id string) bool { return a.waived[id] || a.refusedFacts[id] == nil }) {
			continue
		}
		return a.refusedFacts[slices.Min(names)]
	}
	return nil
}

// hang notes which reviews are asked or not by the facts that are still open.
func (a *Asker) hang(hanging map[string][]*question.Question, review *question.Question, names []string) {
	for _, id := range names {
		q := a.facts[id]
		if q == nil || !a.isOpen(names) || slices.ContainsFunc(hanging[q.ID], func(other *question.Question) bool { return other.ID == review.ID }) {
			continue
		}
		hanging[q.ID] = append(hanging[q.ID], review)
	}
}

// isOpen reports that a question is open about one of some facts.
func (s *settled) isOpen(ids []string) bool {
	return slices.ContainsFunc(ids, func(id string) bool { return s.asked[id] && !s.waived[id] })
}

// noticeUnasked says that a consumer is gone about which nobody is asked: whoever deletes something watched is told (RULES A7).
func (a *Asker) noticeUnasked(r review) {
	a.notices = append(a.notices, Notice{
		Code: DeletedCode, Target: fmt.Sprintf("%s:%d", r.edge.Owner.File, r.edge.Line), Paths: []string{r.path},
		Message: fmt.Sprintf("%q is gone, and was a consumer of unit %q; its when does not hold, so nobody is asked", r.path, r.edge.Unit),
	})
}

// put files a question under what is asked or what is derivable beside.
func (a *Asker) put(q *question.Question, asked bool) {
	if asked {
		a.questions = append(a.questions, q)
	} else {
		a.derivable = append(a.derivable, q)
	}
}
