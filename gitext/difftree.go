package gitext

import (
	"cmp"
	"context"
	"slices"
)

// Change is a path whose entry differs. Old or New is nil where that side has none.
type Change struct {
	Name     string
	Old, New *Entry
}

// DiffTrees returns the files, links and gitlinks that differ between two trees, of which "" is the empty one. It reads
// only trees that differ, so its cost follows the change; a path that is a file on one side and a directory on the
// other appears as that file and those below it.
func DiffTrees(ctx context.Context, o Objects, a, b string) ([]Change, error) {
	d := differ{ctx: ctx, objects: o}
	err := d.trees(a, b, "", 0)
	return d.changes, err
}

type differ struct {
	ctx     context.Context
	objects Objects
	changes []Change
}

func (d *differ) read(id string) ([]Entry, error) {
	if id == "" {
		return nil, nil
	}
	return ReadTree(d.ctx, d.objects, id)
}

func (d *differ) trees(a, b, prefix string, depth int) error {
	if a == b {
		return nil
	}
	if err := checkDepth(cmp.Or(b, a), depth); err != nil {
		return err
	}
	old, err := d.read(a)
	if err != nil {
		return err
	}
	young, err := d.read(b)
	if err != nil {
		return err
	}
	// Both are in Git's order, in which a file and a directory of one name are two entries.
	for len(old) > 0 || len(young) > 0 {
		order := 0
		switch {
		case len(old) == 0:
			order = 1
		case len(young) == 0:
			order = -1
		default:
			order = compareEntries(old[0], young[0])
		}
		var left, right *Entry
		if order <= 0 {
			left, old = named(old[0], prefix), old[1:]
		}
		if order >= 0 {
			right, young = named(young[0], prefix), young[1:]
		}
		if err := d.pair(left, right, depth); err != nil {
			return err
		}
	}
	return nil
}

func named(e Entry, prefix string) *Entry {
	e.Name = prefix + e.Name
	return &e
}

func (d *differ) pair(left, right *Entry, depth int) error {
	either := left
	if either == nil {
		either = right
	}
	if either.Mode == ModeTree {
		var a, b string
		if left != nil {
			a = left.ID
		}
		if right != nil {
			b = right.ID
		}
		return d.trees(a, b, either.Name+"/", depth+1)
	}
	if left == nil || right == nil || *left != *right {
		d.changes = append(d.changes, Change{Name: either.Name, Old: left, New: right})
	}
	return nil
}

// sortChanges orders changes by the bytes of their names.
func sortChanges(changes []Change) []Change {
	slices.SortFunc(changes, func(a, b Change) int {
		switch {
		case a.Name < b.Name:
			return -1
		case a.Name > b.Name:
			return 1
		}
		return 0
	})
	return changes
}
