package journal

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// play opens a journal on a disk and appends a workload, each step up to five times. It returns how many steps were
// acknowledged, and how many faults there were.
func play(t testing.TB, d disk, folder string, steps [][]identity.Record) (acknowledged, faults int) {
	t.Helper()
	const tries = 5
	var j *Journal
	var err error
	for range tries {
		if j, err = open(ctx, d, folder, "s", time.Minute); err == nil {
			break
		}
		faults++
		if f := fault.As(err); f == nil || f.Outcome != fault.Unavailable {
			t.Fatalf("a failing disk gives %v", err)
		}
	}
	if err != nil {
		return 0, faults
	}
	defer j.Close()
	for _, step := range steps {
		for range tries {
			var head Head
			if head, err = j.Append(ctx, step...); err == nil {
				acknowledged++
				if d, ok := d.(*faulty); ok {
					d.log = append(d.log, event{call: "acknowledge", count: head.Sequence})
				}
				break
			}
			faults++
			f := fault.As(err)
			if f == nil || f.Outcome != fault.Unavailable || errors.Is(err, syscall.ENOSPC) != (f.Code == "JOURNAL.FULL") {
				t.Fatalf("a failing disk gives %v", err)
			}
		}
		if err != nil {
			return acknowledged, faults
		}
	}
	return acknowledged, faults
}

// checkWorkload holds what a stream has against the steps that were acknowledged: they are there, whole and once; of the
// next one all or nothing, where it may be in flight. Then the stream must be as good as new.
func checkWorkload(t testing.TB, d disk, folder, stream string, steps [][]identity.Record, acknowledged int, inFlight bool) {
	t.Helper()
	j, err := open(ctx, d, folder, stream, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var texts []string
	for r, err := range j.Read(ctx, 1) {
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text(r.Payload))
	}
	whole := 0
	for rest := texts; len(rest) > 0; whole++ {
		if whole == len(steps) || len(rest) < len(steps[whole]) {
			t.Fatalf("%d records are no whole steps", len(texts))
		}
		for i, payload := range steps[whole] {
			if rest[i] != text(payload) {
				t.Fatalf("step %d holds %.60s", whole, rest[i])
			}
		}
		rest = rest[len(steps[whole]):]
	}
	if whole != acknowledged && !(inFlight && whole == acknowledged+1) {
		t.Fatalf("%d steps are there, %d were acknowledged", whole, acknowledged)
	}
	mustAppend(t, j, identity.Record{"after": "all"})
	report, err := Verify(ctx, folder, stream)
	if err != nil || report.Tail != 0 || report.Head != j.Head() || report.Head.Sequence != int64(len(texts)+1) {
		t.Fatalf("afterwards: %+v, %v", report, err)
	}
}

func text(payload identity.Record) string {
	encoded, err := identity.Encode(payload)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

// Every call that a writer makes of the file system goes wrong, in each way that calls do, and in a row.
func TestEveryCallFails(t *testing.T) {
	t.Parallel()
	steps := workload("s")
	for name, mode := range map[string]int{"EIO": failEIO, "ENOSPC": failFull, "half and EIO": halfEIO, "done and EIO": doneEIO,
		"kill": dead, "half and kill": halfDead} {
		for _, row := range []int{1, 2, 3} {
			t.Run(fmt.Sprintf("%s %d", name, row), func(t *testing.T) {
				t.Parallel()
				kills := mode == dead || mode == halfDead
				if kills && row > 1 {
					t.Skip("one is killed once")
				}
				points := 0
				for at := 1; ; at++ {
					folder := newFolder(t)
					d := &faulty{at: at, row: row, mode: mode}
					acknowledged, faults := play(t, d, folder, steps)
					if d.calls < at {
						break
					}
					points++
					if !kills && acknowledged != len(steps) {
						t.Fatalf("call %d: only %d steps got through\n%s", at, acknowledged, d)
					}
					if (faults > 0) != (d.told > 0) && !kills {
						t.Fatalf("call %d: %d errors, %d faults\n%s", at, d.told, faults, d)
					}
					checkWorkload(t, osDisk{}, folder, "s", steps, acknowledged, kills)
				}
				if points < 15 {
					t.Errorf("only %d calls were made", points)
				}
			})
		}
	}
}

// What must be on the disk before Open and Append return is put there in this order.
func TestOrderOfCalls(t *testing.T) {
	t.Parallel()
	d := &faulty{}
	play(t, d, newFolder(t), [][]identity.Record{{numbered(1)}})
	const want = `mkdir standards
open new
write new
sync new
rename journal
open journal
sync journal
open standards
sync standards
open parent
sync parent
write journal
sync journal
acknowledge
`
	var got strings.Builder
	for _, e := range d.log {
		name := strings.TrimPrefix(filepath.Ext(e.path), ".")
		if filepath.Base(e.path) == FolderName {
			name = FolderName
		} else if name == "" && e.path != "" {
			name = "parent"
		}
		fmt.Fprintln(&got, strings.TrimSpace(e.call+" "+name))
	}
	if got.String() != want {
		t.Errorf("calls:\n%s\nnot:\n%s", got.String(), want)
	}
}

// lostWrites returns what is wrong after a power cut at each moment of a log: the disk has what was synced, and of what was
// written since, in any combination of sectors, this, or what was cut off there or zeros, or with spoil something else; or a
// beginning, of every step bytes.
func lostWrites(log []event, path, stream string, random *rand.Rand, spoil bool, step int) (states int, wrong []string) {
	const sector = 512
	synced, _, now := durable(log, path)
	all, o := readAll(stream, now)
	if o.Code != "" || len(synced) == 0 && !spoil {
		wrong = append(wrong, fmt.Sprintf("at the end: %+v, %d bytes synced", o, len(synced)))
	}
	placed := slices.IndexFunc(log, func(e event) bool { return e.call == "rename" })
	for n := placed + 1; n <= len(log); n++ {
		if last := log[n-1]; last.path != path && last.call != "acknowledge" {
			continue
		}
		var acknowledged int64
		for _, e := range log[:n] {
			if e.call == "acknowledge" {
				acknowledged = e.count
			}
		}
		synced, stale, now := durable(log[:n], path)
		written, _ := readAll(stream, now)
		check := func(state []byte, kept string) {
			states++
			records, o := readAll(stream, state)
			switch {
			case o.Code == "JOURNAL.CHANGED" && spoil && o.Sequence > acknowledged && len(records) >= int(acknowledged):
			case o.Code != "":
				wrong = append(wrong, fmt.Sprintf("after %d calls, %s: %+v", n, kept, o))
			case o.Sequence < acknowledged:
				wrong = append(wrong, fmt.Sprintf("after %d calls, %s: %d records of %d acknowledged", n, kept, o.Sequence, acknowledged))
			default:
				for i, r := range records {
					// What is not acknowledged is all of the append at work.
					if i < int(acknowledged) && r.Hash != all[i].Hash || i >= len(written) || r.Hash != written[i].Hash {
						wrong = append(wrong, fmt.Sprintf("after %d calls, %s: record %d is another", n, kept, i+1))
					}
				}
			}
		}
		check(synced, "only what was synced")
		if len(now) <= len(synced) {
			check(now, "all")
			continue
		}
		for size := len(synced); size <= len(now) && !spoil; size += step {
			check(now[:size], fmt.Sprintf("%d bytes", size))
		}
		from := len(synced) / sector
		count := (len(now)-1)/sector - from + 1
		for pattern := range 1 << count {
			state := bytes.Clone(now)
			for i := range count {
				start, end := max(len(synced), (from+i)*sector), min(len(now), (from+i+1)*sector)
				if pattern>>i&1 == 0 {
					clear(state[start:end])
					if start < len(stale) {
						copy(state[start:end], stale[start:])
					}
					for at := start; spoil && at < end; at++ {
						state[at] = byte(random.IntN(256))
					}
				}
			}
			check(state, fmt.Sprintf("sectors %b", pattern))
			check(state[:len(synced)+random.IntN(len(now)-len(synced))], fmt.Sprintf("sectors %b, cut", pattern))
		}
	}
	return states, wrong
}

// A power cut keeps what was acknowledged, and what it leaves of the rest is seen for what it is. Sectors with zeros are cut
// off; sectors with other bytes may be refused, and are never taken for records.
func TestPowerCut(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for name, mode := range map[string]int{"plain": never, "after half": halfEIO, "after all": doneEIO, "no sync": never} {
		folder := newFolder(t)
		path := filepath.Join(folder, "s.journal")
		d := &faulty{noSync: name == "no sync"}
		j, err := open(ctx, d, folder, "s", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		for step, payloads := range workload("s") {
			// What is tried first and fails is not what is written in its place.
			if d.mode, d.at = mode, d.calls+1; mode != never {
				if _, err := j.Append(ctx, workload("other")[2-step%2]...); err == nil {
					t.Fatal("nothing failed")
				}
			}
			d.mode = never
			mustAppend(t, j, payloads...)
			d.log = append(d.log, event{call: "acknowledge", count: j.Head().Sequence})
		}
		j.Close()
		// The log of the file that was renamed is the beginning of the journal's.
		for i := range d.log {
			if d.log[i].path == besides(path, newSuffix) {
				d.log[i].path = path
			}
		}
		step := 1
		if name != "plain" || testing.Short() {
			step = 17 // the file is the same but for its remains
		}
		if d.noSync {
			renamed := false
			kept := slices.DeleteFunc(d.log, func(e event) bool { // the header is there
				renamed = renamed || e.call == "rename"
				return renamed && e.call == "sync"
			})
			if _, wrong := lostWrites(kept, path, "s", random, false, step); len(wrong) == 0 {
				t.Error("a writer that does not sync loses nothing: this test cannot fail")
			}
			continue
		}
		for _, spoil := range []bool{false, true} {
			states, wrong := lostWrites(d.log, path, "s", random, spoil, step)
			if len(wrong) > 0 {
				t.Errorf("%s, spoil %v: %d of %d states are wrong, such as %q", name, spoil, len(wrong), states, wrong[0])
			}
			if states < 300 {
				t.Errorf("%s: only %d states", name, states)
			}
		}
	}
}

// Of every length that a file can be cut to, what is whole is read, what is not is cut off by the next writer, and the file
// is written on.
func TestEveryPrefix(t *testing.T) {
	t.Parallel()
	folder := newFolder(t)
	steps := [][]identity.Record{{numbered(1)}, {numbered(2), numbered(3)}, {{"note": strings.Repeat("é\n", 20)}}, {numbered(5)}}
	if n, _ := play(t, osDisk{}, folder, steps); n != len(steps) {
		t.Fatal(n)
	}
	path := filepath.Join(folder, "s.journal")
	data := fileBytes(t, path)
	header, _ := headerLine("s")
	ends := []int{len(header)} // of each step
	var text []byte
	var head = Head{Hash: headerHash("s")}
	for _, step := range steps {
		text, head, _ = encodeBatch(path, head, step)
		ends = append(ends, ends[len(ends)-1]+len(text))
	}
	for size := range len(data) {
		if testing.Short() && size%7 != 0 {
			continue
		}
		// A new file each time: ext4 flushes one that was emptied and written anew.
		if err := errors.Join(os.Remove(path), os.WriteFile(path, data[:size], 0o666)); err != nil {
			t.Fatal(err)
		}
		if size < len(header) {
			_, err := Open(ctx, folder, "s")
			wantFault(t, err, fault.Invalid, "JOURNAL.FOREIGN")
			if !bytes.Equal(fileBytes(t, path), data[:size]) {
				t.Fatal("what was refused was changed")
			}
			continue
		}
		whole := 0
		for whole+1 < len(ends) && ends[whole+1] <= size {
			whole++
		}
		if report, err := Verify(ctx, folder, "s"); err != nil || report.Bytes != int64(ends[whole]) || report.Tail != int64(size-ends[whole]) {
			t.Fatalf("%d bytes: %+v, %v", size, report, err)
		}
		if got := fileBytes(t, path); !bytes.Equal(got, data[:size]) {
			t.Fatal("a reader changed the file")
		}
		checkWorkload(t, &faulty{noSync: true}, folder, "s", steps, whole, false)
		if got := fileBytes(t, path); !bytes.HasPrefix(got, data[:ends[whole]]) {
			t.Fatalf("%d bytes: what was whole has changed", size)
		}
	}
}

func headerHash(stream string) string {
	_, hash := headerLine(stream)
	return hash
}
