package capture

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
)

// AllowFilesystem is the setting that lists, one a value, the file systems on which a worktree is read besides the one that was proven.
const AllowFilesystem = "standards.allowFilesystem"

// proven is where the promise of native has been tested: ext4 on Linux, x86-64.
func proven(name string) bool {
	return name == "ext4" && runtime.GOOS == "linux" && runtime.GOARCH == "amd64"
}

var errKernel = errors.New("this kernel does not say which mount a file is on; Linux 5.8 or newer does")

// admit refuses, by its name, a mount whose file system is neither proven nor admitted by the user.
func (n *native) admit(ctx context.Context, mount uint64) error {
	if n.admitted[mount] {
		return nil
	}
	name, err := mountType(mount)
	if err != nil {
		return err
	}
	if !proven(name) {
		allowed, err := n.allowed(ctx)
		if err != nil {
			return err
		}
		if !slices.Contains(allowed, name) {
			return fault.New(fault.Unsupported, "WORKTREE.FILESYSTEM", n.top, "the worktree is on %s, where reading it has not been proven", name).
				Hint("git config --add "+AllowFilesystem+" "+fault.ShellWord(name), judgeIndex)
		}
	}
	if n.admitted == nil {
		n.admitted = map[uint64]bool{}
	}
	n.admitted[mount] = true
	return nil
}

// Admitted reports whether a worktree is read where it stands: the fault is WORKTREE.FILESYSTEM, unsupported, where its file system is not
// admitted, and WORKTREE.UNREADABLE or WORKTREE.CASEFOLD as for any file.
func Admitted(ctx context.Context, repo *gitext.Repo) error {
	walk, err := newFiles(repo).native.startWalk(ctx)
	if err == nil {
		walk.close()
	}
	return err
}

// mountType is the kind of file system of a mount, as the kernel names it (proc(5), mountinfo): the number that statfs tells is one
// for ext2, ext3 and ext4. It is "unknown" where the kernel does not tell.
func mountType(mount uint64) (string, error) {
	file, err := os.Open("/proc/self/mountinfo")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return "unknown", nil
	}
	if err != nil {
		return "", err
	}
	defer file.Close()
	lines := bufio.NewReader(file)
	for {
		line, err := lines.ReadString('\n')
		head, tail, _ := strings.Cut(line, " - ")
		id, _, _ := strings.Cut(head, " ")
		if kind, _, _ := strings.Cut(tail, " "); kind != "" && id == strconv.FormatUint(mount, 10) {
			return kind, nil
		}
		if err != nil {
			return "unknown", nil
		}
	}
}
