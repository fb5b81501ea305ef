package decision

import (
	"context"
	"testing"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/identity"
)

const (
	folderNames = "standards/decisions/api-names/"
	namesPath   = "docs/names.md"
	errorsPath  = "docs/errors.md"
)

// structure is the digest of a normalized text, as doc/questions.md gives it.
func structure(t *testing.T, text string) string {
	t.Helper()
	id, err := identity.Hash("coding-standards:unit-structure:v1", "structure", text)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// review asks about a file that consumes a unit; the record is written by hand from doc/questions.md.
func review(t *testing.T, unit string, revision int64, text, path, bytes string) *question.Question {
	t.Helper()
	return asked(t, identity.Record{
		"recipe": "q1", "kind": "consumer-review", "unit": unit, "revision": revision, "structure": structure(t, text),
		"relation": "documentation-projection", "program": question.ProgramAlways, "consumer": identity.Record{"path": path},
		"bytes": identity.Bytes([]byte(bytes)),
	})
}

func asked(t *testing.T, record identity.Record) *question.Question {
	t.Helper()
	id, err := question.ID(record)
	if err != nil {
		t.Fatal(err)
	}
	return question.Stored(id, record)
}

// answered is the text of a decision file about questions of one kind.
func answered(t *testing.T, result, principal string, questions ...*question.Question) string {
	t.Helper()
	d := decisionfile.Decision{Kind: questions[0].Kind, Result: result, Rationale: "looked", Principal: principal}
	for _, q := range questions {
		d.Questions = append(d.Questions, q.Record)
	}
	text, err := decisionfile.Format(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// match reads what a range adds and matches it with one question.
func match(t *testing.T, q *question.Question, added contenttest.Files) (Matched, error) {
	t.Helper()
	none := contenttest.Files{}
	questions := []*question.Question{q}
	answers, err := ReadAnswers(context.Background(), none.Tree(), added.Tree(), questions, contenttest.Changes(none, added))
	if err != nil {
		return Matched{}, err
	}
	return Match(questions, nil, answers)
}
