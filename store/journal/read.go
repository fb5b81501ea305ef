package journal

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
)

// Read returns the records of a stream from a sequence number on; 1 is the first. It takes no lock and changes nothing: it
// shows what is whole when it gets there, which of a writer at work may not be durable yet. It ends after the first error.
// Faults: those of Open but for BUSY, FULL and UNWRITABLE, and JOURNAL.MISSING (unavailable).
func Read(ctx context.Context, folder, stream string, from int64) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		v, err := view(folder, stream)
		if err != nil {
			yield(Record{}, err)
			return
		}
		defer v.file.Close()
		each(ctx, v.next, from, yield)
	}
}

// each yields the records that next returns, and its error.
func each(ctx context.Context, next func(context.Context) ([]Record, error), from int64, yield func(Record, error) bool) {
	for {
		batch, err := next(ctx)
		if err != nil {
			yield(Record{}, err)
			return
		}
		for _, record := range batch {
			if record.Sequence >= from && !yield(record, nil) {
				return
			}
		}
		if batch == nil {
			return
		}
	}
}

// Report is what Verify found: the last whole record, the bytes up to its end, and those after it, which an Append that did
// not return left there, or which one at work writes now.
type Report struct {
	Head  Head
	Bytes int64
	Tail  int64
}

// Verify proves a whole stream, without a lock, and changes nothing. Its faults are those of Read.
func Verify(ctx context.Context, folder, stream string) (Report, error) {
	v, err := view(folder, stream)
	if err != nil {
		return Report{}, err
	}
	defer v.file.Close()
	for {
		batch, err := v.next(ctx)
		if err != nil {
			return Report{}, err
		}
		if batch == nil {
			return Report{Head: v.head, Bytes: v.end, Tail: v.size - v.end}, nil
		}
	}
}

// Streams lists the streams that have a journal in a folder, sorted; none where there is no folder.
func Streams(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, unreadable(folder, err)
	}
	var streams []string
	for _, entry := range entries {
		if stream, ok := strings.CutSuffix(entry.Name(), fileSuffix); ok && checkStream(stream) == nil {
			streams = append(streams, stream)
		}
	}
	slices.Sort(streams)
	return streams, nil
}

// viewer reads beside a writer.
type viewer struct {
	*scanner
	file *os.File
}

func view(folder, stream string) (*viewer, error) {
	path, err := place(folder, stream)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noLinks, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fault.New(fault.Unavailable, "JOURNAL.MISSING", path, "there is no such journal").
			Hint("ls -l " + fault.ShellWord(filepath.Dir(path))).Because(err)
	}
	if err != nil {
		return nil, notOpened(path, err, unreadable)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, unreadable(path, err)
	}
	s, err := newScanner(f, info, path, stream)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &viewer{scanner: s, file: f}, nil
}

// rereads is how often a viewer looks again before it believes what is damaged: a writer may just have cut off a tail, and
// written something else there, between two reads of one line.
const rereads = 3

func (v *viewer) next(ctx context.Context) ([]Record, error) {
	for n := 0; ; n++ {
		batch, err := v.scanner.next(ctx)
		var damage *Damage
		if !errors.As(err, &damage) || n == rereads {
			return batch, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(2 * time.Millisecond):
		}
		info, err := v.file.Stat()
		if err != nil {
			return nil, unreadable(v.path, err)
		}
		v.size = max(info.Size(), v.end)
		v.seek(v.end)
	}
}
