package ask

import (
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/graph"
)

// paths is some files by the edges that lead to them.
type paths struct {
	sorted []string            // in the order of bytes
	below  map[string][]string // by glob: many rows share one
}

func newPaths(names []string) *paths {
	slices.Sort(names)
	return &paths{sorted: names, below: map[string][]string{}}
}

// along lists which of them an edge leads to, in ComparePaths order.
func (p *paths) along(patterns *graph.Patterns, edge graph.Edge) []string {
	if edge.Path != "" {
		if _, found := slices.BinarySearch(p.sorted, edge.Path); found {
			return []string{edge.Path}
		}
		return nil
	}
	if edge.Glob == "" {
		return nil
	}
	if names, known := p.below[edge.Glob]; known {
		return slices.Clone(names)
	}
	prefix := ""
	if base := patterns.Glob(edge.Glob).Base(); base != "" {
		prefix = base + "/"
	}
	var names []string
	at, _ := slices.BinarySearch(p.sorted, prefix)
	for ; at < len(p.sorted) && strings.HasPrefix(p.sorted[at], prefix); at++ {
		if patterns.LeadsTo(edge, p.sorted[at]) {
			names = append(names, p.sorted[at])
		}
	}
	slices.SortFunc(names, content.ComparePaths)
	p.below[edge.Glob] = names
	return slices.Clone(names)
}

// findChanged collects the reviews of RULES C9: along each edge that either side declares on: [policy, consumer] and whose consumers the
// change of its unit does not ask about, the consumers that may have changed. Whether a file of the worktree has other bytes is known
// once they are read.
func (a *Asker) findChanged() {
	var touched []string
	for _, c := range a.Changes {
		sameObject := isFile(c.Old) && isFile(c.New) && c.Old.Object != "" && c.Old.Object == c.New.Object
		if isFile(c.New) && !sameObject && !corpus.IsDecision(c.Name) {
			touched = append(touched, c.Name)
		}
	}
	files, reviewed := newPaths(touched), map[string]bool{}
	for _, u := range a.Units {
		reviewed[u.ID()] = u.Reviews()
	}
	for _, edge := range slices.Concat(a.Edges.Kept, a.Edges.Added) {
		old, kept := a.Edges.Before.Named(edge.Name)
		if !edge.Watches() && !(kept && old.Watches()) || reviewed[edge.Unit] {
			continue
		}
		unit := a.Unit(edge.Unit)
		if unit.Old == nil || !a.AsksAbout(unit) || edge.Module != "" && a.IsRepaired(a.Proposed.Module(edge.Module)) {
			continue
		}
		if edge.Module != "" {
			a.changed = append(a.changed, review{change: unit, reason: question.ConsumerChanged, edge: edge, module: edge.Module})
		}
		for _, path := range files.along(a.Patterns, edge) {
			a.changed = append(a.changed, review{change: unit, reason: question.ConsumerChanged, edge: edge, path: path})
		}
	}
}

// reviewsOfChanged is what findChanged found, once it is known what moved: a consumer that stands elsewhere has not changed.
func (a *Asker) reviewsOfChanged() []review {
	for i := range a.changed {
		r := &a.changed[i]
		r.from = a.movedFrom(r.edge.Kin(), r.path)
	}
	return a.changed
}
