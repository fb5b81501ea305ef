package gitext

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-standards/git-standards/engine/fault"
)

// Worktree returns what git add -A would record: the index and, laid over it, the changes that DiffWorktree found, in
// order of names. Paths that a sparse checkout left out stand as in the index. Unmerged paths are INDEX.UNMERGED.
func (r *Repo) Worktree(ctx context.Context, changes []Change) ([]Entry, error) {
	entries, err := r.stagedEntries(ctx)
	if err != nil {
		return nil, err
	}
	byName := make(map[string]*Entry, len(changes))
	for _, change := range changes {
		byName[change.Name] = change.New
	}
	entries = slices.DeleteFunc(entries, func(e Entry) bool { _, changed := byName[e.Name]; return changed })
	for _, young := range byName {
		if young != nil {
			entries = append(entries, *young)
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return entries, nil
}

// DiffWorktree returns how what git add -A would record differs from the index: changed and deleted tracked files, and
// files neither tracked nor ignored, in order of names. New has no id, its bytes not being hashed, unless it is a
// gitlink; a file whose time stamp alone differs may be among the changes. Old is nil for an entry that is only intended
// to be added, and so is New where its file is gone.
func (r *Repo) DiffWorktree(ctx context.Context) ([]Change, error) {
	if err := r.NeedWorktree(); err != nil {
		return nil, err
	}
	var tracked, others []Change
	err := together(
		func() (err error) { tracked, err = r.diffFiles(ctx); return err },
		func() (err error) { others, err = r.untracked(ctx); return err },
	)
	if err != nil {
		return nil, err
	}
	lost, err := r.behindLinks(ctx, tracked, others)
	if err != nil {
		return nil, err
	}
	// A directory that took a tracked file's place is a change of that file and of the new ones below it.
	return sortChanges(slices.Concat(tracked, others, lost)), nil
}

// behindLinks are the deletions that diff-files does not tell: of files below a folder whose place a new symlink took, when that leads
// to itself or to where nobody may look. The link takes their place in the index, as git add does it.
func (r *Repo) behindLinks(ctx context.Context, tracked, others []Change) ([]Change, error) {
	var links []string
	for _, change := range others {
		if change.New.Mode == ModeSymlink {
			links = append(links, change.Name+"/")
		}
	}
	if len(links) == 0 {
		return nil, nil
	}
	entries, err := r.stagedEntries(ctx, links...)
	if err != nil {
		return nil, err
	}
	told := map[string]bool{}
	for _, change := range tracked {
		told[change.Name] = true
	}
	entries = slices.DeleteFunc(entries, func(e Entry) bool {
		return told[e.Name] || !slices.ContainsFunc(links, func(link string) bool { return strings.HasPrefix(e.Name, link) })
	})
	intended, err := r.intended(ctx, entries)
	var lost []Change
	for _, entry := range entries {
		change := Change{Name: entry.Name, Old: &entry}
		if intended[entry.Name] {
			change.Old = nil
		}
		lost = append(lost, change)
	}
	return lost, err
}

func (r *Repo) diffFiles(ctx context.Context) ([]Change, error) {
	args := slices.Concat([]string{"diff-files", "--ita-invisible-in-index", "--ignore-submodules=dirty"}, plainDiff)
	out, err := r.filtering(ctx, nil, args...) // a file as young as the index is compared through its filter
	if err != nil {
		return nil, err
	}
	changes, err := r.raw("diff-files", out)
	if err != nil {
		return nil, err
	}
	var gone []Entry
	for _, change := range changes {
		if change.New == nil && change.Old != nil {
			gone = append(gone, *change.Old)
		}
	}
	intended, err := r.intended(ctx, gone)
	if err != nil {
		return nil, err
	}
	for i, change := range changes {
		if intended[change.Name] {
			changes[i].Old = nil
		}
		if change.New == nil || change.New.Mode != ModeGitlink {
			continue
		}
		id, err := r.nestedHead(ctx, change.Name)
		if err != nil {
			return nil, err
		}
		changes[i].New.ID = id
	}
	return changes, nil
}

func (r *Repo) untracked(ctx context.Context) ([]Change, error) {
	out, err := r.call(ctx, "ls-files", "-o", "--exclude-standard", "-z", "--full-name")
	if err != nil {
		return nil, err
	}
	var changes []Change
	for name := range records(out) {
		entry := Entry{Name: name}
		if nested, ok := strings.CutSuffix(name, "/"); ok {
			// Another repository: git add records its commit, and refuses one that has none yet.
			entry = Entry{Name: nested, Mode: ModeGitlink}
			if entry.ID, err = r.nestedHead(ctx, nested); err != nil {
				return nil, err
			}
			if entry.ID == "" {
				continue
			}
		} else if entry.Mode, err = r.fileMode(name); err != nil {
			return nil, err
		}
		if entry.Mode != 0 {
			changes = append(changes, Change{Name: entry.Name, New: &entry})
		}
	}
	return changes, r.withoutBits(ctx, changes)
}

// withoutBits takes the executable bits of new files away where core.fileMode says that they mean nothing. Most often there are
// none, and nothing is asked.
func (r *Repo) withoutBits(ctx context.Context, changes []Change) error {
	isExecutable := func(c Change) bool { return c.New.Mode == ModeExecutable }
	if !slices.ContainsFunc(changes, isExecutable) {
		return nil
	}
	out, err := r.plainAny(ctx, "config", "--type=bool", "--get", "core.fileMode")
	if err == nil && out.code > 1 {
		err = out.failed()
	}
	if err != nil || strings.TrimSpace(string(out.stdout)) != "false" {
		return err
	}
	for _, change := range changes {
		if isExecutable(change) {
			change.New.Mode = ModeFile
		}
	}
	return nil
}

// fileMode is the mode of a file, 0 where it is gone by now.
func (r *Repo) fileMode(name string) (Mode, error) {
	info, err := os.Lstat(filepath.Join(r.TopLevel, name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, fault.New(fault.Unavailable, "WORKTREE.UNREADABLE", name, "the file cannot be read").Because(err)
	case info.Mode()&fs.ModeSymlink != 0:
		return ModeSymlink, nil
	case info.Mode()&0o100 != 0:
		return ModeExecutable, nil
	}
	return ModeFile, nil
}

// nestedHead is the commit checked out in a repository inside this one, "" where it has none of the same object format.
func (r *Repo) nestedHead(ctx context.Context, name string) (string, error) {
	dir := filepath.Join(r.TopLevel, name)
	// Named explicitly, so that git neither looks above it nor takes the outer repository's variables for it.
	env := slices.DeleteFunc(slices.Clone(r.env), func(pair string) bool {
		return slices.ContainsFunc(localVariables, func(v string) bool { return strings.HasPrefix(pair, v+"=") })
	})
	env = setEnv(env, "GIT_DIR", filepath.Join(dir, ".git"))
	out, err := run(ctx, r.git, dir, env, nil, slices.Concat(overrides, []string{"rev-parse", "--verify", "--quiet", "HEAD"})...)
	id := strings.TrimSpace(string(out.stdout))
	if err != nil || out.code != 0 || !IsID(id) || len(id) != idLength(r.ObjectFormat) {
		return "", err
	}
	return id, nil
}

// localVariables are those by which git names a repository to its children, as git rev-parse --local-env-vars lists
// them, without those that carry settings.
var localVariables = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE",
	"GIT_INDEX_FILE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_SHALLOW_FILE", "GIT_COMMON_DIR", "GIT_PREFIX",
}

// together runs questions that do not depend on each other at once and returns the first error.
func together(questions ...func() error) error {
	errs := make([]error, len(questions))
	var group sync.WaitGroup
	for i, question := range questions {
		group.Go(func() { errs[i] = question() })
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
