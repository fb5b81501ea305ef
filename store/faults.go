package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/git-standards/git-standards/engine/fault"
	sqlite3 "github.com/mattn/go-sqlite3"
)

// translate names an error of SQLite. A fault, and a context's end, pass as they are.
func (s *Store) translate(err error) error {
	var cause sqlite3.Error
	if fault.As(err) != nil || !errors.As(err, &cause) {
		return err
	}
	switch {
	case cause.SystemErrno == syscall.EFBIG:
		return fault.New(fault.Unavailable, "STORE.FULL", s.path, "the store outgrows the limit of a file's size that this process has").
			Hint("ulimit -f").Because(err)
	case cause.SystemErrno == syscall.ENOSPC || cause.SystemErrno == syscall.EDQUOT || cause.Code == sqlite3.ErrFull:
		return s.full(err)
	case cause.Code == sqlite3.ErrBusy || cause.Code == sqlite3.ErrLocked:
		return fault.New(fault.Unavailable, "STORE.BUSY", s.path, "another process has held the store for more than %s", s.busy).
			Hint("fuser -v " + fault.ShellWord(s.path)).Because(err)
	case needsRollback(err):
		return fault.New(fault.Unavailable, "STORE.BUSY", s.path, "a writer was interrupted and its transaction is not rolled back yet").
			Hint("git standards status").Because(err)
	case cause.Code == sqlite3.ErrReadonly:
		return s.readOnly(err)
	case cause.Code == sqlite3.ErrCorrupt || cause.ExtendedCode == sqlite3.ErrIoErrShortRead: // the latter: the file ends within a page
		return fault.New(fault.Invalid, "STORE.CORRUPT", s.path, "the store is damaged").Hint(s.moveAside()).Because(err)
	case cause.Code == sqlite3.ErrNotADB || cause.Code == sqlite3.ErrFormat:
		return s.foreign("it is no database").Because(err)
	case cause.Code == sqlite3.ErrInterrupt:
		return errors.Join(context.Canceled, err)
	}
	return s.unreadable(err)
}

// translateWrite is translate where a transaction wants to write: what cannot be opened there is the journal beside the
// store.
func (s *Store) translateWrite(err error) error {
	var cause sqlite3.Error
	if errors.As(err, &cause) && (cause.Code == sqlite3.ErrCantOpen || cause.Code == sqlite3.ErrPerm) {
		return s.readOnly(err)
	}
	return s.translate(err)
}

// needsRollback reports whether a read-only connection met the journal of an interrupted writer.
func needsRollback(err error) bool {
	var cause sqlite3.Error
	return errors.As(err, &cause) &&
		(cause.ExtendedCode == sqlite3.ErrReadonlyRollback || cause.ExtendedCode == sqlite3.ErrReadonlyRecovery)
}

func (s *Store) foreign(why string, args ...any) *fault.Error {
	f := fault.New(fault.Invalid, "STORE.FOREIGN", s.path, "this is no store of git-standards: %s", fmt.Sprintf(why, args...))
	if info, err := os.Lstat(s.path); err == nil && !info.Mode().IsRegular() || filepath.Base(filepath.Dir(s.path)) != FolderName {
		return f.Hint("ls -ld " + fault.ShellWord(s.path)) // somebody's folder or file: nothing to move
	}
	return f.Hint(s.moveAside())
}

func (s *Store) missing() *fault.Error {
	f := fault.New(fault.Unavailable, "STORE.MISSING", s.path, "there is no store here yet")
	if filepath.Base(filepath.Dir(s.path)) != FolderName {
		return f.Hint("ls -ld " + fault.ShellWord(s.path)) // a path that was given: status would record elsewhere
	}
	return f.Hint("git standards status")
}

func (s *Store) full(err error) *fault.Error {
	return fault.New(fault.Unavailable, "STORE.FULL", s.path, "the disk is full").
		Hint("df -h " + fault.ShellWord(filepath.Dir(s.path))).Because(err)
}

func (s *Store) readOnly(err error) *fault.Error {
	return fault.New(fault.Unavailable, "STORE.READONLY", s.path, "the store cannot be written").
		Hint("ls -ld " + fault.ShellWord(filepath.Dir(s.path)) + " " + fault.ShellWord(s.path)).Because(err)
}

func (s *Store) unreadable(err error) *fault.Error {
	return fault.New(fault.Unavailable, "STORE.UNREADABLE", s.path, "the store cannot be opened or read").
		Hint("ls -ld " + fault.ShellWord(filepath.Dir(s.path)) + " " + fault.ShellWord(s.path)).Because(err)
}

// moveAside is the command that lets a new store be made without losing what is here.
func (s *Store) moveAside() string {
	return "mv -- " + fault.ShellWord(s.path) + " " + fault.ShellWord(s.path+".aside")
}
