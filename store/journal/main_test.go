package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// childTask names, in the environment of a child, which of the children below the test binary is.
const childTask = "JOURNAL_TEST_CHILD"

func TestMain(m *testing.M) {
	// A child does all its work on one thread, so that strace counts its system calls as one.
	runtime.LockOSThread()
	switch task := os.Getenv(childTask); task {
	case "":
		runtime.UnlockOSThread()
		os.Exit(m.Run())
	case "append":
		exitWith(childAppend(os.Args[1], os.Args[2]))
	case "append-twice":
		exitWith(childAppendTwice(os.Args[1], os.Args[2]))
	case "fill":
		exitWith(childFill(os.Args[1]))
	case "hold":
		exitWith(childHold(os.Args[1]))
	default:
		exitWith(fmt.Errorf("unknown task %q", task))
	}
}

func exitWith(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func child(t testing.TB, task string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), childTask+"="+task)
	cmd.Stderr = os.Stderr
	return cmd
}

// childAppend appends the steps of a workload and prints the number of each that is acknowledged; a step that fails is tried
// once more.
func childAppend(folder, stream string) error {
	ctx := context.Background()
	var j *Journal
	var err error
	for range 2 {
		if j, err = Open(ctx, folder, stream); err == nil {
			break
		}
		fmt.Println("failed", fault.As(err).Code)
	}
	if err != nil {
		return err
	}
	for step, payloads := range workload(stream) {
		for range 2 {
			if _, err = j.Append(ctx, payloads...); err == nil {
				fmt.Println("done", step)
				break
			}
			fmt.Println("failed", fault.As(err).Code)
		}
		if err != nil {
			return err
		}
	}
	return j.Close()
}

// workload is what a child appends: one record, three together, one of some sectors.
func workload(name string) [][]identity.Record {
	note := func(text string, size int) identity.Record {
		return identity.Record{"by": name, "note": text, "filler": fmt.Sprintf("%0*d", size, 0)}
	}
	return [][]identity.Record{
		{note("intent", 10)},
		{note("reserve", 10), note("start", 700), note("send", 10)},
		{note("outcome", 2500)},
	}
}

// childAppendTwice appends two records together, then one, and waits for others longer than the product does.
func childAppendTwice(folder, name string) error {
	ctx := context.Background()
	j, err := open(ctx, osDisk{}, folder, "shared", time.Minute)
	if err != nil {
		return err
	}
	if _, err := j.Append(ctx, identity.Record{"by": name, "n": 1}, identity.Record{"by": name, "n": 2}); err != nil {
		return err
	}
	if _, err := j.Append(ctx, identity.Record{"by": name, "n": 3}); err != nil {
		return err
	}
	return j.Close()
}

// childHold opens a journal, says so, and never ends.
func childHold(folder string) error {
	j, err := Open(context.Background(), folder, "held")
	if err != nil {
		return err
	}
	if _, err := j.Append(context.Background(), identity.Record{"pid": os.Getpid()}); err != nil {
		return err
	}
	fmt.Println("held")
	for {
		time.Sleep(time.Hour)
		runtime.KeepAlive(j)
	}
}

var ctx = context.Background()

// newFolder is a folder for journals, not made yet, in a folder of the test.
func newFolder(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), FolderName)
}

func mustOpen(t testing.TB, folder, stream string) *Journal {
	t.Helper()
	j, err := Open(ctx, folder, stream)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

func mustAppend(t testing.TB, j *Journal, payloads ...identity.Record) {
	t.Helper()
	head, err := j.Append(ctx, payloads...)
	if err != nil {
		t.Fatal(err)
	}
	if head != j.Head() {
		t.Fatalf("Append returns %+v, the head is %+v", head, j.Head())
	}
}

// numbered is a record that says its number.
func numbered(n int) identity.Record { return identity.Record{"n": strconv.Itoa(n)} }

func fileBytes(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func wantFault(t testing.TB, err error, outcome fault.Outcome, code string) *fault.Error {
	t.Helper()
	f := fault.As(err)
	if f == nil || f.Code != code || f.Outcome != outcome {
		t.Fatalf("error %v (%+v), want %s %s", err, f, outcome, code)
	}
	return f
}

func damageOf(err error) *Damage {
	var d *Damage
	errors.As(err, &d)
	return d
}

// collect reads a stream to its end without a lock.
func collect(t testing.TB, folder, stream string) []Record {
	t.Helper()
	var records []Record
	for r, err := range Read(ctx, folder, stream, 1) {
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	return records
}
