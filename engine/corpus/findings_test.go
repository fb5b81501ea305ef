package corpus_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
)

const authorityText = "version: 1\nissuer: {id: team, revision: 1}\nprincipals: [{id: ann, capabilities: []}]\n"

func codesOf(findings []reading.Finding) string {
	var codes []string
	for _, f := range findings {
		codes = append(codes, f.Code)
	}
	return strings.Join(codes, " ")
}

const manifest = "standards/standards.yaml"

// module writes a module with one unit at line 7 and more front matter from line 8 on.
func module(id, unit string, more ...string) string {
	return fmt.Sprintf("---\nstandard:\n  id: %s\n  role: topic\n  level: MUST\n  units:\n    - {id: %s, heading: [One], revision: 1}\n%s---\n# T\n\n## One\n\nText.\n",
		id, unit, strings.Join(append(more, ""), "\n"))
}

func side(more contenttest.Files) contenttest.Files {
	return contenttest.Files{manifest: "version: 1\nmodules: [\"standards/**/*.md\"]\n", "standards/a.md": module("topic.a", "a.one")}.With(more)
}

// declares is a manifest that declares more, from line 3 on.
func declares(more string) string {
	return "version: 1\nmodules: [\"standards/**/*.md\"]\n" + more + "\n"
}

// whole are facts of both contexts.
const whole = "facts:\n  - {id: ui.visible, revision: 1, type: boolean, aliases: [visible]}\n  - {id: risk, revision: 1, type: enum, values: [low, high]}\n" +
	"  - {id: task.areas, revision: 1, type: string-set, context: task-route}"

// edgeWhen is a module with one consumer on line 9.
func edgeWhen(when string) string {
	return module("topic.b", "b.one", "  consumers:", "    - {unit: a.one, path: x, relation: fixture-projection, when: "+when+"}")
}

func compile(t testing.TB, files contenttest.Files) *corpus.Corpus {
	t.Helper()
	c, err := corpus.NewCompiler().Compile(context.Background(), files.Tree())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const (
	a = "standards/a.md"
	b = "standards/b.md"
)

// lineage begins module topic.b, whose unit b.one at line 7 has more keys; rest ends it.
func lineage(keys string) string {
	text, _, _ := strings.Cut(module("topic.b", "b.one"), rest)
	return strings.Replace(text, "revision: 1", "revision: 1, "+keys, 1)
}

const rest = "---\n# T\n\n## One\n\nText.\n"

func consumerOf(unit string) string {
	return "  consumers:\n    - {unit: " + unit + ", path: x, relation: fixture-projection}\n"
}

func TestFindingsAcrossModules(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		rule, name string
		more       contenttest.Files
		want       []string // code file:line, then what the message says after " ~ " and what to do after " ~~ "
	}{
		{"A4", "nothing is wrong", nil, nil},
		{"A4", "module and module", contenttest.Files{b: module("topic.a", "b.one")}, []string{`MODULE.ID_REPEATED standards/b.md:2 ~ standards/a.md:2`}},
		{"A4", "module and unit", contenttest.Files{b: module("topic.b", "topic.a")}, []string{`ID.REPEATED standards/b.md:7 ~ the module at standards/a.md:2`}},
		{"A4", "unit and later module", contenttest.Files{b: module("a.one", "b.one")}, []string{`ID.REPEATED standards/a.md:7 ~ the module at standards/b.md:2`}},
		{"A4", "unit and unit", contenttest.Files{b: module("topic.b", "a.one")}, []string{`ID.REPEATED standards/b.md:7 ~ the unit at standards/a.md:7`}},
		{"A4", "unit and tombstone", contenttest.Files{b: module("topic.b", "b.one", "  tombstones: [{id: a.one, retired-revision: 1}]")},
			[]string{`ID.REPEATED standards/b.md:8 ~ the unit at standards/a.md:7`}},
		{"A4", "module and tombstone", contenttest.Files{b: module("topic.b", "b.one", "  tombstones: [{id: topic.a, retired-revision: 1}]")},
			[]string{`ID.REPEATED standards/b.md:8 ~ the module at standards/a.md:2`}},
		{"A4", "tombstone and tombstone", contenttest.Files{b: module("topic.b", "b.one", "  tombstones: [{id: old, retired-revision: 1}]"),
			"standards/c.md": module("topic.c", "c.one", "  tombstones: [{id: old, retired-revision: 1}]")}, []string{`ID.REPEATED standards/c.md:8 ~ the tombstone at standards/b.md:8`}},
		{"A4", "unit and alias", contenttest.Files{b: strings.Replace(module("topic.b", "b.one"), "revision: 1", "revision: 1, aliases: [a.one]", 1)},
			[]string{`ID.REPEATED standards/b.md:7 ~ the unit at standards/a.md:7`}},
		{"A4", "twice in one module: said once", contenttest.Files{b: strings.Replace(module("topic.b", "b.one"), "---\n#", "    - {id: b.one, heading: [Two], revision: 1}\n---\n#", 1) + "\n## Two\n"},
			[]string{`MODULE.UNIT_REPEATED standards/b.md:8 ~ b.one`}},

		{"A4", "requires nothing known", contenttest.Files{b: module("topic.b", "b.one", "  requires: [topic.x]")}, []string{`MODULE.REFERENCE_UNKNOWN standards/b.md:8 ~ "topic.x" ~~ such as topic.a, topic.b`}},
		{"A4", "requires a unit", contenttest.Files{b: module("topic.b", "b.one", "  requires: [a.one]")}, []string{`MODULE.REFERENCE_UNKNOWN standards/b.md:8 ~ "a.one"`}},
		{"A4", "requires and specializes, in the order of their lines", contenttest.Files{b: module("topic.b", "b.one", "  specializes: [zzzzzzzzzz]", "  requires: [yyyyyyyyyy]")},
			[]string{`MODULE.REFERENCE_UNKNOWN standards/b.md:8 ~ specializes`, `MODULE.REFERENCE_UNKNOWN standards/b.md:9 ~ requires names module "yyyyyyyyyy", which does not exist`}},
		{"A4", "a consumer of no unit", contenttest.Files{b: module("topic.b", "b.one", "  consumers:", "    - {unit: a.onee, path: x, relation: fixture-projection}")},
			[]string{`CONSUMER.UNIT_UNKNOWN standards/b.md:9 ~ did you mean "a.one"?`}},
		{"A4", "a consumer of a module", contenttest.Files{b: module("topic.b", "b.one", "  consumers:", "    - {unit: topic.a, path: x, relation: fixture-projection}")},
			[]string{`CONSUMER.UNIT_UNKNOWN standards/b.md:9 ~ "topic.a"`}},
		{"A4", "a consumer that is no module", contenttest.Files{b: module("topic.b", "b.one", "  consumers:", "    - {unit: a.one, module: topicb, relation: normative-consumer}")},
			[]string{`CONSUMER.MODULE_UNKNOWN standards/b.md:9 ~ did you mean "topic.b"?`}},

		{"A4", "requires itself", contenttest.Files{b: module("topic.b", "b.one", "  requires: [topic.b]")}, []string{`MODULE.CYCLE standards/b.md:8 ~ topic.b → topic.b`}},
		{"A4", "a circle of three", contenttest.Files{b: module("topic.b", "b.one", "  requires: [topic.c]"), "standards/c.md": module("topic.c", "c.one", "  requires: [topic.d]"),
			"standards/d.md": module("topic.d", "d.one", "  requires: [topic.a, topic.b]")}, []string{`MODULE.CYCLE standards/d.md:8 ~ requires runs in a circle: topic.b → topic.c → topic.d → topic.b`}},
		{"A4", "a circle of specializes", contenttest.Files{b: module("topic.b", "b.one", "  specializes: [topic.c]"), "standards/c.md": module("topic.c", "c.one", "  specializes: [topic.b]")},
			[]string{`MODULE.CYCLE standards/c.md:8 ~ specializes runs in a circle: topic.b → topic.c → topic.b`}},
		{"A4", "requires one way and specializes the other is no circle", contenttest.Files{b: module("topic.b", "b.one", "  requires: [topic.c]"), "standards/c.md": module("topic.c", "c.one", "  specializes: [topic.b]")}, nil},
		{"A4", "a diamond is no circle", contenttest.Files{b: module("topic.b", "b.one", "  requires: [topic.a, topic.c]"), "standards/c.md": module("topic.c", "c.one", "  requires: [topic.a]")}, nil},

		{"C15", "an edge in two modules", contenttest.Files{b: module("topic.b", "b.one", "  consumers:", "    - {unit: a.one, path: x, relation: fixture-projection}"),
			"standards/c.md": module("topic.c", "c.one", "  consumers:", "    - {unit: a.one, path: x, relation: fixture-projection, rationale: other}")}, []string{`CONSUMER.REPEATED standards/c.md:9 ~ standards/b.md:9`}},
		{"C15", "an edge twice in one module: said once", contenttest.Files{b: module("topic.b", "b.one", "  consumers:", "    - {unit: a.one, path: x, relation: fixture-projection}",
			"    - {unit: a.one, path: x, relation: fixture-projection}")}, []string{`CONSUMER.REPEATED standards/b.md:10 ~ line 9`}},
		{"C15", "other relation, other target: other edges", contenttest.Files{b: module("topic.b", "b.one", "  consumers:", "    - {unit: a.one, path: x, relation: fixture-projection}",
			"    - {unit: a.one, path: x, relation: template-projection}", "    - {unit: a.one, glob: x, relation: fixture-projection}")}, nil},
		{"A3", "two edges that cannot be read are not one", contenttest.Files{b: module("topic.b", "b.one", "  consumers:", "    - {unit: a.one, path: /x, relation: fixture-projection}"),
			"standards/c.md": module("topic.c", "c.one", "  consumers:", "    - {unit: a.one, path: /y, relation: fixture-projection}")},
			[]string{`CONSUMER.PATH standards/b.md:9 ~ /x`, `CONSUMER.PATH standards/c.md:9 ~ /y`}},

		{"A2", "a consumer names an alias", contenttest.Files{b: lineage("aliases: [b.old]") + consumerOf("b.old") + rest}, nil},
		{"A2", "predecessors may be gone, successors may be aliases, units of elsewhere and tombstones",
			contenttest.Files{b: lineage("aliases: [b.old], predecessors: [gone], successors: [a.one, a.dead]") + rest, a: module("topic.a", "a.one", "  tombstones: [{id: a.dead, retired-revision: 1, successors: [b.old]}]")}, nil},
		{"A2", "successors that are nothing", contenttest.Files{b: lineage("successors: [a.onee]") + "  tombstones: [{id: b.dead, retired-revision: 1, successors: [topic.a]}]\n" + rest},
			[]string{`UNIT.SUCCESSOR_UNKNOWN standards/b.md:7 ~ successors of unit "b.one" names unit "a.onee", which does not exist (did you mean "a.one"?)`,
				`UNIT.SUCCESSOR_UNKNOWN standards/b.md:8 ~ successors of tombstone "b.dead" names "topic.a", which is no unit but the module at standards/a.md:2`}},
		{"A2", "lineage that names itself: said by the module alone", contenttest.Files{b: lineage("aliases: [b.one, b.old], predecessors: [b.old], successors: [b.one]") + rest},
			[]string{`UNIT.LINEAGE_SELF standards/b.md:7 ~ aliases`, `UNIT.LINEAGE_SELF standards/b.md:7 ~ predecessors`, `UNIT.LINEAGE_SELF standards/b.md:7 ~ successors`}},
		{"A2", "an alias taken elsewhere names the first", contenttest.Files{b: lineage("aliases: [a.one]") + consumerOf("a.one") + rest},
			[]string{`ID.REPEATED standards/b.md:7 ~ id "a.one" of this alias is taken by the unit at standards/a.md:7`}},
		{"C5", "a consumer of a retired unit", contenttest.Files{b: module("topic.b", "b.one", "  tombstones: [{id: b.dead, retired-revision: 1, successors: [b.older]}, {id: b.older, retired-revision: 1, successors: [b.one, b.dead]}]", "  consumers:",
			"    - {unit: b.dead, path: x, relation: fixture-projection}")}, []string{`CONSUMER.UNIT_RETIRED standards/b.md:10 ~ unit "b.dead" is retired: see the tombstone at standards/b.md:8 ~~ write unit: b.one`}},
		{"C5", "a consumer of a unit retired for two", contenttest.Files{b: module("topic.b", "b.one", "  tombstones: [{id: b.dead, retired-revision: 1, successors: [b.one, a.one]}]", "  consumers:",
			"    - {unit: b.dead, path: x, relation: fixture-projection}")}, []string{`CONSUMER.UNIT_RETIRED standards/b.md:10 ~ b.dead ~~ write a row for each successor that it now follows: b.one, a.one`}},
		{"C5", "a consumer of a unit retired for nothing", contenttest.Files{b: module("topic.b", "b.one", "  tombstones: [{id: b.dead, retired-revision: 1}]", "  consumers:",
			"    - {unit: b.dead, path: x, relation: fixture-projection}")}, []string{`CONSUMER.UNIT_RETIRED standards/b.md:10 ~ b.dead ~~ remove the row`}},
		{"C15", "an edge by id and by alias is one", contenttest.Files{b: lineage("aliases: [b.old]") + consumerOf("b.old") + "    - {unit: b.one, path: x, relation: fixture-projection}\n" + rest},
			[]string{`CONSUMER.REPEATED standards/b.md:10 ~ the row at standards/b.md:9`}},

		{"A4", "an unknown key hides units: its consumers are not said to name nothing", contenttest.Files{b: strings.Replace(module("topic.b", "b.one", "  consumers:",
			"    - {unit: b.one, path: x, relation: fixture-projection}", "    - {unit: b.two, path: x, relation: fixture-projection}"), "units:", "unts:", 1),
			"standards/c.md": module("topic.c", "c.one", "  requires: [topic.b]", "  consumers:", "    - {unit: b.one, module: topic.b, relation: normative-consumer}")},
			[]string{`YAML.KEY_UNKNOWN standards/b.md:6 ~ unts`, `CONSUMER.UNIT_UNKNOWN standards/b.md:10 ~ unit "b.two"`}},
		{"A4", "front matter that is no YAML hides all its ids", contenttest.Files{b: strings.Replace(module("topic.b", "b.one"), "level: MUST", "level: [", 1),
			"standards/c.md": module("topic.c", "c.one", "  requires: [topic.b, topic.x]", "  consumers:", "    - {unit: b.one, module: topic.b, relation: normative-consumer}", "    - {unit: One, path: y, relation: fixture-projection}",
				"    - {unit: b.none, path: x, relation: fixture-projection}")},
			[]string{`YAML.SYNTAX standards/b.md:5 ~ nothing behind it`, `MODULE.REFERENCE_UNKNOWN standards/c.md:8 ~ topic.x`, `CONSUMER.UNIT_UNKNOWN standards/c.md:12 ~ b.none`}},
		{"A4", "a heading that is missing hides no id", contenttest.Files{b: strings.Replace(module("topic.b", "b.one", "  requires: [topic.x]"), "[One]", "[Oen]", 1)},
			[]string{`MODULE.HEADING_MISSING standards/b.md:7 ~ Oen`, `MODULE.REFERENCE_UNKNOWN standards/b.md:8 ~ topic.x`}},
		{"A5", "a glob that is none may lead to what others name", contenttest.Files{manifest: "version: 1\nmodules: [\"standards/*.md\", \"docs/[*.md\"]\n",
			b: module("topic.b", "b.one", "  requires: [topic.d]"), "docs/d.md": module("topic.d", "d.one")}, []string{`MANIFEST.GLOB standards/standards.yaml:2 ~ docs/[*.md`}},

		{"B54", "paths that differ in case", contenttest.Files{b: module("topic.b", "b.one", "  consumers:", "    - {unit: a.one, path: docs/Std.md, relation: fixture-projection}",
			"    - {unit: a.one, path: docs/std.md, relation: fixture-projection}", "    - {unit: b.one, path: docs/std.md, relation: fixture-projection}"), "standards/B.md": module("topic.bb", "bb.one")},
			[]string{`PATH.COLLIDES standards/b.md:2 ~ paths "standards/b.md" and "standards/B.md" (standards/B.md:2) differ only in upper and lower case`,
				`PATH.COLLIDES standards/b.md:10 ~ paths "docs/std.md" and "docs/Std.md" (standards/b.md:9) differ only in upper and lower case`}},
		{"B54", "paths that differ in normal form", contenttest.Files{b: module("topic.b", "b.one", "  consumers:", "    - {unit: a.one, path: docs/caf\u00e9.md, relation: fixture-projection}",
			"    - {unit: a.one, path: docs/cafe\u0301.md, relation: fixture-projection}")},
			[]string{`PATH.COLLIDES standards/b.md:10 ~ paths "docs/cafe\u0301.md" and "docs/caf\u00e9.md" (standards/b.md:9) differ only in how Unicode spells a character`}},

		{"A9", "facts, by id and alias, in the right context", contenttest.Files{manifest: declares(whole), b: edgeWhen("{all: [{equals: {fact: visible, value: true}}, {in: {fact: risk, values: [low]}}, {matches: {fact: change.paths, glob: x}}]}")}, nil},
		{"A9", "a fact misspelt", contenttest.Files{manifest: declares(whole), b: edgeWhen("{any: [{exists: {fact: ui.visibel}}]}")},
			[]string{`FACT.UNKNOWN standards/b.md:9 ~ when of the consumer names fact "ui.visibel", which is not declared (did you mean "ui.visible"?) ~~ write ui.visible`}},
		{"A9", "a built-in fact misspelt, without a declaration", contenttest.Files{b: edgeWhen("{contains: {fact: change.kind, value: added}}")},
			[]string{`FACT.UNKNOWN standards/b.md:9 ~ did you mean "change.kinds"? ~~ write change.kinds`}},
		{"A9", "a fact of no name", contenttest.Files{b: edgeWhen("{exists: {fact: zzzzzzzzzzz}}")}, []string{`FACT.UNKNOWN standards/b.md:9 ~ zzzzzzzzzzz ~~ declare it below facts in standards/standards.yaml`}},
		{"A9", "a value of another type", contenttest.Files{manifest: declares(whole), b: edgeWhen("{equals: {fact: ui.visible, value: 'yes'}}")},
			[]string{`FACT.TYPE standards/b.md:9 ~ when of the consumer: equals: fact "ui.visible" takes true or false`}},
		{"A9", "a value outside the list", contenttest.Files{manifest: declares(whole), b: edgeWhen("{equals: {fact: risk, value: medium}}")},
			[]string{`FACT.TYPE standards/b.md:9 ~ takes one of high, low, not "medium"`}},
		{"A9", "an operator of another type", contenttest.Files{manifest: declares(whole), b: edgeWhen("{contains: {fact: risk, value: low}}")},
			[]string{`FACT.TYPE standards/b.md:9 ~ contains does not look at a fact of type enum`}},
		{"A9", "a kind that a change does not have", contenttest.Files{b: edgeWhen("{contains: {fact: change.kinds, value: renamed}}")},
			[]string{`FACT.TYPE standards/b.md:9 ~ added, changed, deleted, not "renamed"`}},
		{"A9", "a task's fact for a consumer", contenttest.Files{manifest: declares(whole), b: edgeWhen("{contains: {fact: task.areas, value: x}}")},
			[]string{`FACT.CONTEXT standards/b.md:9 ~ task.areas ~~ name a fact of context standards-change`}},
		{"A5", "a change's fact for routing", contenttest.Files{manifest: declares("routing: {rules: [{id: r, module: topic.a, when: {contains: {fact: change.extensions, value: go}}}]}")},
			[]string{`FACT.CONTEXT standards/standards.yaml:3 ~ when of routing rule "r" names fact "change.extensions" ~~ name a fact of context task-route`}},
		{"A5", "routing to modules that are not there", contenttest.Files{manifest: declares("routing:\n  base: [topic.b]\n  rules:\n    - {id: r, module: topics.a, when: always}")},
			[]string{`ROUTING.MODULE_UNKNOWN standards/standards.yaml:4 ~ routing.base names module "topic.b"`, `ROUTING.MODULE_UNKNOWN standards/standards.yaml:6 ~ routing rule "r" leads to module "topics.a", which does not exist (did you mean "topic.a"?) ~~ write topic.a`}},
		{"A5", "routing that fits", contenttest.Files{manifest: declares(whole + "\nrouting: {base: [topic.a], rules: [{id: r, module: topic.a, when: {contains: {fact: task.areas, value: x}}}]}")}, nil},
		{"A5", "a provider that is not declared", contenttest.Files{manifest: declares("facts:\n  - {id: x, revision: 1, type: string, provider: ci.visibel}\nproviders: [{id: ci.visible, revision: 1, command: [x]}]")},
			[]string{`PROVIDER.UNKNOWN standards/standards.yaml:4 ~ fact "x" names provider "ci.visibel", which is not declared (did you mean "ci.visible"?) ~~ write provider: ci.visible`}},
		{"A5", "a fact that cannot be read is not said to be unknown", contenttest.Files{manifest: declares("facts:\n  - {id: ui.visible, revision: 1, type: bool, provider: gone}"),
			b: edgeWhen("{all: [{exists: {fact: ui.visible}}, {exists: {fact: other}}]}")}, []string{`FACT.TYPE_UNKNOWN standards/standards.yaml:4 ~ bool`}},

		{"A3", "relations and what they lead to", contenttest.Files{b: strings.Replace(module("topic.b", "b.one", "  consumers:", "    - {unit: a.one, module: topic.b, relation: reference-projection}",
			"    - {unit: a.one, module: topic.a, relation: reference-projection}", "    - {unit: a.one, module: topic.a, relation: router-projection}", "    - {unit: a.one, module: topic.b, relation: normative-consumer}",
			"    - {unit: a.one, module: topic.b, relation: fixture-projection}", "    - {unit: a.one, path: x, relation: router-projection}", "    - {unit: a.one, glob: x, relation: fixture-projection}",
			"    - {unit: a.one, module: topic.c, relation: router-projection}", "    - {unit: a.one, module: topic.c, relation: normative-consumer}"), "role: topic", "role: reference", 1),
			"standards/c.md": strings.Replace(module("topic.c", "c.one"), "role: topic", "role: router", 1)},
			[]string{`CONSUMER.CLASS standards/b.md:10 ~ reference-projection does not lead to a module of role topic, as "topic.a" is ~~ write relation: normative-consumer`,
				`CONSUMER.CLASS standards/b.md:11 ~ role topic ~~ write relation: normative-consumer`, `CONSUMER.CLASS standards/b.md:12 ~ role reference ~~ write relation: reference-projection`,
				`CONSUMER.CLASS standards/b.md:13 ~ about files, and the row names a module ~~ write relation: reference-projection, or name the file with path:`,
				`CONSUMER.CLASS standards/b.md:14 ~ about a module, and the row names files ~~ name a module with module:`}},
		{"A5", "an empty glob", contenttest.Files{manifest: "version: 1\nmodules:\n  - standards/*.md\n  - docs/*.md\n", "docs/x.md": "# no module\n"}, []string{`MANIFEST.GLOB_EMPTY standards/standards.yaml:2 ~ docs/*.md`}},
		{"A7", "a link as a module", contenttest.Files{b: contenttest.Symlink}, []string{`MODULE.NOT_A_FILE standards/b.md:1 ~ symbolic link`}},
		{"A7", "a submodule as a module", contenttest.Files{b: contenttest.Gitlink}, []string{`MODULE.NOT_A_FILE standards/b.md:1 ~ submodule`}},
		{"A7", "a link elsewhere is nobody's", contenttest.Files{"docs/x.md": contenttest.Symlink}, nil},
		{"A10", "decisions are no modules", contenttest.Files{"standards/decisions/x/y.md": module("topic.a", "a.one"), "standards/decisions/x/l.md": contenttest.Symlink}, nil},
		{"DESIGN 5", "a name that is no path", contenttest.Files{"standards/\xff.md": module("topic.b", "b.one")}, []string{"MODULE.PATH standards/\xff.md:1 ~ UTF-8"}},
		{"A6", "a name that is no path, of a file that is no module", contenttest.Files{"standards/\xff.md": "# x\n"}, nil},
		{"A6", "other files are counted and not read", contenttest.Files{"standards/x.md": "standard:\n", "standards/y.md": "---\ntitle: [\n---\n"}, nil},
	} {
		t.Run(row.rule+" "+row.name, func(t *testing.T) {
			t.Parallel()
			c := compile(t, side(row.more))
			if len(c.Findings) != len(row.want) {
				t.Fatalf("findings: %+v", c.Findings)
			}
			for i, f := range c.Findings {
				place, says, _ := strings.Cut(row.want[i], " ~ ")
				says, next, _ := strings.Cut(says, " ~~ ")
				if got := fmt.Sprintf("%s %s:%d", f.Code, f.File, f.Line); got != place || !strings.Contains(f.Message, says) || f.Next == "" || !strings.Contains(f.Next, next) {
					t.Errorf("%s %q, %q, not %s", got, f.Message, f.Next, row.want[i])
				}
			}
			if c.Node.ID == "" || c.Snapshot.ID == "" {
				t.Errorf("node %q, snapshot %q", c.Node.ID, c.Snapshot.ID)
			}
		})
	}
}

func TestSidesWithoutAManifest(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name  string
		files contenttest.Files
		want  string
	}{
		{"empty", contenttest.Files{}, ""},
		{"modules alone", side(contenttest.Files{manifest: ""}), ""},
		{"a folder of that name", side(contenttest.Files{manifest: "", manifest + "/x": "version: 1\nmodules: [x]\n"}), ""},
		{"a link", side(contenttest.Files{manifest: contenttest.Symlink}), "MANIFEST.NOT_A_FILE"},
		{"a submodule", side(contenttest.Files{manifest: contenttest.Gitlink}), "MANIFEST.NOT_A_FILE"},
	} {
		c := compile(t, row.files)
		got := ""
		for _, f := range c.Findings {
			got += f.Code
		}
		if (c.Manifest != nil) != (row.want != "") || len(c.Modules) != 0 || c.Node.ID == "" || c.Snapshot.ID != "" || got != row.want ||
			c.IsUnreadable(manifest) != (row.want != "") {
			t.Errorf("%s: %+v", row.name, c)
		}
	}
	for _, row := range []struct{ name, text, want string }{
		{"an authority", authorityText, ""},
		{"no mapping", "x", "YAML.TYPE"},
		{"a link", contenttest.Symlink, "AUTHORITY.NOT_A_FILE"},
		{"a folder", authorityText, "AUTHORITY.NOT_A_FILE"},
	} {
		name := corpus.AuthorityPath
		if row.name == "a folder" {
			name += "/x"
		}
		c := compile(t, side(contenttest.Files{name: row.text}))
		if got := codesOf(c.Findings); got != row.want || c.Authority == nil || c.IsUnreadable(corpus.AuthorityPath) != (row.want != "") {
			t.Errorf("%s: %s %+v", row.name, got, c.Authority)
		}
	}
	if c := compile(t, side(contenttest.Files{corpus.AuthorityPath: authorityText, manifest: ""})); c.Authority != nil || c.Snapshot.ID != "" {
		t.Errorf("an authority binds without a manifest: %+v", c.Authority)
	}
	// RULES B7: a manifest that is a link lets nobody answer whom the authority beside it does not list.
	if c := compile(t, side(contenttest.Files{corpus.AuthorityPath: authorityText, manifest: contenttest.Symlink})); c.Authority == nil || len(c.Authority.Principals) != 1 {
		t.Errorf("beside a manifest that is a link: %+v", c.Authority)
	}
	// RULES G1: the authority is in the snapshot of its side.
	if compile(t, side(nil)).Snapshot.ID == compile(t, side(contenttest.Files{corpus.AuthorityPath: authorityText})).Snapshot.ID {
		t.Error("the authority is not in the snapshot")
	}
	if c := compile(t, side(contenttest.Files{"standards/x.md": "# x", "standards/y.md": "y"})); c.Ignored != 2 || len(c.Modules) != 1 || c.Consumers() != 0 {
		t.Errorf("%d ignored of %d modules", c.Ignored, len(c.Modules))
	}
	if diff := cmp.Diff([]string{"a.one"}, func() (ids []string) {
		for _, u := range compile(t, side(nil)).Units() {
			ids = append(ids, u.ID)
		}
		return ids
	}()); diff != "" {
		t.Error(diff)
	}
}

// Suggestions cost time for each known id, so a side full of wrong references gets only some.
func TestSuggestionsAreBounded(t *testing.T) {
	t.Parallel()
	const n = 5000
	units, wrong := []string{"  consumers:"}, []string{"  consumers:"}
	var text strings.Builder
	text.WriteString("---\nstandard:\n  id: topic.b\n  role: topic\n  level: MUST\n  units:\n")
	for i := range n {
		fmt.Fprintf(&text, "    - {id: some-long-name-of-a-unit.%d, heading: [H%d], revision: 1}\n", i, i)
		wrong = append(wrong, fmt.Sprintf("    - {unit: some-long-name-of-no-unit.%d, path: x, relation: fixture-projection}", i))
	}
	units = append(units, "    - {unit: a.onee, path: x, relation: fixture-projection}")
	text.WriteString("---\n# T\n")
	for i := range n {
		fmt.Fprintf(&text, "\n## H%d\n", i)
	}
	files := side(contenttest.Files{b: text.String(), "standards/c.md": module("topic.c", "c.one", units...), "standards/d.md": module("topic.d", "d.one", wrong...)})
	started := time.Now()
	c := compile(t, files)
	if took := time.Since(started); took > 30*time.Second {
		t.Errorf("compiled in %v", took)
	}
	suggested := 0
	for _, f := range c.Findings {
		if f.Code != "CONSUMER.UNIT_UNKNOWN" {
			t.Fatalf("%+v", f)
		}
		if strings.Contains(f.Message, "did you mean") {
			suggested++
		}
	}
	if len(c.Findings) != n+1 || suggested != 10 || !strings.Contains(c.Findings[0].Message, `did you mean "a.one"?`) {
		t.Errorf("%d findings, %d suggestions, the first %+v", len(c.Findings), suggested, c.Findings[0])
	}
}

// doneAfterRead is a side whose reader gives up once the modules are read.
type doneAfterRead struct {
	content.Source
	reads int
	stop  context.CancelFunc
}

func (s *doneAfterRead) Read(ctx context.Context, entries ...content.Entry) ([][]byte, error) {
	data, err := s.Source.Read(ctx, entries...)
	if s.reads--; s.reads == 0 {
		s.stop()
	}
	return data, err
}

func TestCompileStopsWithItsContext(t *testing.T) {
	t.Parallel()
	compiler := corpus.NewCompiler()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	c, err := compiler.Compile(ctx, &doneAfterRead{side(nil).Tree(), 2, stop}) // the manifest, then the modules
	if c != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", c, err)
	}
	// Modules that an earlier side had are not compiled again, but they are linked.
	if _, err := compiler.Compile(t.Context(), side(nil).Tree()); err != nil {
		t.Fatal(err)
	}
	ctx, stop = context.WithCancel(t.Context())
	defer stop()
	if c, err := compiler.Compile(ctx, &doneAfterRead{side(nil).Tree(), 1, stop}); c != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", c, err)
	}
}

// A circle of any length is said in one line.
func TestLongCircleIsSaidShortly(t *testing.T) {
	t.Parallel()
	const n = 3000
	files := side(nil)
	for i := range n {
		files[fmt.Sprintf("standards/m%04d.md", i)] = module(fmt.Sprintf("m%04d", i), fmt.Sprintf("m%04d.one", i), fmt.Sprintf("  requires: [m%04d]", (i+1)%n))
	}
	c := compile(t, files)
	if len(c.Findings) != 1 {
		t.Fatalf("%d findings", len(c.Findings))
	}
	const want = "requires runs in a circle: m0000 → m0001 → m0002 → m0003 → m0004 → … (2994 more) → m2999 → m0000"
	if f := c.Findings[0]; f.Message != want || f.File != "standards/m2999.md" || f.Line != 8 {
		t.Errorf("%+v", f)
	}
}

func TestUnitNamed(t *testing.T) {
	t.Parallel()
	c := compile(t, side(contenttest.Files{b: lineage("aliases: [b.old, b.older]") + rest}))
	for _, id := range []string{"b.one", "b.old", "b.older"} {
		if u := c.UnitNamed(id); u == nil || u.ID != "b.one" {
			t.Errorf("%s names %+v", id, u)
		}
	}
	if c.UnitNamed("topic.b") != nil || c.UnitNamed("b") != nil || c.Unit("b.old") != nil || len(c.Units()) != 2 {
		t.Error("what is no unit is named")
	}
}
