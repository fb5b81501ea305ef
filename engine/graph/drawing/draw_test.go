package drawing_test

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/graph/drawing"
)

func draw(t testing.TB, files contenttest.Files, groups ...string) *drawing.Network {
	t.Helper()
	c, err := corpus.NewCompiler().Compile(context.Background(), files.Tree())
	if err != nil || corpus.HasErrors(c.Findings) {
		t.Fatal(err, c.Findings)
	}
	n, err := drawing.Of(context.Background(), c, files.Tree(), groups)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

var plain = drawing.Printed{Clean: func(s string) string { return s }, When: func(graph.Relation) string { return "" }}

// relationsOf are the arcs of a network in words.
func relationsOf(n *drawing.Network) (list []string) {
	for _, a := range n.Arcs {
		list = append(list, n.Nodes[a.From].Key()+" "+a.Kind+" "+n.Nodes[a.To].Key())
	}
	return list
}

func small() contenttest.Files {
	return contenttest.Files{
		"standards/standards.yaml": "version: 1\nmodules: [\"s/*.md\"]\n", "docs/a.md": "a", "src/a.go": "a", "src/b.go": "b",
		"s/base.md": "---\nstandard: {id: base, role: core, level: MUST, title: Everything}\n---\n# B\n",
		"s/net.md": "---\nstandard:\n  id: net\n  role: topic\n  level: MUST\n  requires: [base]\n  units:\n    - {id: net.one, heading: [One], revision: 1}\n" +
			"    - {id: net.two, heading: [Two], revision: 1}\n  consumers:\n    - {unit: net.one, path: docs/a.md, relation: documentation-projection}\n" +
			"    - {unit: net.one, path: docs/gone.md, relation: documentation-projection}\n    - {unit: net.one, glob: \"src/*.go\", relation: implementation-projection}\n" +
			"    - {unit: net.one, module: base, relation: normative-consumer}\n---\n# N\n\n## One\n\nx\n\n## Two\n\ny\n",
		"s/tls.md": "---\nstandard: {id: tls, role: profile, level: PROFILE, specializes: [net]}\n---\n# T\n",
	}
}

func TestDraw(t *testing.T) {
	t.Parallel()
	impact := []string{"unit:net.one documentation-projection path:docs/a.md", "unit:net.one documentation-projection path:docs/gone.md",
		"unit:net.one implementation-projection glob:src/*.go", "unit:net.one normative-consumer module:base"}
	for _, row := range []struct {
		groups       []string
		nodes, edges []string
	}{
		{nil, []string{"module:base", "module:net", "unit:net.one", "unit:net.two", "module:tls", "path:docs/a.md", "path:docs/gone.md (absent)", "glob:src/*.go 2"},
			append(append([]string{"module:net standards-requires module:base"}, impact...), "module:tls standards-specializes module:net")},
		{[]string{graph.Specializes}, []string{"module:base", "module:net", "module:tls"}, []string{"module:tls standards-specializes module:net"}},
		{[]string{graph.Semantic}, []string{"module:base", "module:net", "unit:net.one", "module:tls", "path:docs/a.md", "path:docs/gone.md (absent)", "glob:src/*.go 2"}, impact},
	} {
		n := draw(t, small(), row.groups...)
		var nodes []string
		for _, node := range n.Nodes {
			said := node.Key()
			switch {
			case node.Kind == drawing.PathNode && !node.Present:
				said += " (absent)"
			case node.Kind == drawing.GlobNode:
				said += fmt.Sprintf(" %d", node.Files)
			}
			nodes = append(nodes, said)
		}
		if diff := cmp.Diff(row.nodes, nodes); diff != "" {
			t.Errorf("%v: nodes %s", row.groups, diff)
		}
		if diff := cmp.Diff(row.edges, relationsOf(n)); diff != "" {
			t.Errorf("%v: edges %s", row.groups, diff)
		}
		if row.groups != nil && cmp.Diff(row.groups, n.Groups) != "" || row.groups == nil && len(n.Groups) != 4 {
			t.Errorf("%v: groups %v", row.groups, n.Groups)
		}
	}
}

// readDot reads the language of Graphviz as its grammar has it, as far as a drawing goes: the labels of nodes and the edges between them.
func readDot(text string) (labels map[string]string, edges [][3]string, err error) {
	var tokens []string
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case strings.IndexByte(" \n", c) >= 0:
			i++
		case c == '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(text) {
				return nil, nil, errors.New("a quote is open")
			}
			tokens = append(tokens, text[i:end+1])
			i = end + 1
		case strings.IndexByte("{}[];=,", c) >= 0:
			tokens = append(tokens, string(c))
			i++
		case strings.HasPrefix(text[i:], "->"):
			tokens = append(tokens, "->")
			i += 2
		default:
			end := i
			for end < len(text) && (text[end] == '_' || text[end] >= '0' && text[end] <= '9' || text[end] >= 'a' && text[end] <= 'z' || text[end] >= 'A' && text[end] <= 'Z') {
				end++
			}
			if end == i {
				return nil, nil, fmt.Errorf("%q is no token", text[i:min(len(text), i+20)])
			}
			tokens = append(tokens, text[i:end])
			i = end
		}
	}
	labels = map[string]string{}
	at := 0
	next := func() string { at++; return append(tokens, "")[min(at-1, len(tokens))] }
	peek := func() string { return append(tokens, "")[min(at, len(tokens))] }
	unquoted := func(s string) string {
		s = strings.TrimSuffix(strings.TrimPrefix(s, `"`), `"`)
		return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n").Replace(s)
	}
	attributes := func() map[string]string {
		found := map[string]string{}
		if peek() != "[" {
			return found
		}
		next()
		for peek() != "]" && peek() != "" {
			key := next()
			if next() != "=" {
				err = errors.New("an attribute without a value")
			}
			found[key] = unquoted(next())
			if peek() == "," {
				next()
			}
		}
		next()
		return found
	}
	if next() != "digraph" || next() != "standards" || next() != "{" {
		return nil, nil, errors.New("no digraph")
	}
	depth := 1
	for depth > 0 && err == nil {
		switch word := next(); word {
		case "":
			return nil, nil, errors.New("a brace is open")
		case "}":
			depth--
		case ";":
		case "subgraph":
			next()
			if next() != "{" {
				return nil, nil, errors.New("a subgraph without a brace")
			}
			depth++
		case "node", "edge":
			attributes()
		default:
			switch peek() {
			case "=":
				next()
				next()
			case "->":
				next()
				to := next()
				edges = append(edges, [3]string{word, to, attributes()["label"]})
			default:
				labels[word] = attributes()["label"]
			}
		}
	}
	if at != len(tokens) {
		err = errors.New("something stands behind the end")
	}
	return labels, edges, err
}

// What Graphviz reads is what there is.
func checkDot(t interface{ Fatal(...any) }, n *drawing.Network) {
	labels, edges, err := readDot(n.Dot(plain))
	if err != nil {
		t.Fatal(err)
	}
	if len(labels) != len(n.Nodes) || len(edges) != len(n.Arcs) {
		t.Fatal(len(labels), "nodes", len(edges), "edges")
	}
	for i, node := range n.Nodes {
		if got := labels["n"+strconv.Itoa(i)]; got != node.Described() {
			t.Fatal(got, node.Described())
		}
	}
	for i, a := range n.Arcs {
		if edges[i] != [3]string{"n" + strconv.Itoa(a.From), "n" + strconv.Itoa(a.To), a.Kind} {
			t.Fatal(edges[i], a)
		}
	}
}

// checkSVG reads a drawing as XML: every node and relation has one title, in order, nothing runs, and nothing is fetched.
func checkSVG(t interface{ Fatal(...any) }, n *drawing.Network) {
	d := xml.NewDecoder(strings.NewReader(n.SVG(plain)))
	var titles []string
	inTitle := false
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch token.Name.Local {
			case "svg", "defs", "marker", "path", "rect", "g", "text":
			case "title":
				inTitle = true
				titles = append(titles, "")
			default:
				t.Fatal(token.Name.Local)
			}
			for _, a := range token.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Name.Local, "href") || strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Fatal(a)
				}
			}
		case xml.EndElement:
			inTitle = inTitle && token.Name.Local != "title"
		case xml.CharData:
			if inTitle {
				titles[len(titles)-1] += string(token)
			}
		}
	}
	if len(titles) != 1+len(n.Arcs)+len(n.Nodes) {
		t.Fatal(titles)
	}
	for i, a := range n.Arcs {
		if want := n.Nodes[a.From].Name + " → " + n.Nodes[a.To].Name + "  " + a.Kind; titles[1+i] != want {
			t.Fatal(titles[1+i], want)
		}
	}
	for i, node := range n.Nodes {
		if !strings.HasPrefix(titles[1+len(n.Arcs)+i], node.Described()) {
			t.Fatal(titles[1+len(n.Arcs)+i], node.Described())
		}
	}
}

func TestDrawings(t *testing.T) {
	t.Parallel()
	for _, files := range []contenttest.Files{small(), {"standards/standards.yaml": "version: 1\nmodules: [\"s/*.md\"]\n", "s/a.md": "---\nstandard: {id: a, role: core, level: MUST}\n---\n"}} {
		n := draw(t, files)
		checkDot(t, n)
		checkSVG(t, n)
	}
}

// Names that would mean something in a drawing are text in it, a condition stands beside its relation, and nothing depends on how often
// it is drawn.
func TestDrawingsOfAnyNames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		files := contenttest.Files{"standards/standards.yaml": "version: 1\nmodules: [\"s/*.md\"]\n"}
		count := rapid.IntRange(1, 6).Draw(r, "modules")
		for i := range count {
			title := rapid.StringOf(rapid.SampledFrom([]rune("ab <>&\"'\\]é→n{}|"))).Draw(r, "title")
			text := fmt.Sprintf("---\nstandard:\n  id: m%d\n  role: topic\n  level: MUST\n  title: %s\n  units:\n    - {id: m%d.u, heading: [U], revision: 1}\n", i, strconv.Quote("t"+title), i)
			if i > 0 && rapid.Bool().Draw(r, "requires") {
				text += fmt.Sprintf("  requires: [m%d]\n", rapid.IntRange(0, i-1).Draw(r, "which"))
			}
			text += "  consumers:\n"
			for range rapid.IntRange(1, 3).Draw(r, "rows") {
				name := rapid.StringOfN(rapid.SampledFrom([]rune("ab <>&\"'\\]é→n{}|;")), 1, 60, -1).Draw(r, "path")
				text += fmt.Sprintf("    - {unit: m%d.u, path: %q, relation: fixture-projection}\n", i, fmt.Sprintf("d%d/", len(text))+strings.TrimSpace(name)+"x")
			}
			files[fmt.Sprintf("s/m%d.md", i)] = text + "---\n# T\n\n## U\n\nx\n"
		}
		c, err := corpus.NewCompiler().Compile(context.Background(), files.Tree())
		if err != nil || corpus.HasErrors(c.Findings) {
			r.Fatal(err, c.Findings)
		}
		n, err := drawing.Of(context.Background(), c, files.Tree(), nil)
		if err != nil {
			r.Fatal(err)
		}
		checkDot(r, n)
		checkSVG(r, n)
		again, err := drawing.Of(context.Background(), c, files.Tree(), nil)
		if err != nil || again.SVG(plain) != n.SVG(plain) || again.Dot(plain) != n.Dot(plain) {
			r.Fatal("drawn twice in two ways", err)
		}
	})
}

// Boxes of a column do not lie over each other, and what a module rests on stands to the right of it.
func TestDrawingIsReadable(t *testing.T) {
	t.Parallel()
	files := contenttest.Files{"standards/standards.yaml": "version: 1\nmodules: [\"s/*.md\"]\n"}
	for i := range 40 {
		keys := ""
		if i > 0 {
			keys = fmt.Sprintf("  requires: [m%02d]\n", i/3)
		}
		files[fmt.Sprintf("s/m%02d.md", i)] = fmt.Sprintf("---\nstandard:\n  id: m%02d\n  role: topic\n  level: MUST\n%s  units:\n    - {id: m%02d.u, heading: [U], revision: 1}\n"+
			"  consumers:\n    - {unit: m%02d.u, path: docs/%02d.md, relation: documentation-projection}\n---\n# T\n\n## U\n\nx\n", i, keys, i, i, i)
	}
	n := draw(t, files)
	type box struct{ x, y, w, h float64 }
	var boxes []box
	d := xml.NewDecoder(strings.NewReader(n.SVG(plain)))
	inGroup := false
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		start, isStart := token.(xml.StartElement)
		if isStart && start.Name.Local == "g" {
			inGroup = true
		}
		if !isStart || start.Name.Local != "rect" || !inGroup {
			continue
		}
		var b box
		for _, a := range start.Attr {
			if into := map[string]*float64{"x": &b.x, "y": &b.y, "width": &b.w, "height": &b.h}[a.Name.Local]; into != nil {
				if *into, err = strconv.ParseFloat(a.Value, 64); err != nil {
					t.Fatal(err)
				}
			}
		}
		boxes = append(boxes, b)
	}
	if len(boxes) != len(n.Nodes) {
		t.Fatal(len(boxes))
	}
	for i, a := range boxes {
		for j, b := range boxes[:i] {
			within := n.Nodes[i].Kind == drawing.UnitNode && n.Nodes[j].Kind == drawing.ModuleNode && n.Nodes[i].Module == n.Nodes[j].Module
			apart := a.x+a.w <= b.x || b.x+b.w <= a.x || a.y+a.h <= b.y || b.y+b.h <= a.y
			if !apart && !within {
				t.Errorf("%s lies over %s", n.Nodes[i].Key(), n.Nodes[j].Key())
			}
		}
	}
	for _, a := range n.Arcs {
		if boxes[a.From].x+boxes[a.From].w >= boxes[a.To].x {
			t.Errorf("%s does not stand to the right of %s", n.Nodes[a.To].Key(), n.Nodes[a.From].Key())
		}
	}
}
