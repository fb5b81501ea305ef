package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/wire"
)

// The longest lists that one line or one entry of an answer shows.
const (
	maxNamed = 3
	maxUnits = 12
)

// printRoute says what to read in which order: each module, why, and its units with the paths that they are for.
func (s *session) printRoute(a wire.RouteAnswer, ofChange bool) {
	s.say("%s", s.bold(planOf(a, ofChange)))
	for i, e := range a.Entries {
		s.say("%2d. %s  %s%s  %s", i+1, s.bold(e.Module), titled(e.Title), s.faint(e.Level+" "+e.Role), s.faint(fmt.Sprintf("%s:%d", shown(e.File), e.Line)))
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
	switch {
	case len(a.Entries) > 0:
		s.hint(s.out, "git standards query read "+a.Entries[0].Module+s.sides)
	case ofChange:
		s.hint(s.out, "git standards query route PATH"+s.sides)
	}
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
	read := count(len(a.Entries), "module", "modules")
	switch {
	case len(a.Entries) == 0 && len(a.Paths) == 0:
		return about + ": there is nothing to read"
	case len(a.Entries) == 0:
		return "no standard is about " + about
	case len(a.Paths) == 0:
		return about + ": " + read + " to read all the same"
	case len(a.Entries) > 1:
		return read + " to read in this order for " + about
	}
	return read + " to read for " + about
}

// whyRead is why a module is to be read, where not for a unit of it alone.
func whyRead(reasons []wire.Reason, ofChange bool) string {
	subjects := map[string][]string{}
	for _, r := range reasons {
		subjects[r.Why] = append(subjects[r.Why], r.Subject)
	}
	var why []string
	if subjects[graph.WhyCore] != nil {
		why = append(why, "always applies")
	}
	if subjects[graph.WhyChanged] != nil {
		if ofChange {
			why = append(why, "its file is changed")
		} else {
			why = append(why, "its file is among them")
		}
	}
	for _, by := range []string{graph.WhyRequired, graph.WhySpecialized} {
		if subjects[by] != nil {
			why = append(why, by+" by "+few(subjects[by]))
		}
	}
	return strings.Join(why, "; ")
}

// forPaths is the paths for which a unit is to be read.
func forPaths(reasons []wire.Reason, unit string) string {
	var paths []string
	for _, r := range reasons {
		if r.Unit != nil && *r.Unit == unit {
			paths = append(paths, r.Subject)
		}
	}
	if len(paths) == 0 {
		return ""
	}
	return "  for " + few(paths)
}

// few is a few names from outside, and how many more there are.
func few(list []string) string {
	list = slices.Compact(slices.Clone(list))
	more := ""
	if len(list) > maxNamed {
		more = fmt.Sprintf(" and %d more", len(list)-maxNamed)
		list = list[:maxNamed]
	}
	for i, name := range list {
		list[i] = shown(name)
	}
	return strings.Join(list, ", ") + more
}

func titled(title *string) string {
	if title == nil {
		return ""
	}
	return clean(*title) + "  "
}

func headed(heading []string) string { return clean(strings.Join(heading, " > ")) }

// printRead says what a module or unit is, and then its text as it stands there.
func (s *session) printRead(a wire.ReadAnswer) {
	m, line := a.Module, a.Module.Line
	if a.Unit != nil {
		line = a.Unit.Line
		s.say("%s  %s  %s", s.bold(a.Unit.ID), headed(a.Unit.Heading), s.faint(fmt.Sprintf("revision %d", a.Unit.Revision)))
		s.field("aliases", a.Unit.Aliases)
		s.field("module", []string{m.ID})
	} else {
		s.say("%s", strings.TrimSpace(s.bold(m.ID)+"  "+titled(m.Title)))
	}
	s.field("role", []string{m.Role, m.Level})
	s.field("file", []string{fmt.Sprintf("%s:%d", shown(m.File), line)})
	for _, prose := range []struct {
		label string
		text  *string
	}{{"applies", m.AppliesWhen}, {"not", m.DoesNotApplyWhen}, {"verified", m.Verification}, {"owner", m.Owner}} {
		if prose.text != nil {
			s.field(prose.label, []string{strings.Join(strings.Fields(*prose.text), " ")})
		}
	}
	s.field("requires", m.Requires)
	s.field("specializes", m.Specializes)
	for i, r := range a.Consumers {
		label := ""
		if i == 0 {
			label = "consumers"
		}
		s.say("%s%s  %s", s.faint(fmt.Sprintf("%-12s", label)), targetOf(r.Target), s.faint(r.Relation))
	}
	s.say("")
	for text := range strings.Lines(a.Text) {
		s.say("%s", legible(text))
	}
}

func (c *console) field(label string, values []string) {
	if len(values) > 0 {
		c.say("%s%s", c.faint(fmt.Sprintf("%-12s", label)), clean(strings.Join(values, ", ")))
	}
}

// legible is a line of text with its tabs, and with nothing that a terminal would obey.
func legible(line string) string {
	parts := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
	for i, part := range parts {
		parts[i] = clean(part)
	}
	return strings.Join(parts, "\t")
}

// targetOf is where a relationship leads, and what stands there.
func targetOf(target wire.RelationshipTarget) string {
	switch t := target.(type) {
	case wire.ModuleTarget:
		return t.Module
	case wire.PathTarget:
		if !t.Present {
			return shown(t.Path) + " (not there)"
		}
		return shown(t.Path)
	case wire.GlobTarget:
		return shown(t.Glob) + " (" + count(len(t.Paths), "file", "files") + ")"
	}
	panic(fmt.Sprintf("internal error: no relationship leads to %T", target))
}

// printRelated says each relationship on one line, what leads away first.
func (s *session) printRelated(a wire.RelatedAnswer, narrowed bool) {
	s.say("%s", s.bold(shown(a.Target)))
	for _, direction := range []string{"outgoing", "incoming"} {
		heading := direction
		for _, r := range a.Relationships {
			if r.Direction != direction {
				continue
			}
			if heading != "" {
				s.say("%s", heading)
				heading = ""
			}
			line := fmt.Sprintf("%s → %s", r.Source, targetOf(r.Target))
			if r.Direction == "incoming" {
				line = fmt.Sprintf("%s ← %s", targetOf(r.Target), r.Source)
			}
			far := ""
			if r.Distance > 1 {
				far = fmt.Sprintf("  %d steps", r.Distance)
			}
			if r.Applicability == "unknown" || r.Applicability == "false" {
				far += "  applies: " + r.Applicability
			}
			s.say("  %s  %s%s  %s", line, r.Relation, far, s.faint(fmt.Sprintf("%s:%d", shown(r.File), r.Line)))
		}
	}
	switch {
	case len(a.Relationships) > 0:
	case narrowed:
		s.say("nothing of that kind is related to it")
	default:
		s.say("nothing is related to it")
	}
}
