package journal

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
)

// Fifty processes append to one journal that is not there yet: each record is there once, and what was appended together
// stands together.
func TestFiftyProcesses(t *testing.T) {
	t.Parallel()
	folder := newFolder(t)
	const n = 50
	var running []*exec.Cmd
	for i := range n {
		cmd := child(t, "append-twice", folder, strconv.Itoa(i))
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
	seen := map[string]int{}
	previous := ""
	for _, r := range collect(t, folder, "shared") {
		by, n := r.Payload["by"].(string), r.Payload["n"].(int64)
		seen[fmt.Sprintf("%s %d", by, n)]++
		if n == 2 && previous != by+" 1" {
			t.Errorf("record %d: between two that were appended together stands %s", r.Sequence, previous)
		}
		previous = fmt.Sprintf("%s %d", by, n)
	}
	for i := range n {
		for k := 1; k <= 3; k++ {
			if count := seen[fmt.Sprintf("%d %d", i, k)]; count != 1 {
				t.Errorf("record %d of process %d is there %d times", k, i, count)
			}
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 2 || len(seen) != 3*n {
		t.Errorf("%d records; the folder holds %v, %v", len(seen), entries, err)
	}
}

// The lock ends with its process, however that ends, and until then names it.
func TestLockEndsWithItsProcess(t *testing.T) {
	t.Parallel()
	folder := newFolder(t)
	cmd := child(t, "hold", folder)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatal(line, err)
	}
	_, err = open(ctx, osDisk{}, folder, "held", 50*time.Millisecond)
	f := wantFault(t, err, fault.Unavailable, "JOURNAL.BUSY")
	if !strings.Contains(f.Message, fmt.Sprintf("process %d ", cmd.Process.Pid)) {
		t.Error(f)
	}
	if got := collect(t, folder, "held"); len(got) != 1 {
		t.Errorf("a reader sees %d records", len(got))
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	j, err := open(ctx, osDisk{}, folder, "held", time.Millisecond)
	if err != nil {
		t.Fatal("the lock outlives its process: ", err)
	}
	mustAppend(t, j, numbered(2))
	j.Close()
	if _, err := os.Stat(filepath.Join(folder, "held.writer")); err != nil {
		t.Error(err)
	}
}
