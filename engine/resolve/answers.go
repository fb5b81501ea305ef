package resolve

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
)

// Answers finds the question of each answer. All must be asked and allow the result, or there is an error.
func (f *Finder) Answers(ctx context.Context, answers []wire.Answer) ([]decision.Submitted, error) {
	var out []decision.Submitted
	for _, a := range answers {
		if err := decision.OneOf(a.Question, a.Result, a.Value); err != nil {
			return nil, err
		}
		q, err := f.find(ctx, a.Question)
		if err != nil {
			return nil, err
		}
		evidence, err := f.evidence(ctx, a.Evidence)
		if err != nil {
			return nil, err
		}
		s, err := decision.Answered(q, a.Result, a.Value)
		if err != nil {
			return nil, err
		}
		s.Rationale, s.Evidence = a.Rationale, evidence
		if err := decision.Check(s); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(o decision.Submitted) bool { return o.Question.ID == q.ID }) {
			return nil, fault.New(fault.Invalid, "REQUEST.USAGE", a.Question, "the question is named twice: each takes one answer").Hint("git standards resolve -h")
		}
		out = append(out, s)
	}
	return out, nil
}

// Choose gives one answer to the open questions of the first place that are mine and allow the result, of one unit where it is not "";
// its Question is not looked at. The rest stay open.
func (f *Finder) Choose(ctx context.Context, a wire.Answer, unit string) ([]decision.Submitted, error) {
	first, err := f.First(ctx)
	if err != nil {
		return nil, err
	}
	evidence, err := f.evidence(ctx, a.Evidence)
	if err != nil {
		return nil, err
	}
	if first.Verdict == nil || first.Verdict.Complete() {
		return nil, fault.New(fault.Invalid, "SUBMISSION.NOT_APPLICABLE", "", "nothing is open").Hint("git standards status")
	}
	unit = unitMeant(unit, first)
	var out []decision.Submitted
	for _, open := range first.Verdict.Open {
		if (unit == "" || open.Unit == unit) && mine(first, open.Question, wire.Text(a.Result)) && allows(first, open.Question, wire.Text(a.Result)) {
			s, err := decision.Answered(open.Question, a.Result, nil)
			if err != nil {
				return nil, err
			}
			s.Rationale, s.Evidence = a.Rationale, evidence
			if err := decision.Check(s); err != nil {
				return nil, err
			}
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		if unit != "" && !slices.ContainsFunc(first.Verdict.Open, func(o decision.Open) bool { return o.Unit == unit }) {
			return nil, noneAbout(unit, first)
		}
		if waits := awaits(first, unit); waits != "" {
			return nil, fault.New(fault.Invalid, "SUBMISSION.NOT_APPLICABLE", unit, "no open question there is yours to answer: awaiting %s", waits).Hint("git standards status")
		}
		return nil, fault.New(fault.Invalid, "SUBMISSION.NOT_APPLICABLE", unit, "no open question there allows the result %q", wire.Text(a.Result)).Hint("git standards status")
	}
	return out, nil
}

// awaits names whom all that is open of a unit waits for; "" where something of it is mine.
func awaits(o *judge.Outcome, unit string) string {
	var names []string
	for _, open := range o.Verdict.Open {
		switch {
		case unit != "" && open.Unit != unit:
		case o.Mine(open.Question):
			return ""
		default:
			names = append(names, o.Others(open.Question)...)
		}
	}
	slices.Sort(names)
	return judge.SomeOf(slices.Compact(names))
}

// allows reports a result that may be given to a question beside others: of a fact one of those that can be listed, so that no text
// meant for a review becomes the value of a fact.
func allows(o *judge.Outcome, q *question.Question, result string) bool {
	return result != question.AnyValue && slices.Contains(o.Results(q), result)
}

// mine reports a question that whoever is at the keyboard may answer so.
func mine(o *judge.Outcome, q *question.Question, result string) bool {
	if result == facts.Waiver {
		return o.Waivable(q)
	}
	return o.Mine(q)
}

// unitMeant is the id of the unit that is typed, for an alias that of its unit (RULES A2). What something open is about comes
// first: an alias may be the id of a unit that this change removes.
func unitMeant(word string, o *judge.Outcome) string {
	if word == "" || slices.ContainsFunc(o.Verdict.Open, func(o decision.Open) bool { return o.Unit == word }) {
		return word
	}
	for _, side := range sides(o) {
		if unit := side.UnitNamed(word); unit != nil {
			return unit.ID
		}
	}
	return word
}

// noneAbout refuses a unit about which nothing is open, and says which one may be meant.
func noneAbout(unit string, o *judge.Outcome) error {
	var units []string
	for _, open := range o.Verdict.Open {
		if open.Unit != "" {
			units = append(units, open.Unit)
		}
	}
	f := fault.New(fault.Invalid, "SUBMISSION.NOT_APPLICABLE", unit, "no open question is about such a unit")
	if near := yamltext.Nearest(unit, units); near != "" {
		f.Message += fmt.Sprintf("; did you mean %s?", near)
	}
	return f.Hint("git standards status")
}

// evidence pins files by the bytes that git would record for them.
func (f *Finder) evidence(ctx context.Context, paths []string) ([]decisionfile.Evidence, error) {
	var list []decisionfile.Evidence
	for _, path := range paths {
		pinned, err := f.workspace.Pin(ctx, path)
		if err != nil {
			return nil, err
		}
		list = append(list, pinned)
	}
	return list, nil
}

// Planned is answers ready to be written, and what the first place that can be judged is then.
type Planned struct {
	*decision.Plan
	Outcome *judge.Outcome
}

// Plan plans answers of a principal. The state is judged as it will be, before anything is written, so that an answer which
// contradicts another one is refused; a complete state takes none (RULES G2).
func (f *Finder) Plan(ctx context.Context, submitted []decision.Submitted, principal string) (*Planned, error) {
	worktree, err := f.workspace.Proposed(ctx, nil)
	if err != nil {
		return nil, err
	}
	request, err := f.against(ctx)
	if err != nil {
		return nil, err
	}
	changes, err := f.workspace.Changes(ctx, request.Accepted.Source, worktree.Source)
	if err != nil {
		return nil, err
	}
	policy, err := f.Policy(ctx)
	if err != nil {
		return nil, err
	}
	if err := permit(policy, submitted, principal); err != nil {
		return nil, err
	}
	if err := f.attest(submitted, principal); err != nil {
		return nil, err
	}
	plan, err := decision.PlanAnswers(ctx, request.Accepted.Source, worktree.Source, changes, f.asked(), principal, submitted)
	if err != nil {
		return nil, err
	}
	if err := f.refuseComplete(submitted, plan); err != nil {
		return nil, err
	}
	if err := f.sign(ctx, policy, plan); err != nil {
		return nil, err
	}
	outcome, err := f.after(ctx, plan)
	if err != nil {
		return nil, err
	}
	return &Planned{plan, outcome}, nil
}

// refuseComplete keeps RULES G2: a complete state takes no answer, but for one that replaces its own author's.
func (f *Finder) refuseComplete(submitted []decision.Submitted, plan *decision.Plan) error {
	if f.unjudged != nil || len(f.judged) == 0 || plan.Replaces {
		return nil
	}
	if v := f.judged[0].outcome.Verdict; v != nil && v.Complete() {
		for _, s := range submitted {
			if v.AskedSet()[s.Question.ID] && s.Question.Kind != question.Coverage { // a closed coverage question takes further attesters
				return fault.New(fault.Invalid, "SUBMISSION.NOT_APPLICABLE", s.Question.ID, "nothing is open: the question is answered already").Hint("git standards status")
			}
		}
	}
	return nil
}

// after judges the first place with the plan carried out, or where that is impossible for its text, the first that was
// judged. It is an error that none could be, and that the plan leaves a contradiction in the first.
func (f *Finder) after(ctx context.Context, plan *decision.Plan) (*judge.Outcome, error) {
	if f.unjudged != nil {
		outcome, err := f.judge.Between(ctx, f.workspace, overlaid(*f.unjudged, plan.Write, plan.Remove))
		if err == nil || judge.Reject(err).Code == "DECISION.CONTRADICTION" {
			return outcome, err
		}
	}
	if _, err := f.First(ctx); err != nil {
		return nil, err
	}
	return f.judge.Between(ctx, f.workspace, overlaid(f.judged[0].request, plan.Write, plan.Remove))
}
