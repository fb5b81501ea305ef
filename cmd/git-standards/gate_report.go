package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"

	"github.com/git-standards/git-standards/cmd/git-standards/report"
	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/analysis/ask"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/judge"
)

// forms are the forms of others in which the gate reports.
var forms = []string{"sarif", "github", "junit"}

// setFormat reads how the result is wanted. Where GitHub's runner reads what is printed, nothing in it may become a command to it.
func (c *console) setFormat(args []string, command string) {
	format := askedFormat(args)
	c.json = format == "json"
	if command == "gate" && slices.Contains(forms, format) || command == "test" && format == "junit" {
		c.form, c.reports = format, "git standards "+command
	}
	inActions := os.Getenv("GITHUB_ACTIONS") == "true"
	if inActions || c.form == "github" {
		c.err = report.Log{Writer: c.err}
	}
	if inActions && !c.json && c.form == "" {
		c.out.Writer = report.Log{Writer: c.out.Writer}
	}
}

func (c *console) printReport(r *report.Report) error {
	var text []byte
	var err error
	r.Name = c.reports
	switch c.form {
	case "sarif":
		text, err = report.SARIF(r)
	case "github":
		text = report.GitHub(r)
	case "junit":
		text = report.JUnit(r)
	}
	if err != nil {
		return err
	}
	_, err = c.out.Write(text)
	return err
}

// reportOf is a verdict as a report tells it.
func (s *session) reportOf(o *judge.Outcome) *report.Report {
	if a := o.Adoption; a != nil {
		return &report.Report{Version: version, Verdict: a.Result, Accepted: a.Accepted, Landed: a.Landed, Notices: a.Notices, Steps: s.steps}
	}
	a := o.Analysis
	r := &report.Report{
		Version: version, Verdict: a.Result, Handle: a.Analysis.ID, Accepted: a.Accepted, Landed: a.Landed, Notices: a.Notices, Steps: s.steps,
	}
	open, counted := map[string]decision.Open{}, map[string][]report.Answer{}
	for _, q := range o.Verdict.Open {
		open[q.ID] = q
	}
	for _, answer := range o.Verdict.Counted {
		counted[answer.Question] = append(counted[answer.Question], report.Answer{
			Result: answer.Given(), Principal: answer.Principal, Trust: judge.TrustOf(answer), Rationale: answer.Rationale, File: answer.File,
		})
	}
	abbreviations := judge.Abbreviations(o.Verdict.Asked)
	for _, q := range o.Verdict.Asked {
		asked := report.Asked{
			ID: q.ID, Abbrev: abbreviations[q.ID], Kind: q.Kind, Reason: q.Reason, Subject: subject(q), Unit: q.Unit, Module: q.Module, Consumer: q.Consumer,
			File: q.File, ConsumerFile: consumerFile(o.Verdict, q), Line: q.Line, Answers: counted[q.ID],
		}
		asked.Title = titleOf(q)
		asked.Ask = "has all in the horizon that could follow it been looked at?"
		if q.Kind != question.Coverage { // of which what is left is told as well
			asked.Ask = s.ask(decision.Open{Question: q})
		}
		if of, isOpen := open[q.ID]; isOpen {
			asked.State, asked.Ask, asked.Waits = of.State, s.ask(of), answers(o, of)
			asked.Who = cmp.Or(judge.SomeOf(o.Verdict.Policy.Listed(q.Capability())), "somebody whom authority.yaml does not list yet")
			if o.Verdict.Policy.IsOpen() {
				asked.Waits, asked.Who = "Answers: "+asked.Waits, "anyone"
			}
			if of.State != decision.StateBlocked {
				asked.Next = fmt.Sprintf("git standards resolve %s %s -m \"why\"", asked.Abbrev, fault.ShellWord(q.Suggested()))
			}
		}
		r.Asked = append(r.Asked, asked)
	}
	return r
}

func titleOf(q *question.Question) string {
	owner, what := heading(decision.Open{Question: q})
	return owner + " " + what
}

// consumerFile is where a consumer stands on the proposed side, "" where there is none or it is gone.
func consumerFile(v *analysis.Verdict, q *question.Question) string {
	target, _ := q.Record["consumer"].(identity.Record)
	if _, isModule := target["module"]; isModule {
		if m := v.Proposed.Module(q.Consumer); m != nil {
			return m.File
		}
		return ""
	}
	if q.Record["bytes"] == question.Absent {
		return ""
	}
	return q.Consumer
}

// look gives what the gate looks at beside the questions (RULES J1, C13, C16, F5, F6).
func look(o *judge.Outcome, rerun bool, differences int) []report.Step {
	steps := []report.Step{independence(o)}
	if o.Verdict == nil {
		return steps
	}
	moves := report.Step{Name: "moves", Code: ask.CarriedCode, State: report.Holds, Message: "every row names the place where its consumers are"}
	if n := o.Verdict.Uncarried; n > 0 {
		moves.State, moves.Message = report.Fails, count(n, "edge names the place", "edges name the place")+" where consumers stood before they moved"
	}
	steps = append(steps, moves)
	if o.Verdict.Accepted.Manifest.Gate.RequireApplicable {
		applicable := report.Step{Name: "applicable", Code: untouched, State: report.Holds, Message: "the change is one that a standard applies to"}
		if o.Verdict.Idle() {
			applicable.State, applicable.Message = report.Fails, "gate.require-applicable is set, and no standard is touched"
		}
		steps = append(steps, applicable)
	}
	if rerun {
		providers := report.Step{Name: "providers", Code: "PROVIDER.DIFFERS", State: report.Holds, Message: "what providers claim now is what was answered"}
		if differences > 0 {
			providers.State, providers.Message = report.Fails, count(differences, "provider claims something else", "providers claim something else")+" now"
		}
		steps = append(steps, providers)
	}
	return steps
}

// independence is the check of RULES F5, once it was made.
func independence(o *judge.Outcome) report.Step {
	step := report.Step{Name: "independence", Code: analysis.NotIndependentCode, State: report.NotNeeded}
	switch v := o.Verdict; {
	case v == nil:
		step.Message = "nobody was asked"
	case o.NotIndependent():
		step.State, step.Message = report.Fails, "who wrote the change attested its coverage, and others must"
	case v.Policy.IsOpen():
		step.Message = "anyone may answer, so that nobody is known to be another"
	case !v.Policy.Independent():
		step.Message = "authority.yaml lets who wrote a change attest its coverage"
	case !v.HangsOnAuthors():
		step.Message = "no coverage is attested"
	default:
		step.State, step.Message = report.Holds, "enough others than who wrote the change attested its coverage"
	}
	return step
}
