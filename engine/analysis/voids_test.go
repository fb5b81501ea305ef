package analysis

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/content/contenttest"
)

const (
	old   = "standards/old.md"
	dated = `---
standard:
  id: topic.old
  role: topic
  level: MUST
  units:
    - {id: old.a, heading: [A], revision: 1}
    - {id: old.b, heading: [B], revision: 3}
  consumers:
    - {unit: old.a, path: src/main.go, relation: implementation-projection}
    - {unit: old.b, glob: "lib/*.go", relation: implementation-projection}
---
# Old

## A

A holds.

## B

B holds.
`
	guideEdge = "    - {unit: api.errors, path: docs/guide.md, relation: template-projection}\n"
	oldAEdge  = "    - {unit: old.a, path: src/main.go, relation: implementation-projection}\n"
	oldARow   = "    - {id: old.a, heading: [A], revision: 1}\n"
	mainEdge  = "    - {unit: api.names, path: src/main.go, relation: documentation-projection}\n"
	codesDocs = "    - {unit: http.codes, path: docs/codes.md, relation: documentation-projection}\n"
	codesMore = "    - {unit: http.codes, path: docs/more.md, relation: documentation-projection}\n"
	httpStone = "{id: http.old, retired-revision: 1}"
	moreGone  = decl + "http.codes#consumers.documentation-projection.path:docs/more.md "
)

// landed is the accepted side of the scenario, and answered what its change asks, each under a short name.
func landed(t rapid.TB) contenttest.Files {
	return apply(t, base(), write(old, dated), write("lib/x.go", "x"), write("docs/guide.md", "Guide.\n"), write("docs/codes.md", "Codes.\n"),
		write("docs/more.md", "More.\n"), write(brokenAt, broken), sub(api, errorsEdge, errorsEdge+guideEdge), sub(http, "  consumers:\n", "  consumers:\n"+codesDocs+codesMore))
}

// change makes each kind of question that this version asks.
func changed(t rapid.TB, accepted contenttest.Files) contenttest.Files {
	return apply(t, accepted,
		raise("api.errors", 1, 2), sub(api, "a client sees", "clients see"), sub(api, "lower case", "upper case"), andEdge(mainEdge),
		sub(http, "level: SHOULD", "level: MUST"), stones(http, httpStone), sub(http, codesMore, ""), remove("docs/codes.md"),
		move("docs/guide.md", "docs/handbook.md"), sub(brokenAt, "## Units", "## Unit"),
		sub(manifest, "version: 1\n", "version: 1\ngate: {commit: all}\n"), write("standards/log.md", newModule),
		sub(old, oldARow, ""), sub(old, oldAEdge, ""), sub(old, "## A\n\nA holds.\n", ""), sub(old, "revision: 3", "revision: 2"), stones(old, "{id: old.a, retired-revision: 1}"))
}

var answered = map[string]string{
	"doc":     errorsDoc,
	"a":       errorsA,
	"b":       errorsB,
	"http":    errorsHTTP,
	"guide":   reviewed(question.UnitChanged, "api.errors", "docs/handbook.md", "template-projection"),
	"text":    namesText,
	"added":   added("api.names", "src/main.go"),
	"outside": apiText,
	"level":   decl + `topic.http#level "SHOULD" → "MUST"`,
	"stone":   decl + `http.old#tombstone null → {"evidence":null,"retired-revision":1,"successors":[]}`,
	"dropped": moreGone + "… → null",
	"deleted": reviewed(question.ConsumerDeleted, "http.codes", "docs/codes.md", "documentation-projection"),
	"repair":  repair + brokenAt,
	"commit":  decl + `manifest#gate.commit "mine" → "all"`,
	"main":    reviewed(question.UnitAdded, "log.line", "src/main.go", "implementation-projection"),
	"log":     reviewed(question.UnitAdded, "log.line", "topic.http", "normative-consumer"),
	"removed": reviewed(question.UnitRemoved, "old.a", "src/main.go", "implementation-projection"),
	"lowered": decl + "old.b#revision 3 → 2",
	"lib":     reviewed(question.UnitChanged, "old.b", "lib/x.go", "implementation-projection"),
}

// answerFile edits the file that holds one answer.
func answerFile(key string, change func(files contenttest.Files, name string)) edit {
	return func(t rapid.TB, files contenttest.Files) {
		t.Helper()
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if strings.HasSuffix(name, "/"+key+".yaml") {
				change(files, name)
				return
			}
		}
		t.Fatalf("no answer %s", key)
	}
}

func errorsAgain(state string) []string {
	return []string{state + errorsDoc, state + errorsA, state + errorsB, state + errorsHTTP, state + answered["guide"]}
}

const stale, open = "stale ", "open "

// voided is what an edit after all was answered does to the answers: which of them no longer count, and what is open then.
// An answer is void when, and only when, what it judged is other than it was (DESIGN 1, RULES D1, D2, E6).
var voided = []struct {
	rule, name string
	both       []edit // made on both sides, as by a merge of the base
	accepted   []edit // made where it lands, and by the change not
	edits      []edit // made by the change
	voids      []string
	open       []string
}{
	{"E6", "nothing", nil, nil, nil, nil, nil},
	{"D2", "a file that is no consumer", nil, nil, []edit{write("README", "x")}, nil, nil},
	{"D2", "a consumer that nothing asked about", nil, nil, []edit{write("docs/names.md", "x")}, nil, nil},
	{"D2", "a module's file renamed", nil, nil, []edit{move(api, "standards/web/api.md")}, nil, nil},
	{"D2", "the file of a new module renamed", nil, nil, []edit{move("standards/log.md", "standards/logs.md")}, nil, nil},
	{"D2", "the file of a module consumer renamed", nil, nil, []edit{move(http, "standards/web.md")}, nil, nil},
	{"D2 C14", "consumers in another order", nil, nil, []edit{sub(api, mainEdge, ""), sub(api, "  consumers:\n", "  consumers:\n"+mainEdge)}, nil, nil},
	{"D2 C14", "units and sections in another order", nil, nil, []edit{sub(api, namesRow, ""), sub(api, "  units:\n", "  units:\n"+namesRow),
		sub(api, "## Names\n\nNames are upper case.\n", ""), sub(api, "## Errors\n", "## Names\n\nNames are upper case.\n\n## Errors\n")}, nil, nil},
	{"D2 C14", "an edge in another module's front matter", nil, nil, []edit{sub(api, errorsEdge, ""), sub(http, "  consumers:\n", "  consumers:\n"+errorsEdge)}, nil, nil},
	{"D2 C14", "comments", nil, nil, []edit{sub(api, "  units:\n", "  # the units\n  units:\n"), sub(manifest, "version: 1\n", "version: 1 # one\n")}, nil, nil},
	{"D2 C14", "title, prose and rationale", nil, nil, []edit{key(api, "title: The API"), key(http, "applies-when: there is a server"), sub(api, "docs/errors.md, rel", "docs/errors.md, rationale: why, rel")}, nil, nil},
	{"D2 C3", "a paragraph wrapped anew", nil, nil, []edit{sub(api, "code that\nclients", "code\nthat clients")}, nil, nil},
	{"D2 C3", "blank lines", nil, nil, []edit{sub(api, "## Errors\n\n", "## Errors\n\n\n\n"), sub(http, "is 404.\n", "is 404.\n\n\n")}, nil, nil},
	{"D2 C3", "CRLF for LF", nil, nil, []edit{crlf(api), crlf(http), crlf("standards/log.md"), crlf(manifest)}, nil, nil},
	{"D2 C8", "a new unit beside", nil, nil, []edit{sub(api, namesRow, namesRow+dates), sub(api, "upper case.\n", "upper case.\n\n## Dates\n\nDates are UTC.\n")}, nil, nil},
	{"D2 C15", "a REFERENCE unit raised", nil, nil, []edit{sub(glossary, "revision: 1", "revision: 2")}, nil, nil},
	{"D2", "another unit raised: its own questions", nil, nil, []edit{raise("api.names", 1, 2)}, []string{"text", "added"},
		[]string{open + namesDoc, stale + reviewed(question.UnitChanged, "api.names", "src/main.go", "documentation-projection")}},
	{"D2", "a path that becomes a glob that leads there", nil, nil, []edit{sub(api, "path: docs/errors.md", `glob: "docs/err*.md"`)}, nil, nil},
	{"D2", "another declaration of the same module", nil, nil, []edit{key(http, "owner: ann")}, nil, []string{open + decl + `topic.http#owner null → "ann"`}},
	{"D2", "another key of the manifest", nil, nil, []edit{sub(manifest, "{commit: all}", "{commit: all, base: main}")}, nil, []string{open + decl + `manifest#gate.base null → "main"`}},
	{"D2", "a file more below a glob", nil, nil, []edit{write("src/err/c.go", "c")}, nil, []string{open + reviewed(question.UnitChanged, "api.errors", "src/err/c.go", "implementation-projection")}},
	{"D2", "evidence of a tombstone that a removal needs", nil, nil, []edit{sub(old, "{id: old.a, retired-revision: 1}", "{id: old.a, retired-revision: 1, evidence: minutes}")}, nil, nil},
	{"C13", "the one-line edit that a carried edge asks for", nil, nil, []edit{sub(api, "path: docs/guide.md", "path: docs/handbook.md")}, nil, nil},

	{"D2 E6", "a second answer by somebody else", nil, nil, []edit{answerFile("doc", func(f contenttest.Files, name string) {
		f["standards/decisions/x.yaml"] = strings.Replace(f[name], "principal: ann", "principal: bob", 1)
	})}, nil, nil},
	{"D2 E6", "an answer that answers nothing any more (history)", nil, nil, []edit{answerFile("doc", func(f contenttest.Files, name string) {
		f["standards/decisions/x.yaml"] = strings.Replace(f[name], "revision: 2", "revision: 9", 1)
	})}, nil, nil},
	{"E2", "a decision file under another name", nil, nil, []edit{answerFile("doc", func(f contenttest.Files, name string) { f["standards/decisions/x/y"] = f[name]; delete(f, name) })}, nil, nil},
	{"E1", "another rationale", nil, nil, []edit{answerFile("doc", func(f contenttest.Files, name string) {
		f[name] = strings.Replace(f[name], "looked", "looked twice", 1)
	})}, nil, nil},
	{"E1", "a decision file with CRLF", nil, nil, []edit{answerFile("doc", func(f contenttest.Files, name string) { f[name] = strings.ReplaceAll(f[name], "\n", "\r\n") })}, nil, nil},
	{"A10", "a README among the decisions", nil, nil, []edit{write("standards/decisions/README.md", "# Decisions\n")}, nil, nil},

	{"D2", "main's unrelated work: files, a module, a REFERENCE unit", []edit{write("README", "x"), write("docs/names.md", "x"),
		write("standards/x.md", strings.NewReplacer("topic.log", "topic.x", "log.line", "x.line").Replace(newModule)), sub(glossary, "a word", "a number")}, nil, nil, nil, nil},
	{"D2", "main's work on another unit of the same module", []edit{sub(api, namesEdge, ""), sub(http, "  consumers:\n", "  consumers:\n"+edgeRow("path: docs/errors.md"))}, nil, nil, nil, nil},
	{"D2", "main's work on the manifest", []edit{sub(manifest, `modules: ["standards/**/*.md"]`, `modules: ["standards/*.md"]`)}, nil, nil, nil, nil},
	{"D2", "main landed other bytes of a consumer where the change has its own", nil, []edit{write("docs/errors.md", "main's\n")}, nil, nil, nil},
	{"D2", "main raised the unit to the same number with other text", nil, []edit{raise("api.errors", 1, 2), sub(api, "stable", "fixed")}, nil, []string{"doc", "a", "b", "http", "guide"}, []string{open + errorsText}},
	{"D2 C7", "main raised the unit further: lowered now", nil, []edit{raise("api.errors", 1, 5)}, nil, nil, []string{open + decl + "api.errors#revision 5 → 2"}},
	{"E6", "main landed the same raise: nothing is asked of it any more", nil, []edit{raise("api.errors", 1, 2)}, nil, []string{"doc", "a", "b", "http", "guide"}, nil},
	{"E6", "the answers landed before the change did", nil, []edit{func(t rapid.TB, f contenttest.Files) {
		accepted := landed(t)
		maps.Copy(f, answersOf(t, mustJudge(t, accepted, changed(t, accepted))))
	}}, nil, nil, nil},
	{"D1", "main changed the text of a module consumer", []edit{sub(http, "is 404", "is 410")}, nil, nil, []string{"http", "log", "deleted"},
		[]string{stale + errorsHTTP, stale + answered["log"], stale + answered["deleted"]}},
	{"D1", "main changed a file of a glob", []edit{write("src/err/a.go", "main's")}, nil, nil, []string{"a"}, []string{stale + errorsA}},

	{"D1", "one word of the unit", nil, nil, []edit{sub(api, "stable", "fixed")}, []string{"doc", "a", "b", "http", "guide"}, errorsAgain(stale)},
	{"D1", "one mark of punctuation of the unit", nil, nil, []edit{sub(api, "can match.", "can match!")}, []string{"doc", "a", "b", "http", "guide"}, errorsAgain(stale)},
	{"D1", "the unit raised again", nil, nil, []edit{raise("api.errors", 2, 3)}, []string{"doc", "a", "b", "http", "guide"}, errorsAgain(stale)},
	{"D1", "the unit's raise taken back", nil, nil, []edit{raise("api.errors", 2, 1)}, []string{"doc", "a", "b", "http", "guide"}, nil},
	{"D1", "one word of a unit whose meaning was judged", nil, nil, []edit{sub(api, "upper case", "any case")}, []string{"text", "added"}, []string{stale + namesText, stale + answered["added"]}},
	{"D1", "its text as it was", nil, nil, []edit{sub(api, "upper case", "lower case")}, []string{"text", "added"}, []string{stale + answered["added"]}},
	{"D1", "one byte of a consumer", nil, nil, []edit{write("docs/errors.md", "Errors!\n")}, []string{"doc"}, []string{stale + errorsDoc}},
	{"D1", "a line end of a consumer", nil, nil, []edit{crlf("docs/errors.md")}, []string{"doc"}, []string{stale + errorsDoc}},
	{"D1", "one byte of one file of a glob", nil, nil, []edit{write("src/err/b.go", "b")}, []string{"b"}, []string{stale + errorsB}},
	{"D1", "one byte of a consumer of three units", nil, nil, []edit{write("src/main.go", "x")}, []string{"added", "main", "removed"},
		[]string{stale + answered["added"], stale + answered["main"], stale + answered["removed"]}},
	{"D1", "a consumer deleted", nil, nil, []edit{remove("docs/errors.md")}, []string{"doc"}, []string{stale + errorsDoc, open + reviewed(question.ConsumerDeleted, "http.codes", "docs/errors.md", "documentation-projection")}},
	{"D1", "a consumer becomes a link", nil, nil, []edit{write("src/err/a.go", contenttest.Symlink)}, []string{"a"}, []string{stale + errorsA}},
	{"D1", "one word of a module consumer", nil, nil, []edit{sub(http, "is 404", "is 410")}, []string{"http", "log", "deleted"},
		[]string{stale + errorsHTTP, stale + answered["log"], stale + answered["deleted"], open + codesText}},
	{"D1", "one word of a module consumer outside its units", nil, nil, []edit{sub(http, "# HTTP\n", "# HTTP\n\nWeb.\n")}, []string{"http", "log"},
		[]string{stale + errorsHTTP, stale + answered["log"], open + "impact-review unmapped-text topic.http"}},
	{"D1", "a unit more in a module consumer", nil, nil, []edit{sub(http, codesRow, codesRow+"    - {id: http.verbs, heading: [Verbs], revision: 1}\n"), sub(http, "## Codes\n", "## Verbs\n\nGET.\n\n## Codes\n")},
		[]string{"http", "log"}, []string{stale + errorsHTTP, stale + answered["log"]}},
	{"D1", "one word outside units again", nil, nil, []edit{sub(api, "clients see", "clients read")}, []string{"outside"}, []string{stale + apiText}},
	{"D1", "text outside units as it was", nil, nil, []edit{sub(api, "clients see", "a client sees")}, []string{"outside"}, nil},
	{"D1", "the relation of a new edge", nil, nil, []edit{sub(api, mainEdge, strings.Replace(mainEdge, "documentation-", "template-", 1))}, []string{"added"},
		[]string{stale + reviewed(question.ConsumerAdded, "api.names", "src/main.go", "template-projection")}},
	{"D1 C1", "the relation of an edge that both sides have: the old one was judged", nil, nil, []edit{sub(api, "docs/errors.md, relation: documentation-", "docs/errors.md, relation: fixture-")}, nil,
		[]string{open + reviewed(question.UnitChanged, "api.errors", "docs/errors.md", "fixture-projection"), open + decl + "api.errors#consumers.documentation-projection.path:docs/errors.md … → null"}},
	{"D1", "a new edge taken out", nil, nil, []edit{sub(api, mainEdge, "")}, []string{"added"}, nil},
	{"D1 C7", "a declaration to another value", nil, nil, []edit{sub(http, "level: MUST", "level: PROFILE")}, []string{"level"}, []string{stale + decl + `topic.http#level "SHOULD" → "PROFILE"`}},
	{"D1 C7", "a declaration back to its old value", nil, nil, []edit{sub(http, "level: MUST", "level: SHOULD")}, []string{"level"}, nil},
	{"D1 C7", "a key of the manifest to another value", nil, nil, []edit{sub(manifest, "commit: all", "commit: warn")}, []string{"commit"}, []string{stale + decl + `manifest#gate.commit "mine" → "warn"`}},
	{"D1 C7", "main changed the old value", nil, []edit{sub(manifest, "version: 1\n", "version: 1\ngate: {commit: warn}\n")}, nil, []string{"commit"}, []string{stale + decl + `manifest#gate.commit "warn" → "all"`}},
	{"D1 C7", "main landed the same value", nil, []edit{sub(manifest, "version: 1\n", "version: 1\ngate: {commit: all}\n")}, nil, []string{"commit"}, nil},
	{"D1 C7", "main changed the old level", nil, []edit{sub(http, "level: SHOULD", "level: PROFILE")}, nil, []string{"level"}, []string{stale + decl + `topic.http#level "PROFILE" → "MUST"`}},
	{"D1 C7", "main raised what is lowered here: the value that is left was judged, the step was not", nil, []edit{sub(old, "revision: 3", "revision: 4")}, nil, []string{"lowered"}, []string{stale + decl + "old.b#revision 4 → 2"}},
	{"D1 C7", "lowered further", nil, nil, []edit{sub(old, "revision: 2", "revision: 1")}, []string{"lowered", "lib"}, []string{stale + decl + "old.b#revision 3 → 1", stale + answered["lib"]}},
	{"D1 C7", "evidence of a tombstone that was judged", nil, nil, []edit{sub(http, httpStone, "{id: http.old, retired-revision: 1, evidence: minutes}")}, []string{"stone"},
		[]string{stale + decl + `http.old#tombstone null → {"evidence":"minutes","retired-revision":1,"successors":[]}`}},
	{"D1 C7", "a dropped edge put back", nil, nil, []edit{sub(http, codesDocs, codesDocs+codesMore)}, []string{"dropped"}, nil},
	{"D1 C7", "main dropped the edge as well", nil, []edit{sub(http, codesMore, "")}, nil, []string{"dropped"}, nil},
	{"D1 C12", "a deleted consumer comes back", nil, nil, []edit{write("docs/codes.md", "Codes.\n")}, []string{"deleted"}, nil},
	{"D1 C12", "a deleted consumer's edge dropped as well", nil, nil, []edit{sub(http, codesDocs, "")}, []string{"deleted"},
		[]string{open + decl + "http.codes#consumers.documentation-projection.path:docs/codes.md … → null"}},
	{"D1 C13", "a deleted consumer stands elsewhere after all", nil, nil, []edit{write("docs/c.md", "Codes.\n")}, []string{"deleted"}, nil},
	{"D1 C13", "a carried consumer edited: it is a deleted one", nil, nil, []edit{write("docs/handbook.md", "Handbook.\n")}, []string{"guide"},
		[]string{open + reviewed(question.UnitChanged, "api.errors", "docs/guide.md", "template-projection")}},
	{"D1 C13", "a carried consumer moved on", nil, nil, []edit{move("docs/handbook.md", "docs/manual.md")}, []string{"guide"},
		[]string{open + reviewed(question.UnitChanged, "api.errors", "docs/manual.md", "template-projection")}},
	{"D1 C13", "a carried consumer moved back", nil, nil, []edit{move("docs/handbook.md", "docs/guide.md")}, []string{"guide"},
		[]string{open + reviewed(question.UnitChanged, "api.errors", "docs/guide.md", "template-projection")}},
	{"D1 C5", "a removed unit put back", nil, nil, []edit{sub(old, "  tombstones: [{id: old.a, retired-revision: 1}]\n", ""), sub(old, "  units:\n", "  units:\n"+oldARow),
		sub(old, "  consumers:\n", "  consumers:\n"+oldAEdge), sub(old, "## B\n", "## A\n\nA holds.\n\n## B\n")}, []string{"removed"}, nil},
	{"D1 B7", "one word more in a repaired file", nil, nil, []edit{sub(brokenAt, "Text.", "Texts.")}, []string{"repair"}, []string{stale + repair + brokenAt}},
	{"D1 B7", "a repaired file removed", nil, nil, []edit{remove(brokenAt)}, []string{"repair"}, []string{stale + repair + brokenAt}},
	{"D1 B7", "main broke the file in another way", nil, []edit{sub(brokenAt, "Text.", "Texts.")}, nil, []string{"repair"}, []string{stale + repair + brokenAt}},

	{"E1", "a decision file deleted", nil, nil, []edit{answerFile("doc", func(f contenttest.Files, name string) { delete(f, name) })}, []string{"doc"}, []string{open + errorsDoc}},
	{"A7", "a decision file becomes a link", nil, nil, []edit{answerFile("doc", func(f contenttest.Files, name string) { f[name] = contenttest.Symlink })}, []string{"doc"}, []string{open + errorsDoc}},
	{"E1", "the record in a decision file edited", nil, nil, []edit{answerFile("doc", func(f contenttest.Files, name string) {
		f[name] = strings.Replace(f[name], "revision: 2", "revision: 3", 1)
	})},
		[]string{"doc"}, []string{stale + errorsDoc}},
	{"E1", "an answer copied to another question's record", nil, nil, []edit{answerFile("a", func(f contenttest.Files, name string) {
		f[name] = strings.Replace(f[name], "src/err/a.go", "src/err/b.go", 1)
	})},
		[]string{"a"}, []string{open + errorsA}},
}

// answersOf answers each of the named questions by ann, in the folder where resolve keeps them.
func answersOf(t rapid.TB, v *Verdict) contenttest.Files {
	t.Helper()
	files := contenttest.Files{}
	for key, text := range answered {
		i := slices.IndexFunc(v.Asked, func(q *question.Question) bool {
			got := strings.TrimSuffix(describe(q), " +")
			return got == strings.TrimSuffix(text, " +") || shorten([]string{text}, []string{got})[0] == text
		})
		if i < 0 {
			t.Fatalf("nobody asks %s", text)
		}
		q := v.Asked[i]
		results := q.Results()
		files[decision.Folder(q.Record)+"/"+key+".yaml"] = decisionText(t, results[len(results)-2], "ann", q)
	}
	if len(files) != len(v.Asked) {
		t.Fatalf("%d questions asked and %d named", len(v.Asked), len(files))
	}
	return files
}

func TestWhatAnEditVoids(t *testing.T) {
	t.Parallel()
	before := landed(t)
	asked := mustJudge(t, before, changed(t, before))
	answers := answersOf(t, asked)
	keyOf := map[string]string{}
	for name, text := range answers {
		read, _ := decision.Read(name, []byte(text))
		key, _, _ := strings.Cut(name[strings.LastIndex(name, "/")+1:], ".")
		keyOf[read[0].Question] = key
	}
	for _, row := range voided {
		t.Run(row.rule+" "+row.name, func(t *testing.T) {
			t.Parallel()
			accepted := apply(t, before, row.both...)
			proposed := apply(t, changed(t, before).With(answers), append(slices.Clone(row.both), row.edits...)...)
			accepted = apply(t, accepted, row.accepted...)
			v := mustJudge(t, accepted, proposed)
			void := maps.Clone(answered)
			for _, a := range v.Counted {
				delete(void, keyOf[a.Question])
			}
			if diff := cmp.Diff(sortedTexts(row.voids), sortedTexts(slices.Collect(maps.Keys(void)))); diff != "" {
				t.Errorf("void: %s", diff)
			}
			var got []string
			for _, o := range v.Open {
				text := strings.TrimSuffix(describe(o.Question), " +")
				for _, want := range row.open {
					if _, question, _ := strings.Cut(want, " "); shorten([]string{question}, []string{text})[0] == question {
						text = question
					}
				}
				got = append(got, o.State+" "+text)
				if (o.State == decision.StateStale) != (o.Stale != nil && len(o.Changed) > 0) {
					t.Errorf("%s says of what changed: %v", text, o.Changed)
				}
			}
			want := []string{}
			for _, text := range row.open {
				want = append(want, strings.TrimSuffix(text, " +"))
			}
			if diff := cmp.Diff(sortedTexts(want), sortedTexts(got)); diff != "" {
				t.Errorf("open: %s", diff)
			}
			sameInAWorktree(t, v, accepted, proposed)
		})
	}
	if len(voided) < 40 {
		t.Errorf("%d rows", len(voided))
	}
}

// RULES E6, G1: an answer to what a carried edge would ask is in the state and counts for nothing. Another one is history.
func TestADormantAnswerIsInTheState(t *testing.T) {
	t.Parallel()
	deletedDoc := find(t, mustJudge(t, base(), apply(t, base(), remove("docs/names.md"))), strings.TrimSuffix(deleted("api.names", "docs/names.md"), " +"))
	proposed := apply(t, base(), move("docs/names.md", "docs/naming.md"))
	name := decision.Folder(deletedDoc.Record) + "/a.yaml"
	bare := mustJudge(t, base(), proposed)
	v := mustJudge(t, base(), proposed.With(contenttest.Files{name: decisionText(t, "not-applicable", "ann", deletedDoc)}))
	if !v.Complete() || len(v.Counted) != 0 || len(v.Dormant) != 1 || v.Dormant[0].File != name || rootID(t, v) == rootID(t, bare) {
		t.Errorf("%q, dormant %v", states(v), v.Dormant)
	}
	history := find(t, mustJudge(t, base(), apply(t, base(), raise("api.names", 1, 9))), namesDoc)
	v = mustJudge(t, base(), proposed.With(contenttest.Files{name: decisionText(t, "no-change", "ann", history)}))
	if len(v.Dormant) != 0 || rootID(t, v) != rootID(t, bare) {
		t.Errorf("history in the state: %v", v.Dormant)
	}
}
