package analysis

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
)

const gate = "version: 1\ngate: {base: main, protected: [main], block: [MUST], commit: all, push: warn, require-applicable: true}\n"

// refused is what this version does not judge, or what is wrong: the first error's code and place, and the rule that its
// message cites ("" where the text itself is invalid).
var refused = []struct {
	name       string
	both       []edit
	edits      []edit
	code, at   string
	rule       string
	onlyUnsure bool // unsupported and not invalid
}{
	{"unit removed", nil, []edit{sub(api, "    - {id: api.names, heading: [Names], revision: 1}\n", ""), sub(api, namesEdge, "")},
		"UNSUPPORTED.UNIT_REMOVED", api + ":9", "C5", true},
	{"module removed", nil, []edit{sub(http, "requires: [topic.api]", "requires: []"), remove(glossary)}, "UNSUPPORTED.MODULE_REMOVED", glossary + ":2", "C5", true},
	{"module id changed", nil, []edit{sub(glossary, "id: ref.glossary", "id: ref.words")}, "UNSUPPORTED.MODULE_REMOVED", glossary + ":2", "C5", true},
	{"edge added to a unit that is the same", nil, []edit{sub(api, namesEdge, namesEdge+strings.Replace(namesEdge, "docs/names.md", "src/main.go", 1))},
		"UNSUPPORTED.EDGE_ADDED", api + ":15", "C6", true},
	{"edge added to a unit whose text alone changed", nil, []edit{sub(api, "lower case", "upper case"), sub(api, namesEdge, namesEdge+strings.Replace(namesEdge, "docs/names.md", "src/main.go", 1))},
		"UNSUPPORTED.EDGE_ADDED", api + ":15", "C6", true},
	{"edge widened from a path to a glob", nil, []edit{sub(api, "path: docs/names.md", `glob: "docs/*.md"`)}, "UNSUPPORTED.EDGE_DROPPED", api + ":10", "C7", true},
	{"edge dropped", nil, []edit{sub(api, namesEdge, "")}, "UNSUPPORTED.EDGE_DROPPED", api + ":10", "C7", true},
	{"edge dropped while its unit is raised", nil, []edit{raise("api.names", 1, 2), sub(api, namesEdge, "")}, "UNSUPPORTED.EDGE_DROPPED", api + ":10", "C7", true},
	{"relation changed", nil, []edit{sub(api, "docs/names.md, relation: documentation", "docs/names.md, relation: template")}, "UNSUPPORTED.EDGE_DROPPED", api + ":10", "C7", true},
	{"evidence-owner", nil, []edit{sub(api, "docs/names.md, rel", "docs/names.md, evidence-owner: ann, rel")}, "UNSUPPORTED.DECLARATION_CHANGED", api + ":14", "C7", true},
	{"revision lowered", []edit{raise("api.names", 1, 3)}, []edit{raise("api.names", 3, 2)}, "UNSUPPORTED.REVISION_LOWERED", api + ":9", "C7", true},
	{"level", nil, []edit{sub(api, "level: MUST", "level: SHOULD")}, "UNSUPPORTED.DECLARATION_CHANGED", api + ":6", "C7", true},
	{"level to REFERENCE", nil, []edit{sub(api, "level: MUST", "level: REFERENCE")}, "UNSUPPORTED.DECLARATION_CHANGED", api + ":6", "C7", true},
	{"role", nil, []edit{sub(api, "role: topic", "role: core")}, "UNSUPPORTED.DECLARATION_CHANGED", api + ":5", "C7", true},
	{"requires", nil, []edit{sub(http, "requires: [topic.api]", "requires: []")}, "UNSUPPORTED.DECLARATION_CHANGED", http + ":6", "C7", true},
	{"specializes", nil, []edit{sub(http, "requires: [topic.api]", "requires: [topic.api]\n  specializes: [topic.api]")}, "UNSUPPORTED.DECLARATION_CHANGED", http + ":7", "C7", true},
	{"verification", nil, []edit{sub(http, "level: SHOULD", "level: SHOULD\n  verification: by hand")}, "UNSUPPORTED.DECLARATION_CHANGED", http + ":6", "C7", true},
	{"owner", nil, []edit{sub(http, "level: SHOULD", "level: SHOULD\n  owner: ann")}, "UNSUPPORTED.DECLARATION_CHANGED", http + ":6", "C7", true},
	{"tombstone without a removal", nil, []edit{sub(http, "level: SHOULD", "level: SHOULD\n  tombstones: [{id: http.old, retired-revision: 1}]")},
		"UNSUPPORTED.DECLARATION_CHANGED", http + ":6", "C7", true},
	{"heading path", nil, []edit{sub(api, "[Names]", "[Naming]"), sub(api, "## Names", "## Naming")}, "UNSUPPORTED.DECLARATION_CHANGED", api + ":9", "C7", true},
	{"heading path while raised", nil, []edit{raise("api.names", 1, 2), sub(api, "[Names]", "[Naming]"), sub(api, "## Names", "## Naming")},
		"UNSUPPORTED.DECLARATION_CHANGED", api + ":9", "C7", true},
	{"alias", nil, []edit{sub(api, "[Names], revision: 1", "[Names], revision: 1, aliases: [api.naming]")}, "UNSUPPORTED.DECLARATION_CHANGED", api + ":9", "C7", true},
	{"predecessor", nil, []edit{sub(api, "[Names], revision: 1", "[Names], revision: 1, predecessors: [api.errors]")}, "UNSUPPORTED.DECLARATION_CHANGED", api + ":9", "C7", true},
	{"successor", nil, []edit{sub(api, "[Names], revision: 1", "[Names], revision: 1, successors: [api.errors]")}, "UNSUPPORTED.DECLARATION_CHANGED", api + ":9", "C7", true},
	{"unit moved to another module", nil, []edit{
		sub(api, "    - {id: api.names, heading: [Names], revision: 1}\n", ""), sub(api, "## Names\n\nNames are lower case.\n", ""),
		sub(http, "  units:\n", "  units:\n    - {id: api.names, heading: [Names], revision: 1}\n"), sub(http, "## Codes\n", "## Names\n\nNames are lower case.\n\n## Codes\n")},
		"UNSUPPORTED.DECLARATION_CHANGED", http + ":8", "C7", true},
	{"a REFERENCE module's declarations are declarations too", nil, []edit{sub(glossary, "role: reference", "role: core")},
		"UNSUPPORTED.DECLARATION_CHANGED", glossary + ":4", "C7", true},

	{"manifest: modules", nil, []edit{sub(manifest, "standards/**/*.md", "standards/*.md")}, "UNSUPPORTED.MANIFEST_CHANGED", manifest + ":2", "C7", true},
	{"manifest: gate.base", gated(), []edit{sub(manifest, "base: main", "base: trunk")}, "UNSUPPORTED.MANIFEST_CHANGED", manifest + ":2", "C7", true},
	{"manifest: gate.protected", gated(), []edit{sub(manifest, "[main]", "[main, dev]")}, "UNSUPPORTED.MANIFEST_CHANGED", manifest + ":2", "C7", true},
	{"manifest: gate.block", gated(), []edit{sub(manifest, "[MUST]", "[MUST, SHOULD]")}, "UNSUPPORTED.MANIFEST_CHANGED", manifest + ":2", "C7", true},
	{"manifest: gate.commit", gated(), []edit{sub(manifest, "commit: all", "commit: mine")}, "UNSUPPORTED.MANIFEST_CHANGED", manifest + ":2", "C7", true},
	{"manifest: gate.push", gated(), []edit{sub(manifest, "push: warn", "push: all")}, "UNSUPPORTED.MANIFEST_CHANGED", manifest + ":2", "C7", true},
	{"manifest: gate.require-applicable", gated(), []edit{sub(manifest, "applicable: true", "applicable: false")}, "UNSUPPORTED.MANIFEST_CHANGED", manifest + ":2", "C7", true},
	{"manifest: a key of gate taken out", gated(), []edit{sub(manifest, "base: main, ", "")}, "UNSUPPORTED.MANIFEST_CHANGED", manifest + ":2", "C7", true},
	{"manifest: gate taken out", gated(), []edit{write(manifest, base()[manifest])}, "UNSUPPORTED.MANIFEST_CHANGED", manifest + ":1", "C7", true},

	{"path consumer deleted", nil, []edit{remove("docs/names.md")}, "UNSUPPORTED.CONSUMER_DELETED", api + ":14", "C12", true},
	{"path consumer deleted while its unit is raised", nil, []edit{raise("api.names", 1, 2), remove("docs/names.md")}, "UNSUPPORTED.CONSUMER_DELETED", api + ":14", "C12", true},
	{"path consumer renamed", nil, []edit{remove("docs/names.md"), write("docs/naming.md", "Names.\n")}, "UNSUPPORTED.CONSUMER_DELETED", api + ":14", "C12", true},
	{"path consumer becomes a link", nil, []edit{write("docs/names.md", contenttest.Symlink)}, "UNSUPPORTED.CONSUMER_DELETED", api + ":14", "C12", true},
	{"path consumer becomes a folder", nil, []edit{remove("docs/names.md"), write("docs/names.md/x", "x")}, "UNSUPPORTED.CONSUMER_DELETED", api + ":14", "C12", true},
	{"last files of a glob deleted", nil, []edit{remove("src/err/a.go"), remove("src/err/b.go")}, "UNSUPPORTED.CONSUMER_DELETED", api + ":12", "C12", true},

	{"a new edge without a file is written wrong (A7)", nil, []edit{raise("api.names", 1, 2), sub(api, namesEdge, namesEdge+strings.Replace(namesEdge, "docs/names.md", "docs/nmaes.md", 1))},
		"CONSUMER.ABSENT", api + ":15", "", false},
	{"a new edge to a link is written wrong (A7)", []edit{write("docs/link.md", contenttest.Symlink)},
		[]edit{raise("api.names", 1, 2), sub(api, namesEdge, namesEdge+strings.Replace(namesEdge, "docs/names.md", "docs/link.md", 1))}, "CONSUMER.ABSENT", api + ":15", "", false},
	{"a new glob without a file is written wrong (A7)", nil,
		[]edit{raise("api.names", 1, 2), sub(api, namesEdge, namesEdge+strings.Replace(namesEdge, "path: docs/names.md", `glob: "docs/*.rst"`, 1))}, "CONSUMER.ABSENT", api + ":15", "", false},
	{"a new module's edge without a file", nil, []edit{write("standards/log.md", strings.Replace(newModule, "src/main.go", "src/man.go", 1))}, "CONSUMER.ABSENT", "standards/log.md:9", "", false},
	{"a glob that finds decisions alone finds nothing (A10)", nil, []edit{write("standards/decisions/x/y.rst", "x"),
		write("standards/log.md", strings.Replace(newModule, "path: src/main.go", `glob: "**/*.rst"`, 1))}, "CONSUMER.ABSENT", "standards/log.md:9", "", false},
	{"invalid text comes before what is only unsupported", nil, []edit{sub(http, "role: topic", "role: core"), sub(api, "[Names]", "[Nmaes]")}, "MODULE.HEADING_MISSING", api + ":9", "", false},
}

func gated() []edit { return []edit{sub(manifest, "version: 1\n", gate)} }

func TestWhatIsRefusedByName(t *testing.T) {
	t.Parallel()
	for _, row := range refused {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			accepted := apply(t, base(), row.both...)
			_, err := judgeFiles(t, accepted, apply(t, accepted, row.edits...))
			var findings *corpus.FindingsError
			if !errors.As(err, &findings) {
				t.Fatalf("not refused: %v", err)
			}
			found := false
			for _, f := range findings.Findings {
				found = found || f.Code == row.code && fmt.Sprintf("%s:%d", f.File, f.Line) == row.at && strings.Contains(f.Message, row.rule)
				if f.Line < 1 || f.Next == "" || f.Unsupported != strings.HasPrefix(f.Code, "UNSUPPORTED.") || row.onlyUnsure && !f.Unsupported {
					t.Errorf("%+v", f)
				}
			}
			if !found {
				t.Errorf("no %s at %s%s", row.code, row.at, list(err))
			}
		})
	}
}

// These refuse the request as a whole: there is no line to name.
func TestSidesThatCannotBeJudged(t *testing.T) {
	t.Parallel()
	brokenModule := []edit{sub(api, "[Names]", "[Nmaes]")}
	authority := []edit{write(corpus.AuthorityPath, "version: 1\n")}
	for _, row := range []struct {
		name        string
		both, edits []edit
		code        string
	}{
		{"the accepted side is invalid (B7)", brokenModule, nil, "UNSUPPORTED.BASE_INVALID"},
		{"the accepted side is invalid and repaired (B7)", brokenModule, []edit{sub(api, "[Nmaes]", "[Names]")}, "UNSUPPORTED.BASE_INVALID"},
		{"the accepted manifest is a link (B7)", []edit{write(manifest, contenttest.Symlink)}, []edit{write(manifest, base()[manifest])}, "UNSUPPORTED.BASE_INVALID"},
		{"authority on both sides (F)", authority, nil, "UNSUPPORTED.AUTHORITY"},
		{"authority is added (F)", nil, authority, "UNSUPPORTED.AUTHORITY"},
		{"authority is removed (F)", authority, []edit{remove(corpus.AuthorityPath)}, "UNSUPPORTED.AUTHORITY"},
		{"the manifest is removed (C7)", nil, []edit{remove(manifest)}, "UNSUPPORTED.MANIFEST_REMOVED"},
		{"a consumer whose name cannot be recorded (DESIGN 5)", []edit{write("src/err/\xff.go", "x")}, []edit{raise("api.errors", 1, 2)}, "CONTENT.PATH"},
	} {
		accepted := apply(t, base(), row.both...)
		_, err := judgeFiles(t, accepted, apply(t, accepted, row.edits...))
		if f := fault.As(err); !fault.Is(err, row.code) || f.Outcome != fault.Unsupported || f.Target == "" {
			t.Errorf("%s: %v", row.name, err)
		}
	}
	// A link in the place of the proposed manifest is invalid text and not a removal.
	_, err := judgeFiles(t, base(), apply(t, base(), write(manifest, contenttest.Symlink)))
	var findings *corpus.FindingsError
	if !errors.As(err, &findings) || findings.Findings[0].Code != "MANIFEST.NOT_A_FILE" {
		t.Errorf("%v", err)
	}
}
