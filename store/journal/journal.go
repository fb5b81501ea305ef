// Package journal keeps streams of records that are only ever added to: what was intended before something was done
// outside, and what came of it (doc/journal.md is the format).
//
// It promises that records whose Append returned nil are on the disk and stay there in their order, that records given in
// one Append are there together or not at all, that one process writes a stream at a time, and that whatever was changed,
// moved, repeated or taken out among them is refused by its sequence number. What a crash left half written is cut off by
// the next writer; nothing else ever is. It does not know what a record means. It cannot tell that whole records were
// taken off the end, nor that whoever can write the file wrote its end anew with right hashes: a caller to whom that matters
// keeps a Head elsewhere.
package journal

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// FolderName is the folder of journals in the common Git directory.
const FolderName = "standards"

// busyBound is how long Open waits for another writer before it gives up as JOURNAL.BUSY.
const busyBound = 5 * time.Second

// Head names the last record of a journal, and by its hash all before it. Of a journal without records the sequence is 0
// and the hash that of its header.
type Head struct {
	Sequence int64
	Hash     string
}

// Record is one record: its number, from 1 on, its hash and what was appended.
type Record struct {
	Sequence int64
	Hash     string
	Payload  identity.Record
}

// Journal is one stream, open for writing. It may be used by several goroutines.
type Journal struct {
	disk   disk
	path   string
	stream string

	mu   sync.Mutex
	file file
	lock *os.File // holds the lock until it is closed
	head Head
	end  int64 // the byte after the last record
	torn bool  // there may be bytes of a failed append after end
}

// Open opens a stream for writing, in a folder whose parent exists; what is missing is made, and nobody else can write the
// stream until Close or the end of the process. It waits a few seconds for a writer that has it. A stream is lower-case
// letters, digits and ". _ -", at most 100 of them, and begins with a letter or digit.
//
// All records are read and checked. What a crash left half written at the end is cut off. Faults: JOURNAL.STREAM,
// JOURNAL.FOREIGN, JOURNAL.CHANGED and JOURNAL.ORDER (invalid; the last two with a *Damage), JOURNAL.NEWER (unsupported),
// JOURNAL.BUSY, JOURNAL.UNREADABLE, JOURNAL.UNWRITABLE and JOURNAL.FULL (unavailable). After the invalid ones and
// JOURNAL.NEWER the file is as it was.
func Open(ctx context.Context, folder, stream string) (*Journal, error) {
	return open(ctx, osDisk{}, folder, stream, busyBound)
}

func open(ctx context.Context, d disk, folder, stream string, bound time.Duration) (*Journal, error) {
	path, err := place(folder, stream)
	if err != nil {
		return nil, err
	}
	j := &Journal{disk: d, path: path, stream: stream}
	if err := d.mkdir(filepath.Dir(path)); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, unwritable(path, err)
	}
	waiting, stop := context.WithTimeoutCause(ctx, bound, errBusy)
	defer stop()
	if j.lock, err = lockFile(waiting, path, bound); err != nil {
		return nil, err
	}
	if err = j.openFile(waiting, bound); err == nil {
		err = j.load(ctx)
	}
	if err != nil {
		_ = j.Close() // the first failure is the one to tell
		return nil, err
	}
	return j, nil
}

// openFile opens and locks the file, which it makes where it is missing.
func (j *Journal) openFile(waiting context.Context, bound time.Duration) error {
	const flag = os.O_RDWR | os.O_APPEND | noLinks
	f, err := j.disk.open(j.path, flag)
	if errors.Is(err, os.ErrNotExist) {
		if err := j.create(); err != nil {
			return unwritable(j.path, err)
		}
		f, err = j.disk.open(j.path, flag)
	}
	if err != nil {
		return notOpened(j.path, err, unwritable)
	}
	j.file = f
	// The file has a lock as well: then it still has one writer where somebody deletes the lock's own file.
	return lock(waiting, f, j.path, bound)
}

// load finds the end of what is there, and makes sure that it is durable.
func (j *Journal) load(ctx context.Context) error {
	info, err := j.file.Stat()
	if err != nil {
		return unreadable(j.path, err)
	}
	s, err := newScanner(j.file, info, j.path, j.stream)
	for batch := []Record(nil); err == nil; {
		if batch, err = s.next(ctx); err == nil && batch == nil {
			break
		}
	}
	if err != nil {
		return err
	}
	j.head, j.end, j.torn = s.head, s.end, s.end < s.size
	return j.settle()
}

// settle makes what is there durable: records and names that a killed writer wrote may not be yet.
func (j *Journal) settle() error {
	err := j.cut()
	if err == nil {
		err = j.file.Sync()
	}
	for _, folder := range []string{filepath.Dir(j.path), filepath.Dir(filepath.Dir(j.path))} {
		if err == nil {
			err = syncFolder(j.disk, folder)
		}
	}
	if err != nil {
		return unwritable(j.path, err)
	}
	return nil
}

// create puts a journal without records in place, as a whole or not at all.
func (j *Journal) create() error {
	header, _ := headerLine(j.stream)
	made := besides(j.path, newSuffix)
	f, err := j.disk.open(made, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|noLinks)
	if err != nil {
		return err
	}
	_, err = f.Write(header)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return j.disk.rename(made, j.path)
}

// cut takes off what a failed append, or a crash, left after the last record. It is durable before anything is written in
// its place, so that no crash can mix the two.
func (j *Journal) cut() error {
	if !j.torn {
		return nil
	}
	if err := j.file.Truncate(j.end); err != nil {
		return err
	}
	if err := j.file.Sync(); err != nil {
		return err
	}
	j.torn = false
	return nil
}

// Append adds records in their order and returns the new head once they are on the disk. They are there all or none: no
// reader and no crash ever shows a part of them. The context is looked at before the first byte is written and not again.
//
// After a fault they are not part of this Journal, and the next Append works once its cause is gone. When the process ends
// before that, and what was written could not be taken off again, the next Open may find all of them. Faults:
// JOURNAL.RECORD (invalid: a payload that identity encoding v2 does not have, or more than 64 MiB at once), JOURNAL.FULL,
// JOURNAL.UNWRITABLE and JOURNAL.MOVED (unavailable).
func (j *Journal) Append(ctx context.Context, payloads ...identity.Record) (Head, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return Head{}, err
	}
	if j.file == nil {
		return Head{}, unwritable(j.path, os.ErrClosed)
	}
	text, head, err := encodeBatch(j.path, j.head, payloads)
	if err != nil {
		return Head{}, err
	}
	if err := j.cut(); err != nil {
		return Head{}, unwritable(j.path, err)
	}
	if err := j.inPlace(j.end); err != nil {
		return Head{}, err
	}
	j.torn = true
	_, err = j.file.Write(text)
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		_ = j.cut() // else the next Append does
		return Head{}, unwritable(j.path, err)
	}
	if err := j.inPlace(j.end + int64(len(text))); err != nil {
		return Head{}, err
	}
	j.torn, j.head, j.end = false, head, j.end+int64(len(text))
	return head, nil
}

// inPlace makes sure that the open file is still the journal, and as long as this writer knows: bytes in a file that was
// removed are kept by nobody.
func (j *Journal) inPlace(size int64) error {
	held, err := j.file.Stat()
	if err != nil {
		return unwritable(j.path, err)
	}
	there, err := os.Lstat(j.path)
	switch {
	case err != nil:
		return moved(j.path, "the journal was removed while it was written").Because(err)
	case !os.SameFile(held, there):
		return moved(j.path, "another file was put in the place of the journal while it was written")
	case held.Size() != size:
		return moved(j.path, "something else wrote to the journal: it has %d bytes, not %d", held.Size(), size)
	}
	return nil
}

// Head returns the last record that is on the disk.
func (j *Journal) Head() Head {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.head
}

// Read returns the records that are on the disk, from a sequence number on; 1 is the first. It ends after the first error.
func (j *Journal) Read(ctx context.Context, from int64) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		j.mu.Lock()
		f, end := j.file, j.end
		j.mu.Unlock()
		if f == nil {
			yield(Record{}, unreadable(j.path, os.ErrClosed))
			return
		}
		s, err := scan(f, end, j.path, j.stream)
		if err != nil {
			yield(Record{}, err)
			return
		}
		each(ctx, s.next, from, yield)
	}
}

// Close lets another writer in. What was appended is durable already.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	var ofFile, ofLock error
	if j.file != nil {
		ofFile = j.file.Close()
	}
	if j.lock != nil {
		ofLock = j.lock.Close()
	}
	j.file, j.lock = nil, nil
	return errors.Join(ofFile, ofLock)
}

// place is the path of a stream's file.
func place(folder, stream string) (string, error) {
	if err := checkStream(stream); err != nil {
		return "", fault.New(fault.Invalid, "JOURNAL.STREAM", folder, "no journal can have this name").Because(err)
	}
	absolute, err := filepath.Abs(filepath.Join(folder, stream+fileSuffix))
	if err != nil {
		return "", unreadable(folder, err)
	}
	return absolute, nil
}

// The three files of a stream. The lock's is not named .lock: such files are what people delete when Git is stuck.
const (
	fileSuffix = ".journal"
	lockSuffix = ".writer"
	newSuffix  = ".new" // a journal that is being made
)

func besides(path, suffix string) string {
	return path[:len(path)-len(fileSuffix)] + suffix
}

// noLinks keeps open from following a link at the end of the path, and from waiting for the other end of a pipe.
const noLinks = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
