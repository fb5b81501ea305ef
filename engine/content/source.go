package content

import (
	"context"
	"slices"
)

// Kind is what stands at a path of a side.
type Kind uint8

// The kinds of entries. Only a Regular one has bytes; a consumer that is another kind counts as absent (RULES A7).
const (
	Regular Kind = iota
	Symlink
	Gitlink
)

// Entry is one file of a side. Name is the raw path, which Git may hold although CheckPath refuses it. Object is the
// Git object id of its bytes, or "" where they are not an object yet (a changed worktree file). Two entries with equal
// non-empty Objects of one repository have equal bytes.
type Entry struct {
	Name   string
	Kind   Kind
	Object string
}

// Change is a path whose entry differs between two sides; Old or New is nil where the side has no such file. It may be
// reported for a file whose bytes turn out equal, never left out for one whose bytes differ.
type Change struct {
	Name     string
	Old, New *Entry
}

// Source is one side of a verdict: a fixed finite set of files.
//
// List returns the entries that are or lie below the given paths, each once, in ComparePaths order; with no path, all
// of them. A path that names nothing adds nothing, and the list may be the source's own: nobody changes it. Read returns the
// bytes of regular entries that List returned, in the order asked; an object that is missing, corrupt or changes while it is
// read is an error (fault.Unavailable), never other bytes.
// A Source may be used by one goroutine at a time.
type Source interface {
	List(ctx context.Context, under ...string) ([]Entry, error)
	Read(ctx context.Context, entries ...Entry) ([][]byte, error)
}

// Skipper is a Source that need not look below a directory to leave it out. ListSkipping is List without what lies below
// skip.
type Skipper interface {
	Source
	ListSkipping(ctx context.Context, skip string, under ...string) ([]Entry, error)
}

// ListSkipping lists without what lies below skip, whether or not the source can spare itself the look.
func ListSkipping(ctx context.Context, source Source, skip string, under ...string) ([]Entry, error) {
	if skipper, ok := source.(Skipper); ok {
		return skipper.ListSkipping(ctx, skip, under...)
	}
	entries, err := source.List(ctx, under...)
	return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return e.Name != skip && isUnder(e.Name, skip) }), err
}

// Namer is a Source that knows objects by name. Objects gives, for regular entries that List returned, in the order asked, the
// Git object id that their bytes have or would have, and "" where that cannot be told. No byte is held for it.
type Namer interface {
	Source
	Objects(ctx context.Context, entries ...Entry) ([]string, error)
}

// Sizer is a Source that can tell how large files are before they are read. Sizes gives the bytes of regular entries that List
// returned, in the order asked, -1 where that cannot be told. It is a claim, good enough to refuse by and for nothing else.
type Sizer interface {
	Source
	Sizes(ctx context.Context, entries ...Entry) ([]int64, error)
}

// TooLarge refuses, by name, the files that are known to be too large for FileNode, so that they need not be read for that.
func TooLarge(ctx context.Context, source Source, entries ...Entry) (map[string]error, error) {
	sizer, ok := source.(Sizer)
	if !ok || len(entries) == 0 {
		return nil, nil
	}
	sizes, err := sizer.Sizes(ctx, entries...)
	if err != nil {
		return nil, err
	}
	refused := map[string]error{}
	for i, size := range sizes {
		if size > MaxFile {
			refused[entries[i].Name] = tooLarge(entries[i].Name, size)
		}
	}
	return refused, nil
}

// ReadFile returns the bytes of the regular file at a path, or false where none stands there.
func ReadFile(ctx context.Context, source Source, name string) ([]byte, bool, error) {
	entries, err := source.List(ctx, name)
	if err != nil || len(entries) != 1 || entries[0].Name != name || entries[0].Kind != Regular {
		return nil, false, err
	}
	data, err := source.Read(ctx, entries[0])
	if err != nil {
		return nil, false, err
	}
	return data[0], true, nil
}

// ReadFiles returns the bytes of the regular files among some paths, by path.
func ReadFiles(ctx context.Context, source Source, names ...string) (map[string][]byte, error) {
	if len(names) == 0 {
		return nil, nil
	}
	entries, err := source.List(ctx, names...)
	if err != nil {
		return nil, err
	}
	isNamed := map[string]bool{}
	for _, name := range names {
		isNamed[name] = true
	}
	return ReadEntries(ctx, source, slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return e.Kind != Regular || !isNamed[e.Name] })...)
}

// ReadEntries is Read by name.
func ReadEntries(ctx context.Context, source Source, entries ...Entry) (map[string][]byte, error) {
	data, err := source.Read(ctx, entries...)
	if err != nil {
		return nil, err
	}
	byName := make(map[string][]byte, len(entries))
	for i, entry := range entries {
		byName[entry.Name] = data[i]
	}
	return byName, nil
}

// Empty is the side without any file: what an unborn branch is compared with.
var Empty Source = empty{}

type empty struct{}

func (empty) List(context.Context, ...string) ([]Entry, error) { return nil, nil }

func (empty) Read(context.Context, ...Entry) ([][]byte, error) { return nil, nil }
