package store

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

// interrupt leaves the file as a process does that is killed inside the transaction sql: pages written to the file already,
// and the journal that takes them back beside it. A tiny cache makes SQLite write early; a copy taken then is what a kill
// would leave.
func interrupt(t *testing.T, path, sql string) {
	t.Helper()
	cmd := exec.Command("sqlite3", "-batch", path)
	copies := "cp " + fault.ShellWord(path) + " " + fault.ShellWord(path+".killed") + "; cp " + fault.ShellWord(path+"-journal") + " " + fault.ShellWord(path+".killed-journal")
	cmd.Stdin = strings.NewReader("PRAGMA cache_size=2;\nBEGIN IMMEDIATE;\n" + sql + ";\n.shell " + copies + "\nROLLBACK;\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, suffix := range []string{"", "-journal"} {
		if err := os.Rename(path+".killed"+suffix, path+suffix); err != nil {
			t.Fatal(err)
		}
	}
	if len(fileBytes(t, path)) < 1_000_000 {
		t.Fatal("nothing was written early")
	}
}

// Whoever opens next, for reading even, sees the state before the interrupted transaction.
func TestInterruptedCommitIsRolledBack(t *testing.T) {
	t.Parallel()
	for _, mode := range []Mode{ReadOnly, Create} {
		path := filepath.Join(t.TempDir(), "store.sqlite3")
		s := mustOpen(t, path, Create)
		mustPut(t, s, leaf("before"))
		s.Close()
		interrupt(t, path, "INSERT INTO authority_objects VALUES('z:sha256:00', zeroblob(3000000))")
		r := mustOpen(t, path, mode)
		if got, err := r.Find(ctx, "", 10); err != nil || !slices.Equal(got, []string{leaf("before").ID}) {
			t.Errorf("mode %d: %v, %v", mode, got, err)
		}
		if got := names(t, filepath.Dir(path)); !slices.Equal(got, []string{"store.sqlite3"}) {
			t.Errorf("mode %d: folder holds %q", mode, got)
		}
	}
}

// A look that is to change nothing leaves the journal to whoever opens the store next.
func TestUntouchedRollsNothingBack(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.sqlite3")
	_, err := Open(ctx, path, codecs, Untouched)
	wantFault(t, err, fault.Unavailable, "STORE.MISSING")
	s := mustOpen(t, path, Create)
	mustPut(t, s, leaf("before"))
	s.Close()
	interrupt(t, path, "INSERT INTO authority_objects VALUES('z:sha256:00', zeroblob(3000000))")
	before, journal := fileBytes(t, path), fileBytes(t, path+"-journal")
	_, err = Open(ctx, path, codecs, Untouched)
	wantFault(t, err, fault.Unavailable, "STORE.BUSY")
	if !bytes.Equal(fileBytes(t, path), before) || !bytes.Equal(fileBytes(t, path+"-journal"), journal) {
		t.Error("the store or its journal changed")
	}
	r := mustOpen(t, path, ReadOnly)
	if got, err := r.Find(ctx, "", 10); err != nil || !slices.Equal(got, []string{leaf("before").ID}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestInterruptedCreationIsBegunAgain(t *testing.T) {
	t.Parallel()
	creation := "PRAGMA application_id=" + strconv.Itoa(applicationID) + "; PRAGMA user_version=1; " + strings.Join(schema, ";\n") +
		"; INSERT INTO authority_objects VALUES('z:sha256:00', zeroblob(3000000))"
	for _, mode := range []Mode{ReadOnly, Create} {
		path := filepath.Join(t.TempDir(), "store.sqlite3")
		interrupt(t, path, creation)
		if mode == ReadOnly {
			_, err := Open(ctx, path, codecs, mode)
			wantFault(t, err, fault.Unavailable, "STORE.MISSING")
			continue
		}
		s := mustOpen(t, path, mode)
		mustPut(t, s, leaf("a"))
		if got := sqlite(t, path, "SELECT handle FROM authority_objects; PRAGMA integrity_check"); got != leaf("a").ID+"\nok" {
			t.Errorf("store: %q", got)
		}
	}
}

func TestForeignJournalIsNotPlayedBack(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "other.db")
	sqlite(t, path, "PRAGMA application_id=7; CREATE TABLE t(x)")
	interrupt(t, path, "INSERT INTO t VALUES(zeroblob(3000000))")
	before, journal := fileBytes(t, path), fileBytes(t, path+"-journal")
	for _, mode := range []Mode{ReadOnly, Create} {
		_, err := Open(ctx, path, codecs, mode)
		wantFault(t, err, fault.Invalid, "STORE.FOREIGN")
		if !bytes.Equal(fileBytes(t, path), before) || !bytes.Equal(fileBytes(t, path+"-journal"), journal) {
			t.Errorf("mode %d: the database or its journal changed", mode)
		}
	}
}
