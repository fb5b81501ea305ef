package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/hooks"
)

// printOutcome says an outcome for people: what is open first, then the answers that count, the notices, and what was
// compared with what, with the handle whole. The commands to type next come after it, by advise: they stand last.
//
// A hook speaks while somebody waits for a commit: there the answers are left out and a long list of questions is cut.
func (s *session) printOutcome(w io.Writer, o *judge.Outcome, inHook bool) {
	if o.Adoption != nil {
		s.printAdoption(w, o.Adoption, inHook)
		return
	}
	a := o.Analysis
	switch {
	case len(a.Questions) > 0:
		fmt.Fprintln(w, s.red(count(len(a.Questions), "open question", "open questions")))
	case o.NotIndependent():
		fmt.Fprintln(w, s.red("nothing is open, but the coverage is not attested by others than who wrote the change"))
	case a.Result == "pending" && o.Verdict.Uncarried == 0:
		fmt.Fprintln(w, s.red("nothing is open, but the gate is closed"))
	case a.Result == "pending":
		fmt.Fprintln(w, s.red("nothing is open, but not everything names where it moved"))
	case s.onlyStatus && isQuiet(o):
		fmt.Fprintf(w, "%s: no standard has changed since %s %s\n", s.green("complete"), sideName(a.Accepted), s.faint(chosen(a.Accepted, a.Base)+"; "+trust(a)))
		return
	default:
		fmt.Fprintln(w, s.green("complete: nothing is open"))
	}
	if inHook {
		s.printQuestions(w, o, maxInHook)
	} else {
		s.printQuestions(w, o, len(a.Questions))
		s.printAnswers(w, o)
	}
	if len(a.Notices) > 0 {
		fmt.Fprintln(w)
		s.printNotices(w, a.Notices)
	}
	fmt.Fprintln(w)
	s.printSides(w, a.Accepted, a.Proposed, a.Base, a.Landed)
	stored := ""
	if !a.Stored {
		stored = " (not recorded)"
	}
	if inHook {
		fmt.Fprintln(w, trust(a))
		if who := you(o); who != "" {
			fmt.Fprintln(w, "you are "+who)
		}
	} else {
		fmt.Fprintf(w, "issuer    %s%s\n", a.Issuer, s.faint(meaning[a.Issuer]))
		if who := you(o); who != "" {
			fmt.Fprintf(w, "you       %s\n", who)
		}
		fmt.Fprintf(w, "coverage  %s%s\n", a.Coverage, s.faint(coverageMeans[a.Coverage]))
		s.printIndependence(w)
	}
	fmt.Fprintf(w, "%s%s\n", a.Analysis.ID, stored)
}

// printIndependence says how the check of RULES F5 ended, where it was made.
func (s *session) printIndependence(w io.Writer) {
	for _, step := range s.steps {
		if step.Code == analysis.NotIndependentCode {
			fmt.Fprintf(w, "%s: %s: %s\n", step.Name, step.State, step.Message)
		}
	}
}

// isQuiet reports an outcome of which there is nothing to tell.
func isQuiet(o *judge.Outcome) bool {
	return o.Verdict.Idle() && len(o.Analysis.Decisions) == 0 && len(o.Analysis.Notices) == 0
}

// trust is what the answers and the list of consumers are worth, as every result says (RULES F3, C16).
func trust(a *wire.Pending) string { return "issuer " + a.Issuer + ", coverage " + a.Coverage }

// meaning is what the words of trust mean.
var meaning = map[string]string{
	"open": ": anyone may answer",
}

// coverageMeans is what the words of coverage mean.
var coverageMeans = map[string]string{
	analysis.NotAudited: ": whoever is listed as a consumer is asked, and nobody else",
	analysis.Uncovered:  ": not everything in the horizon has been looked at",
	analysis.Certified:  ": everything in the horizon has been looked at, for each unit that changed",
}

// The longest lists that are printed whole: of questions in a hook, of answers, of written files.
const (
	maxInHook  = 20
	maxAnswers = 12
	maxWritten = 12
)

// printAnswers lists the answers that count, or where they are many, how many of each kind. Those that block stand with
// their question.
func (c *console) printAnswers(w io.Writer, o *judge.Outcome) {
	decisions := slices.DeleteFunc(slices.Clone(o.Analysis.Decisions), func(d wire.Decision) bool { return !d.Counted || d.Result == "blocked" })
	// One answer in two files, a copy, is one answer.
	decisions = slices.CompactFunc(decisions, func(a, b wire.Decision) bool {
		return a.Question == b.Question && a.Principal == b.Principal && a.Result == b.Result && a.Trust == b.Trust
	})
	if len(decisions) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", c.bold(count(len(decisions), "answer counts", "answers count")))
	if len(decisions) > maxAnswers {
		kinds := map[string]int{}
		for _, d := range decisions {
			kinds[fmt.Sprintf("%s by %s, %s", cut(d.Result), clean(d.Principal), d.Trust)]++
		}
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			fmt.Fprintf(w, "  %5d  %s\n", kinds[kind], kind)
		}
		return
	}
	abbreviations, asked := judge.Abbreviations(o.Verdict.Asked), map[string]*question.Question{}
	for _, q := range o.Verdict.Asked {
		asked[q.ID] = q
	}
	// In the order of the questions, which is that of what they are about.
	slices.SortStableFunc(decisions, func(a, b wire.Decision) int {
		return slices.Index(o.Verdict.Asked, asked[a.Question]) - slices.Index(o.Verdict.Asked, asked[b.Question])
	})
	for _, d := range decisions {
		fmt.Fprintf(w, "  %s  %-14s  %s  %s\n", c.bold(abbreviations[d.Question]), cut(d.Result), shown(subject(asked[d.Question])), c.faint(clean(d.Principal)+", "+d.Trust))
	}
}

func (c *console) printSides(w io.Writer, accepted, proposed wire.Side, base *wire.Base, landed *wire.Landed) {
	fmt.Fprintf(w, "accepted  %s %s\n", sideName(accepted), c.faint(chosen(accepted, base)))
	fmt.Fprintf(w, "proposed  %s\n", sideName(proposed))
	if landed != nil {
		how := "without a merge"
		if landed.Merged {
			how = "base and head merged"
		}
		fmt.Fprintf(w, "landing   base %s, head %s, tree %s, %s\n", short(landed.Base), short(landed.Head), short(landed.Tree), how)
	}
}

// sideLines is what was compared, without the landing.
func sideLines(accepted, proposed wire.Side, base *wire.Base) []string {
	return []string{"accepted: " + sideName(accepted) + " " + chosen(accepted, base), "proposed: " + sideName(proposed)}
}

// chosen is how the accepted side was found.
func chosen(accepted wire.Side, base *wire.Base) string {
	switch {
	case accepted.Source == "empty":
		return "(no commit yet)"
	case base == nil:
		return "(as named)"
	case base.Branch == nil:
		return "(" + base.Why + ")"
	}
	branch := shown(branchName(*base.Branch))
	if base.Why == branch {
		return fmt.Sprintf("(fork point with %s)", branch)
	}
	return fmt.Sprintf("(fork point with %s, by %s)", branch, base.Why)
}

func sideName(side wire.Side) string {
	switch {
	case side.Source == "empty":
		return "nothing"
	case side.Commit != nil:
		return fmt.Sprintf("commit %s, tree %s", short(*side.Commit), short(*side.Tree))
	case side.Tree != nil:
		return fmt.Sprintf("%s, tree %s", side.Source, short(*side.Tree))
	case side.Source == "worktree":
		return "worktree, as git add -A would record it"
	}
	return side.Source
}

func short(id string) string {
	if len(id) > 12 {
		return id[:12]
	}
	return id
}

// noticesOfACode are printed; of more it is said how many, so that a warning at each of a thousand modules does not bury the questions.
const noticesOfACode = 5

func (s *session) printNotices(w io.Writer, notices []wire.Notice) {
	seen, last := map[string]int{}, map[string]int{}
	for i, n := range notices {
		last[n.Code] = i
	}
	for i, n := range notices {
		if seen[n.Code]++; seen[n.Code] > noticesOfACode {
			if more := seen[n.Code] - noticesOfACode; last[n.Code] == i {
				fmt.Fprintf(w, "%s: and %d more of this kind (%s)\n", s.bold("notice"), more, n.Code)
			}
			continue
		}
		target := ""
		if n.Target != nil {
			target = shown(*n.Target) + ": "
		}
		fmt.Fprintf(w, "%s: %s%s (%s)\n", s.bold("notice"), target, clean(n.Message), n.Code)
		if n.Next != nil {
			s.hint(w, *n.Next)
		}
	}
}

func (s *session) printAdoption(w io.Writer, a *wire.Adoption, inHook bool) {
	fmt.Fprintf(w, "%s: %s, %s, %s\n", s.green("adoption"), count(a.Modules, "module", "modules"), count(a.Units, "unit", "units"), count(a.Consumers, "consumer", "consumers"))
	fmt.Fprintf(w, "nobody was asked about the %s: they bind from the commit that lands them\n", count(a.Units, "unit", "units"))
	if a.Consumers == 0 {
		fmt.Fprintf(w, "no unit has a consumer: until one is listed, nobody is asked to follow what changes\n")
	}
	if len(a.Notices) > 0 {
		fmt.Fprintln(w)
		s.printNotices(w, a.Notices)
	}
	if inHook {
		return
	}
	fmt.Fprintln(w)
	s.printSides(w, a.Accepted, a.Proposed, a.Base, a.Landed)
	if a.Proposed.Source != "worktree" {
		return
	}
	// A hint alone: where it cannot be found out what to do, nothing is said.
	if committed, err := s.isCommitted(); err == nil && !committed {
		s.hint(w, `git add -A && git commit -m "adopt standards"`)
	} else if dir, err := s.hooksDir(); err == nil {
		if status, err := hooks.Inspect(dir); err == nil && !status.InForce {
			s.hint(w, "git standards hooks install")
		}
	}
}
