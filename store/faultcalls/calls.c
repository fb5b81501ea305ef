#define _GNU_SOURCE
#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

// The names of the calls of each sort, in order.
enum { CHANGE, LOOK, SORTS, CALLS = 1 << 14 };
static const char *made[SORTS][CALLS];
static int counted[SORTS], chosen, mode, armed, skips;

static int count(int sort, const char *name) {
  if (counted[sort] == CALLS) abort();
  made[sort][counted[sort]++] = name;
  return counted[sort] == chosen && (mode == LOOK_IO) == (sort == LOOK);
}

int calls_made(int sort) { return counted[sort]; }
const char *call_made(int sort, int i) { return made[sort][i]; }
void skip_syncs(void) { skips = 1; }

// due counts a call that changes something on the disk, and reports that it is to fail; errno is set then. A kill does not return.
static int due(const char *name) {
  if (!count(CHANGE, name)) return 0;
  if (mode == KILL) raise(SIGKILL);
  errno = mode == FAIL_SPACE ? ENOSPC : EIO;
  return mode != HALF;
}
static int halved(void) { return counted[CHANGE] == chosen && mode == HALF; }

// blind is due for a call that only looks.
static int blind(const char *name) {
  if (!count(LOOK, name)) return 0;
  errno = EIO;
  return 1;
}

// The trace: which file stands under each name, and which is behind each descriptor. Files are numbered, because a name, a descriptor and
// an inode are each used again.
enum { NAMES = 8, DESCRIPTORS = 1024, FOLDER = -1, OTHER = 0 };
static struct { char *path; int file; } names[NAMES];
static int behind[DESCRIPTORS], files, tracing;
static char *folder, *bytes;
static event *events;
static size_t filled, room;
static int number, places;

static void note(int call, int file, int64_t at, const void *data, size_t size) {
  if (!tracing || file == OTHER) return;
  if (number == places) events = realloc(events, (places = 2 * places + 64) * sizeof *events);
  if (filled + size > room) bytes = realloc(bytes, room = 2 * (room + size));
  events[number++] = (event){call, file, at, filled, size};
  if (size > 0) memcpy(bytes + filled, data, size);
  filled += size;
}

static int *named(const char *path) {
  int i = 0;
  if (!tracing || strncmp(path, folder, strlen(folder)) != 0) return NULL;
  for (; i < NAMES && names[i].path != NULL; i++) {
    if (strcmp(names[i].path, path) == 0) return &names[i].file;
  }
  if (i == NAMES) abort();
  names[i].path = strdup(path);
  return &names[i].file;
}

static int file_of(int fd) { return fd >= 0 && fd < DESCRIPTORS ? behind[fd] : OTHER; }

static void opened(const char *path, int fd) {
  int *file = named(path);
  if (file == NULL || fd < 0 || fd >= DESCRIPTORS) return;
  if (*file == 0) {
    *file = ++files;
    note(CREATE, *file, 0, path, strlen(path));
  }
  behind[fd] = *file;
}

void start_trace(const char *path) { folder = strdup(path), tracing = 1; }
void mark(int64_t n) { note(MARK, FOLDER, n, NULL, 0); }
int traced(event **all, char **data) { return *all = events, *data = bytes, number; }

// real holds SQLite's own calls.
static struct {
  int (*open)(const char *, int, int), (*close)(int), (*access)(const char *, int), (*stat)(const char *, struct stat *),
    (*fstat)(int, struct stat *), (*lstat)(const char *, struct stat *), (*fcntl)(int, int, ...), (*ftruncate)(int, off_t),
    (*fchmod)(int, mode_t), (*fchown)(int, uid_t, gid_t), (*unlink)(const char *), (*openDirectory)(const char *, int *),
    (*mkdir)(const char *, mode_t), (*rmdir)(const char *), (*fallocate)(int, off_t, off_t);
  char *(*getcwd)(char *, size_t);
  ssize_t (*read)(int, void *, size_t), (*pread)(int, void *, size_t, off_t), (*pread64)(int, void *, size_t, off_t),
    (*write)(int, const void *, size_t), (*pwrite)(int, const void *, size_t, off_t), (*pwrite64)(int, const void *, size_t, off_t),
    (*readlink)(const char *, char *, size_t);
} real;

static int my_open(const char *path, int flags, int m) {
  if (flags & O_CREAT ? due("open") : blind("open")) return -1;
  int fd = real.open(path, flags, m);
  opened(path, fd);
  return fd;
}
static int my_close(int fd) {
  if (fd >= 0 && fd < DESCRIPTORS) behind[fd] = OTHER;
  return blind("close") ? -1 : real.close(fd);
}
static int my_access(const char *path, int how) { return blind("access") ? -1 : real.access(path, how); }
static int my_stat(const char *path, struct stat *s) { return blind("stat") ? -1 : real.stat(path, s); }
static int my_fstat(int fd, struct stat *s) { return blind("fstat") ? -1 : real.fstat(fd, s); }
static int my_lstat(const char *path, struct stat *s) { return blind("lstat") ? -1 : real.lstat(path, s); }
static char *my_getcwd(char *path, size_t n) { return blind("getcwd") ? NULL : real.getcwd(path, n); }
static ssize_t my_readlink(const char *path, char *to, size_t n) { return blind("readlink") ? -1 : real.readlink(path, to, n); }
static ssize_t my_read(int fd, void *to, size_t n) { return blind("read") ? -1 : real.read(fd, to, n); }
static ssize_t my_pread(int fd, void *to, size_t n, off_t at) { return blind("pread") ? -1 : real.pread(fd, to, n, at); }
static ssize_t my_pread64(int fd, void *to, size_t n, off_t at) { return blind("pread64") ? -1 : real.pread64(fd, to, n, at); }
static int my_fcntl(int fd, int what, ...) {
  va_list rest;
  va_start(rest, what);
  void *argument = va_arg(rest, void *); // a pointer, or an int in the same register
  va_end(rest);
  return blind("fcntl") ? -1 : real.fcntl(fd, what, argument);
}

static ssize_t my_pwrite(int fd, const void *data, size_t n, off_t at) {
  if (due("pwrite")) return -1;
  if (halved()) n /= 2;
  ssize_t done = real.pwrite(fd, data, n, at);
  if (halved()) raise(SIGKILL);
  if (done > 0) note(WRITE, file_of(fd), at, data, done);
  return done;
}
static ssize_t my_pwrite64(int fd, const void *data, size_t n, off_t at) { return my_pwrite(fd, data, n, at); }
static ssize_t my_write(int fd, const void *data, size_t n) {
  off_t at = lseek(fd, 0, SEEK_CUR);
  if (due("write")) return -1;
  if (halved()) n /= 2;
  ssize_t done = real.write(fd, data, n);
  if (halved()) raise(SIGKILL);
  if (done > 0) note(WRITE, file_of(fd), at, data, done);
  return done;
}
static int my_ftruncate(int fd, off_t size) {
  if (due("ftruncate")) return -1;
  int done = real.ftruncate(fd, size);
  if (done == 0) note(TRUNCATE, file_of(fd), size, NULL, 0);
  return done;
}
static int my_unlink(const char *path) {
  if (due("unlink")) return -1;
  int *file = named(path), done = real.unlink(path);
  if (done == 0 && file != NULL && *file != 0) {
    note(UNLINK, *file, 0, path, strlen(path));
    *file = 0;
  }
  return done;
}
static int my_openDirectory(const char *path, int *fd) {
  if (due("openDirectory")) return 14; // SQLITE_CANTOPEN
  int code = real.openDirectory(path, fd);
  if (code == 0 && *fd >= 0 && *fd < DESCRIPTORS) behind[*fd] = FOLDER;
  return code;
}
static int my_fchmod(int fd, mode_t m) { return due("fchmod") ? -1 : real.fchmod(fd, m); }
static int my_fchown(int fd, uid_t u, gid_t g) { return due("fchown") ? -1 : real.fchown(fd, u, g); }
static int my_fallocate(int fd, off_t at, off_t n) { return due("fallocate") ? errno : real.fallocate(fd, at, n); }
static int my_mkdir(const char *path, mode_t m) { return due("mkdir") ? -1 : real.mkdir(path, m); }
static int my_rmdir(const char *path) { return due("rmdir") ? -1 : real.rmdir(path); }

// fsync is in no table: the linker gives it to us (--wrap).
extern int __real_fsync(int fd);
int __wrap_fsync(int fd) {
  if (!armed) return __real_fsync(fd);
  if (due("fsync")) return -1;
  int done = skips ? 0 : __real_fsync(fd);
  if (done == 0) note(file_of(fd) == FOLDER ? SYNC_FOLDER : SYNC, file_of(fd), 0, NULL, 0);
  return done;
}

#define CALL(name) {#name, (call_ptr)my_##name, (call_ptr *)&real.name}
static const struct { const char *name; call_ptr mine, *real; } replaced[] = {
  CALL(open), CALL(close), CALL(access), CALL(stat), CALL(fstat), CALL(lstat), CALL(getcwd), CALL(readlink), CALL(read), CALL(pread), CALL(pread64),
  CALL(fcntl), CALL(write), CALL(pwrite), CALL(pwrite64), CALL(ftruncate), CALL(unlink), CALL(openDirectory), CALL(fchmod), CALL(fchown),
  CALL(fallocate), CALL(mkdir), CALL(rmdir),
};

// Those that cannot fail, or are not made by a store without shared memory.
static const char *const left[] = {"geteuid", "getpagesize", "mmap", "munmap", "mremap", "ioctl"};

static int replace(sqlite3_vfs *vfs, const char *name) {
  for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
    if (strcmp(left[i], name) == 0) return 0;
  }
  for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++) {
    if (strcmp(replaced[i].name, name) != 0) continue;
    if (*replaced[i].real != NULL) return 0;
    *replaced[i].real = vfs->xGetSystemCall(vfs, name);
    return vfs->xSetSystemCall(vfs, name, replaced[i].mine);
  }
  return 1; // a call that is new in this SQLite
}

int arm(int n, int how) {
  sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
  if (vfs == NULL || vfs->iVersion < 3 || strcmp(vfs->zName, "unix") != 0) return -1;
  armed = 1, chosen = n, mode = how, counted[CHANGE] = counted[LOOK] = 0;
  for (const char *name = vfs->xNextSystemCall(vfs, NULL); name != NULL; name = vfs->xNextSystemCall(vfs, name)) {
    if (replace(vfs, name) != 0) return -1;
  }
  return 0;
}
