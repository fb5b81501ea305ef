package analysis

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/content/contenttest"
)

// change is an edit with what it voids by RULES D1: the answers to questions whose record holds what it changes.
type change struct {
	name  string
	edit  edit
	voids func(q *Question) bool
}

func nothing(*Question) bool { return false }

func word(file, heading, unit, module string, n int) change {
	return change{
		fmt.Sprintf("a word in %s", unit),
		sub(file, "## "+heading+"\n\n", fmt.Sprintf("## %s\n\nWord%d ", heading, n)),
		func(q *Question) bool { return q.Unit == unit || q.Consumer == module },
	}
}

func outside(file, title, module string, n int) change {
	return change{
		"a word outside units of " + module,
		sub(file, "# "+title+"\n", fmt.Sprintf("# %s\n\nWord%d\n", title, n)),
		func(q *Question) bool { return q.Reason == UnmappedText && q.Module == module || q.Consumer == module },
	}
}

func bytes(file string, n int) change {
	return change{"a byte of " + file, write(file, fmt.Sprintf("%d", n)), func(q *Question) bool { return q.Consumer == file }}
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
func drawAnswers(t *rapid.T, questions []*Question) contenttest.Files {
	files := contenttest.Files{}
	for i, q := range questions {
		result := rapid.SampledFrom(q.Results()).Draw(t, "result")
		for j := range rapid.IntRange(0, 2).Draw(t, "answers") {
			name := fmt.Sprintf("standards/decisions/%s/%d-%d.yaml", rapid.SampledFrom([]string{"api-names", "api-errors", "x"}).Draw(t, "folder"), i, j)
			files[name] = decision(t, result, rapid.SampledFrom([]string{"ann", "bob"}).Draw(t, "principal"), q)
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
			proposed[fmt.Sprintf("standards/decisions/x/%d.yaml", i)] = decision(t, q.Results()[0], "ann", q)
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
				again := slices.IndexFunc(after.Open, func(o Open) bool {
					return describe(o.Question) == describe(q) || o.State == StateStale && o.Stale.Question == q.ID
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
