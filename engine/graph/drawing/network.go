// Package drawing gathers all that a corpus relates, and writes it as text for Graphviz or as a picture.
//
// It promises that one corpus gives one drawing, byte for byte, in which every relation of the chosen groups stands once and nothing is
// taken for markup that a name holds. It decides nothing: what relates to what is package graph's to say.
package drawing

import (
	"context"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/graph"
)

// Network is everything that a corpus relates: modules by id, each before its units, then paths and globs; and the relations between
// them by owner and line.
type Network struct {
	Groups []string // the groups of relations that are shown, in order
	Nodes  []Node
	Arcs   []Arc
}

// The kinds of nodes.
const (
	ModuleNode = "module"
	UnitNode   = "unit"
	PathNode   = "path"
	GlobNode   = "glob"
)

// Node is what is related. Name is its id, path or glob; Module is the module it is, or the one that the unit stands in.
type Node struct {
	Kind, Name string
	Module     *corpus.Module
	Unit       *corpus.Unit
	Present    bool // of a path: whether a file is there
	Files      int  // of a glob: how many it matches
}

// Key names a node among all, whatever its kind.
func (n Node) Key() string { return n.Kind + ":" + n.Name }

// Arc is a relation between two nodes, by their places.
type Arc struct {
	graph.Relation
	From, To int
}

// Of gathers the relations of a corpus whose group is among some, nil standing for all. Without a choice every unit is there; with
// one, the units, paths and globs that are related, and every module.
func Of(ctx context.Context, c *corpus.Corpus, source content.Source, groups []string) (*Network, error) {
	n := &Network{Groups: slices.DeleteFunc(graph.Groups(), func(g string) bool { return groups != nil && !slices.Contains(groups, g) })}
	relations := slices.DeleteFunc(graph.Declared(c), func(r graph.Relation) bool {
		return !slices.ContainsFunc(r.Groups(), func(g string) bool { return slices.Contains(n.Groups, g) })
	})
	related := map[string]bool{}
	var edges []graph.Edge
	for _, r := range relations {
		related[r.Source] = true
		if r.Module == "" {
			edges = append(edges, r.Edge())
		}
	}
	files, err := graph.Resolve(ctx, source, edges)
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	add := func(node Node) int {
		i, known := at[node.Key()]
		if !known {
			i = len(n.Nodes)
			at[node.Key()] = i
			n.Nodes = append(n.Nodes, node)
		}
		return i
	}
	for _, m := range c.Modules {
		add(Node{Kind: ModuleNode, Name: m.ID, Module: m})
		for i := range m.Units {
			if u := m.Unit(m.Units[i].ID); u != nil && (groups == nil || related[u.ID]) {
				add(Node{Kind: UnitNode, Name: u.ID, Module: m, Unit: u})
			}
		}
	}
	for _, e := range sorted(edges) {
		if e.Path != "" {
			_, present := files.File(e.Path)
			add(Node{Kind: PathNode, Name: e.Path, Present: present})
		} else {
			add(Node{Kind: GlobNode, Name: e.Glob, Files: len(files.Paths(e))})
		}
	}
	for _, r := range relations {
		from, isModule := at[ModuleNode+":"+r.Source]
		if !isModule {
			from = at[UnitNode+":"+r.Source]
		}
		n.Arcs = append(n.Arcs, Arc{r, from, at[target(r)]})
	}
	return n, nil
}

// target is the key of the node to which a relation leads.
func target(r graph.Relation) string {
	switch {
	case r.Module != "":
		return ModuleNode + ":" + r.Module
	case r.Path != "":
		return PathNode + ":" + r.Path
	}
	return GlobNode + ":" + r.Glob
}

// sorted are edges to files: paths in their order, then globs.
func sorted(edges []graph.Edge) []graph.Edge {
	edges = slices.Clone(edges)
	slices.SortStableFunc(edges, func(a, b graph.Edge) int {
		switch {
		case (a.Path == "") != (b.Path == ""):
			return strings.Compare(b.Path, a.Path) // what has no path comes last
		case a.Path != "":
			return content.ComparePaths(a.Path, b.Path)
		}
		return strings.Compare(a.Glob, b.Glob)
	})
	return edges
}
