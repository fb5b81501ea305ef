package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/gitext/gittest"
)

// ways are the two of opening a component: the kernel's, and ours for kernels that have none.
var ways = map[string]bool{"openat2": false, "by hand": true}

// tree is a folder and a native that reads it.
type tree struct {
	*native
	repo *gittest.Repository
	t    *testing.T
}

// newTree is a folder that is no repository, which nothing here needs to be.
func newTree(t *testing.T, byHand bool) *tree {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	kind, err := gittest.FileSystem()
	n := &native{
		top:     filepath.Join(folder, "top"),
		allowed: func(context.Context) ([]string, error) { return []string{kind}, err },
		hash:    (&gitext.Repo{ObjectFormat: "sha1"}).BlobHash,
		typed:   func(name string) string { return name },
		byHand:  byHand,
	}
	tr := &tree{n, &gittest.Repository{T: t, Dir: n.top, Env: gittest.Hermetic(t)}, t}
	tr.must(os.Mkdir(n.top, 0o755))
	return tr
}

func (tr *tree) path(name string) string { return filepath.Join(tr.top, name) }

func (tr *tree) must(err error) {
	tr.t.Helper()
	if err != nil {
		tr.t.Fatal(err)
	}
}

// openFiles counts the descriptors of this process that lead into a folder.
func openFiles(t *testing.T, folder string) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, entry := range entries {
		if to, err := os.Readlink("/proc/self/fd/" + entry.Name()); err == nil && strings.HasPrefix(to, folder) {
			count++
		}
	}
	return count
}

// deepFile makes a file whose path is longer than any that the kernel takes (PATH_MAX), and gives its name.
func (tr *tree) deepFile(text string) string {
	folder := strings.Repeat("d", 200)
	at, err := unix.Open(tr.top, unix.O_PATH|unix.O_DIRECTORY, 0)
	tr.must(err)
	for range 25 {
		tr.must(unix.Mkdirat(at, folder, 0o755))
		below, err := unix.Openat(at, folder, unix.O_PATH|unix.O_DIRECTORY, 0)
		tr.must(err)
		tr.must(unix.Close(at))
		at = below
	}
	tr.must(os.WriteFile(fmt.Sprintf("/proc/self/fd/%d/file", at), []byte(text), 0o644))
	tr.must(unix.Close(at))
	return strings.Repeat(folder+"/", 25) + "file"
}

// What is read is what was written, and its id is what git itself computes; nothing stays open.
func TestNativeReadsBytes(t *testing.T) {
	for way, byHand := range ways {
		t.Run(way, func(t *testing.T) {
			tr := newTree(t, byHand)
			files := map[string]string{
				"a": "1", "d/e/empty": "", "d/e/crlf": "x\r\ny", "new\nline": "2", "x\xff": "3", strings.Repeat("n", 255): "4", "GIT~1": "5",
				"d/big": strings.Repeat("0123456789", 30<<10), "d/split": strings.Repeat("x", 128<<10-1) + "\r\n", "lone": "\r \n\r",
			}
			for name, text := range files {
				tr.repo.Write(name, text)
			}
			files[tr.deepFile("deep")] = "deep"
			names := slices.Sorted(maps.Keys(files))
			read, err := tr.read(t.Context(), names, want{})
			tr.must(err)
			hashed, err := tr.read(t.Context(), names, want{id: true})
			tr.must(err)
			for i, name := range names {
				text := files[name]
				crlf := strings.Contains(text, "\r\n")
				if string(read[i].data) != text || read[i].size != int64(len(text)) || read[i].crlf != crlf {
					t.Errorf("%.20q: %d bytes, CRLF %v", name, len(read[i].data), read[i].crlf)
				}
				if id := tr.repo.Feed(text, "hash-object", "--stdin", "--no-filters"); hashed[i].id != id || hashed[i].crlf != crlf || hashed[i].data != nil {
					t.Errorf("%.20q is %s, CRLF %v; git says %s", name, hashed[i].id, hashed[i].crlf, id)
				}
			}
			bounded, err := tr.read(t.Context(), []string{"d/big", "a"}, want{most: 1000})
			if err != nil || bounded[0].data != nil || bounded[0].size != 300<<10 || string(bounded[1].data) != "1" {
				t.Errorf("%v %v", bounded, err)
			}
			if count := openFiles(t, tr.top); count > 0 {
				t.Errorf("%d files are still open", count)
			}
		})
	}
}

// Of more files than are held open at a time all are read.
func TestNativeReadsMany(t *testing.T) {
	tr := newTree(t, false)
	var names []string
	for i := range 2*portion + 7 {
		name := fmt.Sprintf("d%d/f%d", i%7, i)
		tr.repo.Write(name, name)
		names = append(names, name)
	}
	read, err := tr.read(t.Context(), names, want{})
	tr.must(err)
	for i, name := range names {
		if string(read[i].data) != name {
			t.Fatalf("%s is %q", name, read[i].data)
		}
	}
	// One of the first portion that changes while the last is read.
	tr.pause = func(step, name string) {
		if step == "reopened" && name == names[len(names)-1] {
			tr.repo.Write(names[3], "other")
		}
	}
	if _, err := tr.read(t.Context(), names, want{}); !fault.Is(err, "WORKTREE.CHANGED") || fault.As(err).Target != names[3] {
		t.Error(err)
	}
}

// What is no file of the worktree is refused at once, by name, whatever it leads to.
func TestNativeRefuses(t *testing.T) {
	for _, c := range []struct {
		name, file, code string
		make             func(tr *tree) error
	}{
		{"nothing", "gone", "WORKTREE.CHANGED", nil},
		{"a symlink to a file", "link", "WORKTREE.CHANGED", func(tr *tree) error { return os.Symlink("kept/file", tr.path("link")) }},
		{"a symlink out", "link", "WORKTREE.CHANGED", func(tr *tree) error { return os.Symlink("/etc/passwd", tr.path("link")) }},
		{"a symlink on the way", "link/file", "WORKTREE.CHANGED", func(tr *tree) error { return os.Symlink("kept", tr.path("link")) }},
		{"a symlink on the way out", "link/passwd", "WORKTREE.CHANGED", func(tr *tree) error { return os.Symlink("/etc", tr.path("link")) }},
		{"a link of the kernel's", "link/status", "WORKTREE.CHANGED", func(tr *tree) error { return os.Symlink("/proc/self", tr.path("link")) }},
		{"a file on the way", "kept/file/x", "WORKTREE.CHANGED", nil},
		{"a folder", "kept", "WORKTREE.CHANGED", nil},
		{"up", "kept/../kept/file", "WORKTREE.UNREADABLE", nil},
		{"up and out", "../other", "WORKTREE.UNREADABLE", nil},
		{"the root", "/etc/passwd", "WORKTREE.UNREADABLE", nil},
		{"here", "./kept/file", "WORKTREE.UNREADABLE", nil},
		{"nothing between slashes", "kept//file", "WORKTREE.UNREADABLE", nil},
		{"a NUL", "kept/file\x00", "WORKTREE.UNREADABLE", nil},
		{"a pipe", "pipe", "WORKTREE.UNREADABLE", func(tr *tree) error { return syscall.Mkfifo(tr.path("pipe"), 0o644) }},
		{"a pipe on the way", "pipe/x", "WORKTREE.UNREADABLE", func(tr *tree) error { return syscall.Mkfifo(tr.path("pipe"), 0o644) }},
		{"a socket", "socket", "WORKTREE.UNREADABLE", func(tr *tree) error { return unix.Mknod(tr.path("socket"), unix.S_IFSOCK|0o644, 0) }},
		{"a device", "tty", "WORKTREE.UNREADABLE", func(tr *tree) error {
			if os.Geteuid() != 0 {
				tr.t.Skip("only root makes devices")
			}
			return unix.Mknod(tr.path("tty"), unix.S_IFCHR|0o644, int(unix.Mkdev(5, 0)))
		}},
	} {
		for way, byHand := range ways {
			t.Run(c.name+" "+way, func(t *testing.T) {
				t.Parallel()
				tr := newTree(t, byHand)
				tr.repo.Write("kept/file", "inside")
				if c.make != nil {
					tr.must(c.make(tr))
				}
				begun := time.Now()
				read, err := tr.read(t.Context(), []string{"kept/file", c.file}, want{})
				f := fault.As(err)
				if f == nil || f.Code != c.code || f.Outcome != fault.Unavailable || f.Target != c.file || len(read) > 0 {
					t.Errorf("%v %v", read, err)
				}
				if took := time.Since(begun); took > 10*time.Second {
					t.Errorf("it took %v", took)
				}
				if count := openFiles(t, tr.top); count > 0 {
					t.Errorf("%d files are still open", count)
				}
			})
		}
	}
}

// Every change at every moment is seen. After a file has been opened for the second time, a folder above it may go: the bytes are still
// those that stood there.
func TestNativeSeesEveryChange(t *testing.T) {
	const text, name = "the text that stood there", "d/e/file"
	changes := map[string]func(tr *tree) error{
		"it grows": func(tr *tree) error {
			file, err := os.OpenFile(tr.path(name), os.O_WRONLY|os.O_APPEND, 0)
			if err == nil {
				_, err = file.WriteString("more")
				err = errors.Join(err, file.Close())
			}
			return err
		},
		"it shrinks":         func(tr *tree) error { return os.Truncate(tr.path(name), 3) },
		"it becomes empty":   func(tr *tree) error { return os.Truncate(tr.path(name), 0) },
		"it is written over": func(tr *tree) error { return os.WriteFile(tr.path(name), bytes.ToUpper([]byte(text)), 0o644) },
		"its old time is restored": func(tr *tree) error {
			info, err := os.Stat(tr.path(name))
			if err == nil {
				err = os.WriteFile(tr.path(name), bytes.ToUpper([]byte(text)), 0o644)
			}
			return errors.Join(err, os.Chtimes(tr.path(name), info.ModTime(), info.ModTime()))
		},
		"another takes its place": func(tr *tree) error { return os.Rename(tr.path("twin/file"), tr.path(name)) },
		"a link takes its place": func(tr *tree) error {
			return errors.Join(os.Remove(tr.path(name)), os.Symlink("../../twin/file", tr.path(name)))
		},
		"it is gone":             func(tr *tree) error { return os.Remove(tr.path(name)) },
		"its mode changes":       func(tr *tree) error { return os.Chmod(tr.path(name), 0o755) },
		"its folder is renamed":  func(tr *tree) error { return os.Rename(tr.path("d/e"), tr.path("d/f")) },
		"a folder above is gone": func(tr *tree) error { return os.Rename(tr.path("d"), tr.path("../elsewhere")) },
		"another folder takes the place": func(tr *tree) error {
			return errors.Join(os.Rename(tr.path("d/e"), tr.path("d/f")), os.Rename(tr.path("twin"), tr.path("d/e")))
		},
		"a folder with the very file takes the place": func(tr *tree) error {
			return errors.Join(os.Rename(tr.path("d/e"), tr.path("d/f")), os.Mkdir(tr.path("d/e"), 0o755),
				os.Rename(tr.path("d/f/file"), tr.path(name)))
		},
		"a folder with the same file takes the place": func(tr *tree) error {
			return errors.Join(os.Rename(tr.path("d/e"), tr.path("d/f")), os.Rename(tr.path("same"), tr.path("d/e")))
		},
		"a link takes the folder's place": func(tr *tree) error {
			return errors.Join(os.Rename(tr.path("d/e"), tr.path("d/f")), os.Symlink("../twin", tr.path("d/e")))
		},
		"a link to itself takes the folder's place": func(tr *tree) error {
			return errors.Join(os.Rename(tr.path("d/e"), tr.path("d/f")), os.Symlink("f", tr.path("d/e")))
		},
		"a pipe takes its place": func(tr *tree) error {
			return errors.Join(os.Remove(tr.path(name)), syscall.Mkfifo(tr.path(name), 0o644))
		},
	}
	late := []string{"its folder is renamed", "a folder above is gone", "another folder takes the place",
		"a folder with the same file takes the place", "a link takes the folder's place",
		"a link to itself takes the folder's place"}
	for change, apply := range changes {
		for _, step := range []string{"opened", "chunk", "read", "reopened"} {
			for way, byHand := range ways {
				t.Run(change+", "+step+", "+way, func(t *testing.T) {
					t.Parallel()
					tr := newTree(t, byHand)
					tr.repo.Write(name, text)
					tr.repo.Write("twin/file", strings.Repeat("x", len(text)))
					tr.must(errors.Join(os.Mkdir(tr.path("same"), 0o755), os.Link(tr.path(name), tr.path("same/file"))))
					done := false
					tr.pause = func(at, _ string) {
						if at == step && !done {
							done = true
							tr.must(apply(tr))
						}
					}
					read, err := tr.read(t.Context(), []string{name}, want{})
					code := "WORKTREE.CHANGED"
					if change == "a pipe takes its place" && step != "reopened" {
						code = "WORKTREE.UNREADABLE"
					}
					f := fault.As(err)
					switch {
					case err == nil && step == "reopened" && slices.Contains(late, change) && string(read[0].data) == text:
					case f == nil || f.Code != code || f.Outcome != fault.Unavailable || f.Target != name && f.Target != "d" && f.Target != "d/e":
						t.Errorf("%v %v", read, err)
					}
					if !done {
						t.Error("nothing was changed")
					}
				})
			}
		}
	}
}

// A link that takes the place of what has just been looked at, and gives it back before the next look, is not followed.
func TestNativeFollowsNoLinkSwappedIn(t *testing.T) {
	for _, component := range []string{"d", "e", "file"} {
		for way, byHand := range ways {
			tr := newTree(t, byHand)
			tr.repo.Write("d/e/file", "inside")
			for _, twin := range []string{"d/e/file", "e/file", "file"} {
				tr.repo.Write("../outside/"+twin, "outside")
			}
			at := map[string]string{"d": "d", "e": "d/e", "file": "d/e/file"}[component]
			tr.must(os.Symlink(tr.path("../outside/"+component), tr.path("link")))
			swapped := false
			swap := func() {
				tr.must(unix.Renameat2(unix.AT_FDCWD, tr.path(at), unix.AT_FDCWD, tr.path("link"), unix.RENAME_EXCHANGE))
				swapped = !swapped
			}
			tr.pause = func(step, name string) {
				if swapped || step == "looked" && name == component {
					swap()
				}
			}
			if read, err := tr.read(t.Context(), []string{"d/e/file"}, want{}); !fault.Is(err, "WORKTREE.CHANGED") || !swapped {
				t.Errorf("%s, %s: %v %v", component, way, read, err)
			}
		}
	}
}

// What is written through memory changes no time until the kernel gets to it: the bytes alone tell.
func TestNativeSeesWritesThroughMemory(t *testing.T) {
	for _, step := range []string{"chunk", "read", "reopened"} {
		for _, w := range []want{{}, {id: true}} {
			tr := newTree(t, false)
			tr.repo.Write("a", "text")
			file, err := os.OpenFile(tr.path("a"), os.O_RDWR, 0)
			tr.must(err)
			defer file.Close()
			memory, err := unix.Mmap(int(file.Fd()), 0, 4, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
			tr.must(err)
			defer unix.Munmap(memory)
			memory[0] = 'T' // from now on the page is known to be written to
			if read, err := tr.read(t.Context(), []string{"a"}, want{}); err != nil || string(read[0].data) != "Text" {
				t.Fatal(read, err)
			}
			done := false
			tr.pause = func(at, _ string) {
				if at == step && !done {
					done, memory[1] = true, 'E'
				}
			}
			if read, err := tr.read(t.Context(), []string{"a"}, w); !fault.Is(err, "WORKTREE.CHANGED") {
				t.Errorf("%s: %v %v", step, read, err)
			}
		}
	}
}

// A call that is interrupted or told to come back is made again, but not for ever.
func TestCallsAreMadeAgain(t *testing.T) {
	for _, errno := range []error{unix.EINTR, unix.EAGAIN} {
		for failures, want := range map[int]error{0: nil, 1: nil, attempts - 1: nil, attempts: errno, 1 << 30: errno} {
			if errno == unix.EAGAIN && failures > attempts {
				continue
			}
			calls := 0
			result, err := again(func() (int, error) {
				if calls++; calls <= failures {
					return 0, errno
				}
				return 7, nil
			})
			if !errors.Is(err, want) || (err == nil) != (result == 7) || calls > attempts {
				t.Errorf("%v %d times: %d %v after %d calls", errno, failures, result, err, calls)
			}
		}
	}
	calls := 0
	if _, err := again(func() (int, error) { calls++; return 0, unix.EIO }); !errors.Is(err, unix.EIO) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

// A lease lets its holder finish what it does with a file; open(2) says EAGAIN meanwhile.
func TestALeaseIsWaitedFor(t *testing.T) {
	for way, byHand := range ways {
		t.Run(way, func(t *testing.T) {
			tr := newTree(t, byHand)
			tr.repo.Write("a", "text")
			holder, err := os.OpenFile(tr.path("a"), os.O_RDWR, 0)
			tr.must(err)
			defer holder.Close()
			if _, err := unix.FcntlInt(holder.Fd(), unix.F_SETLEASE, unix.F_WRLCK); err != nil {
				t.Skip("SKIPPED: no leases here: ", err)
			}
			if _, err := tr.read(t.Context(), []string{"a"}, want{}); !fault.Is(err, "WORKTREE.CHANGED") {
				t.Error(err)
			}
			time.AfterFunc(20*time.Millisecond, func() { holder.Close() })
			if read, err := tr.read(t.Context(), []string{"a"}, want{}); err != nil || string(read[0].data) != "text" {
				t.Error(read, err)
			}
		})
	}
}
