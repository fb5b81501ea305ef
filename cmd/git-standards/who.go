package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
)

// isAnswerable reports an open question that an answer of whoever is at the keyboard closes.
func (s *session) isAnswerable(o *judge.Outcome, q decision.Open) bool {
	if !o.Mine(q.Question) {
		return false
	}
	return q.State != decision.StateBlocked || mayLift(o.Verdict, q, s.me(o))
}

// maxTyped bounds how many questions one command spells out, where one word chooses them all.
const maxTyped = 4

// answerGroup is the command that answers questions of one group, which allow the same; "" where no answer of this person's closes
// one, and where anyone may answer: then the last lines say enough.
func (s *session) answerGroup(o *judge.Outcome, group []int) string {
	if o.Verdict.Policy.IsOpen() {
		return ""
	}
	var words []string
	var first *decision.Open
	for _, i := range group {
		if open := o.Verdict.Open[i]; s.isAnswerable(o, open) {
			words = append(words, o.Analysis.Questions[i].Abbrev)
			first = cmp.Or(first, &open)
		}
	}
	if first == nil {
		return ""
	}
	which := strings.Join(words, " ")
	if len(words) > maxTyped && first.Unit != "" {
		which = "--unit " + fault.ShellWord(first.Unit)
	}
	return fmt.Sprintf("%sgit standards resolve %s %s%s -m \"why\"", s.onBranch, which, fault.ShellWord(first.Suggested()), s.sides)
}

// you is who is at the keyboard and how that was found (RULES F2); "" where that makes no difference.
func you(o *judge.Outcome) string {
	if o.Verdict.Policy.IsOpen() || len(o.Verdict.Open) == 0 {
		return ""
	}
	session := o.Session()
	switch o.FoundBy() {
	case judge.ByName:
		return clean(o.Viewer()) + ", as --as says"
	case judge.ByMail:
		return fmt.Sprintf("%s, by the address %s", clean(o.Viewer()), clean(session.Mail))
	case judge.ByKey:
		return clean(o.Viewer()) + ", by the key that git signs with"
	}
	var known []string
	if session.Mail != "" {
		known = append(known, fmt.Sprintf("the address %q", session.Mail))
	}
	if session.Key != "" {
		known = append(known, "the key that git signs with")
	}
	if len(known) == 0 {
		known = []string{"git knows no address of you"}
	}
	return fmt.Sprintf("nobody that %s lists: %s", corpus.AuthorityPath, strings.Join(known, ", "))
}

// whoMay names those who may answer what this person may not, and says how to be one of them where Git's settings say nobody.
func (s *session) whoMay(o *judge.Outcome) []advice {
	var names []string
	first := -1
	for i, open := range o.Verdict.Open {
		if open.State == decision.StateBlocked || o.Mine(open.Question) {
			continue
		}
		if first < 0 {
			first = i
		}
		for _, name := range o.Others(open.Question) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	list := []advice{{"waits for", judge.SomeOf(names)}}
	if o.FoundBy() == judge.ByNothing {
		list = append(list, advice{"if you are one of them", fmt.Sprintf("%sgit standards resolve %s %s --as PRINCIPAL%s -m \"why\"",
			s.onBranch, o.Analysis.Questions[first].Abbrev, fault.ShellWord(o.Verdict.Open[first].Suggested()), s.sides)})
	}
	return list
}

// left says what an answer to all questions leaves open, and who may answer it; "" where nothing is left.
func left(o *judge.Outcome, result string) string {
	if o.Verdict == nil {
		return ""
	}
	var order []string
	n := map[string]int{}
	for _, open := range o.Verdict.Open {
		what := "that " + result + " does not answer"
		switch {
		case open.State == decision.StateBlocked:
			what = "answered blocked"
		case !o.Mine(open.Question):
			what = "awaiting " + o.Awaits(open.Question)
		}
		if n[what]++; n[what] == 1 {
			order = append(order, what)
		}
	}
	for i, what := range order {
		order[i] = fmt.Sprintf("%d %s", n[what], what)
	}
	return clean(strings.Join(order, "; "))
}
