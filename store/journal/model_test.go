package journal

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// model is a journal as a plain list: what was appended, in batches, and what the file held after each.
type model struct {
	folder string
	path   string
	disk   *faulty
	j      *Journal
	texts  []string          // of the payloads
	batch  []int             // of each record, the Append that it came with
	files  [][]byte          // after each Append, the first after creation
	failed []identity.Record // the last that failed: until something else is appended, another Open may find it
}

func (m *model) open(t *rapid.T) {
	m.disk = &faulty{noSync: true}
	var err error
	if m.j, err = open(ctx, m.disk, m.folder, "s", time.Minute); err != nil {
		t.Fatal(err)
	}
}

// left notes an Append that failed where all of it is in the file, as when only its sync did.
func (m *model) left(t *rapid.T, payloads []identity.Record) {
	data, err := os.ReadFile(m.path)
	if err != nil {
		t.Fatal(err)
	}
	records, _ := readAll("s", data)
	left := records[len(m.texts):]
	same := func(r Record, payload identity.Record) bool { return text(r.Payload) == text(payload) }
	if slices.EqualFunc(left, payloads, same) {
		m.failed = payloads
	} else if len(left) == 0 {
		m.failed = nil
	}
}

func (m *model) reopen(t *rapid.T) {
	m.j.Close()
	m.open(t)
	if m.failed != nil {
		m.append(t, m.failed)
	}
}

func (m *model) last() []byte { return m.files[len(m.files)-1] }

func (m *model) append(t *rapid.T, payloads []identity.Record) {
	m.failed = nil
	for _, payload := range payloads {
		m.texts, m.batch = append(m.texts, text(payload)), append(m.batch, len(m.files))
	}
	data, err := os.ReadFile(m.path)
	if err != nil || !bytes.HasPrefix(data, m.last()) {
		t.Fatalf("an append changed what was there, or %v", err)
	}
	m.files = append(m.files, data)
}

var drawnValue = rapid.OneOf(rapid.Just[any](nil), rapid.Map(rapid.Int64(), func(n int64) any { return n }),
	rapid.Map(rapid.String(), func(s string) any { return s }), rapid.Map(rapid.SliceOfN(rapid.Bool(), 0, 3), func(list []bool) any {
		out := identity.List{}
		for _, b := range list {
			out = append(out, b)
		}
		return out
	}))

var drawnPayload = rapid.Map(rapid.MapOfN(rapid.String(), drawnValue, 0, 4), func(m map[string]any) identity.Record { return m })

// Appends, faults, crashes, rivals and damage in any order leave exactly what a list has; damage is named by the first
// record that it is in, and everything before that is read.
func TestModel(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		top, err := os.MkdirTemp(parent, "")
		if err != nil {
			t.Fatal(err)
		}
		m := &model{folder: filepath.Join(top, FolderName)}
		m.path = filepath.Join(m.folder, "s.journal")
		m.open(t)
		data, err := os.ReadFile(m.path)
		if err != nil {
			t.Fatal(err)
		}
		m.files = [][]byte{data}
		payloads := rapid.SliceOfN(drawnPayload, 1, 3)
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				drawn := payloads.Draw(t, "payloads")
				if _, err := m.j.Append(ctx, drawn...); err != nil {
					t.Fatal(err)
				}
				m.append(t, drawn)
			},
			"fault": func(t *rapid.T) {
				drawn := payloads.Draw(t, "payloads")
				m.disk.mode = rapid.SampledFrom([]int{failEIO, failFull, halfEIO, doneEIO}).Draw(t, "mode")
				m.disk.at, m.disk.row = m.disk.calls+rapid.IntRange(1, 3).Draw(t, "at"), rapid.IntRange(1, 4).Draw(t, "row")
				_, err := m.j.Append(ctx, drawn...)
				m.disk.mode = never
				if err == nil {
					m.append(t, drawn)
				} else if f := fault.As(err); f == nil || f.Outcome != fault.Unavailable {
					t.Fatal(err)
				} else {
					m.left(t, drawn)
				}
			},
			"crash": func(t *rapid.T) {
				drawn := payloads.Draw(t, "payloads")
				m.disk.mode = rapid.SampledFrom([]int{dead, halfDead}).Draw(t, "mode")
				m.disk.at = m.disk.calls + rapid.IntRange(1, 2).Draw(t, "at")
				if _, err := m.j.Append(ctx, drawn...); err == nil {
					t.Fatal("a dead process has appended")
				}
				m.left(t, drawn)
				m.reopen(t)
			},
			"reopen": m.reopen,
			"rival": func(t *rapid.T) {
				if _, err := open(ctx, osDisk{}, m.folder, "s", 0); !fault.Is(err, "JOURNAL.BUSY") {
					t.Fatalf("a second writer: %v", err)
				}
			},
			"damage": func(t *rapid.T) { m.damage(t) },
			"": func(t *rapid.T) {
				if head := m.j.Head(); head.Sequence != int64(len(m.texts)) {
					t.Fatalf("head %+v of %d records", head, len(m.texts))
				}
				n := 0
				for r, err := range m.j.Read(ctx, 1) {
					if err != nil || r.Sequence != int64(n+1) || text(r.Payload) != m.texts[n] {
						t.Fatalf("record %d: %+v, %v", n+1, r, err)
					}
					n++
				}
				if n != len(m.texts) {
					t.Fatalf("%d records of %d", n, len(m.texts))
				}
			},
		})
		m.j.Close()
	})
}

// damage changes one line of the file, as a whole or by a bit, and puts it right again. The writer is closed meanwhile.
func (m *model) damage(t *rapid.T) {
	if len(m.texts) == 0 {
		return
	}
	m.reopen(t)
	m.j.Close()
	lines := bytes.SplitAfter(m.last(), []byte{'\n'})
	lines = lines[:len(lines)-1]
	at := rapid.IntRange(1, len(lines)-1).Draw(t, "line")
	first := at // the first record that is wrong then
	var spoiled [][]byte
	switch how := rapid.SampledFrom([]string{"bit", "drop", "repeat", "swap", "foreign"}).Draw(t, "how"); how {
	case "bit":
		changed := bytes.Clone(lines[at])
		changed[rapid.IntRange(0, len(changed)-2).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		spoiled = append(append(append(spoiled, lines[:at]...), changed), lines[at+1:]...)
	case "drop":
		if at == len(lines)-1 {
			at-- // the last may be taken away unseen
		}
		if at == 0 {
			break
		}
		first = at
		spoiled = append(append(spoiled, lines[:at]...), lines[at+1:]...)
	case "repeat":
		first = at + 1
		spoiled = append(append(spoiled, lines[:at+1]...), lines[at:]...)
	case "swap":
		other := rapid.IntRange(1, len(lines)-1).Draw(t, "other")
		if other == at {
			break
		}
		first = min(at, other)
		spoiled = append(spoiled, lines...)
		spoiled[at], spoiled[other] = spoiled[other], spoiled[at]
	case "foreign":
		_, hash := headerLine("t")
		foreign, _, err := encodeLine(Head{Sequence: int64(at - 1), Hash: hash}, span{int64(at), int64(at)}, identity.Record{})
		if err != nil {
			t.Fatal(err)
		}
		spoiled = append(append(append(spoiled, lines[:at]...), foreign), lines[at:]...)
	}
	if spoiled != nil {
		data := bytes.Join(spoiled, nil)
		m.put(t, data)
		_, opened := open(ctx, osDisk{}, m.folder, "s", time.Minute)
		n, read := 0, error(nil)
		for r, err := range Read(ctx, m.folder, "s", 1) {
			if read = err; err == nil && text(r.Payload) != m.texts[n] {
				t.Fatalf("record %d is another", n+1)
			} else if err == nil {
				n++
			}
		}
		for _, err := range []error{opened, read} {
			d := damageOf(err)
			if f := fault.As(err); d == nil || f.Outcome != fault.Invalid || f.Code != "JOURNAL.CHANGED" && f.Code != "JOURNAL.ORDER" {
				t.Fatalf("damage to record %d gives %v", first, err)
			}
			if d.Sequence != int64(first) || d.Offset != int64(len(bytes.Join(spoiled[:first], nil))) {
				t.Fatalf("damage to record %d is %+v", first, d)
			}
		}
		// All that was appended before it is read.
		whole := first - 1
		for whole > 0 && first <= len(m.batch) && m.batch[whole-1] == m.batch[first-1] {
			whole--
		}
		if n != whole {
			t.Fatalf("%d records before record %d are read, not %d", n, first, whole)
		}
		if now, err := os.ReadFile(m.path); err != nil || !bytes.Equal(now, data) {
			t.Fatalf("what was refused was changed, or %v", err)
		}
		m.put(t, m.last())
	}
	m.open(t)
}

// put makes a new file: ext4 flushes one that was emptied and written anew.
func (m *model) put(t *rapid.T, data []byte) {
	if err := errors.Join(os.Remove(m.path), os.WriteFile(m.path, data, 0o666)); err != nil {
		t.Fatal(err)
	}
}
