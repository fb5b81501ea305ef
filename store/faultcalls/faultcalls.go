// Package faultcalls lets one system call of SQLite fail, and records those that change a file, for tests. SQLite makes its calls through a
// table that a test may replace (xSetSystemCall of its unix VFS); fsync is not in it, and is wrapped by the linker.
//
// It promises that every call of the table which can fail is replaced, and that the n-th of them, and no other, does what was asked. It
// changes the whole process and nothing takes it back: import it in tests alone, and use it in a process of its own, on one goroutine.
package faultcalls

/*
#cgo LDFLAGS: -Wl,--unresolved-symbols=ignore-all -Wl,--wrap=fsync
#include <stdlib.h>
#include "calls.h"
*/
import "C"

import (
	"errors"
	"path/filepath"
	"unsafe"
)

// Mode is what happens at the call.
type Mode int

// Kill ends the process before a call that changes something on the disk. IO and Space let it fail with EIO or ENOSPC. Half writes the first
// half of what a write writes, and ends the process; any other call is then made as usual. Blind lets a call that only looks fail with EIO.
const (
	Kill  Mode = C.KILL
	IO    Mode = C.FAIL_IO
	Space Mode = C.FAIL_SPACE
	Half  Mode = C.HALF
	Blind Mode = C.LOOK_IO
)

// Arm lets the n-th call of the mode's sort from now on fail; 0 lets none, and counts.
func Arm(n int, mode Mode) error {
	if C.arm(C.int(n), C.int(mode)) != 0 {
		return errors.New("not all calls of SQLite can be replaced")
	}
	return nil
}

// Calls names the calls that change something, and those that only look, which were made since Arm, in order.
func Calls() (changes, looks []string) { return made(0), made(1) }

func made(sort C.int) (names []string) {
	for i := range C.calls_made(sort) {
		names = append(names, C.GoString(C.call_made(sort, i)))
	}
	return names
}

// SkipSyncs makes fsync do nothing once Arm was called: what a process sees of its own files, or leaves when it is killed, does not depend on it.
func SkipSyncs() { C.skip_syncs() }

// Call is what an event is.
type Call int

// Create gives a new file a name, also one that was made empty by others before; Unlink takes the name away. Sync is of a file,
// and SyncFolder of the folder.
const (
	Create     Call = C.CREATE
	Write      Call = C.WRITE
	Truncate   Call = C.TRUNCATE
	Unlink     Call = C.UNLINK
	Sync       Call = C.SYNC
	SyncFolder Call = C.SYNC_FOLDER
	Marked     Call = C.MARK
)

// Event is one call that succeeded, or a mark.
type Event struct {
	Call Call
	File int    // numbered from 1 on; a name that is given anew names another file
	Name string // of Create and Unlink: within the folder
	At   int64  // the offset of a Write, the size of a Truncate, the number of a mark
	Data []byte
}

// Trace records, from now on, what is done to the files of one folder. Arm must have been called.
func Trace(folder string) {
	text := C.CString(folder + "/")
	defer C.free(unsafe.Pointer(text))
	C.start_trace(text)
}

// Mark puts a number into the trace.
func Mark(number int) { C.mark(C.int64_t(number)) }

// Traced is what was recorded.
func Traced() (all []Event) {
	var events *C.event
	var data *C.char
	n := C.traced(&events, &data)
	for _, e := range unsafe.Slice(events, int(n)) {
		event := Event{Call: Call(e.call), File: int(e.file), At: int64(e.at)}
		if e.size > 0 {
			event.Data = C.GoBytes(unsafe.Add(unsafe.Pointer(data), e.from), C.int(e.size))
		}
		if event.Call == Create || event.Call == Unlink {
			event.Name, event.Data = filepath.Base(string(event.Data)), nil
		}
		all = append(all, event)
	}
	return all
}
