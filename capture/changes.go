package capture

import (
	"context"
	"slices"

	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/gitext"
)

// Changes returns the paths that differ between two sides of one repository, in ComparePaths order. Between trees, and
// between a tree and the index or worktree, Git's own ids are compared, so that the cost follows the change; other pairs
// are listed whole, and so are trees that go on through gitlinks. Of two trees, the reader of the proposed one reads both: what would land borrows the rest.
func Changes(ctx context.Context, accepted, proposed content.Source) ([]content.Change, error) {
	tree, isTree := treeOf(accepted)
	if !isTree {
		return compareLists(ctx, accepted, proposed)
	}
	switch p := proposed.(type) {
	case *treeSource:
		if len(p.modules) > 0 {
			break
		}
		objects, err := p.reader(ctx)
		if err != nil {
			return nil, err
		}
		changes, err := gitext.DiffTrees(ctx, objects, tree, p.tree)
		return converted(changes), err
	case *listSource:
		changes, err := p.diff(ctx, tree)
		return converted(changes), err
	}
	return compareLists(ctx, accepted, proposed)
}

// treeOf returns the tree of a side that is one and no more, the empty side among them.
func treeOf(s content.Source) (string, bool) {
	if s == content.Empty {
		return "", true
	}
	t, ok := s.(*treeSource)
	if !ok || len(t.modules) > 0 {
		return "", false
	}
	return t.tree, true
}

func converted(changes []gitext.Change) []content.Change {
	result := make([]content.Change, 0, len(changes))
	for _, change := range changes {
		c := content.Change{Name: change.Name, Old: entryOf(change.Old), New: entryOf(change.New)}
		if !same(c.Old, c.New) {
			result = append(result, c)
		}
	}
	return inOrder(result)
}

func entryOf(e *gitext.Entry) *content.Entry {
	if e == nil {
		return nil
	}
	entry := convert(*e)
	return &entry
}

// same reports whether two entries certainly agree; modes are no part of a side. Unhashed bytes may always differ.
func same(a, b *content.Entry) bool {
	return a != nil && b != nil && *a == *b && a.Object != ""
}

func inOrder(changes []content.Change) []content.Change {
	slices.SortFunc(changes, func(a, b content.Change) int { return content.ComparePaths(a.Name, b.Name) })
	return changes
}

func compareLists(ctx context.Context, accepted, proposed content.Source) ([]content.Change, error) {
	old, err := accepted.List(ctx)
	if err != nil {
		return nil, err
	}
	young, err := proposed.List(ctx)
	if err != nil {
		return nil, err
	}
	var changes []content.Change
	for len(old) > 0 || len(young) > 0 {
		order := 1
		switch {
		case len(young) == 0:
			order = -1
		case len(old) > 0:
			order = content.ComparePaths(old[0].Name, young[0].Name)
		}
		var c content.Change
		if order <= 0 {
			c.Name, c.Old, old = old[0].Name, &old[0], old[1:]
		}
		if order >= 0 {
			c.Name, c.New, young = young[0].Name, &young[0], young[1:]
		}
		if !same(c.Old, c.New) {
			changes = append(changes, c)
		}
	}
	return changes, nil
}
