package main

import (
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/query"
)

// completing is the completion of words that a look at the repository knows. Where a flag was typed last, its value or the rest of it is
// completed instead. What is wrong is left for the command to say.
func completing(words func(*session, *cli.Context) []string) cli.BashCompleteFunc {
	return func(cc *cli.Context) {
		if n := len(os.Args); n > 1 && strings.HasPrefix(os.Args[n-2], "-") {
			cli.DefaultCompleteWithFlags(cc.Command)(cc)
			return
		}
		s, err := open(cc)
		if err != nil {
			return
		}
		defer s.Close()
		for _, word := range words(s, cc) {
			s.say("%s", word)
		}
	}
}

// indexNames are those of what the index holds, which is read quickly.
func indexNames(s *session, _ *cli.Context) []string {
	c, err := s.engine.Compile(s.ctx, s.Index().Source)
	if err != nil {
		return nil
	}
	return query.Names(c)
}

// openAnswers are the open questions that resolve may be given, and behind one the results that it takes.
func openAnswers(s *session, cc *cli.Context) []string {
	accepted, base, err := s.Accepted(s.ctx, cc.String("accepted"))
	if err != nil || accepted.Source == nil {
		return nil
	}
	proposed, err := s.proposed(cc.String("proposed"), cc.Bool("staged"))
	if err != nil {
		return nil
	}
	outcome, err := s.judgeOnly(judge.Request{Accepted: accepted, Proposed: proposed, Base: base})
	if err != nil || outcome.Analysis == nil {
		return nil
	}
	var words []string
	for _, q := range outcome.Analysis.Questions {
		switch {
		case slices.Contains(cc.Args().Slice(), q.Abbrev):
			words = append(words, q.Results...)
		case q.State != decision.StateBlocked:
			words = append(words, q.Abbrev)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}
