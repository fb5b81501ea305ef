package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/fault"
)

// some are objects of which some are larger than a page, and some depend on others.
func some(n int) (nodes []authority.Node) {
	for i := range n {
		long := leaf(strings.Repeat(fmt.Sprintf("%d ", i), 1+i*i%700))
		nodes = append(nodes, long, tree(fmt.Sprint("tree ", i), long, leaf("shared")))
	}
	return nodes
}

// Equal contents give equal bytes, in whatever order and in however many transactions they were stored.
func TestCopiesOfEqualContentsAreEqual(t *testing.T) {
	t.Parallel()
	nodes := some(12)
	var first []byte
	memory, rounds := inMemory(t), 0
	rapid.Check(t, func(rt *rapid.T) {
		order := rapid.Permutation(nodes).Draw(rt, "order")
		rounds++
		folder := filepath.Join(memory, fmt.Sprint(rounds))
		s, err := Open(t.Context(), filepath.Join(folder, "s"), codecs, Create)
		if err != nil {
			rt.Fatal(err)
		}
		defer s.Close()
		for len(order) > 0 {
			n := rapid.IntRange(1, len(order)).Draw(rt, "in one")
			if err := s.Put(t.Context(), order[:n]...); err != nil {
				rt.Fatal(err)
			}
			order = order[n:]
		}
		copied, err := s.Copy(t.Context(), filepath.Join(folder, "copy"))
		if err != nil {
			rt.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(folder, "copy"))
		sum := sha256.Sum256(data)
		if err != nil || copied.Objects != 25 || copied.Bytes != int64(len(data)) || copied.SHA256 != "sha256:"+hex.EncodeToString(sum[:]) {
			rt.Fatal(copied, err)
		}
		if first == nil {
			first = data
		}
		if !bytes.Equal(first, data) {
			rt.Fatal("the same objects give another copy")
		}
	})
	// So does a store with pages of another size, which was vacuumed, and a copy of a copy.
	s := newStore(t)
	mustPut(t, s, nodes...)
	s.Close()
	sqlite(t, s.path, "PRAGMA page_size=4096; VACUUM")
	again := mustOpen(t, s.path, ReadOnly)
	for _, name := range []string{"one", "two"} {
		to := filepath.Join(t.TempDir(), name)
		if _, err := again.Copy(t.Context(), to); err != nil {
			t.Fatal(err)
		}
		if data := fileBytes(t, to); !bytes.Equal(data, first) {
			t.Errorf("copy %s differs", name)
		}
		again = mustOpen(t, to, ReadOnly)
	}
	held := stored(t, again, nodes...)
	if slices.Contains(held, false) {
		t.Error("the copy lacks objects")
	}
	mustPut(t, mustOpen(t, again.path, Create), leaf("one more")) // a copy is a store
}

// A copy that fails leaves nothing at its path, and nothing beside it.
func TestCopyIsThereWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	mustPut(t, s, some(5)...)
	folder := t.TempDir()
	path := filepath.Join(folder, "copy")
	for name, make := range map[string]func() error{
		"file":   func() error { return os.WriteFile(path, []byte("mine"), 0o666) },
		"folder": func() error { return os.Mkdir(path, 0o777) },
		"link":   func() error { return os.Symlink("nowhere", path) },
		"itself": func() error { return os.Link(s.path, path) },
	} {
		if err := make(); err != nil {
			t.Fatal(err)
		}
		_, err := s.Copy(t.Context(), path)
		wantFault(t, err, fault.Invalid, "STORE.EXISTS")
		if all := names(t, folder); len(all) != 1 {
			t.Errorf("%s: %v", name, all)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Copy(ended, path); err == nil || len(names(t, folder)) != 0 {
		t.Error(err, names(t, folder))
	}
	damage(t, s.path, leaf("shared").ID, "UPDATE authority_objects SET envelope = CAST(replace(CAST(envelope AS TEXT), 'shared', 'shaRed') AS BLOB) WHERE handle = '%s'")
	_, err := mustOpen(t, s.path, ReadOnly).Copy(t.Context(), path)
	if f := fault.As(err); f == nil || f.Target != leaf("shared").ID || f.Outcome != fault.Invalid || len(names(t, folder)) != 0 {
		t.Error(err, names(t, folder))
	}
	_, err = mustOpen(t, newStore(t).path, ReadOnly).Copy(t.Context(), filepath.Join(s.path, "below a file"))
	if f := fault.As(err); f == nil || f.Outcome != fault.Unavailable {
		t.Error(err)
	}
}

// damage does to one object what the triggers forbid.
func damage(t testing.TB, path, id, statement string) {
	t.Helper()
	var without, with []string
	for _, text := range schema[1:] {
		without = append(without, "DROP TRIGGER "+strings.Fields(text)[2])
		with = append(with, text)
	}
	sqlite(t, path, strings.Join(without, ";")+";"+fmt.Sprintf(statement, id)+";"+strings.Join(with, ";"))
}

// A deep check names each damaged object and each that is not there for another, by its id; the file as such is whole.
func TestDeepCheckNamesObjects(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	mustPut(t, s, some(5)...)
	r, err := s.Check(t.Context(), true, nil)
	if err != nil || r.Objects != 11 || len(r.Damaged) != 0 {
		t.Fatal(r, err)
	}
	s.Close()
	damage(t, s.path, leaf("shared").ID, "DELETE FROM authority_objects WHERE handle = '%s'")
	changed := some(3)[4]
	damage(t, s.path, changed.ID, "UPDATE authority_objects SET envelope = CAST(replace(CAST(envelope AS TEXT), '2', '3') AS BLOB) WHERE handle = '%s'")
	s = mustOpen(t, s.path, ReadOnly)
	if r, err = s.Check(t.Context(), false, nil); err != nil || len(r.Damaged) != 0 {
		t.Fatal(r, err)
	}
	if r, err = s.Check(t.Context(), true, nil); err != nil || r.Objects != 10 {
		t.Fatal(r, err)
	}
	codes := map[string]string{}
	for _, f := range r.Damaged {
		codes[f.Target] = f.Code
	}
	want := map[string]string{changed.ID: "ENVELOPE.CORRUPT"}
	for i, node := range some(5) {
		if i%2 == 1 {
			want[node.ID] = "CLOSURE.MISSING"
		}
	}
	if fmt.Sprint(codes) != fmt.Sprint(want) {
		t.Errorf("found %v, want %v", codes, want)
	}
}
