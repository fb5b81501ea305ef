package gitext

import (
	"runtime"
	"slices"
	"sync"

	git "github.com/libgit2/git2go/v34"
)

// libgit2 reads packed objects in process. It proves nothing: its caller hashes what it says.
type libgit2 struct {
	mutex      sync.Mutex
	repository *git.Repository
	odb        *git.Odb
}

// openLibgit2 opens the common directory by its path, as a bare repository: objects are all that is asked of it, so no
// worktree, index, ref or setting of it can matter. It is nil where that fails: libgit2 refuses extensions and owners
// that it does not know, and sees no object directories of the environment.
func openLibgit2(r *Repo) *libgit2 {
	if r.ObjectFormat != "sha1" || lookup(r.env, "GIT_OBJECT_DIRECTORY") != "" || lookup(r.env, alternates) != "" {
		return nil
	}
	repository, err := git.OpenRepositoryExtended(r.CommonDir, git.RepositoryOpenNoSearch|git.RepositoryOpenBare, "")
	if err != nil {
		return nil
	}
	odb, err := repository.Odb()
	if err != nil {
		repository.Free()
		return nil
	}
	return &libgit2{repository: repository, odb: odb}
}

var typeNames = map[git.ObjectType]string{
	git.ObjectBlob: "blob", git.ObjectTree: "tree", git.ObjectCommit: "commit", git.ObjectTag: "tag",
}

func (l *libgit2) read(id string) (typ string, data []byte, ok bool) {
	oid, err := git.NewOid(id)
	if err != nil || len(id) != idLength("sha1") {
		return "", nil, false
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.odb == nil {
		return "", nil, false
	}
	object, err := l.odb.Read(oid)
	if err != nil {
		return "", nil, false
	}
	// Data points into C memory that no collector sees: copied, then freed at once.
	defer object.Free()
	if object.Len() > maxObject {
		return "", nil, false
	}
	data = slices.Clone(object.Data())
	runtime.KeepAlive(object)
	typ, ok = typeNames[object.Type()]
	return typ, data, ok
}

// size reads a header; libgit2 checks nothing of it. Loose objects are not asked for, see reader.
func (l *libgit2) size(id string) (int64, bool) {
	oid, err := git.NewOid(id)
	if err != nil || len(id) != idLength("sha1") {
		return 0, false
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.odb == nil {
		return 0, false
	}
	size, _, err := l.odb.ReadHeader(oid)
	return int64(size), err == nil
}

func (l *libgit2) close() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.odb != nil {
		l.odb.Free()
		l.repository.Free()
		l.odb, l.repository = nil, nil
	}
}
