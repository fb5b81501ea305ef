package analysis

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/analysis/ask"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/identity"
)

const (
	visible = "fact fact-needed ui.visible"
	risk    = "fact fact-needed ui.risk"
	areas   = "fact fact-needed ui.areas"

	factRows = `facts:
  - {id: ui.visible, revision: 1, type: boolean, meaning: "Does it show?"}
  - {id: ui.risk, revision: 1, type: enum, values: [high, low], nullable: true}
  - {id: ui.areas, revision: 1, type: string-set, inputs: ["src/*.go"], aliases: [areas]}
`
	ifVisible   = "equals: {fact: ui.visible, value: true}"
	ifLow       = "equals: {fact: ui.risk, value: low}"
	ifAreasToo  = "all: [{contains: {fact: areas, value: web}}, {" + ifVisible + "}]"
	ifGo        = "contains: {fact: change.extensions, value: go}"
	namesReview = "consumer-review unit-changed api.names > docs/names.md documentation-projection"
	namesWatch  = "consumer-review consumer-changed api.names > docs/names.md documentation-projection +"
)

// declares adds the facts to the manifest.
func declares() edit { return sub(manifest, "version: 1\n", "version: 1\n"+factRows) }

// when gives the edge of api.names a condition, and on a list of what asks.
func when(e string) edit {
	return sub(api, "docs/names.md, rel", "docs/names.md, when: {"+e+"}, rel")
}

func on(what string) edit {
	return sub(api, "docs/names.md, rel", "docs/names.md, on: ["+what+"], rel")
}

// whenRow is a change with what ann answers to the facts that are asked, "waiver" and "absent" as results.
type whenRow struct {
	rule, name  string
	both, edits []edit
	answers     map[string]any
	want        []string // all that is asked in the end, answered or not
	notices     []string
}

var conditions = []whenRow{
	{"C10", "unknown asks the fact and not the review", []edit{declares(), when(ifVisible)}, []edit{raise("api.names", 1, 2)}, nil, []string{visible}, nil},
	{"C10", "true asks the review as well", []edit{declares(), when(ifVisible)}, []edit{raise("api.names", 1, 2)}, map[string]any{"ui.visible": true}, []string{visible, namesReview}, nil},
	{"C10", "false asks nothing", []edit{declares(), when(ifVisible)}, []edit{raise("api.names", 1, 2)}, map[string]any{"ui.visible": false}, []string{visible}, nil},
	{"C10", "an edge of a unit that did not change asks no fact", []edit{declares(), when(ifVisible)}, []edit{raise("api.errors", 1, 2)}, nil, []string{errorsDoc, errorsA, errorsB, errorsHTTP}, nil},
	{"C10 C2", "nor does the meaning of a unit whose revision is equal", []edit{declares(), when(ifVisible)}, []edit{sub(api, "lower case", "upper case")}, nil, []string{namesText}, nil},
	{"A9", "a built-in fact that is true", []edit{when(ifGo)}, []edit{raise("api.names", 1, 2), write("src/main.go", "x")}, nil, []string{namesReview}, nil},
	{"A9", "a built-in fact that is false", []edit{when(ifGo)}, []edit{raise("api.names", 1, 2)}, nil, nil, nil},
	{"A9 A10", "a decision is no change", []edit{when(`contains: {fact: change.paths, value: standards/decisions/x/y.txt}`)}, []edit{raise("api.names", 1, 2), write("standards/decisions/x/y.txt", "x")}, nil, nil, nil},
	{"A9", "a deleted file is a change of its kind", []edit{when("contains: {fact: change.kinds, value: deleted}")}, []edit{raise("api.names", 1, 2), remove("src/main.go")}, nil, []string{namesReview}, nil},
	{"A9", "a link is no file", []edit{when("contains: {fact: change.kinds, value: added}")}, []edit{raise("api.names", 1, 2), write("link", contenttest.Symlink)}, nil, nil, nil},
	{"A9", "what a built-in fact settles asks nothing more", []edit{declares(), when("all: [{" + ifVisible + "}, {" + ifGo + "}]")}, []edit{raise("api.names", 1, 2)}, nil, nil, nil},
	{"A9", "what a built-in fact leaves open is asked", []edit{declares(), when("any: [{" + ifVisible + "}, {" + ifGo + "}]")}, []edit{raise("api.names", 1, 2)}, nil, []string{visible}, nil},
	{"A9", "two facts that would settle it are both asked", []edit{declares(), when("all: [{" + ifVisible + "}, {" + ifLow + "}]")}, []edit{raise("api.names", 1, 2)}, nil, []string{risk, visible}, nil},
	{"A9", "one answer may settle it", []edit{declares(), when("all: [{" + ifVisible + "}, {" + ifLow + "}]")}, []edit{raise("api.names", 1, 2)}, map[string]any{"ui.visible": false}, []string{visible}, nil},
	{"A9", "one answer may leave it open", []edit{declares(), when("all: [{" + ifVisible + "}, {" + ifLow + "}]")}, []edit{raise("api.names", 1, 2)}, map[string]any{"ui.visible": true}, []string{risk, visible}, nil},
	{"A9", "not", []edit{declares(), when("not: {" + ifVisible + "}")}, []edit{raise("api.names", 1, 2)}, map[string]any{"ui.visible": false}, []string{visible, namesReview}, nil},
	{"A9", "absent is an answer, and no value equals it", []edit{declares(), when("exists: {fact: ui.risk}")}, []edit{raise("api.names", 1, 2)}, map[string]any{"ui.risk": facts.Absent}, []string{risk}, nil},
	{"C10 DESIGN 5", "an input whose name cannot be recorded, of a fact that the change leaves unasked",
		[]edit{declares(), write("src/\xff.go", "x"), when("all: [{" + ifGo + "}, {contains: {fact: areas, value: web}}]")}, []edit{raise("api.names", 1, 2)}, nil, nil, nil},
	{"C10 DESIGN 5", "of a fact that another may leave unasked, which is open", []edit{declares(), write("src/\xff.go", "x"), when(ifAreasToo)}, []edit{raise("api.names", 1, 2)}, nil, []string{visible}, nil},
	{"C10 DESIGN 5", "or is answered so", []edit{declares(), write("src/\xff.go", "x"), when(ifAreasToo)}, []edit{raise("api.names", 1, 2)}, map[string]any{"ui.visible": false}, []string{visible}, nil},
	{"C10 DESIGN 5", "or is waived", []edit{declares(), write("src/\xff.go", "x"), when(ifAreasToo)}, []edit{raise("api.names", 1, 2)}, map[string]any{"ui.visible": facts.Waiver}, []string{visible}, []string{WaivedCode}},
	{"C10 DESIGN 5", "or that is asked about no edge of this change",
		[]edit{declares(), write("src/\xff.go", "x"), when("contains: {fact: areas, value: web}")}, []edit{raise("api.errors", 1, 2)}, nil, []string{errorsDoc, errorsA, errorsB, errorsHTTP}, nil},
	{"A9", "a fact by its alias", []edit{declares(), when("contains: {fact: areas, value: web}")}, []edit{raise("api.names", 1, 2)}, map[string]any{"ui.areas": identity.List{"ui", "web"}}, []string{areas, namesReview}, nil},
	{"E3", "a waived fact settles nothing and asks nothing", []edit{declares(), when(ifVisible)}, []edit{raise("api.names", 1, 2)}, map[string]any{"ui.visible": facts.Waiver}, []string{visible}, []string{WaivedCode}},
	{"E3", "nor asks what hangs on it beside", []edit{declares(), when("any: [{" + ifVisible + "}, {" + ifLow + "}]")}, []edit{raise("api.names", 1, 2)}, map[string]any{"ui.visible": facts.Waiver}, []string{visible}, []string{WaivedCode}},

	{"C4", "a new unit", []edit{declares()}, []edit{write("standards/log.md", strings.Replace(newModule, "src/main.go, rel", "src/main.go, when: {"+ifVisible+"}, rel", 1))}, nil,
		[]string{visible, reviewed(question.UnitAdded, "log.line", "topic.http", "normative-consumer")}, nil},
	{"C5", "a removed unit, by the accepted side's condition", []edit{declares(), when(ifVisible)}, []edit{sub(api, namesRow, ""), sub(api, strings.Replace(namesEdge, ", rel", ", when: {"+ifVisible+"}, rel", 1), ""), sub(api, namesTitle, ""), stones(api, stoneRow)},
		map[string]any{"ui.visible": true}, []string{visible, gone("api.names", "docs/names.md")}, nil},
	{"C6", "a new edge", []edit{declares()}, []edit{andEdge(strings.Replace(edgeRow("path: src/main.go"), ", rel", ", when: {"+ifVisible+"}, rel", 1))},
		map[string]any{"ui.visible": true}, []string{visible, added("api.names", "src/main.go")}, nil},
	{"C12", "a deleted consumer whose condition is false is told", []edit{when(ifGo)}, []edit{remove("docs/names.md")}, nil, nil, []string{ask.DeletedCode + " " + api + ":14"}},
	{"C12", "a deleted consumer whose condition is not known", []edit{declares(), when(ifVisible)}, []edit{remove("docs/names.md")}, nil, []string{visible}, nil},
	{"C12", "a deleted consumer whose condition is answered", []edit{declares(), when(ifVisible)}, []edit{remove("docs/names.md")}, map[string]any{"ui.visible": true}, []string{visible, deleted("api.names", "docs/names.md")}, nil},

	{"C7", "a condition added asks about itself, and the review by the side that had none", []edit{declares()}, []edit{when(ifVisible), raise("api.names", 1, 2)}, map[string]any{"ui.visible": false},
		[]string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → …", namesReview}, nil},
	{"C7", "a condition taken out alike", []edit{declares(), when(ifVisible)}, []edit{sub(api, "when: {"+ifVisible+"}, ", ""), raise("api.names", 1, 2)}, nil,
		[]string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → …", namesReview}, nil},
	{"C7", "a condition for another: either holds", []edit{declares(), when(ifVisible)}, []edit{sub(api, ifVisible, ifLow), raise("api.names", 1, 2)}, map[string]any{"ui.visible": true, "ui.risk": "high"},
		[]string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → …", visible, risk, namesReview}, nil},
	{"C7", "a condition for another: neither holds", []edit{declares(), when(ifVisible)}, []edit{sub(api, ifVisible, ifLow), raise("api.names", 1, 2)}, map[string]any{"ui.visible": false, "ui.risk": "high"},
		[]string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → …", visible, risk}, nil},
	{"C7 B1", "a fact that only the proposed side declares", nil, []edit{declares(), when(ifVisible), raise("api.names", 1, 2)}, nil,
		[]string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → …", decl + "manifest#facts.ui.visible null → …", decl + "manifest#facts.ui.risk null → …",
			decl + "manifest#facts.ui.areas null → …", namesReview}, nil},
	{"C7 B1", "a value that only the proposed contract has takes nobody out", []edit{declares(), when(ifLow)}, []edit{sub(manifest, "[high, low]", "[high, low, none]"), sub(api, "value: low", "value: none"), raise("api.names", 1, 2)}, nil,
		[]string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → …", decl + "manifest#facts.ui.risk … → …", namesReview}, nil},
	{"C7 B1", "an alias is its own side's, whatever the other side calls so", []edit{declares(), when("contains: {fact: areas, value: web}")},
		[]edit{sub(manifest, ", aliases: [areas]}\n", "}\n  - {id: areas, revision: 1, type: string-set}\n"), sub(api, "fact: areas", "fact: ui.areas"), raise("api.names", 1, 2)},
		map[string]any{"ui.areas": identity.List{"web"}, "areas": identity.List{}},
		[]string{decl + "manifest#facts.areas null → …", decl + "manifest#facts.ui.areas … → …", areas, namesReview}, nil},
	{"C7", "a row as it was, whose alias is another fact now, is another row", []edit{declares(), when("contains: {fact: areas, value: web}")},
		[]edit{sub(manifest, ", aliases: [areas]}\n", "}\n  - {id: areas, revision: 1, type: string-set}\n"), raise("api.names", 1, 2)},
		map[string]any{"ui.areas": identity.List{"web"}, "areas": identity.List{}},
		[]string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → …", decl + "manifest#facts.areas null → …", decl + "manifest#facts.ui.areas … → …",
			areas, "fact fact-needed areas", namesReview}, nil},
	{"C7", "an alias for a fact's id, and facts in another order of operands", []edit{declares(), when("all: [{contains: {fact: areas, value: web}}, {" + ifVisible + "}]")},
		[]edit{sub(api, "all: [{contains: {fact: areas, value: web}}, {"+ifVisible+"}]", "all: [{"+ifVisible+"}, {contains: {fact: ui.areas, value: web}}]")}, nil, nil, nil},
	{"B7", "a fact of tasks that the accepted side's row names reads as none", []edit{sub(manifest, "version: 1\n", "version: 1\nfacts: [{id: ui.task, revision: 1, type: boolean, context: task-route}]\n"), when("exists: {fact: ui.task}")},
		[]edit{sub(api, "exists: {fact: ui.task}", ifGo), raise("api.names", 1, 2)}, nil,
		[]string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → …", namesReview}, nil},
	{"C14", "a meaning is prose", []edit{declares(), when(ifVisible)}, []edit{sub(manifest, "Does it show?", "Is it seen?")}, nil, nil, nil},
	{"C14", "facts in another order", []edit{declares()}, []edit{sub(manifest, "  - {id: ui.visible, revision: 1, type: boolean, meaning: \"Does it show?\"}\n", ""),
		sub(manifest, "aliases: [areas]}\n", "aliases: [areas]}\n  - {id: ui.visible, revision: 1, type: boolean, meaning: \"Does it show?\"}\n")}, nil, nil, nil},
	{"C7", "a fact's revision", []edit{declares()}, []edit{sub(manifest, "ui.visible, revision: 1", "ui.visible, revision: 2")}, nil, []string{decl + "manifest#facts.ui.visible … → …"}, nil},
	{"C7", "a fact's inputs", []edit{declares()}, []edit{sub(manifest, `["src/*.go"]`, `["src/**/*.go"]`)}, nil, []string{decl + "manifest#facts.ui.areas … → …"}, nil},
	{"C7", "a provider", []edit{declares()}, []edit{sub(manifest, "version: 1\n", "version: 1\nproviders: [{id: ci.ui, revision: 1, command: [scripts/ui.sh]}]\n")}, nil,
		[]string{decl + `manifest#providers.ci.ui null → {"command":["scripts/ui.sh"],"revision":1,"time-limit":60}`}, nil},
	{"C7", "routing", nil, []edit{sub(manifest, "version: 1\n", "version: 1\nrouting: {base: [topic.api]}\n")}, nil, []string{decl + `manifest#routing null → {"base":["topic.api"],"rules":[]}`}, nil},
	{"C7", "what a horizon leaves out", []edit{sub(manifest, "version: 1\n", "version: 1\nhorizon: {include: [\"src/**\"]}\n")},
		[]edit{sub(manifest, "[\"src/**\"]", "[\"src/**\"], exclude: [{glob: \"src/err/*\", reason: generated}]")}, nil,
		[]string{decl + `manifest#horizon {"exclude":[],"include":["src/**"],"moving":"ask"} → {"exclude":[{"glob":"src/err/*","reason":"generated"}],"include":["src/**"],"moving":"ask"}`}, nil},

	{"C9", "a consumer that is watched", []edit{on("policy, consumer")}, []edit{write("docs/names.md", "x")}, nil, []string{namesWatch}, nil},
	{"C9", "one that is not", nil, []edit{write("docs/names.md", "x")}, nil, nil, nil},
	{"C9 C1", "a raised unit asks for that reason", []edit{on("consumer, policy")}, []edit{write("docs/names.md", "x"), raise("api.names", 1, 2)}, nil, []string{namesReview + " +"}, nil},
	{"C9 C2", "a unit whose text changed asks for its meaning as well", []edit{on("policy, consumer")}, []edit{write("docs/names.md", "x"), sub(api, "lower case", "upper case")}, nil, []string{namesText, namesWatch}, nil},
	{"C9 C2", "and not about a consumer that did not change", []edit{on("policy, consumer")}, []edit{sub(api, "lower case", "upper case")}, nil, []string{namesText}, nil},
	{"C9 C1", "a lowered unit asks for that reason", []edit{on("policy, consumer"), raise("api.names", 1, 2)}, []edit{write("docs/names.md", "x"), raise("api.names", 2, 1)}, nil,
		[]string{decl + "api.names#revision 2 → 1", namesReview + " +"}, nil},
	{"C9 C4", "so does a new unit", nil, []edit{write("standards/log.md", strings.Replace(newModule, "src/main.go, rel", "src/main.go, on: [policy, consumer], rel", 1)), write("src/main.go", "x")}, nil,
		[]string{reviewed(question.UnitAdded, "log.line", "src/main.go", "implementation-projection") + " +", reviewed(question.UnitAdded, "log.line", "topic.http", "normative-consumer")}, nil},
	{"C9 C5", "and a removed one", []edit{on("policy, consumer")}, []edit{write("docs/names.md", "x"), sub(api, namesRow, ""), sub(api, strings.Replace(namesEdge, ", rel", ", on: [policy, consumer], rel", 1), ""), sub(api, namesTitle, ""), stones(api, stoneRow)}, nil,
		[]string{gone("api.names", "docs/names.md") + " +"}, nil},
	{"C9 C2 C10", "the text, the consumer and an answer: both are asked", []edit{declares(), when(ifVisible), sub(api, "names.md, when", "names.md, on: [policy, consumer], when")},
		[]edit{write("docs/names.md", "x"), sub(api, "lower case", "upper case")}, map[string]any{"ui.visible": true}, []string{visible, namesText, namesWatch}, nil},
	{"C9 C2 C13", "a consumer that only moved while the text changed", []edit{on("policy, consumer")}, []edit{move("docs/names.md", "docs/naming.md"), sub(api, "lower case", "upper case")}, nil,
		[]string{namesText}, []string{ask.CarriedCode + " " + api + ":14"}},
	{"C9 C3", "a unit that was only wrapped anew has not changed", []edit{on("policy, consumer"), sub(api, "Names are lower case.", "Names are lower case\nall.")},
		[]edit{write("docs/names.md", "x"), sub(api, "lower case\nall", "lower\ncase all")}, nil, []string{namesWatch}, nil},
	{"C9 C6", "a new edge that is watched asks once", nil, []edit{andEdge(strings.Replace(edgeRow("path: src/main.go"), ", rel", ", on: [policy, consumer], rel", 1)), write("src/main.go", "x")}, nil,
		[]string{added("api.names", "src/main.go") + " +"}, nil},
	{"C9 C7", "watching taken out asks about that and, by the other side, about the consumer", []edit{on("policy, consumer")}, []edit{sub(api, "on: [policy, consumer], ", ""), write("docs/names.md", "x")}, nil,
		[]string{decl + "api.names#consumers.documentation-projection.path:docs/names.md … → …", namesWatch}, nil},
	{"C9 C12", "a deleted consumer", []edit{on("policy, consumer")}, []edit{remove("docs/names.md")}, nil, []string{deleted("api.names", "docs/names.md")}, nil},
	{"C9 C12", "a consumer that becomes a link counts as deleted", []edit{on("policy, consumer")}, []edit{write("docs/names.md", contenttest.Symlink)}, nil, []string{deleted("api.names", "docs/names.md")}, nil},
	{"C9 C13", "a consumer that only moved", []edit{on("policy, consumer")}, []edit{move("docs/names.md", "docs/naming.md")}, nil, nil, []string{ask.CarriedCode + " " + api + ":14"}},
	{"C9", "a file that is new below a glob, and one that changed", []edit{sub(api, "*.go\", rel", "*.go\", on: [policy, consumer], rel")}, []edit{write("src/err/c.go", "c"), write("src/err/a.go", "a")}, nil,
		[]string{reviewed(question.ConsumerChanged, "api.errors", "src/err/c.go", "implementation-projection") + " +", reviewed(question.ConsumerChanged, "api.errors", "src/err/a.go", "implementation-projection") + " +"}, nil},
	{"C9 C13", "a file that moved below the glob", []edit{sub(api, "*.go\", rel", "*.go\", on: [policy, consumer], rel")}, []edit{move("src/err/a.go", "src/err/c.go")}, nil, nil, nil},
	{"C9", "a file that moved there from elsewhere is new", []edit{sub(api, "*.go\", rel", "*.go\", on: [policy, consumer], rel")}, []edit{move("src/main.go", "src/err/c.go")}, nil,
		[]string{reviewed(question.ConsumerChanged, "api.errors", "src/err/c.go", "implementation-projection") + " +"}, nil},
	{"C9", "a module by its state", []edit{sub(api, "topic.http, rel", "topic.http, on: [policy, consumer], rel")}, []edit{sub(http, "# HTTP\n", "# HTTP\n\nWeb.\n")}, nil,
		[]string{"impact-review unmapped-text topic.http", reviewed(question.ConsumerChanged, "api.errors", "topic.http", "normative-consumer") + " +"}, nil},
	{"C9 C3", "a module that was only wrapped anew", []edit{sub(api, "topic.http, rel", "topic.http, on: [policy, consumer], rel")}, []edit{sub(http, "A missing", "A\nmissing")}, nil, nil, nil},
	{"C9 C15", "of a REFERENCE unit", []edit{sub(glossary, "errors.md, rel", "errors.md, on: [policy, consumer], rel")}, []edit{write("docs/errors.md", "x")}, nil, nil, nil},
	{"C9 C10", "under a condition", []edit{declares(), when(ifVisible), sub(api, "names.md, when", "names.md, on: [policy, consumer], when")}, []edit{write("docs/names.md", "x")}, nil, []string{visible}, nil},
}

// mayWaive is an authority.yaml by which ann may answer everything without a signature.
func mayWaive() edit {
	return write("standards/authority.yaml", `version: 1
issuer: {id: team, revision: 1}
signatures: optional
principals:
  - {id: ann, emails: [ann@example.com], capabilities: [standards.analyze, standards.review.consumer, standards.review.impact, standards.review.audit, standards.waive]}
  - {id: bob, emails: [bob@example.com], capabilities: [standards.analyze]}
`)
}

// valueText is a decision file with a value or a result.
func valueText(t rapid.TB, answer any, principal string, q *question.Question) string {
	t.Helper()
	d := decisionfile.Decision{Kind: q.Kind, Rationale: "looked", Principal: principal, Questions: []any{q.Record}}
	if text, ok := answer.(string); ok && (text == facts.Waiver || text == facts.Absent) {
		d.Result = text
	} else {
		d.Value = answer
	}
	text, err := decisionfile.Format(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// answerFacts answers the facts that are asked, round by round.
func answerFacts(t rapid.TB, accepted, proposed contenttest.Files, answers map[string]any, principal string) contenttest.Files {
	t.Helper()
	for range 1 + len(answers) {
		for _, o := range mustJudge(t, accepted, proposed).Open {
			if o.Kind != question.Fact {
				continue
			}
			id := o.Contract.ID
			if answer, given := answers[id]; given {
				proposed = proposed.With(contenttest.Files{decision.Folder(o.Record) + "/" + id + ".yaml": valueText(t, answer, principal, o.Question)})
			}
		}
	}
	return proposed
}

func TestConditions(t *testing.T) {
	t.Parallel()
	for _, row := range conditions {
		t.Run(row.rule+" "+row.name, func(t *testing.T) {
			t.Parallel()
			accepted := apply(t, base(), append([]edit{mayWaive()}, row.both...)...)
			proposed := answerFacts(t, accepted, apply(t, accepted, row.edits...), row.answers, "ann")
			v := mustJudge(t, accepted, proposed)
			var got, said []string
			for _, q := range v.Asked {
				got = append(got, describe(q))
				if q.File == "" || q.Line < 1 || len(q.Results()) == 0 {
					t.Errorf("%s is nowhere or takes nothing", describe(q))
				}
			}
			for _, n := range v.Notices {
				target := " " + n.Target
				if n.Code == WaivedCode {
					target = ""
				}
				said = append(said, n.Code+target)
			}
			if diff := cmp.Diff(sortedTexts(row.want), sortedTexts(shorten(row.want, got))); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(sortedTexts(row.notices), sortedTexts(said)); diff != "" {
				t.Error(diff)
			}
			// Every fact that is asked is there for a reason: known or open, it is one of those that a condition names.
			for _, o := range v.Open {
				if o.Kind == question.Fact && len(v.Decides(o.Question)) == 0 {
					t.Errorf("%s decides nothing", describe(o.Question))
				}
			}
			sameInAWorktree(t, v, accepted, proposed)
			rootID(t, v)
		})
	}
}
