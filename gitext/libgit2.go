package gitext

import (
	"math"
	"runtime"
	"slices"
	"sync"

	git "github.com/libgit2/git2go/v34"
)

// libgit2 reads packs in process. It proves nothing: its caller hashes what it says.
//
// It is given object directories and no repository: no worktree, index, ref, setting, owner or extension of one can matter, which
// are git's to judge when the repository is opened. Nor is it given loose files, because release 1.5 waits for ever for the rest of
// a truncated one.
type libgit2 struct {
	dirs []string

	// A database reads one object at a time, behind a lock of its own, so that each goroutine takes one for each read.
	mutex      sync.Mutex
	idle       []*git.Odb
	generation int // of those that may be idle
	closed     bool
}

// openLibgit2 is nil for object formats that libgit2 1.5 does not know.
func openLibgit2(format string, dirs []string) *libgit2 {
	if format != "sha1" {
		return nil
	}
	return &libgit2{dirs: dirs}
}

var typeNames = map[git.ObjectType]string{
	git.ObjectBlob: "blob", git.ObjectTree: "tree", git.ObjectCommit: "commit", git.ObjectTag: "tag",
}

func (l *libgit2) read(id string) (typ string, data []byte, ok bool) {
	l.use(id, func(odb *git.Odb, oid *git.Oid) {
		object, err := odb.Read(oid)
		if err != nil {
			return
		}
		// Data points into C memory that no collector sees: copied, then freed at once.
		defer object.Free()
		data = slices.Clone(object.Data())
		runtime.KeepAlive(object)
		typ, ok = typeNames[object.Type()]
	})
	return typ, data, ok
}

// size reads a header; libgit2 checks nothing of it.
func (l *libgit2) size(id string) (size int64, ok bool) {
	l.use(id, func(odb *git.Odb, oid *git.Oid) {
		claimed, _, err := odb.ReadHeader(oid)
		size, ok = int64(claimed), err == nil && claimed <= math.MaxInt64
	})
	return size, ok
}

// use calls ask with a database, unless there is none or the id is not one of SHA-1.
func (l *libgit2) use(id string, ask func(*git.Odb, *git.Oid)) {
	oid, err := git.NewOid(id)
	if err != nil || len(id) != idLength("sha1") {
		return
	}
	odb, generation := l.take()
	if odb == nil {
		return
	}
	ask(odb, oid)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.closed || generation != l.generation {
		odb.Free()
		return
	}
	l.idle = append(l.idle, odb)
}

func (l *libgit2) take() (odb *git.Odb, generation int) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.closed {
		return nil, 0
	}
	if last := len(l.idle) - 1; last >= 0 {
		odb, l.idle = l.idle[last], l.idle[:last]
		return odb, l.generation
	}
	odb, err := openPacks(l.dirs)
	if err != nil {
		return nil, 0
	}
	return odb, l.generation
}

// refresh makes every later read look at the directories anew: packs come and go while git repacks.
func (l *libgit2) refresh() { l.end(false) }

func (l *libgit2) close() { l.end(true) }

func (l *libgit2) end(closed bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, odb := range l.idle {
		odb.Free()
	}
	l.idle, l.closed = nil, l.closed || closed
	l.generation++
}
