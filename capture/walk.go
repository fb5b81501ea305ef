package capture

import (
	"context"
	"errors"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-standards/git-standards/engine/fault"
)

// walk is one way from / to files of a worktree, component by component, each opened below the descriptor of the one before and
// never through a symlink. Every descriptor stays open until close, so that nothing that was met can be taken for another thing.
type walk struct {
	*native
	open    []int
	mount   uint64          // the worktree's; nothing on another one is opened
	folders map[string]node // by path from the top of the worktree, which is ""
}

// node is a descriptor and what the kernel said of it.
type node struct {
	fd int
	status
}

// status is what must not change of a file while it is read. The time of the last change of anything (ctime) cannot be set by
// programs; the mount tells a file from one that was bound over it.
type status struct {
	place
	size         uint64
	mode         uint16
	mtime, ctime unix.StatxTimestamp
}

// place is a file's identity for as long as a descriptor of it is open.
type place struct{ device, inode, mount uint64 }

func (s status) is(kind uint16) bool { return s.mode&unix.S_IFMT == kind }

// startWalk opens / and, from there, the top of the worktree, which must be on an admitted file system. What lies above the top may be
// on other mounts, and need not be readable.
func (n *native) startWalk(ctx context.Context) (*walk, error) {
	w := &walk{native: n, folders: map[string]node{}}
	if err := w.toTop(ctx); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *walk) toTop(ctx context.Context) error {
	fd, err := again(func() (int, error) { return unix.Open("/", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0) })
	if err != nil {
		return w.unopened("", err)
	}
	w.open = append(w.open, fd)
	components := strings.Split(strings.Trim(w.top, "/"), "/")
	if components[0] == "" {
		components[0] = "." // the worktree is the root itself
	}
	for i, component := range components {
		flags := unix.O_PATH | unix.O_DIRECTORY
		if i == len(components)-1 {
			flags = reading | unix.O_DIRECTORY
		}
		if fd, err = w.below(fd, component, flags, 0); err != nil {
			return w.unopened("", err)
		}
	}
	top := node{fd: fd}
	if top.status, err = statusOf(fd, ""); err != nil {
		return w.unopened("", err)
	}
	if err := w.admit(ctx, top.mount); err != nil {
		return err
	}
	w.mount = top.mount
	w.folders[""] = top
	return w.sensitive("", top)
}

// close gives every descriptor back. Nothing was written, so that there is nothing to hear of.
func (w *walk) close() {
	for _, fd := range w.open {
		_ = unix.Close(fd)
	}
}

// reading never waits: not for the other end of a pipe, and not for a terminal.
const reading = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOCTTY

// below opens one component below a descriptor. The kernel is asked to go nowhere else (openat2(2)); where it cannot be, nothing
// but the last component can be a symlink of one component, and that one is not followed either.
func (w *walk) below(fd int, component string, flags int, resolve uint64) (int, error) {
	flags |= unix.O_NOFOLLOW | unix.O_CLOEXEC
	opened, err := again(func() (int, error) {
		if !w.byHand {
			how := unix.OpenHow{Flags: uint64(flags), Resolve: resolve | unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS}
			opened, err := unix.Openat2(fd, component, &how)
			// Kernels before 5.6 do not know the call; some sandboxes forbid what they do not know.
			if !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EPERM) {
				return opened, err
			}
			w.byHand = true
		}
		return unix.Openat(fd, component, flags, 0)
	})
	if err == nil {
		w.open = append(w.open, opened)
	}
	return opened, err
}

// child opens a component of a path of the worktree: with flags, on the same mount, and of the wanted kind.
func (w *walk) child(parent node, component string, flags int, kind uint16) (node, error) {
	if component == "" || component == "." || component == ".." || strings.ContainsAny(component, "/\x00") {
		return node{}, unix.EINVAL
	}
	// Looked at before it is opened: opening a device can do something.
	before, err := statusOf(parent.fd, component)
	if err != nil {
		return node{}, err
	}
	if err := w.admissible(before, kind); err != nil {
		return node{}, err
	}
	w.at("looked", component)
	child := node{}
	if child.fd, err = w.below(parent.fd, component, flags, unix.RESOLVE_NO_XDEV); err != nil {
		return node{}, err
	}
	if child.status, err = statusOf(child.fd, ""); err != nil {
		return node{}, err
	}
	return child, w.admissible(child.status, kind)
}

// What is met in a file's place.
var (
	errSpecial = errors.New("a pipe, a socket or a device")
	errKind    = errors.New("another kind of file stands there now")
	errMount   = errors.New("another mount")
)

// admissible refuses what is on another mount or of another kind than is wanted. The kernel's EXDEV alone does not tell of a mount: a
// folder that is renamed meanwhile gives it as well.
func (w *walk) admissible(s status, kind uint16) error {
	switch {
	case s.mount != w.mount:
		return errMount
	case s.is(kind):
		return nil
	case s.is(unix.S_IFREG) || s.is(unix.S_IFDIR) || s.is(unix.S_IFLNK):
		return errKind
	}
	return errSpecial
}

// folder opens a folder of the worktree and all above it, each once a walk. In one without case two names are one file, so that what
// is read is not what was asked for.
func (w *walk) folder(name string) (node, error) {
	if known, ok := w.folders[name]; ok {
		return known, nil
	}
	above, component := split(name)
	parent, err := w.folder(above)
	if err != nil {
		return node{}, err
	}
	f, err := w.child(parent, component, reading|unix.O_DIRECTORY, unix.S_IFDIR)
	if err != nil {
		return node{}, err
	}
	if err := w.sensitive(name, f); err != nil {
		return node{}, err
	}
	w.folders[name] = f
	return f, nil
}

// split divides a path into that of its folder and its last component, which is "" where it is no path.
func split(name string) (above, component string) {
	i := strings.LastIndexByte(name, '/')
	if i == 0 {
		return "", "" // from the root
	}
	return name[:max(i, 0)], name[i+1:]
}

// file opens a regular file of the worktree.
func (w *walk) file(name string) (node, error) {
	above, component := split(name)
	parent, err := w.folder(above)
	if err == nil {
		var f node
		if f, err = w.child(parent, component, reading, unix.S_IFREG); err == nil {
			return f, nil
		}
	}
	return node{}, w.unopened(name, err)
}

// sensitive refuses a folder whose names have no case. File systems that know no such folders do not know the question.
func (w *walk) sensitive(name string, f node) error {
	flags, err := again(func() (uint32, error) { return unix.IoctlGetUint32(f.fd, unix.FS_IOC_GETFLAGS) })
	const casefold = 0x40000000 // FS_CASEFOLD_FL of linux/fs.h
	if err != nil || flags&casefold == 0 {
		return nil
	}
	if name == "" {
		name = w.top
	}
	return fault.New(fault.Unsupported, "WORKTREE.CASEFOLD", name, "names in this folder have no case (chattr +F), so that two names can be one file").
		Hint(judgeIndex)
}

// statusOf asks for the status of a descriptor, or of a component below it, which is not followed.
func statusOf(fd int, component string) (status, error) {
	const wanted = unix.STATX_TYPE | unix.STATX_MODE | unix.STATX_INO | unix.STATX_SIZE | unix.STATX_MTIME | unix.STATX_CTIME | unix.STATX_MNT_ID
	var s unix.Statx_t
	_, err := again(func() (int, error) {
		return 0, unix.Statx(fd, component, unix.AT_EMPTY_PATH|unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT, wanted, &s)
	})
	if err == nil && s.Mask&unix.STATX_MNT_ID == 0 {
		err = errKernel
	}
	return status{
		place: place{uint64(s.Dev_major)<<32 | uint64(s.Dev_minor), s.Ino, s.Mnt_id},
		size:  s.Size, mode: s.Mode, mtime: s.Mtime, ctime: s.Ctime,
	}, err
}

// attempts bounds how often a call is made again that was interrupted or met something in passing.
const attempts = 8

// again makes a system call until it is neither interrupted (EINTR) nor told to come back (EAGAIN: a rename in the middle of a way, or
// a lease that somebody gives up), at most attempts times, with pauses of a quarter of a second in all.
func again[T any](call func() (T, error)) (result T, err error) {
	for i := range attempts {
		result, err = call()
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EAGAIN):
			time.Sleep(time.Millisecond << i)
		default:
			return result, err
		}
	}
	return result, err
}
