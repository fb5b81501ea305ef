package analysis

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/identity"
)

// decisionText writes a decision file about questions of one kind.
func decisionText(t rapid.TB, result, principal string, questions ...*question.Question) string {
	t.Helper()
	d := decisionfile.Decision{Kind: questions[0].Kind, Result: result, Rationale: "looked", Principal: principal}
	for _, q := range questions {
		d.Questions = append(d.Questions, identity.Record(q.Record))
	}
	text, err := decisionfile.Format(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// find returns the question that the tables describe so, `updated` aside.
func find(t rapid.TB, v *Verdict, description string) *question.Question {
	t.Helper()
	for _, q := range v.Asked {
		if strings.TrimSuffix(describe(q), " +") == description {
			return q
		}
	}
	t.Fatalf("nobody asks %s", description)
	return nil
}

// states lists the open questions with their state, and the counted answers with their file.
func states(v *Verdict) (out []string) {
	for _, o := range v.Open {
		out = append(out, o.State+" "+strings.TrimSuffix(describe(o.Question), " +"))
	}
	for _, a := range v.Counted {
		out = append(out, fmt.Sprintf("counted %s %s", a.Result, a.File))
	}
	return out
}

const folderNames, folderErrors = "standards/decisions/api-names/", "standards/decisions/api-errors/"

func TestAnswersCloseQuestions(t *testing.T) {
	t.Parallel()
	proposed := apply(t, base(), raise("api.names", 1, 2), sub(api, "stable", "fixed"))
	v := mustJudge(t, base(), proposed)
	names, text := find(t, v, namesDoc), find(t, v, errorsText)
	older := find(t, mustJudge(t, base(), apply(t, base(), raise("api.names", 1, 3))), namesDoc)
	for _, row := range []struct {
		rule, name     string
		both, proposed contenttest.Files
		want           []string
	}{
		{"E6", "none", nil, nil, []string{"open " + errorsText, "open " + namesDoc}},
		{"E1", "one each", nil, contenttest.Files{folderNames + "a.yaml": decisionText(t, "no-change", "ann", names), folderErrors + "b.yaml": decisionText(t, "no-impact", "ann", text)},
			[]string{"counted no-change " + folderNames + "a.yaml", "counted no-impact " + folderErrors + "b.yaml"}},
		{"E1", "landed before", contenttest.Files{folderNames + "a.yaml": decisionText(t, "not-applicable", "ann", names)}, nil,
			[]string{"open " + errorsText, "counted not-applicable " + folderNames + "a.yaml"}},
		{"E6", "landed in a folder of nothing that is asked: not read", contenttest.Files{"standards/decisions/x/a.yaml": decisionText(t, "no-change", "ann", names)}, nil,
			[]string{"open " + errorsText, "open " + namesDoc}},
		{"E2", "new in any folder, under any name", nil, contenttest.Files{"standards/decisions/x/y/z.yml": decisionText(t, "no-change", "ann", names)},
			[]string{"open " + errorsText, "counted no-change standards/decisions/x/y/z.yml"}},
		{"E2", "any name", nil, contenttest.Files{folderNames + "answer.txt": decisionText(t, "no-change", "ann", names)},
			[]string{"open " + errorsText, "counted no-change " + folderNames + "answer.txt"}},
		{"E2", "no decision: not read", nil, contenttest.Files{folderNames + "README.md": "# Names\n\nThe questions: none.\n"}, []string{"open " + errorsText, "open " + namesDoc}},
		{"A7", "a link: not read", nil, contenttest.Files{folderNames + "a.yaml": contenttest.Symlink}, []string{"open " + errorsText, "open " + namesDoc}},
		{"E5", "blocked keeps open", nil, contenttest.Files{folderNames + "a.yaml": decisionText(t, "blocked", "ann", names)},
			[]string{"open " + errorsText, "blocked " + namesDoc, "counted blocked " + folderNames + "a.yaml"}},
		{"E5", "blocked wins", nil, contenttest.Files{folderNames + "a.yaml": decisionText(t, "no-change", "ann", names), folderNames + "b.yaml": decisionText(t, "blocked", "bob", names)},
			[]string{"open " + errorsText, "blocked " + namesDoc, "counted no-change " + folderNames + "a.yaml", "counted blocked " + folderNames + "b.yaml"}},
		{"E5", "two equal results agree", nil, contenttest.Files{folderNames + "a.yaml": decisionText(t, "no-change", "ann", names), folderNames + "b.yaml": decisionText(t, "no-change", "bob", names)},
			[]string{"open " + errorsText, "counted no-change " + folderNames + "a.yaml", "counted no-change " + folderNames + "b.yaml"}},
		{"E7", "an answer to another state, in this range, is stale", nil, contenttest.Files{folderNames + "a.yaml": decisionText(t, "no-change", "ann", older)},
			[]string{"open " + errorsText, "stale " + namesDoc}},
		{"E7", "landed before with the same locator: not stale", contenttest.Files{folderNames + "a.yaml": decisionText(t, "no-change", "ann", older)}, nil,
			[]string{"open " + errorsText, "open " + namesDoc}},
		{"E1", "several questions in one file", nil, contenttest.Files{folderNames + "a.yaml": decisionText(t, "no-change", "ann", older, names)},
			[]string{"open " + errorsText, "counted no-change " + folderNames + "a.yaml"}},
	} {
		t.Run(row.rule+" "+row.name, func(t *testing.T) {
			accepted, now := base().With(row.both), proposed.With(row.both).With(row.proposed)
			slicesSortedDiff(t, row.want, states(mustJudge(t, accepted, now)))
			// In a worktree a file has no object, and one whose time stamp alone differs is among the changes.
			v, err := judgeSources(t, accepted.Worktree(), now.Worktree(), everything(accepted, now))
			if err != nil {
				t.Fatal(err)
			}
			if row.name != "landed in a folder of nothing that is asked: not read" { // touched, it is read, and counts as well
				slicesSortedDiff(t, row.want, states(v))
			}
		})
	}
}

// everything reports every file of the proposed side as changed, without an object.
func everything(accepted, proposed contenttest.Files) []content.Change {
	changes := contenttest.Changes(accepted, proposed)
	seen := map[string]bool{}
	for i, change := range changes {
		seen[change.Name] = true
		for _, entry := range []**content.Entry{&changes[i].Old, &changes[i].New} {
			if *entry != nil {
				*entry = &content.Entry{Name: change.Name, Kind: (*entry).Kind}
			}
		}
	}
	for name := range proposed {
		if !seen[name] {
			entry := content.Entry{Name: name}
			switch proposed[name] {
			case contenttest.Symlink:
				entry.Kind = content.Symlink
			case contenttest.Gitlink:
				entry.Kind = content.Gitlink
			}
			changes = append(changes, content.Change{Name: name, Old: &entry, New: &entry})
		}
	}
	return changes
}

// slicesSortedDiff compares as sets: the counted come by question id, which no table can know.
func slicesSortedDiff(t *testing.T, want, got []string) {
	t.Helper()
	count := map[string]int{}
	for _, w := range want {
		count[w]++
	}
	for _, g := range got {
		count[g]--
	}
	for text, n := range count {
		if n != 0 {
			t.Errorf("%+d of %s", -n, text)
		}
	}
}

// RULES E1: a later change of the path of evidence is reported and voids nothing.
func TestChangedEvidenceIsReported(t *testing.T) {
	t.Parallel()
	proposed := apply(t, base(), raise("api.names", 1, 2), write("proof.txt", "proof"))
	q := find(t, mustJudge(t, base(), proposed), namesDoc)
	text, err := decisionfile.Format(decisionfile.Decision{
		Questions: []any{identity.Record(q.Record)}, Kind: q.Kind, Result: "no-change", Rationale: "r", Principal: "ann",
		Evidence: []decisionfile.Evidence{{Path: "proof.txt", SHA256: identity.Bytes([]byte("proof"))}, {SHA256: identity.Bytes([]byte("elsewhere"))}},
	})
	if err != nil {
		t.Fatal(err)
	}
	answered := proposed.With(contenttest.Files{folderNames + "a.yaml": string(text)})
	for _, row := range []struct {
		proof string
		want  int
	}{{"proof", 0}, {"other", 1}, {"", 1}, {contenttest.Symlink, 1}} {
		v := mustJudge(t, base(), answered.With(contenttest.Files{"proof.txt": row.proof}))
		if !v.Complete() || len(v.Notices) != row.want || row.want > 0 && (v.Notices[0].Code != "EVIDENCE.CHANGED" || v.Notices[0].Target != folderNames+"a.yaml") {
			t.Errorf("%q: %q %v", row.proof, states(v), v.Notices)
		}
	}
}
