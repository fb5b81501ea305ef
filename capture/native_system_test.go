package capture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext/gittest"
)

// child is set in a process that plays one test again by itself, because the test changes what holds for a whole process.
const child = "CAPTURE_TEST_CHILD"

// inChild reports whether this is that process; else it starts it, by a command that ends with the program to start, and fails or
// skips as that one did.
func inChild(t *testing.T, command ...string) bool {
	t.Helper()
	if os.Getenv(child) != "" {
		return true
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command = append(command, binary, "-test.run=^"+t.Name()+"$", "-test.v")
	run := exec.Command(command[0], command[1:]...)
	run.Env = append(os.Environ(), child+"=1")
	out, err := run.CombinedOutput()
	if strings.Contains(string(out), "SKIPPED: ") {
		t.Skip(string(out))
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Fatalf("%v\n%s", err, out)
	}
	return false
}

// mounting is inChild in a process whose mounts are its own and end with it.
func mounting(t *testing.T) bool {
	t.Helper()
	if os.Geteuid() != 0 || exec.Command("unshare", "-m", "true").Run() != nil {
		t.Skip("SKIPPED: mounting needs root and a mount namespace (unshare -m)")
	}
	return inChild(t, "unshare", "-m")
}

func mount(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("mount", args...).CombinedOutput(); err != nil {
		t.Fatalf("mount %q: %v\n%s", args, err, out)
	}
	place := args[len(args)-1]
	t.Cleanup(func() {
		if err := unix.Unmount(place, 0); err != nil {
			t.Error(place, err)
		}
	})
}

// nowhere admits no file system but those that were proven.
func nowhere(context.Context) ([]string, error) { return nil, nil }

func TestNativeIsProvenOnExt4(t *testing.T) {
	if kind, err := gittest.FileSystem(); err != nil || kind != "ext4" {
		t.Skipf("SKIPPED: %s is on %s and not on ext4 %v", os.TempDir(), kind, err)
	}
	tr := newTree(t, false)
	tr.allowed = nowhere
	tr.repo.Write("a", "1")
	if read, err := tr.read(t.Context(), []string{"a"}, want{}); err != nil || string(read[0].data) != "1" {
		t.Error(read, err)
	}
}

// A worktree elsewhere is refused with the line to type, and read once that line was typed. What Git converts is refused as well.
func TestNativeNamesTheFileSystem(t *testing.T) {
	if !mounting(t) {
		return
	}
	folder := t.TempDir()
	lower := filepath.Join(folder, "lower")
	mount(t, "-t", "tmpfs", "none", folder)
	for _, name := range []string{"lower", "upper", "work", "overlay"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	mount(t, "-t", "overlay", "overlay", "-o", fmt.Sprintf("lowerdir=%s,upperdir=%s/upper,workdir=%s/work", lower, folder, folder), folder+"/overlay")
	for kind, top := range map[string]string{"tmpfs": lower, "overlay": folder + "/overlay"} {
		tr := newTree(t, false)
		tr.top, tr.repo.Dir, tr.allowed = top, top, nowhere
		tr.repo.Write(kind+"/a", kind)
		for range 2 {
			_, err := tr.read(t.Context(), []string{kind + "/a"}, want{})
			f := fault.As(err)
			if f == nil || f.Code != "WORKTREE.FILESYSTEM" || f.Outcome != fault.Unsupported || !strings.Contains(f.Message, kind) ||
				f.Next[0] != "git config --add standards.allowFilesystem "+kind {
				t.Errorf("%s: %v %q", kind, err, f.Next)
			}
		}
		tr.allowed = func(context.Context) ([]string, error) { return []string{"other", kind}, nil }
		read, err := tr.read(t.Context(), []string{kind + "/a"}, want{})
		if err != nil || string(read[0].data) != kind {
			t.Error(kind, read, err)
		}
	}
}

// What is mounted inside a worktree is refused, though it may be the same file system.
func TestNativeCrossesNoMount(t *testing.T) {
	if !mounting(t) {
		return
	}
	for way, byHand := range ways {
		tr := newTree(t, byHand)
		tr.repo.Write("kept", "inside")
		other := filepath.Join(filepath.Dir(tr.top), "other")
		tr.must(os.MkdirAll(filepath.Join(other, "deep"), 0o755))
		for _, name := range []string{"file", "deep/file"} {
			tr.must(os.WriteFile(filepath.Join(other, name), []byte("outside"), 0o644))
		}
		tr.repo.Write("bound/x", "hidden")
		tr.repo.Write("tmpfs/x", "hidden")
		tr.repo.Write("file", "hidden")
		mount(t, "--bind", other, tr.path("bound"))
		mount(t, "--bind", filepath.Join(other, "file"), tr.path("file"))
		mount(t, "-t", "tmpfs", "none", tr.path("tmpfs"))
		tr.repo.Write("tmpfs/x", "outside")
		for _, name := range []string{"bound/file", "bound/deep/file", "file", "tmpfs/x"} {
			read, err := tr.read(t.Context(), []string{"kept", name}, want{})
			f := fault.As(err)
			if f == nil || f.Code != "WORKTREE.MOUNT" || f.Outcome != fault.Unsupported || f.Target != name {
				t.Errorf("%s, %s: %v %v", name, way, read, err)
			}
		}
		// One that is mounted between the two walks.
		tr.pause = func(step, name string) {
			if step == "read" {
				mount(t, "--bind", filepath.Join(other, "file"), tr.path("kept"))
				tr.pause = nil
			}
		}
		if read, err := tr.read(t.Context(), []string{"kept"}, want{}); !fault.Is(err, "WORKTREE.MOUNT") {
			t.Errorf("%s: %v %v", way, read, err)
		}
	}
}

// Folders whose names have no case are refused, and only they.
func TestNativeRefusesCasefold(t *testing.T) {
	if !mounting(t) {
		return
	}
	image, place := filepath.Join(t.TempDir(), "image"), t.TempDir()
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, 8<<20); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfs.ext4", "-q", "-O", "casefold", image).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no mkfs.ext4 with casefold: %v\n%s", err, out)
	}
	if out, err := exec.Command("mount", "-o", "loop", image, place).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: this kernel mounts no ext4 with casefold: %v\n%s", err, out)
	}
	defer unix.Unmount(place, 0)
	tr := newTree(t, false)
	tr.top, tr.repo.Dir, tr.allowed = place, place, nowhere
	tr.must(os.MkdirAll(filepath.Join(place, "folded"), 0o755))
	if out, err := exec.Command("chattr", "+F", filepath.Join(place, "folded")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"folded/a", "folded/below/a", "plain/a"} {
		tr.repo.Write(name, "1")
	}
	if read, err := tr.read(t.Context(), []string{"plain/a"}, want{}); err != nil || string(read[0].data) != "1" {
		t.Error(read, err)
	}
	for _, name := range []string{"folded/a", "FOLDED/A", "folded/A", "folded/below/a"} {
		read, err := tr.read(t.Context(), []string{"plain/a", name}, want{})
		f := fault.As(err)
		if name == "FOLDED/A" { // the folder above has case
			if !fault.Is(err, "WORKTREE.CHANGED") {
				t.Error(name, read, err)
			}
			continue
		}
		if f == nil || f.Code != "WORKTREE.CASEFOLD" || f.Outcome != fault.Unsupported || f.Target != "folded" {
			t.Error(name, read, err)
		}
	}
	tr.top = filepath.Join(place, "folded")
	if _, err := tr.read(t.Context(), []string{"a"}, want{}); !fault.Is(err, "WORKTREE.CASEFOLD") || fault.As(err).Target != tr.top {
		t.Error(err)
	}
}

// Where the kernel mounts no such file system, strace puts the flag into its answers (FS_CASEFOLD_FL of linux/fs.h, 0x40000000).
func TestNativeHeedsTheCasefoldFlag(t *testing.T) {
	strace := []string{"strace", "-f", "-o", "/dev/null", "-e", "trace=ioctl", "-e", "inject=ioctl:poke_exit=@arg3=00000040"}
	if out, err := exec.Command(strace[0], append(strace[1:], "true")...).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no strace that changes answers: %v\n%s", err, out)
	}
	if !inChild(t, strace...) {
		return
	}
	tr := newTree(t, false)
	tr.repo.Write("d/a", "1")
	read, err := tr.read(t.Context(), []string{"d/a"}, want{})
	if f := fault.As(err); f == nil || f.Code != "WORKTREE.CASEFOLD" || f.Outcome != fault.Unsupported || f.Target != tr.top {
		t.Error(read, err)
	}
}

// With few descriptors the files are read a few at a time; with too few it is said.
func TestNativeWithFewDescriptors(t *testing.T) {
	if !inChild(t) {
		return
	}
	tr := newTree(t, false)
	var names []string
	for i := range 300 {
		names = append(names, strconv.Itoa(i))
		tr.repo.Write(names[i], names[i])
	}
	free, err := os.Open(os.DevNull)
	tr.must(err)
	var before unix.Rlimit
	tr.must(unix.Getrlimit(unix.RLIMIT_NOFILE, &before))
	defer func() { tr.must(unix.Setrlimit(unix.RLIMIT_NOFILE, &before)) }()
	limit := func(files int) {
		t.Helper()
		tr.must(unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: uint64(int(free.Fd()) + files), Max: before.Max}))
	}
	if _, err := tr.read(t.Context(), names[:1], want{}); err != nil {
		t.Error(err)
	}
	limit(40)
	read, err := tr.read(t.Context(), names, want{})
	for i := range read {
		if string(read[i].data) != names[i] {
			t.Fatal(i, read[i])
		}
	}
	if err != nil {
		t.Error(err)
	}
	limit(8)
	_, err = tr.read(t.Context(), names, want{})
	f := fault.As(err)
	if f == nil || f.Code != "WORKTREE.UNREADABLE" || f.Outcome != fault.Unavailable || f.Target != names[0] || !errors.Is(err, unix.EMFILE) {
		t.Error(err)
	}
}

// A kernel without openat2, and a sandbox that forbids it, are met by walking by hand.
func TestNativeWithoutOpenat2(t *testing.T) {
	if !inChild(t) {
		return
	}
	for _, errno := range []syscall.Errno{unix.ENOSYS, unix.EPERM} {
		forbidOpenat2(t, errno)
		if _, err := unix.Openat2(unix.AT_FDCWD, "/", &unix.OpenHow{}); !errors.Is(err, errno) {
			t.Fatal(err)
		}
		tr := newTree(t, false)
		tr.repo.Write("d/a", "1")
		tr.must(os.Symlink("d", tr.path("link")))
		if read, err := tr.read(t.Context(), []string{"d/a"}, want{}); err != nil || string(read[0].data) != "1" || !tr.byHand {
			t.Error(read, err)
		}
		if _, err := tr.read(t.Context(), []string{"link/a"}, want{}); !fault.Is(err, "WORKTREE.CHANGED") {
			t.Error(err)
		}
	}
}

// forbidOpenat2 makes every later openat2 of this process fail (seccomp(2)).
func forbidOpenat2(t *testing.T, errno syscall.Errno) {
	t.Helper()
	const number = 0 // where the number of the call stands in struct seccomp_data
	program := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: number},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_OPENAT2, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(errno)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	_, _, failed := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&filter)))
	if failed != 0 {
		t.Skip("SKIPPED: no seccomp here: ", failed)
	}
}
