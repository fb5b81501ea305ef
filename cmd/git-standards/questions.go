package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/judge"
)

// printQuestions lists what is open below what it is about. The answers that may be given, or whose they are, are said once for the
// questions of a group that allow the same.
func (s *session) printQuestions(w io.Writer, o *judge.Outcome, most int) {
	var group []int
	past := &past{session: s, verdict: o.Verdict, told: map[decision.Changed]bool{}}
	defer past.close()
	for i, open := range o.Verdict.Open {
		if i == most {
			fmt.Fprintf(w, "\n  … and %d more: git standards status\n", len(o.Verdict.Open)-most)
			return
		}
		if i == 0 || !s.isOneGroup(o.Verdict.Open[i-1], open) {
			fmt.Fprintf(w, "\n%s\n", s.about(open))
		}
		fmt.Fprintf(w, "  %s  %s\n", s.bold(o.Analysis.Questions[i].Abbrev), s.ask(open))
		for _, line := range decides(o.Verdict, open) {
			fmt.Fprintf(w, "           %s\n", s.faint(line))
		}
		if open.State == decision.StateStale {
			fmt.Fprintf(w, "           %s\n", s.faint(fmt.Sprintf("%s answered %s; since then %s", clean(open.Stale.Principal), cut(open.Stale.Given()), since(open))))
			past.print(w, open)
		}
		if open.State == decision.StateBlocked {
			for _, answer := range blocking(o.Verdict, open) {
				fmt.Fprintf(w, "           %s\n", s.red(fmt.Sprintf("blocked by %s: %s", clean(answer.Principal), cut(answer.Rationale))))
			}
		}
		if next := i + 1; next == len(o.Verdict.Open) || next == most || !s.isOneGroup(open, o.Verdict.Open[next]) || answers(o, o.Verdict.Open[next]) != answers(o, open) {
			fmt.Fprintf(w, "           %s\n", s.faint(answers(o, open)))
			if command := s.answerGroup(o, append(group, i)); command != "" {
				fmt.Fprintf(w, "           %s\n", s.faint(clean(command)))
			}
			group = nil
		} else {
			group = append(group, i)
		}
	}
}

// blocking is the answers that keep a question open.
func blocking(v *analysis.Verdict, open decision.Open) (list []*decision.Answer) {
	for _, answer := range v.Counted {
		if answer.Question == open.ID && answer.Result == "blocked" {
			list = append(list, answer)
		}
	}
	return list
}

// answers is what may be answered now, and what else once the consumer follows; of a question that is another's, whose it is (RULES F2).
func answers(o *judge.Outcome, q decision.Open) string {
	if !o.Mine(q.Question) {
		waive := ""
		if o.Waivable(q.Question) {
			waive = "; waiver"
		}
		return "awaiting " + clean(o.Awaits(q.Question)) + waive
	}
	results := o.Results(q.Question)
	if q.Contract != nil && results[0] == question.AnyValue {
		results[0] = typed(*q.Contract)
	}
	list := clean(strings.Join(results, " | "))
	if q.Kind == question.ConsumerReview && !q.Updatable {
		list += " (updated, once it has changed)"
	}
	if !o.Verdict.Policy.IsOpen() {
		list = "mine: " + list
	}
	return list
}

// typed is how a value that cannot be listed is written.
func typed(c facts.Contract) string {
	switch c.Type {
	case facts.TypeEnumSet:
		return "VALUE,… of " + strings.Join(c.Values, ", ") + ` (or "" for none)`
	case facts.TypeStringSet:
		return `VALUE,… (or "" for none)`
	case facts.TypeCanonicalID:
		return "VALUE (an id)"
	}
	return "VALUE"
}

// maxDecided bounds how many reviews a question of fact names.
const maxDecided = 4

// decides says which reviews hang on an open question of fact.
func decides(v *analysis.Verdict, q decision.Open) (lines []string) {
	reviews := v.Decides(q.Question)
	for i, r := range reviews {
		if i == maxDecided {
			return append(lines, fmt.Sprintf("and %d more", len(reviews)-i))
		}
		relation, _ := r.Record["relation"].(string)
		lines = append(lines, fmt.Sprintf("decides whether %s (%s) is asked about %s", shown(r.Consumer), relation, r.Unit))
	}
	return lines
}

// isOneGroup reports questions that stand below one heading. What the manifest or authority.yaml declares is one group, on whatever lines.
func (c *console) isOneGroup(a, b decision.Open) bool {
	if a.Reason == question.DeclarationChanged && a.Reason == b.Reason && a.Module == "" && b.Module == "" {
		return a.File == b.File
	}
	return c.about(a) == c.about(b)
}

// about is the heading of a group of questions: what changed, and where to read it.
func (c *console) about(q decision.Open) string {
	owner, what := heading(q)
	return fmt.Sprintf("%s  %s  %s", c.bold(owner), what, c.faint(fmt.Sprintf("%s:%d", shown(q.File), q.Line)))
}

// heading is what a question is about, and what happened to it.
func heading(q decision.Open) (owner, what string) {
	owner, _, _ = strings.Cut(q.Declaration, "#")
	switch {
	case q.Kind == question.Fact:
		return strings.TrimPrefix(q.Declaration, question.FactDeclaration), "is not known for this change"
	case q.Reason == question.BaseInvalid:
		return shown(q.File), "cannot be read where this lands"
	case q.Reason == question.DeclarationChanged && q.Module == "":
		return owner, "changed"
	case q.Reason == question.DeclarationChanged:
		return owner, "front matter changed"
	case q.Unit == "":
		return q.Module, "text outside its units changed"
	case q.Now == 0:
		return q.Unit, fmt.Sprintf("removed at revision %d", q.Was)
	case q.Was == 0:
		return q.Unit, fmt.Sprintf("new, revision %d", q.Now)
	case q.Was != q.Now:
		return q.Unit, fmt.Sprintf("revision %d → %d", q.Was, q.Now)
	case q.Kind == question.ConsumerReview:
		return q.Unit, fmt.Sprintf("its consumers changed, revision %d", q.Now)
	}
	return q.Unit, fmt.Sprintf("text changed at revision %d", q.Now)
}

// ask is the question in one line.
func (c *console) ask(q decision.Open) string {
	relation, _ := q.Record["relation"].(string)
	consumer := fmt.Sprintf("%s (%s)", shown(q.Consumer), relation)
	gone := q.Record["bytes"] == question.Absent
	switch {
	case q.Kind == question.Fact && q.Meaning != "":
		return cut(q.Meaning)
	case q.Kind == question.Fact:
		return "what is it?"
	case q.Reason == question.ConsumerChanged:
		return fmt.Sprintf("%s changed: does it still follow?", consumer)
	case q.Reason == question.ConsumerDeleted:
		return fmt.Sprintf("%s is gone: may it?", consumer)
	case q.Reason == question.UnitRemoved && gone:
		return fmt.Sprintf("does %s, which is gone, need nothing of this unit any more?", consumer)
	case q.Reason == question.UnitRemoved:
		return fmt.Sprintf("does %s hold without this unit?", consumer)
	case q.Reason == question.ConsumerAdded:
		return fmt.Sprintf("does %s, a new consumer, follow?", consumer)
	case q.Kind == question.ConsumerReview && gone:
		return fmt.Sprintf("%s is not there: is that right?", consumer)
	case q.Kind == question.ConsumerReview:
		return fmt.Sprintf("does %s still follow?", consumer)
	case q.Kind == question.Coverage:
		return "has all in the horizon that could follow it been looked at? " + c.left(q)
	case q.Reason == question.SameRevision:
		return fmt.Sprintf("does this text still mean revision %d? if not, raise the revision", q.Now)
	case q.Reason == question.BaseInvalid:
		return "is this the right repair of it? nothing else is asked about its units"
	case q.Reason == question.DeclarationChanged:
		_, key, _ := strings.Cut(q.Declaration, "#")
		if row := strings.SplitN(key, ".", 3); row[0] == "consumers" && len(row) == 3 && q.Record["new"] == nil {
			return fmt.Sprintf("%s (%s) is no longer a consumer; is it meant?", clean(row[2]), clean(row[1]))
		}
		return fmt.Sprintf("%s: %s → %s; is it meant?", clean(key), value(q.Record["old"]), value(q.Record["new"]))
	}
	return "does this text leave every unit's meaning as it was?"
}

// left is how much of a horizon nobody, or not everybody who is needed, has looked at.
func (c *console) left(q decision.Open) string {
	if q.Cover.Len() == 0 {
		return "it holds no file"
	}
	text := fmt.Sprintf("left: %d of %s", len(q.Cover.Left()), count(q.Cover.Len(), "file", "files"))
	if n := q.Cover.Required(); n > 1 {
		text += fmt.Sprintf(", %d independent attesters each", n)
	}
	return text
}

// subject names a question by what it is about.
func subject(q *question.Question) string {
	switch {
	case q.Kind == question.Fact:
		return strings.TrimPrefix(q.Declaration, question.FactDeclaration)
	case q.Declaration != "":
		return q.Declaration
	case q.Consumer != "":
		return cmp.Or(q.Unit, q.Module) + " > " + q.Consumer
	case q.Kind == question.Coverage:
		return q.Unit + ", all in the horizon"
	case q.Unit != "":
		return q.Unit
	}
	return q.Module + ", text outside its units"
}

// maxValue bounds how much of a declared value or of a rationale one line shows.
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
	return cut(text)
}

// cut is the beginning of a text that may be long, on one line.
func cut(text string) string {
	if first, _, more := strings.Cut(strings.TrimSpace(text), "\n"); more {
		text = first + " …"
	}
	if long := []rune(text); len(long) > maxValue {
		text = string(long[:maxValue-1]) + "…"
	}
	return clean(text)
}

// since is what became different after an answer was given.
func since(open decision.Open) string {
	var changed []string
	for _, c := range open.Changed {
		switch {
		case c.Field == "consumer" && c.Now == question.Absent:
			changed = append(changed, "its file is gone")
		case c.Field == "consumer":
			changed = append(changed, "the consumer changed")
		case c.Field == "structure":
			changed = append(changed, "the standard's text changed")
		case c.Field == "contract":
			changed = append(changed, "what counts as an answer changed")
		case c.Field == "inputs":
			changed = append(changed, "the files that it is read from changed")
		case c.Field == "units":
			changed = append(changed, "the change is about other units")
		case c.Field == "program":
			changed = append(changed, "what is asked of the consumer changed")
		case c.Field == "old" || c.Field == "new":
			changed = append(changed, "the "+c.Field+" value changed")
		default:
			changed = append(changed, "the "+c.Field+" changed")
		}
	}
	return strings.Join(slices.Compact(changed), " and ")
}

// several is the unit with the most open questions that allow one result, and how many those are: one command answers
// them.
func several(o *judge.Outcome) (unit, result string, n int) {
	type group struct{ unit, result string }
	groups := map[group]int{}
	for _, open := range o.Verdict.Open {
		if o.Mine(open.Question) && open.Unit != "" && open.State != decision.StateBlocked {
			groups[group{open.Unit, open.Suggested()}]++
		}
	}
	var most group
	for g := range groups {
		if more := groups[g] - groups[most]; more > 0 || more == 0 && cmp.Or(strings.Compare(g.unit, most.unit), strings.Compare(g.result, most.result)) < 0 {
			most = g
		}
	}
	for _, open := range o.Verdict.Open {
		if o.Mine(open.Question) && open.Unit == most.unit && slices.Contains(open.Results(), most.result) {
			n++ // resolve --unit takes all that allow the result
		}
	}
	return most.unit, most.result, n
}
