package corpus

import (
	"context"
	"slices"

	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/facts"
)

// Changed is what changes do to the bytes of regular files, decisions aside: what the built-in facts are made of (RULES A9, A10).
func Changed(ctx context.Context, accepted, proposed content.Source, changes []content.Change) ([]facts.Change, error) {
	changes = slices.DeleteFunc(slices.Clone(changes), func(c content.Change) bool { return IsDecision(c.Name) })
	differing, err := content.Differing(ctx, accepted, proposed, changes)
	if err != nil {
		return nil, err
	}
	list := make([]facts.Change, len(differing))
	for i, c := range differing {
		list[i] = facts.Change{Path: c.Name, Kind: facts.Changed}
		if c.Old == nil {
			list[i].Kind = facts.Added
		} else if c.New == nil {
			list[i].Kind = facts.Deleted
		}
	}
	return list, nil
}
