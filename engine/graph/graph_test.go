package graph_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/graph"
)

// RULES A3, A7, A10: where an edge leads on one side.
func TestWhereAnEdgeLeads(t *testing.T) {
	t.Parallel()
	files := contenttest.Files{
		"docs/a.md": "a", "docs/b.md": "b", "docs/link.md": contenttest.Symlink, "docs/sub": contenttest.Gitlink, "docs/deep/c.md": "c",
		"docs.md": "d", "standards/decisions/u/x.md": "x", "root.md": "r",
	}
	edge := func(path, glob string) graph.Edge {
		return graph.Edge{Consumer: &authored.Consumer{Path: path, Glob: glob}}
	}
	for _, row := range []struct {
		edge graph.Edge
		want string
	}{
		{edge("docs/a.md", ""), "docs/a.md"},
		{edge("docs/none.md", ""), "docs/none.md -"},
		{edge("docs/link.md", ""), "docs/link.md -"},
		{edge("docs/sub", ""), "docs/sub -"},
		{edge("docs", ""), "docs -"},
		{edge("", "docs/*.md"), "docs/a.md docs/b.md"},
		{edge("", "docs/**/*.md"), "docs/a.md docs/b.md docs/deep/c.md"},
		{edge("", "docs/{b,a}.md"), "docs/a.md docs/b.md"},
		{edge("", "docs/a.md"), "docs/a.md"},
		{edge("", "*.md"), "docs.md root.md"},
		{edge("", "**/*.md"), "docs/a.md docs/b.md docs/deep/c.md docs.md root.md"},
		{edge("", "docs/*.rst"), ""},
		{edge("", "docs/*"), "docs/a.md docs/b.md"},
	} {
		// Alone and together with all others, an edge leads to the same files.
		for _, others := range [][]graph.Edge{nil, {edge("", "**/*"), edge("root.md", "")}} {
			found, err := graph.Resolve(context.Background(), files.Tree(), append(others, row.edge))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, path := range found.Paths(row.edge) {
				if _, here := found.File(path); !here {
					path += " -"
				}
				got = append(got, path)
			}
			if strings.Join(got, " ") != row.want {
				t.Errorf("%s: %q, not %q", row.edge.Describe(), got, row.want)
			}
		}
	}
}

func TestEdgesAreThoseOfAllModulesByName(t *testing.T) {
	t.Parallel()
	files := contenttest.Files{
		"standards/standards.yaml": "version: 1\nmodules: [\"*.md\"]\n",
		"b.md": "---\nstandard: {id: b, role: topic, level: MUST, units: [{id: b.u, heading: [U], revision: 1}], consumers: [\n" +
			" {unit: b.u, path: x, relation: fixture-projection}, {unit: a.u, module: b, relation: normative-consumer}]}\n---\n# B\n\n## U\n",
		"a.md": "---\nstandard: {id: a, role: topic, level: MUST, units: [{id: a.u, heading: [U], revision: 1}], consumers: [\n" +
			" {unit: b.u, glob: \"x*\", relation: fixture-projection}]}\n---\n# A\n\n## U\n",
	}
	c, err := corpus.NewCompiler().Compile(context.Background(), files.Tree())
	if err != nil || len(c.Findings) > 0 {
		t.Fatal(err, c.Findings)
	}
	var got []string
	for _, e := range graph.Edges(c) {
		got = append(got, e.Unit+" > "+e.Describe()+" of "+e.Owner.ID)
	}
	if diff := cmp.Diff([]string{"a.u > module b of b", "b.u > x* of a", "b.u > x of b"}, got); diff != "" {
		t.Error(diff)
	}
}
