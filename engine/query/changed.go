package query

import (
	"slices"

	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/facts"
)

// changed is the paths in which this side differs from the accepted one, and what differs in the bytes of regular files.
func (q *query) changed(revision string) ([]string, []facts.Change, error) {
	accepted, _, err := q.workspace.Accepted(q.ctx, revision)
	if err != nil {
		return nil, nil, err
	}
	changes, err := q.workspace.Changes(q.ctx, accepted.Source, q.side.Source)
	if err != nil {
		return nil, nil, err
	}
	changes = slices.DeleteFunc(slices.Clone(changes), func(c content.Change) bool { return !isMatter(c.Name) })
	files, err := corpus.Changed(q.ctx, accepted.Source, q.side.Source, changes)
	if err != nil {
		return nil, nil, err
	}
	differs := make(map[string]bool, len(files))
	for _, f := range files {
		differs[f.Path] = true
	}
	isFile := func(e *content.Entry) bool { return e != nil && e.Kind == content.Regular }
	paths := []string{}
	for _, c := range changes {
		// A file that was touched, or copied, is listed as long as Git has not hashed it again.
		if touched := isFile(c.Old) && isFile(c.New) && c.New.Object == "" && !differs[c.Name]; !touched {
			paths = append(paths, c.Name)
		}
	}
	return paths, files, nil
}
