package analysis

import (
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/capabilities"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/trust"
)

// checkRemovals keeps the second sentence of RULES F1: a fact that removes a review needs the review's capability as well. What is false by
// the change itself and by the answers of those who have it, nobody else removes; where it is not, the other answers that it uses do,
// and are refused as authorize refuses one: with the whole change in a file of this range, else by themselves.
func (a *asker) checkRemovals(policy *trust.Policy, conditions []*condition, answers []*decision.Answer) ([]*decision.Answer, error) {
	able, unable := maps.Clone(a.values), map[string]*fault.Error{}
	for id := range a.values {
		q := a.facts[id]
		if q == nil {
			continue // a built-in one
		}
		why, err := mayRemove(policy, q.ID, answers)
		if err != nil {
			return nil, err
		}
		if why != nil {
			unable[id] = why
			delete(able, id)
		}
	}
	removing := map[string]*fault.Error{} // by question
	for _, c := range conditions {
		now, _ := c.holds(a.values)
		if without, _ := c.holds(able); now != facts.False || without == facts.False {
			continue
		}
		for _, id := range c.facts() {
			if why := unable[id]; why != nil {
				removing[a.facts[id].ID] = why
			}
		}
	}
	return a.refuseRemovals(removing, answers)
}

// mayRemove is nil where one who answered a question may remove a review as well, else why the first of them may not.
func mayRemove(policy *trust.Policy, id string, answers []*decision.Answer) (first *fault.Error, err error) {
	for _, answer := range answers {
		if answer.Question != id || answer.Result == facts.Waiver {
			continue
		}
		_, err := permit(policy, capabilities.ReviewConsumer, answer.Decision)
		f := fault.As(err)
		switch {
		case err == nil:
			return nil, nil
		case f == nil:
			return nil, err
		case first == nil:
			first = f
		}
	}
	return first, nil
}

func (a *asker) refuseRemovals(removing map[string]*fault.Error, answers []*decision.Answer) ([]*decision.Answer, error) {
	var refused *fault.Error
	var files []string
	var kept []*decision.Answer
	for _, answer := range answers {
		why := removing[answer.Question]
		switch {
		case why == nil:
			kept = append(kept, answer)
		case answer.InRange:
			if refused == nil {
				refused = fault.New(why.Outcome, why.Code, "", "the value of this fact takes out a review, which its author may not: %s", why.Reason())
			}
			files = append(files, answer.File)
		default:
			a.notices = append(a.notices, Notice{
				Code: why.Code, Target: answer.File, Message: "the answer does not count, as it takes out a review: " + why.Reason(),
			})
		}
	}
	if refused == nil {
		return kept, nil
	}
	slices.SortFunc(files, content.ComparePaths)
	return nil, unauthorized(refused, slices.Compact(files))
}
