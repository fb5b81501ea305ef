package judge

import (
	"context"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/wire"
)

// Audit judges a pair of commits of which the second has landed, as the gate would have judged it (RULES J3), and gives what there
// is to tell of it: what landed unanswered, waived, only asserted or by adoption. It is nil where there is nothing: no standard is
// touched, or all that was asked is signed. Answers that contradict each other and text that cannot be judged are told as a
// rejection, and what is unavailable is the error. checkAuthors is asked as the gate asks it (RULES F5): it has what the commits between
// the two tell, which no tree does. Which commits the two are and what they are called, the caller adds.
func (j *Judge) Audit(ctx context.Context, w Workspace, accepted, proposed Side, checkAuthors func(*Outcome) error) (*wire.AuditCommit, error) {
	changes, err := w.Changes(ctx, accepted.Source, proposed.Source)
	if err != nil {
		return nil, err
	}
	r := Request{Accepted: accepted, Proposed: proposed, Changes: append([]content.Change{}, changes...)}
	if relevant, err := Relevant(ctx, r); err != nil || !relevant {
		return nil, err
	}
	// What landed had to name where its consumers are (RULES C13), which only a request to land is asked for.
	r.Landed = &wire.Landed{Base: wire.Text(accepted.Info.Commit), Head: wire.Text(proposed.Info.Commit), Tree: wire.Text(proposed.Info.Tree)}
	outcome, err := j.Between(ctx, w, r)
	if err != nil {
		rejection := Reject(err)
		if f := fault.As(err); ctx.Err() != nil || f == nil && len(rejection.Findings) == 0 || f != nil && f.Outcome == fault.Unavailable {
			return nil, err
		}
		return &wire.AuditCommit{
			Verdict: "rejected", Questions: []wire.Question{}, Waived: []wire.AuditAnswer{}, Asserted: []wire.AuditAnswer{}, Rejection: &rejection, Notices: []wire.Notice{},
		}, nil
	}
	if a := outcome.Adoption; a != nil {
		return &wire.AuditCommit{
			Verdict: "adoption", Questions: []wire.Question{}, Waived: []wire.AuditAnswer{}, Asserted: []wire.AuditAnswer{}, Units: &a.Units, Notices: a.Notices,
		}, nil
	}
	if err := checkAuthors(outcome); err != nil {
		return nil, err
	}
	audited := landed(outcome)
	if audited.Verdict == "complete" && len(audited.Waived)+len(audited.Asserted) == 0 {
		return nil, nil
	}
	if err := Keep(ctx, w, outcome); err != nil && ctx.Err() != nil {
		return nil, err
	}
	audited.Stored = outcome.Analysis.Stored
	return audited, nil
}

// landed sorts what a verdict holds into what an audit tells.
func landed(o *Outcome) *wire.AuditCommit {
	a := o.Analysis
	c := &wire.AuditCommit{
		Verdict: a.Result, Analysis: &a.Analysis, Issuer: &a.Issuer, Questions: a.Questions, Waived: []wire.AuditAnswer{}, Asserted: []wire.AuditAnswer{}, Notices: a.Notices,
	}
	asked, rationales := map[string]*question.Question{}, map[[2]string]string{}
	for _, q := range o.Verdict.Asked {
		asked[q.ID] = q
	}
	for _, answer := range o.Verdict.Counted {
		rationales[[2]string{answer.Question, answer.File}] = answer.Rationale
	}
	for _, d := range a.Decisions {
		if !d.Counted || d.Result == "blocked" {
			continue // what blocks stands with its question
		}
		q := asked[d.Question]
		answer := wire.AuditAnswer{
			Question: d.Question, Kind: q.Kind, About: about(q), Result: d.Result, Principal: d.Principal,
			Rationale: rationales[[2]string{d.Question, d.File}], Trust: d.Trust, File: d.File,
		}
		switch {
		case d.Result == facts.Waiver:
			c.Waived = append(c.Waived, answer)
		case d.Trust == "asserted":
			c.Asserted = append(c.Asserted, answer)
		}
	}
	return c
}
