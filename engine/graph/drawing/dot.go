package drawing

import (
	"fmt"
	"strings"

	"github.com/git-standards/git-standards/engine/graph"
)

// Printed is how a network is written for people: Clean escapes what does not print, When is a condition in words, or "".
type Printed struct {
	Clean func(string) string
	When  func(graph.Relation) string
}

// Dot is a network as Graphviz reads it, from left to right, each module a cluster of its units.
func (n *Network) Dot(p Printed) string {
	var b strings.Builder
	label := func(lines ...string) string {
		for i, line := range lines {
			lines[i] = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p.Clean(line))
		}
		return `"` + strings.Join(lines, `\n`) + `"`
	}
	b.WriteString("digraph standards {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=10];\n")
	inside := false
	for i, node := range n.Nodes {
		if inside && node.Kind != UnitNode {
			b.WriteString("  }\n")
			inside = false
		}
		switch node.Kind {
		case ModuleNode:
			inside = true
			fmt.Fprintf(&b, "  subgraph cluster_%d {\n    label=%s;\n    n%d [label=%s, style=bold];\n", i, label(about(node)), i, label(node.Name))
		case UnitNode:
			fmt.Fprintf(&b, "    n%d [label=%s];\n", i, label(node.Name))
		default:
			fmt.Fprintf(&b, "  n%d [label=%s, shape=note%s];\n", i, label(node.Described()), map[bool]string{true: ", style=dotted"}[node.isAbsent()])
		}
	}
	if inside {
		b.WriteString("  }\n")
	}
	for _, a := range n.Arcs {
		lines := []string{a.Kind}
		if when := p.When(a.Relation); when != "" {
			lines = append(lines, "when "+when)
		}
		fmt.Fprintf(&b, "  n%d -> n%d [label=%s, style=%s];\n", a.From, a.To, label(lines...), styles[group(a.Relation)])
	}
	b.WriteString("}\n")
	return b.String()
}

// styles are how relations are drawn, by the first of their groups.
var styles = map[string]string{graph.Requires: "bold", graph.Specializes: "dashed", graph.PolicyImpact: "solid"}

func group(r graph.Relation) string { return r.Groups()[0] }

// about is what a module is called: its title, or its role where it has none.
func about(n Node) string {
	if n.Module.Title != "" {
		return n.Module.Title
	}
	return n.Module.Level + " " + n.Module.Role
}

// Described is a path or glob with what stands there.
func (n Node) Described() string {
	switch {
	case n.Kind == GlobNode && n.Files == 1:
		return n.Name + " (1 file)"
	case n.Kind == GlobNode:
		return fmt.Sprintf("%s (%d files)", n.Name, n.Files)
	case n.Kind == PathNode && !n.Present:
		return n.Name + " (not there)"
	}
	return n.Name
}

func (n Node) isAbsent() bool {
	return n.Kind == PathNode && !n.Present || n.Kind == GlobNode && n.Files == 0
}
