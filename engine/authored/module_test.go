package authored

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/authored/markdown"
	"github.com/git-standards/git-standards/engine/authored/reading/readingtest"
	"github.com/google/go-cmp/cmp"
)

const wholeModule = `---
title: Another tool's title, not read
weird: &x {{ template }} and: : what
standard:
  id: topic.api
  role: topic
  level: MUST
  title: The API
  applies-when: always
  does-not-apply-when: never
  requires: [core.base]
  specializes: [topic.web]
  verification: by review
  owner: ann
  units:
    - {id: api.errors, heading: [Errors], revision: 2, aliases: [a], predecessors: [b], successors: [c]}
    - {id: api.codes, heading: [Errors, Codes], revision: 1}
  tombstones:
    - {id: api.old, retired-revision: 3, successors: [api.errors], evidence: standards/old.md}
  consumers:
    - {unit: api.errors, path: docs/errors.md, relation: documentation-projection, when: always, on: [policy], evidence-owner: suite, rationale: so}
    - {unit: api.errors, glob: "src/**/*.go", relation: implementation-projection}
    - {unit: api.codes, module: topic.web, relation: normative-consumer}
draft: *x
---
# API

Intro.

## Errors

Every error
carries a code.

### Codes

Codes are
stable.

### More

More.

## Rest

Rest.
`

func TestParseModule(t *testing.T) {
	t.Parallel()
	section := func(normal string, raw string) markdown.Section {
		return markdown.Section{Raw: []byte(raw), Normal: normal}
	}
	want := &Module{
		File: "f", Line: 4, ID: "topic.api", Role: "topic", Level: "MUST", Title: "The API", AppliesWhen: "always",
		DoesNotApplyWhen: "never", Verification: "by review", Owner: "ann",
		Lines: map[string]int{
			"id": 5, "role": 6, "level": 7, "title": 8, "applies-when": 9, "does-not-apply-when": 10, "requires": 11, "specializes": 12,
			"verification": 13, "owner": 14, "units": 15, "tombstones": 18, "consumers": 20,
		},
		Requires: []string{"core.base"}, Specializes: []string{"topic.web"},
		Units: []Unit{
			{ID: "api.errors", Line: 16, TextLine: 30, Heading: []string{"Errors"}, Revision: 2, Aliases: []string{"a"},
				Predecessors: []string{"b"}, Successors: []string{"c"},
				Text: section("## Errors\n\nEvery error carries a code.\n### More\n\nMore.", "## Errors\n\nEvery error\ncarries a code.\n\n### More\n\nMore.\n\n")},
			{ID: "api.codes", Line: 17, TextLine: 35, Heading: []string{"Errors", "Codes"}, Revision: 1,
				Text: section("### Codes\n\nCodes are stable.", "### Codes\n\nCodes are\nstable.\n\n")},
		},
		Tombstones: []Tombstone{{ID: "api.old", Line: 19, RetiredRevision: 3, Successors: []string{"api.errors"}, Evidence: "standards/old.md"}},
		Consumers: []Consumer{
			{Line: 21, Unit: "api.errors", Path: "docs/errors.md", Relation: "documentation-projection", When: Always(), On: []string{"policy"},
				EvidenceOwner: "suite", Rationale: "so"},
			{Line: 22, Unit: "api.errors", Glob: "src/**/*.go", Relation: "implementation-projection", When: Always(), On: []string{"policy"}},
			{Line: 23, Unit: "api.codes", Module: "topic.web", Relation: "normative-consumer", When: Always(), On: []string{"policy"}},
		},
		Outside: section("# API\n\nIntro.\n## Rest\n\nRest.", "# API\n\nIntro.\n\n## Rest\n\nRest.\n"),
	}
	got, findings := ParseModule("f", []byte(wholeModule))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	crlf, findings := ParseModule("f", []byte("\ufeff"+strings.ReplaceAll(wholeModule, "\n", "\r\n")))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	for i, u := range crlf.Units {
		if u.Text.Normal != want.Units[i].Text.Normal || u.TextLine != want.Units[i].TextLine || u.Line != want.Units[i].Line {
			t.Errorf("CRLF: %+v", u)
		}
	}
	if crlf.Outside.Normal != want.Outside.Normal {
		t.Errorf("CRLF: %q", crlf.Outside.Normal)
	}
}

func moduleText(rows, body string) string {
	return "---\nstandard:\n  id: m\n  role: topic\n  level: MUST\n" + rows + "---\n" + body
}

func TestModuleFindings(t *testing.T) {
	t.Parallel()
	const unit = "  units:\n    - {id: u, heading: [A], revision: 1}\n"
	consumer := func(row string) string { return unit + "  consumers:\n    - {unit: u, " + row + "}\n" }
	const relation = "relation: documentation-projection"
	tests := []struct{ name, text, want, message string }{
		{"no module", "# T\n", "1 MODULE.NO_STANDARD", ""},
		{"open", "---\nstandard:\n  id: a\n", "2 MODULE.FRONT_MATTER_OPEN", ""},
		{"encoding", "---\nstandard:\n---\n\n\xff\n", "5 MODULE.ENCODING", ""},
		{"null", "---\nx: 1\nstandard:\n---\n", "3 YAML.TYPE", ""},
		{"keys missing", "---\nstandard: {}\n---\n", "2 YAML.KEY_MISSING, 2 YAML.KEY_MISSING, 2 YAML.KEY_MISSING", ""},
		{"flow over lines", "---\nstandard: {\n id: a, role: core, level: MUST\n}\n---\n", "", ""},
		{"twice", "---\nstandard: {id: a, role: core, level: MUST}\nx: 1\nstandard: {}\n---\n", "4 YAML.KEY_REPEATED", ""},
		{"syntax", "---\nx: 1\nstandard:\n  id: a\n   role: b\n---\n", "5 YAML.SYNTAX", ""},
		{"anchor", moduleText("  owner: &a b\n", ""), "6 YAML.ALIAS", ""},
		{"alias of another tool", moduleText("  owner: *a\n", ""), "6 YAML.ALIAS", ""},
		{"role and level", "---\nstandard:\n  id: -a\n  role: topik\n  level: must\n---\n", "3 MODULE.ID, 4 MODULE.ROLE, 5 MODULE.LEVEL", ""},
		{"unknown key", moduleText("  unit: []\n", ""), "6 YAML.KEY_UNKNOWN", `did you mean "units"?`},
		{"heading missing, near", moduleText(unit, "# T\n## B\n### A\n"), "7 MODULE.HEADING_MISSING", "did you mean [B, A]?"},
		{"revision of more than 53 bits", moduleText("  units: [{id: u, heading: [A], revision: 9007199254740992}]\n", "## A\n"), "6 UNIT.REVISION", "raise it by one"},
		{"the largest revision", moduleText("  units: [{id: u, heading: [A], revision: 9007199254740991}]\n", "## A\n"), "", ""},
		{"heading missing, misspelt", moduleText("  units: [{id: u, heading: [Erors], revision: 1}]\n", "## Errors\n"), "6 MODULE.HEADING_MISSING", "did you mean [Errors]?"},
		{"heading missing", moduleText(unit, "# T\n## Something else\n"), "7 MODULE.HEADING_MISSING", ""},
		{"the H1 is not part", moduleText(unit, "# A\n"), "7 MODULE.HEADING_MISSING", ""},
		{"heading ambiguous", moduleText(unit, "# T\n## A\n# U\n## A\n"), "7 MODULE.HEADING_AMBIGUOUS", "line 10 and again on line 12"},
		{"parent ambiguous", moduleText("  units: [{id: u, heading: [A, B], revision: 1}]\n", "## A\n### B\n## A\n### B\n"), "6 MODULE.HEADING_AMBIGUOUS", ""},
		{"parent twice", moduleText("  units: [{id: u, heading: [A, B], revision: 1}]\n", "## A\n## A\n### B\n"), "", ""},
		{"heading shared", moduleText(unit+"    - {id: v, heading: [A], revision: 1}\n", "## A\n"), "8 MODULE.HEADING_SHARED", ""},
		{"heading empty", moduleText("  units: [{id: u, heading: [], revision: 1}]\n", "## A\n"), "6 MODULE.HEADING_MISSING", ""},
		{"heading a string", moduleText("  units: [{id: u, heading: A, revision: 1}]\n", "## A\n"), "6 YAML.TYPE", ""},
		{"revision", moduleText("  units: [{id: u, heading: [A], revision: 0}]\n", "## A\n"), "6 UNIT.REVISION", ""},
		{"ids", moduleText(unit+"    - {id: u, heading: [B], revision: 1, aliases: [m, x, x]}\n  tombstones: [{id: u, retired-revision: 1}]\n", "## A\n## B\n"),
			"8 MODULE.ID, 8 MODULE.UNIT_REPEATED, 8 MODULE.UNIT_REPEATED, 9 MODULE.UNIT_REPEATED", ""},
		{"consumer", moduleText(consumer("path: a, "+relation), "## A\n"), "", ""},
		{"no target", moduleText(consumer(relation), "## A\n"), "9 CONSUMER.TARGET", ""},
		{"two targets", moduleText(consumer("path: a, glob: b, "+relation), "## A\n"), "9 CONSUMER.TARGET", "path and glob"},
		{"relation", moduleText(consumer("path: a, relation: docs-projection"), "## A\n"), "9 CONSUMER.RELATION", ""},
		{"path", moduleText(consumer("path: ../a, "+relation), "## A\n"), "9 CONSUMER.PATH", ""},
		{"path of a decision", moduleText(consumer("path: standards/decisions/a, "+relation), "## A\n"), "9 CONSUMER.PATH", ""},
		{"glob", moduleText(consumer("glob: \"a[\", "+relation), "## A\n"), "9 CONSUMER.GLOB", ""},
		{"glob of decisions", moduleText(consumer("glob: standards/decisions/*, "+relation), "## A\n"), "9 CONSUMER.GLOB", ""},
		{"when", moduleText(consumer("path: a, when: {all: [{not: {exists: {fact: a.b}}}, {any: [{equals: {fact: x, value: true}}, {in: {fact: y, values: [a, b]}}]}, "+
			"{contains: {fact: z, value: q}}, {matches: {fact: z, glob: \"src/**\"}}, always]}, "+relation), "## A\n"), "", ""},
		{"when a word", moduleText(consumer("path: a, when: alway, "+relation), "## A\n"), "9 EXPRESSION.OPERATOR", `did you mean "always"?`},
		{"when empty", moduleText(consumer("path: a, when: {}, "+relation), "## A\n"), "9 EXPRESSION.OPERATOR", "names no operator"},
		{"when nothing", moduleText(consumer("path: a, when: , "+relation), "## A\n"), "9 YAML.TYPE", ""},
		{"two operators", moduleText(consumer("path: a, when: {exists: {fact: x}, not: always}, "+relation), "## A\n"), "9 EXPRESSION.OPERATOR", "not and exists"},
		{"operator misspelt", moduleText(consumer("path: a, when: {equal: {fact: x, value: y}}, "+relation), "## A\n"), "9 YAML.KEY_UNKNOWN", `did you mean "equals"?`},
		{"operand missing", moduleText(consumer("path: a, when: {equals: {fact: x}}, "+relation), "## A\n"), "9 YAML.KEY_MISSING", `equals in when needs the key "value"`},
		{"operand too many", moduleText(consumer("path: a, when: {exists: {fact: x, value: y}}, "+relation), "## A\n"), "9 YAML.KEY_UNKNOWN", ""},
		{"operand a number", moduleText(consumer("path: a, when: {equals: {fact: x, value: 1}}, "+relation), "## A\n"), "9 YAML.TYPE", ""},
		{"operand empty", moduleText(consumer("path: a, when: {equals: {fact: x, value: ''}}, "+relation), "## A\n"), "9 YAML.TYPE", ""},
		{"operand a list", moduleText(consumer("path: a, when: {equals: {fact: x, value: [y]}}, "+relation), "## A\n"), "9 YAML.TYPE", ""},
		{"fact no id", moduleText(consumer("path: a, when: {exists: {fact: -x}}, "+relation), "## A\n"), "9 MODULE.ID", ""},
		{"all of nothing", moduleText(consumer("path: a, when: {all: []}, "+relation), "## A\n"), "9 EXPRESSION.EMPTY", "all in when is empty"},
		{"in nothing", moduleText(consumer("path: a, when: {in: {fact: x, values: []}}, "+relation), "## A\n"), "9 EXPRESSION.EMPTY", ""},
		{"expression glob", moduleText(consumer("path: a, when: {matches: {fact: x, glob: /a}}, "+relation), "## A\n"), "9 EXPRESSION.GLOB", ""},
		{"deep enough", moduleText(consumer("path: a, when: "+strings.Repeat("{not: ", 15)+"always"+strings.Repeat("}", 15)+", "+relation), "## A\n"), "", ""},
		{"too deep", moduleText(consumer("path: a, when: "+strings.Repeat("{not: ", 16)+"always"+strings.Repeat("}", 16)+", "+relation), "## A\n"), "9 EXPRESSION.TOO_BIG", ""},
		{"big enough", moduleText(consumer("path: a, when: {any: ["+strings.Repeat("always, ", 255)+"]}, "+relation), "## A\n"), "", ""},
		{"too big", moduleText(consumer("path: a, when: {any: ["+strings.Repeat("always, ", 256)+"]}, "+relation), "## A\n"), "9 EXPRESSION.TOO_BIG", ""},
		{"on consumer", moduleText(consumer("path: a, on: [policy, consumer], "+relation), "## A\n"), "", ""},
		{"on twice", moduleText(consumer("path: a, on: [policy, policy], "+relation), "## A\n"), "9 CONSUMER.ON", ""},
		{"on", moduleText(consumer("path: a, on: [consumer], "+relation), "## A\n"), "9 CONSUMER.ON", ""},
		{"consumer twice", moduleText(consumer("path: a, "+relation)+"    - {unit: u, path: a, "+relation+"}\n", "## A\n"), "10 CONSUMER.REPEATED", ""},
		{"deep", moduleText("", strings.Repeat("> ", 101)+"a\n"), "7 MODULE.TOO_DEEP", ""},
		{"big", moduleText("", strings.Repeat("a", markdown.MaxBytes+1)), "7 MODULE.TOO_BIG", ""},
	}
	for _, test := range tests {
		_, findings := ParseModule("f", []byte(test.text))
		readingtest.Check(t, findings)
		if got := readingtest.Codes(findings); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s\n%+v", test.name, got, test.want, findings)
		}
		if test.message != "" && !strings.Contains(fmt.Sprint(findings), test.message) {
			t.Errorf("%s: message without %q: %+v", test.name, test.message, findings)
		}
	}
}
