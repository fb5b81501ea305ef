package store

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/store/faultcalls"
)

// resultsOfASweep is how many results a child of the sweep stores, from the creation of the store on.
const resultsOfASweep = 3

// childFaulted stores results while one call fails, prints the number of each that is acknowledged, and at the end how many calls there
// were. A result that is refused is tried once more: the next try works.
func childFaulted(path, at, mode string) error {
	n, err := strconv.Atoi(at)
	how, modeErr := strconv.Atoi(mode)
	if err := errors.Join(err, modeErr, faultcalls.Arm(n, faultcalls.Mode(how))); err != nil {
		return err
	}
	ctx := context.Background()
	for i := range resultsOfASweep {
		for try := 0; ; try++ {
			err := putResult(ctx, path, i)
			if err == nil {
				break
			}
			if f := fault.As(err); try > 0 || f == nil || f.Outcome == "" {
				return fmt.Errorf("result %d, try %d: %w", i, try, err)
			}
		}
		fmt.Println(i)
	}
	fmt.Println("calls", faultcalls.Calls())
	return nil
}

func putResult(ctx context.Context, path string, i int) error {
	s, err := Open(ctx, path, codecs, Create)
	if err != nil {
		return err
	}
	return errors.Join(s.Put(ctx, sweepTree("sweep", i)), s.Close())
}

// At every call by which SQLite changes a file, from the creation of the store on: killed before it, killed half-way through it, EIO,
// ENOSPC. What was acknowledged is there, of the result at work all or nothing, and the next run works (DESIGN 8).
func TestEveryCallOfACommitFails(t *testing.T) {
	t.Parallel()
	_, calls, err := faulted(t, filepath.Join(t.TempDir(), "s"), 0, faultcalls.Kill)
	if err != nil || calls < 30 {
		t.Fatalf("%d calls, %v", calls, err)
	}
	var all sync.WaitGroup
	free := make(chan struct{}, 4)
	for n := 1; n <= calls; n++ {
		for mode, killed := range map[faultcalls.Mode]bool{faultcalls.Kill: true, faultcalls.Half: true, faultcalls.IO: false, faultcalls.Space: false} {
			path := filepath.Join(t.TempDir(), FolderName, "s")
			all.Go(func() {
				free <- struct{}{}
				defer func() { <-free }()
				acknowledged, _, err := faulted(t, path, n, mode)
				var ended *exec.ExitError
				if err != nil && (!killed || !errors.As(err, &ended) || ended.ExitCode() != -1) {
					t.Errorf("call %d, mode %d: %v", n, mode, err)
				}
				if mode == faultcalls.Kill && err == nil {
					t.Errorf("call %d is made and kills nothing", n)
				}
				checkAfterFault(t, fmt.Sprintf("call %d, mode %d", n, mode), path, acknowledged)
			})
		}
	}
	all.Wait()
}

// faulted runs a child whose n-th call fails, and returns how many results it acknowledged and how many calls it made in all.
func faulted(t *testing.T, path string, n int, mode faultcalls.Mode) (acknowledged, calls int, err error) {
	cmd := child(t, "faulted", path, strconv.Itoa(n), strconv.Itoa(int(mode)))
	out, err := cmd.Output()
	for line := range strings.Lines(string(out)) {
		if _, scanErr := fmt.Sscanf(line, "calls %d", &calls); scanErr != nil {
			acknowledged++
		}
	}
	return acknowledged, calls, err
}

func checkAfterFault(t *testing.T, name, path string, acknowledged int) {
	ctx := context.Background()
	s, err := Open(ctx, path, codecs, Create)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	defer s.Close()
	for i := range resultsOfASweep {
		result := sweepTree("sweep", i)
		held := stored(t, s, result, result.Parts[0], result.Parts[1])
		if held[0] != held[1] || held[1] != held[2] || i < acknowledged && !held[0] || i > acknowledged && held[0] {
			t.Errorf("%s: of result %d of %d acknowledged there is %v", name, i, acknowledged, held)
		}
	}
	for i := range resultsOfASweep {
		if err := s.Put(ctx, sweepTree("sweep", i)); err != nil {
			t.Errorf("%s: the next run: %v", name, err)
		}
	}
	if r, err := s.Check(ctx, true, nil); err != nil || len(r.Damaged) > 0 || r.Objects != 3*resultsOfASweep {
		t.Errorf("%s: %+v %v", name, r, err)
	}
	if leftovers := names(t, filepath.Dir(path)); len(leftovers) > 2 {
		t.Errorf("%s: %v is left", name, leftovers)
	}
}
