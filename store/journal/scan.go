package journal

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
)

// scanner reads a journal from its beginning, one Append at a time, and proves each.
type scanner struct {
	file   io.ReaderAt
	path   string
	size   int64 // as many bytes of the file are read
	reader *bufio.Reader
	head   Head  // of what was returned
	end    int64 // the byte after it; once all is returned, what is between it and size is a tail
}

func newScanner(file io.ReaderAt, info fs.FileInfo, path, stream string) (*scanner, error) {
	if !info.Mode().IsRegular() {
		return nil, foreign(path, "this is no file (%s)", info.Mode().Type())
	}
	return scan(file, info.Size(), path, stream)
}

func scan(file io.ReaderAt, size int64, path, stream string) (*scanner, error) {
	s := &scanner{file: file, path: path, size: size}
	s.seek(0)
	want, hash := headerLine(stream)
	text, whole, err := s.line(4096)
	switch {
	case err != nil && !errors.Is(err, errLong):
		return nil, unreadable(path, err)
	case size == 0:
		return nil, foreign(path, "the file is empty, and a journal never is")
	case err != nil || !whole:
		return nil, foreign(path, "this is no journal of git-standards")
	}
	if err := checkHeader(path, stream, text); err != nil {
		return nil, err
	}
	s.head, s.end = Head{Hash: hash}, int64(len(want))
	return s, nil
}

// seek lets the next line be read from a byte on.
func (s *scanner) seek(offset int64) {
	s.reader = bufio.NewReaderSize(io.NewSectionReader(s.file, offset, s.size-offset), 64<<10)
}

var errLong = errors.New("the line is too long")

// line reads up to the next line end, which it leaves out, or up to the end of the file; whole tells which. Its bytes are
// good until the next call.
func (s *scanner) line(limit int64) (text []byte, whole bool, err error) {
	for {
		part, err := s.reader.ReadSlice('\n')
		if int64(len(text)+len(part)) > limit {
			return nil, false, errLong
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) && !errors.Is(err, io.EOF) {
			return nil, false, err
		}
		if err == nil && text == nil {
			return part[:len(part)-1], true, nil
		}
		text = append(text, part...)
		switch {
		case err == nil:
			return text[:len(text)-1], true, nil
		case errors.Is(err, io.EOF):
			return text, false, nil
		}
	}
}

// next returns the records of the next Append, or none when no whole one is left. Its faults are JOURNAL.CHANGED and
// JOURNAL.ORDER with a *Damage, and JOURNAL.UNREADABLE.
func (s *scanner) next(ctx context.Context) ([]Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var batch []Record
	head, at, together := s.head, s.end, span{first: s.head.Sequence + 1}
	for {
		left := s.end + maxBatch - at
		text, whole, err := s.line(left)
		switch {
		case errors.Is(err, errLong):
			return nil, changed(s.path, head.Sequence+1, at, err)
		case err != nil:
			return nil, unreadable(s.path, err)
		case bytes.IndexByte(text, 0) >= 0:
			return nil, s.lost(at, left, head, together)
		case !whole:
			return nil, s.partial(text, at, head, together)
		}
		l, err := parseLine(text)
		switch {
		case err != nil:
			return nil, changed(s.path, head.Sequence+1, at, err)
		case l.Sequence != head.Sequence+1 || l.previous != head.Hash || !together.holds(l.batch):
			return nil, order(s.path, head, at, l)
		}
		batch, together = append(batch, l.Record), l.batch
		head, at = Head{Sequence: l.Sequence, Hash: l.Hash}, at+int64(len(text))+1
		if l.Sequence == together.last {
			s.head, s.end = head, at
			return batch, nil
		}
	}
}

// partial judges the last line of a file, which has no line end: nil where it is the beginning of the record that was to
// come, or nothing.
func (s *scanner) partial(text []byte, at int64, head Head, together span) error {
	b := beginning{rest: text}
	b.record(head, together)
	if b.bad != nil {
		return changed(s.path, head.Sequence+1, at, b.bad)
	}
	if !b.all {
		return nil
	}
	// Only the line end is missing, so the hash can be asked for.
	if _, err := parseLine(text); err != nil {
		return changed(s.path, head.Sequence+1, at, err)
	}
	return nil
}

// lost judges all from a line on in which there is a zero byte, which no record has: nil where the disk can have lost it
// from an Append that never returned.
func (s *scanner) lost(at, left int64, head Head, together span) error {
	if s.size-at > left {
		return changed(s.path, head.Sequence+1, at, errZero)
	}
	rest := make([]byte, s.size-at)
	if n, err := s.file.ReadAt(rest, at); err != nil && n < len(rest) {
		return unreadable(s.path, err)
	}
	if !lostWrite(rest, head, together) {
		return changed(s.path, head.Sequence+1, at, errZero)
	}
	return nil
}
