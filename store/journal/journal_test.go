package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

func TestStreamNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"publish", "0", "run.2026-11_a", strings.Repeat("a", 100)} {
		if err := checkStream(name); err != nil {
			t.Error(err)
		}
	}
	folder := newFolder(t)
	for _, name := range []string{"", ".", "..", ".a", "-a", "_a", "a/b", "../a", "A", "é", "a b", "a\x00", "a\n", strings.Repeat("a", 101)} {
		_, err := Open(ctx, folder, name)
		wantFault(t, err, fault.Invalid, "JOURNAL.STREAM")
		_, err = Verify(ctx, folder, name)
		wantFault(t, err, fault.Invalid, "JOURNAL.STREAM")
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("a name that is refused made a folder")
	}
}

func TestReadFromASequence(t *testing.T) {
	t.Parallel()
	folder := newFolder(t)
	j := mustOpen(t, folder, "s")
	if got := j.Head(); got != (Head{Hash: headerHash("s")}) {
		t.Errorf("the head of an empty journal is %+v", got)
	}
	mustAppend(t, j)
	mustAppend(t, j, numbered(1))
	mustAppend(t, j, numbered(2), numbered(3))
	for from := range int64(6) {
		var want, held, seen []int64
		for n := max(1, from); n <= 3; n++ {
			want = append(want, n)
		}
		for r, err := range j.Read(ctx, from) {
			if err != nil || text(r.Payload) != text(numbered(int(r.Sequence))) {
				t.Fatal(r, err)
			}
			held = append(held, r.Sequence)
		}
		for r, err := range Read(ctx, folder, "s", from) {
			if err != nil {
				t.Fatal(err)
			}
			seen = append(seen, r.Sequence)
		}
		if !slices.Equal(held, want) || !slices.Equal(seen, want) {
			t.Errorf("from %d: %v and %v", from, held, seen)
		}
	}
	for range j.Read(ctx, 1) {
		break // a reader that has enough
	}
	if streams, err := Streams(folder); err != nil || !slices.Equal(streams, []string{"s"}) {
		t.Error(streams, err)
	}
	if streams, err := Streams(newFolder(t)); err != nil || streams != nil {
		t.Error(streams, err)
	}
	_, err := Verify(ctx, folder, "t")
	wantFault(t, err, fault.Unavailable, "JOURNAL.MISSING")
}

func TestRecordsThatCannotBe(t *testing.T) {
	t.Parallel()
	folder := newFolder(t)
	j := mustOpen(t, folder, "s")
	mustAppend(t, j, numbered(1))
	before, head := fileBytes(t, filepath.Join(folder, "s.journal")), j.Head()
	deep := identity.Record{}
	for range 64 {
		deep = identity.Record{"a": deep}
	}
	for _, payload := range []identity.Record{{"a": 1.5}, {"a": "\xff"}, {"a": struct{}{}}, deep, {"a": strings.Repeat("a", maxBatch)}} {
		_, err := j.Append(ctx, numbered(2), payload)
		wantFault(t, err, fault.Invalid, "JOURNAL.RECORD")
	}
	if !bytes.Equal(before, fileBytes(t, filepath.Join(folder, "s.journal"))) || j.Head() != head {
		t.Error("a record that cannot be was written")
	}
	mustAppend(t, j, deep["a"].(identity.Record), numbered(3))
	mustAppend(t, j, identity.Record{"a": strings.Repeat("a", 1<<20)}) // a line of many reads
	if report, err := Verify(ctx, folder, "s"); err != nil || report.Head != j.Head() {
		t.Error(report, err)
	}
}

func TestEndedContext(t *testing.T) {
	t.Parallel()
	folder := newFolder(t)
	j := mustOpen(t, folder, "s")
	mustAppend(t, j, numbered(1))
	ended, end := context.WithCancel(ctx)
	end()
	if _, err := j.Append(ended, numbered(2)); !errors.Is(err, context.Canceled) || j.Head().Sequence != 1 {
		t.Error(err)
	}
	if _, err := Open(ended, folder, "s"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := Verify(ended, folder, "s"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	j.Close()
	if _, err := Open(ended, folder, "s"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	_, err := j.Append(ctx, numbered(2))
	wantFault(t, err, fault.Unavailable, "JOURNAL.UNWRITABLE")
	for _, err := range j.Read(ctx, 1) {
		wantFault(t, err, fault.Unavailable, "JOURNAL.UNREADABLE")
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
	mustAppend(t, mustOpen(t, folder, "s"), numbered(2))
}

// A second writer waits, then names the file and who has it; when the first is gone it goes on.
func TestSecondWriterWaits(t *testing.T) {
	t.Parallel()
	folder := newFolder(t)
	j := mustOpen(t, folder, "s")
	begin := time.Now()
	_, err := open(ctx, osDisk{}, folder, "s", 80*time.Millisecond)
	f := wantFault(t, err, fault.Unavailable, "JOURNAL.BUSY")
	if waited := time.Since(begin); waited < 80*time.Millisecond || f.Target != j.path ||
		!strings.Contains(f.Message, fmt.Sprintf("process %d ", os.Getpid())) || f.Next[0] != fmt.Sprintf("ps -p %d", os.Getpid()) {
		t.Errorf("after %s: %+v", waited, f)
	}
	if err := os.WriteFile(besides(j.path, lockSuffix), []byte("?"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = open(ctx, osDisk{}, folder, "s", time.Millisecond)
	f = wantFault(t, err, fault.Unavailable, "JOURNAL.BUSY")
	if !strings.Contains(f.Message, "another process") || !strings.HasPrefix(f.Next[0], "fuser -v ") {
		t.Errorf("%+v", f)
	}
	opened := make(chan error)
	go func() {
		second, err := open(ctx, osDisk{}, folder, "s", time.Minute)
		if err == nil {
			_, err = second.Append(ctx, numbered(2))
			second.Close()
		}
		opened <- err
	}()
	mustAppend(t, j, numbered(1))
	j.Close()
	if err := <-opened; err != nil {
		t.Fatal(err)
	}
	if got := collect(t, folder, "s"); len(got) != 2 {
		t.Errorf("%d records", len(got))
	}
	mustOpen(t, folder, "other") // other streams have writers of their own
	mustOpen(t, folder, "s")
}

// Whoever deletes the lock's file, as people do when something is stuck, does not let in a second writer.
func TestDeletedLockFile(t *testing.T) {
	t.Parallel()
	folder := newFolder(t)
	j := mustOpen(t, folder, "s")
	if err := os.Remove(besides(j.path, lockSuffix)); err != nil {
		t.Fatal(err)
	}
	_, err := open(ctx, osDisk{}, folder, "s", 20*time.Millisecond)
	wantFault(t, err, fault.Unavailable, "JOURNAL.BUSY")
	mustAppend(t, j, numbered(1))
	j.Close()
	mustOpen(t, folder, "s")
}

// Nothing is acknowledged that went into a file which is the journal no more, or beside what somebody else wrote.
func TestMovedUnderItsWriter(t *testing.T) {
	t.Parallel()
	for name, move := range map[string]func(path string) error{
		"removed":  os.Remove,
		"replaced": func(path string) error { return errors.Join(os.Rename(path, path+"~"), copyFile(path+"~", path)) },
		"written":  func(path string) error { return appendTo(path, "more\n") },
		"emptied":  func(path string) error { return os.Truncate(path, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := newFolder(t)
			j := mustOpen(t, folder, "s")
			mustAppend(t, j, numbered(1))
			if err := move(j.path); err != nil {
				t.Fatal(err)
			}
			before, _ := os.ReadFile(j.path)
			for range 2 {
				_, err := j.Append(ctx, numbered(2))
				wantFault(t, err, fault.Unavailable, "JOURNAL.MOVED")
			}
			if after, _ := os.ReadFile(j.path); !bytes.Equal(before, after) || j.Head().Sequence != 1 {
				t.Errorf("now %q", after)
			}
		})
	}
}

// So is what went into a file that is removed while it is synced.
func TestMovedWhileItIsSynced(t *testing.T) {
	t.Parallel()
	folder := newFolder(t)
	d := &faulty{}
	j, err := open(ctx, d, folder, "s", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	mustAppend(t, j, numbered(1))
	d.onSync = func() { os.Remove(j.path) }
	_, err = j.Append(ctx, numbered(2))
	wantFault(t, err, fault.Unavailable, "JOURNAL.MOVED")
	if j.Head().Sequence != 1 {
		t.Error("it is acknowledged")
	}
}

// flicker shows other bytes the first few times that it is read, as a file does that is written between two reads.
type flicker struct {
	io.ReaderAt
	times int
}

func (f *flicker) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.ReaderAt.ReadAt(p, at)
	if f.times > 0 && n > 200 {
		f.times--
		p[200] ^= 1
	}
	return n, err
}

// A reader believes in damage when it stays.
func TestReaderLooksAgain(t *testing.T) {
	t.Parallel()
	folder := newFolder(t)
	mustAppend(t, mustOpen(t, folder, "s"), numbered(1), numbered(2))
	for times, want := range map[int]int64{0: 2, 1: 2, rereads: 2, rereads + 1: 0} {
		v, err := view(folder, "s")
		if err != nil {
			t.Fatal(err)
		}
		v.scanner.file = &flicker{ReaderAt: v.file, times: times}
		v.seek(v.end)
		var got int64
		each(ctx, v.next, 1, func(r Record, err error) bool { got = r.Sequence; return true })
		if v.file.Close(); got != want {
			t.Errorf("after %d other reads: %d records", times, got)
		}
	}
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o666)
}

func appendTo(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// What stands in the place of a journal and is none is refused at once, and left as it is.
func TestNoJournal(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(path string) error{
		"a folder":       func(path string) error { return os.Mkdir(path, 0o777) },
		"a link":         func(path string) error { return os.Symlink("elsewhere", path) },
		"a pipe":         func(path string) error { return syscall.Mkfifo(path, 0o666) },
		"an empty file":  func(path string) error { return os.WriteFile(path, nil, 0o666) },
		"a text":         func(path string) error { return os.WriteFile(path, []byte("# Title\n\nText\n"), 0o666) },
		"a long line":    func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte{'a'}, 1<<20), 0o666) },
		"JSON":           func(path string) error { return os.WriteFile(path, []byte("{\"format\":1}\n"), 0o666) },
		"another stream": func(path string) error { line, _ := headerLine("t"); return os.WriteFile(path, line, 0o666) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := newFolder(t)
			if err := os.Mkdir(folder, 0o777); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(folder, "s.journal")
			if err := make(path); err != nil {
				t.Fatal(err)
			}
			before, _ := os.Lstat(path)
			_, err := Open(ctx, folder, "s")
			wantFault(t, err, fault.Invalid, "JOURNAL.FOREIGN")
			_, err = Verify(ctx, folder, "s")
			wantFault(t, err, fault.Invalid, "JOURNAL.FOREIGN")
			if after, err := os.Lstat(path); err != nil || !os.SameFile(before, after) || before.Size() != after.Size() {
				t.Error("it was changed", err)
			}
		})
	}
}

func TestFolderThatCannotBe(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	for _, folder := range []string{filepath.Join(parent, "missing", "standards"), filepath.Join(parent, "file")} {
		if err := os.WriteFile(filepath.Join(parent, "file"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Open(ctx, folder, "s")
		wantFault(t, err, fault.Unavailable, "JOURNAL.UNWRITABLE")
	}
}

// A reader beside a writer whose appends fail half-way, are cut off and written anew: it sees whole Appends in their order,
// and no damage.
func TestReadersBesideAWriter(t *testing.T) {
	t.Parallel()
	folder := newFolder(t)
	d := &faulty{noSync: true, mode: halfEIO}
	j, err := open(ctx, d, folder, "s", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			for ended := false; !ended; {
				select {
				case <-done:
					ended = true
				default:
				}
				count := int64(0)
				for r, err := range Read(ctx, folder, "s", 1) {
					if err != nil {
						t.Errorf("after record %d: %v", count, err)
						return
					}
					if count++; r.Sequence != count {
						t.Errorf("record %d in place %d", r.Sequence, count)
					}
				}
				if count%2 != 0 {
					t.Errorf("half of an Append was seen: %d records", count)
				}
			}
		})
	}
	for n := range 60 {
		big := identity.Record{"n": n, "filler": strings.Repeat("x", 9000)}
		if n%2 == 0 {
			d.at = d.calls + 1 // the write goes wrong half-way
		}
		if _, err := j.Append(ctx, big, big); err != nil {
			mustAppend(t, j, big, big)
		}
	}
	close(done)
	readers.Wait()
	if got := len(collect(t, folder, "s")); got != 120 {
		t.Errorf("%d records", got)
	}
}
