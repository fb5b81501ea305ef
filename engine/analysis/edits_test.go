package analysis

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/analysis/ask"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/identity"
)

// The rows of the fixture, to be put in place, changed or taken out.
const (
	namesRow   = "    - {id: api.names, heading: [Names], revision: 1}\n"
	errorsRow  = "    - {id: api.errors, heading: [Errors], revision: 1}\n"
	codesRow   = "    - {id: http.codes, heading: [Codes], revision: 1}\n"
	errorsEdge = "    - {unit: api.errors, path: docs/errors.md, relation: documentation-projection}\n"
	globEdge   = "    - {unit: api.errors, glob: \"src/err/*.go\", relation: implementation-projection}\n"
	moduleEdge = "    - {unit: api.errors, module: topic.http, relation: normative-consumer}\n"
	namesTitle = "## Names\n\nNames are lower case.\n"
	errorsBody = "## Errors\n\nEvery error carries a stable code that\nclients can match.\n\n"
	gate       = "version: 1\ngate: {base: main, protected: [main], block: [MUST], commit: all, push: warn, require-applicable: true}\n"

	decl      = "impact-review declaration-changed "
	codesText = "impact-review same-revision http.codes"
	docs      = " documentation-projection"
	impl      = " implementation-projection"
	dates     = "    - {id: api.dates, heading: [Dates], revision: 1}\n"
	stoneRow  = "{id: api.names, retired-revision: 1}"
	told      = "REQUIRES.UNIT_ADDED standards/http.md:2"
)

// editRow is one change and all that RULES say of it: the exact questions, the notices with their place and how many edges
// stay uncarried, or the findings with their place where the change is refused.
type editRow struct {
	rule, name string
	both       []edit // made on both sides
	edits      []edit // made on the proposed side
	want       []string
	notices    []string
	refuse     []string
}

func reviewed(reason, unit, consumer, relation string) string {
	return "consumer-review " + reason + " " + unit + " > " + consumer + " " + relation
}

func gone(unit, consumer string) string {
	return reviewed(question.UnitRemoved, unit, consumer, "documentation-projection")
}
func added(unit, consumer string) string {
	return reviewed(question.ConsumerAdded, unit, consumer, "documentation-projection")
}
func deleted(unit, consumer string) string {
	return reviewed(question.ConsumerDeleted, unit, consumer, "documentation-projection") + " +"
}

// edgeRow is namesEdge with another target.
func edgeRow(target string) string {
	return strings.Replace(namesEdge, "path: docs/names.md", target, 1)
}

// retarget gives the one edge of api.names another target.
func retarget(target string) edit { return sub(api, "path: docs/names.md", target) }

// reglob gives the glob of api.errors another target.
func reglob(target string) edit { return sub(api, `glob: "src/err/*.go"`, target) }

// andEdge adds a row after that of api.names.
func andEdge(row string) edit { return sub(api, namesEdge, namesEdge+row) }

func all(edits ...edit) edit {
	return func(t rapid.TB, files contenttest.Files) {
		t.Helper()
		for _, e := range edits {
			e(t, files)
		}
	}
}

// key adds keys to a module's front matter, above its units.
func key(file, text string) edit { return sub(file, "  units:\n", "  "+text+"\n  units:\n") }

func stones(file, rows string) edit { return key(file, "tombstones: ["+rows+"]") }

func gated() edit { return sub(manifest, "version: 1\n", gate) }

// dropNames takes api.names out, and dropErrors api.errors, with their rows, edges and text; each leaves the rest as it is.
func dropNames() edit {
	return all(sub(api, namesRow, ""), sub(api, namesEdge, ""), sub(api, namesTitle, ""))
}

func dropErrors() edit {
	return all(sub(api, errorsRow, ""), sub(api, errorsEdge, ""), sub(api, globEdge, ""), sub(api, moduleEdge, ""), sub(api, errorsBody, ""))
}

// aliased gives api.names an alias by which its edge names it.
func aliased() edit {
	return all(sub(api, "[Names], revision: 1", "[Names], revision: 1, aliases: [api.naming]"), sub(api, "unit: api.names", "unit: api.naming"))
}

// dropHTTP takes the module topic.http out and the edge that leads to it.
func dropHTTP() edit { return all(remove(http), sub(api, moduleEdge, "")) }

func move(from, to string) edit {
	return func(t rapid.TB, files contenttest.Files) {
		t.Helper()
		text, ok := files[from]
		if !ok {
			t.Fatalf("no file %s", from)
		}
		files[to] = text
		delete(files, from)
	}
}

// moveNames takes api.names as it is to another module, under the heading that stands there.
func moveNames(file, heading string) edit {
	return all(sub(api, namesRow, ""), sub(api, namesTitle, ""), sub(file, "  units:\n", "  units:\n"+namesRow), sub(file, heading, namesTitle+"\n"+heading))
}

var removals = []editRow{
	{"C5", "a unit with a tombstone", nil, []edit{dropNames(), stones(api, stoneRow)}, []string{gone("api.names", "docs/names.md")}, nil, nil},
	{"C5", "a tombstone in another module", nil, []edit{dropNames(), stones(http, stoneRow)}, []string{gone("api.names", "docs/names.md")}, nil, nil},
	{"C5", "a tombstone that retires a later revision", nil, []edit{dropNames(), stones(api, "{id: api.names, retired-revision: 2}")},
		[]string{gone("api.names", "docs/names.md")}, nil, nil},
	{"C5", "a tombstone with successors and evidence", nil, []edit{dropNames(), stones(api, "{id: api.names, retired-revision: 1, successors: [api.errors], evidence: minutes}")},
		[]string{gone("api.names", "docs/names.md")}, nil, nil},
	{"C5", "a tombstone that retires an earlier revision", []edit{raise("api.names", 1, 3)},
		[]edit{sub(api, "    - {id: api.names, heading: [Names], revision: 3}\n", ""), sub(api, namesEdge, ""), sub(api, namesTitle, ""), stones(api, "{id: api.names, retired-revision: 2}")},
		nil, nil, []string{"UNIT.TOMBSTONE_REVISION " + api + ":7"}},
	{"C5", "nothing says where it went", nil, []edit{dropNames()}, nil, nil, []string{"UNIT.REMOVED " + api + ":7"}},
	{"C5", "a tombstone of another unit does not count", nil, []edit{dropNames(), stones(api, "{id: api.name, retired-revision: 1}")}, nil, nil, []string{"UNIT.REMOVED " + api + ":8"}},
	{"C5", "one of two removed units has no tombstone", nil, []edit{dropNames(), dropErrors(), sub(api, "  units:\n  consumers:\n", "  tombstones: ["+stoneRow+"]\n")},
		nil, nil, []string{"UNIT.REMOVED " + api + ":3"}},
	{"C5", "a successor as `successors` of another unit does not name it", nil, []edit{dropNames(), sub(api, "[Errors], revision: 1", "[Errors], revision: 1, successors: [http.codes]")},
		nil, nil, []string{"UNIT.REMOVED " + api + ":7"}},
	{"C5", "a new unit that names it as its predecessor", nil, []edit{
		sub(api, namesRow, "    - {id: api.words, heading: [Words], revision: 1, predecessors: [api.names]}\n"),
		sub(api, "unit: api.names", "unit: api.words"), sub(api, "## Names\n\nNames", "## Words\n\nWords")},
		[]string{reviewed(question.UnitAdded, "api.words", "docs/names.md", "documentation-projection"), gone("api.names", "docs/names.md")}, []string{told}, nil},
	{"C5", "a unit that takes it in and names it", nil, []edit{dropNames(), sub(api, "[Errors], revision: 1", "[Errors], revision: 1, predecessors: [api.names]")},
		[]string{gone("api.names", "docs/names.md"), decl + `api.errors#predecessors [] → ["api.names"]`}, nil, nil},
	{"C5", "split in two that name it", nil, []edit{
		sub(api, namesRow, "    - {id: api.words, heading: [Words], revision: 1, predecessors: [api.names]}\n    - {id: api.cases, heading: [Cases], revision: 1, predecessors: [api.names]}\n"),
		sub(api, namesEdge, strings.Replace(namesEdge, "api.names", "api.words", 1)+strings.Replace(namesEdge, "api.names", "api.cases", 1)),
		sub(api, namesTitle, "## Words\n\nA word.\n\n## Cases\n\nLower.\n")},
		[]string{reviewed(question.UnitAdded, "api.words", "docs/names.md", "documentation-projection"), reviewed(question.UnitAdded, "api.cases", "docs/names.md", "documentation-projection"),
			gone("api.names", "docs/names.md")}, []string{told, told}, nil},
	{"C5", "another id, the old one an alias", nil, []edit{
		sub(api, namesRow, "    - {id: api.words, heading: [Names], revision: 1, aliases: [api.names]}\n"), sub(api, "unit: api.names", "unit: api.words")},
		[]string{reviewed(question.UnitAdded, "api.words", "docs/names.md", "documentation-projection"), gone("api.names", "docs/names.md")}, []string{told}, nil},
	{"C5", "another id, and the edge names the alias", nil, []edit{
		sub(api, namesRow, "    - {id: api.words, heading: [Names], revision: 1, aliases: [api.names]}\n")},
		[]string{reviewed(question.UnitAdded, "api.words", "docs/names.md", "documentation-projection"), gone("api.names", "docs/names.md")}, []string{told}, nil},
	{"A4 C1", "a row that names a unit by its alias, and the unit raised", []edit{aliased()}, []edit{sub(api, "[Names], revision: 1", "[Names], revision: 2")}, []string{namesDoc}, nil, nil},
	{"A4 C14", "a row that names a unit by its alias, and now by its id", []edit{aliased()}, []edit{sub(api, "unit: api.naming", "unit: api.names")}, nil, nil, nil},
	{"A4 C12", "a row that names a unit by its alias, and its file deleted", []edit{aliased()}, []edit{remove("docs/names.md")}, []string{deleted("api.names", "docs/names.md")}, nil, nil},
	{"A4 C7", "a row that names a unit by its alias, dropped", []edit{aliased()}, []edit{sub(api, strings.Replace(namesEdge, "api.names", "api.naming", 1), "")},
		[]string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → null"}, nil, nil},
	{"A4", "a row that names a unit by an alias taken away", []edit{aliased()}, []edit{sub(api, ", aliases: [api.naming]", "")}, nil, nil, []string{"CONSUMER.UNIT_UNKNOWN " + api + ":14"}},
	{"C5", "consumers along a path, a glob and a module", nil, []edit{dropErrors(), stones(api, "{id: api.errors, retired-revision: 1}")}, []string{
		gone("api.errors", "docs/errors.md"), reviewed(question.UnitRemoved, "api.errors", "src/err/a.go", "implementation-projection"),
		reviewed(question.UnitRemoved, "api.errors", "src/err/b.go", "implementation-projection"), reviewed(question.UnitRemoved, "api.errors", "topic.http", "normative-consumer")}, nil, nil},
	{"C5", "a consumer that changed with it (E4)", nil, []edit{dropNames(), stones(api, stoneRow), write("docs/names.md", "x")}, []string{gone("api.names", "docs/names.md") + " +"}, nil, nil},
	{"C5", "a consumer deleted with it is one question", nil, []edit{dropNames(), stones(api, stoneRow), remove("docs/names.md")},
		[]string{gone("api.names", "docs/names.md") + " +"}, nil, nil},
	{"C5", "a consumer that nobody had (A7)", []edit{remove("docs/names.md")}, []edit{dropNames(), stones(api, stoneRow)}, []string{gone("api.names", "docs/names.md")}, nil, nil},
	{"C5", "a glob that leads nowhere asks nobody", []edit{remove("src/err/a.go"), remove("src/err/b.go")}, []edit{dropErrors(), stones(api, "{id: api.errors, retired-revision: 1}")},
		[]string{gone("api.errors", "docs/errors.md"), reviewed(question.UnitRemoved, "api.errors", "topic.http", "normative-consumer")}, nil, nil},
	{"C5", "an edge in another module's front matter", []edit{sub(http, "  consumers:\n", "  consumers:\n"+edgeRow("path: src/main.go"))},
		[]edit{dropNames(), sub(http, edgeRow("path: src/main.go"), ""), stones(api, stoneRow)}, []string{gone("api.names", "docs/names.md"), gone("api.names", "src/main.go")}, nil, nil},
	{"C5", "an edge of a removed unit that stays names nothing (A4)", nil, []edit{sub(api, namesRow, ""), sub(api, namesTitle, ""), stones(api, stoneRow)},
		nil, nil, []string{"CONSUMER.UNIT_RETIRED " + api + ":14"}},
	{"C5 C8", "a unit whose text stays", nil, []edit{sub(api, namesRow, ""), sub(api, namesEdge, ""), stones(api, stoneRow)}, []string{gone("api.names", "docs/names.md"), apiText}, nil, nil},
	{"C5 C7", "a module", nil, []edit{dropHTTP(), stones(api, "{id: http.codes, retired-revision: 1}")}, []string{
		gone("http.codes", "docs/errors.md"), decl + "topic.http#module … → null", decl + "api.errors#consumers.normative-consumer.module:topic.http … → null"}, nil, nil},
	{"C5", "a module, and nothing says where its unit went", nil, []edit{dropHTTP()}, nil, nil, []string{"UNIT.REMOVED " + http + ":1"}},
	{"C5 A4", "a module that is a consumer still", nil, []edit{remove(http), stones(api, "{id: http.codes, retired-revision: 1}")}, nil, nil, []string{"CONSUMER.MODULE_UNKNOWN " + api + ":14"}},
	{"C7", "a module whose unit another takes over", nil, []edit{dropHTTP(), sub(api, namesRow, namesRow+codesRow), sub(api, namesTitle, namesTitle+"\n## Codes\n\nA missing thing is 404.\n"),
		andEdge("    - {unit: http.codes, path: docs/errors.md, relation: documentation-projection}\n")},
		[]string{decl + "topic.http#module … → null", decl + "api.errors#consumers.normative-consumer.module:topic.http … → null", decl + `http.codes#module "topic.http" → "topic.api"`}, nil, nil},
	{"C15", "a REFERENCE module asks nothing", nil, []edit{remove(glossary), stones(api, "{id: glossary.code, retired-revision: 1}")}, nil, nil, nil},
	{"C5 C15", "a REFERENCE unit needs its tombstone as well: ids are for ever", nil, []edit{remove(glossary)}, nil, nil, []string{"UNIT.REMOVED " + glossary + ":1"}},
	{"C15", "a level that gate.block leaves out asks nothing", []edit{block("[SHOULD]")}, []edit{dropNames(), stones(api, stoneRow)}, nil, nil, nil},
	{"C4 C7", "a unit that comes back from its tombstone", []edit{dropNames(), stones(api, stoneRow)},
		[]edit{sub(api, "  tombstones: ["+stoneRow+"]\n", ""), sub(api, errorsRow, errorsRow+namesRow), sub(api, moduleEdge, moduleEdge+namesEdge), sub(api, "can match.\n\n", "can match.\n\n"+namesTitle)},
		[]string{reviewed(question.UnitAdded, "api.names", "docs/names.md", "documentation-projection"), decl + "api.names#tombstone … → null"}, []string{told}, nil},
}

var addedEdges = []editRow{
	{"C6", "a path", nil, []edit{andEdge(edgeRow("path: src/main.go"))}, []string{added("api.names", "src/main.go")}, nil, nil},
	{"C6", "a glob", nil, []edit{andEdge(edgeRow(`glob: "src/**/*.go"`))}, []string{added("api.names", "src/main.go"), added("api.names", "src/err/a.go"), added("api.names", "src/err/b.go")}, nil, nil},
	{"C6", "a module", nil, []edit{andEdge(edgeRow("module: topic.http"))}, []string{added("api.names", "topic.http")}, nil, nil},
	{"C6", "in another module's front matter", nil, []edit{sub(http, "  consumers:\n", "  consumers:\n"+edgeRow("path: src/main.go"))}, []string{added("api.names", "src/main.go")}, nil, nil},
	{"C6", "to a file that is new", nil, []edit{andEdge(edgeRow("path: docs/x.md")), write("docs/x.md", "x")}, []string{added("api.names", "docs/x.md") + " +"}, nil, nil},
	{"C6", "to a file that changed", nil, []edit{andEdge(edgeRow("path: src/main.go")), write("src/main.go", "x")}, []string{added("api.names", "src/main.go") + " +"}, nil, nil},
	{"C6", "another relation to the same file", nil, []edit{andEdge(strings.Replace(namesEdge, "documentation-", "template-", 1))},
		[]string{reviewed(question.ConsumerAdded, "api.names", "docs/names.md", "template-projection")}, nil, nil},
	{"C6", "another unit to the same file", nil, []edit{andEdge(edgeRow("path: docs/errors.md"))}, []string{added("api.names", "docs/errors.md")}, nil, nil},
	{"C6", "a path to which a glob led already", nil, []edit{andEdge(strings.Replace(globEdge, `glob: "src/err/*.go"`, "path: src/err/a.go", 1))}, nil, nil, nil},
	{"C6", "a glob that leads to what a path led to, and to more", nil, []edit{andEdge(edgeRow(`glob: "docs/*.md"`))}, []string{added("api.names", "docs/errors.md")}, nil, nil},
	{"C6", "a path becomes a glob that covers it and no more", nil, []edit{retarget(`glob: "docs/n*.md"`)}, nil, nil, nil},
	{"C6", "a path becomes a glob that covers it and more", nil, []edit{retarget(`glob: "docs/*.md"`)}, []string{added("api.names", "docs/errors.md")}, nil, nil},
	{"C6", "a glob widened to no new path", nil, []edit{reglob(`glob: "src/err/*.{go,txt}"`)}, nil, nil, nil},
	{"C6", "a glob widened to one", nil, []edit{reglob(`glob: "src/**/*.go"`)}, []string{reviewed(question.ConsumerAdded, "api.errors", "src/main.go", "implementation-projection")}, nil, nil},
	{"C6", "a glob widened to several, one of them a new file", []edit{write("src/net/c.go", "c")}, []edit{reglob(`glob: "src/**/*.go"`), write("src/net/d.go", "d")}, []string{
		reviewed(question.ConsumerAdded, "api.errors", "src/main.go", "implementation-projection"), reviewed(question.ConsumerAdded, "api.errors", "src/net/c.go", "implementation-projection"),
		reviewed(question.ConsumerAdded, "api.errors", "src/net/d.go", "implementation-projection") + " +"}, nil, nil},
	{"C6", "a wider glob beside the old one", nil, []edit{andEdge(strings.Replace(globEdge, "src/err/*", "src/*", 1))},
		[]string{reviewed(question.ConsumerAdded, "api.errors", "src/main.go", "implementation-projection")}, nil, nil},
	{"C6 C16", "a glob widened, and a new file that the old one led to as well", nil, []edit{reglob(`glob: "src/**/*.go"`), write("src/err/c.go", "c")},
		[]string{reviewed(question.ConsumerAdded, "api.errors", "src/main.go", "implementation-projection")}, nil, nil},
	{"C6 C2", "the unit's text changed as well", nil, []edit{sub(api, "lower case", "upper case"), andEdge(edgeRow("path: src/main.go"))}, []string{namesText, added("api.names", "src/main.go")}, nil, nil},
	{"C1", "the unit was raised: every consumer is asked about that", nil, []edit{raise("api.errors", 1, 2), reglob(`glob: "src/**/*.go"`)}, []string{
		errorsDoc, errorsA, errorsB, errorsHTTP, "consumer-review unit-changed api.errors > src/main.go implementation-projection"}, nil, nil},
	{"C1 C7", "the unit was lowered", []edit{raise("api.names", 1, 3)}, []edit{raise("api.names", 3, 2), andEdge(edgeRow("path: src/main.go"))}, []string{
		namesDoc, "consumer-review unit-changed api.names > src/main.go documentation-projection", decl + "api.names#revision 3 → 2"}, nil, nil},
	{"C6 C1", "while another unit was raised", nil, []edit{raise("http.codes", 1, 2), andEdge(edgeRow("path: src/main.go"))}, []string{codesDoc, added("api.names", "src/main.go")}, nil, nil},
	{"C15", "to a REFERENCE unit", nil, []edit{sub(glossary, "  consumers:\n", "  consumers:\n    - {unit: glossary.code, path: src/main.go, relation: reference-projection}\n")}, nil, nil, nil},
	{"C15", "to a unit of a level that gate.block leaves out", []edit{block("[SHOULD]")}, []edit{andEdge(edgeRow("path: src/main.go"))}, nil, nil, nil},
	{"C14", "an edge moved to another module's front matter and nothing else", nil, []edit{sub(api, globEdge, ""), sub(http, "  consumers:\n", "  consumers:\n"+globEdge)}, nil, nil, nil},

	{"A7", "to a file that is not there", nil, []edit{andEdge(edgeRow("path: docs/nmaes.md"))}, nil, nil, []string{"CONSUMER.ABSENT " + api + ":15"}},
	{"A7", "to a file that is not there, of a raised unit", nil, []edit{raise("api.names", 1, 2), andEdge(edgeRow("path: docs/nmaes.md"))}, nil, nil, []string{"CONSUMER.ABSENT " + api + ":15"}},
	{"A7", "to a link", []edit{write("docs/link.md", contenttest.Symlink)}, []edit{andEdge(edgeRow("path: docs/link.md"))}, nil, nil, []string{"CONSUMER.ABSENT " + api + ":15"}},
	{"A7", "to a submodule", []edit{write("lib", contenttest.Gitlink)}, []edit{andEdge(edgeRow("path: lib"))}, nil, nil, []string{"CONSUMER.ABSENT " + api + ":15"}},
	{"A7", "to a folder", nil, []edit{andEdge(edgeRow("path: docs"))}, nil, nil, []string{"CONSUMER.ABSENT " + api + ":15"}},
	{"A7", "a glob that finds nothing", nil, []edit{andEdge(edgeRow(`glob: "docs/*.rst"`))}, nil, nil, []string{"CONSUMER.ABSENT " + api + ":15"}},
	{"A7 A10", "a glob that finds decisions alone", nil, []edit{write("standards/decisions/x/y.rst", "x"), andEdge(edgeRow(`glob: "**/*.rst"`))}, nil, nil, []string{"CONSUMER.ABSENT " + api + ":15"}},
	{"A7", "of a new module to nothing", nil, []edit{write("standards/log.md", strings.Replace(newModule, "src/main.go", "src/man.go", 1))}, nil, nil, []string{"CONSUMER.ABSENT standards/log.md:9"}},
	{"A7", "a path renamed in the edge alone", nil, []edit{retarget("path: docs/naming.md")}, nil, nil, []string{"CONSUMER.ABSENT " + api + ":14"}},
	{"A7 C13", "a path renamed in the edge otherwise than its file", nil, []edit{move("docs/names.md", "docs/naming.md"), retarget("path: docs/nmaing.md")},
		nil, nil, []string{"CONSUMER.ABSENT " + api + ":14"}},
	{"A7 C7", "a path renamed in the edge, and the file deleted", nil, []edit{remove("docs/names.md"), retarget("path: docs/naming.md")},
		[]string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → null"}, []string{"CONSUMER.ABSENT " + api + ":14"}, nil},
	{"A7 C7", "another row that leads nowhere beside a deleted file", nil, []edit{remove("docs/errors.md"), andEdge(edgeRow("path: docs/naming.md")), sub(api, errorsEdge, "")},
		nil, nil, []string{"CONSUMER.ABSENT " + api + ":14"}},
	{"A7 C7", "a glob renamed in the edge, and its files deleted", nil, []edit{remove("src/err/a.go"), remove("src/err/b.go"), reglob(`glob: "lib/*.go"`)},
		[]string{decl + "api.errors#consumers.implementation-projection.glob:src/err/*.go … → null"}, []string{"CONSUMER.ABSENT " + api + ":12"}, nil},
	{"A7", "a glob renamed in the edge, and one of its files deleted", nil, []edit{remove("src/err/a.go"), reglob(`glob: "lib/*.go"`)},
		nil, nil, []string{"CONSUMER.ABSENT " + api + ":12"}},
	{"A7", "an edge that led nowhere before is no finding", []edit{remove("docs/names.md")}, []edit{sub(api, "lower case", "upper case")}, []string{namesText}, nil, nil},
}

var declarations = []editRow{
	{"C7", "level", nil, []edit{sub(api, "level: MUST", "level: SHOULD")}, []string{decl + `topic.api#level "MUST" → "SHOULD"`}, nil, nil},
	{"C7", "role", nil, []edit{sub(api, "role: topic", "role: core")}, []string{decl + `topic.api#role "topic" → "core"`}, nil, nil},
	{"C7", "level and role are two", nil, []edit{sub(api, "level: MUST", "level: PROFILE"), sub(api, "role: topic", "role: profile")},
		[]string{decl + `topic.api#level "MUST" → "PROFILE"`, decl + `topic.api#role "topic" → "profile"`}, nil, nil},
	{"C7", "requires", nil, []edit{sub(http, "requires: [topic.api]", "requires: []")}, []string{decl + `topic.http#requires ["topic.api"] → []`}, nil, nil},
	{"C7", "requires one more", nil, []edit{sub(http, "[topic.api]", "[topic.api, ref.glossary]")}, []string{decl + `topic.http#requires ["topic.api"] → ["ref.glossary","topic.api"]`}, nil, nil},
	{"C7", "specializes", nil, []edit{key(http, "specializes: [topic.api]")}, []string{decl + `topic.http#specializes [] → ["topic.api"]`}, nil, nil},
	{"C7", "verification", nil, []edit{key(http, "verification: by hand")}, []string{decl + `topic.http#verification null → "by hand"`}, nil, nil},
	{"C7", "verification taken out", []edit{key(http, "verification: by hand")}, []edit{sub(http, "  verification: by hand\n", "")}, []string{decl + `topic.http#verification "by hand" → null`}, nil, nil},
	{"C7", "owner", []edit{key(http, "owner: ann")}, []edit{sub(http, "owner: ann", "owner: bob")}, []string{decl + `topic.http#owner "ann" → "bob"`}, nil, nil},
	{"C7", "heading, and so the text (C2)", nil, []edit{sub(api, "[Names]", "[Naming]"), sub(api, "## Names", "## Naming")}, []string{decl + `api.names#heading ["Names"] → ["Naming"]`, namesText}, nil, nil},
	{"C7", "heading of a raised unit (C1)", nil, []edit{raise("api.names", 1, 2), sub(api, "[Names]", "[Naming]"), sub(api, "## Names", "## Naming")},
		[]string{decl + `api.names#heading ["Names"] → ["Naming"]`, namesDoc}, nil, nil},
	{"C7", "a section put below another", nil, []edit{sub(api, "[Names]", "[Errors, Names]"), sub(api, "## Names", "### Names")}, []string{decl + `api.names#heading ["Names"] → ["Errors","Names"]`, namesText}, nil, nil},
	{"C7 C1", "revision lowered", []edit{raise("api.names", 1, 3)}, []edit{raise("api.names", 3, 2)}, []string{namesDoc, decl + "api.names#revision 3 → 2"}, nil, nil},
	{"C7", "alias", nil, []edit{sub(api, "[Names], revision: 1", "[Names], revision: 1, aliases: [api.naming]")}, []string{decl + `api.names#aliases [] → ["api.naming"]`}, nil, nil},
	{"C7", "alias taken out", []edit{sub(api, "[Names], revision: 1", "[Names], revision: 1, aliases: [api.naming, api.words]")}, []edit{sub(api, "[api.naming, api.words]", "[api.words]")},
		[]string{decl + `api.names#aliases ["api.naming","api.words"] → ["api.words"]`}, nil, nil},
	{"C7", "predecessor", nil, []edit{sub(api, "[Names], revision: 1", "[Names], revision: 1, predecessors: [api.errors]")}, []string{decl + `api.names#predecessors [] → ["api.errors"]`}, nil, nil},
	{"C7", "a predecessor that has a tombstone", []edit{stones(http, "{id: http.old, retired-revision: 1}")}, []edit{sub(api, "[Names], revision: 1", "[Names], revision: 1, predecessors: [http.old]")},
		[]string{decl + `api.names#predecessors [] → ["http.old"]`}, nil, nil},
	{"A4", "a predecessor that never was", nil, []edit{sub(api, "[Names], revision: 1", "[Names], revision: 1, predecessors: [api.gone]")}, nil, nil, []string{"UNIT.PREDECESSOR_UNKNOWN " + api + ":9"}},
	{"A4", "a predecessor that is long gone is no finding", []edit{sub(api, "[Names], revision: 1", "[Names], revision: 1, predecessors: [api.gone]")}, []edit{raise("http.codes", 1, 2)}, []string{codesDoc}, nil, nil},
	{"C7", "successor", nil, []edit{sub(api, "[Names], revision: 1", "[Names], revision: 1, successors: [api.errors]")}, []string{decl + `api.names#successors [] → ["api.errors"]`}, nil, nil},
	{"C7", "a unit moved to another module", nil, []edit{moveNames(http, "## Codes\n")}, []string{decl + `api.names#module "topic.api" → "topic.http"`}, nil, nil},
	{"C7 C1", "a unit moved and raised", nil, []edit{raise("api.names", 1, 2), sub(api, strings.Replace(namesRow, "n: 1", "n: 2", 1), ""), sub(api, namesTitle, ""),
		sub(http, "  units:\n", "  units:\n"+strings.Replace(namesRow, "n: 1", "n: 2", 1)), sub(http, "## Codes\n", namesTitle+"\n## Codes\n")},
		[]string{decl + `api.names#module "topic.api" → "topic.http"`, namesDoc}, nil, nil},
	{"C7 C15", "a unit moved to a REFERENCE module stops binding", nil, []edit{moveNames(glossary, "## Code\n")}, []string{decl + `api.names#module "topic.api" → "ref.glossary"`}, nil, nil},
	{"C7 C15", "a unit moved out of a REFERENCE module begins to bind", []edit{moveNames(glossary, "## Code\n")}, []edit{sub(glossary, namesRow, ""), sub(glossary, namesTitle, ""),
		sub(api, "  units:\n", "  units:\n"+namesRow), sub(api, "## Errors\n", namesTitle+"\n## Errors\n")}, []string{decl + `api.names#module "ref.glossary" → "topic.api"`}, nil, nil},
	{"C7", "a module's id", nil, []edit{sub(api, "id: topic.api", "id: topic.web"), sub(http, "[topic.api]", "[topic.web]")}, []string{decl + "topic.api#module … → null",
		decl + `api.errors#module "topic.api" → "topic.web"`, decl + `api.names#module "topic.api" → "topic.web"`, decl + `topic.http#requires ["topic.api"] → ["topic.web"]`}, nil, nil},

	{"C7", "edge dropped", nil, []edit{sub(api, namesEdge, "")}, []string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → null"}, nil, nil},
	{"C7", "edge to a module dropped", nil, []edit{sub(api, moduleEdge, "")}, []string{decl + "api.errors#consumers.normative-consumer.module:topic.http … → null"}, nil, nil},
	{"C7", "edge with a glob dropped", nil, []edit{sub(api, globEdge, "")}, []string{decl + "api.errors#consumers.implementation-projection.glob:src/err/*.go … → null"}, nil, nil},
	{"C7 C1", "edge dropped while its unit is raised", nil, []edit{raise("api.names", 1, 2), sub(api, namesEdge, "")},
		[]string{namesDoc, decl + "api.names#consumers.documentation-projection.path:docs/names.md … → null"}, nil, nil},
	{"C7", "edge dropped beside one that stays", []edit{andEdge(edgeRow("path: src/main.go"))}, []edit{sub(api, namesEdge, "")}, []string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → null"}, nil, nil},
	{"C7", "edge that led nowhere dropped", []edit{remove("docs/names.md")}, []edit{sub(api, namesEdge, "")}, []string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → null"}, nil, nil},
	{"C7", "glob narrowed", nil, []edit{reglob(`glob: "src/err/a*.go"`)}, []string{decl + "api.errors#consumers.implementation-projection.glob:src/err/*.go … → …"}, nil, nil},
	{"C7", "glob narrowed to a path", nil, []edit{reglob("path: src/err/a.go")}, []string{decl + "api.errors#consumers.implementation-projection.glob:src/err/*.go … → …"}, nil, nil},
	{"C7 C6", "glob moved elsewhere", nil, []edit{reglob(`glob: "src/*.go"`)}, []string{decl + "api.errors#consumers.implementation-projection.glob:src/err/*.go … → null",
		reviewed(question.ConsumerAdded, "api.errors", "src/main.go", "implementation-projection")}, nil, nil},
	{"C7", "a path dropped that a glob of the unit and relation covers", []edit{andEdge(edgeRow(`glob: "docs/n*.md"`))}, []edit{sub(api, namesEdge, "")}, nil, nil, nil},
	{"C7", "a path dropped that a glob of another relation covers", []edit{andEdge(strings.Replace(edgeRow(`glob: "docs/n*.md"`), "documentation-", "template-", 1))},
		[]edit{sub(api, namesEdge, "")}, []string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → null"}, nil, nil},
	{"C7", "a path dropped that a glob of another unit covers", []edit{andEdge(strings.Replace(edgeRow(`glob: "docs/n*.md"`), "api.names", "api.errors", 1))},
		[]edit{sub(api, namesEdge, "")}, []string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → null"}, nil, nil},
	{"C7 C6", "relation changed", nil, []edit{sub(api, "docs/names.md, relation: documentation", "docs/names.md, relation: template")}, []string{
		decl + "api.names#consumers.documentation-projection.path:docs/names.md … → null", reviewed(question.ConsumerAdded, "api.names", "docs/names.md", "template-projection")}, nil, nil},
	{"C7 C6", "an edge given to another unit", nil, []edit{sub(api, "unit: api.names", "unit: api.errors")}, []string{
		decl + "api.names#consumers.documentation-projection.path:docs/names.md … → null", added("api.errors", "docs/names.md")}, nil, nil},
	{"C7", "evidence-owner", nil, []edit{sub(api, "docs/names.md, rel", "docs/names.md, evidence-owner: ann, rel")}, []string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → …"}, nil, nil},
	{"C7 C6", "evidence-owner lost with a wider glob", []edit{sub(api, "docs/names.md, rel", "docs/names.md, evidence-owner: ann, rel")}, []edit{sub(api, "path: docs/names.md, evidence-owner: ann", `glob: "docs/n*.md"`)},
		[]string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → …"}, nil, nil},
	{"C7 C6", "evidence-owner kept with a wider glob", []edit{sub(api, "docs/names.md, rel", "docs/names.md, evidence-owner: ann, rel")}, []edit{retarget(`glob: "docs/n*.md"`)}, nil, nil, nil},
	{"C7 C13", "evidence-owner lost with the edit for a moved path", []edit{sub(api, "docs/names.md, rel", "docs/names.md, evidence-owner: ann, rel")},
		[]edit{move("docs/names.md", "docs/naming.md"), sub(api, "path: docs/names.md, evidence-owner: ann", "path: docs/naming.md")}, []string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → …"}, nil, nil},
	{"C7", "evidence-owner of one of two edges", []edit{andEdge(strings.Replace(edgeRow("path: src/main.go"), ", rel", ", evidence-owner: ann, rel", 1))}, []edit{sub(api, "owner: ann", "owner: bob")},
		[]string{decl + "api.names#consumers.documentation-projection.path:src/main.go … → …"}, nil, nil},

	{"C7", "a tombstone that no removal needs", nil, []edit{stones(http, "{id: http.old, retired-revision: 1}")}, []string{decl + "http.old#tombstone null → …"}, nil, nil},
	{"C7", "a tombstone taken out", []edit{stones(http, "{id: http.old, retired-revision: 1}")}, []edit{sub(http, "  tombstones: [{id: http.old, retired-revision: 1}]\n", "")},
		[]string{decl + "http.old#tombstone … → null"}, nil, nil},
	{"C7", "a tombstone's successors", []edit{stones(http, "{id: http.old, retired-revision: 1}")}, []edit{sub(http, "retired-revision: 1}", "retired-revision: 1, successors: [http.codes]}")},
		[]string{decl + "http.old#tombstone … → …"}, nil, nil},
	{"C7", "a tombstone's evidence", []edit{stones(http, "{id: http.old, retired-revision: 1}")}, []edit{sub(http, "retired-revision: 1}", "retired-revision: 1, evidence: minutes}")},
		[]string{decl + "http.old#tombstone … → …"}, nil, nil},
	{"C7", "a tombstone's revision", []edit{stones(http, "{id: http.old, retired-revision: 1}")}, []edit{sub(http, "retired-revision: 1}", "retired-revision: 2}")},
		[]string{decl + "http.old#tombstone … → …"}, nil, nil},

	{"C7 C15", "level to REFERENCE: it stops binding", nil, []edit{sub(api, "level: MUST", "level: REFERENCE")}, []string{decl + `topic.api#level "MUST" → "REFERENCE"`}, nil, nil},
	{"C7 C15 C2", "level to REFERENCE and a word", nil, []edit{sub(api, "level: MUST", "level: REFERENCE"), sub(api, "lower case", "upper case")},
		[]string{decl + `topic.api#level "MUST" → "REFERENCE"`, namesText}, nil, nil},
	{"C7 C15 C1", "level to REFERENCE and a raise", nil, []edit{sub(http, "level: SHOULD", "level: REFERENCE"), raise("http.codes", 1, 2)},
		[]string{decl + `topic.http#level "SHOULD" → "REFERENCE"`, codesDoc}, nil, nil},
	{"C7 C15", "level from REFERENCE: it begins to bind", nil, []edit{sub(glossary, "level: REFERENCE", "level: MUST")}, []string{decl + `ref.glossary#level "REFERENCE" → "MUST"`}, nil, nil},
	{"C15", "a REFERENCE module's role", nil, []edit{sub(glossary, "role: reference", "role: core")}, nil, nil, nil},
	{"C15", "a REFERENCE unit's heading", nil, []edit{sub(glossary, "[Code]", "[Codes]"), sub(glossary, "## Code\n", "## Codes\n")}, nil, nil, nil},
	{"C15", "a REFERENCE unit's edge dropped", nil, []edit{sub(glossary, "  consumers:\n    - {unit: glossary.code, path: docs/errors.md, relation: reference-projection}\n", "")}, nil, nil, nil},
	{"C15", "gate.block: from a level it leaves out to another such", []edit{block("[MUST]")}, []edit{sub(http, "level: SHOULD", "level: PROFILE")}, nil, nil, nil},
	{"C15", "gate.block: into a level it names", []edit{block("[MUST]")}, []edit{sub(http, "level: SHOULD", "level: MUST")}, []string{decl + `topic.http#level "SHOULD" → "MUST"`}, nil, nil},
	{"C15", "gate.block: out of a level it names", []edit{block("[MUST]")}, []edit{sub(api, "level: MUST", "level: SHOULD")}, []string{decl + `topic.api#level "MUST" → "SHOULD"`}, nil, nil},
	{"C15", "gate.block: any declaration of a level it leaves out", []edit{block("[MUST]")}, []edit{sub(http, "role: topic", "role: core"), sub(http, "requires: [topic.api]", "requires: []")}, nil, nil, nil},
	{"C7 B1", "gate.block narrowed in the same change counts from the next on", nil, []edit{block("[MUST]"), raise("http.codes", 1, 2)},
		[]string{decl + `manifest#gate.block ["MUST","PROFILE","SHOULD"] → ["MUST"]`, codesDoc}, nil, nil},
	{"C7 B1", "gate.block widened in the same change counts from the next on", []edit{block("[SHOULD]")}, []edit{sub(manifest, "[SHOULD]", "[MUST, SHOULD]"), raise("api.names", 1, 2)},
		[]string{decl + `manifest#gate.block ["SHOULD"] → ["MUST","SHOULD"]`}, nil, nil},

	{"C7", "manifest: gate.base", []edit{gated()}, []edit{sub(manifest, "base: main", "base: trunk")}, []string{decl + `manifest#gate.base "main" → "trunk"`}, nil, nil},
	{"C7", "manifest: gate.protected", []edit{gated()}, []edit{sub(manifest, "[main]", "[main, dev]")}, []string{decl + `manifest#gate.protected ["main"] → ["dev","main"]`}, nil, nil},
	{"C7", "manifest: gate.block", []edit{gated()}, []edit{sub(manifest, "[MUST]", "[MUST, SHOULD]")}, []string{decl + `manifest#gate.block ["MUST"] → ["MUST","SHOULD"]`}, nil, nil},
	{"C7", "manifest: gate.commit", []edit{gated()}, []edit{sub(manifest, "commit: all", "commit: mine")}, []string{decl + `manifest#gate.commit "all" → "mine"`}, nil, nil},
	{"C7", "manifest: gate.push", []edit{gated()}, []edit{sub(manifest, "push: warn", "push: all")}, []string{decl + `manifest#gate.push "warn" → "all"`}, nil, nil},
	{"C7", "manifest: gate.require-applicable", []edit{gated()}, []edit{sub(manifest, "applicable: true", "applicable: false")}, []string{decl + "manifest#gate.require-applicable true → false"}, nil, nil},
	{"C7", "manifest: a key of gate taken out", []edit{gated()}, []edit{sub(manifest, "base: main, ", "")}, []string{decl + `manifest#gate.base "main" → null`}, nil, nil},
	{"C7", "manifest: gate added is each of its keys", nil, []edit{gated()}, []string{decl + `manifest#gate.base null → "main"`, decl + `manifest#gate.protected null → ["main"]`,
		decl + `manifest#gate.block ["MUST","PROFILE","SHOULD"] → ["MUST"]`, decl + `manifest#gate.commit "mine" → "all"`, decl + `manifest#gate.push "mine" → "warn"`,
		decl + "manifest#gate.require-applicable false → true"}, nil, nil},
	{"C7", "manifest: a glob more", []edit{write("policies/x.md", strings.NewReplacer("topic.log", "topic.x", "log.line", "x.line").Replace(newModule))},
		[]edit{sub(manifest, `["standards/**/*.md"]`, `["standards/**/*.md", "policies/*.md"]`)}, []string{decl + `manifest#modules ["standards/**/*.md"] → ["policies/*.md","standards/**/*.md"]`,
			"consumer-review unit-added x.line > src/main.go implementation-projection", "consumer-review unit-added x.line > topic.http normative-consumer"}, nil, nil},
	{"C7", "manifest: other globs of the same modules", nil, []edit{sub(manifest, "standards/**/*.md", "standards/*.md")}, []string{decl + `manifest#modules ["standards/**/*.md"] → ["standards/*.md"]`}, nil, nil},
	{"C7 C5", "manifest: a module falls out of the globs", nil, []edit{sub(manifest, `"standards/**/*.md"`, `"standards/{api,glossary}.md"`), sub(api, moduleEdge, ""), stones(api, "{id: http.codes, retired-revision: 1}")},
		[]string{decl + `manifest#modules ["standards/**/*.md"] → ["standards/{api,glossary}.md"]`, decl + "topic.http#module … → null",
			decl + "api.errors#consumers.normative-consumer.module:topic.http … → null", gone("http.codes", "docs/errors.md")}, nil, nil},
	{"C5", "manifest: a module falls out of the globs unsaid", nil, []edit{sub(manifest, `"standards/**/*.md"`, `"standards/{api,glossary}.md"`), sub(api, moduleEdge, "")},
		nil, nil, []string{"UNIT.REMOVED " + http + ":1"}},
	{"C15", "manifest: a REFERENCE module falls out of the globs", nil, []edit{sub(manifest, `"standards/**/*.md"`, `"standards/{api,http}.md"`), stones(api, "{id: glossary.code, retired-revision: 1}")},
		[]string{decl + `manifest#modules ["standards/**/*.md"] → ["standards/{api,http}.md"]`}, nil, nil},
	{"C7", "manifest: removed is one question", nil, []edit{remove(manifest)}, []string{decl + `manifest#modules ["standards/**/*.md"] → null`}, nil, nil},
	{"C7", "manifest: removed with all that it names", nil, []edit{remove(manifest), remove(api), remove(http), remove(glossary), remove("docs/errors.md")}, []string{decl + `manifest#modules ["standards/**/*.md"] → null`}, nil, nil},
	{"C14", "manifest: defaults written out", nil, []edit{sub(manifest, "version: 1\n", "version: 1\ngate: {block: [SHOULD, PROFILE, MUST], commit: mine, push: mine, require-applicable: false}\n")}, nil, nil, nil},
	{"C14", "manifest: order of globs and of protected", []edit{sub(manifest, "version: 1\n", "version: 1\ngate: {protected: [main, dev]}\n"), sub(manifest, `["standards/**/*.md"]`, `["standards/a*.md", "standards/*.md"]`)},
		[]edit{sub(manifest, "[main, dev]", "[dev, main]"), sub(manifest, `["standards/a*.md", "standards/*.md"]`, `["standards/*.md", "standards/a*.md"]`)}, nil, nil, nil},
	{"A5", "manifest: a link is no removal", nil, []edit{write(manifest, contenttest.Symlink)}, nil, nil, []string{"MANIFEST.NOT_A_FILE " + manifest + ":1"}},
	{"A", "invalid text comes before any question", nil, []edit{sub(http, "role: topic", "role: core"), sub(api, "[Names]", "[Nmaes]")}, nil, nil, []string{"MODULE.HEADING_MISSING " + api + ":9"}},
}

var deletions = []editRow{
	{"C12", "a path", nil, []edit{remove("docs/names.md")}, []string{deleted("api.names", "docs/names.md")}, nil, nil},
	{"C12", "a path becomes a link (A7)", nil, []edit{write("docs/names.md", contenttest.Symlink)}, []string{deleted("api.names", "docs/names.md")}, nil, nil},
	{"C12", "a path becomes a submodule (A7)", nil, []edit{write("docs/names.md", contenttest.Gitlink)}, []string{deleted("api.names", "docs/names.md")}, nil, nil},
	{"C12", "a path becomes a folder (A7)", nil, []edit{remove("docs/names.md"), write("docs/names.md/x", "x")}, []string{deleted("api.names", "docs/names.md")}, nil, nil},
	{"C12", "a path that was not there", []edit{remove("docs/names.md")}, []edit{write("README", "x")}, nil, nil, nil},
	{"C12", "a path that was a link and goes", []edit{write("docs/names.md", contenttest.Symlink)}, []edit{remove("docs/names.md")}, nil, nil, nil},
	{"C12", "the last file of a glob", []edit{remove("src/err/b.go")}, []edit{remove("src/err/a.go")}, []string{reviewed(question.ConsumerDeleted, "api.errors", "src/err/a.go", "implementation-projection") + " +"}, nil, nil},
	{"C12", "all files of a glob at once", nil, []edit{remove("src/err/a.go"), remove("src/err/b.go")}, []string{
		reviewed(question.ConsumerDeleted, "api.errors", "src/err/a.go", "implementation-projection") + " +", reviewed(question.ConsumerDeleted, "api.errors", "src/err/b.go", "implementation-projection") + " +"}, nil, nil},
	{"C12", "one of several files of a glob is told of", nil, []edit{remove("src/err/a.go")}, nil, []string{ask.DeletedCode + " " + api + ":12"}, nil},
	{"C12", "one of several files of a glob becomes a link", nil, []edit{write("src/err/a.go", contenttest.Symlink)}, nil, []string{ask.DeletedCode + " " + api + ":12"}, nil},
	{"C1 C12", "a path of a raised unit is asked once", nil, []edit{raise("api.names", 1, 2), remove("docs/names.md")}, []string{namesDoc + " +"}, nil, nil},
	{"C1 C12", "all files of a glob of a raised unit", nil, []edit{raise("api.errors", 1, 2), remove("src/err/a.go"), remove("src/err/b.go")}, []string{errorsDoc, errorsA + " +", errorsB + " +", errorsHTTP}, nil, nil},
	{"C2 C12", "a path of a unit whose text changed", nil, []edit{sub(api, "lower case", "upper case"), remove("docs/names.md")}, []string{namesText, deleted("api.names", "docs/names.md")}, nil, nil},
	{"C15 C12", "a path of two edges, and of a REFERENCE one", nil, []edit{remove("docs/errors.md")}, []string{deleted("api.errors", "docs/errors.md"), deleted("http.codes", "docs/errors.md")}, nil, nil},
	{"C15 C12", "a path of two relations", []edit{andEdge(strings.Replace(namesEdge, "documentation-", "template-", 1))}, []edit{remove("docs/names.md")}, []string{
		deleted("api.names", "docs/names.md"), reviewed(question.ConsumerDeleted, "api.names", "docs/names.md", "template-projection") + " +"}, nil, nil},
	{"C15 C12", "a path to which a glob of the same relation leads as well is one question", []edit{andEdge(edgeRow(`glob: "docs/n*.md"`))}, []edit{remove("docs/names.md")},
		[]string{deleted("api.names", "docs/names.md")}, nil, nil},
	{"C15 C12", "a REFERENCE unit's", []edit{sub(api, "path: docs/errors.md", "path: src/main.go"), sub(http, "path: docs/errors.md", "path: src/main.go")}, []edit{remove("docs/errors.md")}, nil, nil, nil},
	{"C15 C12", "one of a level that gate.block leaves out", []edit{block("[SHOULD]")}, []edit{remove("docs/names.md")}, nil, nil, nil},
	{"C7", "with its edge", nil, []edit{remove("docs/names.md"), sub(api, namesEdge, "")}, []string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → null"}, nil, nil},
	{"C7", "files of a glob with their edge", nil, []edit{remove("src/err/a.go"), remove("src/err/b.go"), sub(api, globEdge, "")},
		[]string{decl + "api.errors#consumers.implementation-projection.glob:src/err/*.go … → null"}, nil, nil},
	{"C12", "with the rationale of its edge", nil, []edit{remove("docs/names.md"), sub(api, "docs/names.md, rel", "docs/names.md, rationale: why, rel")}, []string{deleted("api.names", "docs/names.md")}, nil, nil},
	{"C7 C12", "with the evidence-owner of its edge", nil, []edit{remove("docs/names.md"), sub(api, "docs/names.md, rel", "docs/names.md, evidence-owner: ann, rel")},
		[]string{deleted("api.names", "docs/names.md"), decl + "api.names#consumers.documentation-projection.path:docs/names.md … → …"}, nil, nil},
	{"C12 C6", "while its path is widened to a glob", nil, []edit{remove("docs/names.md"), retarget(`glob: "docs/*.md"`)}, []string{deleted("api.names", "docs/names.md"), added("api.names", "docs/errors.md")}, nil, nil},
	{"C12 C6", "one of several while the glob is widened", nil, []edit{remove("src/err/a.go"), reglob(`glob: "src/**/*.go"`)},
		[]string{reviewed(question.ConsumerAdded, "api.errors", "src/main.go", "implementation-projection")}, []string{ask.DeletedCode + " " + api + ":12"}, nil},
	{"C12 C6", "one of several while the glob is widened, below a longer front matter", nil, []edit{remove("src/err/a.go"), reglob(`glob: "src/**/*.go"`), key(api, "title: The API")},
		[]string{reviewed(question.ConsumerAdded, "api.errors", "src/main.go", "implementation-projection")}, []string{ask.DeletedCode + " " + api + ":13"}, nil},
	{"C12 C6", "all of a glob while it is widened", nil, []edit{remove("src/err/a.go"), remove("src/err/b.go"), reglob(`glob: "src/**/*.go"`)}, []string{
		reviewed(question.ConsumerAdded, "api.errors", "src/main.go", "implementation-projection"),
		reviewed(question.ConsumerDeleted, "api.errors", "src/err/a.go", "implementation-projection") + " +", reviewed(question.ConsumerDeleted, "api.errors", "src/err/b.go", "implementation-projection") + " +"}, nil, nil},
	{"C12", "while its edge moves to another module's front matter", nil, []edit{remove("docs/names.md"), sub(api, namesEdge, ""), sub(http, "  consumers:\n", "  consumers:\n"+namesEdge)},
		[]string{deleted("api.names", "docs/names.md")}, nil, nil},
}

var moves = []editRow{
	{"C13", "a path", nil, []edit{move("docs/names.md", "docs/naming.md")}, nil, []string{ask.CarriedCode + " " + api + ":14"}, nil},
	{"C13", "a path to another folder", nil, []edit{move("docs/names.md", "a/b/c")}, nil, []string{ask.CarriedCode + " " + api + ":14"}, nil},
	{"C13", "a path and its edge", nil, []edit{move("docs/names.md", "docs/naming.md"), retarget("path: docs/naming.md")}, nil, nil, nil},
	{"C12", "a path, and changed", nil, []edit{remove("docs/names.md"), write("docs/naming.md", "Names!\n")}, []string{deleted("api.names", "docs/names.md")}, nil, nil},
	{"C7 C6", "a path, and changed, and its edge", nil, []edit{remove("docs/names.md"), write("docs/naming.md", "Names!\n"), retarget("path: docs/naming.md")},
		[]string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → null", added("api.names", "docs/naming.md") + " +"}, nil, nil},
	{"C12", "a path to two new ones", nil, []edit{move("docs/names.md", "docs/naming.md"), write("docs/naming2.md", "Names.\n")}, []string{deleted("api.names", "docs/names.md")}, nil, nil},
	{"C7 C6", "a path to two new ones, and its edge to one of them", nil, []edit{move("docs/names.md", "docs/naming.md"), write("docs/naming2.md", "Names.\n"), retarget("path: docs/naming.md")},
		[]string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → null", added("api.names", "docs/naming.md") + " +"}, nil, nil},
	{"C16", "a copy", nil, []edit{write("docs/naming.md", "Names.\n")}, nil, nil, nil},
	{"C12", "its bytes stand at an older path", []edit{write("docs/naming.md", "Names.\n")}, []edit{remove("docs/names.md")}, []string{deleted("api.names", "docs/names.md")}, nil, nil},
	{"C12", "onto an older path that held other bytes", []edit{write("docs/naming.md", "x")}, []edit{remove("docs/names.md"), write("docs/naming.md", "Names.\n")}, []string{deleted("api.names", "docs/names.md")}, nil, nil},
	{"C13", "its bytes stand at an older path and at one new one", []edit{write("docs/naming.md", "Names.\n")}, []edit{move("docs/names.md", "docs/n.md")}, nil, []string{ask.CarriedCode + " " + api + ":14"}, nil},
	{"C16", "two paths swapped", nil, []edit{write("docs/names.md", "Errors.\n"), write("docs/errors.md", "Names.\n")}, nil, nil, nil},
	{"C12 A10", "into the folder of decisions", nil, []edit{move("docs/names.md", "standards/decisions/names.md")}, []string{deleted("api.names", "docs/names.md")}, nil, nil},
	{"C12 A7", "into a link", nil, []edit{remove("docs/names.md"), write("docs/naming.md", contenttest.Symlink)}, []string{deleted("api.names", "docs/names.md")}, nil, nil},
	{"C13", "a glob whose folder moved", nil, []edit{move("src/err/a.go", "src/errors/a.go"), move("src/err/b.go", "src/errors/b.go")}, nil, []string{ask.CarriedCode + " " + api + ":12"}, nil},
	{"C13", "a glob whose folder moved, and its edge", nil, []edit{move("src/err/a.go", "src/errors/a.go"), move("src/err/b.go", "src/errors/b.go"), reglob(`glob: "src/errors/*.go"`)}, nil, nil, nil},
	{"C13 C6", "a glob whose folder moved to where more is, and its edge", []edit{write("src/errors/c.go", "c")},
		[]edit{move("src/err/a.go", "src/errors/a.go"), move("src/err/b.go", "src/errors/b.go"), reglob(`glob: "src/errors/*.go"`)},
		[]string{reviewed(question.ConsumerAdded, "api.errors", "src/errors/c.go", "implementation-projection")}, nil, nil},
	{"C13", "the last file of a glob", []edit{remove("src/err/b.go")}, []edit{move("src/err/a.go", "src/a.go")}, nil, []string{ask.CarriedCode + " " + api + ":12"}, nil},
	{"C12", "a glob of which one file moved and one changed", nil, []edit{move("src/err/a.go", "src/errors/a.go"), remove("src/err/b.go"), write("src/errors/b.go", "b")}, []string{
		reviewed(question.ConsumerDeleted, "api.errors", "src/err/a.go", "implementation-projection") + " +", reviewed(question.ConsumerDeleted, "api.errors", "src/err/b.go", "implementation-projection") + " +"}, nil, nil},
	{"C12", "a glob whose files moved to two folders", nil, []edit{move("src/err/a.go", "src/errors/a.go"), move("src/err/b.go", "src/faults/b.go")}, []string{
		reviewed(question.ConsumerDeleted, "api.errors", "src/err/a.go", "implementation-projection") + " +", reviewed(question.ConsumerDeleted, "api.errors", "src/err/b.go", "implementation-projection") + " +"}, nil, nil},
	{"C16", "a file of a glob gets another name below it", nil, []edit{move("src/err/a.go", "src/err/c.go")}, nil, nil, nil},
	{"C16", "all files of a glob get other names below it", nil, []edit{move("src/err/a.go", "src/err/c.go"), move("src/err/b.go", "src/err/d.go")}, nil, nil, nil},
	{"C12", "one of several files of a glob moves out of it", nil, []edit{move("src/err/a.go", "src/a.go")}, nil, []string{ask.DeletedCode + " " + api + ":12"}, nil},
	{"C1 C13", "a path of a raised unit: asked where it is now", nil, []edit{raise("api.names", 1, 2), move("docs/names.md", "docs/naming.md")},
		[]string{"consumer-review unit-changed api.names > docs/naming.md documentation-projection"}, []string{ask.CarriedCode + " " + api + ":14"}, nil},
	{"C1 C13", "a path of a raised unit, and its edge: asked the same", nil, []edit{raise("api.names", 1, 2), move("docs/names.md", "docs/naming.md"), retarget("path: docs/naming.md")},
		[]string{"consumer-review unit-changed api.names > docs/naming.md documentation-projection"}, nil, nil},
	{"C13 C15", "a path of two edges, and of a REFERENCE one that asks nothing", nil, []edit{move("docs/errors.md", "docs/faults.md")}, nil, []string{ask.CarriedCode + " " + api + ":11", ask.CarriedCode + " " + http + ":10"}, nil},
	{"C13", "a path of two edges, one of them edited", nil, []edit{move("docs/errors.md", "docs/faults.md"), sub(api, "path: docs/errors.md", "path: docs/faults.md")}, nil, []string{ask.CarriedCode + " " + http + ":10"}, nil},
	{"C2 C13", "a path of a unit whose text changed", nil, []edit{sub(api, "lower case", "upper case"), move("docs/names.md", "docs/naming.md")}, []string{namesText}, []string{ask.CarriedCode + " " + api + ":14"}, nil},
	{"C7", "a path, and its edge dropped", nil, []edit{move("docs/names.md", "docs/naming.md"), sub(api, namesEdge, "")}, []string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → null"}, nil, nil},
	{"C5", "a path, and its unit removed", nil, []edit{move("docs/names.md", "docs/naming.md"), dropNames(), stones(api, stoneRow)}, []string{gone("api.names", "docs/names.md") + " +"}, nil, nil},
	{"C13 C6", "a path, and its edge replaced by a glob that leads there and to more", nil, []edit{move("docs/names.md", "doc/names.md"), write("doc/x.md", "x"), retarget(`glob: "doc/*.md"`)},
		[]string{added("api.names", "doc/x.md") + " +"}, nil, nil},
	{"C12 C6", "a path, and its edge widened to a glob that does not lead there", nil, []edit{move("docs/names.md", "doc/names.md"), retarget(`glob: "docs/*.md"`)},
		[]string{deleted("api.names", "docs/names.md"), added("api.names", "docs/errors.md")}, nil, nil},
	{"C13", "two paths at once", nil, []edit{move("docs/names.md", "doc/names.md"), move("docs/errors.md", "doc/errors.md")}, nil,
		[]string{ask.CarriedCode + " " + api + ":11", ask.CarriedCode + " " + api + ":14", ask.CarriedCode + " " + http + ":10"}, nil},
	{"C12", "two paths of the same bytes to two new ones", []edit{write("docs/errors.md", "Names.\n"), sub(http, "docs/errors.md", "src/main.go")}, []edit{move("docs/names.md", "doc/names.md"), move("docs/errors.md", "doc/errors.md")},
		[]string{deleted("api.names", "docs/names.md"), deleted("api.errors", "docs/errors.md")}, nil, nil},
	{"C12", "two paths of the same bytes, to one new one: nobody can say which it is", []edit{write("docs/errors.md", "Names.\n"), sub(http, "docs/errors.md", "src/main.go")}, []edit{move("docs/names.md", "doc/names.md"), remove("docs/errors.md")},
		[]string{deleted("api.names", "docs/names.md"), deleted("api.errors", "docs/errors.md")}, nil, nil},
	{"C12", "a path without a byte: any new empty file would be it", []edit{write("docs/names.md", "")}, []edit{move("docs/names.md", "doc/names.md")}, []string{deleted("api.names", "docs/names.md")}, nil, nil},
	{"C5 C4", "another id that keeps the lineage it had",
		[]edit{sub(api, "{id: api.names, heading: [Names], revision: 1}", "{id: api.names, heading: [Names], revision: 1, predecessors: [api.old]}")},
		[]edit{sub(api, "{id: api.names, heading: [Names], revision: 1, predecessors: [api.old]}", "{id: api.titles, heading: [Names], revision: 1, predecessors: [api.old, api.names]}"),
			sub(api, "{unit: api.names, path", "{unit: api.titles, path")},
		[]string{gone("api.names", "docs/names.md"), reviewed(question.UnitAdded, "api.titles", "docs/names.md", "documentation-projection")},
		[]string{"REQUIRES.UNIT_ADDED " + http + ":2"}, nil},
	{"C13", "a glob's last file, and a new row that names it", nil, []edit{remove("src/err/b.go"), move("src/err/a.go", "docs/a.go"),
		sub(api, namesEdge, namesEdge+strings.NewReplacer("api.names", "api.errors", "docs/names.md", "docs/a.go", "documentation-", "implementation-").Replace(namesEdge))},
		[]string{reviewed(question.ConsumerDeleted, "api.errors", "src/err/b.go", "implementation-projection") + " +"}, nil, nil},
	{"C13 C15", "one of a level that gate.block leaves out", []edit{block("[SHOULD]")}, []edit{move("docs/names.md", "docs/naming.md")}, nil, nil, nil},
}

var freedoms = []editRow{
	{"C14", "title of the module", nil, []edit{key(api, "title: The API")}, nil, nil, nil},
	{"C14", "title and prose taken out", []edit{key(api, "title: The API"), key(api, "applies-when: there is one"), key(api, "does-not-apply-when: never")},
		[]edit{sub(api, "  title: The API\n", ""), sub(api, "  applies-when: there is one\n", ""), sub(api, "  does-not-apply-when: never\n", "")}, nil, nil, nil},
	{"C14", "rationale changed", []edit{sub(api, "docs/names.md, rel", "docs/names.md, rationale: why, rel")}, []edit{sub(api, "rationale: why", "rationale: because")}, nil, nil, nil},
	{"C14", "a tombstone that a removal needs, in any module", nil, []edit{dropNames(), stones(glossary, stoneRow)}, []string{gone("api.names", "docs/names.md")}, nil, nil},
	{"C14", "a tombstone moved to another module", []edit{stones(http, "{id: http.old, retired-revision: 1}")}, []edit{sub(http, "  tombstones: [{id: http.old, retired-revision: 1}]\n", ""), stones(api, "{id: http.old, retired-revision: 1}")}, nil, nil, nil},
	{"C14", "order of aliases and predecessors", []edit{sub(api, "[Names], revision: 1", "[Names], revision: 1, aliases: [api.a, api.b], predecessors: [api.c, api.d]")},
		[]edit{sub(api, "[api.a, api.b]", "[api.b, api.a]"), sub(api, "[api.c, api.d]", "[api.d, api.c]")}, nil, nil, nil},
	{"C14", "empty lists written out", nil, []edit{sub(api, "[Names], revision: 1", "[Names], revision: 1, aliases: [], predecessors: [], successors: []"), key(api, "requires: []"), key(api, "specializes: []"), key(api, "tombstones: []")}, nil, nil, nil},
	{"C14", "a module without edges added", nil, []edit{write("standards/x.md", "---\nstandard: {id: topic.x, role: topic, level: MUST}\n---\n# X\n")}, nil, nil, nil},
	{"C14", "a new unit's lineage", nil, []edit{sub(api, namesRow, namesRow+"    - {id: api.dates, heading: [Dates], revision: 1, aliases: [api.days], predecessors: [api.names], successors: [api.errors]}\n"),
		sub(api, namesTitle, namesTitle+"\n## Dates\n\nDates are UTC.\n")}, nil, []string{told}, nil},
	{"C16", "a file that nothing names deleted", []edit{write("README", "x")}, []edit{remove("README")}, nil, nil, nil},
	{"A10", "a decision file deleted", []edit{write("standards/decisions/x/notes.txt", "x")}, []edit{remove("standards/decisions/x/notes.txt")}, nil, nil, nil},
}

const (
	broken   = "---\nstandard:\n  id: topic.broken\n  role: topic\n  level: MUST\n  units: [{id: broken.unit, heading: [Unit], revision: 1}]\n  consumers: [{unit: broken.unit, path: src/main.go, relation: fixture-projection}]\n---\n# Broken\n\n## Units\n\nText.\n"
	brokenAt = "standards/broken.md"
	repair   = "impact-review base-invalid "
)

var repairs = []editRow{
	{"B7", "a broken module repaired", []edit{write(brokenAt, broken)}, []edit{sub(brokenAt, "## Units", "## Unit")}, []string{repair + brokenAt}, nil, nil},
	{"B7", "a broken module removed", []edit{write(brokenAt, broken)}, []edit{remove(brokenAt)}, []string{repair + brokenAt}, nil, nil},
	{"B7", "a broken module replaced by another", []edit{write(brokenAt, broken)}, []edit{write(brokenAt, newModule)}, []string{repair + brokenAt}, nil, nil},
	{"B7", "a broken module moved and repaired", []edit{write(brokenAt, broken)}, []edit{move(brokenAt, "standards/mended.md"), sub("standards/mended.md", "## Units", "## Unit")}, []string{repair + brokenAt}, nil, nil},
	{"B7", "a broken module becomes other text", []edit{write(brokenAt, broken)}, []edit{write(brokenAt, "# Broken\n")}, []string{repair + brokenAt}, nil, nil},
	{"B7", "a gate.block that cannot be read leaves nobody unasked", []edit{sub(manifest, "version: 1\n", "version: 1\ngate: {block: [NIX]}\n")},
		[]edit{write(manifest, base()[manifest]), sub(api, "lower case", "upper case")}, []string{repair + manifest, namesText}, nil, nil},
	{"B7", "a second module of a broken file's id is intact", []edit{write("standards/zz.md", base()[api])},
		[]edit{remove("standards/zz.md"), sub(api, "a client sees", "clients see")}, []string{repair + "standards/zz.md", apiText}, nil, nil},
	{"B7", "a broken module that others require and watch", []edit{sub(api, "[Names]", "[Nmaes]")}, []edit{sub(api, "[Nmaes]", "[Names]")}, []string{repair + api}, nil, nil},
	{"B7", "nothing of its units, whatever else it changes", []edit{sub(api, "[Names]", "[Nmaes]")}, []edit{sub(api, "[Nmaes]", "[Names]"), raise("api.errors", 1, 5), sub(api, "lower case", "upper case"), sub(api, "level: MUST", "level: SHOULD")},
		[]string{repair + api}, nil, nil},
	{"B7", "another module is asked as ever", []edit{write(brokenAt, broken)}, []edit{sub(brokenAt, "## Units", "## Unit"), raise("api.names", 1, 2), sub(http, "is 404", "is 410")}, []string{repair + brokenAt, namesDoc, codesText}, nil, nil},
	{"B7", "two broken modules are two questions", []edit{write(brokenAt, broken), sub(http, "[Codes]", "[Cods]")}, []edit{sub(brokenAt, "## Units", "## Unit"), sub(http, "[Cods]", "[Codes]")}, []string{repair + brokenAt, repair + http}, nil, nil},
	{"B7", "a module that is no YAML", []edit{write(brokenAt, strings.Replace(broken, "role: topic", "role: [", 1))}, []edit{write(brokenAt, newModule)}, []string{repair + brokenAt}, nil, nil},
	{"B7", "a module that is not UTF-8", []edit{write(brokenAt, strings.Replace(broken, "Text.", "\xff", 1))}, []edit{write(brokenAt, newModule)}, []string{repair + brokenAt}, nil, nil},
	{"B7", "front matter that nothing closes", []edit{write(brokenAt, "---\nstandard:\n  id: x\n")}, []edit{remove(brokenAt)}, []string{repair + brokenAt}, nil, nil},
	{"B7", "a module's id twice: the second file", []edit{write("standards/zz.md", strings.Replace(newModule, "topic.log", "topic.api", 1))}, []edit{write("standards/zz.md", newModule)}, []string{repair + "standards/zz.md"}, nil, nil},
	{"B7", "a unit's id twice: the second file", []edit{write("standards/zz.md", strings.ReplaceAll(newModule, "log.line", "api.names"))}, []edit{remove("standards/zz.md")}, []string{repair + "standards/zz.md"}, nil, nil},
	{"B7", "a manifest that is no YAML", []edit{write(manifest, "version: [")}, []edit{write(manifest, base()[manifest])}, []string{repair + manifest}, nil, nil},
	{"B7", "a manifest with an unknown key: its modules can be read", []edit{sub(manifest, "version: 1\n", "version: 1\nmodule: x\n")}, []edit{sub(manifest, "module: x\n", ""), raise("api.names", 1, 2)}, []string{repair + manifest, namesDoc}, nil, nil},
	{"B7", "a manifest that is a link", []edit{write(manifest, contenttest.Symlink)}, []edit{write(manifest, base()[manifest])}, []string{repair + manifest}, nil, nil},
	{"B7", "a manifest removed instead", []edit{write(manifest, "version: [")}, []edit{remove(manifest)}, []string{repair + manifest}, nil, nil},
	{"B7", "a manifest glob without a module mended", []edit{sub(manifest, `"standards/**/*.md"`, `"standards/**/*.md", "adr/*.md"`)}, []edit{sub(manifest, `, "adr/*.md"`, "")},
		[]string{decl + `manifest#modules ["adr/*.md","standards/**/*.md"] → ["standards/**/*.md"]`}, nil, nil},
	{"B7", "a manifest glob without a module, and now with one", []edit{sub(manifest, `"standards/**/*.md"`, `"standards/**/*.md", "adr/*.md"`)}, []edit{write("adr/log.md", newModule)},
		[]string{"consumer-review unit-added log.line > src/main.go implementation-projection", "consumer-review unit-added log.line > topic.http normative-consumer"}, nil, nil},
	{"B7", "an edge of an unknown unit dropped", []edit{andEdge(strings.Replace(edgeRow("path: src/main.go"), "api.names", "api.nmaes", 1))}, []edit{sub(api, "    - {unit: api.nmaes, path: src/main.go, relation: documentation-projection}\n", "")}, nil, nil, nil},
	{"B7 C6", "an edge of an unknown unit mended is a new one", []edit{andEdge(strings.Replace(edgeRow("path: src/main.go"), "api.names", "api.nmaes", 1))}, []edit{sub(api, "api.nmaes", "api.names")}, []string{added("api.names", "src/main.go")}, nil, nil},
	{"B7 C4", "the unit it names added", []edit{andEdge(strings.Replace(edgeRow("path: src/main.go"), "api.names", "api.dates", 1))}, []edit{sub(api, namesRow, namesRow+dates), sub(api, namesTitle, namesTitle+"\n## Dates\n\nDates are UTC.\n")},
		[]string{reviewed(question.UnitAdded, "api.dates", "src/main.go", "documentation-projection")}, []string{told}, nil},
	{"B7", "an edge to an unknown module dropped", []edit{andEdge(edgeRow("module: topic.gone"))}, []edit{sub(api, edgeRow("module: topic.gone"), "")}, nil, nil, nil},
	{"B7 C6", "an edge to an unknown module mended is a new one", []edit{andEdge(edgeRow("module: topic.gone"))}, []edit{sub(api, "topic.gone", "topic.http")}, []string{added("api.names", "topic.http")}, nil, nil},
	{"B7", "requires of an unknown module dropped", []edit{sub(http, "[topic.api]", "[topic.api, topic.gone]")}, []edit{sub(http, ", topic.gone", "")}, nil, nil, nil},
	{"B7 C7", "requires of an unknown module mended", []edit{sub(http, "[topic.api]", "[topic.api, topic.gone]")}, []edit{sub(http, "topic.gone", "ref.glossary")},
		[]string{decl + `topic.http#requires ["topic.api"] → ["ref.glossary","topic.api"]`}, nil, nil},
	{"B7", "still broken is refused", []edit{write(brokenAt, broken)}, []edit{sub(brokenAt, "Text.", "More.")}, nil, nil, []string{"MODULE.HEADING_MISSING " + brokenAt + ":6"}},
	{"B7", "left broken is refused", []edit{write(brokenAt, broken)}, []edit{raise("api.names", 1, 2)}, nil, nil, []string{"MODULE.HEADING_MISSING " + brokenAt + ":6"}},
	{"B7", "a broken manifest left broken is refused", []edit{write(manifest, "version: 2\nmodules: [\"standards/**/*.md\"]\n")}, []edit{raise("api.names", 1, 2)}, nil, nil, []string{"MANIFEST.VERSION " + manifest + ":1"}},
	{"B7", "a dangling reference left is refused", []edit{sub(http, "[topic.api]", "[topic.api, topic.gone]")}, []edit{raise("api.names", 1, 2)}, nil, nil, []string{"MODULE.REFERENCE_UNKNOWN " + http + ":6"}},
	{"B7", "a module broken by this change is refused", nil, []edit{write(brokenAt, broken)}, nil, nil, []string{"MODULE.HEADING_MISSING " + brokenAt + ":6"}},
}

func TestWhatAnEditAsks(t *testing.T) {
	t.Parallel()
	tables := map[string][]editRow{
		"unit removed": removals, "edge added": addedEdges, "declaration": declarations, "consumer deleted": deletions,
		"consumer moved": moves, "free": freedoms, "accepted side broken": repairs,
	}
	for table, rows := range tables {
		for _, row := range rows {
			t.Run(row.rule+" "+table+": "+row.name, func(t *testing.T) {
				t.Parallel()
				accepted := apply(t, base(), row.both...)
				proposed := apply(t, accepted, row.edits...)
				if len(row.refuse) > 0 {
					checkRefused(t, accepted, proposed, row.refuse)
					return
				}
				checkAsked(t, accepted, proposed, row.want, row.notices)
			})
		}
	}
}

// checkAsked judges two sides, as trees and as a worktree, and compares the questions and notices with those of a table.
func checkAsked(t *testing.T, accepted, proposed contenttest.Files, want, notices []string) {
	t.Helper()
	v := mustJudge(t, accepted, proposed)
	got := []string{}
	for i, q := range v.Asked {
		got = append(got, describe(q))
		if (q.Kind == question.ConsumerReview) != (q.Consumer != "") || strings.Contains(strings.Join(q.Results(), " "), "updated") != q.Updatable {
			t.Errorf("%s allows %q", describe(q), q.Results())
		}
		if i > 0 && slices.Compare(order(v.Asked[i-1]), order(q)) > 0 {
			t.Errorf("%s comes after %s", describe(q), describe(v.Asked[i-1]))
		}
		if q.File == "" || q.Line < 1 {
			t.Errorf("%s is nowhere", describe(q))
		}
		if target, ok := q.Record["consumer"].(identity.Record); ok && target["path"] != nil {
			bytes := question.Absent
			if text, here := proposed[q.Consumer]; here && text != contenttest.Symlink && text != contenttest.Gitlink {
				bytes = identity.Bytes([]byte(text))
			}
			if q.Record["bytes"] != bytes {
				t.Errorf("%s is asked with the bytes %v, not %s", describe(q), q.Record["bytes"], bytes)
			}
		}
	}
	if diff := cmp.Diff(sortedTexts(want), sortedTexts(shorten(want, got))); diff != "" {
		t.Error(diff)
	}
	carried := map[string]bool{}
	said := []string{}
	for _, n := range v.Notices {
		said = append(said, n.Code+" "+n.Target)
		if n.Code == ask.CarriedCode {
			carried[n.Target] = true
		}
		if n.Message == "" {
			t.Errorf("%s says nothing", n.Code)
		}
	}
	if diff := cmp.Diff(sortedTexts(notices), sortedTexts(said)); diff != "" {
		t.Error(diff)
	}
	if v.Uncarried != len(carried) {
		t.Errorf("%d edges uncarried, %d carried", v.Uncarried, len(carried))
	}
	if v.Complete() != (len(want) == 0) || len(v.Open) != len(v.Asked) {
		t.Errorf("complete: %v, open: %d", v.Complete(), len(v.Open))
	}
	sameInAWorktree(t, v, accepted, proposed)
}

// order is the order of questions in SHAPES.
func order(q *question.Question) []string { return []string{q.Module, q.Unit, q.Kind, q.Consumer} }

func sortedTexts(list []string) []string {
	list = append([]string{}, list...)
	slices.Sort(list)
	return list
}

// shorten writes … for the values of declarations that a table leaves to doc/questions.md.
func shorten(want, got []string) []string {
	out := slices.Clone(got)
	for i, text := range got {
		name, values, _ := strings.Cut(strings.TrimPrefix(text, decl), " ")
		old, now, isDeclaration := strings.Cut(values, " → ")
		if !isDeclaration || slices.Contains(want, text) || old == now {
			continue
		}
		for _, values := range []string{"… → null", "null → …", "… → …"} {
			a, b, _ := strings.Cut(values, " → ")
			if (a == old || a == "…" && old != "null") && (b == now || b == "…" && now != "null") && slices.Contains(want, decl+name+" "+values) {
				out[i] = decl + name + " " + values
			}
		}
	}
	return out
}

// checkRefused wants exactly these findings, each with what to type next.
func checkRefused(t *testing.T, accepted, proposed contenttest.Files, want []string) {
	t.Helper()
	_, err := judgeFiles(t, accepted, proposed)
	var findings *corpus.FindingsError
	if !errors.As(err, &findings) {
		t.Fatalf("not refused: %v", err)
	}
	var got []string
	for _, f := range findings.Findings {
		if f.Severity != "error" {
			continue
		}
		got = append(got, fmt.Sprintf("%s %s:%d", f.Code, f.File, f.Line))
		if f.Line < 1 || f.Next == "" || f.Message == "" || f.Unsupported {
			t.Errorf("%+v", f)
		}
	}
	if diff := cmp.Diff(sortedTexts(want), sortedTexts(got)); diff != "" {
		t.Error(diff, list(err))
	}
	if _, inWorktree := judgeSources(t, accepted.Worktree(), proposed.Worktree(), everything(accepted, proposed)); list(inWorktree) != list(err) {
		t.Errorf("in a worktree: %v%s", inWorktree, list(inWorktree))
	}
}

// RULES C13: the edit that the notice prints asks nothing, and what it answers for stays answered.
func TestTheOneLineEditAsksNothing(t *testing.T) {
	t.Parallel()
	for _, row := range moves {
		if len(row.refuse) > 0 || !strings.Contains(strings.Join(row.notices, " "), ask.CarriedCode) {
			continue
		}
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			accepted := apply(t, base(), row.both...)
			proposed := apply(t, accepted, row.edits...)
			carried := mustJudge(t, accepted, proposed)
			for _, n := range carried.Notices {
				if n.Code != ask.CarriedCode {
					continue
				}
				_, says, ok := strings.Cut(n.Message, ": write ")
				file, number, _ := strings.Cut(n.Target, ":")
				lines := strings.SplitAfter(proposed[file], "\n")
				at, err := strconv.Atoi(number)
				if err != nil || !ok || at > len(lines) {
					t.Fatalf("%+v", n)
				}
				key, target, _ := strings.Cut(says, ": ")
				row := strings.SplitAfter(lines[at-1], ", ")
				for i, field := range row {
					if strings.HasPrefix(field, "path:") || strings.HasPrefix(field, "glob:") {
						row[i] = key + ": '" + strings.ReplaceAll(target, "'", "''") + "', "
					}
				}
				lines[at-1] = strings.Join(row, "")
				proposed[file] = strings.Join(lines, "")
			}
			edited := mustJudge(t, accepted, proposed)
			if diff := cmp.Diff(ids(carried.Asked), ids(edited.Asked)); diff != "" {
				t.Error(diff, "carried:", states(carried), "edited:", states(edited))
			}
			if edited.Uncarried != 0 || slices.ContainsFunc(edited.Notices, func(n ask.Notice) bool { return n.Code == ask.CarriedCode }) {
				t.Errorf("still told: %v", edited.Notices)
			}
		})
	}
}

// DESIGN 5: a name that no record can hold is refused only where somebody asks for the file. Whoever takes it out of the way, as
// the refusal says, is through.
func TestANameThatCannotBeRecordedCanBeTakenAway(t *testing.T) {
	t.Parallel()
	const odd = "src/err/\xff.go"
	for _, row := range []struct {
		name  string
		both  []edit
		edits []edit
	}{
		{"renamed", nil, []edit{move(odd, "src/err/c.go")}},
		{"renamed, and its unit raised", nil, []edit{move(odd, "src/err/c.go"), raise("api.errors", 1, 2)}},
		{"deleted, and its unit raised", nil, []edit{remove(odd), raise("api.errors", 1, 2)}},
		{"deleted, and its unit removed", nil, []edit{remove(odd), dropErrors(), stones(api, "{id: api.errors, retired-revision: 1}")}},
		{"deleted, the last file of its glob", []edit{remove("src/err/a.go"), remove("src/err/b.go")}, []edit{remove(odd)}},
	} {
		accepted := apply(t, base(), append([]edit{write(odd, "odd")}, row.both...)...)
		if _, err := judgeFiles(t, accepted, apply(t, accepted, row.edits...)); err != nil {
			t.Errorf("%s: %v%s", row.name, err, list(err))
		}
	}
}
