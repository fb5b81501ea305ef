package analysis

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/fault"
)

const (
	authorityAt = "standards/authority.yaml"
	visibleRow  = "  - {id: ui.visible, revision: 1, type: boolean, meaning: \"Does it show?\", aliases: [seen]}\n"
	riskRow     = "  - {id: ui.risk, revision: 1, type: enum, values: [high, low], nullable: true, inputs: [\"src/*.go\"], provider: ci.risk}\n"
	riskNot     = "  - {id: ui.other, revision: 1, type: string}\n"
	providerRow = "providers: [{id: ci.risk, revision: 1, command: [scripts/risk.sh]}]\n"
	routingRow  = "routing: {base: [topic.api, topic.http]}\n"
	horizonRow  = "horizon: {include: [\"docs/**\", \"notes/**\"], exclude: [{glob: docs/names.md, reason: generated}]}\n"
	terms       = "facts:\n" + visibleRow + riskRow + riskNot + providerRow + routingRow + horizonRow
	annRow      = "  - {id: ann, emails: [ann@example.com, a@example.com], capabilities: [standards.analyze, standards.review.consumer, standards.review.impact, standards.review.audit]}\n"
	bobRow      = "  - {id: bob, emails: [bob@example.com], capabilities: [standards.analyze]}\n"
	cyRow       = "  - {id: cy, emails: [cy@example.com], capabilities: [standards.review.audit]}\n"
	authorities = "version: 1\nissuer: {id: team, revision: 1}\nsignatures: optional\nprincipals:\n" + annRow + bobRow + cyRow
	namesWhen   = "    - {unit: api.names, path: docs/names.md, when: {equals: {fact: ui.visible, value: true}}, relation: documentation-projection}\n"
	mainWhen    = "    - {unit: api.names, path: lib/main.go, when: {equals: {fact: ui.risk, value: low}}, relation: implementation-projection}\n"
	watchedRow  = "    - {unit: api.errors, path: docs/errors.md, on: [policy, consumer], relation: documentation-projection}\n"

	coverNames = "coverage horizon api.names"
	mainReview = "consumer-review unit-changed api.names > lib/main.go implementation-projection"
	errorsAlso = "consumer-review consumer-changed api.errors > docs/errors.md documentation-projection"
	routingNow = decl + `manifest#routing {"base":["topic.api","topic.http"],"rules":[]} → {"base":["topic.api"],"rules":[]}`
)

// agreed is the accepted side of the scenario, which has each term by which a change is judged, and reworked is a change that asks by
// each of them.
func agreed(t rapid.TB) contenttest.Files {
	return apply(t, base(), sub(manifest, "version: 1\n", "version: 1\n"+terms), write(authorityAt, authorities), write("lib/main.go", "x"), write("docs/more.md", "More.\n"),
		sub(api, namesEdge, namesWhen+mainWhen), sub(api, errorsEdge, watchedRow))
}

func reworked(t rapid.TB, accepted contenttest.Files) contenttest.Files {
	return apply(t, accepted, raise("api.names", 1, 2), write("docs/errors.md", "Errors, and more.\n"), sub(manifest, "[topic.api, topic.http]", "[topic.api]"),
		sub(authorityAt, "[bob@example.com]", "[bob@example.com, b@example.com]"))
}

// agreement is ann's answers to it: a result, or the value of a fact.
var agreement = map[string]struct {
	text   string
	answer any
}{
	"visible":  {visible, true},
	"risk":     {risk, "low"},
	"names":    {namesReview, "no-change"},
	"main":     {mainReview, "no-change"},
	"watched":  {errorsAlso, "updated"},
	"coverage": {coverNames, decisionfile.CompleteResult},
	"routing":  {routingNow, "no-impact"},
	"bob":      {decl + "authority#principals.bob … → …", "no-impact"},
}

// agreedAnswers answers, round by round, as a fact asks a review.
func agreedAnswers(t rapid.TB, accepted, proposed contenttest.Files) contenttest.Files {
	t.Helper()
	files := contenttest.Files{}
	for range 2 {
		for _, o := range mustJudge(t, accepted, proposed.With(files)).Open {
			for key, a := range agreement {
				if shorten([]string{a.text}, []string{strings.TrimSuffix(describe(o.Question), " +")})[0] != a.text {
					continue
				}
				name, d := decision.Folder(o.Record)+"/"+key+".yaml", decisionfile.Decision{Kind: o.Kind, Rationale: "looked", Principal: "ann", Questions: []any{o.Record}}
				if o.Kind == question.Fact {
					d.Value = a.answer
				} else {
					d.Result = a.answer.(string)
				}
				if o.Kind == question.Coverage {
					d.Members = o.Cover.Left()
				}
				text, err := decisionfile.Format(d)
				if err != nil {
					t.Fatal(err)
				}
				files[name] = string(text)
			}
		}
	}
	if v := mustJudge(t, accepted, proposed.With(files)); len(files) != len(agreement) || !v.Complete() || len(v.Counted) != len(agreement) {
		t.Fatalf("%d answers of %d, %q", len(files), len(agreement), states(v))
	}
	return files
}

// inAnswer replaces a text in the file that holds one answer.
func inAnswer(key, old, now string) edit {
	return answerFile(key, func(f contenttest.Files, name string) {
		if !strings.Contains(f[name], old) {
			panic("internal error: no " + old + " in " + f[name])
		}
		f[name] = strings.Replace(f[name], old, now, 1)
	})
}

// ofTerms is what an edit after all was answered does to the answers: the void count no longer and are in no state; the dormant are
// kept for a question that a fact takes out (RULES E6).
var ofTerms = []struct {
	rule, name     string
	both           []edit // made on both sides, as by a merge of the base
	accepted       []edit // made where it lands, and by the change not
	edits          []edit // made by the change
	voids, dormant string
	open           []string
	refuse         string // the code with which the whole is refused
}{
	{rule: "E6", name: "nothing"},
	{rule: "C14", name: "the meaning of a fact", both: []edit{sub(manifest, "Does it show?", "Is it seen by users?")}},
	{rule: "D1", name: "another fact", both: []edit{sub(manifest, riskNot, riskNot+"  - {id: ui.third, revision: 1, type: string-set}\n")}},
	{rule: "D2", name: "another fact changes", both: []edit{sub(manifest, "ui.other, revision: 1, type: string", "ui.other, revision: 2, type: boolean")}},
	{rule: "D2", name: "an alias more", both: []edit{sub(manifest, "[seen]", "[seen, shown]")}},
	{rule: "C14", name: "facts in another order", both: []edit{sub(manifest, visibleRow, ""), sub(manifest, riskRow, riskRow+visibleRow)}},
	{rule: "C14", name: "values in another order", both: []edit{sub(manifest, "[high, low]", "[low, high]")}},
	{rule: "D1", name: "inputs in other globs that match the same", both: []edit{sub(manifest, "[\"src/*.go\"]", "[\"src/main.*\", \"src/m*.go\"]")}},
	{rule: "D1", name: "the command of the provider", both: []edit{sub(manifest, "[scripts/risk.sh]", "[scripts/risk.py, --all]")}},
	{rule: "D1", name: "the revision of the provider", both: []edit{sub(manifest, "{id: ci.risk, revision: 1", "{id: ci.risk, revision: 2")}},
	{rule: "D1", name: "no provider any more", both: []edit{sub(manifest, ", provider: ci.risk", ""), sub(manifest, providerRow, "")}},
	{rule: "D2", name: "an alias in a row", both: []edit{sub(api, "fact: ui.visible", "fact: seen")}},
	{rule: "D2", name: "a condition written otherwise", both: []edit{sub(api, "when: {equals: {fact: ui.visible, value: true}}", "when: {\"equals\": {value: true, fact: ui.visible}}")}},
	{rule: "C14", name: "on in another order", both: []edit{sub(api, "[policy, consumer]", "[consumer, policy]")}},
	{rule: "D2", name: "a horizon in another order, for other reasons", both: []edit{sub(manifest, "[\"docs/**\", \"notes/**\"]", "[\"notes/**\", \"docs/**\"]"), sub(manifest, "reason: generated", "reason: made by a program")}},
	{rule: "E8", name: "less in the horizon", both: []edit{sub(manifest, ", \"notes/**\"", ""), sub(manifest, "{glob: docs/names.md, reason: generated}", "{glob: docs/names.md, reason: generated}, {glob: docs/more.md, reason: generated}")}},
	{rule: "E8", name: "a file of the horizon that is gone", edits: []edit{remove("docs/more.md")}},
	{rule: "D2", name: "a file outside the horizon", edits: []edit{write("other/x.md", "x"), write("src/deep/x.go", "x")}},
	{rule: "D2", name: "titles and prose", both: []edit{key(http, "title: HTTP"), key(api, "applies-when: there are clients")}},
	{rule: "D2", name: "the file of the module", edits: []edit{move(api, "standards/web/api.md")}},
	{rule: "D2", name: "another principal", both: []edit{sub(authorityAt, cyRow, cyRow+"  - {id: di, emails: [di@example.com], capabilities: [standards.waive]}\n")}},
	{rule: "D2", name: "principals in another order, and comments", both: []edit{sub(authorityAt, annRow, ""), sub(authorityAt, cyRow, cyRow+"  # who is everywhere\n"+annRow)}},
	{rule: "D2", name: "a principal's addresses and grants in another order", both: []edit{sub(authorityAt, "[ann@example.com, a@example.com]", "[a@example.com, ann@example.com]"), sub(authorityAt, "[standards.analyze, standards.review.consumer,", "[standards.review.consumer, standards.analyze,")}},
	{rule: "D2", name: "a key of one's own", both: []edit{sub(authorityAt, "a@example.com], cap", "a@example.com], keys: [\"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO6zOLgV2QiVY1w+nt0jXAHU7iB/J95oj7X1Pv07mIxq ann@laptop\"], cap")}},
	{rule: "F4", name: "the issuer's revision", both: []edit{sub(authorityAt, "{id: team, revision: 1}", "{id: team, revision: 2}")}},
	{rule: "F4", name: "somebody else revoked", both: []edit{sub(authorityAt, cyRow, cyRow+"revocations:\n  authority: {id: security, revision: 1}\n  revoked: [{id: r, principal: cy, reason: left}]\n")}},
	{rule: "E1", name: "another rationale of a value", edits: []edit{inAnswer("visible", "looked", "looked twice")}},
	{rule: "E6", name: "the same value by somebody else", edits: []edit{answerFile("visible", func(f contenttest.Files, name string) {
		f["standards/decisions/x.yaml"] = strings.Replace(f[name], "principal: ann", "principal: bob", 1)
	})}},
	{rule: "E2", name: "a value's file under another name", edits: []edit{answerFile("risk", func(f contenttest.Files, name string) { f["standards/decisions/x/y"] = f[name]; delete(f, name) })}},
	{rule: "C7", name: "main's other keys", both: []edit{sub(manifest, "version: 1\n", "version: 1\ngate: {push: warn}\n")}},

	{rule: "D1", name: "the contract of a fact: its revision", both: []edit{sub(manifest, "ui.visible, revision: 1", "ui.visible, revision: 2")}, voids: "names visible", open: []string{stale + visible}},
	{rule: "D1", name: "the contract of a fact: a value", both: []edit{sub(manifest, "[high, low]", "[high, low, none]")}, voids: "main risk", open: []string{stale + risk}},
	{rule: "D1", name: "the contract of a fact: never absent", both: []edit{sub(manifest, "nullable: true", "nullable: false")}, voids: "main risk", open: []string{stale + risk}},
	{rule: "D1", name: "one byte of an input", edits: []edit{write("src/main.go", "package other\n")}, voids: "risk", dormant: "main", open: []string{stale + risk}},
	{rule: "D1", name: "a file more among the inputs", edits: []edit{write("src/new.go", "x")}, voids: "risk", dormant: "main", open: []string{stale + risk}},
	{rule: "D1", name: "an input that main changed", both: []edit{write("src/main.go", "package other\n")}, voids: "risk", dormant: "main", open: []string{stale + risk}},
	{rule: "D1", name: "more declared inputs", both: []edit{sub(manifest, "[\"src/*.go\"]", "[\"src/**/*.go\"]")}, voids: "risk", dormant: "main", open: []string{stale + risk}},
	{rule: "D1", name: "inputs where none was declared", both: []edit{sub(manifest, "aliases: [seen]", "aliases: [seen], inputs: [\"lib/*\"]")}, voids: "visible", dormant: "names", open: []string{stale + visible}},
	{rule: "D1", name: "the change is about a unit more", edits: []edit{sub(http, "is 404", "is 410")}, voids: "visible", dormant: "names",
		open: []string{stale + visible, open + codesText, open + "coverage horizon http.codes"}},
	{rule: "D1", name: "the condition of a row", both: []edit{sub(api, "when: {equals: {fact: ui.visible, value: true}}", "when: {not: {equals: {fact: ui.visible, value: false}}}")}, voids: "names", open: []string{stale + namesReview}},
	{rule: "D1", name: "another fact in the condition of a row", both: []edit{sub(api, "when: {equals: {fact: ui.visible, value: true}}", "when: {exists: {fact: ui.risk}}")}, voids: "names visible", open: []string{stale + namesReview}},
	{rule: "D1 C7", name: "the condition of a row, by the change", edits: []edit{sub(api, ", when: {equals: {fact: ui.visible, value: true}}", "")}, voids: "names", dormant: "visible",
		open: []string{stale + namesReview, open + decl + "api.names#consumers.documentation-projection.path:docs/names.md … → …"}},
	// A fact without inputs is bound to the units that the change asks about, and the watched one is none of them any more.
	{rule: "C9 D1", name: "no watch any more", both: []edit{sub(api, "on: [policy, consumer], ", "")}, voids: "visible watched", dormant: "names", open: []string{stale + visible}},
	{rule: "C9 D1", name: "one byte of what is watched", edits: []edit{write("docs/errors.md", "Errors.\n\nMore.\n")}, voids: "watched", open: []string{stale + errorsAlso, open + coverNames}},
	{rule: "C9 D1", name: "what is watched as it was", edits: []edit{write("docs/errors.md", "Errors.\n")}, voids: "visible watched", dormant: "names", open: []string{stale + visible, open + coverNames}},
	{rule: "C9 E6", name: "what is watched landed", accepted: []edit{write("docs/errors.md", "Errors, and more.\n")}, voids: "visible watched", dormant: "names", open: []string{stale + visible}},
	{rule: "C9 D1", name: "words of the unit whose consumer is watched", both: []edit{sub(api, "stable", "fixed")}, voids: "watched", open: []string{stale + errorsAlso}},
	{rule: "D1", name: "words of the raised unit", edits: []edit{sub(api, "lower case", "upper case")}, voids: "coverage main names", open: []string{stale + coverNames, stale + mainReview, stale + namesReview}},
	{rule: "D1", name: "one byte of a consumer behind a condition", edits: []edit{write("lib/main.go", "y")}, voids: "main", open: []string{stale + mainReview}},
	{rule: "D1 C7", name: "the routing to another value", edits: []edit{sub(manifest, "base: [topic.api]", "base: [topic.http]")}, voids: "routing",
		open: []string{stale + decl + `manifest#routing {"base":["topic.api","topic.http"],"rules":[]} → {"base":["topic.http"],"rules":[]}`}},
	{rule: "D1 C7", name: "main changed the routing", accepted: []edit{sub(manifest, "[topic.api, topic.http]", "[topic.http]")}, voids: "routing",
		open: []string{stale + decl + `manifest#routing {"base":["topic.http"],"rules":[]} → {"base":["topic.api"],"rules":[]}`}},
	{rule: "D1 C7", name: "the routing as it was", edits: []edit{sub(manifest, "base: [topic.api]", "base: [topic.http, topic.api]")}, voids: "routing"},
	{rule: "D1 C7", name: "an entry of authority.yaml to another value", edits: []edit{sub(authorityAt, ", b@example.com", ", bb@example.com")}, voids: "bob", open: []string{stale + decl + "authority#principals.bob … → …"}},
	{rule: "C7 B1", name: "one's own grant in the change", edits: []edit{sub(authorityAt, "id: cy, emails: [cy@example.com], capabilities: [", "id: cy, emails: [cy@example.com], capabilities: [standards.waive, ")},
		open: []string{open + decl + "authority#principals.cy … → …"}},
	{rule: "C7 B1", name: "a horizon that the change narrows", edits: []edit{sub(manifest, "[\"docs/**\", \"notes/**\"]", "[\"notes/**\"]")}, open: []string{open + decl + "manifest#horizon … → …"}},
	{rule: "C7 B1", name: "a contract that the change alters", edits: []edit{sub(manifest, "[high, low]", "[high, low, none]")}, open: []string{open + decl + "manifest#facts.ui.risk … → …"}},
	{rule: "E8", name: "a file more in the horizon", edits: []edit{write("docs/new.md", "x")}, open: []string{open + coverNames}},
	{rule: "E8", name: "a member's other bytes", edits: []edit{write("docs/more.md", "Less.\n")}, open: []string{open + coverNames}},
	{rule: "E8", name: "more in the horizon where it lands", both: []edit{sub(manifest, "[\"docs/**\", \"notes/**\"]", "[\"docs/**\", \"lib/**\"]")}, open: []string{open + coverNames}},
	{rule: "E8", name: "two attesters", both: []edit{sub(authorityAt, "signatures: optional\n", "signatures: optional\ncoverage: {attesters: 2}\n")}, open: []string{open + coverNames}},
	{rule: "C11", name: "no horizon where it lands", both: []edit{sub(manifest, horizonRow, "")}, voids: "coverage"},
	{rule: "E8", name: "an attested file taken out of the answer", edits: []edit{answerFile("coverage", func(f contenttest.Files, name string) {
		lines := strings.SplitAfter(f[name], "\n")
		f[name] = strings.Join(slices.DeleteFunc(lines, func(line string) bool { return strings.Contains(line, "docs/more.md") }), "")
	})}, open: []string{open + coverNames}},
	{rule: "C10", name: "the other value", edits: []edit{inAnswer("visible", "value: true", "value: false")}, dormant: "names"},
	{rule: "E3", name: "no value", edits: []edit{answerFile("risk", func(f contenttest.Files, name string) {
		f[name] = strings.Replace(f[name], "value: low", "result: absent", 1)
	})}, dormant: "main"},
	{rule: "E1", name: "a value's file deleted", edits: []edit{answerFile("visible", func(f contenttest.Files, name string) { delete(f, name) })}, voids: "visible", dormant: "names", open: []string{open + visible}},
	{rule: "F1", name: "a capability taken away", both: []edit{sub(authorityAt, "standards.analyze, standards.review.consumer, standards.review.impact", "standards.review.consumer, standards.review.impact")}, refuse: "AUTHORITY.CAPABILITY"},
	{rule: "F4", name: "whoever answered revoked", both: []edit{sub(authorityAt, cyRow, cyRow+"revocations:\n  authority: {id: security, revision: 1}\n  revoked: [{id: r, principal: ann, reason: left}]\n")}, refuse: "AUTHORITY.REVOKED"},
	{rule: "F1", name: "whoever answered no longer listed", both: []edit{sub(authorityAt, annRow, strings.Replace(annRow, "id: ann", "id: anna", 1))}, refuse: "AUTHORITY.NOT_LISTED"},
}

func TestWhatAnEditOfTheTermsVoids(t *testing.T) {
	t.Parallel()
	before := agreed(t)
	answers := agreedAnswers(t, before, reworked(t, before))
	keyOf := map[string]string{}
	for name, text := range answers {
		read, _ := decision.Read(name, []byte(text))
		keyOf[read[0].Question] = strings.TrimSuffix(name[strings.LastIndex(name, "/")+1:], ".yaml")
	}
	for _, row := range ofTerms {
		t.Run(row.rule+" "+row.name, func(t *testing.T) {
			t.Parallel()
			accepted := apply(t, before, row.both...)
			proposed := apply(t, reworked(t, before).With(answers), append(slices.Clone(row.both), row.edits...)...)
			accepted = apply(t, accepted, row.accepted...)
			v, err := judgeFiles(t, accepted, proposed)
			if row.refuse != "" {
				var refused *fault.Error
				if !errors.As(err, &refused) || refused.Code != row.refuse || refused.Outcome != fault.Unauthorized {
					t.Fatalf("want %s, got %v", row.refuse, err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%v%s", err, list(err))
			}
			void, dormant := map[string]bool{}, map[string]bool{}
			for key := range agreement {
				void[key] = true
			}
			for _, a := range v.Counted {
				delete(void, keyOf[a.Question])
			}
			for _, a := range v.Dormant {
				delete(void, keyOf[a.Question])
				dormant[keyOf[a.Question]] = true
			}
			for what, pair := range map[string][2]string{
				"void":    {row.voids, strings.Join(slices.Sorted(maps.Keys(void)), " ")},
				"dormant": {row.dormant, strings.Join(slices.Sorted(maps.Keys(dormant)), " ")},
			} {
				if pair[0] != pair[1] {
					t.Errorf("%s: %q, want %q", what, pair[1], pair[0])
				}
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
			}
			if diff := cmp.Diff(sortedTexts(row.open), sortedTexts(got)); diff != "" {
				t.Errorf("open: %s", diff)
			}
			// Decisions never change a question: what could be asked is the same without them.
			bare := proposed.Clone()
			for name := range bare {
				if strings.HasPrefix(name, "standards/decisions/") {
					delete(bare, name)
				}
			}
			if diff := cmp.Diff(v.Derivable(), mustJudge(t, accepted, bare).Derivable()); diff != "" {
				t.Errorf("without its answers it asks otherwise: %s", diff)
			}
			sameInAWorktree(t, v, accepted, proposed)
		})
	}
	if len(ofTerms) < 40 {
		t.Errorf("%d rows", len(ofTerms))
	}
}
