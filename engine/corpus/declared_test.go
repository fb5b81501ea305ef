package corpus_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/identity"
)

const declared = `version: 1
modules: ["standards/**/*.md"]
facts:
  - {id: ui.visible, revision: 1, type: boolean, aliases: [visible, seen], meaning: Is it seen, inputs: ["b/**", "a/**"], provider: ci.ui}
  - {id: areas, revision: 2, type: enum-set, values: [ui, api], nullable: true, context: task-route}
providers:
  - {id: ci.ui, revision: 1, command: [b, a], time-limit: 5}
  - {id: ci.go, revision: 1, command: [make]}
routing:
  base: [topic.b, topic.a]
  rules:
    - {id: r2, module: topic.b, when: {all: [{contains: {fact: areas, value: ui}}, {contains: {fact: areas, value: api}}]}}
    - {id: r1, module: topic.a, when: always}
horizon:
  include: ["src/**", "doc/**"]
  exclude: [{glob: "src/gen/**", reason: generated}, {glob: "doc/gen/**", reason: generated}]
`

func declaring(manifestText string) contenttest.Files {
	return side(contenttest.Files{manifest: manifestText, b: module("topic.b", "b.one")})
}

// manifestRecord is the manifest of the corpus object.
func manifestRecord(t *testing.T, c *corpus.Corpus) identity.Record {
	t.Helper()
	value, err := c.Node.Payload()
	if err != nil {
		t.Fatal(err)
	}
	return value.(identity.Record)["manifest"].(identity.Record)
}

// doc/identity.md, "canonical-standards-corpus": the record, written out.
func TestRecordOfDeclaredParts(t *testing.T) {
	t.Parallel()
	c := compile(t, declaring(declared))
	if len(c.Findings) > 0 {
		t.Fatal(c.Findings)
	}
	const want = `{
		"modules": ["standards/**/*.md"],
		"gate": {"base": "", "protected": [], "block": ["MUST", "PROFILE", "SHOULD"], "commit": "mine", "push": "mine", "require_applicable": false},
		"facts": [
			{"id": "areas", "revision": 2, "type": "enum-set", "nullable": true, "values": ["api", "ui"], "aliases": [], "meaning": "", "context": "task-route",
				"inputs": [], "capability": "standards.analyze", "provider": ""},
			{"id": "ui.visible", "revision": 1, "type": "boolean", "nullable": false, "values": [], "aliases": ["seen", "visible"], "meaning": "Is it seen",
				"context": "standards-change", "inputs": ["a/**", "b/**"], "capability": "standards.analyze", "provider": "ci.ui"}],
		"providers": [
			{"id": "ci.go", "revision": 1, "command": ["make"], "time_limit": 60},
			{"id": "ci.ui", "revision": 1, "command": ["b", "a"], "time_limit": 5}],
		"routing": {"base": ["topic.a", "topic.b"], "rules": [
			{"id": "r1", "module": "topic.a", "when": "always"},
			{"id": "r2", "module": "topic.b", "when": {"operator": "all", "of": [
				{"operator": "contains", "fact": "areas", "value": "api"}, {"operator": "contains", "fact": "areas", "value": "ui"}]}}]},
		"horizon": {"include": ["doc/**", "src/**"], "exclude": [{"glob": "doc/gen/**", "reason": "generated"}, {"glob": "src/gen/**", "reason": "generated"}],
			"moving": "ask"}
	}`
	var wanted, got any
	text, err := identity.Encode(manifestRecord(t, c))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Error(diff)
	}
	plain := manifestRecord(t, compile(t, declaring("version: 1\nmodules: [\"standards/**/*.md\"]\nfacts: []\nproviders: []\n")))
	for _, part := range []string{"facts", "providers", "routing", "horizon"} {
		if value, has := plain[part]; !has || value != nil {
			t.Errorf("%s is %v", part, value)
		}
	}
}

// RULES C14, D2: order and the names that aliases give say nothing, but in the words of a command.
func TestOrderOfDeclaredPartsSaysNothing(t *testing.T) {
	t.Parallel()
	before := manifestRecord(t, compile(t, declaring(declared)))
	for _, row := range []struct {
		old, now string
		same     bool
	}{
		{"[visible, seen]", "[seen, visible]", true}, {`["b/**", "a/**"]`, `["a/**", "b/**"]`, true}, {"[ui, api]", "[api, ui]", true}, {"[topic.b, topic.a]", "[topic.a, topic.b]", true},
		{`["src/**", "doc/**"]`, `["doc/**", "src/**"]`, true}, {"[{contains: {fact: areas, value: ui}}, {contains: {fact: areas, value: api}}]",
			"[{contains: {fact: areas, value: api}}, {contains: {fact: areas, value: ui}}, {contains: {fact: areas, value: api}}]", true},
		{", time-limit: 5}", ", time-limit: 5} # comment", true}, {"[make]}", "[make], time-limit: 60}", true},
		{"[b, a]", "[a, b]", false}, {"[make]}", "[make], time-limit: 61}", false}, {"Is it seen", "Can it be seen", false}, {"reason: generated}]", "reason: made}]", false},
		{"\nhorizon:\n", "\nhorizon:\n  moving: list\n", false},
	} {
		text := strings.Replace(declared, row.old, row.now, 1)
		if text == declared {
			t.Fatalf("%s does not stand there", row.old)
		}
		c := compile(t, declaring(text))
		if len(c.Findings) > 0 {
			t.Fatal(c.Findings)
		}
		if after := manifestRecord(t, c); cmp.Equal(before, after) != row.same {
			t.Errorf("%s, then %s: %s", row.old, row.now, cmp.Diff(before, after))
		}
	}
	// A routing rule calls a fact by another name.
	aliased := strings.Replace(strings.ReplaceAll(declared, "fact: areas", "fact: task.areas"), "id: areas, ", "id: areas, aliases: [task.areas], ", 1)
	after := manifestRecord(t, compile(t, declaring(aliased)))
	if diff := cmp.Diff(before["routing"], after["routing"]); diff != "" {
		t.Error(diff)
	}
}

// A corpus object whose manifest is not closed in all its parts is none.
func TestManifestRecordIsClosed(t *testing.T) {
	t.Parallel()
	whole := manifestRecord(t, compile(t, declaring(declared)))
	examine := func(manifest any) error {
		_, _, err := corpus.Codec.Examine(identity.Record{"snapshot": nil, "manifest": manifest, "members": identity.Record{"modules": identity.List{}}})
		return err
	}
	if err := examine(whole); err != nil {
		t.Fatal(err)
	}
	refuse := func(part string, value any) {
		t.Helper()
		record := maps.Clone(whole)
		if record[part] = value; examine(record) == nil {
			t.Errorf("%s: %v is accepted", part, value)
		}
	}
	for part := range whole {
		record := maps.Clone(whole)
		if delete(record, part); examine(record) == nil {
			t.Errorf("accepted without %s", part)
		}
	}
	refuse("more", nil)
	for _, part := range []string{"facts", "providers"} {
		list := whole[part].(identity.List)
		refuse(part, "x")
		refuse(part, identity.List{"x"})
		refuse(part, identity.List{list[1], list[0]})
		refuse(part, identity.List{list[0], list[0]})
		for _, key := range slices.Collect(maps.Keys(list[0].(identity.Record))) {
			row := maps.Clone(list[0].(identity.Record))
			delete(row, key)
			refuse(part, identity.List{row})
		}
		row := maps.Clone(list[0].(identity.Record))
		row["id"] = int64(1)
		refuse(part, identity.List{row})
	}
	for part, inner := range map[string]string{"routing": "rules", "horizon": "exclude"} {
		refuse(part, identity.List{})
		record := maps.Clone(whole[part].(identity.Record))
		list := record[inner].(identity.List)
		record[inner] = identity.List{list[1], list[0]}
		refuse(part, record)
		delete(record, inner)
		refuse(part, record)
	}
}

// RULES B7: a broken accepted side is read, and what its conditions name wrongly reads as if it did not stand there.
func TestConditionsOfABrokenSide(t *testing.T) {
	t.Parallel()
	for _, when := range []string{"{exists: {fact: gone}}", "{equals: {fact: change.paths, value: x}}", "{exists: {fact: task}}"} {
		text := declares("facts:\n  - {id: task, revision: 1, type: string, context: task-route, provider: gone}\nrouting: {base: [gone], rules: [{id: r, module: gone, when: {exists: {fact: gone}}}]}")
		c := compile(t, side(contenttest.Files{manifest: text, b: edgeWhen(when)}))
		if !corpus.HasErrors(c.Findings) || len(c.Unreadable) > 0 {
			t.Errorf("%s: %v, unreadable %v", when, c.Findings, c.Unreadable)
		}
		edge := c.Module("topic.b").Consumers[0]
		if program := c.Program(edge.When, facts.ContextChange); program != nil {
			t.Errorf("%s: %v", when, program.Expression())
		}
		if program := c.Program(edge.When, facts.ContextTask); (program != nil) != (when == "{exists: {fact: task}}") {
			t.Errorf("%s in a task: %v", when, program)
		}
		// What does not fit is kept as it was written.
		if diff := cmp.Diff(identity.Record{"operator": "exists", "fact": "gone"}, manifestRecord(t, c)["routing"].(identity.Record)["rules"].(identity.List)[0].(identity.Record)["when"]); diff != "" {
			t.Error(diff)
		}
	}
	c := compile(t, declaring(declared))
	if p := c.Program(identity.Record{"operator": "exists", "fact": "seen"}, facts.ContextChange); strings.Join(p.Facts(), " ") != "ui.visible" {
		t.Error(p.Facts())
	}
	for _, files := range []contenttest.Files{{}, side(contenttest.Files{manifest: contenttest.Symlink})} {
		if got := strings.Join(compile(t, files).Schema().IDs(), " "); got != strings.Join([]string{facts.ChangeExtensions, facts.ChangeKinds, facts.ChangePaths}, " ") {
			t.Error(got)
		}
	}
}
