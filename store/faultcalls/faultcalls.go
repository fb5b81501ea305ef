// Package faultcalls lets one system call of SQLite fail, for tests. SQLite makes every call that changes a file through a table that a test
// may replace (xSetSystemCall of its unix VFS); fsync is not in it, and is left to a tracer.
//
// It promises that the n-th of those calls, and no other, does what was asked. It changes the whole process and nothing takes it back:
// import it in tests alone, and use it in a process of its own.
package faultcalls

/*
#cgo LDFLAGS: -Wl,--unresolved-symbols=ignore-all

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

// What SQLite's header says of its VFS; the header stands in go-sqlite3's folder, where cgo does not look.
typedef void (*call_ptr)(void);
typedef struct sqlite3_vfs sqlite3_vfs;
struct sqlite3_vfs {
  int iVersion, szOsFile, mxPathname;
  sqlite3_vfs *pNext;
  const char *zName;
  void *pAppData;
  call_ptr before[13];
  int (*xSetSystemCall)(sqlite3_vfs *, const char *name, call_ptr);
  call_ptr (*xGetSystemCall)(sqlite3_vfs *, const char *name);
  const char *(*xNextSystemCall)(sqlite3_vfs *, const char *name);
};
extern sqlite3_vfs *sqlite3_vfs_find(const char *name);

enum { KILL = 1, FAIL_IO, FAIL_SPACE, HALF };
static int at, mode, made;

// due counts a call and reports that it is to fail; errno is set then. A kill does not return.
static int due(void) {
  if (++made != at) return 0;
  if (mode == KILL) raise(SIGKILL);
  errno = mode == FAIL_SPACE ? ENOSPC : EIO;
  return mode != HALF;
}

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_unlink)(const char *);
static int (*real_openDirectory)(const char *, int *);
static int (*real_fchmod)(int, mode_t);
static int (*real_open)(const char *, int, int);

static ssize_t my_pwrite(int fd, const void *data, size_t n, off_t offset) {
  int half = made + 1 == at && mode == HALF;
  if (due()) return -1;
  if (half) {
    real_pwrite(fd, data, n / 2, offset);
    raise(SIGKILL);
  }
  return real_pwrite(fd, data, n, offset);
}
static ssize_t my_write(int fd, const void *data, size_t n) {
  int half = made + 1 == at && mode == HALF;
  if (due()) return -1;
  if (half) {
    if (real_write(fd, data, n / 2) < 0) errno = 0;
    raise(SIGKILL);
  }
  return real_write(fd, data, n);
}
static int my_ftruncate(int fd, off_t size) { return due() ? -1 : real_ftruncate(fd, size); }
static int my_unlink(const char *path) { return due() ? -1 : real_unlink(path); }
static int my_openDirectory(const char *path, int *fd) { return due() ? 14 : real_openDirectory(path, fd); } // SQLITE_CANTOPEN
static int my_fchmod(int fd, mode_t m) { return due() ? -1 : real_fchmod(fd, m); }
static int my_open(const char *path, int flags, int m) { return (flags & O_CREAT) && due() ? -1 : real_open(path, flags, m); }

static int replace(sqlite3_vfs *vfs, const char *name, call_ptr mine, call_ptr *real) {
  *real = vfs->xGetSystemCall(vfs, name);
  return *real == NULL ? 0 : vfs->xSetSystemCall(vfs, name, mine);
}

static int arm(int n, int how) {
  sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
  if (vfs == NULL || vfs->iVersion < 3 || strcmp(vfs->zName, "unix") != 0) return -1;
  at = n, mode = how, made = 0;
  return replace(vfs, "pwrite", (call_ptr)my_pwrite, (call_ptr *)&real_pwrite) || replace(vfs, "write", (call_ptr)my_write, (call_ptr *)&real_write) ||
    replace(vfs, "ftruncate", (call_ptr)my_ftruncate, (call_ptr *)&real_ftruncate) || replace(vfs, "unlink", (call_ptr)my_unlink, (call_ptr *)&real_unlink) ||
    replace(vfs, "openDirectory", (call_ptr)my_openDirectory, (call_ptr *)&real_openDirectory) ||
    replace(vfs, "fchmod", (call_ptr)my_fchmod, (call_ptr *)&real_fchmod) || replace(vfs, "open", (call_ptr)my_open, (call_ptr *)&real_open);
}

static int calls(void) { return made; }
*/
import "C"

import "fmt"

// Mode is what happens at the call.
type Mode int

// Kill ends the process before the call. IO and Space let it fail with EIO or ENOSPC. Half writes the first half of what a write writes, and
// ends the process; any other call is then made as usual.
const (
	Kill  Mode = C.KILL
	IO    Mode = C.FAIL_IO
	Space Mode = C.FAIL_SPACE
	Half  Mode = C.HALF
)

// Arm lets the n-th call from now on fail; 0 lets none, and counts.
func Arm(n int, mode Mode) error {
	if code := C.arm(C.int(n), C.int(mode)); code != 0 {
		return fmt.Errorf("the calls of SQLite cannot be replaced (%d)", code)
	}
	return nil
}

// Calls is how many calls were made since.
func Calls() int { return int(C.calls()) }
