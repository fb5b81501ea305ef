package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/cmd/git-standards/workspace"
	"github.com/git-standards/git-standards/engine/fault"
)

// maxEdited is the largest file that a command edits, in bytes: no module is larger.
const maxEdited = 4 << 20

// rewrite is new text for a file that is there.
type rewrite struct {
	name     string
	old, now []byte

	temporary string
}

// rewrites changes several files of a worktree, all or none: each is written whole beside its place first, with its mode,
// and put there by a rename. What is a link, or no longer what was read, is not touched.
type rewrites struct {
	root *os.Root
	list []rewrite
	done []string // the names of those in place
}

// readFile reads a file below root for editing, never through a link.
func readFile(root *os.Root, name string) ([]byte, fs.FileInfo, error) {
	if err := workspace.CheckNoLinks(root, name); err != nil {
		found := fault.As(err)
		if found.Outcome == fault.Invalid {
			return nil, nil, fault.New(fault.Invalid, "FILE.LINK", found.Target, "a link, or something else that is no folder or file, stands there; nothing is written through it")
		}
		return nil, nil, fault.New(fault.Unavailable, "FILE.UNREADABLE", name, "the file cannot be read").Because(found.Cause)
	}
	f, err := root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fault.New(fault.Unavailable, "FILE.UNREADABLE", name, "the file is not in the worktree, so it cannot be edited").
			Hint("git sparse-checkout add "+fault.ShellWord(path.Dir(name)), "git restore "+fault.ShellWord(name))
	}
	if err != nil {
		return nil, nil, fault.New(fault.Unavailable, "FILE.UNREADABLE", name, "the file cannot be read").Because(err)
	}
	defer f.Close()
	info, err := f.Stat()
	var data []byte
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(f, maxEdited+1))
	}
	switch {
	case err != nil:
		return nil, nil, fault.New(fault.Unavailable, "FILE.UNREADABLE", name, "the file cannot be read").Because(err)
	case len(data) > maxEdited:
		return nil, nil, fault.New(fault.Invalid, "FILE.TOO_BIG", name, "the file has more than %d bytes, too many for a module", maxEdited)
	}
	return data, info, nil
}

// prepareRewrites writes all the new text that there will be, but puts none of it in its place.
func prepareRewrites(top string, list []rewrite) (*rewrites, error) {
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, notWritten(top, err)
	}
	w := &rewrites{root: root, list: list}
	for i := range w.list {
		if err := w.prepare(&w.list[i]); err != nil {
			w.close()
			return nil, err
		}
	}
	return w, nil
}

func (w *rewrites) prepare(r *rewrite) error {
	now, info, err := readFile(w.root, r.name)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, r.old) {
		return fault.New(fault.Unavailable, "FILE.CHANGED", r.name, "the file changed meanwhile; nothing was changed by this command")
	}
	r.temporary = workspace.TemporaryFor(w.root, r.name)
	if err := workspace.WriteWhole(w.root, r.temporary, r.now); err != nil {
		return notWritten(r.name, err)
	}
	if err := w.root.Chmod(r.temporary, info.Mode().Perm()); err != nil {
		return notWritten(r.name, err)
	}
	return nil
}

func notWritten(name string, cause error) error {
	return fault.New(fault.Unavailable, "FILE.NOT_WRITTEN", name, "the file could not be written; nothing was changed").Because(cause)
}

// put puts every file in its place. moved is where a path is since it was prepared. When one fails, undo takes back those
// before it.
func (w *rewrites) put(moved func(string) string) error {
	for i := range w.list {
		r := &w.list[i]
		place := moved(r.name)
		if err := w.root.Rename(moved(r.temporary), place); err != nil {
			return notWritten(place, err)
		}
		r.temporary = ""
		w.done = append(w.done, place)
	}
	return nil
}

// undo puts the old text back where new text is.
func (w *rewrites) undo() error {
	var errs []error
	for i, place := range w.done {
		temporary := workspace.TemporaryFor(w.root, place)
		info, err := w.root.Stat(place)
		if err == nil {
			err = workspace.WriteWhole(w.root, temporary, w.list[i].old)
		}
		if err == nil {
			err = errors.Join(w.root.Chmod(temporary, info.Mode().Perm()), w.root.Rename(temporary, place))
		}
		if err != nil {
			_ = w.root.Remove(temporary) // it may not be there
			errs = append(errs, fault.New(fault.Unavailable, "FILE.NOT_PUT_BACK", place, "the file could not be put back").Because(err).
				Hint("git diff -- "+fault.ShellWord(place)))
		}
	}
	w.done = nil
	return errors.Join(errs...)
}

// close removes what was written and not put in place, and makes durable what was.
func (w *rewrites) close() {
	for _, r := range w.list {
		if r.temporary != "" {
			_ = w.root.Remove(r.temporary) // the folder may have been moved, and the file with it
		}
	}
	// A folder that cannot be synced holds the right names all the same; only a crash of the machine could lose them.
	_ = workspace.SyncFolders(w.root, w.done)
	_ = w.root.Close()
}

// changed is the lines of the new text that differ from the old one's, and the number of the first.
func (r *rewrite) changed() (first int, lines []string) {
	old, now := slices.Collect(strings.Lines(string(r.old))), slices.Collect(strings.Lines(string(r.now)))
	for first = 1; len(old) > 0 && len(now) > 0 && old[0] == now[0]; first++ {
		old, now = old[1:], now[1:]
	}
	for len(old) > 0 && len(now) > 0 && old[len(old)-1] == now[len(now)-1] {
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	return first, now
}
