package graph_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/graph"
)

// network is a corpus of every role: tls specializes net, which requires base; web requires net; the glossary is a consumer of
// base.
func network(t *testing.T) *corpus.Corpus {
	t.Helper()
	module := func(id, role, keys, consumers string) string {
		return fmt.Sprintf("---\nstandard:\n  id: %s\n  role: %s\n  level: MUST\n%s  units:\n    - {id: %s.one, heading: [One], revision: 1}\n"+
			"    - {id: %s.two, heading: [Two], revision: 1}\n%s---\n# T\n\n## One\n\nx\n\n## Two\n\ny\n", id, role, keys, id, id, consumers)
	}
	files := contenttest.Files{
		"standards/standards.yaml": "version: 1\nmodules: [\"s/*.md\"]\n",
		"s/core.md":                module("core", "core", "", ""),
		"s/base.md": module("base", "topic", "", "  consumers:\n    - {unit: base.one, module: glossary, relation: normative-consumer}\n"+
			"    - {unit: base.two, path: README.md, relation: documentation-projection}\n"),
		"s/net.md":      module("net", "topic", "  requires: [base]\n", "  consumers:\n    - {unit: net.one, glob: \"net/**/*.go\", relation: implementation-projection}\n"),
		"s/tls.md":      module("tls", "profile", "  specializes: [net]\n", "  consumers:\n    - {unit: tls.two, path: net/tls/dial.go, relation: implementation-projection}\n"),
		"s/web.md":      module("web", "workflow", "  requires: [net]\n", ""),
		"s/glossary.md": module("glossary", "topic", "", ""),
	}
	c, err := corpus.NewCompiler().Compile(context.Background(), files.Tree())
	if err != nil || len(c.Findings) > 0 {
		t.Fatal(err, c.Findings)
	}
	return c
}

func TestRoute(t *testing.T) {
	t.Parallel()
	c := network(t)
	for _, row := range []struct {
		name  string
		paths []string
		want  []string
	}{
		{"nothing: what always applies", nil, []string{"core (one two): core core"}},
		{"a file that nobody watches", []string{"Makefile"}, []string{"core (one two): core core"}},
		{"a consumer: its unit, and before it what its module requires", []string{"net/ip.go"}, []string{
			"core (one two): core core", "base (one two): required net", "net (one): consumer net/ip.go net.one"}},
		{"a consumer of two units, one of which is more special", []string{"net/tls/dial.go"}, []string{
			"core (one two): core core", "base (one two): required net",
			"net (one two): consumer net/tls/dial.go net.one, specialized tls", "tls (two): consumer net/tls/dial.go tls.two"}},
		{"a module's own file", []string{"s/web.md"}, []string{
			"core (one two): core core", "base (one two): required net", "net (one two): required web", "web (one two): changed s/web.md"}},
		{"the file of a module that is a consumer", []string{"s/glossary.md"}, []string{
			"core (one two): core core", "base (one): consumer s/glossary.md base.one", "glossary (one two): changed s/glossary.md"}},
		{"two consumers of one module", []string{"README.md", "s/glossary.md"}, []string{
			"core (one two): core core", "base (one two): consumer README.md base.two, consumer s/glossary.md base.one",
			"glossary (one two): changed s/glossary.md"}},
		{"a decision is no consumer (A10)", []string{"standards/decisions/x/y.go"}, []string{"core (one two): core core"}},
	} {
		var got []string
		for _, e := range graph.Route(c, graph.Task{Paths: row.paths}) {
			var units, reasons []string
			for _, u := range e.Units {
				units = append(units, strings.TrimPrefix(u.ID, e.Module.ID+"."))
			}
			for _, r := range e.Reasons {
				reasons = append(reasons, strings.TrimSpace(r.Why+" "+r.Subject+" "+r.Unit))
			}
			got = append(got, fmt.Sprintf("%s (%s): %s", e.Module.ID, strings.Join(units, " "), strings.Join(reasons, ", ")))
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%s: %s", row.name, diff)
		}
	}
}

func TestWalk(t *testing.T) {
	t.Parallel()
	c := network(t)
	both := func(target string, transitive bool, groups ...string) graph.Walk {
		if len(groups) == 0 {
			groups = graph.Groups()
		}
		return graph.Walk{Target: target, Groups: groups, Incoming: true, Outgoing: true, Transitive: transitive}
	}
	incoming, outgoing := both("net", true), both("net", true)
	incoming.Outgoing, outgoing.Incoming = false, false
	for _, row := range []struct {
		name string
		walk graph.Walk
		want []string
	}{
		{"a module: its own relations, its units', and those that lead to it", both("net", false), []string{
			"1 → net standards-requires base", "1 → net.one implementation-projection net/**/*.go",
			"1 ← tls standards-specializes net", "1 ← web standards-requires net"}},
		{"what it rests on, and that on", both("web", true), []string{"1 → web standards-requires net", "2 → net standards-requires base"}},
		{"what rests on it", both("base", true, graph.Requires), []string{"1 ← net standards-requires base", "2 ← web standards-requires net"}},
		{"only impact, which goes one hop", both("base", true, graph.PolicyImpact), []string{
			"1 → base.one normative-consumer glossary", "1 → base.two documentation-projection README.md"}},
		{"a unit", both("base.two", true), []string{"1 → base.two documentation-projection README.md"}},
		{"a consumer's path", both("net/tls/dial.go", false), []string{
			"1 ← net.one implementation-projection net/**/*.go", "1 ← tls.two implementation-projection net/tls/dial.go"}},
		{"a module that is a consumer", both("glossary", false, graph.Semantic), []string{"1 ← base.one normative-consumer glossary"}},
		{"incoming alone", incoming, []string{"1 ← tls standards-specializes net", "1 ← web standards-requires net"}},
		{"outgoing alone", outgoing, []string{"1 → net standards-requires base", "1 → net.one implementation-projection net/**/*.go"}},
		{"nothing", both("Makefile", true), nil},
	} {
		var got []string
		for _, r := range row.walk.Walk(c) {
			arrow := "→"
			if r.Incoming {
				arrow = "←"
			}
			got = append(got, fmt.Sprintf("%d %s %s %s %s", r.Distance, arrow, r.Source, r.Kind, r.Module+r.Path+r.Glob))
			if r.Line < 1 || r.Owner.File == "" {
				t.Errorf("%s is nowhere", got[len(got)-1])
			}
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%s: %s", row.name, diff)
		}
	}
}

// The id of a module or a unit is no path that a glob matches, though most globs would; a row that names it is meant.
func TestAnIDIsNoPathForAGlob(t *testing.T) {
	t.Parallel()
	files := contenttest.Files{
		"standards/standards.yaml": "version: 1\nmodules: [\"*.md\"]\n",
		"a.md": "---\nstandard:\n  id: a.go\n  role: topic\n  level: MUST\n  units: [{id: b.go, heading: [B], revision: 1, aliases: [c.go]}]\n  consumers:\n" +
			"    - {unit: b.go, glob: \"**/*.go\", relation: fixture-projection}\n    - {unit: b.go, path: b.go, relation: prompt-projection}\n---\n# A\n\n## B\n\nx\n",
	}
	c, err := corpus.NewCompiler().Compile(context.Background(), files.Tree())
	if err != nil || len(c.Findings) > 0 {
		t.Fatal(err, c.Findings)
	}
	for target, want := range map[string]int{"a.go": 0, "b.go": 1, "c.go": 0, "d.go": 1} {
		got := graph.Walk{Target: target, Groups: graph.Groups(), Incoming: true}.Walk(c)
		if len(got) != want {
			t.Errorf("%s: %v", target, got)
		}
	}
}

// Two modules that require each other are a finding; the plan and the walk end all the same.
func TestQueriesEndInACycle(t *testing.T) {
	t.Parallel()
	files := contenttest.Files{
		"standards/standards.yaml": "version: 1\nmodules: [\"*.md\"]\n",
		"a.md":                     "---\nstandard: {id: a, role: topic, level: MUST, requires: [b]}\n---\n# A\n",
		"b.md":                     "---\nstandard: {id: b, role: topic, level: MUST, requires: [a]}\n---\n# B\n",
	}
	c, err := corpus.NewCompiler().Compile(context.Background(), files.Tree())
	if err != nil || !corpus.HasErrors(c.Findings) {
		t.Fatal(err, c.Findings)
	}
	if n := len(graph.Route(c, graph.Task{Paths: []string{"a.md"}})); n != 2 {
		t.Errorf("%d entries", n)
	}
	walk := graph.Walk{Target: "a", Groups: graph.Groups(), Incoming: true, Outgoing: true, Transitive: true}
	if n := len(walk.Walk(c)); n != 4 {
		t.Errorf("%d relations", n)
	}
}
