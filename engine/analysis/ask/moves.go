package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/graph"
)

// findGone lists the files of the accepted side that the proposed side has no more, decisions aside. A link in the place of a
// file counts as absent (RULES A7).
func findGone(changes []content.Change) map[string]content.Entry {
	gone := map[string]content.Entry{}
	for _, change := range changes {
		if isFile(change.Old) && !isFile(change.New) && !corpus.IsDecision(change.Name) {
			gone[change.Name] = *change.Old
		}
	}
	return gone
}

func isFile(e *content.Entry) bool { return e != nil && e.Kind == content.Regular }

// goneBelow lists what is gone of what an edge led to, in order.
func (a *Asker) goneBelow(edge graph.Edge) []string { return a.goneNames.along(a.Patterns, edge) }

// findMoves finds where each watched file that is gone stands now (RULES C13).
func (a *Asker) findMoves(ctx context.Context, watched []string) (err error) {
	var lost, fresh []content.Entry
	for _, name := range watched {
		lost = append(lost, a.gone[name])
	}
	for _, change := range a.Changes {
		if isFile(change.New) && !isFile(change.Old) && !corpus.IsDecision(change.Name) && content.CheckPath(change.Name) == nil {
			fresh = append(fresh, *change.New)
		}
	}
	a.moved, err = content.Moves(ctx, a.AcceptedSource, lost, a.ProposedSource, fresh)
	for from, to := range a.moved {
		a.movedTo[to] = from
	}
	return err
}

// toPath and toGlob are edges that nobody declared, to be asked where they lead.
func toPath(path string) graph.Edge { return graph.Edge{Consumer: &authored.Consumer{Path: path}} }

func toGlob(glob string) graph.Edge { return graph.Edge{Consumer: &authored.Consumer{Glob: glob}} }

// carry is an edge that is followed to where its consumers moved, and the edit of its row by which it says so.
type carry struct {
	paths map[string]string // new path → old path
	path  string            // the edit is this path, or
	glob  string            // this glob: both may take the edge up
	clean bool              // the edit asks nothing
	from  string            // the moved file, or of a glob the folder, and where it is now
	to    string
}

func (c *carry) edit() string {
	if c.path != "" {
		return "path: " + c.path
	}
	return "glob: " + c.glob
}

// carried follows an edge of the accepted side whose consumers are all gone and all moved: a path to its new path, a glob
// when everything that it matched stands alike below one other folder.
func (a *Asker) carried(edge graph.Edge) *carry {
	if len(a.moved) == 0 {
		return nil
	}
	c, known := a.carries[edge.Name]
	if !known {
		c = a.follow(edge)
		a.carries[edge.Name] = c
	}
	return c
}

func (a *Asker) follow(edge graph.Edge) *carry {
	if edge.Path != "" {
		to, ok := a.moved[edge.Path]
		if !ok {
			return nil
		}
		return &carry{paths: map[string]string{to: edge.Path}, path: to, clean: true, from: edge.Path, to: to}
	}
	if edge.Glob == "" || len(a.after.Paths(edge)) > 0 {
		return nil
	}
	c := a.followGlob(edge)
	if c == nil {
		return nil
	}
	// An edit that takes in more than what moved asks about that. One file alone can be named by its path instead.
	taken := a.after.Paths(toGlob(c.glob))
	c.clean = !slices.ContainsFunc(taken, func(path string) bool { return c.paths[path] == "" })
	if !c.clean && len(c.paths) == 1 {
		for to, from := range c.paths {
			c.path, c.from, c.to, c.clean = to, from, to, true
		}
	}
	return c
}

// followGlob finds the one other folder below which everything that a glob matched stands alike.
func (a *Asker) followGlob(edge graph.Edge) *carry {
	base, tail := a.Glob(edge.Glob).Base(), edge.Glob
	below := func(name string) string { return name }
	if base != "" {
		tail = strings.TrimPrefix(edge.Glob, base+"/")
		below = func(name string) string { return strings.TrimPrefix(name, base+"/") }
	}
	c := &carry{paths: map[string]string{}, from: base}
	for i, name := range a.before.Paths(edge) {
		to, ok := strings.CutSuffix(a.moved[name], "/"+below(name))
		if !ok || i > 0 && to != c.to || strings.ContainsAny(to, `*?[]{}\`) {
			return nil
		}
		c.to = to
		c.paths[a.moved[name]] = name
	}
	if len(c.paths) == 0 {
		return nil
	}
	c.glob = c.to + "/" + tail
	return c
}

// lookAtMoves lists the places to which watched files moved, beside what is listed already.
func (a *Asker) lookAtMoves(ctx context.Context, edges []graph.Edge) (err error) {
	if len(a.moved) == 0 {
		return nil
	}
	more := slices.Clone(edges)
	for _, to := range a.moved {
		more = append(more, toPath(to))
	}
	for _, edge := range edges {
		if edge.Glob != "" {
			if c := a.followGlob(edge); c != nil {
				more = append(more, toGlob(c.glob))
			}
		}
	}
	a.after, err = graph.Resolve(ctx, a.ProposedSource, more)
	return err
}

// takesUp reports that an edge leads where the consumers of another one moved: the one-line edit (RULES C13).
func (a *Asker) takesUp(e graph.Edge, c *carry) bool {
	return c.glob != "" && a.Covers(e, toGlob(c.glob)) || c.path != "" && a.Covers(e, toPath(c.path))
}

// movedFrom is the path at which a consumer of the same unit and relation stood before it moved to path, or "".
func (a *Asker) movedFrom(kin graph.Kin, path string) string {
	if from := a.movedTo[path]; from != "" && a.AnyLeadsTo(a.Edges.Before.OfKin(kin), from) {
		return from
	}
	return ""
}

// noticeCarried prints the one-line edit (RULES C13).
func (a *Asker) noticeCarried(edge graph.Edge, c *carry) {
	from := c.from
	if c.path == "" {
		from = "what " + edge.Glob + " matched"
	}
	n := Notice{
		Code:    CarriedCode,
		Target:  fmt.Sprintf("%s:%d", edge.Owner.File, edge.Line),
		Message: fmt.Sprintf("%s moved to %s; unit %q still names the old place: write %s", from, c.to, edge.Unit, c.edit()),
	}
	if c.from != "" && (edge.Path != "" || c.path == "") { // else no move of a file or folder edits the row
		n.From, n.To = c.from, c.to
	}
	a.notices = append(a.notices, n)
	a.uncarried++
}
