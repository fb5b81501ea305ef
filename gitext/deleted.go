package gitext

import (
	"context"
	"slices"
	"strings"
)

// Deleted is a file that is gone, with the bytes it had last.
type Deleted struct {
	Name string
	Data []byte
}

// DeletedBetween returns the files below a directory that some commit of base..head added and that head does not have,
// sorted by name. base "" is before the first commit. Where the range holds a commit whose parents a shallow clone lacks, what
// that commit added cannot be told, and the fault is HISTORY.SHALLOW, unavailable.
func (r *Repo) DeletedBetween(ctx context.Context, base, head, under string) ([]Deleted, error) {
	var known []string
	if base != "" {
		known = []string{base}
	}
	if err := r.checkDepthOfHistory(ctx, []string{head}, known); err != nil {
		return nil, err
	}
	// A file that a merge has from one of its parents is not one that it added: -c shows what differs from all.
	out, err := r.rawHistory(ctx, base, head, []string{under}, "-c")
	if err != nil {
		return nil, err
	}
	last, added, err := history(out)
	if err != nil || len(added) == 0 {
		return nil, err
	}
	tip, err := r.Commit(ctx, head)
	if err != nil {
		return nil, err
	}
	objects, err := r.Objects(ctx)
	if err != nil {
		return nil, err
	}
	kept, err := WalkTree(ctx, objects, tip.Tree, under)
	if err != nil {
		return nil, err
	}
	for _, entry := range kept {
		delete(added, entry.Name)
	}
	var files []Deleted
	for name := range added {
		_, data, err := objects.Read(ctx, last[name])
		if err != nil {
			return nil, err
		}
		files = append(files, Deleted{Name: name, Data: data})
	}
	slices.SortFunc(files, func(a, b Deleted) int { return strings.Compare(a.Name, b.Name) })
	return files, nil
}

// history reads the raw differences of commits, newest first: the last id that each name had, and the names that some
// commit added.
func history(out []byte) (last map[string]string, added map[string]bool, err error) {
	last, added = map[string]string{}, map[string]bool{}
	err = eachRaw(out, func(change rawChange) {
		if !IsZero(change.id) && last[change.name] == "" && change.mode != "160000" {
			last[change.name] = change.id
		}
		if strings.Trim(change.status, "A") == "" && change.mode != "160000" {
			added[change.name] = true
		}
	})
	return last, added, err
}
