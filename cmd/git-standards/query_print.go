package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/query"
	"github.com/git-standards/git-standards/engine/wire"
)

// The longest lists that one line or one entry of an answer shows.
const (
	maxNamed = 3
	maxUnits = 12
)

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

// printNavigation says by which handle an answer can be read again.
func (s *session) printNavigation(a *query.Answered) {
	line := a.Navigation.Navigation.ID
	if !a.Stored {
		line += " (not recorded)"
	}
	s.say("%s", s.faint(line))
}

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
		s.say("%s%s  %s%s", s.faint(fmt.Sprintf("%-12s", label)), targetOf(r.Target), s.faint(r.Relation), condition(r))
	}
	s.say("")
	for text := range strings.Lines(a.Text) {
		s.say("%s", legible(text))
	}
	s.say("")
}

// condition is when a consumer is one, and that it is asked about itself as well.
func condition(r wire.Relationship) string {
	said := ""
	if r.When != nil {
		said = "  when " + clean(*r.When)
	}
	if slices.Contains(r.On, "consumer") {
		said += "  asked when it changes, too"
	}
	return said
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
			far += condition(r)
			switch r.Applicability {
			case "false":
				far += ": no"
			case "unknown":
				far += ": not known"
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
