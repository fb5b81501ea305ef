package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/graph/drawing"
	"github.com/git-standards/git-standards/engine/query"
	"github.com/git-standards/git-standards/engine/wire"
)

func graphCommand() *cli.Command {
	return &cli.Command{
		Name:  "graph",
		Usage: "list or draw everything that the standards relate: modules, units and the files that follow them",
		Description: "Groups are " + strings.Join(graph.Groups(), ", ") + ".\n" +
			"  git standards graph                                         a list\n" +
			"  git standards graph --format svg >standards.svg             a drawing, for a browser\n" +
			"  git standards graph --format dot | dot -Tpdf >standards.pdf for Graphviz\n" +
			"Exit codes: 0 shown, 2 invalid text, 3 unavailable.",
		Flags: []cli.Flag{
			groupFlag(),
			&cli.BoolFlag{Name: "staged", DisableDefaultText: true, Usage: "read the index: what a commit would record"},
			&cli.StringFlag{Name: "proposed", Usage: "read the commit `REV`"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "print the graph as `text|dot|svg|json`"},
		},
		Action: withoutArguments((*session).graph),
	}
}

func groupFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "group", Usage: "only relations of the `GROUP`; may be given again"}
}

// groupsOf are the groups that are asked for; nil is all.
func groupsOf(cc *cli.Context) ([]string, error) {
	var groups []string
	for _, group := range cc.StringSlice("group") {
		if !slices.Contains(graph.Groups(), group) {
			near := ""
			if name := yamltext.Nearest(group, graph.Groups()); name != "" {
				near = "; did you mean " + name + "?"
			}
			return nil, usage("%q is no group: %s%s", group, strings.Join(graph.Groups(), ", "), near)
		}
		groups = append(groups, group)
	}
	return groups, nil
}

func (s *session) graph(cc *cli.Context) error {
	groups, err := groupsOf(cc)
	if err != nil {
		return err
	}
	which, err := proposedBy(cc.String("proposed"), cc.Bool("staged"))
	if err != nil {
		return err
	}
	s.sides = sidesOf(cc)
	shape, network, err := query.Graph(s.ctx, s, s.engine, which, groups)
	if err != nil {
		return err
	}
	printed := drawing.Printed{Clean: clean, When: query.When}
	drawn := ""
	switch cc.String("format") {
	case "json":
		return s.printJSON(shape)
	case "dot":
		drawn = network.Dot(printed)
	case "svg":
		drawn = network.SVG(printed)
	default:
		s.printGraph(network)
	}
	if _, err := s.out.Write([]byte(drawn)); err != nil {
		return err
	}
	s.warnOf(shape.Notices)
	return nil
}

// warnOf says that the standards have warnings.
func (c *console) warnOf(notices []wire.Notice) {
	if n := len(notices); n > 0 {
		c.warn("%s in the standards: git standards lint", count(n, "warning", "warnings"))
	}
}

// printGraph lists each module with what it rests on, and its units with what follows them.
func (s *session) printGraph(n *drawing.Network) {
	leads := make([][]drawing.Arc, len(n.Nodes))
	for _, a := range n.Arcs {
		leads[a.From] = append(leads[a.From], a)
	}
	counted := map[string]int{}
	for _, node := range n.Nodes {
		counted[node.Kind]++
	}
	s.say("%s, %s, %s, %s, %s", count(counted[drawing.ModuleNode], "module", "modules"), count(counted[drawing.UnitNode], "unit", "units"),
		count(counted[drawing.PathNode], "file", "files"), count(counted[drawing.GlobNode], "glob", "globs"), count(len(n.Arcs), "relation", "relations"))
	for i, node := range n.Nodes {
		indent := "  "
		switch node.Kind {
		case drawing.ModuleNode:
			m := node.Module
			s.say("%s  %s%s  %s", s.bold(m.ID), titled(wire.Optional(m.Title)), s.faint(m.Level+" "+m.Role), s.faint(fmt.Sprintf("%s:%d", shown(m.File), m.Line)))
		case drawing.UnitNode:
			indent = "    "
			s.say("  %s  %s", node.Name, headed(node.Unit.Heading))
		}
		for _, a := range leads[i] {
			when := ""
			if words := query.When(a.Relation); words != "" {
				when = "  when " + clean(words)
			}
			s.say("%s→ %s  %s%s", indent, shown(n.Nodes[a.To].Described()), s.faint(a.Kind), when)
		}
	}
}
