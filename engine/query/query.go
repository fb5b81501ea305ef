// Package query answers questions about the standards of one side: what to read before touching some paths (route), what a module or
// unit says (read), and what it is related to (related). It judges nothing.
package query

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
)

// Answer answers a query. A side whose text is wrong has no answer: its findings are the error.
func Answer(ctx context.Context, w judge.Workspace, j *judge.Judge, r wire.QueryRequest) (*wire.Navigation, error) {
	side, err := w.Proposed(ctx, r.Proposed)
	if err != nil {
		return nil, err
	}
	c, err := j.Compile(ctx, side.Source)
	if err != nil {
		return nil, err
	}
	side.Info.Snapshot = judge.Snapshot(c)
	q := query{ctx, w, side, c}
	var answer wire.NavigationAnswer
	switch asked := r.Query.(type) {
	case wire.RouteQuery:
		answer, err = q.route(asked)
	case wire.ReadQuery:
		answer, err = q.read(asked)
	case wire.RelatedQuery:
		answer, err = q.related(asked)
	default:
		panic(fmt.Sprintf("internal error: no query %T", asked))
	}
	if err != nil {
		return nil, err
	}
	return &wire.Navigation{
		SchemaVersion: wire.SchemaVersion, Result: "navigation", Side: side.Info, Answer: answer, Notices: judge.Warnings(c.Findings),
	}, nil
}

type query struct {
	ctx       context.Context
	workspace judge.Workspace
	side      judge.Side
	corpus    *corpus.Corpus
}

func (q *query) route(r wire.RouteQuery) (wire.NavigationAnswer, error) {
	paths, err := q.paths(r)
	if err != nil {
		return nil, err
	}
	answer := wire.RouteAnswer{Kind: "route", Paths: paths, Entries: []wire.PlanEntry{}}
	for _, e := range graph.Route(q.corpus, paths) {
		m := e.Module
		entry := wire.PlanEntry{
			Module: m.ID, Title: optional(m.Title), Role: m.Role, Level: m.Level, File: m.File, Line: m.Line, State: "selected",
			Reasons: []wire.Reason{}, Units: []wire.PlanUnit{},
		}
		for _, reason := range e.Reasons {
			entry.Reasons = append(entry.Reasons, wire.Reason{Why: reason.Why, Subject: reason.Subject, Unit: optional(reason.Unit)})
		}
		for _, u := range e.Units {
			entry.Units = append(entry.Units, wire.PlanUnit{Unit: u.ID, Heading: u.Heading, Revision: int(u.Revision), Line: u.TextLine})
		}
		answer.Entries = append(answer.Entries, entry)
	}
	return answer, nil
}

// paths are those that were asked about, a folder standing for the files in it; or what the work at hand changes. Decisions are
// nobody's consumers (RULES A10).
func (q *query) paths(r wire.RouteQuery) ([]string, error) {
	paths := []string{}
	if r.Paths == nil {
		accepted, _, err := q.workspace.Accepted(q.ctx, value(r.Accepted))
		if err != nil {
			return nil, err
		}
		changes, err := q.workspace.Changes(q.ctx, accepted.Source, q.side.Source)
		if err != nil {
			return nil, err
		}
		for _, c := range changes {
			if !corpus.IsDecision(c.Name) && content.CheckPath(c.Name) == nil {
				paths = append(paths, c.Name)
			}
		}
	}
	for _, path := range r.Paths {
		if err := content.CheckPath(path); err != nil {
			return nil, fault.New(fault.Invalid, "PATH.OUTSIDE", path, "this is no path from the top of a repository").Because(err).Hint("git ls-files")
		}
		entries, err := q.side.Source.List(q.ctx, path)
		if err != nil {
			return nil, err
		}
		if len(entries) == 0 {
			paths = append(paths, path) // it may be about to be written
		}
		for _, e := range entries {
			paths = append(paths, e.Name)
		}
	}
	slices.SortFunc(paths, content.ComparePaths)
	return slices.Compact(paths), nil
}

func (q *query) read(r wire.ReadQuery) (wire.NavigationAnswer, error) {
	answer := wire.ReadAnswer{Kind: "read"}
	walk := graph.Walk{Groups: []string{graph.PolicyImpact}, Outgoing: true}
	m := q.corpus.Module(r.Target)
	if unit := q.corpus.UnitNamed(r.Target); unit != nil {
		summary := unitSummary(unit)
		m, walk.Target, answer.Unit, answer.Text = unit.Module, unit.ID, &summary, string(unit.Text.Raw)
	} else if m == nil {
		return nil, q.unknown(r.Target)
	}
	if answer.Unit == nil {
		data, here, err := content.ReadFile(q.ctx, q.side.Source, m.File)
		if err == nil && !here {
			err = fault.New(fault.Unavailable, "WORKTREE.CHANGED", m.File, "the file changed while it was read; try again")
		}
		if err != nil {
			return nil, err
		}
		walk.Target, answer.Text = m.ID, string(authored.Body(data))
	}
	answer.Module = moduleSummary(m)
	relationships, err := q.relationships(walk)
	answer.Consumers = relationships
	return answer, err
}

func (q *query) related(r wire.RelatedQuery) (wire.NavigationAnswer, error) {
	walk := graph.Walk{Target: r.Target, Groups: r.Groups, Transitive: r.Transitive != nil && *r.Transitive}
	if r.Groups == nil {
		walk.Groups = graph.Groups()
	}
	direction := value(r.Direction)
	walk.Incoming, walk.Outgoing = direction != "outgoing", direction != "incoming"
	if unit := q.corpus.UnitNamed(r.Target); unit != nil {
		walk.Target = unit.ID
	}
	relationships, err := q.relationships(walk)
	if err != nil {
		return nil, err
	}
	if len(relationships) == 0 && q.corpus.Module(walk.Target) == nil && q.corpus.Unit(walk.Target) == nil {
		// A path that nobody watches is an answer; what is not even a path was meant for something else.
		entries, err := q.list(walk.Target)
		if err != nil {
			return nil, err
		}
		if len(entries) == 0 {
			return nil, q.unknown(r.Target)
		}
	}
	return wire.RelatedAnswer{Kind: "related", Target: walk.Target, Relationships: relationships}, nil
}

func (q *query) list(path string) ([]content.Entry, error) {
	if content.CheckPath(path) != nil {
		return nil, nil
	}
	return q.side.Source.List(q.ctx, path)
}

// relationships are shown with where each leads on this side.
func (q *query) relationships(walk graph.Walk) ([]wire.Relationship, error) {
	found := walk.Walk(q.corpus)
	var edges []graph.Edge
	for _, r := range found {
		if r.Module == "" {
			edges = append(edges, r.Edge())
		}
	}
	files, err := graph.Resolve(q.ctx, q.side.Source, edges)
	if err != nil {
		return nil, err
	}
	list := make([]wire.Relationship, 0, len(found))
	for _, r := range found {
		direction, applicability := "outgoing", "true"
		if r.Incoming {
			direction = "incoming"
		}
		if r.When == "" {
			applicability = "not-declared"
		}
		var target wire.RelationshipTarget
		switch {
		case r.Module != "":
			target = wire.ModuleTarget{Kind: "module", Module: r.Module}
		case r.Path != "":
			_, present := files.File(r.Path)
			target = wire.PathTarget{Kind: "path", Path: r.Path, Present: present}
		default:
			target = wire.GlobTarget{Kind: "glob", Glob: r.Glob, Paths: append([]string{}, files.Paths(r.Edge())...)}
		}
		list = append(list, wire.Relationship{
			Source: r.Source, Relation: r.Kind, Target: target, Groups: r.Groups(), Direction: direction, Distance: r.Distance,
			Applicability: applicability, File: r.Owner.File, Line: r.Line,
		})
	}
	return list, nil
}

// unknown refuses a name that nothing here has, and says which one may be meant.
func (q *query) unknown(target string) error {
	var names []string
	for _, m := range q.corpus.Modules {
		names = append(names, m.ID)
	}
	for _, u := range q.corpus.Units() {
		names = append(append(names, u.ID), u.Aliases...)
	}
	f := fault.New(fault.Invalid, "TARGET.UNKNOWN", target, "no module and no unit is called %q here", target)
	if near := yamltext.Nearest(target, names); near != "" {
		f.Message += "; did you mean " + near + "?"
		return f.Hint("git standards query read " + near)
	}
	return f.Hint("git standards query route " + strings.TrimSuffix(corpus.ManifestPath, "/standards.yaml"))
}

func moduleSummary(m *corpus.Module) wire.ModuleSummary {
	summary := wire.ModuleSummary{
		ID: m.ID, Title: optional(m.Title), Role: m.Role, Level: m.Level, File: m.File, Line: m.Line, AppliesWhen: optional(m.AppliesWhen),
		DoesNotApplyWhen: optional(m.DoesNotApplyWhen), Verification: optional(m.Verification), Owner: optional(m.Owner),
		Requires: texts(m.Requires), Specializes: texts(m.Specializes), Units: []wire.UnitSummary{},
	}
	for i := range m.Units {
		summary.Units = append(summary.Units, unitSummary(m.Unit(m.Units[i].ID)))
	}
	return summary
}

func unitSummary(u *corpus.Unit) wire.UnitSummary {
	return wire.UnitSummary{
		ID: u.ID, Heading: texts(u.Heading), Revision: int(u.Revision), Line: u.TextLine, Aliases: texts(u.Aliases),
		Predecessors: texts(u.Predecessors), Successors: texts(u.Successors),
	}
}

func texts(list []string) []string { return append([]string{}, list...) }

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
