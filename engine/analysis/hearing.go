package analysis

import (
	"context"

	"github.com/git-standards/git-standards/engine/analysis/ask"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/trust"
)

// hearing is the answers to what a change may ask, until those are left that count.
type hearing struct {
	*ask.Asker
	policy  *trust.Policy
	byID    map[string]*question.Question // all that may be asked
	answers []*decision.Answer
	notices []ask.Notice
}

// hear reads the answers, drops those that may not count or refuses the change for them, and settles the facts by the others.
func (h *hearing) hear(ctx context.Context) (err error) {
	all := h.All()
	for _, q := range all {
		h.byID[q.ID] = q
	}
	if h.answers, err = decision.ReadAnswers(ctx, h.AcceptedSource, h.ProposedSource, all, h.Changes); err != nil {
		return err
	}
	if h.answers, err = h.authorize(); err != nil {
		return err
	}
	if err := h.checkValues(); err != nil {
		return err
	}
	return h.settleFacts()
}

// settleFacts settles the facts by all answers that count. Where some of them do not, as they remove a review, it does so by the others.
func (h *hearing) settleFacts() error {
	for {
		h.Settle(h.factAnswers())
		kept, err := h.checkRemovals()
		if err != nil {
			return err
		}
		if len(kept) == len(h.answers) {
			return nil
		}
		h.answers = kept
	}
}

// factAnswers is what counts as the answer to each question of fact. Two that differ are a contradiction, which Match refuses.
func (h *hearing) factAnswers() map[string]ask.Answer {
	settles := map[string]ask.Answer{}
	for _, answer := range h.answers {
		if q := h.byID[answer.Question]; q != nil && q.Kind == question.Fact {
			waived := answer.Result == facts.Waiver
			settles[q.ID] = ask.Answer{Value: answer.Value, Waived: waived || settles[q.ID].Waived}
		}
	}
	return settles
}

// checkValues brings the values of answered facts into their canonical form, by the contract of the question. What is no value of its
// fact is a finding.
func (h *hearing) checkValues() error {
	var findings []reading.Finding
	for _, answer := range h.answers {
		q := h.byID[answer.Question]
		if q == nil || q.Kind != question.Fact || answer.Result == facts.Waiver {
			continue
		}
		value, err := q.Contract.Check(answer.Value)
		if err != nil {
			findings = append(findings, reading.Finding{
				Code: "DECISION.VALUE", Severity: reading.SeverityError, File: answer.File, Line: max(answer.ValueLine, 1), Message: err.Error(),
				Next: "remove this file and answer again with git standards resolve",
			})
		}
		answer.Value = value
	}
	if len(findings) > 0 {
		return &corpus.FindingsError{Findings: findings}
	}
	return nil
}
