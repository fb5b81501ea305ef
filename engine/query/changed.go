package query

import (
	"bytes"
	"context"
	"slices"

	"github.com/git-standards/git-standards/engine/content"
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
	changes = slices.DeleteFunc(changes, func(c content.Change) bool { return !isMatter(c.Name) })
	touched, err := touched(q.ctx, accepted.Source, q.side.Source, changes)
	if err != nil {
		return nil, nil, err
	}
	paths, files := []string{}, []facts.Change{}
	for _, c := range changes {
		if touched[c.Name] {
			continue
		}
		paths = append(paths, c.Name)
		if kind := kindOf(c); kind != "" {
			files = append(files, facts.Change{Path: c.Name, Kind: kind})
		}
	}
	return paths, files, nil
}

// kindOf is what a change does to a regular file, or "" where its bytes stay or there is none: a link counts as absent (RULES A7).
func kindOf(c content.Change) string {
	was, is := c.Old != nil && c.Old.Kind == content.Regular, c.New != nil && c.New.Kind == content.Regular
	switch {
	case was && is && c.Old.Object != "" && c.Old.Object == c.New.Object:
		return ""
	case was && is:
		return facts.Changed
	case is:
		return facts.Added
	case was:
		return facts.Deleted
	}
	return ""
}

// touched is the paths of changes whose bytes turn out equal: a file that was touched, or copied, is listed as long as Git has not
// hashed it again.
func touched(ctx context.Context, accepted, proposed content.Source, changes []content.Change) (map[string]bool, error) {
	var old, now []content.Entry
	for _, c := range changes {
		if c.Old != nil && c.New != nil && c.Old.Kind == content.Regular && c.New.Kind == content.Regular && c.New.Object == "" {
			old, now = append(old, *c.Old), append(now, *c.New)
		}
	}
	if len(now) == 0 {
		return nil, nil
	}
	ids := make([]string, len(now))
	if namer, ok := proposed.(content.Namer); ok { // no byte is held for it, and all are named at once
		var err error
		if ids, err = namer.Objects(ctx, now...); err != nil {
			return nil, err
		}
	}
	equal := map[string]bool{}
	for i, entry := range now {
		if ids[i] != "" && old[i].Object != "" {
			equal[entry.Name] = ids[i] == old[i].Object
			continue
		}
		before, err := accepted.Read(ctx, old[i])
		if err != nil {
			return nil, err
		}
		after, err := proposed.Read(ctx, entry)
		if err != nil {
			return nil, err
		}
		equal[entry.Name] = bytes.Equal(before[0], after[0])
	}
	return equal, nil
}
