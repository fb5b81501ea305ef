package graph_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/identity"
)

func compile(t testing.TB, files contenttest.Files) *corpus.Corpus {
	t.Helper()
	c, err := corpus.NewCompiler().Compile(context.Background(), files.Tree())
	if err != nil || corpus.HasErrors(c.Findings) {
		t.Fatal(err, c.Findings)
	}
	return c
}

const declaredFacts = "facts:\n  - {id: no, revision: 1, type: boolean, context: task-route}\n  - {id: yes, revision: 1, type: boolean, context: task-route}\n" +
	"  - {id: q1, revision: 1, type: boolean, context: task-route}\n  - {id: q2, revision: 1, type: enum-set, values: [x, y], context: task-route}\n" +
	"  - {id: ui, revision: 1, type: boolean}\n"

func shortModule(id, keys string) string {
	return fmt.Sprintf("---\nstandard: {id: %s, role: topic, level: MUST%s}\n---\n# T\n", id, keys)
}

// shown is a plan in short: module state: reasons, those that do not hold with their state and the facts that would settle them.
func shown(entries []graph.Entry) []string {
	list := []string{}
	for _, e := range entries {
		var reasons []string
		for _, r := range e.Reasons {
			said := strings.TrimSpace(r.Why + " " + r.Subject + " " + r.Unit)
			if r.State != graph.Selected {
				said += " (" + strings.Join(append([]string{r.State.String()}, r.Facts...), " ") + ")"
			}
			reasons = append(reasons, said)
		}
		list = append(list, e.Module.ID+" "+e.State.String()+": "+strings.Join(reasons, ", "))
	}
	return list
}

// Module a requires b. For each value of a rule for a and of one for b, without a rule as well, whether each is to be read.
func TestStatesOfAPlan(t *testing.T) {
	t.Parallel()
	known := facts.Values{"yes": true, "no": false}
	for _, row := range []struct{ a, b, want string }{
		{"none", "none", ""},
		{"none", "false", ""},
		{"none", "unknown", "b unresolved"},
		{"none", "true", "b selected"},
		{"false", "none", ""},
		{"false", "false", ""},
		{"false", "unknown", "b unresolved"},
		{"false", "true", "b selected"},
		{"unknown", "none", "b conditional, a unresolved"},
		{"unknown", "false", "b conditional, a unresolved"},
		{"unknown", "unknown", "b unresolved, a unresolved"},
		{"unknown", "true", "b selected, a unresolved"},
		{"true", "none", "b selected, a selected"},
		{"true", "false", "b selected, a selected"},
		{"true", "unknown", "b selected, a selected"},
		{"true", "true", "b selected, a selected"},
	} {
		for _, key := range []string{"requires", "specializes"} {
			manifest := "version: 1\nmodules: [\"s/*.md\"]\n" + declaredFacts + "routing:\n  rules:\n    - {id: other, module: c, when: {equals: {fact: no, value: true}}}\n"
			for module, value := range map[string]string{"a": row.a, "b": row.b} {
				if fact := map[string]string{"false": "no", "true": "yes", "unknown": "q1"}[value]; fact != "" {
					manifest += fmt.Sprintf("    - {id: for-%s, module: %s, when: {equals: {fact: %s, value: true}}}\n", module, module, fact)
				}
			}
			c := compile(t, contenttest.Files{
				corpus.ManifestPath: manifest, "s/a.md": shortModule("a", ", "+key+": [b]"), "s/b.md": shortModule("b", ""), "s/c.md": shortModule("c", ""),
			})
			var got []string
			for _, e := range graph.Route(c, graph.Task{Known: known}) {
				got = append(got, e.Module.ID+" "+e.State.String())
			}
			if joined := strings.Join(got, ", "); joined != row.want {
				t.Errorf("a %s, b %s, %s: %q, want %q", row.a, row.b, key, joined, row.want)
			}
		}
	}
}

// What is selected comes before what is not; what changes nothing is no reason, so that its facts are not asked for.
func TestReasonsOfAPlan(t *testing.T) {
	t.Parallel()
	rule := func(id, module, when string) string {
		return fmt.Sprintf("    - {id: %s, module: %s, when: %s}\n", id, module, when)
	}
	isQ1, hasX := "{equals: {fact: q1, value: true}}", "{contains: {fact: q2, value: x}}"
	unit := func(id, when string) string {
		return fmt.Sprintf("---\nstandard:\n  id: %s\n  role: topic\n  level: MUST\n  requires: [deep]\n  units:\n    - {id: %s.one, heading: [One], revision: 1}\n"+
			"    - {id: %s.two, heading: [Two], revision: 1}\n  consumers:\n    - {unit: %s.one, path: x.go, relation: implementation-projection%s}\n"+
			"    - {unit: %s.two, glob: \"*.go\", relation: implementation-projection}\n---\n# T\n\n## One\n\nx\n\n## Two\n\ny\n", id, id, id, id, when, id)
	}
	for _, row := range []struct {
		name    string
		routing string
		more    contenttest.Files
		task    graph.Task
		want    []string
	}{
		{"base and a rule", "  base: [z]\n  rules:\n" + rule("r", "a", isQ1), nil, graph.Task{Known: facts.Values{"q1": true}}, []string{"a selected: rule r", "z selected: base z"}},
		{"selected comes first", "  base: [z]\n  rules:\n" + rule("r", "a", isQ1), nil, graph.Task{}, []string{"z selected: base z", "a unresolved: rule r (unresolved q1)"}},
		{"a rule that changes nothing", "  base: [a]\n  rules:\n" + rule("r", "a", isQ1), nil, graph.Task{}, []string{"a selected: base a"}},
		{"two facts settle it", "  rules:\n" + rule("r", "a", "{all: ["+isQ1+", "+hasX+"]}"), nil, graph.Task{}, []string{"a unresolved: rule r (unresolved q1 q2)"}},
		{"one is known and leaves the other", "  rules:\n" + rule("r", "a", "{all: ["+isQ1+", "+hasX+"]}"), nil, graph.Task{Known: facts.Values{"q1": true}},
			[]string{"a unresolved: rule r (unresolved q2)"}},
		{"one is known and decides", "  rules:\n" + rule("r", "a", "{all: ["+isQ1+", "+hasX+"]}"), nil, graph.Task{Known: facts.Values{"q1": false}}, []string{}},
		{"always", "  rules:\n" + rule("r", "a", "always"), nil, graph.Task{}, []string{"a selected: rule r"}},
		{"a chain below what is unresolved", "  rules:\n" + rule("r", "a", isQ1), contenttest.Files{"s/a.md": shortModule("a", ", requires: [b]"), "s/b.md": shortModule("b", ", specializes: [z]")},
			graph.Task{}, []string{"z conditional: specialized b (conditional)", "b conditional: required a (conditional)", "a unresolved: rule r (unresolved q1)"}},
		{"required by what is selected and by what is not", "  base: [b]\n  rules:\n" + rule("r", "a", isQ1),
			contenttest.Files{"s/a.md": shortModule("a", ", requires: [z]"), "s/b.md": shortModule("b", ", requires: [z]")},
			graph.Task{}, []string{"z selected: required b", "b selected: base b", "a unresolved: rule r (unresolved q1)"}},
		{"a consumer whose condition is not known", "", contenttest.Files{"s/u.md": unit("u", ", when: {equals: {fact: ui, value: true}}"), "s/deep.md": shortModule("deep", "")},
			graph.Task{Paths: []string{"x.go"}}, []string{"deep selected: required u", "u selected: consumer x.go u.one (unresolved ui), consumer x.go u.two"}},
		{"one that does not hold", "", contenttest.Files{"s/u.md": unit("u", ", when: {equals: {fact: ui, value: true}}"), "s/deep.md": shortModule("deep", "")},
			graph.Task{Paths: []string{"x.go"}, Known: facts.Values{"ui": false}}, []string{"deep selected: required u", "u selected: consumer x.go u.two"}},
		{"a condition over the paths", "", contenttest.Files{"s/u.md": unit("u", ", when: {contains: {fact: change.extensions, value: go}}"), "s/deep.md": shortModule("deep", "")},
			graph.Task{Paths: []string{"x.go"}, Known: facts.ChangeFacts([]facts.Change{{Path: "x.go"}})},
			[]string{"deep selected: required u", "u selected: consumer x.go u.one, consumer x.go u.two"}},
		{"two rows for one path, of which one holds", "", contenttest.Files{
			"s/u.md": strings.Replace(unit("u", ", when: {equals: {fact: ui, value: true}}"), "u.two, glob", "u.one, glob", 1), "s/deep.md": shortModule("deep", "")},
			graph.Task{Paths: []string{"x.go"}}, []string{"deep selected: required u", "u selected: consumer x.go u.one"}},
	} {
		routing := ""
		if row.routing != "" {
			routing = "routing:\n" + row.routing
		}
		files := contenttest.Files{
			corpus.ManifestPath: "version: 1\nmodules: [\"s/*.md\"]\n" + declaredFacts + routing, "x.go": "x",
			"s/a.md": shortModule("a", ""), "s/b.md": shortModule("b", ""), "s/z.md": shortModule("z", ""),
		}.With(row.more)
		if diff := cmp.Diff(row.want, shown(graph.Route(compile(t, files), row.task))); diff != "" {
			t.Errorf("%s: %s", row.name, diff)
		}
	}
}

// The units of an entry are those that a reason is about, each with the state of its own reasons.
func TestStatesOfUnits(t *testing.T) {
	t.Parallel()
	files := contenttest.Files{
		corpus.ManifestPath: "version: 1\nmodules: [\"s/*.md\"]\n" + declaredFacts + "routing:\n  rules:\n    - {id: r, module: u, when: {contains: {fact: q2, value: y}}}\n",
		"s/u.md": "---\nstandard:\n  id: u\n  role: topic\n  level: MUST\n  units:\n    - {id: u.one, heading: [One], revision: 1}\n    - {id: u.two, heading: [Two], revision: 1}\n" +
			"  consumers:\n    - {unit: u.two, path: x.go, relation: implementation-projection}\n---\n# T\n\n## One\n\nx\n\n## Two\n\ny\n",
	}
	c := compile(t, files)
	for _, row := range []struct {
		known facts.Values
		want  string
	}{
		{nil, "u.one unresolved, u.two selected"},
		{facts.Values{"q2": identity.Texts([]string{"x"})}, "u.two selected"},
		{facts.Values{"q2": identity.Texts([]string{"x", "y"})}, "u.one selected, u.two selected"},
	} {
		entries := graph.Route(c, graph.Task{Paths: []string{"x.go"}, Known: row.known})
		var got []string
		for _, u := range entries[0].Units {
			got = append(got, u.ID+" "+u.State.String())
		}
		if joined := strings.Join(got, ", "); len(entries) != 1 || entries[0].State != graph.Selected || joined != row.want {
			t.Errorf("%v: %s, want %s", row.known, joined, row.want)
		}
	}
}
