package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/resolve"
	"github.com/git-standards/git-standards/engine/wire"
)

func resolveCommand() *cli.Command {
	return &cli.Command{
		Name:      "resolve",
		Usage:     "answer questions: write decision files and stage them",
		ArgsUsage: "QUESTION… RESULT -m TEXT",
		Description: "RESULT is updated, no-change, not-applicable or blocked for a consumer-review, no-impact or blocked for an impact-review, complete for coverage.\n" +
			"For a fact it is the value: true or false, a text, A,B for a set (\"\" for none), absent where that is an answer. Whoever is granted standards.waive may give waiver to any.\n" +
			"A submission is {\"schema_version\": 11, \"answers\": [{\"question\": \"3f2a9c1\", \"result\": \"no-change\", \"rationale\": \"why\", \"evidence\": []}]}; for a fact \"value\": true, \"a text\" or [\"a\", \"b\"] instead of \"result\".\n" +
			"Exit codes: 0 nothing is open any more, 1 other questions are, 2 nothing was written, 3 unavailable.",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "message", Aliases: []string{"m"}, Usage: "why this is the answer: `TEXT`"},
			&cli.BoolFlag{Name: "interactive", Aliases: []string{"i"}, DisableDefaultText: true, Usage: "walk the open questions on the terminal, and write the answers at the end"},
			&cli.BoolFlag{Name: "all", DisableDefaultText: true, Usage: "answer every open question that is mine and allows the result"},
			&cli.StringFlag{Name: "unit", Usage: "answer those about the unit `ID`"},
			&cli.StringSliceFlag{Name: "evidence", KeepSpace: true, Usage: "a file the answer rests on: `PATH`, pinned by its digest"},
			&cli.StringFlag{Name: "as", Usage: "answer as `PRINCIPAL` instead of the author's mail address"},
			&cli.BoolFlag{Name: "sign", DisableDefaultText: true, Usage: "sign the answer with git's SSH signing key, also where none need be signed"},
			&cli.StringFlag{Name: "submission", Usage: "take several answers from the JSON or YAML `FILE`, or - for standard input"},
			&cli.BoolFlag{Name: "no-stage", DisableDefaultText: true, Usage: "leave the index alone"},
		}, sideFlags()...),
		Action:       onRepository((*session).resolve),
		BashComplete: completing(openAnswers),
	}
}

func (s *session) resolve(cc *cli.Context) error {
	which, err := proposedBy(cc.String("proposed"), cc.Bool("staged"))
	if err != nil {
		return err
	}
	s.sides = sidesOf(cc)
	finder := resolve.New(s, s.engine, cc.String("accepted"), which)
	finder.Sign = cc.Bool("sign")
	answers, err := s.answersOf(cc, finder)
	if err != nil {
		return err
	}
	principal, err := finder.Principal(s.ctx)
	if err != nil {
		return err
	}
	var submitted []decision.Submitted
	if cc.Bool("all") || cc.String("unit") != "" {
		submitted, err = finder.Choose(s.ctx, answers[0], cc.String("unit"))
	} else {
		submitted, err = finder.Answers(s.ctx, answers)
	}
	if err != nil {
		return err
	}
	planned, err := finder.Plan(s.ctx, submitted, principal)
	if err != nil {
		if judge.Reject(err).Code == "DECISION.CONTRADICTION" {
			s.warn("nothing is written: with this answer, two would contradict each other")
		}
		return err
	}
	return s.answer(cc, planned, which == nil)
}

// readAnswers is the answers as typed or submitted; with --all or --unit one, which is for all that these choose.
func (s *session) readAnswers(cc *cli.Context) ([]wire.Answer, error) {
	args, several := cc.Args().Slice(), cc.Bool("all") || cc.String("unit") != ""
	if from := cc.String("submission"); from != "" {
		if len(args) > 0 || several || cc.IsSet("message") {
			return nil, usage("--submission holds the questions and answers; give no others beside it")
		}
		return s.readSubmission(from)
	}
	if len(args) == 0 {
		return nil, usage("resolve needs a result: git standards resolve QUESTION… RESULT -m TEXT")
	}
	result, words := args[len(args)-1], args[:len(args)-1]
	answer := wire.Answer{Result: &result, Rationale: cc.String("message")}
	for _, typed := range cc.StringSlice("evidence") {
		name, err := s.Repo.Relative(typed)
		if err != nil {
			return nil, err
		}
		answer.Evidence = append(answer.Evidence, name)
	}
	if several {
		if len(words) > 0 {
			return nil, usage("--all and --unit choose the questions; %q is one too many", words[0])
		}
		return []wire.Answer{answer}, nil
	}
	if judge.IsAbbreviation(result) || strings.HasPrefix(result, question.Codec.Kind+":") {
		return nil, usage("the result is missing after the question: git standards resolve %s RESULT -m TEXT", result)
	}
	if len(words) == 0 {
		return nil, usage("resolve needs a question before %q, or --all, or --unit U", result)
	}
	list := make([]wire.Answer, len(words))
	for i, word := range words {
		list[i] = answer
		list[i].Question = word
	}
	return list, nil
}

// answer writes and stages what is planned, and says what is open then.
func (s *session) answer(cc *cli.Context, planned *resolve.Planned, here bool) error {
	if err := s.write(planned, cc.Bool("no-stage")); err != nil {
		return err
	}
	if cc.Bool("all") || cc.String("unit") != "" {
		if rest := left(planned.Outcome, cc.Args().First()); rest != "" && !s.json {
			s.say("left open: %s", rest)
		}
	}
	return s.finishAnswers(planned.Outcome, planned.Written(), here)
}

// write writes and stages what is planned, and says which files.
func (s *session) write(planned *resolve.Planned, noStage bool) error {
	if err := s.Save(s.ctx, planned.Write, planned.Remove, !noStage); err != nil {
		return err
	}
	if !s.json {
		s.printWritten(planned.Plan, noStage)
	}
	return nil
}

// finishAnswers records and prints a state after answers were written.
func (s *session) finishAnswers(outcome *judge.Outcome, written []string, here bool) error {
	s.record(outcome)
	if outcome.Analysis != nil {
		outcome.Analysis.Written = append([]string{}, written...)
	}
	if err := s.finish(outcome); err != nil || s.json {
		return err
	}
	next := "git commit"
	if here {
		var err error
		if next, err = s.toCommit(); err != nil {
			return err
		}
	}
	s.hint(s.out, next)
	return nil
}

func (s *session) printWritten(plan *decision.Plan, noStage bool) {
	how := "wrote and staged"
	if noStage {
		how = "wrote"
	}
	written := plan.Written()
	if len(written)+len(plan.Remove) > maxWritten {
		s.say("%s %s below %s, removed %d that they replace", how, count(len(written), "file", "files"), corpus.DecisionsFolder, len(plan.Remove))
		return
	}
	for _, name := range written {
		s.say("%s %s", how, shown(name))
	}
	for _, name := range plan.Remove {
		s.say("removed %s, which it replaces", shown(name))
	}
}
