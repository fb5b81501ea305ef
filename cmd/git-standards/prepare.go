package main

import (
	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/cmd/git-standards/report"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
)

func sideFlags() []cli.Flag {
	return []cli.Flag{stagedFlag, proposedFlag, acceptedFlag, formatFlag, storeFlag}
}

// sidesOf is the options of sideFlags that choose the sides, as they are typed.
func sidesOf(cc *cli.Context) string {
	sides := ""
	if cc.Bool("staged") {
		sides += " --staged"
	}
	for _, name := range []string{"proposed", "accepted"} {
		if rev := cc.String(name); rev != "" {
			sides += " --" + name + " " + fault.ShellWord(rev)
		}
	}
	return sides
}

func prepareCommand() *cli.Command {
	return &cli.Command{
		Name:        "prepare",
		Usage:       "judge the worktree, the index or a commit against the fork point, and record the state",
		Description: "Exit codes: 0 complete or adoption, 1 open questions, 2 invalid text or request, 3 unavailable.",
		Flags:       sideFlags(),
		Action:      withoutArguments((*session).show),
	}
}

func statusCommand() *cli.Command {
	return &cli.Command{
		Name:        "status",
		Usage:       "show what the work at hand asks, and what is answered",
		Description: "Judges as prepare does. Exit codes: 0 complete or adoption, 1 open questions, 2 invalid, 3 unavailable.",
		Flags:       sideFlags(),
		Action:      withoutArguments((*session).show),
	}
}

func reportCommand() *cli.Command {
	return &cli.Command{
		Name:  "report",
		Usage: "write a page about the work at hand: what changed, who is asked, who answered what and why",
		Description: "Judges as prepare does, and writes Markdown, to keep or to paste into a pull request; --format json is prepare's.\n" +
			"Exit codes: 0 complete or adoption, 1 open questions, 2 invalid, 3 unavailable.",
		Flags:  sideFlags(),
		Action: withoutArguments((*session).page),
	}
}

// page is show, but that its text is a page in Markdown.
func (s *session) page(cc *cli.Context) error {
	outcome, err := s.prepare(cc.String("accepted"), cc.String("proposed"), cc.Bool("staged"))
	if err != nil {
		return err
	}
	if s.json {
		return s.finish(outcome)
	}
	r := s.reportOf(outcome)
	if a := outcome.Adoption; a != nil {
		r.Sides = sideLines(a.Accepted, a.Proposed, a.Base)
	} else {
		r.Sides = sideLines(outcome.Analysis.Accepted, outcome.Analysis.Proposed, outcome.Analysis.Base)
		r.Units = changedUnits(outcome)
	}
	if _, err := s.out.Write(report.Page(r)); err != nil {
		return err
	}
	return s.sayOpen(outcome)
}

// show judges the sides that the flags name.
func (s *session) show(cc *cli.Context) error {
	s.keepSchemas()
	s.onlyStatus, s.sides = cc.Command.Name == "status", sidesOf(cc)
	outcome, err := s.prepare(cc.String("accepted"), cc.String("proposed"), cc.Bool("staged"))
	if err != nil {
		return err
	}
	if s.onlyStatus && outcome.Analysis != nil && cc.String("proposed") == "" {
		s.sayWithoutHooks()
	}
	return s.finish(outcome)
}

func (s *session) prepare(accepted, proposed string, staged bool) (*judge.Outcome, error) {
	a, base, err := s.Accepted(s.ctx, accepted)
	if err != nil {
		return nil, err
	}
	p, err := s.proposed(proposed, staged)
	if err != nil {
		return nil, err
	}
	return s.judge(judge.Request{Accepted: a, Proposed: p, Base: base})
}

// finish prints an outcome and gives its exit code.
func (s *session) finish(outcome *judge.Outcome) error {
	var err error
	switch {
	case s.form != "":
		err = s.printReport(s.reportOf(outcome))
	case s.json:
		err = s.printJSON(outcome.Result())
	default:
		s.printOutcome(s.out, outcome, false)
	}
	if err != nil {
		return err
	}
	err = s.sayOpen(outcome)
	if !s.json && s.form == "" && outcome.Analysis != nil {
		s.adviseOn(outcome)
	}
	return err
}

// sayOpen says how much is open, and gives the exit code.
func (s *session) sayOpen(outcome *judge.Outcome) error {
	if outcome.Analysis == nil || len(outcome.Analysis.Questions) == 0 {
		return nil
	}
	s.warn("%s", count(len(outcome.Analysis.Questions), "open question", "open questions"))
	return exit(exitOpen)
}

// adviseOn says what to type next about what is open.
func (s *session) adviseOn(outcome *judge.Outcome) {
	list := s.nextCommands(outcome, s.onBranch, s.sides)
	if landed := outcome.Analysis.Landed; landed != nil && landed.Merged && len(outcome.Analysis.Questions) > 0 {
		// What the merge alone asks can be answered once the base is in the branch.
		list = append(list, advice{"or, where the branch does not ask that", s.onBranch + "git merge " + short(landed.Base)})
	}
	s.advise(s.out, list)
}
