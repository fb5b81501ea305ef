package store

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

func TestFiftyProcessesOnAMissingStore(t *testing.T) {
	t.Parallel()
	path := Location(filepath.Join(t.TempDir(), ".git"), "")
	const n = 50
	var running []*exec.Cmd
	for i := range n {
		cmd := child(t, "put-once", path, strconv.Itoa(i))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for i, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Errorf("process %d: %v", i, err)
		}
	}
	s := mustOpen(t, path, ReadOnly)
	for i := range n {
		name := strconv.Itoa(i)
		if held := stored(t, s, tree(name, leaf("shared"), leaf("own "+name)), leaf("shared"), leaf("own "+name)); slices.Contains(held, false) {
			t.Errorf("process %d: held %v", i, held)
		}
	}
	if got := sqlite(t, path, "SELECT count(*) FROM authority_objects; PRAGMA integrity_check"); got != "101\nok" {
		t.Errorf("store: %q", got)
	}
	if got := names(t, filepath.Dir(path)); !slices.Equal(got, []string{".gitignore", FileName}) {
		t.Errorf("folder holds %q", got)
	}
}

// Two writers are killed at random moments: in some rounds from their start on, so that the store's creation is among
// them, in the others from the first tree on that they acknowledge, so that there is something to lose. What was acknowledged is there, and each
// tree is there as a whole or not at all.
func TestKilledWriters(t *testing.T) {
	t.Parallel()
	const rounds = 12
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	path := Location(filepath.Join(t.TempDir(), ".git"), "")
	acknowledged := map[string]int{}
	for round := range rounds {
		if round%4 == 0 {
			os.RemoveAll(filepath.Dir(path))
			clear(acknowledged)
		}
		last := map[string]chan int{}
		for writer := range 2 {
			name := fmt.Sprintf("round %d writer %d", round, writer)
			last[name] = startAndKill(t, path, name, round%4 == 0, time.Duration(random.IntN(60))*time.Millisecond)
		}
		most := -1
		for name, number := range last {
			acknowledged[name] = <-number
			most = max(most, acknowledged[name])
		}
		if round%4 != 0 && most < 0 {
			t.Errorf("round %d: no tree was acknowledged", round)
		}
		checkAfterKill(t, path, acknowledged)
	}
}

// startAndKill runs a writer for a while, after its start or after the first tree that it acknowledged, and delivers the
// number of the last one, or -1.
func startAndKill(t *testing.T, path, name string, fromStart bool, after time.Duration) chan int {
	t.Helper()
	cmd := child(t, "put-until-killed", path, name)
	cmd.Stderr = nil // a killed rival's journal may be met while it is rolled back
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	last := make(chan int, 1)
	go func() {
		first := time.Minute // one that acknowledges nothing
		if fromStart {
			first = after
		}
		timer := time.AfterFunc(first, func() { cmd.Process.Kill() })
		defer timer.Stop()
		number := -1
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if n, err := strconv.Atoi(lines.Text()); err == nil {
				if number < 0 && !fromStart {
					timer.Reset(after)
				}
				number = n
			}
		}
		cmd.Wait()
		last <- number
	}()
	return last
}

func checkAfterKill(t *testing.T, path string, acknowledged map[string]int) {
	t.Helper()
	s := mustOpen(t, path, Create)
	defer s.Close()
	for name, last := range acknowledged {
		for i := range last + 1 {
			if held := stored(t, s, sweepTree(name, i)); !held[0] {
				t.Fatalf("%s: acknowledged tree %d is lost", name, i)
			}
		}
		for i := range last + 3 {
			label := name + " " + strconv.Itoa(i)
			held := stored(t, s, sweepTree(name, i), leaf(label+" a"), leaf(label+" b"))
			if slices.Contains(held, true) && slices.Contains(held, false) {
				t.Fatalf("%s: half of tree %d is stored: %v", name, i, held)
			}
		}
	}
	if got := sqlite(t, path, "PRAGMA integrity_check"); got != "ok" {
		t.Fatalf("integrity: %s", got)
	}
}
