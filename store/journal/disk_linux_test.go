package journal

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// childFill fills a disk of its own of 64 KiB with a journal, makes room and goes on.
func childFill(folder string) error {
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=64k"); err != nil {
		return fmt.Errorf("mount: %w", err)
	}
	ballast := filepath.Join(folder, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 16<<10), 0o666); err != nil {
		return err
	}
	journals := filepath.Join(folder, FolderName)
	j, err := Open(ctx, journals, "s")
	if err != nil {
		return err
	}
	payload := identity.Record{"filler": strings.Repeat("x", 3000)}
	for count := int64(0); count < 30; {
		head, err := j.Append(ctx, payload)
		if err == nil {
			count++
			continue
		}
		if !fault.Is(err, "JOURNAL.FULL") || !errors.Is(err, syscall.ENOSPC) {
			return err
		}
		report, verified := Verify(ctx, journals, "s")
		if verified != nil || report.Head != j.Head() || report.Head.Sequence != count || report.Tail != 0 {
			return fmt.Errorf("on a full disk: %+v, %w", report, verified)
		}
		if err := os.Remove(ballast); err != nil {
			fmt.Println("full twice", count, head)
			return nil
		}
		if _, err := j.Append(ctx, payload); err != nil {
			return fmt.Errorf("with room again: %w", err)
		}
		count++
	}
	return errors.New("64 KiB hold 90 KB")
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	cmd := child(t, "fill", t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}},
	}
	if err := exec.Command("unshare", "--user", "--mount", "--map-root-user", "true").Run(); err != nil {
		t.Skip("no user namespaces here, in which a small disk could be mounted: a full disk is NOT tried; ", err)
	}
	out, err := cmd.Output()
	if err != nil || !strings.HasPrefix(string(out), "full twice ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Whoever may not write is told so, and can read.
func TestPermissions(t *testing.T) {
	for name, c := range map[string]struct {
		file, folder os.FileMode
		write, read  string
	}{
		"file not readable":     {0o000, 0o777, "JOURNAL.UNWRITABLE", "JOURNAL.UNREADABLE"},
		"file not writable":     {0o444, 0o777, "JOURNAL.UNWRITABLE", ""},
		"folder not writable":   {0o666, 0o555, "", ""},
		"folder not searchable": {0o666, 0o000, "JOURNAL.UNWRITABLE", "JOURNAL.UNREADABLE"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := newFolder(t)
			j := mustOpen(t, folder, "s")
			mustAppend(t, j, numbered(1))
			j.Close()
			for path := folder; path != os.TempDir() && path != "/"; path = filepath.Dir(path) {
				if err := os.Chmod(path, 0o755); err != nil { // the test framework's folders are the owner's alone
					t.Fatal(err)
				}
			}
			if err := errors.Join(os.Chmod(besides(j.path, lockSuffix), 0o666), os.Chmod(j.path, c.file), os.Chmod(folder, c.folder)); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.Chmod(folder, 0o755) })
			unprivileged(t, func() {
				j, err := Open(ctx, folder, "s")
				if f := fault.As(err); f == nil && c.write != "" || f != nil && (f.Code != c.write || f.Outcome != fault.Unavailable) {
					t.Errorf("Open: %v", err)
				}
				if err == nil {
					mustAppend(t, j, numbered(2))
					j.Close()
				}
				_, err = Verify(ctx, folder, "s")
				if f := fault.As(err); f == nil && c.read != "" || f != nil && (f.Code != c.read || f.Outcome != fault.Unavailable) {
					t.Errorf("Verify: %v", err)
				}
			})
		})
	}
}

// unprivileged runs f as one whom file permissions bind, which root is not: on a thread whose file system user is nobody.
func unprivileged(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f()
		return
	}
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		const nobody = 65534
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETFSUID, nobody, 0, 0); errno != 0 {
			t.Errorf("setfsuid: %v", errno)
			return
		}
		if user, _, _ := syscall.RawSyscall(syscall.SYS_SETFSUID, nobody, 0, 0); user != nobody {
			t.Errorf("the file system user is still %d", user)
			return
		}
		f()
	}()
	<-finished
}
