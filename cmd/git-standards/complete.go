package main

import (
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/judge"
)

// completeFlags completes the value or the rest of a flag, where one was typed last, and reports whether it did.
func completeFlags(cc *cli.Context) bool {
	n := len(os.Args)
	if n < 2 || !strings.HasPrefix(os.Args[n-2], "-") {
		return false
	}
	cli.DefaultCompleteWithFlags(cc.Command)(cc)
	return true
}

// completeAnswers completes the open questions that resolve may be given, and behind one its results. What is wrong is left for the command
// to say.
func completeAnswers(cc *cli.Context) {
	if completeFlags(cc) {
		return
	}
	s, err := open(cc)
	if err != nil {
		return
	}
	defer s.Close()
	accepted, base, err := s.Accepted(s.ctx, cc.String("accepted"))
	if err != nil || accepted.Source == nil {
		return
	}
	proposed, err := s.proposed(cc.String("proposed"), cc.Bool("staged"))
	if err != nil {
		return
	}
	outcome, err := s.judgeOnly(judge.Request{Accepted: accepted, Proposed: proposed, Base: base})
	if err != nil || outcome.Analysis == nil {
		return
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
	for _, word := range slices.Compact(words) {
		s.say("%s", word)
	}
}
