package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/git-standards/git-standards/store/faultcalls"
)

// disk is what is on a disk: the bytes of each numbered file, and which one each name of the folder means.
type disk struct {
	files map[int][]byte
	names map[string]int
}

func (d disk) clone() disk { return disk{maps.Clone(d.files), maps.Clone(d.names)} }

// apply does one call to the disk. Bytes are never changed in place: clones share them.
func (d disk) apply(e faultcalls.Event) {
	switch e.Call {
	case faultcalls.Create:
		d.names[e.Name] = e.File
	case faultcalls.Unlink:
		delete(d.names, e.Name)
	case faultcalls.Write:
		data := make([]byte, max(len(d.files[e.File]), int(e.At)+len(e.Data)))
		copy(data, d.files[e.File])
		copy(data[e.At:], e.Data)
		d.files[e.File] = data
	case faultcalls.Truncate:
		data := make([]byte, e.At)
		copy(data, d.files[e.File])
		d.files[e.File] = data
	}
}

// moment is a disk before a sync: what is certain, and the calls since then of which each may have reached it or not.
type moment struct {
	certain      disk
	pending      []faultcalls.Event
	acknowledged int
}

// moments are those before each sync of a trace, and the end. A cut between two syncs leaves nothing else than one before the second: what
// was called until then is the beginning of what is pending there, and no more is acknowledged.
func moments(trace []faultcalls.Event) (all []moment) {
	now := moment{certain: disk{map[int][]byte{}, map[string]int{}}}
	keep := func(isCertain func(faultcalls.Event) bool) {
		all = append(all, moment{now.certain.clone(), slices.Clone(now.pending), now.acknowledged})
		now.pending = slices.DeleteFunc(now.pending, func(e faultcalls.Event) bool {
			if isCertain(e) {
				now.certain.apply(e)
			}
			return isCertain(e)
		})
	}
	named := func(e faultcalls.Event) bool { return e.Call == faultcalls.Create || e.Call == faultcalls.Unlink }
	for _, e := range trace {
		switch e.Call {
		case faultcalls.Marked:
			now.acknowledged = int(e.At)
		case faultcalls.Sync: // of a file: its bytes, and not its name
			keep(func(p faultcalls.Event) bool { return p.File == e.File && !named(p) })
		case faultcalls.SyncFolder:
			keep(named)
		default:
			now.pending = append(now.pending, e)
		}
	}
	keep(func(faultcalls.Event) bool { return false })
	return all
}

// states are disks that a cut may leave at a moment: all subsets of few pending calls; of many the beginnings, all but one, one alone and some
// at random; each with the last of its writes whole, or one half of it.
func (m moment) states(random *rand.Rand) (all []disk) {
	n := len(m.pending)
	var subsets [][]bool
	choose := func(chosen func(i int) bool) {
		subset := make([]bool, n)
		for i := range subset {
			subset[i] = chosen(i)
		}
		subsets = append(subsets, subset)
	}
	if n <= 6 {
		for bits := range 1 << n {
			choose(func(i int) bool { return bits>>i&1 == 1 })
		}
	} else {
		for k := range n + 1 {
			choose(func(i int) bool { return i < k })
			choose(func(i int) bool { return i != k })
			choose(func(i int) bool { return i == k })
			choose(func(int) bool { return random.IntN(2) == 0 })
			choose(func(int) bool { return random.IntN(4) > 0 })
		}
	}
	for _, subset := range subsets {
		torn := -1
		for i, chosen := range subset {
			if chosen && m.pending[i].Call == faultcalls.Write && len(m.pending[i].Data) > 1 {
				torn = i
			}
		}
		for part := range 3 {
			if part > 0 && torn < 0 {
				break
			}
			state := m.certain.clone()
			for i, e := range m.pending {
				if !subset[i] {
					continue
				}
				if half := len(e.Data) / 2; i == torn && part == 1 {
					e.Data = e.Data[:half]
				} else if i == torn && part == 2 {
					e.At, e.Data = e.At+int64(half), e.Data[half:]
				}
				state.apply(e)
			}
			all = append(all, state)
		}
	}
	return all
}

// put writes a disk's files to a folder, and returns what tells it from others.
func (d disk) digest() (sum [sha256.Size]byte) {
	hash := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(d.names)) {
		data := d.files[d.names[name]]
		fmt.Fprintf(hash, "%q %d\n", name, len(data))
		hash.Write(data)
	}
	return [sha256.Size]byte(hash.Sum(nil))
}

func (d disk) put(folder string) error {
	err := os.MkdirAll(folder, 0o777)
	for name, file := range d.names {
		err = errors.Join(err, os.WriteFile(filepath.Join(folder, name), d.files[file], 0o666))
	}
	return err
}

// childLost stores results with a setting of synchronous, records what SQLite does to the files, and opens every state that a power cut could
// have left, until one is wrong. It says how many states there were, and what is wrong.
func childLost(folder, synchronous string) error {
	ctx := context.Background()
	faultcalls.SkipSyncs()
	if err := faultcalls.Arm(0, faultcalls.Kill); err != nil {
		return err
	}
	recorded := filepath.Join(folder, "recorded")
	faultcalls.Trace(recorded)
	for i := range resultsOfASweep {
		s, err := Open(ctx, filepath.Join(recorded, "s"), codecs, Create)
		if err != nil {
			return err
		}
		if _, err := s.db.Exec("PRAGMA synchronous=" + synchronous); err != nil {
			return err
		}
		if err := errors.Join(s.Put(ctx, sweepTree("sweep", i)), s.Close()); err != nil {
			return err
		}
		faultcalls.Mark(i + 1)
	}
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[string]bool{}
	for i, m := range moments(faultcalls.Traced()) {
		for _, state := range m.states(random) {
			key := fmt.Sprintf("%x %d", state.digest(), m.acknowledged)
			if seen[key] {
				continue
			}
			seen[key] = true
			at := filepath.Join(folder, strconv.Itoa(len(seen)))
			err := errors.Join(faultcalls.Arm(0, faultcalls.Kill), state.put(at)) // counts anew: there are many
			if err == nil {
				err = checkState(ctx, filepath.Join(at, "s"), m.acknowledged)
			}
			if err != nil {
				fmt.Printf("%d wrong: sync %d: %v\n", len(seen), i, err)
				return nil
			}
			if err := os.RemoveAll(at); err != nil {
				return err
			}
		}
	}
	fmt.Printf("%d right\n", len(seen))
	return nil
}

func checkState(ctx context.Context, path string, acknowledged int) error {
	s, err := Open(ctx, path, codecs, Create)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := checkResults(ctx, s, acknowledged); err != nil {
		return err
	}
	return wholeAfter(ctx, path)
}

// A power cut at any moment: all before the last sync is there, and of what was called since then, the names of files included, any part.
// What was acknowledged is there, of the result at work all or nothing, and the next run works; and with less syncing this test fails.
func TestLostWrites(t *testing.T) {
	t.Parallel()
	for _, synchronous := range []string{"EXTRA", "FULL", "NORMAL", "OFF"} {
		t.Run(synchronous, func(t *testing.T) {
			t.Parallel()
			out, err := child(t, "lost", inMemory(t), synchronous).Output()
			var states int
			var verdict string
			if _, scanErr := fmt.Sscanf(string(out), "%d %s", &states, &verdict); err != nil || scanErr != nil {
				t.Fatalf("%v %v: %q", err, scanErr, out)
			}
			t.Logf("%s", bytes.TrimSpace(out))
			if want := map[bool]string{true: "right", false: "wrong:"}[synchronous == "EXTRA"]; verdict != want || verdict == "right" && states < 300 {
				t.Errorf("of states not all of which are %s: %s", want, out)
			}
		})
	}
}
