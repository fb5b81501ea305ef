package content

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Overlay is source with some files written and some removed, as it would be once that were done. Written files are
// regular and have no Git object.
func Overlay(source Source, written map[string][]byte, removed []string) Source {
	return &overlay{source, written, removed}
}

type overlay struct {
	source  Source
	written map[string][]byte
	removed []string
}

func (o *overlay) List(ctx context.Context, under ...string) ([]Entry, error) {
	entries, err := o.source.List(ctx, under...)
	if err != nil {
		return nil, err
	}
	entries = slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool {
		_, written := o.written[e.Name]
		return written || slices.Contains(o.removed, e.Name)
	})
	for name := range o.written {
		if Under(name, under) {
			entries = append(entries, Entry{Name: name})
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return ComparePaths(a.Name, b.Name) })
	return entries, nil
}

func (o *overlay) Read(ctx context.Context, entries ...Entry) ([][]byte, error) {
	var rest []Entry
	for _, entry := range entries {
		if _, ok := o.written[entry.Name]; !ok {
			rest = append(rest, entry)
		}
	}
	data, err := o.source.Read(ctx, rest...)
	if err != nil {
		return nil, err
	}
	if len(data) != len(rest) {
		return nil, fmt.Errorf("internal error: a source gave %d files of %d", len(data), len(rest))
	}
	out := make([][]byte, 0, len(entries))
	for _, entry := range entries {
		if written, ok := o.written[entry.Name]; ok {
			out = append(out, written)
			continue
		}
		out, data = append(out, data[0]), data[1:]
	}
	return out, nil
}

// Objects asks the source; what is written has no object, and neither has anything of a source that knows none.
func (o *overlay) Objects(ctx context.Context, entries ...Entry) ([]string, error) {
	ids := make([]string, len(entries))
	namer, ok := o.source.(Namer)
	if !ok {
		return ids, nil
	}
	return ids, askBelow(ctx, o, namer.Objects, entries, ids)
}

// Sizes asks the source for what is not written; that is not known where the source does not know sizes.
func (o *overlay) Sizes(ctx context.Context, entries ...Entry) ([]int64, error) {
	sizes := make([]int64, len(entries))
	for i, entry := range entries {
		sizes[i] = -1
		if data, ok := o.written[entry.Name]; ok {
			sizes[i] = int64(len(data))
		}
	}
	sizer, ok := o.source.(Sizer)
	if !ok {
		return sizes, nil
	}
	return sizes, askBelow(ctx, o, sizer.Sizes, entries, sizes)
}

// askBelow asks the source about what is not written, and puts each answer in its place.
func askBelow[T any](ctx context.Context, o *overlay, ask func(context.Context, ...Entry) ([]T, error), entries []Entry, answers []T) error {
	var rest []Entry
	var at []int
	for i, entry := range entries {
		if _, written := o.written[entry.Name]; !written {
			rest, at = append(rest, entry), append(at, i)
		}
	}
	if len(rest) == 0 {
		return nil
	}
	below, err := ask(ctx, rest...)
	for i, answer := range below {
		answers[at[i]] = answer
	}
	return err
}

// Under reports whether name is one of the paths or lies below one; with no path, everything does.
func Under(name string, paths []string) bool {
	if len(paths) == 0 {
		return true
	}
	return slices.ContainsFunc(paths, func(p string) bool { return isUnder(name, p) })
}

func isUnder(name, path string) bool {
	return strings.HasPrefix(name, path) && (len(name) == len(path) || name[len(path)] == '/')
}

// Select returns the entries, given in ComparePaths order, that are or lie below the paths, in that order; with no path,
// all. What lies below a path stands together, so that the cost follows what is found.
func Select(entries []Entry, under []string) []Entry {
	if len(under) == 0 {
		return entries
	}
	under = slices.Clone(under)
	slices.SortFunc(under, ComparePaths)
	var found []Entry
	last := -1
	for i, path := range under {
		if last >= 0 && isUnder(path, under[last]) {
			continue // found with what it lies below
		}
		last = i
		at, _ := slices.BinarySearchFunc(entries, path, func(e Entry, path string) int { return ComparePaths(e.Name, path) })
		for ; at < len(entries) && isUnder(entries[at].Name, path); at++ {
			found = append(found, entries[at])
		}
	}
	return found
}
