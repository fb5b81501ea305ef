package query

import (
	"slices"

	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/wire"
)

func (q *query) route(r wire.RouteQuery) (wire.NavigationAnswer, any, error) {
	task, err := q.task(r)
	if err != nil {
		return nil, nil, err
	}
	given, err := q.given(r.Facts, task.Known)
	if f := fault.As(err); f != nil {
		for i, next := range f.Next {
			f.Next[i] = next + q.asked(r)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	answer := wire.RouteAnswer{Kind: "route", Paths: task.Paths, Facts: given, Entries: []wire.PlanEntry{}}
	var settle []string
	for _, e := range graph.Route(q.corpus, task) {
		answer.Entries = append(answer.Entries, planEntry(e))
		for _, reason := range e.Reasons {
			settle = append(settle, reason.Facts...)
		}
	}
	answer.Unresolved = q.unresolved(settle)
	answer.Next = q.next(r, answer)
	return answer, routeRequest{answer.Kind, task.Paths, q.known(task.Known)}, nil
}

func planEntry(e graph.Entry) wire.PlanEntry {
	m := e.Module
	entry := wire.PlanEntry{
		Module: m.ID, Title: wire.Optional(m.Title), Role: m.Role, Level: m.Level, File: m.File, Line: m.Line, State: e.State.String(),
		Reasons: []wire.Reason{}, Units: []wire.PlanUnit{},
	}
	for _, r := range e.Reasons {
		entry.Reasons = append(entry.Reasons, wire.Reason{
			Why: r.Why, Subject: r.Subject, Unit: wire.Optional(r.Unit), State: r.State.String(), Facts: texts(r.Facts),
		})
	}
	for _, u := range e.Units {
		entry.Units = append(entry.Units, wire.PlanUnit{
			Unit: u.ID, Heading: u.Heading, Revision: int(u.Revision), Line: u.TextLine, State: u.State.String(),
		})
	}
	return entry
}

// next is the commands that settle what is unresolved, one for each fact, and the one that shows what to read first.
func (q *query) next(r wire.RouteQuery, answer wire.RouteAnswer) []string {
	next := []string{}
	schema := q.corpus.Schema()
	for _, f := range answer.Unresolved {
		c, _ := schema.Find(f.Fact)
		first := wire.KnownFact{Fact: f.Fact}
		next = append(next, routeWith(append([]wire.KnownFact{first}, answer.Facts...), f.Fact, f.Fact, example(c))+q.asked(r))
	}
	if len(answer.Entries) > 0 {
		next = append(next, "git standards query read "+answer.Entries[0].Module)
	}
	return next
}

// asked is what a request asks about, as words of a command.
func (q *query) asked(r wire.RouteQuery) string {
	words := ""
	if r.Accepted != nil {
		words = " --accepted " + fault.ShellWord(*r.Accepted)
	}
	for _, path := range r.Paths {
		words += " " + fault.ShellWord(q.workspace.Typed(path))
	}
	return words
}

// task is the paths that were asked about, a folder standing for the files in it, or what the work at hand changes; and what that
// says of the built-in facts. What a change does to the files at some paths is nobody's to tell but the change's.
func (q *query) task(r wire.RouteQuery) (graph.Task, error) {
	task := graph.Task{Paths: []string{}}
	var changes []facts.Change
	var err error
	switch {
	case r.Paths == nil:
		task.Paths, changes, err = q.changed(wire.Text(r.Accepted))
	case len(r.Paths) > 0: // a source lists everything where no path is named
		task.Paths, err = q.below(r.Paths)
	}
	slices.SortFunc(task.Paths, content.ComparePaths)
	task.Paths = slices.Compact(task.Paths)
	if r.Paths != nil {
		for _, path := range task.Paths {
			changes = append(changes, facts.Change{Path: path})
		}
	}
	task.Known = facts.ChangeFacts(changes)
	if r.Paths != nil {
		delete(task.Known, facts.ChangeKinds)
	}
	return task, err
}
