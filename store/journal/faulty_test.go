package journal

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
)

// What faulty does at the call that it was told.
const (
	never    = iota
	failEIO  // nothing, and EIO
	failFull // nothing, and ENOSPC
	halfEIO  // half of a write, and EIO
	dead     // nothing, nor anything afterwards: the process has ended
	halfDead // half of a write, then as dead
	doneEIO  // all of it, and EIO all the same, as a failed fsync may have
)

var errDead = errors.New("the process is dead")

// faulty is the disk under a writer, of which one call, or some in a row, go wrong. It keeps what reached each file.
type faulty struct {
	at, row int // the first call that goes wrong, from 1 on, and how many do
	mode    int
	noSync  bool   // syncs do nothing: the mistake that the tests must find
	onSync  func() // called before each, where it is set

	calls int
	told  int // errors that were given
	died  bool
	log   []event
}

// event is one call that was made, or the acknowledgement of so many records.
type event struct {
	call  string // open, mkdir, rename, write, sync, truncate, acknowledge
	path  string // of the file, or where it was renamed to
	data  []byte // written
	size  int64  // truncated to
	count int64  // acknowledged
}

// call counts a call and returns what part of it, of a hundred, is to be done, and the error that it ends with.
func (d *faulty) call() (part int, err error) {
	if d.died {
		return 0, errDead
	}
	d.calls++
	if d.mode == never || d.calls < d.at || d.calls >= d.at+max(1, d.row) {
		return 100, nil
	}
	d.died = d.mode == dead || d.mode == halfDead
	part = map[int]int{halfEIO: 50, halfDead: 50, doneEIO: 100}[d.mode]
	return part, map[int]error{failEIO: syscall.EIO, failFull: syscall.ENOSPC, halfEIO: syscall.EIO, doneEIO: syscall.EIO,
		dead: errDead, halfDead: errDead}[d.mode]
}

func (d *faulty) do(e event, f func() error) error {
	part, err := d.call()
	if part < 100 && err != nil {
		d.told++
		return err
	}
	if done := f(); done != nil {
		return done
	}
	d.log = append(d.log, e)
	if err != nil {
		d.told++
	}
	return err
}

func (d *faulty) open(path string, flag int) (f file, err error) {
	err = d.do(event{call: "open", path: path}, func() error {
		opened, err := osDisk{}.open(path, flag)
		f = &faultyFile{file: opened, disk: d, path: path}
		return err
	})
	if err != nil && f != nil && f.(*faultyFile).file != nil {
		f.Close()
	}
	return f, err
}

func (d *faulty) rename(from, to string) error {
	return d.do(event{call: "rename", path: to}, func() error { return osDisk{}.rename(from, to) })
}

func (d *faulty) mkdir(path string) error {
	return d.do(event{call: "mkdir", path: path}, func() error { return osDisk{}.mkdir(path) })
}

type faultyFile struct {
	file
	disk *faulty
	path string
}

func (f *faultyFile) Write(data []byte) (int, error) {
	part, err := f.disk.call()
	if err != nil {
		f.disk.told++
	}
	n, failed := 0, error(nil)
	if part > 0 {
		n, failed = f.file.Write(data[:len(data)*part/100])
		f.disk.log = append(f.disk.log, event{call: "write", path: f.path, data: bytes.Clone(data[:n])})
	}
	return n, errors.Join(err, failed)
}

func (f *faultyFile) Sync() error {
	if f.disk.onSync != nil {
		f.disk.onSync()
	}
	return f.disk.do(event{call: "sync", path: f.path}, func() error {
		if f.disk.noSync {
			return nil
		}
		return f.file.Sync()
	})
}

func (f *faultyFile) Truncate(size int64) error {
	return f.disk.do(event{call: "truncate", path: f.path, size: size}, func() error { return f.file.Truncate(size) })
}

// String shows the calls, each with the end of its path.
func (d *faulty) String() string {
	var b strings.Builder
	for _, e := range d.log {
		fmt.Fprintf(&b, "%s %s\n", e.call, strings.TrimPrefix(filepath.Ext(e.path), "."))
	}
	return b.String()
}

// durable is what a disk has of a file for certain after some of the calls, which is the state at the last sync; what was
// cut off since and can still be there; and the file with all that was done to it.
func durable(log []event, path string) (synced, stale, now []byte) {
	for _, e := range log {
		if e.path != path {
			continue
		}
		switch e.call {
		case "write":
			now = append(bytes.Clone(now), e.data...)
		case "truncate":
			stale, now = now, bytes.Clone(now[:e.size])
		case "sync":
			synced, stale = now, nil
		}
	}
	return synced, stale, now
}
