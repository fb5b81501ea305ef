// Package pack is compiled modules as bytes that may be kept and lost. What was encoded is decoded as it was, nil and empty apart; what was cut,
// changed or kept under another key is not decoded at all. The bytes are no contract: whoever keeps them says by the key which program wrote them.
package pack

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/corpus/records"
	"github.com/git-standards/git-standards/engine/identity"
)

// Module is a compiled module that has no error.
type Module struct {
	*authored.Module
	Findings   []reading.Finding
	ID         string   // of its object
	Outside    string   // structure of the text that belongs to no unit
	Structures []string // of the units, in their order
}

// Encode is a module as bytes: the SHA-256 of its key and of what follows, and its values one after the other.
func Encode(key string, m Module) []byte {
	p := &packer{bytes: make([]byte, sha256.Size, 4096)}
	p.kept(&m)
	copy(p.bytes, seal(key, p.bytes[sha256.Size:]))
	return p.bytes
}

// Decode gives back what was encoded under a key; ok is false for anything else.
func Decode(key string, value []byte) (m Module, ok bool) {
	if len(value) < sha256.Size || string(seal(key, value[sha256.Size:])) != string(value[:sha256.Size]) {
		return Module{}, false
	}
	m.Module = &authored.Module{}
	p := &packer{rest: string(value[sha256.Size:]), reading: true}
	p.kept(&m)
	return m, !p.broken && p.rest == ""
}

func seal(key string, value []byte) []byte {
	sum := sha256.New()
	sum.Write([]byte(key))
	sum.Write(value)
	return sum.Sum(nil)
}

// packer writes values one after the other, or reads them back: each kind of value says once what it is made of, so that the two
// cannot differ. What is read may be anything; broken is then set, and the values mean nothing.
type packer struct {
	bytes   []byte // what was written
	rest    string // what is still to be read; the texts that are read are parts of it
	reading bool
	broken  bool
}

// always is shared by the edges that are read: no expression is ever changed.
var always = authored.Always()

func (p *packer) kept(m *Module) {
	list(p, &m.Findings, p.finding)
	p.texts(&m.ID, &m.Outside)
	p.module(m.Module)
	if p.reading {
		m.Structures = make([]string, len(m.Units))
	}
	for i := range m.Structures {
		p.text(&m.Structures[i])
	}
}

func (p *packer) finding(f *reading.Finding) {
	p.texts(&f.Code, &f.Severity, &f.File)
	p.count(&f.Line)
	p.texts(&f.Message, &f.Next)
	p.flag(&f.Unsupported)
}

func (p *packer) module(m *authored.Module) {
	p.text(&m.File)
	p.count(&m.Line)
	p.lines(&m.Lines)
	p.texts(&m.ID, &m.Role, &m.Level, &m.Title, &m.AppliesWhen, &m.DoesNotApplyWhen, &m.Verification, &m.Owner)
	p.words(&m.Requires, &m.Specializes)
	list(p, &m.Units, p.unit)
	list(p, &m.Tombstones, p.tombstone)
	list(p, &m.Consumers, p.consumer)
	p.raw(&m.Outside.Raw)
	p.text(&m.Outside.Normal)
	list(p, &m.Links, func(l *authored.Link) {
		p.count(&l.Line)
		p.text(&l.Path)
	})
}

func (p *packer) unit(u *authored.Unit) {
	p.text(&u.ID)
	p.count(&u.Line)
	p.count(&u.TextLine)
	p.words(&u.Heading)
	p.number(&u.Revision)
	p.words(&u.Aliases, &u.Predecessors, &u.Successors)
	p.raw(&u.Text.Raw)
	p.text(&u.Text.Normal)
}

func (p *packer) tombstone(t *authored.Tombstone) {
	p.text(&t.ID)
	p.count(&t.Line)
	p.number(&t.RetiredRevision)
	p.words(&t.Successors)
	p.text(&t.Evidence)
}

func (p *packer) consumer(c *authored.Consumer) {
	p.count(&c.Line)
	p.texts(&c.Unit, &c.Module, &c.Path, &c.Glob, &c.Relation)
	p.expression(&c.When)
	p.words(&c.On)
	p.texts(&c.EvidenceOwner, &c.Rationale)
}

// expression is its canonical text; the one that nearly every edge has is "".
func (p *packer) expression(e *authored.Expression) {
	var text []byte
	if !p.reading && records.When(*e) != "always" {
		var err error
		if text, err = identity.Encode(*e); err != nil {
			p.broken = true
		}
	}
	p.raw(&text)
	if !p.reading {
		return
	}
	*e = always
	if len(text) > 0 {
		value, err := identity.Decode(text)
		record, ok := value.(identity.Record)
		p.broken = p.broken || err != nil || !ok
		*e = record
	}
}

func (p *packer) number(n *int64) {
	if !p.reading {
		p.bytes = binary.AppendVarint(p.bytes, *n)
		return
	}
	// No number takes more bytes than the buffer.
	var buffer [binary.MaxVarintLen64]byte
	var size int
	if *n, size = binary.Varint(buffer[:copy(buffer[:], p.rest)]); size <= 0 {
		p.broken, p.rest = true, ""
		return
	}
	p.rest = p.rest[size:]
}

func (p *packer) count(n *int) {
	long := int64(*n)
	p.number(&long)
	*n = int(long)
}

func (p *packer) flag(b *bool) {
	n := 0
	if *b {
		n = 1
	}
	p.count(&n)
	*b = n == 1
}

// size is how many bytes or values follow; -1 is for what is nil.
func (p *packer) size(n int) int {
	p.count(&n)
	if p.reading && (n < -1 || n > len(p.rest)) {
		p.broken, p.rest, n = true, "", -1
	}
	return n
}

func (p *packer) raw(data *[]byte) {
	n := len(*data)
	if *data == nil {
		n = -1
	}
	switch n = p.size(n); {
	case !p.reading:
		p.bytes = append(p.bytes, *data...)
	case n < 0:
		*data = nil
	default:
		*data, p.rest = []byte(p.rest[:n]), p.rest[n:]
	}
}

func (p *packer) text(s *string) {
	if !p.reading {
		p.size(len(*s))
		p.bytes = append(p.bytes, *s...)
		return
	}
	n := max(p.size(0), 0)
	*s, p.rest = p.rest[:n], p.rest[n:]
}

func (p *packer) texts(all ...*string) {
	for _, s := range all {
		p.text(s)
	}
}

func (p *packer) words(all ...*[]string) {
	for _, words := range all {
		list(p, words, p.text)
	}
}

func (p *packer) lines(lines *map[string]int) {
	var keys []string
	if *lines != nil {
		keys = slices.AppendSeq([]string{}, maps.Keys(*lines))
		slices.Sort(keys)
	}
	list(p, &keys, p.text)
	if p.reading && keys != nil {
		*lines = make(map[string]int, len(keys))
	}
	for _, key := range keys {
		line := (*lines)[key]
		p.count(&line)
		(*lines)[key] = line
	}
}

// list is values of one kind; each takes a byte at least.
func list[T any](p *packer, values *[]T, each func(*T)) {
	n := len(*values)
	if *values == nil {
		n = -1
	}
	if n = p.size(n); p.reading {
		if n < 0 {
			return
		}
		*values = make([]T, n)
	}
	for i := range *values {
		each(&(*values)[i])
	}
}
