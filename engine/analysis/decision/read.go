package decision

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/identity"
)

// ReadAnswers reads the decision files of a side that may matter: those in the folders of the questions, and those that
// differ between the sides (RULES E6). A file that is not a decision is an error with all its findings.
func ReadAnswers(
	ctx context.Context, accepted, source content.Source, questions []*question.Question, changes []content.Change,
) ([]*Answer, error) {
	inRange := map[string]bool{}
	var wanted []string
	var unsure []content.Entry
	for _, change := range changes {
		if corpus.IsDecision(change.Name) && change.New != nil {
			inRange[change.Name] = true
			wanted = append(wanted, change.Name)
			if change.Old != nil && change.Old.Kind == content.Regular && change.New.Object == "" {
				unsure = append(unsure, *change.Old)
			}
		}
	}
	// A worktree file may be among the changes for its time stamp alone: then it is not of this range.
	before, err := accepted.Read(ctx, unsure...)
	if err != nil {
		return nil, err
	}
	landed := make(map[string][]byte, len(unsure))
	for i, entry := range unsure {
		landed[entry.Name] = before[i]
	}
	for _, q := range questions {
		wanted = append(wanted, Folder(q.Record))
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	slices.Sort(wanted)
	listed, err := source.List(ctx, slices.Compact(wanted)...)
	if err != nil {
		return nil, err
	}
	entries := slices.DeleteFunc(slices.Clone(listed), func(e content.Entry) bool { return e.Kind != content.Regular })
	data, err := source.Read(ctx, entries...)
	if err != nil {
		return nil, err
	}
	var answers []*Answer
	var findings []reading.Finding
	files, err := readFiles(ctx, entries, data)
	if err != nil {
		return nil, err
	}
	for i, file := range files {
		old, known := landed[entries[i].Name]
		for _, answer := range file.answers {
			answer.InRange = inRange[entries[i].Name] && !(known && slices.Equal(old, data[i]))
		}
		answers = append(answers, file.answers...)
		findings = append(findings, file.findings...)
	}
	if corpus.HasErrors(findings) {
		return nil, &corpus.FindingsError{Findings: findings}
	}
	return answers, nil
}

// readChunk bounds how many files are held in memory at a time.
const readChunk = 64

// Findings is what is wrong in any decision file of a side, needed or not.
func Findings(ctx context.Context, source content.Source) ([]reading.Finding, error) {
	entries, err := source.List(ctx, corpus.DecisionsFolder)
	if err != nil {
		return nil, err
	}
	entries = slices.DeleteFunc(slices.Clone(entries), func(e content.Entry) bool { return e.Kind != content.Regular })
	var findings []reading.Finding
	for chunk := range slices.Chunk(entries, readChunk) {
		data, err := source.Read(ctx, chunk...)
		if err != nil {
			return nil, err
		}
		files, err := readFiles(ctx, chunk, data)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			findings = append(findings, file.findings...)
		}
	}
	return findings, nil
}

type file struct {
	answers  []*Answer
	findings []reading.Finding
}

// readFiles parses files side by side: each is a function of its own bytes. One that holds no decisions is empty. It stops
// once ctx is done.
func readFiles(ctx context.Context, entries []content.Entry, data [][]byte) ([]file, error) {
	files := make([]file, len(entries))
	corpus.SideBySide(ctx, len(entries), func(i int) {
		if IsFile(entries[i].Name, data[i]) {
			files[i].answers, files[i].findings = Read(entries[i].Name, data[i])
		}
	})
	return files, ctx.Err()
}

// Read parses one decision file and recomputes the ids of the questions embedded in it: the file verifies
// itself and says what it judged (RULES E1).
func Read(name string, data []byte) ([]*Answer, []reading.Finding) {
	decision, findings := decisionfile.Parse(name, data)
	if decision == nil || corpus.HasErrors(findings) {
		return nil, findings
	}
	var answers []*Answer
	for i, record := range decision.Questions {
		if fields, ok := record.(identity.Record); ok && question.UnknownRecipe(fields) {
			findings = append(findings, reading.Finding{
				Code: "UNSUPPORTED.RECIPE", Severity: reading.SeverityError, File: name, Line: decision.Lines[i], Unsupported: true,
				Message: fmt.Sprintf("question %d has recipe %q; this version knows %s", i+1, fields["recipe"], question.Recipe),
				Next:    "use a version of git-standards that knows it",
			})
			continue
		}
		id, err := question.ID(record)
		if err != nil {
			findings = append(findings, reading.Finding{
				Code: "DECISION.QUESTION", Severity: reading.SeverityError, File: name, Line: decision.Lines[i],
				Message: fmt.Sprintf("question %d is not a question record: %v", i+1, err),
				Next:    "remove this file and answer again with git standards resolve",
			})
			continue
		}
		fields, _ := record.(identity.Record)
		answers = append(answers, &Answer{Decision: decision, Question: id, Record: fields, Value: decision.Value})
	}
	return answers, findings
}
