package store

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
)

// fileBytes reads a file in another process: closing a descriptor here would drop this process's locks on it.
func fileBytes(t testing.TB, path string) []byte {
	t.Helper()
	out, err := exec.Command("cat", "--", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// names lists a folder.
func names(t testing.TB, folder string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		all = append(all, entry.Name())
	}
	return all
}

func TestLocation(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"/r/.git", "", "/r/.standards-engine/authority.sqlite3"},
		{"/r/.git", "/elsewhere", "/r/.standards-engine/authority.sqlite3"},
		{"/bare.git", "", "/bare.git/.standards-engine/authority.sqlite3"},
		{"/meta/git", "/work/tree", "/work/tree/.standards-engine/authority.sqlite3"},
		{"/r/.git/modules/lib", "../../../lib", "/r/lib/.standards-engine/authority.sqlite3"},
	} {
		if got := Location(c[0], c[1]); got != c[2] {
			t.Errorf("Location(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestFileFormat(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	for sql, want := range map[string]string{
		"PRAGMA application_id":  "1397047601", // 0x53454131
		"PRAGMA user_version":    "1",
		"PRAGMA journal_mode":    "delete",
		"PRAGMA integrity_check": "ok",
		"SELECT sum(wr) FROM pragma_table_list WHERE schema='main'":                                          "1",
		"SELECT group_concat(name || type || pk || \"notnull\") FROM pragma_table_info('authority_objects')": "handleTEXT11,envelopeBLOB01",
		"SELECT group_concat(substr(name, 19)) FROM sqlite_schema WHERE type='trigger'":                      "keep_rows,keep_text",
	} {
		if got := sqlite(t, s.path, sql); got != want {
			t.Errorf("%s: %q, want %q", sql, got, want)
		}
	}
}

func TestEveryConnectionHasItsSettings(t *testing.T) {
	t.Parallel()
	path := newStore(t).path
	for _, mode := range []Mode{ReadOnly, Create} {
		s := mustOpen(t, path, mode)
		for pragma, want := range map[string]string{"synchronous": "3", "busy_timeout": "5000", "trusted_schema": "0",
			"cell_size_check": "1", "mmap_size": "0", "journal_mode": "delete", "locking_mode": "normal"} {
			var got string
			if err := s.db.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
				t.Errorf("mode %d: %s = %q, %v; want %q", mode, pragma, got, err, want)
			}
		}
	}
	// The driver names a setting that SQLite did not take.
	c := &connector{dsn: "file://" + path + "?mode=ro&_busy_timeout=5000&_synchronous=EXTRA", busy: "4999"}
	if _, err := c.Connect(ctx); err == nil {
		t.Error("a connection with another busy bound was accepted")
	}
	c = &connector{dsn: "file://" + path + "?mode=ro&_busy_timeout=5000&_synchronous=FULL", busy: "5000"}
	if _, err := c.Connect(ctx); err == nil {
		t.Error("a connection with synchronous=FULL was accepted")
	}
}

func TestRowsAreNeverChangedOrDeleted(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	mustPut(t, s, leaf("a"))
	for _, sql := range []string{"UPDATE authority_objects SET envelope = x'00'", "DELETE FROM authority_objects"} {
		out, err := exec.Command("sqlite3", "-batch", s.path, sql).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "authority objects are never") {
			t.Errorf("%s: %v: %s", sql, err, out)
		}
	}
	if !stored(t, s, leaf("a"))[0] {
		t.Error("the object is gone")
	}
}

func TestFolderIgnoresItself(t *testing.T) {
	t.Parallel()
	path := newStore(t).path
	folder := filepath.Dir(path)
	if got := names(t, folder); !slices.Equal(got, []string{".gitignore", FileName}) {
		t.Errorf("folder holds %q", got)
	}
	if text, err := os.ReadFile(filepath.Join(folder, ".gitignore")); err != nil || string(text) != "*\n" {
		t.Errorf(".gitignore: %q, %v", text, err)
	}
	// A .gitignore that is there, and a folder that is not the store's own, are left alone.
	own := filepath.Join(t.TempDir(), FolderName, FileName)
	ignore := filepath.Join(filepath.Dir(own), ".gitignore")
	if err := errors.Join(os.Mkdir(filepath.Dir(own), 0o777), os.WriteFile(ignore, []byte("# mine\n*\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, own, Create)
	if text, _ := os.ReadFile(ignore); string(text) != "# mine\n*\n" {
		t.Errorf("own .gitignore became %q", text)
	}
	elsewhere := filepath.Join(t.TempDir(), "deep", "er", "records.db")
	mustOpen(t, elsewhere, Create)
	if got := names(t, filepath.Dir(elsewhere)); !slices.Equal(got, []string{"records.db"}) {
		t.Errorf("named store: folder holds %q", got)
	}
}

func TestUmaskAloneDecidesModes(t *testing.T) {
	// Not parallel: the umask is the whole process's.
	for _, umask := range []int{0, 0o002, 0o022, 0o077} {
		old := syscall.Umask(umask)
		path := newStore(t).path
		syscall.Umask(old)
		for name, full := range map[string]os.FileMode{path: 0o666, filepath.Dir(path): 0o777} {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := info.Mode().Perm(), full&^os.FileMode(umask); got != want {
				t.Errorf("umask %03o: %s has mode %03o, want %03o", umask, filepath.Base(name), got, want)
			}
		}
	}
}

func TestOddPaths(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a b", "q?mode=memory", "h#ash", "per%20cent%00", "qu'o\"te", "semi;amp&eq=", "ünïcode", "back\\slash",
		"\xff\xfe", "new\nline", "file:x", "-dash", "x::memory:"} {
		path := filepath.Join(t.TempDir(), name, name+".sqlite3")
		s := mustOpen(t, path, Create)
		mustPut(t, s, leaf("odd"))
		if got := names(t, filepath.Dir(path)); !slices.Equal(got, []string{name + ".sqlite3"}) {
			t.Errorf("%q: folder holds %q", name, got)
		}
		if !stored(t, mustOpen(t, path, ReadOnly), leaf("odd"))[0] {
			t.Errorf("%q: not stored", name)
		}
	}
}

func TestPathsAsGiven(t *testing.T) {
	t.Chdir(t.TempDir()) // not parallel: the working directory is the whole process's
	mustOpen(t, "relative.db", Create)
	for _, path := range []string{"", "a\x00b"} {
		_, err := Open(ctx, path, codecs, Create)
		wantFault(t, err, fault.Invalid, "STORE.PATH")
	}
	if got := names(t, "."); !slices.Equal(got, []string{"relative.db"}) {
		t.Errorf("folder holds %q", got)
	}
}

func TestReadOnlyCreatesNothing(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, path := range []string{filepath.Join(folder, FolderName, FileName), filepath.Join(folder, "typo.sqlite3")} {
		_, err := Open(ctx, path, codecs, ReadOnly)
		wantFault(t, err, fault.Unavailable, "STORE.MISSING")
	}
	if got := names(t, folder); got != nil {
		t.Errorf("folder holds %q", got)
	}
	empty := filepath.Join(folder, "empty")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Open(ctx, empty, codecs, ReadOnly)
	wantFault(t, err, fault.Unavailable, "STORE.MISSING")
	mustOpen(t, empty, Create)
	mustPut(t, mustOpen(t, empty, Create), leaf("a"))
	r := mustOpen(t, empty, ReadOnly)
	mustPut(t, r, leaf("a"))
	wantFault(t, r.Put(ctx, leaf("b")), fault.Unavailable, "STORE.READONLY")
}

// Each file that is not a store of this version is refused by name in both modes, and neither it nor its folder changes.
func TestRefusedFiles(t *testing.T) {
	t.Parallel()
	big := func(t *testing.T, path string) {
		s := mustOpen(t, path, Create)
		for range 3 {
			mustPut(t, s, tree("big", leaf(strings.Repeat("x", 20_000)), leaf("y")))
		}
		s.Close()
	}
	cut := func(size int64) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			big(t, path)
			if err := os.Truncate(path, size); err != nil {
				t.Fatal(err)
			}
		}
	}
	altered := func(sql string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			big(t, path)
			sqlite(t, path, sql)
		}
	}
	for name, c := range map[string]struct {
		make    func(*testing.T, string)
		outcome fault.Outcome
		code    string
	}{
		"text": {func(t *testing.T, path string) {
			os.WriteFile(path, []byte(strings.Repeat("not a database\n", 400)), 0o666)
		}, fault.Invalid, "STORE.FOREIGN"},
		"one byte":  {func(t *testing.T, path string) { os.WriteFile(path, []byte("x"), 0o666) }, fault.Invalid, "STORE.FOREIGN"},
		"zeros":     {func(t *testing.T, path string) { os.WriteFile(path, make([]byte, 8192), 0o666) }, fault.Invalid, "STORE.FOREIGN"},
		"directory": {func(t *testing.T, path string) { os.Mkdir(path, 0o777) }, fault.Invalid, "STORE.FOREIGN"},
		"fifo":      {func(t *testing.T, path string) { syscall.Mkfifo(path, 0o666) }, fault.Invalid, "STORE.FOREIGN"},
		"other database": {func(t *testing.T, path string) { sqlite(t, path, "CREATE TABLE t(x); INSERT INTO t VALUES(1)") },
			fault.Invalid, "STORE.FOREIGN"},
		"database in WAL": {func(t *testing.T, path string) { sqlite(t, path, "PRAGMA journal_mode=WAL; CREATE TABLE t(x)") },
			fault.Invalid, "STORE.FOREIGN"},
		"blank database":      {func(t *testing.T, path string) { sqlite(t, path, "VACUUM") }, fault.Invalid, "STORE.FOREIGN"},
		"store put in WAL":    {altered("PRAGMA journal_mode=WAL"), fault.Invalid, "STORE.FOREIGN"},
		"other application":   {altered("PRAGMA application_id=7"), fault.Invalid, "STORE.FOREIGN"},
		"no version":          {altered("PRAGMA user_version=0"), fault.Invalid, "STORE.FOREIGN"},
		"one more table":      {altered("CREATE TABLE t(x)"), fault.Invalid, "STORE.FOREIGN"},
		"one trigger less":    {altered("DROP TRIGGER authority_objects_keep_rows"), fault.Invalid, "STORE.FOREIGN"},
		"newer version":       {altered("PRAGMA user_version=2; CREATE TABLE journal(x)"), fault.Unsupported, "STORE.NEWER"},
		"cut in first page":   {cut(3000), fault.Invalid, "STORE.CORRUPT"},
		"cut after a page":    {cut(8192), fault.Invalid, "STORE.CORRUPT"},
		"cut inside a page":   {cut(10_000), fault.Invalid, "STORE.CORRUPT"},
		"cut before the head": {cut(50), fault.Invalid, "STORE.CORRUPT"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			path := filepath.Join(folder, "store.sqlite3")
			c.make(t, path)
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			var before []byte
			if info.Mode().IsRegular() {
				before = fileBytes(t, path)
			}
			for _, mode := range []Mode{ReadOnly, Create} {
				_, err := Open(ctx, path, codecs, mode)
				f := wantFault(t, err, c.outcome, c.code)
				if f.Target != path || len(f.Next) == 0 {
					t.Errorf("mode %d: no place or no next command: %+v", mode, f)
				}
			}
			// SQLite makes its shared memory file for a database in WAL mode even to read it.
			if got := names(t, folder); name != "store put in WAL" && !slices.Equal(got, []string{"store.sqlite3"}) {
				t.Errorf("folder holds %q", got)
			}
			if info.Mode().IsRegular() && !bytes.Equal(fileBytes(t, path), before) {
				t.Error("the file changed")
			}
		})
	}
}

func TestNewerStoreIsNamed(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	sqlite(t, s.path, "PRAGMA user_version=12")
	_, err := Open(ctx, s.path, codecs, ReadOnly)
	if err == nil || !strings.Contains(err.Error(), "version 12; this build reads version 1") {
		t.Errorf("error %v", err)
	}
}

func TestPlacesThatCannotHoldAStore(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	outside := t.TempDir()
	if err := errors.Join(os.WriteFile(file, []byte("x"), 0o666), os.Symlink(outside, filepath.Join(folder, FolderName)),
		os.Symlink("nowhere", filepath.Join(folder, "dangling"))); err != nil {
		t.Fatal(err)
	}
	_, err := Open(ctx, filepath.Join(file, "below", FileName), codecs, Create)
	wantFault(t, err, fault.Unavailable, "STORE.UNREADABLE")
	// A repository may commit a link where the folder goes.
	_, err = Open(ctx, filepath.Join(folder, FolderName, FileName), codecs, Create)
	wantFault(t, err, fault.Invalid, "STORE.FOREIGN")
	if got := names(t, outside); got != nil {
		t.Errorf("written through the link: %q", got)
	}
	_, err = Open(ctx, filepath.Join(folder, "dangling"), codecs, Create)
	wantFault(t, err, fault.Invalid, "STORE.FOREIGN")
	if _, err := os.Lstat(filepath.Join(folder, "nowhere")); err == nil {
		t.Error("created through a dangling link")
	}
	_, err = Open(ctx, filepath.Join(folder, strings.Repeat("long/", 200), "x"), codecs, Create)
	wantFault(t, err, fault.Unavailable, "STORE.UNREADABLE")
}

func TestFlippedByteIsFound(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	n := leaf("a sentence that can be found in the file")
	mustPut(t, s, n)
	s.Close()
	text := fileBytes(t, s.path)
	at := bytes.Index(text, []byte("a sentence"))
	text[at] ^= 1
	if err := os.WriteFile(s.path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	r := mustOpen(t, s.path, ReadOnly)
	got, err := r.Get(ctx, n.ID)
	if err != nil {
		t.Fatal(err)
	}
	_, err = codecs.Open(n.ID, got)
	wantFault(t, err, fault.Invalid, "ENVELOPE.CORRUPT")
	wantFault(t, r.Put(ctx, n), fault.Invalid, "IDENTITY.COLLISION")
}

func TestBusyStore(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	mustPut(t, s, leaf("a"))
	hold := func(begin string) (release func() error) {
		other, err := open(ctx, s.path, codecs, Create, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.db.Exec(begin); err != nil {
			t.Fatal(err)
		}
		return other.Close
	}
	impatient, err := open(ctx, s.path, codecs, Create, 100*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	defer impatient.Close()
	for name, begin := range map[string]string{"writer": "BEGIN IMMEDIATE", "reader": "BEGIN; SELECT count(*) FROM authority_objects"} {
		release := hold(begin)
		mustPut(t, impatient, leaf("a")) // all is there: nothing to wait for
		start := time.Now()
		result := tree(name, leaf("b"))
		f := wantFault(t, impatient.Put(ctx, result), fault.Unavailable, "STORE.BUSY")
		if waited := time.Since(start); waited < 100*time.Millisecond || waited > 3*time.Second {
			t.Errorf("%s: waited %s", name, waited)
		}
		if len(f.Next) == 0 {
			t.Errorf("%s: no next command", name)
		}
		if held := stored(t, impatient, result); held[0] {
			t.Errorf("%s: what was refused is stored", name)
		}
		if err := release(); err != nil {
			t.Fatal(err)
		}
		mustPut(t, impatient, result)
	}
}

func TestStoreLockedWhileItIsOpened(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	if _, err := s.db.Exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []Mode{ReadOnly, Create} {
		_, err := open(ctx, s.path, codecs, mode, 100*time.Millisecond)
		wantFault(t, err, fault.Unavailable, "STORE.BUSY")
	}
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	mustPut(t, s, leaf("a"))
	if _, err := s.db.Exec("PRAGMA max_page_count=5"); err != nil {
		t.Fatal(err)
	}
	wantFault(t, s.Put(ctx, leaf("b"), leaf(strings.Repeat("x", 100_000))), fault.Unavailable, "STORE.FULL")
	if held := stored(t, s, leaf("a"), leaf("b")); !slices.Equal(held, []bool{true, false}) {
		t.Errorf("held %v", held)
	}
	mustPut(t, s, leaf("b"))
}

func TestSQLiteVersionIsTheBundledOne(t *testing.T) {
	t.Parallel()
	var version string
	if err := newStore(t).db.QueryRow("SELECT sqlite_version()").Scan(&version); err != nil || version != SQLiteVersion() {
		t.Errorf("%q, %v; SQLiteVersion says %q", version, err, SQLiteVersion())
	}
}
