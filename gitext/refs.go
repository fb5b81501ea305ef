package gitext

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
)

// Ref returns what a ref, by its full name, names now: its object and, of a symbolic one, the ref that it stands for. A ref that is not
// there has neither.
func (r *Repo) Ref(ctx context.Context, name string) (id, symref string, err error) {
	refs, err := r.refsBelow(ctx, name)
	for _, ref := range refs {
		if ref.name == name {
			return ref.id, ref.symref, nil
		}
	}
	return "", "", err
}

// RefsMatching lists refs by a pattern of git for-each-ref, with the object that each names.
func (r *Repo) RefsMatching(ctx context.Context, pattern string) (map[string]string, error) {
	refs, err := r.refsBelow(ctx, pattern)
	ids := make(map[string]string, len(refs))
	for _, ref := range refs {
		ids[ref.name] = ref.id
	}
	return ids, err
}

func (r *Repo) refsBelow(ctx context.Context, pattern string) ([]ref, error) {
	out, err := r.call(ctx, "for-each-ref", "--format=%(refname)%00%(objectname)%00%(symref)", "--", pattern)
	if err != nil {
		return nil, err
	}
	var refs []ref
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if len(fields) != 3 || !IsID(fields[1]) {
			return nil, unreadable("for-each-ref", line)
		}
		refs = append(refs, ref{name: fields[0], id: fields[1], symref: fields[2]})
	}
	return refs, nil
}

// durable makes git write objects and refs to the disk before it goes on, and run no hook.
var durable = []string{"-c", "core.fsync=committed", "-c", "core.fsyncMethod=fsync"}

// lockTries is how often a ref that another process has locked is tried again, lockPause after each.
const (
	lockTries = 10
	lockPause = 100 * time.Millisecond
)

// MoveRef moves a ref from one object to another by compare-and-swap; an old id of "" means that the ref must not be there. It writes
// the reason into the reflog and runs no hook. actual is what the ref names instead where it does not name old: then nothing has
// changed and there is no error. Faults: REF.LOCKED and GIT.FAILED, unavailable.
func (r *Repo) MoveRef(ctx context.Context, name, to, old, reason string) (moved bool, actual string, err error) {
	if old == "" {
		old = strings.Repeat("0", len(to))
	}
	for range lockTries {
		out, err := r.try(ctx, append(slices.Clone(durable), "update-ref", "--no-deref", "--create-reflog", "-m", reason, name, to, old)...)
		if err != nil || out.code == 0 {
			return err == nil, to, err
		}
		// What git says is no interface: what the ref is now tells whether it was moved meanwhile or is locked.
		if actual, _, err = r.Ref(ctx, name); err != nil {
			return false, "", err
		}
		if actual != old && !(actual == "" && IsZero(old)) {
			return false, actual, nil
		}
		if lock := r.refLock(name); lock == "" && !strings.Contains(string(out.stderr), ".lock") {
			return false, "", out.failed()
		}
		select {
		case <-ctx.Done():
			return false, "", ctx.Err()
		case <-time.After(lockPause):
		}
	}
	return false, "", r.lockedRef(name)
}

// refLock is the lock of a ref, of those that are files, or "".
func (r *Repo) refLock(name string) string {
	lock := filepath.Join(r.CommonDir, filepath.FromSlash(name)+".lock")
	if _, err := os.Lstat(lock); err != nil {
		return ""
	}
	return lock
}

func (r *Repo) lockedRef(name string) error {
	f := fault.New(fault.Unavailable, "REF.LOCKED", name, "another git has locked the ref, or one that was killed left its lock")
	if lock := r.refLock(name); lock != "" {
		f.Message += "; once no git runs here, it can be removed"
		return f.Hint("rm " + fault.ShellWord(lock))
	}
	return f.Hint("git for-each-ref " + fault.ShellWord(name))
}

// UsedBy returns the folder of a worktree in which a branch, by its full name, is checked out, rebased or bisected, "" where there is
// none. A worktree whose folder is gone counts until it is pruned, as in git.
func (r *Repo) UsedBy(ctx context.Context, branch string) (string, error) {
	out, err := r.call(ctx, "worktree", "list", "--porcelain", "-z")
	if err != nil {
		return "", err
	}
	var folders []string
	for entry := range strings.SplitSeq(string(out), "\x00\x00") {
		lines := strings.Split(entry, "\x00")
		folder, isWorktree := strings.CutPrefix(lines[0], "worktree ")
		if !isWorktree {
			continue
		}
		folders = append(folders, folder)
		for _, line := range lines[1:] {
			if line == "branch "+branch {
				return folder, nil
			}
		}
	}
	return r.inProgress(branch, folders)
}

// inProgress looks for a rebase or bisection that will write the branch when it ends: HEAD is detached meanwhile.
func (r *Repo) inProgress(branch string, folders []string) (string, error) {
	dirs := map[string]string{}
	if len(folders) > 0 {
		dirs[r.CommonDir] = folders[0] // the main worktree is listed first
	}
	linked, err := os.ReadDir(filepath.Join(r.CommonDir, "worktrees"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fault.New(fault.Unavailable, "REF.CORRUPT", "worktrees", "the list of worktrees cannot be read").Because(err)
	}
	for _, entry := range linked {
		dir := filepath.Join(r.CommonDir, "worktrees", entry.Name())
		data, _ := os.ReadFile(filepath.Join(dir, "gitdir"))
		dirs[dir] = filepath.Dir(strings.TrimSpace(string(data)))
	}
	for dir, folder := range dirs {
		for name, want := range map[string]string{
			"rebase-merge/head-name": branch, "rebase-apply/head-name": branch, "rebase-merge/update-refs": branch,
			"BISECT_START": strings.TrimPrefix(branch, "refs/heads/"),
		} {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", fault.New(fault.Unavailable, "REF.CORRUPT", name, "what git is at work on cannot be read").Because(err)
			}
			for line := range strings.Lines(string(data)) {
				if strings.TrimSuffix(line, "\n") == want {
					return folder, nil
				}
			}
		}
	}
	return "", nil
}

// IsAncestor reports whether a commit is one of another's history, itself among it.
func (r *Repo) IsAncestor(ctx context.Context, ancestor, of string) (bool, error) {
	out, err := r.try(ctx, "merge-base", "--is-ancestor", ancestor, of)
	if err != nil {
		return false, err
	}
	if out.code > 1 || out.complained() {
		return false, out.failed()
	}
	return out.code == 0, nil
}

// Holds reports whether a commit is in the history of a tip, and whether on its own line, that of the first parents. A commit that is
// not here is in none.
func (r *Repo) Holds(ctx context.Context, tip, commit string) (holds, onLine bool, err error) {
	if _, isCommit, err := r.Peel(ctx, commit); fault.Is(err, "OBJECT.MISSING") || err == nil && !isCommit {
		return false, false, nil
	} else if err != nil {
		return false, false, err
	}
	if holds, err = r.IsAncestor(ctx, commit, tip); err != nil || !holds {
		return false, false, err
	}
	found, err := r.LastOnLine(ctx, tip, func(id string) (bool, error) { return id == commit, nil })
	return true, found != "", err
}

// LastOnLine returns the newest commit of a tip's first-parent line of which is holds, "" where there is none. In a shallow clone that
// ends before the line does the fault is HISTORY.SHALLOW, unavailable.
func (r *Repo) LastOnLine(ctx context.Context, tip string, is func(id string) (bool, error)) (string, error) {
	boundary, err := r.shallowBoundary()
	if err != nil {
		return "", err
	}
	out, err := r.call(ctx, "rev-list", "--first-parent", tip, "--")
	if err != nil {
		return "", err
	}
	for id := range strings.FieldsSeq(string(out)) {
		if found, err := is(id); err != nil || found {
			return id, err
		}
		if boundary[id] {
			return "", shallow(id)
		}
	}
	return "", nil
}

// LeftBehind reports whether the reflog of a ref, where there is one, says that the ref, which does not name an object now, once did. Git
// writes the log before the ref: a newest entry alone is of a move that was interrupted before it took effect.
func (r *Repo) LeftBehind(ctx context.Context, ref, id string) (bool, error) {
	out, err := r.try(ctx, "rev-list", "-g", ref, "--")
	if err != nil {
		return false, err
	}
	if out.code != 0 {
		return false, out.failed()
	}
	logged := strings.Fields(string(out.stdout))
	return len(logged) > 1 && slices.Contains(logged[1:], id), nil
}
