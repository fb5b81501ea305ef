package authored

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-standards/git-standards/engine/authored/reading/readingtest"
	"github.com/git-standards/git-standards/engine/identity"
)

const wholeManifest = `version: 1
modules: ["standards/**/*.md"]
facts:
  - id: ui.visible
    revision: 1
    type: boolean
    aliases: [visible]
    meaning: Does the change show to users?
    inputs: ["src/ui/**", "src/*.css"]
    provider: ci.ui
  - {id: risk, revision: 3, type: enum, values: [low, high], nullable: true, capability: standards.analyze}
  - {id: task.areas, revision: 1, type: enum-set, values: [api], context: task-route}
  - {id: owner.name, revision: 1, type: string, context: standards-change, nullable: false}
  - {id: names, revision: 1, type: string-set}
  - {id: touched, revision: 1, type: canonical-id}
providers:
  - {id: ci.ui, revision: 2, command: [scripts/ui.sh, --json], time-limit: 3600}
  - {id: ci.slow, revision: 1, command: [make]}
routing:
  base: [core.b, core.a]
  rules:
    - {id: r1, module: topic.api, when: {any: [{contains: {fact: task.areas, value: api}}, {contains: {fact: task.areas, value: api}}, always]}}
    - id: r2
      module: topic.ui
      when:
        all:
          - {not: {equals: {fact: ui.visible, value: false}}}
          - {in: {fact: risk, values: [low, high, low]}}
          - {exists: {fact: owner.name}}
          - {matches: {fact: names, glob: "a/**/*.{go,md}"}}
horizon:
  include: ["src/**"]
  exclude: [{glob: "src/gen/**", reason: generated}]
  moving: list
`

// RULES A5, A9: what is written, with its defaults.
func TestDeclaredParts(t *testing.T) {
	t.Parallel()
	m, findings := ParseManifest("f", []byte(wholeManifest))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	contains := identity.Record{"operator": "contains", "fact": "task.areas", "value": "api"}
	const analyze, change = "standards.analyze", "standards-change"
	want := &Manifest{
		Modules: []string{"standards/**/*.md"},
		Gate:    DefaultGate(),
		Facts: []Fact{
			{ID: "ui.visible", Revision: 1, Type: "boolean", Aliases: []string{"visible"}, Meaning: "Does the change show to users?", Context: change,
				Inputs: []string{"src/ui/**", "src/*.css"}, Capability: analyze, Provider: "ci.ui"},
			{ID: "risk", Revision: 3, Type: "enum", Nullable: true, Values: []string{"low", "high"}, Context: change, Capability: analyze},
			{ID: "task.areas", Revision: 1, Type: "enum-set", Values: []string{"api"}, Context: "task-route", Capability: analyze},
			{ID: "owner.name", Revision: 1, Type: "string", Context: change, Capability: analyze},
			{ID: "names", Revision: 1, Type: "string-set", Context: change, Capability: analyze},
			{ID: "touched", Revision: 1, Type: "canonical-id", Context: change, Capability: analyze},
		},
		Providers: []Provider{
			{ID: "ci.ui", Revision: 2, Command: []string{"scripts/ui.sh", "--json"}, TimeLimit: 3600},
			{ID: "ci.slow", Revision: 1, Command: []string{"make"}, TimeLimit: 60},
		},
		Routing: &Routing{Base: []string{"core.b", "core.a"}, Rules: []RoutingRule{
			{ID: "r1", Module: "topic.api", When: Expression{"operator": "any", "of": identity.List{contains, Always()}}},
			{ID: "r2", Module: "topic.ui", When: Expression{"operator": "all", "of": identity.List{
				identity.Record{"operator": "matches", "fact": "names", "glob": "a/**/*.{go,md}"},
				identity.Record{"operator": "exists", "fact": "owner.name"},
				identity.Record{"operator": "in", "fact": "risk", "values": identity.List{"high", "low"}},
				identity.Record{"operator": "not", "of": identity.Record{"operator": "equals", "fact": "ui.visible", "value": false}},
			}}},
		}},
		Horizon: &Horizon{Include: []string{"src/**"}, Exclude: []Exclusion{{Glob: "src/gen/**", Reason: "generated"}}, Moving: "list"},
	}
	lines := cmpopts.IgnoreFields // each type has its own
	if diff := cmp.Diff(want, m, lines(Manifest{}, "Lines"), lines(Fact{}, "Line"), lines(Provider{}, "Line"), lines(Routing{}, "Line"),
		lines(RoutingRule{}, "Line"), lines(Horizon{}, "Line"), lines(Exclusion{}, "Line")); diff != "" {
		t.Error(diff)
	}
	for key, line := range map[string]int{"facts": 3, "facts.ui.visible": 4, "facts.risk": 11, "providers.ci.ui": 17, "routing": 19, "horizon": 31, "horizon.moving": 34} {
		if m.Lines[key] != line {
			t.Errorf("%s on line %d, not %d", key, m.Lines[key], line)
		}
	}
}

func TestDeclaredFindings(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ text, want, message string }{
		{"facts: {}", "3 YAML.TYPE", ""},
		{"facts: [{id: a}]", "3 YAML.KEY_MISSING, 3 YAML.KEY_MISSING", ""},
		{"facts: [{id: change.x, revision: 1, type: string}]", "3 FACT.BUILT_IN", "built-in"},
		{"facts: [{id: a, revision: 1, type: string, aliases: [change.x]}]", "3 FACT.BUILT_IN", "built-in"},
		{"facts: [{id: a, revision: 0, type: string}]", "3 UNIT.REVISION", ""},
		{"facts: [{id: a, revision: 1, type: bool}]", "3 FACT.TYPE_UNKNOWN", `did you mean "boolean"?`},
		{"facts: [{id: a, revision: 1, type: string, nullable: 1}]", "3 YAML.TYPE", ""},
		{"facts: [{id: a, revision: 1, type: string, context: task}]", "3 FACT.CONTEXT_UNKNOWN", `did you mean "task-route"?`},
		{"facts: [{id: a, revision: 1, type: string, capability: standards.waive}]", "3 FACT.CAPABILITY", ""},
		{"facts: [{id: a, revision: 1, type: string, inputs: [/a]}]", "3 MANIFEST.GLOB", "inputs"},
		{"facts: [{id: a, revision: 1, type: string, values: [x]}]", "3 FACT.VALUES", "no values"},
		{"facts: [{id: a, revision: 1, type: enum}]", "3 FACT.VALUES", "needs values"},
		{"facts: [{id: a, revision: 1, type: enum, values: []}]", "3 FACT.VALUES", "lists none"},
		{"facts: [{id: a, revision: 1, type: enum, values: [x, x]}]", "3 FACT.VALUES", "twice"},
		{"facts: [{id: a, revision: 1, type: enum, values: [true]}]", "3 YAML.TYPE", ""},
		{"facts: [{id: a, revision: 1, type: enum, values: [absent, waiver]}]", "3 FACT.VALUES, 3 FACT.VALUES", "absent"},
		{"facts: [{id: a, revision: 1, type: enum, values: [" + strings.Repeat("x", 4097) + "]}]", "3 FACT.VALUES", "4096"},
		{"facts: [{id: a, revision: 1, type: enum-set, values: [" + numbers(257) + "]}]", "3 FACT.VALUES", "256"},
		{"facts: [{id: a, revision: 1, type: enum-set, values: [" + numbers(256) + "]}]", "", ""},
		{"facts:\n  - {id: a, revision: 1, type: string}\n  - {id: a, revision: 1, type: string}", "5 FACT.REPEATED", "line 4"},
		{"facts:\n  - {id: a, revision: 1, type: string, aliases: [b]}\n  - {id: b, revision: 1, type: string}", "5 FACT.REPEATED", "line 4"},
		{"facts:\n  - {id: a, revision: 1, type: string}\n  - {id: b, revision: 1, type: string, aliases: [a, b]}", "5 FACT.REPEATED, 5 FACT.REPEATED", "line 4"},
		{"providers: [{id: a, revision: 1, command: []}]", "3 PROVIDER.COMMAND", ""},
		{"providers: [{id: a, revision: 1, command: [x, 1]}]", "3 YAML.TYPE", ""},
		{"providers: [{id: a, revision: 1, command: x}]", "3 YAML.TYPE", ""},
		{"providers: [{id: a, revision: 1, command: [x], time-limit: 0}]", "3 PROVIDER.TIME_LIMIT", ""},
		{"providers: [{id: a, revision: 1, command: [x], time-limit: 3601}]", "3 PROVIDER.TIME_LIMIT", ""},
		{"providers:\n  - {id: a, revision: 1, command: [x]}\n  - {id: a, revision: 1, command: [y]}", "5 PROVIDER.REPEATED", ""},
		{"routing: {}", "", ""},
		{"routing: {base: [a, a]}", "3 MODULE.ID", "twice"},
		{"routing: {rules: [{id: a, module: m}]}", "3 YAML.KEY_MISSING", ""},
		{"routing: {rules: [{id: a, module: m, when: sometimes}]}", "3 EXPRESSION.OPERATOR", ""},
		{"routing:\n  rules:\n    - {id: a, module: m, when: always}\n    - {id: a, module: n, when: always}", "6 ROUTING.REPEATED", "line 5"},
		{"routing:\n  rules:\n    - {id: a, module: m, when: always}\n    - {id: b, module: m, when: always}", "6 ROUTING.REPEATED", "line 5"},
		{"horizon: {}", "3 YAML.KEY_MISSING", "include"},
		{"horizon:", "3 YAML.TYPE", ""},
		{"horizon: {include: []}", "3 MANIFEST.GLOB", ""},
		{"horizon: {include: [a/, b]}", "3 MANIFEST.GLOB", ""},
		{"horizon: {include: [a], exclude: [{glob: b}]}", "3 YAML.KEY_MISSING", "reason"},
		{"horizon: {include: [a], exclude: [{glob: b, reason: x}, {glob: b, reason: y}]}", "3 MANIFEST.GLOB", "line 3"},
		{"horizon: {include: [a], exclude: [{glob: b/, reason: x}]}", "3 MANIFEST.GLOB", ""},
		{"horizon: {include: [a], moving: lists}", "3 HORIZON.MOVING", `did you mean "list"?`},
	} {
		_, findings := ParseManifest("f", []byte("version: 1\nmodules: [a]\n"+row.text+"\n"))
		readingtest.Check(t, findings)
		if got := readingtest.Codes(findings); got != row.want || !strings.Contains(fmt.Sprint(findings), row.message) {
			t.Errorf("%.100s:\ngot  %s\nwant %s %q\n%+v", row.text, got, row.want, row.message, findings)
		}
	}
}

func numbers(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("v%d", i))
	}
	return strings.Join(all, ", ")
}

// A row that a hint shows is read as the row that it was.
func TestConsumerRowKeepsItsCondition(t *testing.T) {
	t.Parallel()
	for _, row := range []string{
		"- {unit: u, path: a/b, relation: fixture-projection}",
		"- {unit: u, path: a/b, relation: fixture-projection, on: [policy, consumer]}",
		"- {unit: u, path: a/b, relation: fixture-projection, when: {equals: {fact: x, value: true}}}",
		`- {unit: u, path: a/b, relation: fixture-projection, when: {all: [{any: [{in: {fact: x, values: [a, "true"]}}, always]}, ` +
			`{not: {matches: {fact: z, glob: "*.go"}}}]}, on: [policy, consumer]}`,
	} {
		text := moduleText("  units:\n    - {id: u, heading: [A], revision: 1}\n  consumers:\n    "+row+"\n", "## A\n")
		m, findings := ParseModule("f", []byte(text))
		if len(findings) > 0 {
			t.Fatal(findings)
		}
		if got := ConsumerRow(m.Consumers[0]); got != row {
			t.Errorf("got  %s\nwant %s", got, row)
		}
	}
}
