package store

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

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

// openToAll lets everybody search the folders that the test framework made for the owner alone.
func openToAll(t *testing.T, path string) {
	t.Helper()
	for folder := filepath.Dir(path); folder != os.TempDir() && folder != "/"; folder = filepath.Dir(folder) {
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPermissions(t *testing.T) {
	for name, c := range map[string]struct {
		file, folder os.FileMode
		open         string // the fault of Open, both modes
		put          string // the fault of Put of something new
	}{
		"file not readable":     {0o000, 0o755, "STORE.UNREADABLE", ""},
		"folder not searchable": {0o644, 0o000, "STORE.UNREADABLE", ""},
		"nothing writable":      {0o444, 0o555, "", "STORE.READONLY"},
		"file not writable":     {0o444, 0o777, "", "STORE.READONLY"},
		"folder not writable":   {0o666, 0o555, "", "STORE.READONLY"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "in", "store.sqlite3")
			s := mustOpen(t, path, Create)
			mustPut(t, s, leaf("a"))
			s.Close()
			openToAll(t, path)
			before := fileBytes(t, path)
			if err := os.Chmod(path, c.file); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(filepath.Dir(path), c.folder); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.Chmod(filepath.Dir(path), 0o755) })
			unprivileged(t, func() {
				for _, mode := range []Mode{ReadOnly, Create} {
					s, err := Open(ctx, path, codecs, mode)
					if c.open != "" {
						if f := fault.As(err); f == nil || f.Code != c.open || f.Outcome != fault.Unavailable {
							t.Errorf("mode %d: open: %v, want %s", mode, err, c.open)
						}
						continue
					}
					if err != nil {
						t.Errorf("mode %d: open: %v", mode, err)
						continue
					}
					// What is stored already counts as recorded, and can be read.
					if err := s.Put(ctx, leaf("a")); err != nil {
						t.Errorf("mode %d: put of what is there: %v", mode, err)
					}
					if _, err := s.Get(ctx, leaf("a").ID); err != nil {
						t.Errorf("mode %d: get: %v", mode, err)
					}
					if err := s.Put(ctx, leaf("b")); !fault.Is(err, c.put) {
						t.Errorf("mode %d: put: %v, want %s", mode, err, c.put)
					}
					s.Close()
				}
			})
			os.Chmod(filepath.Dir(path), 0o755)
			os.Chmod(path, 0o644)
			if !bytes.Equal(fileBytes(t, path), before) {
				t.Error("the store changed")
			}
			if got := names(t, filepath.Dir(path)); !slices.Equal(got, []string{"store.sqlite3"}) {
				t.Errorf("folder holds %q", got)
			}
		})
	}
}

func TestFolderThatCannotBeMade(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "closed")
	if err := os.Mkdir(folder, 0o555); err != nil {
		t.Fatal(err)
	}
	path := Location(filepath.Join(folder, ".git"), "")
	openToAll(t, folder)
	unprivileged(t, func() {
		_, err := Open(ctx, path, codecs, Create)
		if !fault.Is(err, "STORE.READONLY") {
			t.Errorf("error %v", err)
		}
	})
	if got := names(t, folder); got != nil {
		t.Errorf("folder holds %q", got)
	}
}
