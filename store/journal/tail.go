package journal

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"
)

var (
	errZero  = errors.New("it holds zero bytes")
	errShape = errors.New("this is not how the record begins")
)

// holds reports whether another record's span is the same, as far as it is known.
func (s span) holds(other span) bool {
	return other.first == s.first && (s.last == 0 || other.last == s.last)
}

// beginning reads as much of a record as there is. A read that returns false has either come to the end of the bytes, or
// bad is set, because they cannot be the beginning of a record.
type beginning struct {
	rest []byte
	last int64 // the record's, where its end was reached
	all  bool  // the record is there up to its line end
	bad  error
}

// record reads a record of an Append: the one that follows head, or any where head has no hash.
func (b *beginning) record(head Head, together span) {
	var length int64
	following := `,"previous":"` + head.Hash + `","sequence":` + strconv.FormatInt(head.Sequence+1, 10) + `}`
	if !b.literal(`{"first":`+strconv.FormatInt(together.first, 10)+`,"hash":"`+recordKind+`:sha256:`) || !b.digest() ||
		!b.literal(`","last":`) || !b.number(&b.last) {
		return
	}
	if b.last <= head.Sequence || together.last != 0 && b.last != together.last {
		b.bad = errShape
		return
	}
	if !b.literal(`,"length":`) || !b.number(&length) || !b.literal(`,"payload":`) || !b.payload(length) || head.Hash == "" {
		return
	}
	if b.all = b.literal(following); b.all && len(b.rest) > 0 {
		b.all, b.bad = false, errShape
	}
}

func (b *beginning) literal(text string) bool {
	n := min(len(text), len(b.rest))
	if string(b.rest[:n]) != text[:n] {
		b.bad = errShape
		return false
	}
	b.rest = b.rest[n:]
	return n == len(text)
}

func (b *beginning) digest() bool {
	n := min(64, len(b.rest))
	if len(bytes.Trim(b.rest[:n], "0123456789abcdef")) > 0 {
		b.bad = errShape
		return false
	}
	b.rest = b.rest[n:]
	return n == 64
}

// number reads a positive number, whose end is only known when something is behind it.
func (b *beginning) number(value *int64) bool {
	behind := bytes.TrimLeft(b.rest, "0123456789")
	digits := string(b.rest[:len(b.rest)-len(behind)])
	if len(b.rest) == 0 {
		return false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || digits[0] == '0' {
		b.bad = errShape
		return false
	}
	if b.rest = behind; len(behind) == 0 {
		return false
	}
	*value = n
	return true
}

// payload reads a payload of so many bytes: an object, in which no control character stands as it is.
func (b *beginning) payload(length int64) bool {
	text := b.rest[:min(length, int64(len(b.rest)))]
	if length < 2 || len(text) > 0 && text[0] != '{' || bytes.ContainsFunc(text, func(r rune) bool { return r < ' ' }) {
		b.bad = errShape
		return false
	}
	b.rest = b.rest[len(text):]
	return int64(len(text)) == length
}

// ending is what the end of a record can be, of which zeros took the beginning: as much as is there.
var ending = regexp.MustCompile(`(?s)^(?:.*"sequence":([1-9][0-9]{0,17})|[a-z"]*:?[0-9]*)\}$`)

// lostWrite reports whether rest, which begins with the line of the record after head and has a zero byte in that line, can
// be what a power cut left of one Append: the disk has some of its sectors, and zeros in place of the others. An Append is
// only begun when the one before it is whole and durable. So where anything behind the zeros is of a later one, the zeros
// stand in place of records that had been acknowledged, and the answer is no.
func lostWrite(rest []byte, head Head, together span) bool {
	sequence, follows := head.Sequence, head
	for len(rest) > 0 {
		text, behind, whole := bytes.Cut(rest, []byte{'\n'})
		rest = behind
		zero := bytes.IndexByte(text, 0)
		if zero < 0 && whole {
			l, err := parseLine(text)
			if err != nil || l.Sequence <= sequence || !together.holds(l.batch) {
				return false
			}
			sequence, together = l.Sequence, l.batch
			continue
		}
		b := beginning{rest: text}
		if zero >= 0 {
			b.rest = text[:zero]
		}
		b.record(follows, together)
		if b.bad != nil {
			return false
		}
		if b.last != 0 {
			together.last = b.last
		}
		follows = Head{Sequence: sequence} // a record behind zeros follows one that is not known
		tail := text[bytes.LastIndexByte(text, 0)+1:]
		if !whole || len(tail) == 0 {
			continue
		}
		found := ending.FindSubmatch(tail)
		if found == nil {
			return false
		}
		if number := string(found[1]); number != "" {
			n, err := strconv.ParseInt(number, 10, 64)
			if err != nil || n <= sequence {
				return false
			}
			sequence = n
		}
	}
	return together.last == 0 || sequence <= together.last
}
