package journal

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// domain, the kinds in it and the header are those of doc/journal.md.
const (
	domain     = "coding-standards:journal:v1"
	headerKind = "journal"
	recordKind = "journal-record"

	format  = "git-standards.journal"
	version = 1
)

// maxBatch is how many bytes one Append can write, and so how many an incomplete one can leave.
const maxBatch = 64 << 20

func checkStream(stream string) error {
	const head, tail = "abcdefghijklmnopqrstuvwxyz0123456789", "._-"
	switch {
	case stream == "" || len(stream) > 100:
		return fmt.Errorf("stream %q: a name has 1 to 100 characters", stream)
	case !strings.Contains(head, stream[:1]) || strings.Trim(stream, head+tail) != "":
		return fmt.Errorf("stream %q: a name is lower-case letters, digits and . _ - and begins with a letter or digit", stream)
	}
	return nil
}

// headerLine returns the first line of a stream's file, and the hash that its first record follows.
func headerLine(stream string) (line []byte, hash string) {
	record := identity.Record{"format": format, "stream": stream, "version": version}
	text, err := identity.Encode(record)
	if err == nil {
		hash, err = identity.Hash(domain, headerKind, record)
	}
	if err != nil {
		panic("internal error: a stream's name is ASCII: " + err.Error())
	}
	return append(text, '\n'), hash
}

// encodeBatch returns the lines of records that follow head, and the head after them.
func encodeBatch(path string, head Head, payloads []identity.Record) (text []byte, after Head, err error) {
	batch := span{first: head.Sequence + 1, last: head.Sequence + int64(len(payloads))}
	for _, payload := range payloads {
		line, hash, err := encodeLine(head, batch, payload)
		if err != nil {
			return nil, Head{}, fault.New(fault.Invalid, "JOURNAL.RECORD", path, "record %d cannot be written", head.Sequence+1).Because(err)
		}
		if len(text)+len(line) > maxBatch {
			return nil, Head{}, fault.New(fault.Invalid, "JOURNAL.RECORD", path,
				"%d records of more than %d MiB cannot be written at once", len(payloads), maxBatch>>20)
		}
		text, head = append(text, line...), Head{Sequence: head.Sequence + 1, Hash: hash}
	}
	return text, head, nil
}

func encodeLine(head Head, batch span, payload identity.Record) (text []byte, hash string, err error) {
	encoded, err := identity.Encode(payload)
	if err != nil {
		return nil, "", err
	}
	record := identity.Record{"first": batch.first, "last": batch.last, "length": len(encoded), "payload": payload,
		"previous": head.Hash, "sequence": head.Sequence + 1}
	if hash, err = identity.Hash(domain, recordKind, record); err != nil {
		return nil, "", err
	}
	record["hash"] = hash
	text, err = identity.Encode(record)
	return append(text, '\n'), hash, err
}

// span is the numbers of the records of one Append. A last of 0 is one that is not known.
type span struct{ first, last int64 }

// line is one line of a file: a record, what it follows and what it was appended together with.
type line struct {
	Record
	previous string
	batch    span
}

// parseLine reads a line without its line end. A line that it returns is right in itself: whether it stands in its place is
// the scanner's to see.
func parseLine(text []byte) (line, error) {
	value, err := identity.Decode(text)
	if err != nil {
		return line{}, err
	}
	record, _ := value.(identity.Record)
	hash, hashOK := record["hash"].(string)
	first, firstOK := record["first"].(int64)
	last, lastOK := record["last"].(int64)
	length, lengthOK := record["length"].(int64)
	payload, payloadOK := record["payload"].(identity.Record)
	previous, previousOK := record["previous"].(string)
	sequence, sequenceOK := record["sequence"].(int64)
	if len(record) != 7 || !hashOK || !firstOK || !lastOK || !lengthOK || !payloadOK || !previousOK || !sequenceOK {
		return line{}, errors.New("these are not the members of a record")
	}
	if first < 1 || first > sequence || last < sequence {
		return line{}, fmt.Errorf("%d is not between %d and %d", sequence, first, last)
	}
	encoded, err := identity.Encode(payload)
	if err != nil || int64(len(encoded)) != length {
		return line{}, fmt.Errorf("the payload has %d bytes and not %d", len(encoded), length)
	}
	delete(record, "hash")
	if computed, err := identity.Hash(domain, recordKind, record); err != nil || computed != hash {
		return line{}, errors.New("its hash is that of another text")
	}
	return line{Record: Record{Sequence: sequence, Hash: hash, Payload: payload}, previous: previous, batch: span{first, last}}, nil
}

// checkHeader compares the first line of a file, without its line end, with what a stream's is.
func checkHeader(path, stream string, text []byte) error {
	want, _ := headerLine(stream)
	if bytes.Equal(text, want[:len(want)-1]) {
		return nil
	}
	value, _ := identity.Decode(text)
	header, _ := value.(identity.Record)
	if header["format"] != format {
		return foreign(path, "this is no journal of git-standards")
	}
	if written, ok := header["version"].(int64); ok && written > version {
		return fault.New(fault.Unsupported, "JOURNAL.NEWER", path,
			"the journal has format version %d, and this program reads %d", written, version).
			Hint("git standards version")
	}
	if other, ok := header["stream"].(string); ok && other != stream {
		return foreign(path, "this is the journal of stream %q, not of %q", other, stream)
	}
	return foreign(path, "the first line is not that of a journal")
}
