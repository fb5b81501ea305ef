package store

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/store/faultcalls"
)

// resultsOfASweep is how many results a round of the sweep stores at most.
const resultsOfASweep = 3

// told is what a round acknowledged: how many results, and whether the copy.
type told struct {
	results int
	copied  bool
}

// round stores results, from the creation of the store on, while a call fails. What is refused is tried once more: the next try works.
func round(path string, results int, acknowledge func(told)) error {
	ctx := context.Background()
	for i := range results {
		if err := twice(func() error { return putResult(ctx, path, i) }); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
		acknowledge(told{i + 1, false})
	}
	return nil
}

// roundAndCopy copies the store too.
func roundAndCopy(path string, acknowledge func(told)) error {
	if err := round(path, resultsOfASweep, acknowledge); err != nil {
		return err
	}
	ctx := context.Background()
	if err := twice(func() error { return copyStore(ctx, path) }); err != nil {
		return fmt.Errorf("copy: %w", err)
	}
	acknowledge(told{resultsOfASweep, true})
	return nil
}

// twice tries again what ends with a fault of the store.
func twice(f func() error) error {
	err := f()
	if told := fault.As(err); told != nil && told.Outcome != "" {
		err = f()
	}
	return err
}

func putResult(ctx context.Context, path string, i int) error {
	s, err := Open(ctx, path, codecs, Create)
	if err != nil {
		return err
	}
	return errors.Join(s.Put(ctx, sweepTree("sweep", i)), s.Close())
}

func copyStore(ctx context.Context, path string) error {
	s, err := Open(ctx, path, codecs, ReadOnly)
	if err != nil {
		return err
	}
	_, err = s.Copy(ctx, path+".copy")
	return errors.Join(err, s.Close())
}

// childKilled plays a round whose n-th call kills it, and says what it acknowledged. Nothing is synced: what a killed process leaves does
// not depend on it.
func childKilled(path, n, mode string) error {
	at, err := strconv.Atoi(n)
	how, modeErr := strconv.Atoi(mode)
	if err := errors.Join(err, modeErr, faultcalls.Arm(at, faultcalls.Mode(how))); err != nil {
		return err
	}
	faultcalls.SkipSyncs()
	return roundAndCopy(path, func(a told) { fmt.Println(a.results, a.copied) })
}

// childFaulted plays a round for each call, which fails, and looks at what each leaves. It says how many there were.
func childFaulted(folder, mode string) error {
	how, err := strconv.Atoi(mode)
	if err != nil {
		return err
	}
	faultcalls.SkipSyncs()
	for n := 1; ; n++ {
		path := filepath.Join(folder, strconv.Itoa(n), FolderName, "s")
		var acknowledged told
		if err := faultcalls.Arm(n, faultcalls.Mode(how)); err != nil {
			return err
		}
		keep := func(a told) { acknowledged = a }
		var err error
		var calls []string
		if faultcalls.Mode(how) == faultcalls.Blind {
			err = round(path, 2, keep) // there are many such calls, and those of a third result and of a copy are the same again
			_, calls = faultcalls.Calls()
		} else {
			err = roundAndCopy(path, keep)
			calls, _ = faultcalls.Calls()
		}
		if len(calls) < n {
			fmt.Println(n - 1)
			return err
		}
		err = errors.Join(err, faultcalls.Arm(0, faultcalls.Kill), checkRound(path, acknowledged))
		if err != nil {
			fmt.Fprintf(os.Stderr, "call %d, mode %s, %s: %v\n", n, mode, calls[n-1], err)
		}
		if err := os.RemoveAll(filepath.Join(folder, strconv.Itoa(n))); err != nil {
			return err
		}
	}
}

// childChecked looks at the stores that it is told of, a line each.
func childChecked(in io.Reader) error {
	faultcalls.SkipSyncs()
	for lines := bufio.NewScanner(in); lines.Scan(); {
		var path string
		var acknowledged told
		if _, err := fmt.Sscanf(lines.Text(), "%q %d %t", &path, &acknowledged.results, &acknowledged.copied); err != nil {
			return err
		}
		if err := checkRound(path, acknowledged); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", path, err)
		}
		fmt.Println(path)
	}
	return nil
}

// childCounted plays rounds in which nothing fails, and prints the calls that change something, and those of the shorter one that only look.
func childCounted(folder string) error {
	nobody := func(told) {}
	err := errors.Join(faultcalls.Arm(0, faultcalls.Kill), roundAndCopy(filepath.Join(folder, FolderName, "s"), nobody))
	changes, _ := faultcalls.Calls()
	err = errors.Join(err, faultcalls.Arm(0, faultcalls.Kill), round(filepath.Join(folder, "again", FolderName, "s"), 2, nobody))
	_, looks := faultcalls.Calls()
	fmt.Printf("%s\n%s\n", strings.Join(changes, " "), strings.Join(looks, " "))
	return err
}

// checkRound holds a store against what was acknowledged: that is there; of the result at work all or nothing; the copy is there whole or not
// at all; and the next run works.
func checkRound(path string, acknowledged told) error {
	ctx := context.Background()
	s, err := Open(ctx, path, codecs, Create)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := checkResults(ctx, s, acknowledged.results); err != nil {
		return err
	}
	if err := wholeAfter(ctx, path); err != nil {
		return err
	}
	if exists(path + ".copy") {
		err = wholeAfter(ctx, path+".copy")
	} else if acknowledged.copied {
		err = errors.New("the copy is gone")
	}
	entries, listErr := os.ReadDir(filepath.Dir(path))
	for _, e := range entries {
		if name := e.Name(); name != ".gitignore" && name != "s" && name != "s.copy" && !strings.HasPrefix(name, "s.copy.tmp-") {
			err = errors.Join(err, fmt.Errorf("%s is left", name))
		}
	}
	return errors.Join(err, listErr)
}

// checkResults holds the results in a store against how many were acknowledged, and stores them all.
func checkResults(ctx context.Context, s *Store, acknowledged int) error {
	for i := range resultsOfASweep {
		result := sweepTree("sweep", i)
		var there []bool
		for _, n := range append(slices.Clone(result.Parts), result) {
			text, err := s.Get(ctx, n.ID)
			if err == nil {
				_, err = codecs.Open(n.ID, text)
			}
			if err != nil && !fault.Is(err, "HANDLE.UNKNOWN") {
				return err
			}
			there = append(there, err == nil)
		}
		if slices.Contains(there, true) == slices.Contains(there, false) || i < acknowledged && !there[0] || i > acknowledged && there[0] {
			return fmt.Errorf("of result %d there is %v; %d were acknowledged", i, there, acknowledged)
		}
	}
	for i := range resultsOfASweep {
		if err := s.Put(ctx, sweepTree("sweep", i)); err != nil {
			return fmt.Errorf("the next run: %w", err)
		}
	}
	return nil
}

func wholeAfter(ctx context.Context, path string) error {
	s, err := Open(ctx, path, codecs, ReadOnly)
	if err != nil {
		return err
	}
	defer s.Close()
	r, err := s.Check(ctx, true, nil)
	if err == nil && (len(r.Damaged) > 0 || r.Objects != 3*resultsOfASweep) {
		err = fmt.Errorf("%s: %+v", filepath.Base(path), r)
	}
	return err
}

// At every call that SQLite makes of the operating system, from the creation of the store on: killed before it, killed half-way through it,
// EIO, ENOSPC; and EIO for those that only look (DESIGN 8).
func TestEveryCallOfACommitFails(t *testing.T) {
	t.Parallel()
	out, err := child(t, "counted", inMemory(t)).Output()
	if err != nil {
		t.Fatal(err)
	}
	sorts := strings.Split(strings.TrimSpace(string(out)), "\n")
	changes, looks := strings.Fields(sorts[0]), strings.Fields(sorts[1])
	for _, name := range []string{"open", "pwrite", "fsync", "unlink", "openDirectory"} {
		if !slices.Contains(changes, name) {
			t.Errorf("%s is not among %d changing calls", name, len(changes))
		}
	}
	for _, name := range []string{"open", "close", "fstat", "stat", "fcntl", "pread"} {
		if !slices.Contains(looks, name) {
			t.Errorf("%s is not among %d calls that look", name, len(looks))
		}
	}
	t.Logf("%d calls that change something, %d that look", len(changes), len(looks))
	t.Run("killed", func(t *testing.T) {
		t.Parallel()
		killAtEveryCall(t, changes)
	})
	for mode, calls := range map[faultcalls.Mode]int{faultcalls.IO: len(changes), faultcalls.Space: len(changes), faultcalls.Blind: len(looks)} {
		t.Run(fmt.Sprint("mode ", mode), func(t *testing.T) {
			t.Parallel()
			cmd := child(t, "faulted", inMemory(t), strconv.Itoa(int(mode)))
			var said bytes.Buffer
			cmd.Stderr = &said
			if out, err := cmd.Output(); err != nil || said.Len() > 0 {
				t.Errorf("%v\n%.3000s", err, said.String())
			} else if n, err := strconv.Atoi(strings.TrimSpace(string(out))); err != nil || n < calls {
				t.Errorf("%d of %d calls failed, %v", n, calls, err)
			}
		})
	}
}

// inMemory is a folder that takes no time to sync, where there is one: what reaches a disk, and what a process sees of it, is the same.
func inMemory(t *testing.T) string {
	folder, err := os.MkdirTemp("/dev/shm", "store-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

func killAtEveryCall(t *testing.T, changes []string) {
	var all sync.WaitGroup
	var m sync.Mutex
	var lines []string
	folder := inMemory(t)
	free := make(chan struct{}, 4)
	for i, name := range changes {
		for _, mode := range []faultcalls.Mode{faultcalls.Kill, faultcalls.Half} {
			if mode == faultcalls.Half && name != "pwrite" && name != "write" {
				continue
			}
			path := filepath.Join(folder, fmt.Sprint(i, mode), FolderName, "s")
			all.Go(func() {
				free <- struct{}{}
				defer func() { <-free }()
				out, err := child(t, "killed", path, strconv.Itoa(i+1), strconv.Itoa(int(mode))).Output()
				var ended *exec.ExitError
				if !errors.As(err, &ended) || ended.ExitCode() != -1 {
					t.Errorf("call %d, %s, mode %d: %v", i+1, name, mode, err)
				}
				said := strings.Split("0 false\n"+string(out), "\n")
				m.Lock()
				defer m.Unlock()
				lines = append(lines, fmt.Sprintf("%q %s", path, said[len(said)-2]))
			})
		}
	}
	all.Wait()
	cmd := child(t, "checked")
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n"))
	var said bytes.Buffer
	cmd.Stderr = &said
	if out, err := cmd.Output(); err != nil || said.Len() > 0 || bytes.Count(out, []byte("\n")) != len(lines) || len(lines) < len(changes) {
		t.Errorf("%v\n%.3000s", err, said.String())
	}
}
