// Package store keeps authority objects in one SQLite file: the implementation of authority.Repository (DESIGN 4).
//
// It promises that a Put that returned nil is on the disk as a whole, that one which did not is not there at all, that an
// object never changes once stored, and that a file which is not such a store is refused by name and left as it is. It
// does not promise that what Get returns is undamaged: only the owner's codec can tell (authority.Codecs.Open). The store
// is a record and never an input: callers that judge carry on without it.
package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/fault"
	sqlite3 "github.com/mattn/go-sqlite3"
)

// FolderName is the folder of the default place, and FileName the store in it.
const (
	FolderName = ".standards-engine"
	FileName   = "authority.sqlite3"
)

// Mode says what Open may do to the file system.
type Mode int

// ReadOnly never creates or changes a file, but for what an interrupted writer left to be rolled back. Create makes what
// is missing and can Put. Untouched changes nothing at all: what an interrupted writer left is STORE.BUSY.
const (
	ReadOnly Mode = iota
	Create
	Untouched
)

// busyBound is how long a statement waits for another process before it is given up as STORE.BUSY.
const busyBound = 5 * time.Second

// Store is one open store. It may be used by several goroutines.
type Store struct {
	db     *sql.DB
	path   string
	mode   Mode
	busy   time.Duration
	codecs authority.Codecs
}

var _ authority.Repository = (*Store)(nil)

// opening is held while a store is opened, because createEmpty closes a descriptor of the file, and POSIX then drops every
// lock that this process holds on it.
var opening sync.Mutex

// Location returns the store's default path: beside the common Git directory when that is named ".git", else in
// core.worktree ("" when unset; a relative one counts from the Git directory), else inside the common directory.
func Location(commonDir, coreWorktree string) string {
	folder := commonDir
	switch {
	case filepath.Base(commonDir) == ".git":
		folder = filepath.Dir(commonDir)
	case filepath.IsAbs(coreWorktree):
		folder = coreWorktree
	case coreWorktree != "":
		folder = filepath.Join(commonDir, coreWorktree)
	}
	return filepath.Join(folder, FolderName, FileName)
}

// SQLiteVersion is the version of the SQLite library in this build, such as "3.54.1".
func SQLiteVersion() string {
	version, _, _ := sqlite3.Version()
	return version
}

// Open opens the store at path; codecs are those of the objects that Put may be given. Its faults: STORE.MISSING,
// STORE.UNREADABLE, STORE.READONLY, STORE.BUSY and STORE.FULL (unavailable), STORE.FOREIGN and STORE.CORRUPT (invalid),
// STORE.NEWER (unsupported). None of them leaves the file changed.
func Open(ctx context.Context, path string, codecs authority.Codecs, mode Mode) (*Store, error) {
	return open(ctx, path, codecs, mode, busyBound)
}

func open(ctx context.Context, path string, codecs authority.Codecs, mode Mode, busy time.Duration) (*Store, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return nil, fault.New(fault.Invalid, "STORE.PATH", path, "the store's path is empty or holds a NUL byte")
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "STORE.UNREADABLE", path, "the store's path cannot be resolved").Because(err)
	}
	opening.Lock()
	defer opening.Unlock()
	s := &Store{path: absolute, mode: mode, busy: busy, codecs: codecs}
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Store) open(ctx context.Context) error {
	fresh, err := s.prepareFile()
	switch {
	case err != nil:
		return err
	case fresh:
		return s.create(ctx)
	}
	if err := s.peek(ctx); err != nil {
		return err
	}
	if s.mode != Create {
		err = s.connect(ctx, modeRead)
	}
	if s.mode == Create || s.mode == ReadOnly && needsRollback(err) {
		err = s.connect(ctx, modeWrite)
	}
	if err == nil {
		return nil
	}
	// An interrupted creation that was rolled back leaves an empty file.
	fresh, missing := s.prepareFile()
	switch {
	case missing != nil:
		return missing
	case fresh:
		return s.create(ctx)
	}
	return s.translate(err)
}

// prepareFile reports whether there is nothing at the path yet, or only an empty file; under Create that file is then
// there.
func (s *Store) prepareFile() (fresh bool, err error) {
	if err := s.checkFolder(); err != nil {
		return false, err
	}
	info, err := os.Stat(s.path)
	switch {
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return false, s.unreadable(err)
	case err == nil && !info.Mode().IsRegular():
		return false, s.foreign("it is not a file (%s)", info.Mode().Type())
	case err == nil && info.Size() > 0:
		return false, nil
	case err != nil && isLink(s.path):
		return false, s.foreign("it is a link to nothing")
	case s.mode != Create:
		return false, s.missing()
	case err == nil:
		return true, nil
	}
	if err := s.createEmpty(); err != nil {
		return true, s.createFault(err)
	}
	return true, nil
}

// Close releases the file. The store cannot be used afterwards.
func (s *Store) Close() error {
	if s.db == nil {
		return nil
	}
	return s.db.Close()
}
