package analysis

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/identity"
)

// model is two people who edit and answer, and the accepted side, which now and then takes over all there is.
type model struct {
	accepted, proposed contenttest.Files
	edits              int
}

func withoutDecisions(files contenttest.Files) contenttest.Files {
	files = files.Clone()
	maps.DeleteFunc(files, func(name, _ string) bool { return corpus.IsDecision(name) })
	return files
}

// place says what a record is about (RULES D4), written anew for the test.
func place(record identity.Record) string {
	return fmt.Sprint(record["kind"], " ", record["reason"], " ", record["unit"], " ", record["module"], " ", record["declaration"], " ", record["file"], " ", record["consumer"])
}

type given struct{ File, Principal, Question, Result, Place string }

func answersIn(t *rapid.T, files contenttest.Files) []given {
	var all []given
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !corpus.IsDecision(name) {
			continue
		}
		answers, findings := decision.Read(name, []byte(files[name]))
		if len(findings) > 0 {
			t.Fatalf("%s: %v", name, findings)
		}
		for _, a := range answers {
			all = append(all, given{name, a.Principal, a.Question, a.Result, place(a.Record)})
		}
	}
	return all
}

func (m *model) edit(t *rapid.T) {
	m.edits++
	pool := changes(m.edits)
	for _, unit := range []string{"api.errors", "api.names", "http.codes"} {
		file := api
		if unit == "http.codes" {
			file = http
		}
		_, row, _ := strings.Cut(m.proposed[file], "{id: "+unit+",")
		_, number, _ := strings.Cut(row, "revision: ")
		number, _, _ = strings.Cut(number, "}")
		from, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		pool = append(pool, change{"raise " + unit, raise(unit, from, from+1), nothing}, change{"raise " + unit, raise(unit, from, from+1), nothing})
	}
	m.proposed = apply(t, m.proposed, rapid.SampledFrom(pool).Draw(t, "edit").edit)
}

// several writes one answer to two questions of one unit, as an earlier command may have done.
func (m *model) several(t *rapid.T) {
	v := mustJudge(t, withoutDecisions(m.accepted), withoutDecisions(m.proposed))
	byUnit := map[string][]*question.Question{}
	for _, q := range v.Asked {
		if q.Kind == question.ConsumerReview {
			byUnit[q.Unit] = append(byUnit[q.Unit], q)
		}
	}
	for _, unit := range slices.Sorted(maps.Keys(byUnit)) {
		if questions := byUnit[unit]; len(questions) > 1 {
			m.edits++
			name := fmt.Sprintf("standards/decisions/%s/several%d.yaml", authored.Slug(unit), m.edits)
			m.proposed[name] = decisionText(t, "no-change", rapid.SampledFrom([]string{"ann", "bob"}).Draw(t, "principal"), questions[:2]...)
			return
		}
	}
}

func (m *model) answer(t *rapid.T) {
	v := mustJudge(t, withoutDecisions(m.accepted), withoutDecisions(m.proposed))
	principal := rapid.SampledFrom([]string{"ann", "bob"}).Draw(t, "principal")
	var submitted []decision.Submitted
	answered, located := map[string]bool{}, map[string]bool{}
	for _, q := range v.Asked {
		if rapid.Bool().Draw(t, "answer") {
			submitted = append(submitted, decision.Submitted{Question: q, Result: rapid.SampledFrom(q.Results()).Draw(t, "result"), Rationale: "because"})
			answered[q.ID], located[place(q.Record)] = true, true
		}
	}
	before := answersIn(t, m.proposed)
	plan, err := decision.PlanAnswers(context.Background(), m.accepted.Tree(), m.proposed.Worktree(), contenttest.Changes(m.accepted, m.proposed), v.AskedSet(), principal, submitted)
	if err != nil {
		t.Fatal(err)
	}
	after := m.proposed.Clone()
	for _, name := range plan.Remove {
		if _, ok := after[name]; !ok || plan.Write[name] != nil {
			t.Fatalf("%s is removed and was not there, or is written", name)
		}
		delete(after, name)
	}
	for name, text := range plan.Write {
		after[name] = string(text)
	}
	// RULES E9, as a set of answers.
	asked := v.AskedSet()
	want := []given{}
	for _, g := range before {
		inRange := m.accepted[g.File] != m.proposed[g.File]
		superseded := g.Principal == principal && (answered[g.Question] || inRange && !asked[g.Question] && located[g.Place])
		if !superseded {
			want = append(want, g)
		}
	}
	for _, alike := range byFolder(submitted) {
		file := newFile(t, want, alike, principal)
		for _, s := range alike {
			want = append(want, given{file, principal, s.Question.ID, s.Result, place(s.Question.Record)})
		}
	}
	got := answersIn(t, after)
	order := func(a, b given) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
	slices.SortFunc(want, order)
	slices.SortFunc(got, order)
	if diff := cmp.Diff(want, append([]given{}, got...)); diff != "" {
		t.Fatal(diff)
	}
	for name, text := range m.proposed {
		if !corpus.IsDecision(name) || !strings.Contains(text, "principal: "+principal+"\n") {
			if after[name] != text {
				t.Fatalf("%s, which is not %s's, was touched", name, principal)
			}
		}
	}
	m.proposed = after
}

// byFolder gathers what RULES E2 lets share a file: one result to questions of one kind and folder, in the order of their ids.
func byFolder(submitted []decision.Submitted) [][]decision.Submitted {
	groups := map[string][]decision.Submitted{}
	for _, s := range submitted {
		key := owner(s.Question) + " " + s.Question.Kind + " " + s.Result
		groups[key] = append(groups[key], s)
	}
	var list [][]decision.Submitted
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		slices.SortFunc(groups[key], func(a, b decision.Submitted) int { return strings.Compare(a.Question.ID, b.Question.ID) })
		list = append(list, groups[key])
	}
	return list
}

// owner is the unit, else the module, else what stands before # in a declaration, whose slug is the folder.
func owner(q *question.Question) string {
	if q.Reason == question.BaseInvalid || strings.HasPrefix(q.Declaration, "manifest#") {
		return "_manifest"
	}
	about, _, _ := strings.Cut(q.Declaration, "#")
	if about == "" {
		about = q.Unit
	}
	if about == "" {
		about = q.Module
	}
	return strings.NewReplacer(".", "-", "/", "-").Replace(about)
}

// newFile is the name that RULES E2 gives, spelled out here: the first that no answer which stays has taken.
func newFile(t *rapid.T, stay []given, alike []decision.Submitted, principal string) string {
	q := alike[0].Question
	name, id := q.Consumer, q.ID
	if name == "" {
		name = q.Reason
	}
	if len(alike) > 1 {
		ids := identity.List{}
		for _, s := range alike {
			ids = append(ids, s.Question.ID)
		}
		hash, err := identity.Hash("coding-standards:decision-questions:v1", "decision-questions", ids)
		if err != nil {
			t.Fatal(err)
		}
		name, id = "several", hash
	}
	_, hex, _ := identity.Split(id)
	stem := fmt.Sprintf("standards/decisions/%s/%s.%s.%s", owner(q), strings.NewReplacer(".", "-", "/", "-").Replace(name), hex[:12], principal)
	file := stem + ".yaml"
	for n := 2; slices.ContainsFunc(stay, func(g given) bool { return g.File == file }); n++ {
		file = fmt.Sprintf("%s-%d.yaml", stem, n)
	}
	return file
}

func TestAnswersReplaceWhatTheySupersede(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := &model{accepted: base(), proposed: base()}
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0, 1, 2, 3:
				m.edit(t)
			case 4:
				m.several(t)
			case 5:
				m.accepted = m.proposed.Clone()
			default:
				m.answer(t)
			}
		}
	})
}
