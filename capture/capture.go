// Package capture takes from outside what is judged: one side of a verdict as Git has it, by object id, from the
// index or from the worktree, each as an engine/content.Source; and what a command says of exactly given files (Observe).
//
// Every byte comes from an object that gitext has hashed or, where git add would record the bytes of a file as they are, from
// that file (native). A side is read once and then stands still: what the worktree becomes meanwhile is not seen, and a file
// that changes while it is read is a fault. Capture chooses no files; it lists and reads what it is asked for.
package capture

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
)

// Tree is the side of a tree, by id; "" is the empty tree. objects reads it, nil means the repository's own.
func Tree(repo *gitext.Repo, objects gitext.Objects, tree string) content.Source {
	return TreeThrough(repo, objects, nil, tree)
}

// TreeThrough is Tree that goes on through gitlinks at the paths of modules, each in the object database that stands there, and
// nowhere else: neither .gitmodules nor a setting nor a checked-out submodule has a say (seed 004, "Capture adapters").
func TreeThrough(repo *gitext.Repo, objects gitext.Objects, modules map[string]gitext.Objects, tree string) content.Source {
	return &treeSource{side: side{repo: repo, objects: objects, modules: maps.Clone(modules)}, tree: tree}
}

// Index is the side of the index that git names for this process: what a commit made now would record.
func Index(repo *gitext.Repo) content.Source {
	return &listSource{side: side{repo: repo}, list: repo.Index, diff: repo.DiffIndex}
}

// Worktree is the side that git add -A would record now.
func Worktree(repo *gitext.Repo) content.Source {
	w := &worktree{repo: repo}
	return &listSource{side: side{repo: repo, files: newFiles(repo)}, list: w.list, diff: w.diff}
}

// side is what the sources share: reading bytes.
type side struct {
	repo    *gitext.Repo
	objects gitext.Objects
	modules map[string]gitext.Objects // by path of a gitlink: where what lies below it is read
	files   *files                    // those of the worktree that are no objects yet; nil elsewhere
}

func (s *side) reader(ctx context.Context) (gitext.Objects, error) {
	if s.objects == nil {
		objects, err := s.repo.Objects(ctx)
		if err != nil {
			return nil, err
		}
		s.objects = objects
	}
	return s.objects, nil
}

// of returns the database of what stands at a path: that of the innermost module around it.
func (s *side) of(name string, objects gitext.Objects) gitext.Objects {
	longest := ""
	for path, module := range s.modules {
		if len(path) > len(longest) && strings.HasPrefix(name, path+"/") {
			longest, objects = path, module
		}
	}
	return objects
}

// Read returns the bytes of regular entries in the order asked.
func (s *side) Read(ctx context.Context, entries ...content.Entry) ([][]byte, error) {
	objects, err := s.reader(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.files.need(ctx, unhashed(entries), 0); err != nil {
		return nil, err
	}
	result := make([][]byte, len(entries))
	for i, entry := range entries {
		if entry.Kind != content.Regular {
			return nil, fault.New(fault.Invalid, "CONTENT.NO_BYTES", entry.Name, "a link or another repository has no bytes to judge")
		}
		if entry.Object == "" {
			result[i] = slices.Clone(s.files.read[entry.Name])
			continue
		}
		if result[i], err = gitext.ReadBlob(ctx, s.of(entry.Name, objects), entry.Object); err != nil {
			return nil, ofFile(entry.Name, err)
		}
	}
	return result, nil
}

// ofFile says which file an object belongs to: an id tells a person nothing.
func ofFile(name string, err error) error {
	f := fault.As(err)
	if f == nil {
		return err
	}
	named := *f
	named.Message = fmt.Sprintf("%s; it is the content of %q", f.Message, name)
	return &named
}

// Objects returns the ids of regular entries, for files of the worktree those that git add would record.
func (s *side) Objects(ctx context.Context, entries ...content.Entry) ([]string, error) {
	named, err := s.files.ids(ctx, unhashed(entries))
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(entries))
	for i, entry := range entries {
		if ids[i] = entry.Object; entry.Object == "" {
			ids[i] = named[entry.Name]
		}
	}
	return ids, nil
}

// unhashed are the names of the regular entries that are no objects yet, each once.
func unhashed(entries []content.Entry) []string {
	var names []string
	for _, entry := range entries {
		if entry.Kind == content.Regular && entry.Object == "" {
			names = append(names, entry.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Sizes returns what the objects of regular entries claim. Files of the worktree are converted for it, and read unless they
// are too large to be judged.
func (s *side) Sizes(ctx context.Context, entries ...content.Entry) ([]int64, error) {
	objects, err := s.reader(ctx)
	if err != nil {
		return nil, err
	}
	large, err := s.files.need(ctx, unhashed(entries), content.MaxFile)
	if err != nil {
		return nil, err
	}
	sizes := make([]int64, len(entries))
	for i, entry := range entries {
		sizes[i] = -1
		switch {
		case entry.Kind != content.Regular:
		case entry.Object != "":
			if size, ok := gitext.BlobSize(ctx, s.of(entry.Name, objects), entry.Object); ok {
				sizes[i] = size
			}
		case large[entry.Name] > 0:
			sizes[i] = large[entry.Name]
		default:
			sizes[i] = int64(len(s.files.read[entry.Name]))
		}
	}
	return sizes, nil
}

// treeSource reads a tree again for each question: only what is asked for, never the whole of it.
type treeSource struct {
	side
	tree string
}

func (s *treeSource) List(ctx context.Context, under ...string) ([]content.Entry, error) {
	return s.ListSkipping(ctx, "", under...)
}

func (s *treeSource) ListSkipping(ctx context.Context, skip string, under ...string) ([]content.Entry, error) {
	objects, err := s.reader(ctx)
	if err != nil {
		return nil, err
	}
	entries, err := gitext.WalkTreeThrough(ctx, objects, s.modules, s.tree, skip, under...)
	if err != nil {
		return nil, err
	}
	return sorted(entries), nil
}

// listSource asks for its whole list once, so that it stays a fixed set of files.
type listSource struct {
	side
	list    func(context.Context) ([]gitext.Entry, error)
	diff    func(ctx context.Context, tree string) ([]gitext.Change, error)
	entries []content.Entry
	listed  bool
}

func (s *listSource) List(ctx context.Context, under ...string) ([]content.Entry, error) {
	if !s.listed {
		entries, err := s.list(ctx)
		if err != nil {
			return nil, err
		}
		s.entries, s.listed = sorted(entries), true
	}
	return content.Select(s.entries, under), nil
}

func sorted(entries []gitext.Entry) []content.Entry {
	result := make([]content.Entry, len(entries))
	for i, entry := range entries {
		result[i] = convert(entry)
	}
	slices.SortFunc(result, func(a, b content.Entry) int { return content.ComparePaths(a.Name, b.Name) })
	return result
}

func convert(e gitext.Entry) content.Entry {
	entry := content.Entry{Name: e.Name, Object: e.ID}
	switch e.Mode {
	case gitext.ModeSymlink:
		entry.Kind = content.Symlink
	case gitext.ModeGitlink:
		entry.Kind = content.Gitlink
	}
	return entry
}
