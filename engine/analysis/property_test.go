package analysis

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/analysis/ask"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
)

// change is an edit with what it voids by RULES D1: the answers to questions whose record holds what it changes.
type change struct {
	name  string
	edit  edit
	voids func(q *question.Question) bool
}

func nothing(*question.Question) bool { return false }

func word(file, heading, unit, module string, n int) change {
	return change{
		fmt.Sprintf("a word in %s", unit),
		sub(file, "## "+heading+"\n\n", fmt.Sprintf("## %s\n\nWord%d ", heading, n)),
		func(q *question.Question) bool { return q.Unit == unit || q.Consumer == module },
	}
}

func outside(file, title, module string, n int) change {
	return change{
		"a word outside units of " + module,
		sub(file, "# "+title+"\n", fmt.Sprintf("# %s\n\nWord%d\n", title, n)),
		func(q *question.Question) bool {
			return q.Reason == question.UnmappedText && q.Module == module || q.Consumer == module
		},
	}
}

func bytes(file string, n int) change {
	return change{"a byte of " + file, write(file, fmt.Sprintf("%d", n)), func(q *question.Question) bool { return q.Consumer == file }}
}

// changes are the edits that compose in any order; n makes their texts new.
func changes(n int) []change {
	comment := func(file string) edit { return sub(file, "version: 1\n", fmt.Sprintf("version: 1 # %d\n", n)) }
	return []change{
		word(api, "Errors", "api.errors", "topic.api", n), word(api, "Names", "api.names", "topic.api", n), word(http, "Codes", "http.codes", "topic.http", n),
		outside(api, "API", "topic.api", n), outside(http, "HTTP", "topic.http", n),
		bytes("docs/errors.md", n), bytes("docs/names.md", n), bytes("src/err/a.go", n), bytes("src/err/b.go", n), bytes("src/main.go", n),
		{"another file", write("README", fmt.Sprint(n)), nothing},
		{"another standard", sub(glossary, "## Code\n\n", fmt.Sprintf("## Code\n\nWord%d ", n)), nothing},
		{"a comment of the manifest", func(t rapid.TB, f contenttest.Files) {
			if f[manifest] == base()[manifest] {
				comment(manifest)(t, f)
			}
		}, nothing},
		{"a comment of a module", func(_ rapid.TB, f contenttest.Files) {
			f[api] = strings.Replace(f[api], "  units:\n", fmt.Sprintf("  # %d\n  units:\n", n), 1)
		}, nothing},
		{"blank lines", func(_ rapid.TB, f contenttest.Files) { f[http] += "\n" }, nothing},
		{"a file more of a glob", write(fmt.Sprintf("src/err/n%d.go", n), "n"), nothing},
		{"a module more", write(fmt.Sprintf("standards/log%d.md", n), strings.NewReplacer("topic.log", fmt.Sprint("topic.log", n), "log.line", fmt.Sprint("log.line", n)).Replace(newModule)), nothing},
	}
}

// drawProposed makes a proposed side out of some edits and some raises.
func drawProposed(t *rapid.T) contenttest.Files {
	files := base()
	for _, unit := range []string{"api.errors", "api.names", "http.codes"} {
		if rapid.Bool().Draw(t, "raise "+unit) {
			files = apply(t, files, raise(unit, 1, rapid.IntRange(2, 3).Draw(t, "to")))
		}
	}
	for i, c := range changes(1) {
		if rapid.IntRange(0, 3).Draw(t, "edit "+fmt.Sprint(i)) == 0 {
			files = apply(t, files, c.edit)
		}
	}
	return files
}

// drawAnswers answers some of the questions without contradiction, in files of any name.
func drawAnswers(t *rapid.T, questions []*question.Question) contenttest.Files {
	files := contenttest.Files{}
	for i, q := range questions {
		result := rapid.SampledFrom(q.Results()).Draw(t, "result")
		for j := range rapid.IntRange(0, 2).Draw(t, "answers") {
			name := fmt.Sprintf("standards/decisions/%s/%d-%d.yaml", rapid.SampledFrom([]string{"api-names", "api-errors", "x"}).Draw(t, "folder"), i, j)
			files[name] = decisionText(t, result, rapid.SampledFrom([]string{"ann", "bob"}).Draw(t, "principal"), q)
		}
	}
	return files
}

// RULES C, E5, E6, G1.
func TestDecisionsOnlyCloseQuestions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		proposed := drawProposed(t)
		v := mustJudge(t, base(), proposed)
		answers := drawAnswers(t, v.Asked)
		// Answers to states that nobody asks for now: history, and never counted.
		old := mustJudge(t, base(), apply(t, base(), raise("api.errors", 1, 9), raise("http.codes", 1, 9)))
		history := drawAnswers(t, old.Asked)
		all := proposed.With(answers)
		for name, text := range history {
			all[strings.Replace(name, ".yaml", ".old.yaml", 1)] = text
		}
		answered := mustJudge(t, base(), all)
		if !slices.Equal(ids(v.Asked), ids(answered.Asked)) {
			t.Fatal("an answer changed what is asked")
		}
		if len(answered.Counted) != len(answers) {
			t.Fatalf("%d answers counted of %d", len(answered.Counted), len(answers))
		}
		closed := map[string]bool{}
		for _, a := range answered.Counted {
			if answers[a.File] == "" {
				t.Fatalf("%s is counted", a.File)
			}
			if a.Result != "blocked" {
				closed[a.Question] = true
			}
		}
		for _, o := range answered.Open {
			if closed[o.ID] {
				t.Fatalf("%s is open and answered", describe(o.Question))
			}
		}
		if len(answered.Open)+len(closed) != len(v.Asked) || answered.Complete() != (len(closed) == len(v.Asked)) {
			t.Fatalf("%d open, %d closed of %d", len(answered.Open), len(closed), len(v.Asked))
		}
		if !v.Complete() && len(answers) > 0 && rootID(t, answered) == rootID(t, v) {
			t.Fatal("answers are not in the state")
		}
		// Other names, another order, no history: the same state.
		renamed := proposed.Clone()
		names := slices.Sorted(maps.Keys(answers))
		for i, j := range rapid.Permutation(names).Draw(t, "order") {
			renamed[fmt.Sprintf("standards/decisions/%c/%d.yml", 'a'+i%3, i)] = answers[j]
		}
		if rootID(t, mustJudge(t, base(), renamed)) != rootID(t, answered) {
			t.Fatal("names, order or history of decisions changed the state")
		}
	})
}

// DESIGN 1, "Exact"; RULES D1, D2: one hop, never more.
func TestAnEditVoidsExactlyTheAnswersThatJudgedIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		proposed := drawProposed(t)
		v := mustJudge(t, base(), proposed)
		for i, q := range v.Asked {
			proposed[fmt.Sprintf("standards/decisions/x/%d.yaml", i)] = decisionText(t, q.Results()[0], "ann", q)
		}
		if !mustJudge(t, base(), proposed).Complete() {
			t.Fatal("all answered and not complete")
		}
		c := rapid.SampledFrom(changes(2)).Draw(t, "change")
		after := mustJudge(t, base(), apply(t, proposed, c.edit))
		counted := map[string]bool{}
		for _, a := range after.Counted {
			counted[a.Question] = true
		}
		askedNow := after.AskedSet()
		for _, q := range v.Asked {
			if counted[q.ID] == c.voids(q) {
				t.Fatalf("%s: %s counted: %v", c.name, describe(q), counted[q.ID])
			}
			if c.voids(q) {
				again := slices.IndexFunc(after.Open, func(o decision.Open) bool {
					return describe(o.Question) == describe(q) || o.State == decision.StateStale && o.Stale.Question == q.ID
				})
				if again < 0 || askedNow[q.ID] {
					t.Fatalf("%s voids %s, and nobody asks again", c.name, describe(q))
				}
			}
		}
	})
}

// DESIGN 1: rebase, amend, squash and merges of unrelated work never void an answer. The accepted side moves by what does
// not touch the changed units; the questions stay.
func TestMovingTheBaseAsksNothingNew(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		unrelated := []edit{}
		for _, c := range changes(3)[9:] {
			if rapid.Bool().Draw(t, c.name) && c.name != "a file more of a glob" {
				unrelated = append(unrelated, c.edit)
			}
		}
		own := []edit{raise("api.errors", 1, 2), write("docs/errors.md", "new"), sub(http, "A missing", "Any missing")}
		before := mustJudge(t, base(), apply(t, base(), own...))
		moved := apply(t, base(), unrelated...)
		after := mustJudge(t, moved, apply(t, moved, own...))
		if !slices.Equal(ids(before.Asked), ids(after.Asked)) {
			t.Fatal("unrelated work on the base changed the questions")
		}
	})
}

// try replaces text where it stands, and does nothing elsewhere, so that wild edits compose in any order.
func try(file string, pairs ...string) edit {
	return func(_ rapid.TB, files contenttest.Files) {
		if text, ok := files[file]; ok && strings.Contains(text, pairs[0]) {
			for i := 0; i+1 < len(pairs); i += 2 {
				text = strings.Replace(text, pairs[i], pairs[i+1], 1)
			}
			files[file] = text
		}
	}
}

// toggle does one thing and undoes it when it is drawn again.
func toggle(file, a, b string) edit {
	return func(t rapid.TB, files contenttest.Files) {
		if strings.Contains(files[file], b) {
			try(file, b, a)(t, files)
		} else {
			try(file, a, b)(t, files)
		}
	}
}

// replaced puts one standards file in the place of another state of it, and back.
func replaced(file string, e edit) edit {
	return func(t rapid.TB, files contenttest.Files) {
		whole := base()
		if files[file] != whole[file] {
			files[file] = whole[file]
			return
		}
		e(t, files)
	}
}

// places are where files come, go and move to; contents are few, so that equal bytes meet.
var (
	places = []string{"docs/errors.md", "docs/names.md", "docs/naming.md", "doc/names.md", "src/err/a.go", "src/err/b.go", "src/err/c.go",
		"src/errors/a.go", "src/errors/b.go", "src/main.go", "standards/decisions/notes.md", "standards/notes.md", "README"}
	contents = []string{"Names.\n", "Errors.\n", "package err // a\n", "", "x\n", contenttest.Symlink, contenttest.Gitlink}
)

// wild are edits of every kind that RULES C names, sound and unsound ones.
var wild = map[string]edit{
	"level api":      toggle(api, "level: MUST", "level: SHOULD"),
	"level http":     toggle(http, "level: SHOULD", "level: REFERENCE"),
	"level glossary": toggle(glossary, "level: REFERENCE", "level: PROFILE"),
	"role":           toggle(api, "role: topic", "role: core"),
	"requires":       toggle(http, "requires: [topic.api]", "requires: [ref.glossary]"),
	"dangling":       toggle(http, "  units:", "  specializes: [topic.gone]\n  units:"),
	"block":          toggle(manifest, "version: 1\n", "version: 1\ngate: {block: [MUST], commit: all}\n"),
	"globs":          toggle(manifest, "standards/**/*.md", "standards/*.md"),
	"no manifest":    remove(manifest), "the manifest": write(manifest, base()[manifest]),
	"a broken manifest":    replaced(manifest, write(manifest, "version: [")),
	"a broken module":      toggle(http, "[Codes]", "[Cods]"),
	"a raise":              toggle(api, "[Errors], revision: 1", "[Errors], revision: 2"),
	"another raise":        toggle(api, "[Names], revision: 1", "[Names], revision: 3"),
	"a word":               toggle(api, "lower case", "upper case"),
	"a word outside":       toggle(api, "a client sees", "clients see"),
	"a word of a consumer": toggle(http, "is 404", "is 410"),
	"CRLF":                 func(t rapid.TB, f contenttest.Files) { lf(api)(t, f); crlf(api)(t, f) },
	"LF":                   lf(api),
	"heading": func(t rapid.TB, f contenttest.Files) {
		toggle(api, "[Names]", "[Naming]")(t, f)
		toggle(api, "## Names\n", "## Naming\n")(t, f)
	},
	"an alias":               toggle(api, "[Names], ", "[Names], aliases: [api.naming], "),
	"a predecessor":          toggle(api, "[Names], ", "[Names], predecessors: [api.errors], "),
	"an unknown predecessor": toggle(api, "[Names], ", "[Names], predecessors: [api.gone], "),
	"an edge more":           toggle(api, "  consumers:\n", "  consumers:\n"+mainEdge),
	"an edge less":           toggle(api, moduleEdge, "    # none\n"),
	"an edge to nothing":     toggle(api, "  consumers:\n", "  consumers:\n"+edgeRow("path: docs/nothing.md")),
	"a path or a glob":       toggle(api, "path: docs/names.md", `glob: "docs/n*.md"`),
	"a moved path":           toggle(api, "path: docs/names.md", "path: docs/naming.md"),
	"a wider glob":           toggle(api, `glob: "src/err/*.go"`, `glob: "src/**/*.go"`),
	"a moved glob":           toggle(api, `glob: "src/err/*.go"`, `glob: "src/errors/*.go"`),
	"a narrower glob":        toggle(api, `glob: "src/err/*.go"`, "path: src/err/a.go"),
	"a relation":             toggle(api, "docs/names.md, relation: documentation", "docs/names.md, relation: template"),
	"an evidence-owner":      toggle(api, "docs/errors.md, rel", "docs/errors.md, evidence-owner: ann, rel"),
	"another id":             toggle(api, namesRow, "    - {id: api.words, heading: [Names], revision: 1, aliases: [api.names]}\n"),
	"a tombstone":            toggle(http, "  units:\n", "  tombstones: ["+httpStone+"]\n  units:\n"),
	"a unit removed": replaced(api, func(_ rapid.TB, f contenttest.Files) {
		f[api] = strings.NewReplacer(namesRow, "", namesEdge, "", namesTitle, "", "  units:\n", "  tombstones: ["+stoneRow+"]\n  units:\n").Replace(f[api])
	}),
	"a unit removed unsaid": replaced(api, func(_ rapid.TB, f contenttest.Files) {
		f[api] = strings.NewReplacer(namesRow, "", namesEdge, "", namesTitle, "").Replace(f[api])
	}),
	"a unit moved": func(_ rapid.TB, f contenttest.Files) {
		if strings.Contains(f[api], namesRow) && strings.Contains(f[api], namesTitle) && f[http] != "" {
			f[api] = strings.NewReplacer(namesRow, "", namesTitle, "").Replace(f[api])
			f[http] = strings.NewReplacer("  units:\n", "  units:\n"+namesRow, "## Codes\n", namesTitle+"\n## Codes\n").Replace(f[http])
		}
	},
	"a module removed": func(t rapid.TB, f contenttest.Files) {
		if f[http] == base()[http] {
			delete(f, http)
			try(api, moduleEdge, "", "  units:\n", "  tombstones: [{id: http.codes, retired-revision: 1}]\n  units:\n")(t, f)
		}
	},
	"a module of words removed": remove(glossary),
	"a module more":             func(_ rapid.TB, f contenttest.Files) { f["standards/log.md"] = newModule },
	"a module less":             remove("standards/log.md"),
	"an edge elsewhere": func(t rapid.TB, f contenttest.Files) {
		if strings.Contains(f[api], namesEdge) && f[http] != "" {
			try(api, namesEdge, "")(t, f)
			try(http, "  consumers:\n", "  consumers:\n"+namesEdge)(t, f)
		}
	},
}

// roam draws wild edits, of standards and of files, one after another; touched gets every path that any of them changed.
func roam(t *rapid.T, label string, files contenttest.Files, most int, touched map[string]bool) contenttest.Files {
	for range rapid.IntRange(0, most).Draw(t, label) {
		before := files
		files = files.Clone()
		if rapid.Bool().Draw(t, "standards") {
			name := rapid.SampledFrom(slices.Sorted(maps.Keys(wild))).Draw(t, label)
			wild[name](t, files)
		} else {
			at, to := rapid.SampledFrom(places).Draw(t, "at"), rapid.SampledFrom(places).Draw(t, "to")
			switch rapid.SampledFrom([]string{"move", "move", "copy", "delete", "write"}).Draw(t, label) {
			case "move":
				if text, here := files[at]; here {
					delete(files, at)
					files[to] = text
				}
			case "copy":
				if text, here := files[at]; here {
					files[to] = text
				}
			case "delete":
				delete(files, at)
			default:
				files[at] = rapid.SampledFrom(contents).Draw(t, "text")
			}
		}
		for _, change := range contenttest.Changes(before, files) {
			touched[change.Name] = true
		}
	}
	return files
}

// breaks are ways in which an accepted side was broken by somebody who went round the gate (RULES B7).
var breaks = map[string]edit{
	"not":               all(),
	"a heading":         try(http, "[Codes]", "[Cods]"),
	"a module":          try(glossary, "id: ref.glossary", "id: ["),
	"a module's id":     try(glossary, "id: ref.glossary", "id: topic.api"),
	"a unit's id":       try(glossary, "id: glossary.code", "id: api.names"),
	"the manifest":      write(manifest, "version: ["),
	"a key":             try(manifest, "version: 1\n", "version: 1\nmodule: x\n"),
	"a required module": try(http, "[topic.api]", "[topic.api, topic.gone]"),
	"a consumer":        try(api, "  consumers:\n", "  consumers:\n"+edgeRow("module: topic.gone")),
	"a link":            write(manifest, contenttest.Symlink),
}

// sides draws an accepted side, now and then a broken one that the change repairs, and a proposed side at most so many edits away.
func sides(t *rapid.T, most int) (accepted, proposed contenttest.Files, touched map[string]bool) {
	sound := roam(t, "accepted", base(), 2, map[string]bool{})
	accepted, touched = sound, map[string]bool{}
	if rapid.IntRange(0, 2).Draw(t, "broken") == 0 {
		accepted = apply(t, sound, breaks[rapid.SampledFrom(slices.Sorted(maps.Keys(breaks))).Draw(t, "broken")])
	}
	for _, change := range contenttest.Changes(accepted, sound) {
		touched[change.Name] = true
	}
	return accepted, roam(t, "proposed", sound, most, touched), touched
}

// judgeRoamed judges two sides that may be unsound: then the error is one that a person can act on, and nil is returned.
func judgeRoamed(t *rapid.T, accepted, proposed content.Source, changes []content.Change) *Verdict {
	ctx := context.Background()
	old, err := corpus.NewCompiler().Compile(ctx, accepted)
	if err != nil {
		t.Fatal(err)
	}
	if old.Manifest == nil {
		t.Skip("adoption") // nothing is judged (RULES B6)
	}
	v, err := judgeSources(t, accepted, proposed, changes)
	if err != nil {
		var findings *corpus.FindingsError
		if errors.As(err, &findings) && corpus.HasErrors(findings.Findings) {
			for _, f := range findings.Findings {
				if f.File == "" || f.Line < 1 || f.Code == "" || f.Message == "" || f.Next == "" {
					t.Fatalf("%+v", f)
				}
			}
			return nil
		}
		if f := fault.As(err); f == nil || f.Code == "" {
			t.Fatalf("%v", err)
		}
		return nil
	}
	return v
}

// RULES B1, DESIGN 1 "Reproducible": the two ends alone count. Not how their files come, in which order the changes are
// listed, nor what was changed and changed back on the way; and nothing ends in a panic or in an error without a code.
func TestAVerdictIsAFunctionOfTheTwoEnds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		accepted, proposed, touched := sides(t, 6)
		v := judgeRoamed(t, accepted.Tree(), proposed.Tree(), contenttest.Changes(accepted, proposed))
		worktree := rapid.Permutation(everything(accepted, proposed)).Draw(t, "order")
		other := judgeRoamed(t, accepted.Worktree(), proposed.Worktree(), worktree)
		// A squash lists only what differs in the end; a range may list what was touched on the way.
		var longer []content.Change
		for _, name := range slices.Sorted(maps.Keys(touched)) {
			if c := (content.Change{Name: name, Old: entryOf(t, accepted, name), New: entryOf(t, proposed, name)}); c.Old != nil || c.New != nil {
				longer = append(longer, c)
			}
		}
		third := judgeRoamed(t, accepted.Tree(), proposed.Tree(), longer)
		if (v == nil) != (other == nil) || (v == nil) != (third == nil) {
			t.Fatalf("judged: %v, in a worktree %v, with all that was touched %v", v != nil, other != nil, third != nil)
		}
		if v == nil {
			return
		}
		for _, o := range []*Verdict{other, third} {
			if rootID(t, v) != rootID(t, o) || v.Uncarried != o.Uncarried || fmt.Sprint(v.Notices) != fmt.Sprint(o.Notices) {
				t.Fatalf("%q %v\n%q %v", states(v), v.Notices, states(o), o.Notices)
			}
		}
	})
}

func entryOf(t *rapid.T, files contenttest.Files, name string) *content.Entry {
	listed, err := files.Tree().List(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range listed {
		if listed[i].Name == name {
			return &listed[i]
		}
	}
	return nil
}

// RULES E6: every question can be answered, answers alone close it, and nothing unrelated opens it again. Answers that were
// given on the way to states that are no more are history: they are not in the state (RULES G1).
func TestAllAnsweredIsCompleteAndStaysSo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		accepted, proposed, touched := sides(t, 0)
		judged := func() *Verdict {
			return judgeRoamed(t, accepted.Tree(), proposed.Tree(), contenttest.Changes(accepted, proposed))
		}
		answers := contenttest.Files{}
		for range rapid.IntRange(1, 3).Draw(t, "steps") {
			proposed = roam(t, "proposed", proposed, 3, touched)
			if v := judged(); v != nil {
				for i, q := range v.Asked {
					answers[fmt.Sprintf("%s/%d-%d.yaml", decision.Folder(q.Record), len(answers), i)] = decisionText(t, q.Results()[0], "ann", q)
				}
			}
		}
		last := judged()
		if last == nil {
			return
		}
		now := contenttest.Files{}
		for i, q := range last.Asked {
			now[fmt.Sprintf("%s/%d.yaml", decision.Folder(q.Record), i)] = decisionText(t, q.Results()[0], "ann", q)
		}
		bare := proposed
		proposed = bare.With(now)
		complete := judged()
		if complete == nil || !complete.Complete() || len(complete.Counted) != len(now) {
			t.Fatalf("all answered and not complete: %q", states(complete))
		}
		dormant := map[string]bool{}
		for _, q := range complete.derivable {
			dormant[q.ID] = true
		}
		proposed = bare.With(answers)
		all := judged()
		if all == nil || !all.Complete() {
			t.Fatalf("answers on the way, the last of them to all that is asked, and not complete: %q", states(all))
		}
		for _, a := range all.Dormant {
			if !dormant[a.Question] {
				t.Fatalf("%s is in the state", a.File)
			}
		}
		if len(all.Dormant) == 0 && sameResults(all, complete) && rootID(t, all) != rootID(t, complete) {
			t.Fatal("history is in the state")
		}
		proposed = bare.With(now)
		proposed["LICENSE"] = "x"
		proposed["standards/decisions/README.md"] = "# Decisions\n"
		if v := judged(); v == nil || !v.Complete() || rootID(t, v) != rootID(t, complete) {
			t.Fatal("an unrelated edit opened a question")
		}
	})
}

// sameResults reports that two verdicts count the same results: `updated` may have been what could be said first at one time.
func sameResults(a, b *Verdict) bool {
	results := func(v *Verdict) map[string]bool {
		set := map[string]bool{}
		for _, answer := range v.Counted {
			set[answer.Question+" "+answer.Result] = true
		}
		return set
	}
	return maps.Equal(results(a), results(b))
}

// bond is a consumer that a unit binds: one edge, walked by hand.
type bond struct{ unit, module, relation, consumer string }

// bonds lists what binds on one side, by the levels of the accepted gate.
func bonds(t *rapid.T, files contenttest.Files, block []string) map[bond]string {
	c, err := corpus.NewCompiler().Compile(context.Background(), files.Tree())
	if err != nil {
		t.Fatal(err)
	}
	rows := map[bond]string{}
	for _, m := range c.Modules {
		for i := range m.Consumers {
			edge := &m.Consumers[i]
			unit := c.UnitNamed(edge.Unit)
			if unit == nil || c.IsUnreadable(m.File) || c.IsUnreadable(unit.Module.File) || !slices.Contains(block, unit.Module.Level) {
				continue
			}
			b := bond{unit.ID, unit.Module.ID, edge.Relation, edge.Module}
			row := fmt.Sprintf("%s:%d", m.File, edge.Line)
			if edge.Module != "" {
				if m := c.Module(edge.Module); m != nil && !c.IsUnreadable(m.File) { // else it reads as absent (RULES B7)
					rows[b] = row
				}
				continue
			}
			g, _ := glob.Parse(edge.Glob)
			for name, text := range files {
				if text != contenttest.Symlink && text != contenttest.Gitlink && (name == edge.Path || edge.Glob != "" && g.Match(name) && !corpus.IsDecision(name)) {
					b.consumer = name
					rows[b] = row
				}
			}
		}
	}
	return rows
}

// RULES A7, C5, C7, C12, C13: nothing that stopped binding does so silently.
func TestNothingStopsBindingSilently(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		accepted, proposed, _ := sides(t, 5)
		v := judgeRoamed(t, accepted.Tree(), proposed.Tree(), contenttest.Changes(accepted, proposed))
		if v == nil || v.Accepted.IsUnreadable(manifest) {
			return
		}
		block := v.Accepted.Manifest.Gate.Block
		after := bonds(t, proposed, block)
		for b := range bonds(t, accepted, block) {
			if _, binds := after[b]; binds || isTold(v, b) {
				continue
			}
			// A file that has another name below the same edges is bound as before.
			moved := false
			for other := range after {
				moved = moved || other.unit == b.unit && other.relation == b.relation && proposed[other.consumer] == accepted[b.consumer] &&
					slices.Contains([]string{"", contenttest.Symlink, contenttest.Gitlink}, accepted[other.consumer]) // no file stood there
			}
			if !moved {
				t.Fatalf("%+v binds no more and nobody is told: %q %v", b, states(v), v.Notices)
			}
		}
	})
}

// isTold reports whether a question or a notice of a verdict is about a bond.
func isTold(v *Verdict, b bond) bool {
	for _, q := range v.Asked {
		aboutUnit := q.Unit == b.unit && (q.Consumer == b.consumer || q.Declaration == b.unit+"#module" || strings.HasPrefix(q.Declaration, b.unit+"#consumers."+b.relation+"."))
		aboutAll := q.Declaration == b.module+"#level" || q.Declaration == "manifest#modules" && q.Record["new"] == nil
		if aboutUnit || aboutAll {
			return true
		}
	}
	return slices.ContainsFunc(v.Notices, func(n ask.Notice) bool {
		return n.Code == ask.CarriedCode && strings.Contains(n.Message, b.unit) || n.Code == ask.DeletedCode && slices.Contains(n.Paths, b.consumer)
	})
}
