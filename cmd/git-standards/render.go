package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine"
	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/wire"
)

// printOutcome says an outcome for people: the two sides, the open questions grouped by what they are about, the answers
// that count, the notices, the handle, and last the one command to type next.
//
// A hook speaks while somebody waits for a commit: there the answers are left out and a long list of questions is cut.
func (s *session) printOutcome(w io.Writer, o *engine.Outcome, inHook bool) {
	if o.Adoption != nil {
		s.printAdoption(w, o.Adoption)
		return
	}
	a := o.Analysis
	s.printSides(w, a.Accepted, a.Proposed, a.Base, a.Landed)
	if inHook {
		s.printQuestions(w, o, maxInHook)
	} else {
		s.printQuestions(w, o, len(a.Questions))
		s.printAnswers(w, o)
	}
	s.printNotices(w, a.Notices)
	state := s.green("complete: nothing is open")
	switch {
	case len(a.Questions) > 0:
		state = s.red(count(len(a.Questions), "open question", "open questions"))
	case a.Result == "pending":
		state = s.red("nothing is open, but not everything names where it moved")
	}
	fmt.Fprintf(w, "%s, issuer %s, coverage %s\n", state, a.Issuer, a.Coverage)
	stored := ""
	if !a.Stored {
		stored = " (not recorded)"
	}
	fmt.Fprintf(w, "%s%s\n", a.Analysis.ID, stored)
	if !inHook {
		for _, next := range nextCommand(o, "") {
			s.hint(w, s.onBranch+next)
			if a.Landed != nil && a.Landed.Merged {
				// What the merge alone asks can be answered once the base is in the branch.
				s.hint(w, "or, where the branch does not ask that: "+s.onBranch+"git merge "+short(a.Landed.Base))
			}
		}
	}
}

// The longest lists that are printed whole: of questions in a hook, of answers, of written files.
const (
	maxInHook  = 20
	maxAnswers = 12
	maxWritten = 12
)

// printAnswers lists the answers that count, or where they are many, how many of each kind.
func (c *console) printAnswers(w io.Writer, o *engine.Outcome) {
	decisions := slices.DeleteFunc(slices.Clone(o.Analysis.Decisions), func(d wire.Decision) bool { return !d.Counted })
	if len(decisions) == 0 {
		return
	}
	fmt.Fprintf(w, "%s\n", c.bold(count(len(decisions), "answer counts", "answers count")))
	if len(decisions) > maxAnswers {
		kinds := map[string]int{}
		for _, d := range decisions {
			kinds[fmt.Sprintf("%s by %s, %s", d.Result, clean(d.Principal), d.Trust)]++
		}
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			fmt.Fprintf(w, "  %5d  %s\n", kinds[kind], kind)
		}
		return
	}
	short := engine.Abbreviations(o.Verdict.Asked)
	for _, d := range decisions {
		abbrev := short[d.Question]
		fmt.Fprintf(w, "  %s  %-14s %s, %s  %s\n", abbrev, d.Result, clean(d.Principal), d.Trust, c.faint(shown(d.File)))
	}
}

func (c *console) printSides(w io.Writer, accepted, proposed wire.Side, base *wire.Base, landed *wire.Landed) {
	why := ""
	if base != nil && accepted.Source != "empty" {
		why = " (" + base.Why + ")"
		if base.Branch != nil {
			why = fmt.Sprintf(" (fork point with %s, by %s)", shown(branchName(*base.Branch)), base.Why)
		}
	}
	fmt.Fprintf(w, "accepted  %s%s\n", sideName(accepted), c.faint(why))
	fmt.Fprintf(w, "proposed  %s\n", sideName(proposed))
	if landed != nil {
		how := "without a merge"
		if landed.Merged {
			how = "base and head merged"
		}
		fmt.Fprintf(w, "landing   base %s, head %s, tree %s, %s\n", short(landed.Base), short(landed.Head), short(landed.Tree), how)
	}
}

func sideName(side wire.Side) string {
	switch {
	case side.Source == "empty":
		return "nothing (no commit yet)"
	case side.Commit != nil:
		return fmt.Sprintf("commit %s, tree %s", short(*side.Commit), short(*side.Tree))
	case side.Tree != nil:
		return fmt.Sprintf("%s, tree %s", side.Source, short(*side.Tree))
	}
	return side.Source
}

func short(id string) string {
	if len(id) > 12 {
		return id[:12]
	}
	return id
}

func (s *session) printQuestions(w io.Writer, o *engine.Outcome, most int) {
	heading, told := "", map[analysis.Changed]bool{}
	for i, q := range o.Analysis.Questions {
		if i == most {
			fmt.Fprintf(w, "  … and %d more\n", len(o.Analysis.Questions)-most)
			return
		}
		open := o.Verdict.Open[i]
		if h := s.about(open); h != heading {
			heading = h
			fmt.Fprintf(w, "%s\n", h)
		}
		fmt.Fprintf(w, "  %s  %s\n", s.bold(q.Abbrev), s.ask(open))
		if open.State == analysis.StateStale {
			fmt.Fprintf(w, "           %s\n", s.faint(fmt.Sprintf("%s answered %s, but %s changed since", clean(open.Stale.Principal), open.Stale.Result, fields(open.Changed))))
			s.printOutdated(w, o.Verdict, open, told)
		}
		if open.State == analysis.StateBlocked {
			fmt.Fprintf(w, "           %s\n", s.red("answered blocked"))
		}
		fmt.Fprintf(w, "           %s\n", s.faint(strings.Join(q.Results, " | ")))
	}
}

func (s *session) printOutdated(w io.Writer, v *analysis.Verdict, open analysis.Open, told map[analysis.Changed]bool) {
	for _, line := range s.outdated(v, open, told) {
		line = clean(strings.ReplaceAll(line, "\t", "    "))
		switch {
		case strings.HasPrefix(line, "+"):
			line = s.green(line)
		case strings.HasPrefix(line, "-"):
			line = s.red(line)
		}
		fmt.Fprintf(w, "             %s\n", line)
	}
}

// about is the heading of a group of questions: what changed, and where to read it.
func (c *console) about(q analysis.Open) string {
	place := c.faint(fmt.Sprintf("%s:%d", shown(q.File), q.Line))
	owner, _, _ := strings.Cut(q.Declaration, "#")
	switch {
	case q.Reason == analysis.BaseInvalid:
		return fmt.Sprintf("%s  cannot be read where this lands  %s", c.bold(shown(q.File)), place)
	case q.Reason == analysis.DeclarationChanged:
		return fmt.Sprintf("%s  declares something else  %s", c.bold(owner), place)
	case q.Unit == "":
		return fmt.Sprintf("%s  text outside its units changed  %s", c.bold(q.Module), place)
	case q.Now == 0:
		return fmt.Sprintf("%s  removed at revision %d  %s", c.bold(q.Unit), q.Was, place)
	case q.Was == 0:
		return fmt.Sprintf("%s  new, revision %d  %s", c.bold(q.Unit), q.Now, place)
	case q.Was != q.Now:
		return fmt.Sprintf("%s  revision %d → %d  %s", c.bold(q.Unit), q.Was, q.Now, place)
	case q.Kind == analysis.ConsumerReview:
		return fmt.Sprintf("%s  its consumers changed, revision %d  %s", c.bold(q.Unit), q.Now, place)
	}
	return fmt.Sprintf("%s  text changed at revision %d  %s", c.bold(q.Unit), q.Now, place)
}

// ask is the question in one line.
func (c *console) ask(q analysis.Open) string {
	relation, _ := q.Record["relation"].(string)
	consumer := fmt.Sprintf("%s (%s)", shown(q.Consumer), relation)
	gone := q.Record["bytes"] == analysis.Absent
	switch {
	case q.Reason == analysis.ConsumerDeleted:
		return fmt.Sprintf("%s is gone: may it?", consumer)
	case q.Reason == analysis.UnitRemoved && gone:
		return fmt.Sprintf("does %s, which is gone, need nothing of this unit any more?", consumer)
	case q.Reason == analysis.UnitRemoved:
		return fmt.Sprintf("does %s hold without this unit?", consumer)
	case q.Reason == analysis.ConsumerAdded:
		return fmt.Sprintf("does %s, a new consumer, follow?", consumer)
	case q.Kind == analysis.ConsumerReview && gone:
		return fmt.Sprintf("does %s, which is not there, still follow?", consumer)
	case q.Kind == analysis.ConsumerReview:
		return fmt.Sprintf("does %s still follow?", consumer)
	case q.Reason == analysis.SameRevision:
		return fmt.Sprintf("does this text still mean revision %d? if not, raise the revision", q.Now)
	case q.Reason == analysis.BaseInvalid:
		return "is this the right repair of it? nothing else is asked about its units"
	case q.Reason == analysis.DeclarationChanged:
		_, key, _ := strings.Cut(q.Declaration, "#")
		return fmt.Sprintf("%s: %s → %s; is it meant?", clean(key), value(q.Record["old"]), value(q.Record["new"]))
	}
	return "does this text leave every unit's meaning as it was?"
}

// maxValue bounds how much of a declared value one line shows.
const maxValue = 60

// value shows a declared value: nothing, a word, or its canonical text.
func value(v any) string {
	text, isText := v.(string)
	if v == nil {
		return "nothing"
	}
	if !isText {
		encoded, err := identity.Encode(v)
		if err != nil {
			return "?"
		}
		text = string(encoded)
	}
	if short := []rune(text); len(short) > maxValue {
		text = string(short[:maxValue-1]) + "…"
	}
	return clean(text)
}

func fields(changed []analysis.Changed) string {
	names := make([]string, len(changed))
	for i, c := range changed {
		names[i] = "the " + c.Field
	}
	return strings.Join(names, " and ")
}

func (c *console) printNotices(w io.Writer, notices []wire.Notice) {
	for _, n := range notices {
		target := ""
		if n.Target != nil {
			target = shown(*n.Target) + ": "
		}
		fmt.Fprintf(w, "notice: %s%s\n", target, clean(n.Message))
		if n.Next != nil {
			c.hint(w, *n.Next)
		}
	}
}

func (c *console) printAdoption(w io.Writer, a *wire.Adoption) {
	c.printSides(w, a.Accepted, a.Proposed, a.Base, a.Landed)
	fmt.Fprintf(w, "%s: %s, %s, %s\n", c.bold("adoption"), count(a.Modules, "module", "modules"), count(a.Units, "unit", "units"), count(a.Consumers, "consumer", "consumers"))
	fmt.Fprintf(w, "nobody was asked about the %s: they bind from the commit that lands them\n", count(a.Units, "unit", "units"))
	c.printNotices(w, a.Notices)
}

// nextCommand is the one command to type next, with the flags it needs: none where nothing is open that an answer would
// close.
func nextCommand(o *engine.Outcome, flags string) []string {
	for i, q := range o.Analysis.Questions {
		if q.State != analysis.StateBlocked {
			return []string{fmt.Sprintf("git standards resolve %s %s%s -m \"why\"", q.Abbrev, o.Verdict.Open[i].Suggested(), flags)}
		}
	}
	return nil
}
