package analysis

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/analysis/ask"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/content/contenttest"
)

const (
	api      = "standards/api.md"
	http     = "standards/http.md"
	glossary = "standards/glossary.md"
	manifest = "standards/standards.yaml"

	errorsDoc  = "consumer-review unit-changed api.errors > docs/errors.md documentation-projection"
	errorsA    = "consumer-review unit-changed api.errors > src/err/a.go implementation-projection"
	errorsB    = "consumer-review unit-changed api.errors > src/err/b.go implementation-projection"
	errorsHTTP = "consumer-review unit-changed api.errors > topic.http normative-consumer"
	namesDoc   = "consumer-review unit-changed api.names > docs/names.md documentation-projection"
	codesDoc   = "consumer-review unit-changed http.codes > docs/errors.md documentation-projection"
	namesText  = "impact-review same-revision api.names"
	errorsText = "impact-review same-revision api.errors"
	apiText    = "impact-review unmapped-text topic.api"
)

const newModule = `---
standard:
  id: topic.log
  role: topic
  level: MUST
  units:
    - {id: log.line, heading: [Line], revision: 1}
  consumers:
    - {unit: log.line, path: src/main.go, relation: implementation-projection}
    - {unit: log.line, module: topic.http, relation: normative-consumer}
---
# Log

## Line

One event is one line.
`

// edgeOf is a row of consumers, to be put in place of the first one of names.
const namesEdge = "    - {unit: api.names, path: docs/names.md, relation: documentation-projection}\n"

// asked is the table of what asks what, derived from RULES C by hand.
var asked = []struct {
	rule, name string
	both       []edit // made on both sides
	edits      []edit // made on the proposed side
	want       []string
	notices    []string
}{
	{"C1", "a raise asks a path, each file of a glob and a module", nil, []edit{raise("api.errors", 1, 2)},
		[]string{errorsDoc, errorsA, errorsB, errorsHTTP}, nil},
	{"C1", "a raise with new words asks the same", nil, []edit{raise("api.errors", 1, 2), sub(api, "clients can", "clients must")},
		[]string{errorsDoc, errorsA, errorsB, errorsHTTP}, nil},
	{"C1", "a raise by more than one", nil, []edit{raise("api.names", 1, 7)}, []string{namesDoc}, nil},
	{"C1", "a path and a changed consumer", nil, []edit{raise("api.names", 1, 2), write("docs/names.md", "x")}, []string{namesDoc + " +"}, nil},
	{"C1", "one file of a glob changed", nil, []edit{raise("api.errors", 1, 2), write("src/err/b.go", "x")},
		[]string{errorsDoc, errorsA, errorsB + " +", errorsHTTP}, nil},
	{"C1", "both sides of a glob: a file that is new and one that is gone", nil,
		[]edit{raise("api.errors", 1, 2), remove("src/err/a.go"), write("src/err/c.go", "c")},
		[]string{errorsDoc, errorsA + " +", errorsB, "consumer-review unit-changed api.errors > src/err/c.go implementation-projection +", errorsHTTP}, nil},
	{"C1", "a file of a glob becomes a link: absent", nil, []edit{raise("api.errors", 1, 2), write("src/err/a.go", contenttest.Symlink)},
		[]string{errorsDoc, errorsA + " +", errorsB, errorsHTTP}, nil},
	{"C1", "a glob does not follow into folders", nil, []edit{raise("api.errors", 1, 2), write("src/err/x/c.go", "c"), write("src/err/c.txt", "c")},
		[]string{errorsDoc, errorsA, errorsB, errorsHTTP}, nil},
	{"C1", "a module consumer whose text changed", nil, []edit{raise("api.errors", 1, 2), sub(http, "is 404", "is 410")},
		[]string{errorsDoc, errorsA, errorsB, errorsHTTP + " +", "impact-review same-revision http.codes"}, nil},
	{"C1", "a module consumer that was only wrapped anew", nil, []edit{raise("api.errors", 1, 2), sub(http, "A missing thing", "A missing\nthing")},
		[]string{errorsDoc, errorsA, errorsB, errorsHTTP}, nil},
	{"C1", "two units with one consumer are two questions (C15)", nil, []edit{raise("api.errors", 1, 2), raise("http.codes", 1, 2)},
		[]string{errorsDoc, errorsA, errorsB, errorsHTTP, codesDoc}, nil},
	{"C1", "a raise and a dangling edge of both sides: absent (A7)", []edit{remove("docs/names.md")}, []edit{raise("api.names", 1, 2)}, []string{namesDoc}, nil},
	{"C1", "a symbolic link of both sides counts as absent (A7)", []edit{write("docs/names.md", contenttest.Symlink)},
		[]edit{raise("api.names", 1, 2)}, []string{namesDoc}, nil},
	{"C1", "a submodule of both sides counts as absent (A7)", []edit{write("docs/names.md", contenttest.Gitlink)},
		[]edit{raise("api.names", 1, 2)}, []string{namesDoc}, nil},
	{"C1", "a folder counts as absent (A7)", []edit{remove("docs/names.md"), write("docs/names.md/x", "x")}, []edit{raise("api.names", 1, 2)}, []string{namesDoc}, nil},
	{"C1", "an absent consumer that is written now differs (E4)", []edit{remove("docs/names.md")},
		[]edit{raise("api.names", 1, 2), write("docs/names.md", "n")}, []string{namesDoc + " +"}, nil},
	{"C1", "a link that becomes a file differs (E4)", []edit{write("docs/names.md", contenttest.Symlink)},
		[]edit{raise("api.names", 1, 2), write("docs/names.md", "n")}, []string{namesDoc + " +"}, nil},
	{"C1", "a glob that matches nothing on either side asks nobody", []edit{remove("src/err/a.go"), remove("src/err/b.go")},
		[]edit{raise("api.errors", 1, 2)}, []string{errorsDoc, errorsHTTP}, nil},
	{"C1", "a raised unit with a new edge asks along it", nil,
		[]edit{raise("api.names", 1, 2), sub(api, namesEdge, namesEdge+strings.Replace(namesEdge, "docs/names.md", "src/main.go", 1))},
		[]string{namesDoc, "consumer-review unit-changed api.names > src/main.go documentation-projection"}, nil},
	{"C15", "a path and a glob that leads there, one relation, are one question", []edit{sub(api, namesEdge,
		namesEdge+strings.Replace(namesEdge, "path: docs/names.md", `glob: "docs/n*.md"`, 1))}, []edit{raise("api.names", 1, 2)}, []string{namesDoc}, nil},
	{"C15", "two relations to one consumer are two questions", []edit{sub(api, namesEdge,
		namesEdge+strings.Replace(namesEdge, "documentation-", "template-", 1))}, []edit{raise("api.names", 1, 2)},
		[]string{namesDoc, "consumer-review unit-changed api.names > docs/names.md template-projection"}, nil},
	{"C15", "an edge declared in another module is walked", []edit{sub(http, "  consumers:\n", "  consumers:\n"+strings.Replace(namesEdge, "docs/names", "docs/errors", 1))},
		[]edit{raise("api.names", 1, 2)}, []string{"consumer-review unit-changed api.names > docs/errors.md documentation-projection", namesDoc}, nil},
	{"A10", "a decision is no consumer, whatever a glob says", []edit{sub(api, namesEdge,
		strings.Replace(namesEdge, "path: docs/names.md", `glob: "**/*.yaml"`, 1)), write("conf/x.yaml", "x"), write("standards/decisions/x/y.txt", "x")},
		[]edit{raise("api.names", 1, 2)}, []string{
			"consumer-review unit-changed api.names > conf/x.yaml documentation-projection",
			"consumer-review unit-changed api.names > standards/standards.yaml documentation-projection"}, nil},

	{"C2", "one word", nil, []edit{sub(api, "lower case", "upper case")}, []string{namesText}, nil},
	{"C2", "one mark of punctuation", nil, []edit{sub(api, "lower case.", "lower case!")}, []string{namesText}, nil},
	{"C2", "a word of one unit and a raise of the other", nil, []edit{raise("api.errors", 1, 2), sub(api, "lower case", "upper case")},
		[]string{errorsDoc, errorsA, errorsB, errorsHTTP, namesText}, nil},
	{"C2", "two units of one module", nil, []edit{sub(api, "stable", "fixed"), sub(api, "lower case", "upper case")}, []string{errorsText, namesText}, nil},
	{"C2", "its consumers are not asked, changed or not", nil, []edit{sub(api, "lower case", "upper case"), write("docs/names.md", "x")}, []string{namesText}, nil},

	{"C3", "a paragraph wrapped anew", nil, []edit{sub(api, "code that\nclients", "code\nthat clients")}, nil, nil},
	{"C3", "a paragraph on one line", nil, []edit{sub(api, "that\nclients", "that clients")}, nil, nil},
	{"C3", "blank lines at the end of a unit", nil, []edit{sub(api, "can match.\n", "can match.\n\n\n")}, nil, nil},
	{"C3", "blank lines at the end of the file", nil, []edit{sub(api, "lower case.\n", "lower case.\n\n\n")}, nil, nil},
	{"C3", "a run of blank lines", nil, []edit{sub(api, "## Names\n\n", "## Names\n\n\n\n")}, nil, nil},
	{"C3", "CRLF for LF", nil, []edit{crlf(api)}, nil, nil},
	{"C3", "LF for CRLF", []edit{crlf(api)}, []edit{lf(api)}, nil, nil},

	{"C4", "a new unit asks its consumers; who requires its module is told", nil, []edit{
		sub(api, "    - {id: api.names,", "    - {id: api.dates, heading: [Dates], revision: 1}\n    - {id: api.names,"),
		sub(api, namesEdge, namesEdge+"    - {unit: api.dates, path: src/main.go, relation: implementation-projection}\n"),
		sub(api, "## Names\n", "## Dates\n\nDates are UTC.\n\n## Names\n")},
		[]string{"consumer-review unit-added api.dates > src/main.go implementation-projection"},
		[]string{"REQUIRES.UNIT_ADDED standards/http.md:2"}},
	{"C4", "a new module asks its consumers", nil, []edit{write("standards/log.md", newModule)},
		[]string{"consumer-review unit-added log.line > src/main.go implementation-projection", "consumer-review unit-added log.line > topic.http normative-consumer"}, nil},
	{"C4", "a new module that is its own unit's new consumer", nil, []edit{write("standards/log.md", strings.Replace(newModule, "module: topic.http", "module: topic.log", 1))},
		[]string{"consumer-review unit-added log.line > src/main.go implementation-projection", "consumer-review unit-added log.line > topic.log normative-consumer +"}, nil},
	{"C4", "a new module with a new file", nil, []edit{write("standards/log.md", newModule), write("src/main.go", "x")},
		[]string{"consumer-review unit-added log.line > src/main.go implementation-projection +", "consumer-review unit-added log.line > topic.http normative-consumer"}, nil},
	{"C4", "a new REFERENCE module asks nothing (C15)", nil, []edit{write("standards/log.md", strings.Replace(newModule, "MUST", "REFERENCE", 1))}, nil, nil},

	{"C8", "text outside units", nil, []edit{sub(api, "a client sees", "clients see")}, []string{apiText}, nil},
	{"C8", "text outside units, wrapped anew (C3)", nil, []edit{sub(api, "What a client sees.", "What a\nclient sees.")}, nil, nil},
	{"C8", "a new section that is no unit", nil, []edit{sub(api, "## Names\n", "## Notes\n\nx\n\n## Names\n")}, []string{apiText}, nil},
	{"C8", "the H1", nil, []edit{sub(api, "# API\n\nWhat", "# The API\n\nWhat")}, []string{apiText}, nil},
	{"C8", "and a raise in one module", nil, []edit{sub(api, "a client sees", "clients see"), raise("api.names", 1, 2)}, []string{apiText, namesDoc}, nil},
	{"C15", "REFERENCE asks nothing: text outside units", nil, []edit{sub(glossary, "# Glossary\n", "# Glossary\n\nWords.\n")}, nil, nil},
	{"C15", "REFERENCE asks nothing: a unit's text", nil, []edit{sub(glossary, "a word", "a number")}, nil, nil},
	{"C15", "REFERENCE asks nothing: a raise", nil, []edit{sub(glossary, "revision: 1", "revision: 2")}, nil, nil},
	{"C15", "gate.block leaves a level out", []edit{block("[MUST]")}, []edit{raise("http.codes", 1, 2), sub(http, "# HTTP\n", "# HTTP\n\nx\n")}, nil, nil},
	{"C15", "gate.block names a level", []edit{block("[SHOULD]")}, []edit{raise("http.codes", 1, 2), raise("api.names", 1, 2)}, []string{codesDoc}, nil},

	{"C14", "another tool's title", nil, []edit{sub(api, "title: API", "title: The API")}, nil, nil},
	{"C14", "title and prose fields", nil, []edit{sub(api, "  role: topic", "  role: topic\n  title: API\n  applies-when: always\n  does-not-apply-when: never")}, nil, nil},
	{"C14", "rationale", nil, []edit{sub(api, "docs/names.md, rel", "docs/names.md, rationale: why, rel")}, nil, nil},
	{"C14", "comments", nil, []edit{sub(api, "  units:", "  # the units\n  units:"), sub(manifest, "version: 1", "version: 1 # one")}, nil, nil},
	{"C14", "order of units and their sections", nil, []edit{
		sub(api, "    - {id: api.errors, heading: [Errors], revision: 1}\n", ""),
		sub(api, "    - {id: api.names, heading: [Names], revision: 1}\n", "    - {id: api.names, heading: [Names], revision: 1}\n    - {id: api.errors, heading: [Errors], revision: 1}\n"),
		sub(api, "## Names\n\nNames are lower case.\n", ""), sub(api, "## Errors\n", "## Names\n\nNames are lower case.\n\n## Errors\n")}, nil, nil},
	{"C14", "order of consumers", nil, []edit{sub(api, namesEdge, ""), sub(api, "  consumers:\n", "  consumers:\n"+namesEdge)}, nil, nil},
	{"C14", "an edge moved to another module's front matter", nil, []edit{sub(api, namesEdge, ""), sub(http, "  consumers:\n", "  consumers:\n"+namesEdge)}, nil, nil},
	{"C14", "order of requires", []edit{sub(http, "requires: [topic.api]", "requires: [topic.api, ref.glossary]")},
		[]edit{sub(http, "[topic.api, ref.glossary]", "[ref.glossary, topic.api]")}, nil, nil},
	{"C14", "formatting of rows", nil, []edit{sub(api, "    - {id: api.names, heading: [Names], revision: 1}\n",
		"    - id: api.names\n      heading:\n        - Names\n      revision: 1\n")}, nil, nil},
	{"C14", "defaults written out", nil, []edit{sub(api, "docs/names.md, rel", "docs/names.md, when: always, on: [policy], rel"), block("[PROFILE, MUST, SHOULD]")}, nil, nil},
	{"C14", "a module's file renamed", nil, []edit{remove(http), write("standards/web/http.md", base()[http])}, nil, nil},

	{"C16", "a consumer alone", nil, []edit{write("docs/names.md", "x"), write("src/err/a.go", "x")}, nil, nil},
	{"C16", "another file of a glob", nil, []edit{write("src/err/c.go", "x")}, nil, nil},
	{"C12", "one of several files of a glob deleted", nil, []edit{remove("src/err/a.go")}, nil, []string{ask.DeletedCode + " " + api + ":12"}},
	{"C15", "a REFERENCE unit's consumer deleted", []edit{sub(api, "path: docs/errors.md", "path: src/main.go"), sub(http, "path: docs/errors.md", "path: src/main.go")},
		[]edit{remove("docs/errors.md")}, nil, nil},
	{"A6", "a Markdown file that is no module", nil, []edit{write("standards/readme.md", "# Hello\n\nstandard: no\n")}, nil, nil},
	{"", "nothing", nil, nil, nil, nil},
}

func crlf(file string) edit {
	return func(_ rapid.TB, files contenttest.Files) {
		files[file] = strings.ReplaceAll(files[file], "\n", "\r\n")
	}
}

func lf(file string) edit {
	return func(_ rapid.TB, files contenttest.Files) {
		files[file] = strings.ReplaceAll(files[file], "\r\n", "\n")
	}
}

func block(levels string) edit {
	return sub(manifest, "version: 1\n", "version: 1\ngate: {block: "+levels+"}\n")
}

func TestWhatAChangeAsks(t *testing.T) {
	t.Parallel()
	for _, row := range asked {
		t.Run(row.rule+" "+row.name, func(t *testing.T) {
			t.Parallel()
			accepted := apply(t, base(), row.both...)
			proposed := apply(t, accepted, row.edits...)
			checkAsked(t, accepted, proposed, row.want, row.notices)
		})
	}
}

// sameInAWorktree judges the same bytes where Git has no objects for them and every file is reported as changed, in any order.
func sameInAWorktree(t *testing.T, v *Verdict, accepted, proposed contenttest.Files) {
	t.Helper()
	changes := everything(accepted, proposed)
	sameAs(t, v, accepted.Worktree(), proposed.Worktree(), changes)
	for i, c := range changes {
		if c.Old != nil {
			listed, err := accepted.Tree().List(context.Background(), c.Name)
			if err != nil {
				t.Fatal(err)
			}
			changes[i].Old = &listed[0]
		}
	}
	slices.Reverse(changes)
	sameAs(t, v, accepted.Tree(), proposed.Worktree(), changes)
}

func sameAs(t *testing.T, v *Verdict, accepted, proposed content.Source, changes []content.Change) {
	t.Helper()
	other, err := judgeSources(t, accepted, proposed, changes)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ids(v.Asked), ids(other.Asked)); diff != "" {
		t.Error(diff)
	}
	for i, q := range other.Asked {
		if describe(q) != describe(v.Asked[i]) {
			t.Errorf("%s in a worktree, %s in a tree", describe(q), describe(v.Asked[i]))
		}
	}
	if a, b := rootID(t, v), rootID(t, other); a != b {
		t.Errorf("the state is %s in a tree and %s in a worktree", a, b)
	}
}
