package gitext

/*
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <git2.h>
#include <git2/odb_backend.h>
#include <git2/sys/alloc.h>

// libgit2 allocates what a pack claims before it has looked at what the pack holds, and follows a cycle of deltas in an array that
// grows for ever. It has no bounds of its own, so its allocator has two: for buffers, and for arrays that grow.
static size_t most_buffer, most_array;

static void *refuse(void) {
	errno = ENOMEM;
	return NULL;
}

static void *bounded_malloc(size_t n, const char *file, int line) {
	(void)file, (void)line;
	return n > most_buffer ? refuse() : malloc(n);
}

static void *bounded_calloc(size_t count, size_t size, const char *file, int line) {
	(void)file, (void)line;
	return size != 0 && count > most_buffer / size ? refuse() : calloc(count, size);
}

static char *bounded_substrdup(const char *text, size_t n, const char *file, int line) {
	char *copy = n == SIZE_MAX ? refuse() : bounded_malloc(n + 1, file, line);
	if (copy) {
		memcpy(copy, text, n);
		copy[n] = '\0';
	}
	return copy;
}

static char *bounded_strdup(const char *text, const char *file, int line) {
	return bounded_substrdup(text, strlen(text), file, line);
}

static char *bounded_strndup(const char *text, size_t n, const char *file, int line) {
	return bounded_substrdup(text, strnlen(text, n), file, line);
}

static void *bounded_realloc(void *old, size_t n, const char *file, int line) {
	(void)file, (void)line;
	return n > most_array ? refuse() : realloc(old, n);
}

static void *bounded_reallocarray(void *old, size_t count, size_t size, const char *file, int line) {
	return size != 0 && count > most_array / size ? refuse() : bounded_realloc(old, count * size, file, line);
}

static void *bounded_mallocarray(size_t count, size_t size, const char *file, int line) {
	return bounded_reallocarray(NULL, count, size, file, line);
}

static int bound_allocations(size_t buffer, size_t array) {
	// The free of the standard allocator is free, so what was allocated before is freed as well.
	static git_allocator bounded = {
		bounded_malloc, bounded_calloc, bounded_strdup, bounded_strndup, bounded_substrdup,
		bounded_realloc, bounded_reallocarray, bounded_mallocarray, free,
	};
	most_buffer = buffer;
	most_array = array;
	return git_libgit2_opts(GIT_OPT_SET_ALLOCATOR, &bounded);
}
*/
import "C"

import (
	"errors"
	"sync"
	"unsafe"

	git "github.com/libgit2/git2go/v34"
)

// maxArray bounds what libgit2 lists, such as the deltas of one object: half a million.
const maxArray = 16 << 20

// prepareLibgit2 sets what holds for the whole process, once.
var prepareLibgit2 = sync.OnceValue(func() error {
	if C.bound_allocations(maxObject+64, maxArray) < 0 {
		return errors.New("the allocator of libgit2 cannot be set")
	}
	// Every object is hashed here, with a hash that knows collisions; once is enough.
	return git.EnableStrictHashVerification(false)
})

// openPacks is the database of the packs of object directories; those of their alternates are not among them.
func openPacks(dirs []string) (*git.Odb, error) {
	if err := prepareLibgit2(); err != nil {
		return nil, err
	}
	odb, err := git.NewOdb()
	if err != nil {
		return nil, err
	}
	for i, dir := range dirs {
		if err := addPacks(odb, dir, len(dirs)-i); err != nil {
			odb.Free()
			return nil, err
		}
	}
	return odb, nil
}

func addPacks(odb *git.Odb, dir string, priority int) error {
	path := C.CString(dir)
	defer C.free(unsafe.Pointer(path))
	var backend *C.git_odb_backend
	if C.git_odb_backend_pack(&backend, path) < 0 {
		return errors.New("libgit2 cannot read the packs of a directory")
	}
	return odb.AddBackend(git.NewOdbBackendFromC(unsafe.Pointer(backend)), priority)
}
