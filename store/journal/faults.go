package journal

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/git-standards/git-standards/engine/fault"
)

// Damage is the cause of JOURNAL.CHANGED and JOURNAL.ORDER: the first record that is not right, and the byte of the file
// that its line begins at. All records before it are as they were written.
type Damage struct {
	Sequence int64
	Offset   int64
	Reason   error
}

// Error says what is wrong, and at which byte.
func (d *Damage) Error() string {
	return fmt.Sprintf("%v, in the line that begins at byte %d", d.Reason, d.Offset)
}

// Unwrap returns the reason.
func (d *Damage) Unwrap() error { return d.Reason }

// damaged makes the fault of a record. Record n stands on line n+1; sed's l shows it with everything escaped.
func damaged(code, path string, sequence, offset int64, reason error, format string, args ...any) *fault.Error {
	line := strconv.FormatInt(sequence+1, 10)
	return fault.New(fault.Invalid, code, path+":"+line, format, args...).
		Hint("sed -n " + line + "l " + fault.ShellWord(path)).
		Because(&Damage{Sequence: sequence, Offset: offset, Reason: reason})
}

func changed(path string, sequence, offset int64, reason error) *fault.Error {
	return damaged("JOURNAL.CHANGED", path, sequence, offset, reason, "record %d of the journal is not as it was written", sequence)
}

func order(path string, head Head, offset int64, l line) *fault.Error {
	n := head.Sequence + 1
	reason := errors.New("another record stood before it, or it is of another journal")
	switch {
	case l.Sequence != n:
		reason = fmt.Errorf("the record there has number %d", l.Sequence)
	case l.previous == head.Hash: // so it is the batch that differs
		reason = errors.New("it was appended together with others")
	}
	return damaged("JOURNAL.ORDER", path, n, offset, reason,
		"in the place of record %d of the journal stands one that does not belong there", n)
}

func foreign(path, format string, args ...any) *fault.Error {
	return fault.New(fault.Invalid, "JOURNAL.FOREIGN", path, format, args...).Hint("ls -ld " + fault.ShellWord(path))
}

func moved(path, format string, args ...any) *fault.Error {
	return fault.New(fault.Unavailable, "JOURNAL.MOVED", path, format, args...).Hint("ls -li " + fault.ShellWord(filepath.Dir(path)))
}

func unreadable(path string, err error) error {
	return fault.New(fault.Unavailable, "JOURNAL.UNREADABLE", path, "the journal cannot be read").Hint(look(path)).Because(err)
}

func unwritable(path string, err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG) {
		return fault.New(fault.Unavailable, "JOURNAL.FULL", path, "the disk has no room for the journal").
			Hint("df -h " + fault.ShellWord(filepath.Dir(path))).Because(err)
	}
	return fault.New(fault.Unavailable, "JOURNAL.UNWRITABLE", path, "the journal cannot be written").Hint(look(path)).Because(err)
}

// notOpened names an error of opening: what is no file is refused, anything else is as otherwise says.
func notOpened(path string, err error, otherwise func(string, error) error) error {
	switch {
	case errors.Is(err, syscall.ELOOP):
		return foreign(path, "this is a link, and a journal never is").Because(err)
	case errors.Is(err, syscall.EISDIR):
		return foreign(path, "this is a folder, and a journal never is").Because(err)
	case errors.Is(err, syscall.ENXIO):
		return foreign(path, "this is no file").Because(err) // a socket
	}
	return otherwise(path, err)
}

func look(path string) string {
	return "ls -ld " + fault.ShellWord(filepath.Dir(path)) + " " + fault.ShellWord(path)
}
