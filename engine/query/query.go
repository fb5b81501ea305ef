// Package query answers questions about the standards of one side: what to read before touching some paths (route), what a module or
// unit says (read), and what it is related to (related). It judges nothing.
package query

import (
	"context"
	"fmt"
	slash "path"
	"slices"
	"strings"

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
			Module: m.ID, Title: wire.Optional(m.Title), Role: m.Role, Level: m.Level, File: m.File, Line: m.Line, State: "selected",
			Reasons: []wire.Reason{}, Units: []wire.PlanUnit{},
		}
		for _, reason := range e.Reasons {
			entry.Reasons = append(entry.Reasons, wire.Reason{Why: reason.Why, Subject: reason.Subject, Unit: wire.Optional(reason.Unit)})
		}
		for _, u := range e.Units {
			entry.Units = append(entry.Units, wire.PlanUnit{Unit: u.ID, Heading: u.Heading, Revision: int(u.Revision), Line: u.TextLine})
		}
		answer.Entries = append(answer.Entries, entry)
	}
	return answer, nil
}

// paths are those that were asked about, a folder standing for the files in it; or what the work at hand changes.
func (q *query) paths(r wire.RouteQuery) ([]string, error) {
	paths := []string{}
	var err error
	switch {
	case r.Paths == nil:
		paths, err = q.changed(wire.Text(r.Accepted))
	case len(r.Paths) > 0: // a source lists everything where no path is named
		paths, err = q.below(r.Paths)
	}
	slices.SortFunc(paths, content.ComparePaths)
	return slices.Compact(paths), err
}

// isMatter reports whether a path can be about something: decisions are nobody's consumers (RULES A10), and neither is what no
// consumer can name.
func isMatter(path string) bool { return !corpus.IsDecision(path) && content.CheckPath(path) == nil }

func (q *query) below(named []string) ([]string, error) {
	for _, path := range named {
		if err := content.CheckPath(path); err != nil {
			return nil, outside(path, err)
		}
	}
	entries, err := q.side.Source.List(q.ctx, named...)
	if err != nil {
		return nil, err
	}
	paths, here := []string{}, map[string]bool{} // every file that is listed, and every folder above one
	for _, e := range entries {
		if e.Kind == content.Regular && isMatter(e.Name) { // a link counts as absent (RULES A7)
			paths = append(paths, e.Name)
		}
		for at := e.Name; at != "." && !here[at]; at = slash.Dir(at) {
			here[at] = true
		}
	}
	for _, path := range named {
		if !here[path] && isMatter(path) {
			paths = append(paths, path) // it may be about to be written
		}
	}
	return paths, nil
}

// outside refuses what is no path of a repository, and says how the one that may be meant is written.
func outside(name string, why error) error {
	meant := strings.TrimPrefix(slash.Clean(name), "/")
	f := fault.New(fault.Invalid, "PATH.OUTSIDE", name, "this is no path from the top of a repository: %v", why)
	if slash.IsAbs(name) {
		f.Target, f.Message = meant, "a path counts from the top of the repository, without a slash before it"
	}
	switch {
	case content.CheckPath(meant) == nil:
		return f.Hint("git standards query route " + fault.ShellWord(meant))
	case meant == "." || meant == "":
		f.Message += "; the top itself has none: name what is in it"
	}
	return f.Hint("git ls-files")
}

func texts(list []string) []string { return append([]string{}, list...) }
