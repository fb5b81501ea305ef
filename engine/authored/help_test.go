package authored

import (
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/authored/reading/readingtest"
)

// Each row breaks the module as people do; the finding stands on the line of the mistake and says what to write.
func TestModuleFindingsHelp(t *testing.T) {
	t.Parallel()
	const whole = `---
title: API
standard:
  id: topic.api
  role: topic
  level: MUST
  units:
    - {id: api.errors, heading: [Errors], revision: 1}
    - id: api.names
      heading: [Names]
      revision: 1
  consumers:
    - {unit: api.errors, path: docs/errors.md, relation: documentation-projection}
---
# API
## Errors
## Names
`
	const edge = "path: docs/errors.md"
	tests := []struct{ name, from, to, want, says, next string }{
		{"nothing", "API", "API", "", "", ""},
		{"a tab", "  role", "\trole", "5 YAML.SYNTAX", "tab", "blanks"},
		{"no colon", "role: topic", "role topic", "5 YAML.SYNTAX", "no colon", "key: value"},
		{"an open brace", "revision: 1}", "revision: 1", "8 YAML.SYNTAX", "not closed", "close it"},
		{"an open quote", "id: topic.api", `id: "topic.api`, "4 YAML.SYNTAX", "quote", "close the quote"},
		{"two colons", "role: topic", "title: API: errors", "5 YAML.SYNTAX", "second colon", "quotes"},
		{"indented more", "  role", "   role", "5 YAML.SYNTAX", "indented more", "one column"},
		{"indented less", "  role", " role", "5 YAML.SYNTAX", "column", "one column"},
		{"indented less in a later row", "      revision: 1\n", "     revision: 1\n", "11 YAML.SYNTAX", "no -", "one column"},
		{"a row without a dash", "    - id: api.names\n      heading", "    id: api.names\n    heading", "9 YAML.SYNTAX", "no -", "-"},
		{"a glob without quotes", edge, "glob: *.md", "13 YAML.SYNTAX", "* or &", "quotes"},
		{"an alias in place of a glob", edge, "glob: *md", "13 YAML.ALIAS", "alias", "quotes"},
		{"a brace without quotes", edge, "glob: {a,b}.md", "13 YAML.SYNTAX", "not closed", "quotes"},
		{"an at sign in ours", "role: topic", "owner: @ann", "5 YAML.SYNTAX", "@", "quotes"},
		{"an escape", "role: topic", `owner: "a\qb"`, "5 YAML.SYNTAX", "escape", `\\`},
		{"a conflict in our keys", "  level: MUST\n", "<<<<<<< HEAD\n  level: MUST\n=======\n  level: SHOULD\n>>>>>>> x\n", "6 YAML.CONFLICT", "conflict", "markers"},
		{"a conflict in other keys", "title: API\n", "<<<<<<< HEAD\ntitle: A\n=======\ntitle: B\n>>>>>>> x\n", "2 YAML.CONFLICT", "conflict", "markers"},
		{"a key in column 0", "  level: MUST\n  units", "level: MUST\n  units", "4 YAML.KEY_MISSING", `"level"`, "indent line 6"},
		{"all keys in column 0", "  id: topic.api\n  role", "id: topic.api\nrole", "3 YAML.TYPE", "nothing below", "from line 4 on"},
		{"a heading alone", "[Errors]", "Errors", "8 YAML.TYPE", "a list", "write [Errors]"},
		{"a heading with its marks", "[Errors]", `["## Errors"]`, "8 MODULE.HEADING_MISSING", "[Errors]", "write heading: [Errors]"},
		{"a heading that was renamed", "## Errors\n## Names", "## Names\n### Deep\n## Failures", "8 MODULE.HEADING_MISSING", "no heading [Errors]", "use one of [Failures] [Names, Deep] [Names]"},
		{"a revision in quotes", "Errors], revision: 1", `Errors], revision: "1"`, "8 YAML.TYPE", "an integer", "write 1 without"},
		{"a level in lower case", "MUST", "must", "6 MODULE.LEVEL", "MUST", "write MUST"},
		{"a relation cut short", "documentation-projection", "documentation", "13 CONSUMER.RELATION", "documentation-projection", "write documentation-projection"},
		{"no relation", ", relation: documentation-projection", "", "13 YAML.KEY_MISSING", "relation", "normative-consumer"},
		{"a path from /", edge, "path: /docs/errors.md", "13 CONSUMER.PATH", "", "write path: docs/errors.md"},
		{"a path from .", edge, "path: ./docs/errors.md", "13 CONSUMER.PATH", "", "write path: docs/errors.md"},
		{"a path from ..", edge, "path: ../errors.md", "13 CONSUMER.PATH", "", "from the root"},
		{"a folder", edge, "path: docs/", "13 CONSUMER.PATH", "", `glob: "docs/**"`},
		{"a glob from .", edge, `glob: "./docs/*"`, "13 CONSUMER.GLOB", "", `write "docs/*"`},
		{"a glob of a folder", edge, `glob: /docs/`, "13 CONSUMER.GLOB", "", `write "docs/**"`},
		{"an open class", edge, `glob: "docs/[a"`, "13 CONSUMER.GLOB", "bracket", "such as"},
		{"a row twice: said once", "    - id: api.names\n      heading: [Names]", "    - id: api.errors\n      heading: [Errors]", "9 MODULE.UNIT_REPEATED", "line 8", "another id"},
		{"aliases of itself", "[Errors]", "[Errors], aliases: [api.errors]", "8 UNIT.LINEAGE_SELF", "aliases", "remove"},
		{"successors of itself", "[Errors]", "[Errors], successors: [api.errors]", "8 UNIT.LINEAGE_SELF", "successors", "remove"},
		{"predecessors of itself by alias", "[Errors]", "[Errors], aliases: [old], predecessors: [old]", "8 UNIT.LINEAGE_SELF", "alias", "the alias says it"},
		{"a tombstone of itself", "  consumers:", "  tombstones:\n    - {id: t, retired-revision: 1, successors: [t]}\n  consumers:", "13 UNIT.LINEAGE_SELF", `"t"`, "remove t"},
		{"several at once", "role: topic\n  level: MUST", "role: topc\n  levl: MUST", "4 YAML.KEY_MISSING, 5 MODULE.ROLE, 6 YAML.KEY_UNKNOWN", "", ""},
	}
	for _, test := range tests {
		text := strings.Replace(whole, test.from, test.to, 1)
		_, findings := ParseModule("f", []byte(text))
		readingtest.Check(t, findings)
		if got := readingtest.Codes(findings); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s\n%+v", test.name, got, test.want, findings)
			continue
		}
		if len(findings) > 0 && (!strings.Contains(findings[0].Message, test.says) || !strings.Contains(findings[0].Next, test.next)) {
			t.Errorf("%s: %+v", test.name, findings[0])
		}
	}
}
