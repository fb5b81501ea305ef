package gitext

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
)

// Index returns the entries that a commit made now would record: stage 0 of the index that git names for this process
// (in a hook of commit -a or commit PATH that is not the ordinary one). No tree is written and no lock taken. Entries
// that are only intended to be added are absent. Unmerged paths are INDEX.UNMERGED, a bare repository WORKTREE.NONE.
func (r *Repo) Index(ctx context.Context) ([]Entry, error) {
	entries, err := r.stagedEntries(ctx)
	if err != nil {
		return nil, err
	}
	intended, err := r.intended(ctx, entries)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(entries, func(e Entry) bool { return intended[e.Name] }), nil
}

// intended returns which of some index entries are only intended to be added. Such an entry looks like an empty file;
// only diff-index can tell the two apart.
func (r *Repo) intended(ctx context.Context, entries []Entry) (map[string]bool, error) {
	empty, err := hashObject(idLength(r.ObjectFormat), "blob", nil)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, entry := range entries {
		if entry.ID == empty {
			names[entry.Name] = true
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	recorded, err := r.diffIndex(ctx, "", slices.Sorted(maps.Keys(names)))
	for _, change := range recorded {
		delete(names, change.Name)
	}
	return names, err
}

// stagedEntries is ls-files -s: stage 0, intended entries among them; with paths, those that are or lie below them.
func (r *Repo) stagedEntries(ctx context.Context, paths ...string) ([]Entry, error) {
	if err := r.NeedWorktree(); err != nil {
		return nil, err
	}
	args := []string{"ls-files", "-s", "-z", "--full-name", "--"}
	if len(paths) <= maxArgs {
		args = append(args, paths...)
	}
	out, err := r.call(ctx, args...)
	if err != nil {
		return nil, err
	}
	entries, unmerged, err := parseStaged(out)
	if err != nil {
		return nil, err
	}
	if len(unmerged) > 0 {
		return nil, r.conflicted(unmerged)
	}
	return entries, nil
}

// parseStaged reads "<mode> <id> <stage>" TAB "<path>" NUL of ls-files -s -z: the entries of stage 0, and the paths of all others.
func parseStaged(out []byte) (entries []Entry, unmerged []string, err error) {
	for record := range records(out) {
		head, name, ok := strings.Cut(record, "\t")
		fields := strings.Split(head, " ")
		if !ok || name == "" || len(fields) != 3 || !isStage(fields[2]) {
			return nil, nil, unreadable("ls-files", record)
		}
		mode, err := parseMode(fields[0])
		if err != nil || !IsID(fields[1]) {
			return nil, nil, unreadable("ls-files", record)
		}
		if fields[2] != "0" {
			unmerged = append(unmerged, name)
			continue
		}
		entries = append(entries, Entry{Name: name, Mode: mode, ID: fields[1]})
	}
	return entries, unmerged, nil
}

func isStage(text string) bool { return len(text) == 1 && text[0] >= '0' && text[0] <= '3' }

// DiffIndex returns how the index of Index differs from a tree, of which "" is the empty one, in order of names.
func (r *Repo) DiffIndex(ctx context.Context, tree string) ([]Change, error) {
	return r.diffIndex(ctx, tree, nil)
}

// maxArgs bounds the paths given to one git as arguments; beyond it all paths are asked.
const maxArgs = 200

func (r *Repo) diffIndex(ctx context.Context, tree string, paths []string) ([]Change, error) {
	if err := r.NeedWorktree(); err != nil {
		return nil, err
	}
	if tree == "" {
		// Git knows the empty tree of either object format without storing it.
		var err error
		if tree, err = hashObject(idLength(r.ObjectFormat), "tree", nil); err != nil {
			return nil, err
		}
	}
	args := []string{"diff-index", "--cached", "--ita-invisible-in-index", "--ignore-submodules=none"}
	args = slices.Concat(args, plainDiff, []string{tree, "--"})
	if len(paths) <= maxArgs {
		args = append(args, paths...)
	}
	out, err := r.call(ctx, args...)
	if err != nil {
		return nil, err
	}
	return r.raw("diff-index", out)
}

// raw is the changes of git's raw output, in order of names. Unmerged paths are refused.
func (r *Repo) raw(verb string, out []byte) ([]Change, error) {
	changes, unmerged, err := parseRaw(verb, out)
	switch {
	case err != nil:
		return nil, err
	case len(unmerged) > 0:
		return nil, r.conflicted(unmerged)
	}
	return sortChanges(changes), nil
}

// parseRaw reads ":<mode> <mode> <id> <id> <status>" NUL "<path>" NUL: changes, and the paths that are unmerged. The new id is "" where
// git does not know it.
func parseRaw(verb string, out []byte) (changes []Change, unmerged []string, err error) {
	head, hasHead := "", false
	for record := range records(out) {
		if !hasHead {
			head, hasHead = record, true
			continue
		}
		fields := strings.Split(strings.TrimPrefix(head, ":"), " ")
		if len(fields) != 5 || !strings.HasPrefix(head, ":") || record == "" {
			return nil, nil, unreadable(verb, head)
		}
		old, err := rawSide(record, fields[0], fields[2])
		if err != nil {
			return nil, nil, unreadable(verb, head)
		}
		young, err := rawSide(record, fields[1], fields[3])
		if err != nil {
			return nil, nil, unreadable(verb, head)
		}
		if fields[4] == "U" {
			unmerged = append(unmerged, record)
		} else {
			changes = append(changes, Change{Name: record, Old: old, New: young})
		}
		hasHead = false
	}
	if hasHead {
		return nil, nil, unreadable(verb, head)
	}
	return changes, unmerged, nil
}

func rawSide(name, mode, id string) (*Entry, error) {
	m, err := parseMode(mode)
	if err != nil || !IsID(id) {
		return nil, errors.Join(err, strconv.ErrSyntax)
	}
	if m == 0 {
		return nil, nil
	}
	if IsZero(id) {
		id = ""
	}
	return &Entry{Name: name, Mode: m, ID: id}, nil
}

// parseMode reads six octal digits, as git prints a mode.
func parseMode(text string) (Mode, error) {
	if len(text) != 6 {
		return 0, strconv.ErrSyntax
	}
	n, err := strconv.ParseUint(text, 8, 32)
	return Mode(n), err
}

// records yields the NUL-ended records of git's -z output.
func records(out []byte) func(yield func(string) bool) {
	text := strings.TrimSuffix(string(out), "\x00")
	if text == "" {
		return func(func(string) bool) {}
	}
	return strings.SplitSeq(text, "\x00")
}

func unreadable(verb, record string) error {
	return fault.New(fault.Unavailable, "GIT.FAILED", "git "+verb, "git printed %q, which is not understood", clip([]byte(record)))
}

// conflicted says how to settle a merge. Adding before the files are edited would record the conflict marks, so that they are
// looked at first.
func (r *Repo) conflicted(names []string) error {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	add := "git add --"
	for _, name := range names[:min(len(names), maxQuoted)] {
		add += " " + fault.ShellWord(r.Typed(name))
	}
	return fault.New(fault.Invalid, "INDEX.UNMERGED", names[0], "the index has conflicts, which must be settled first: %s", quoteNames(names)).
		Hint("git status", add)
}

// Typed is a path of the repository as it must be given to git in the directory that the command was started in.
func (r *Repo) Typed(name string) string {
	if strings.HasPrefix(name, ":") || strings.ContainsAny(name, `*?[\`) {
		return ":(top,literal)" + name
	}
	rel, err := filepath.Rel(r.start, filepath.Join(r.TopLevel, name))
	if err != nil {
		return ":(top)" + name
	}
	return rel
}

// maxQuoted is the most names that a message lists.
const maxQuoted = 10

// quoteNames lists names for a message, quoted, at most maxQuoted.
func quoteNames(names []string) string {
	var quoted []string
	for i, name := range names {
		if i == maxQuoted {
			quoted = append(quoted, "and "+strconv.Itoa(len(names)-maxQuoted)+" more")
			break
		}
		quoted = append(quoted, strconv.Quote(name))
	}
	return strings.Join(quoted, ", ")
}

// Stage records the worktree's files at these paths in the index, new ones, ignored ones and deletions among them. It does
// not wait for the index lock: one that another git holds, or that a killed one left, is INDEX.LOCKED, unavailable. Once begun,
// it is not interrupted: what is written would else be left unstaged.
func (r *Repo) Stage(ctx context.Context, paths []string) error {
	if err := r.NeedWorktree(); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	_, err := r.filtering(ctx, nulList(paths), "update-index", "--add", "--remove", "-z", "--stdin")
	if err == nil {
		return nil
	}
	if locked := r.lockedIndex(); locked != nil {
		return locked
	}
	return err
}

func nulList(paths []string) []byte {
	var b []byte
	for _, path := range paths {
		b = append(append(b, path...), 0)
	}
	return b
}
