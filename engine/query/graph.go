package query

import (
	"context"

	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/graph/drawing"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
)

// Graph is everything that the standards of a side relate, in its public shape and to be drawn. Groups are those that are shown; nil is all.
func Graph(ctx context.Context, w judge.Workspace, j *judge.Judge, which wire.ProposedSide, groups []string) (*wire.Graph, *drawing.Network, error) {
	q, err := open(ctx, w, j, which)
	if err != nil {
		return nil, nil, err
	}
	network, err := drawing.Of(ctx, q.corpus, q.side.Source, groups)
	if err != nil {
		return nil, nil, err
	}
	g := &wire.Graph{
		SchemaVersion: wire.SchemaVersion, Result: "graph", Side: q.side.Info, Groups: network.Groups, Nodes: []wire.GraphNode{}, Edges: []wire.GraphEdge{},
		Notices: judge.Warnings(q.corpus.Findings),
	}
	for _, n := range network.Nodes {
		g.Nodes = append(g.Nodes, node(n))
	}
	for _, a := range network.Arcs {
		g.Edges = append(g.Edges, wire.GraphEdge{
			Source: network.Nodes[a.From].Key(), Relation: a.Kind, Target: network.Nodes[a.To].Key(), Groups: a.Groups(), When: wire.Optional(When(a.Relation)),
			File: a.Owner.File, Line: a.Line,
		})
	}
	return g, network, nil
}

// When is the condition of a relation in words, or "" where it always holds.
func When(r graph.Relation) string { return inWords(r.When) }

func node(n drawing.Node) wire.GraphNode {
	m := n.Module
	switch n.Kind {
	case drawing.ModuleNode:
		return wire.ModuleNode{
			Kind: n.Kind, Node: n.Key(), ID: m.ID, Title: wire.Optional(m.Title), Role: m.Role, Level: m.Level, File: m.File, Line: m.Line,
		}
	case drawing.UnitNode:
		u := n.Unit
		return wire.UnitNode{Kind: n.Kind, Node: n.Key(), ID: u.ID, Module: m.ID, Heading: u.Heading, Revision: int(u.Revision), Line: u.TextLine}
	case drawing.PathNode:
		return wire.PathNode{Kind: n.Kind, Node: n.Key(), Path: n.Name, Present: n.Present}
	}
	return wire.GlobNode{Kind: n.Kind, Node: n.Key(), Glob: n.Name, Files: n.Files}
}
