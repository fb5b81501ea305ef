package decision

import (
	"context"
	"slices"

	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
)

// History lists, in order, the decision files of a side of which no answer is in the state and which the accepted side holds
// with the same bytes: what may be pruned (RULES E6). inState says which questions' answers are. A file that cannot be read as
// a decision is kept; its findings come beside.
func History(ctx context.Context, accepted, tree content.Source, inState map[string]bool) ([]string, []reading.Finding, error) {
	old, err := accepted.List(ctx, corpus.DecisionsFolder)
	if err != nil {
		return nil, nil, err
	}
	held := make(map[string]content.Entry, len(old))
	for _, entry := range old {
		if entry.Kind == content.Regular {
			held[entry.Name] = entry
		}
	}
	listed, err := tree.List(ctx, corpus.DecisionsFolder)
	if err != nil {
		return nil, nil, err
	}
	var history []string
	var findings []reading.Finding
	entries := slices.DeleteFunc(slices.Clone(listed), func(e content.Entry) bool {
		_, isHeld := held[e.Name]
		return e.Kind != content.Regular || !isHeld
	})
	for chunk := range slices.Chunk(entries, readChunk) {
		data, err := tree.Read(ctx, chunk...)
		if err != nil {
			return nil, nil, err
		}
		before := make([]content.Entry, len(chunk))
		for i, entry := range chunk {
			before[i] = held[entry.Name]
		}
		landed, err := accepted.Read(ctx, before...)
		if err != nil {
			return nil, nil, err
		}
		for i, entry := range chunk {
			if !slices.Equal(data[i], landed[i]) || !IsFile(entry.Name, data[i]) {
				continue
			}
			answers, found := Read(entry.Name, data[i])
			if corpus.HasErrors(found) {
				findings = append(findings, found...)
			} else if !slices.ContainsFunc(answers, func(a *Answer) bool { return inState[a.Question] }) {
				history = append(history, entry.Name)
			}
		}
	}
	return history, findings, nil
}
