package analysis

import (
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/ask"
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
func (h *hearing) checkRemovals() ([]*decision.Answer, error) {
	unable, why := map[string]bool{}, map[string]*fault.Error{}
	for _, id := range h.Bound() {
		refused, err := mayRemove(h.policy, id, h.answers)
		if err != nil {
			return nil, err
		}
		if refused != nil {
			unable[id], why[id] = true, refused
		}
	}
	removing := h.Removing(unable)
	maps.DeleteFunc(why, func(id string, _ *fault.Error) bool { return !removing[id] })
	return h.refuseRemovals(why)
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

func (h *hearing) refuseRemovals(removing map[string]*fault.Error) ([]*decision.Answer, error) {
	var refused *fault.Error
	var files []string
	var kept []*decision.Answer
	for _, answer := range h.answers {
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
			h.notices = append(h.notices, ask.Notice{
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
