// Package graph is what a corpus relates: the edges from policy units to their consumers, where one leads on a side and which
// lead nowhere, and what modules require and specialize; what is related to a name (Walk), and what is to be read before some paths
// are touched (Route). It holds no rule of what is asked.
package graph

import (
	"context"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/corpus/records"
)

// Edge is one declared consumer. Owner is the module in whose front matter it stands. Unit is the unit's own id where the row
// names an alias of it.
type Edge struct {
	*authored.Consumer
	Owner *corpus.Module
	Name  string // records.EdgeName
}

// List is edges by name, so that those of one unit stand together, and of these those of one relation.
type List []Edge

// Edges returns the edges of a corpus.
func Edges(c *corpus.Corpus) List {
	edges := make(List, 0, c.Consumers())
	for _, m := range c.Modules {
		for i := range m.Consumers {
			row := &m.Consumers[i]
			if unit := c.UnitNamed(row.Unit); unit != nil && unit.ID != row.Unit {
				named := *row
				named.Unit = unit.ID
				row = &named
			}
			edges = append(edges, Edge{row, m, records.EdgeName(row)})
		}
	}
	slices.SortFunc(edges, func(a, b Edge) int { return strings.Compare(a.Name, b.Name) })
	return edges
}

// Named returns the edge of that name; of several, which only text with findings has, the last.
func (l List) Named(name string) (Edge, bool) {
	if at := l.after(name) - 1; at >= 0 && l[at].Name == name {
		return l[at], true
	}
	return Edge{}, false
}

// OfUnit returns the edges of a unit.
func (l List) OfUnit(id string) List { return l.below(records.EdgePrefix(id)) }

// OfKin returns the edges of a unit and a relation.
func (l List) OfKin(kin Kin) List { return l.below(records.EdgePrefix(kin.Unit, kin.Relation)) }

func (l List) below(prefix string) List {
	from, _ := slices.BinarySearchFunc(l, prefix, func(e Edge, prefix string) int { return strings.Compare(e.Name, prefix) })
	n := 0
	for from+n < len(l) && strings.HasPrefix(l[from+n].Name, prefix) {
		n++
	}
	return l[from : from+n : from+n]
}

// after is where what comes after a name begins.
func (l List) after(name string) int {
	at, _ := slices.BinarySearchFunc(l, name, func(e Edge, name string) int {
		if e.Name <= name {
			return -1
		}
		return 1
	})
	return at
}

// Describe names the edge's target for a person.
func (e Edge) Describe() string {
	switch {
	case e.Module != "":
		return "module " + e.Module
	case e.Glob != "":
		return e.Glob
	}
	return e.Path
}

// Files is where the path and glob edges of one side lead.
type Files struct {
	entries map[string]content.Entry
	names   []string // in ComparePaths order
	globs   map[string]glob.Glob
	paths   map[string][]string // by glob, once asked: many rows share one
}

// Resolve lists, in one reading, what the given edges need of a side.
func Resolve(ctx context.Context, source content.Source, edges []Edge) (*Files, error) {
	f := &Files{entries: map[string]content.Entry{}, globs: map[string]glob.Glob{}, paths: map[string][]string{}}
	wanted := map[string]bool{}
	for _, edge := range edges {
		if edge.Path != "" {
			wanted[edge.Path] = true
		}
		if edge.Glob == "" {
			continue
		}
		g, err := glob.Parse(edge.Glob)
		if err != nil {
			return nil, err // the module's own finding came first
		}
		f.globs[edge.Glob] = g
		wanted[g.Base()] = true
	}
	var bases []string
	for base := range wanted {
		bases = append(bases, base)
	}
	slices.Sort(bases)
	entries, err := corpus.ListUnder(ctx, source, bases)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		f.entries[entry.Name] = entry
		f.names = append(f.names, entry.Name)
	}
	return f, nil
}

// Paths returns the paths to which a path or glob edge leads: the path itself, whether or not a file stands there, or the
// regular files that the glob matches. Decisions are never among them (RULES A10).
func (f *Files) Paths(edge Edge) []string {
	if edge.Path != "" {
		return []string{edge.Path}
	}
	paths, known := f.paths[edge.Glob]
	if !known {
		g := f.globs[edge.Glob]
		for _, name := range f.names {
			if f.entries[name].Kind == content.Regular && !corpus.IsDecision(name) && g.Match(name) {
				paths = append(paths, name)
			}
		}
		f.paths[edge.Glob] = paths
	}
	return slices.Clone(paths)
}

// File returns the regular file at a path, or false: a link, a directory and a submodule count as absent (RULES A7).
func (f *Files) File(name string) (content.Entry, bool) {
	entry, ok := f.entries[name]
	return entry, ok && entry.Kind == content.Regular
}
