package capture

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
)

// native reads regular files of a worktree as they are (seed 004, "Capture adapters"). Each file of a request is walked to from /
// and read; then all are walked to anew and read again; descriptors of both walks stay open meanwhile, and at the end both say of
// every file what they said at the beginning. Then the bytes are those that stood there, or the file is WORKTREE.CHANGED.
//
// It does not see a change that is undone so fast that neither the bytes nor the times of the file tell of it, and a program that
// stands still in the middle of writing, for as long as both readings take, has left a file like any other.
type native struct {
	top      string                                  // absolute, without symlinks
	allowed  func(context.Context) ([]string, error) // the file systems that the user admits
	hash     func(size int64) gitext.Hash            // of a blob
	typed    func(name string) string                // a path as a person types it
	byHand   bool                                    // openat2 is not there
	admitted map[uint64]bool                         // mounts
	pause    func(step, name string)                 // where tests change what is read; nil elsewhere
}

// portion is how many files are open at a time, twice.
const portion = 256

// largest is what is read of a file where nobody says how much is wanted: as much as gitext reads of an object.
const largest = 1 << 30

// want is what of a file is wanted: its bytes unless there are more than most (0 is the bound above), or the id of its blob.
type want struct {
	most int64
	id   bool
}

// contents is what was read of one file.
type contents struct {
	size int64
	data []byte // nil where the id was wanted, or where there are more bytes than were
	id   string
	crlf bool // the bytes hold CRLF
}

// read reads files, in the order asked. Faults: WORKTREE.CHANGED, WORKTREE.UNREADABLE, WORKTREE.FILESYSTEM, WORKTREE.MOUNT,
// WORKTREE.CASEFOLD, OBJECT.TOO_LARGE.
func (n *native) read(ctx context.Context, names []string, w want) ([]contents, error) {
	var seen []status
	result, err := inPortions(names, func(names []string) ([]contents, error) {
		read, met, err := n.readPortion(ctx, names, w)
		seen = append(seen, met...)
		return read, err
	})
	if err != nil || len(names) <= portion {
		return result, err
	}
	// What is read in several portions must have stood there at one moment as well.
	return result, n.still(ctx, names, seen)
}

// still is WORKTREE.CHANGED for the first file that is not what it was.
func (n *native) still(ctx context.Context, names []string, before []status) error {
	after, err := n.status(ctx, names)
	if err != nil {
		return err
	}
	for i, name := range names {
		if before[i] != after[i] {
			return changed(name)
		}
	}
	return nil
}

// status walks to files without reading them.
func (n *native) status(ctx context.Context, names []string) ([]status, error) {
	return inPortions(names, func(names []string) ([]status, error) {
		walk, err := n.startWalk(ctx)
		if err != nil {
			return nil, err
		}
		defer walk.close()
		met := make([]status, len(names))
		for i, name := range names {
			file, err := walk.file(name)
			if err != nil {
				return nil, err
			}
			met[i] = file.status
		}
		return met, nil
	})
}

// inPortions asks for portions of the names, for smaller ones when this process may not have as many files open.
func inPortions[T any](names []string, ask func(names []string) ([]T, error)) ([]T, error) {
	result := make([]T, 0, len(names))
	size := portion
	for len(names) > 0 {
		part := names[:min(size, len(names))]
		got, err := ask(part)
		tooMany := errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE)
		switch {
		case tooMany && len(part) > 1:
			size = len(part) / 2
			continue
		case tooMany && fault.As(err) == nil:
			err = fault.New(fault.Unavailable, "WORKTREE.UNREADABLE", part[0], "too many files are open at a time").Because(err).Hint("ulimit -n 1024")
		}
		if err != nil {
			return nil, err
		}
		result, names = append(result, got...), names[len(part):]
	}
	return result, nil
}

func (n *native) readPortion(ctx context.Context, names []string, w want) ([]contents, []status, error) {
	first, err := n.startWalk(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer first.close()
	nodes, result, met := make([]node, len(names)), make([]contents, len(names)), make([]status, len(names))
	for i, name := range names {
		if nodes[i], err = first.file(name); err != nil {
			return nil, nil, err
		}
		met[i] = nodes[i].status
		n.at("opened", name)
		if result[i], err = n.once(ctx, name, nodes[i], w); err != nil {
			return nil, nil, err
		}
		n.at("read", name)
	}
	second, err := n.startWalk(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer second.close()
	for i, name := range names {
		file, err := second.file(name)
		if err != nil {
			return nil, nil, err
		}
		if file.status != met[i] {
			return nil, nil, changed(name)
		}
		n.at("reopened", name)
		if err := n.twice(ctx, name, file, w, result[i]); err != nil {
			return nil, nil, err
		}
		for _, fd := range []int{nodes[i].fd, file.fd} {
			if now, err := statusOf(fd, ""); err != nil || now != met[i] {
				return nil, nil, changed(name).Because(err)
			}
		}
	}
	for name, folder := range first.folders {
		if second.folders[name].place != folder.place {
			return nil, nil, changed(name)
		}
	}
	return result, met, nil
}

// at is where a test changes something.
func (n *native) at(step, name string) {
	if n.pause != nil {
		n.pause(step, name)
	}
}

// once reads a file for the first time.
func (n *native) once(ctx context.Context, name string, file node, w want) (contents, error) {
	c := contents{size: int64(file.size)}
	if w.id {
		hash := n.hash(c.size)
		var last byte
		err := n.each(ctx, name, file, func(chunk []byte) error {
			hash.Write(chunk)
			c.crlf = c.crlf || last == '\r' && chunk[0] == '\n' || bytes.Contains(chunk, []byte("\r\n"))
			last = chunk[len(chunk)-1]
			return nil
		})
		if err == nil {
			if c.id, err = hash.ID(); err != nil {
				err = fault.New(fault.Unavailable, "WORKTREE.UNREADABLE", name, "git would not record the file").Because(err)
			}
		}
		return c, err
	}
	if w.most > 0 && c.size > w.most {
		return c, nil
	}
	if c.size > largest {
		return c, fault.New(fault.Unsupported, "OBJECT.TOO_LARGE", name, "the file has %d bytes; at most %d are read", c.size, int64(largest))
	}
	c.data = make([]byte, 0, c.size)
	err := n.each(ctx, name, file, func(chunk []byte) error {
		c.data = append(c.data, chunk...)
		return nil
	})
	c.crlf = bytes.Contains(c.data, []byte("\r\n"))
	return c, err
}

// twice reads a file again and compares.
func (n *native) twice(ctx context.Context, name string, file node, w want, before contents) error {
	if w.id {
		again, err := n.once(ctx, name, file, w)
		if err == nil && again.id != before.id {
			err = changed(name)
		}
		return err
	}
	if before.data == nil {
		return nil // too large: its size was all that was taken
	}
	rest := before.data
	return n.each(ctx, name, file, func(chunk []byte) error {
		if !bytes.HasPrefix(rest, chunk) {
			return changed(name)
		}
		rest = rest[len(chunk):]
		return nil
	})
}

// each hands on the bytes of a file, which must be as many as it said. One that grows is not followed.
func (n *native) each(ctx context.Context, name string, file node, use func(chunk []byte) error) error {
	buffer := make([]byte, min(file.size+1, 128<<10))
	var offset uint64
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		count, err := again(func() (int, error) { return unix.Pread(file.fd, buffer, int64(offset)) })
		if err != nil {
			return n.unopened(name, err)
		}
		if offset += uint64(count); offset > file.size || count == 0 && offset < file.size {
			return changed(name)
		}
		if count == 0 {
			return nil
		}
		if err := use(buffer[:count]); err != nil {
			return err
		}
		n.at("chunk", name)
	}
}

func changed(name string) *fault.Error {
	return fault.New(fault.Unavailable, "WORKTREE.CHANGED", name, "the file changed while it was read; try again")
}

// judgeIndex is what can be typed where the worktree cannot be read: Git has the bytes of what is staged.
const judgeIndex = "git standards status --staged"

// unopened says for a person why a file of the worktree, or its top, of which the name is "", was not opened or read.
func (n *native) unopened(name string, err error) error {
	if fault.As(err) != nil || errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) {
		return err
	}
	typed := "."
	if name == "" {
		name = n.top
	} else {
		typed = fault.ShellWord(n.typed(name))
	}
	gone := []error{errKind, unix.ENOENT, unix.ENOTDIR, unix.ELOOP, unix.EXDEV, unix.EAGAIN, unix.ESTALE}
	switch {
	case errors.Is(err, errSpecial):
		return fault.New(fault.Unavailable, "WORKTREE.UNREADABLE", name, "a pipe, a socket or a device stands there, which git add refuses").
			Hint("git checkout -- " + typed)
	case errors.Is(err, errKernel):
		return fault.New(fault.Unsupported, "WORKTREE.FILESYSTEM", n.top, "%v", err).Hint(judgeIndex)
	case errors.Is(err, errMount):
		return fault.New(fault.Unsupported, "WORKTREE.MOUNT", name, "the file is on another mount than the worktree").
			Hint("git add -- "+typed, judgeIndex)
	case slices.ContainsFunc(gone, func(e error) bool { return errors.Is(err, e) }):
		return changed(name).Because(err)
	}
	return fault.New(fault.Unavailable, "WORKTREE.UNREADABLE", name, "the file cannot be read").Because(err).Hint("git add --dry-run -- " + typed)
}
