package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/wire"
)

// The states of what stands in a reading plan.
var selected, unresolved = graph.Selected.String(), graph.Unresolved.String()

// printRoute says what to read in which order: each module, why, and its units with the paths that they are for; then what may have to
// be read as well, and how that is settled. Again is what was typed behind the options.
func (s *session) printRoute(a wire.RouteAnswer, ofChange bool, again string) {
	s.say("%s", s.bold(planOf(a, ofChange)))
	for i, e := range a.Entries {
		if e.State != selected && (i == 0 || a.Entries[i-1].State == selected) {
			s.say("%s", s.bold("may have to be read as well"))
		}
		s.printEntry(i+1, e, ofChange)
	}
	s.printUnresolved(a, again)
	switch {
	case len(a.Entries) > 0:
		s.hint(s.out, "git standards query read "+a.Entries[0].Module+s.sides)
	case ofChange:
		s.hint(s.out, "git standards query route PATH"+s.sides)
	}
}

func (s *session) printEntry(number int, e wire.PlanEntry, ofChange bool) {
	s.say("%2d. %s  %s%s  %s", number, s.bold(e.Module), titled(e.Title), s.faint(e.Level+" "+e.Role), s.faint(fmt.Sprintf("%s:%d", shown(e.File), e.Line)))
	if why := whyRead(e.Reasons, ofChange); why != "" {
		s.say("      %s", why)
	}
	for i, u := range e.Units {
		if i == maxUnits {
			s.say("      … and %d more", len(e.Units)-i)
			break
		}
		s.say("      %s  %s%s%s", u.Unit, headed(u.Heading), s.faint(fmt.Sprintf("  line %d", u.Line)), forPaths(e.Reasons, u.Unit))
	}
}

// printUnresolved says which facts are not known, what they ask, what may be given, and the command that gives one.
func (s *session) printUnresolved(a wire.RouteAnswer, again string) {
	if len(a.Unresolved) == 0 {
		return
	}
	s.say("%s", s.bold("not known"))
	for _, f := range a.Unresolved {
		meaning := ""
		if f.Meaning != nil {
			meaning = "  " + clean(strings.Join(strings.Fields(*f.Meaning), " "))
		}
		s.say("      %s  %s%s", f.Fact, s.faint(answersOf(f)), meaning)
	}
	given := ""
	for _, f := range a.Facts {
		given += " --fact " + fault.ShellWord(f.Fact+"="+f.Value)
	}
	f := a.Unresolved[0]
	example := "VALUE"
	if len(f.Values) > 0 {
		example = f.Values[0]
	} else if f.Answers[0] != "value" {
		example = f.Answers[0]
	}
	s.hint(s.out, "git standards query route --fact "+fault.ShellWord(f.Fact+"="+example)+given+again)
}

// answersOf is what may be given for a fact.
func answersOf(f wire.UnresolvedFact) string {
	said := map[string]string{
		"string": "a text", "string-set": "texts with commas between them", "canonical-id": "an id", "enum-set": "any of " + clean(strings.Join(f.Values, ",")),
	}[f.Type]
	answers := slices.Clone(f.Answers)
	if said != "" {
		answers[0] = said
	}
	return clean(strings.Join(answers, ", "))
}

// planOf is the first line of a reading plan.
func planOf(a wire.RouteAnswer, ofChange bool) string {
	about := "nothing is changed"
	switch {
	case !ofChange && len(a.Paths) == 0:
		about = "nothing stands there"
	case !ofChange && len(a.Paths) <= maxNamed:
		about = few(a.Paths)
	case len(a.Paths) > 0:
		about = count(len(a.Paths), "path", "paths")
		if ofChange {
			about = count(len(a.Paths), "changed path", "changed paths")
		}
	}
	certain := 0
	for _, e := range a.Entries {
		if e.State == selected {
			certain++
		}
	}
	read := count(certain, "module", "modules")
	switch {
	case len(a.Entries) == 0 && len(a.Paths) == 0:
		return about + ": there is nothing to read"
	case len(a.Entries) == 0:
		return "no standard is about " + about
	case len(a.Paths) == 0 && certain == 0:
		return about + ": it is not known yet what to read"
	case certain == 0:
		return "it is not known yet what to read for " + about
	case len(a.Paths) == 0:
		return about + ": " + read + " to read all the same"
	case certain > 1:
		return read + " to read in this order for " + about
	}
	return read + " to read for " + about
}

// whyRead is why a module is to be read, where not for a unit of it alone.
func whyRead(reasons []wire.Reason, ofChange bool) string {
	subjects := map[string][]string{}
	var rules []string
	for _, r := range reasons {
		why := r.Why
		if r.State == graph.Conditional.String() {
			why += r.State
		}
		subjects[why] = append(subjects[why], r.Subject)
		if r.Why == graph.WhyRule {
			rules = append(rules, "rule "+r.Subject+once(r.State, r.Facts))
		}
	}
	var why []string
	if subjects[graph.WhyCore] != nil {
		why = append(why, "always applies")
	}
	if subjects[graph.WhyBase] != nil {
		why = append(why, "is read for every task")
	}
	if subjects[graph.WhyChanged] != nil {
		if ofChange {
			why = append(why, "its file is changed")
		} else {
			why = append(why, "its file is among them")
		}
	}
	why = append(why, rules...)
	for _, by := range []string{graph.WhyRequired, graph.WhySpecialized} {
		if subjects[by] != nil {
			why = append(why, by+" by "+few(subjects[by]))
		}
		if list := subjects[by+graph.Conditional.String()]; list != nil {
			why = append(why, by+" by "+few(list)+", if that is read")
		}
	}
	return strings.Join(why, "; ")
}

// once says what has to be known before a reason counts.
func once(state string, facts []string) string {
	switch {
	case state != unresolved || len(facts) == 0:
		return ""
	case len(facts) == 1:
		return ", once " + facts[0] + " is known"
	}
	return ", once " + few(facts) + " are known"
}

// forPaths is the paths for which a unit is to be read.
func forPaths(reasons []wire.Reason, unit string) string {
	var paths, settle []string
	state := unresolved
	for _, r := range reasons {
		if r.Unit != nil && *r.Unit == unit {
			paths, settle = append(paths, r.Subject), append(settle, r.Facts...)
			if r.State == selected {
				state = selected
			}
		}
	}
	if len(paths) == 0 {
		return ""
	}
	slices.Sort(settle)
	return "  for " + few(paths) + once(state, slices.Compact(settle))
}
