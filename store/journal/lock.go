package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
)

// errBusy is the cause of a context that ended because the bound of waiting was over.
var errBusy = errors.New("the lock was not free in time")

// lockFile opens the file beside the journal that its writer holds locked, and locks it: the lock ends with the process.
// In it stands the number of that process, for others to read.
func lockFile(ctx context.Context, path string, bound time.Duration) (*os.File, error) {
	name := besides(path, lockSuffix)
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|noLinks, 0o666)
		if err != nil {
			return nil, notOpened(name, err, unwritable)
		}
		if err := lock(ctx, f, path, bound); err != nil {
			f.Close()
			return nil, err
		}
		held, err := f.Stat()
		there, gone := os.Lstat(name)
		if err == nil && gone == nil && os.SameFile(held, there) {
			return f, noteHolder(f, path)
		}
		f.Close() // it was deleted while we waited: the lock of a file without a name keeps nobody out
		if err := ctx.Err(); err != nil {
			return nil, busy(ctx, path, bound)
		}
	}
}

func noteHolder(f *os.File, path string) error {
	err := f.Truncate(0)
	if err == nil {
		_, err = f.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0)
	}
	if err != nil {
		f.Close()
		return unwritable(path, err)
	}
	return nil
}

// lock locks an open file against other processes, and against other openings by this one, until it is closed. It waits as
// long as ctx lasts.
func lock(ctx context.Context, f interface{ Fd() uintptr }, path string, bound time.Duration) error {
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR):
			return unwritable(path, fmt.Errorf("flock: %w", err))
		}
		select {
		case <-ctx.Done():
			return busy(ctx, path, bound)
		case <-time.After(pause):
		}
	}
}

// busy is the error of a context that ended: the caller's own end passes as it is.
func busy(ctx context.Context, path string, bound time.Duration) error {
	if !errors.Is(context.Cause(ctx), errBusy) {
		return context.Cause(ctx)
	}
	name := besides(path, lockSuffix)
	if pid := holder(name); pid > 0 {
		return fault.New(fault.Unavailable, "JOURNAL.BUSY", path, "process %d writes this journal and has for more than %s", pid, bound).
			Hint("ps -p " + strconv.Itoa(pid))
	}
	return fault.New(fault.Unavailable, "JOURNAL.BUSY", path, "another process writes this journal and has for more than %s", bound).
		Hint("fuser -v " + fault.ShellWord(name) + " " + fault.ShellWord(path))
}

// holder is the process that noted itself in a lock's file, or 0.
func holder(name string) int {
	f, err := os.OpenFile(name, os.O_RDONLY|noLinks, 0)
	if err != nil {
		return 0
	}
	defer f.Close()
	var text [20]byte
	n, _ := f.ReadAt(text[:], 0)
	line, _, whole := strings.Cut(string(text[:n]), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil || !whole || pid <= 0 {
		return 0
	}
	return pid
}
