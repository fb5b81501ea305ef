package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/git-standards/git-standards/engine/fault"
)

// Copied is a copy that was made: what it holds, its size and the SHA-256 of its bytes ("sha256:…").
type Copied struct {
	Objects int
	Bytes   int64
	SHA256  string
}

// Copy writes all that the store holds to a new store at path, which must be absent. Equal contents give equal bytes, in whatever order
// they were stored and whatever SQLite did to the file since: the objects are inserted sorted, in one transaction, into a file that is made
// for them. The copy has its name only once it is proven as a whole and on the disk; before, and after any failure, nothing is at path.
// Objects that are stored meanwhile may be left out, and with them all that depends on them.
func (s *Store) Copy(ctx context.Context, path string) (*Copied, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "STORE.UNREADABLE", path, "the path cannot be resolved").Because(err)
	}
	target := &Store{path: absolute, mode: Create, busy: s.busy, codecs: s.codecs}
	if exists(absolute) {
		return nil, taken(absolute)
	}
	if err := target.checkFolder(); err != nil {
		return nil, err
	}
	temporary := &Store{path: absolute + ".tmp-" + rand.Text(), mode: Create, busy: s.busy, codecs: s.codecs}
	defer func() {
		_ = os.Remove(temporary.path) // gone already, once it has its name
		_ = os.Remove(temporary.path + "-journal")
	}()
	if err := temporary.createEmpty(); err != nil {
		return nil, target.createFault(err)
	}
	copied, err := temporary.fill(ctx, s)
	if f := fault.As(err); f != nil && f.Target == temporary.path { // which nobody has heard of
		f.Target = absolute
		if f.Code != "STORE.FULL" {
			f.Next = []string{"ls -ld " + fault.ShellWord(filepath.Dir(absolute))}
		}
	}
	if err != nil {
		return nil, err
	}
	if copied.Bytes, copied.SHA256, err = digestOf(temporary.path); err != nil {
		return nil, target.createFault(err)
	}
	return copied, give(temporary.path, absolute)
}

// fill makes the store, copies all objects of another and proves the whole.
func (s *Store) fill(ctx context.Context, from *Store) (*Copied, error) {
	if err := s.create(ctx); err != nil {
		return nil, err
	}
	ids, err := from.ids(ctx)
	if err == nil {
		err = s.insertFrom(ctx, from, ids)
	}
	if err = errors.Join(err, s.Close()); err != nil {
		return nil, err
	}
	s.mode = ReadOnly
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	defer s.Close()
	report, err := s.Check(ctx, true, nil)
	switch {
	case err != nil:
		return nil, err
	case len(report.Damaged) > 0:
		return nil, report.Damaged[0]
	case report.Objects != len(ids):
		return nil, fault.New(fault.Unavailable, "STORE.UNREADABLE", s.path, "the copy holds %d objects of %d", report.Objects, len(ids))
	}
	return &Copied{Objects: len(ids)}, nil
}

// insertFrom inserts the objects of another store in the order of their ids, each proven before. A cancelled context ends it between two
// objects; the transaction itself is not told (see write).
func (s *Store) insertFrom(ctx context.Context, from *Store, ids []string) error {
	outer := context.WithoutCancel(ctx)
	tx, err := s.db.BeginTx(outer, nil)
	if err != nil {
		return s.translateWrite(err)
	}
	defer tx.Rollback()
	insert, err := tx.PrepareContext(outer, insertObject)
	if err != nil {
		return s.translateWrite(err)
	}
	defer insert.Close()
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return err
		}
		text, err := from.Get(ctx, id)
		if err == nil {
			_, err = s.codecs.Open(id, text)
		}
		if f := fault.As(err); f != nil && len(f.Next) == 0 {
			f.Hint("git standards store check --deep --store " + fault.ShellWord(from.path))
		}
		if err != nil {
			return err
		}
		if _, err := insert.ExecContext(outer, id, text); err != nil {
			return s.translateWrite(err)
		}
	}
	return s.translateWrite(tx.Commit())
}

// give puts a finished file under its name, which nobody may have taken meanwhile.
func give(temporary, path string) error {
	target := &Store{path: path}
	if err := os.Link(temporary, path); errors.Is(err, os.ErrExist) {
		return taken(path)
	} else if err != nil { // a file system without links
		if exists(path) {
			return taken(path)
		}
		if err := os.Rename(temporary, path); err != nil {
			return target.createFault(err)
		}
	}
	if err := syncFolder(filepath.Dir(path)); err != nil {
		return target.createFault(err)
	}
	return nil
}

func taken(path string) *fault.Error {
	return fault.New(fault.Invalid, "STORE.EXISTS", path, "something is at that path; a store is never written over").Hint("ls -ld " + fault.ShellWord(path))
}

// digestOf is the size of a file and the SHA-256 of its bytes, which it also brings to the disk.
func digestOf(path string) (size int64, digest string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	defer file.Close()
	hash := sha256.New()
	if size, err = io.Copy(hash, file); err == nil {
		err = file.Sync()
	}
	return size, "sha256:" + hex.EncodeToString(hash.Sum(nil)), err
}
