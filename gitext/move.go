package gitext

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
)

// CheckMove asks git whether Move would be refused: MOVE.REFUSED, invalid, with what git says, or INDEX.LOCKED,
// unavailable.
func (r *Repo) CheckMove(ctx context.Context, from, to string) error {
	return r.mv(ctx, "MOVE.REFUSED", fault.Invalid, "-n", from, to)
}

// Move moves a tracked file or folder in the worktree and the index, by git mv. to is the whole new path, never a folder to
// move into. A move that fails is MOVE.FAILED or INDEX.LOCKED, both unavailable, and git has
// changed nothing.
func (r *Repo) Move(ctx context.Context, from, to string) error {
	return r.mv(ctx, "MOVE.FAILED", fault.Unavailable, from, to)
}

// mv runs git mv from the top level, where names with a leading dash or pathspec magic are names.
func (r *Repo) mv(ctx context.Context, code string, outcome fault.Outcome, args ...string) error {
	if err := r.NeedWorktree(); err != nil {
		return err
	}
	options, names := args[:len(args)-2], args[len(args)-2:]
	out, err := r.try(ctx, append(append([]string{"mv"}, options...), "--", names[0], names[1])...)
	if err != nil {
		return err
	}
	if out.code != 0 {
		if locked := r.lockedIndex(); locked != nil {
			return locked
		}
		return fault.New(outcome, code, names[0], "git does not move it to %q; nothing was changed", names[1]).
			Hint("git -C " + fault.ShellWord(r.TopLevel) + " mv -n -- " + fault.ShellWord(names[0]) + " " + fault.ShellWord(names[1])).Because(out.cause())
	}
	return nil
}

// WriteBlob stores bytes as they are and returns the id of the blob.
func (r *Repo) WriteBlob(ctx context.Context, data []byte) (string, error) {
	out, err := r.feed(ctx, data, "hash-object", "-w", "--no-filters", "--stdin")
	id := string(bytes.TrimSuffix(out, []byte("\n")))
	if err == nil && !IsID(id) {
		return "", unreadable("hash-object", id)
	}
	return id, err
}

// StageEntries puts entries into the index as they are, whatever the worktree holds, in one step: all or none.
func (r *Repo) StageEntries(ctx context.Context, entries []Entry) error {
	if err := r.NeedWorktree(); err != nil {
		return err
	}
	if len(entries) == 0 {
		return nil
	}
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "%06o %s 0\t%s\x00", uint32(e.Mode), e.ID, e.Name)
	}
	_, err := r.feed(ctx, []byte(b.String()), "update-index", "-z", "--index-info")
	if err != nil {
		if locked := r.lockedIndex(); locked != nil {
			return locked
		}
	}
	return err
}

// lockedIndex is the fault INDEX.LOCKED, unavailable, where the index is locked by another git or by what a killed one
// left, else nil.
func (r *Repo) lockedIndex() error {
	lock := r.indexFile + ".lock"
	info, err := os.Lstat(lock)
	if err != nil {
		return nil
	}
	return fault.New(fault.Unavailable, "INDEX.LOCKED", lock,
		"another git is at work here, or one that was killed left this lock of %s; once no git runs here, it can be removed",
		info.ModTime().UTC().Format(time.DateTime+" MST")).Hint("rm " + fault.ShellWord(lock))
}
