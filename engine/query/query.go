// Package query answers questions about the standards of one side: what to read before touching some paths (route), what a module or
// unit says (read), and what it is related to (related). It judges nothing.
package query

import (
	"context"
	slash "path"
	"strings"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
)

// Answered is the answer to a query, and the objects that it is stored as.
type Answered struct {
	*wire.Navigation
	objects judge.Navigated
}

// Answer answers a query. It is not recorded yet: see Keep. A side whose text is wrong has no answer: its findings are the error.
func Answer(ctx context.Context, w judge.Workspace, j *judge.Judge, r wire.QueryRequest) (*Answered, error) {
	q, err := open(ctx, w, j, r.Proposed)
	if err != nil {
		return nil, err
	}
	var answer wire.NavigationAnswer
	var request any
	switch asked := r.Query.(type) {
	case wire.RouteQuery:
		answer, request, err = q.route(asked)
	case wire.ReadQuery:
		answer, request, err = q.read(asked)
	case wire.RelatedQuery:
		answer, request, err = q.related(asked)
	default: // of the schema there are no others, but a Go caller may forget it
		err = fault.New(fault.Invalid, "REQUEST.USAGE", "", "the request asks neither route nor read nor related").Hint("git standards schema queryRequest")
	}
	if err != nil {
		return nil, err
	}
	objects, err := q.objects(request, answer)
	if err != nil {
		return nil, err
	}
	return &Answered{&wire.Navigation{
		SchemaVersion: wire.SchemaVersion, Result: "navigation",
		Navigation: wire.NavigationHandle(wire.NewHandle(objects.Result.ID)), View: wire.ViewHandle(wire.NewHandle(objects.View.ID)),
		Side: q.side.Info, Answer: answer, Notices: judge.Warnings(q.corpus.Findings),
	}, objects}, nil
}

// Keep records an answer. The store is a record, never an input (DESIGN 4): an error changes nothing but `stored`, and is for a person
// to know.
func Keep(ctx context.Context, w judge.Workspace, a *Answered) error {
	return w.Record(ctx, func(repository authority.Repository) error {
		if err := repository.Put(ctx, a.objects.Result, a.objects.View); err != nil {
			return err
		}
		a.Stored = true
		return nil
	})
}

// open compiles the side that is asked about.
func open(ctx context.Context, w judge.Workspace, j *judge.Judge, which wire.ProposedSide) (*query, error) {
	side, err := w.Proposed(ctx, which)
	if err != nil {
		return nil, err
	}
	c, err := j.Compile(ctx, side.Source)
	if err != nil {
		return nil, err
	}
	side.Info.Snapshot = judge.Snapshot(c)
	return &query{ctx, w, side, c}, nil
}

type query struct {
	ctx       context.Context
	workspace judge.Workspace
	side      judge.Side
	corpus    *corpus.Corpus
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
