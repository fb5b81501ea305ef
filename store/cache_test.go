package store

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// keepAll writes values through a cache of its own.
func keepAll(folder string, values map[string][]byte) {
	c := NewCache(func() string { return folder })
	for key, value := range values {
		c.Keep(key, value)
	}
	c.Close()
}

// ignored is a folder as a store makes one.
func ignored(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := ignoreFolder(folder); err != nil {
		t.Fatal(err)
	}
	return folder
}

func loadAll(t *testing.T, folder string, keys ...string) map[string][]byte {
	t.Helper()
	c := NewCache(func() string { return folder })
	defer c.Close()
	return c.Load(t.Context(), keys)
}

func equalValues(a, b map[string][]byte) bool { return maps.EqualFunc(a, b, bytes.Equal) }

func someValues(n int) map[string][]byte {
	values := map[string][]byte{}
	for i := range n {
		values[fmt.Sprintf("key %d", i)] = bytes.Repeat([]byte{byte(i), 0, 255}, 10*i+1)
	}
	return values
}

func TestCacheGivesBackWhatWasKept(t *testing.T) {
	t.Parallel()
	folder := ignored(t)
	values := someValues(200)
	keepAll(folder, values)
	if got := loadAll(t, folder, append([]string{"unknown", "x'; DROP TABLE made"}, keysOf(values)...)...); !equalValues(got, values) {
		t.Errorf("%d of %d values came back, or others", len(got), len(values))
	}
	if got := loadAll(t, folder, "key 7"); len(got) != 1 {
		t.Errorf("%d values for one key", len(got))
	}
	keepAll(folder, map[string][]byte{"key 7": []byte("new")})
	if got := loadAll(t, folder, "key 7"); string(got["key 7"]) != "new" {
		t.Errorf("what was kept last is %q", got["key 7"])
	}
	if all := names(t, folder); len(all) != 2 || all[1] != CacheName {
		t.Errorf("the folder holds %q", all)
	}
}

func keysOf(values map[string][]byte) (keys []string) {
	for key := range values {
		keys = append(keys, key)
	}
	return keys
}

// A folder that is not there is not made, and what stands in the way stays as it is.
func TestCacheTouchesNothingElse(t *testing.T) {
	t.Parallel()
	values := someValues(3)
	seen := t.TempDir()
	keepAll(seen, values)
	if all := names(t, seen); len(all) > 0 {
		t.Errorf("a folder that is not ignored holds %q", all)
	}
	missing := filepath.Join(t.TempDir(), "missing")
	keepAll(missing, values)
	if exists(missing) {
		t.Error("a folder was made")
	}
	target := filepath.Join(t.TempDir(), "target")
	for name, make := range map[string]func(path string) error{
		"a folder":       func(path string) error { return os.Mkdir(path, 0o700) },
		"a pipe":         func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a link":         func(path string) error { return os.Symlink(target, path) },
		"a store":        func(path string) error { return mustOpen(t, path, Create).Close() },
		"a newer cache":  func(path string) error { return alterCache(path, "PRAGMA user_version=2") },
		"another schema": func(path string) error { return alterCache(path, "CREATE VIEW other AS SELECT 1") },
	} {
		folder := ignored(t)
		path := filepath.Join(folder, CacheName)
		if err := make(path); err != nil {
			t.Fatal(name, err)
		}
		before, _ := os.Lstat(path)
		done := time.Now()
		keepAll(folder, values)
		if got := loadAll(t, folder, keysOf(values)...); len(got) > 0 {
			t.Errorf("%s is read as a cache", name)
		}
		if time.Since(done) > 4*time.Second {
			t.Errorf("%s is waited for", name)
		}
		after, err := os.Lstat(path)
		if err != nil || before.Mode() != after.Mode() || before.Size() != after.Size() || !before.ModTime().Equal(after.ModTime()) {
			t.Errorf("%s is another afterwards (%v)", name, err)
		}
	}
	if exists(target) {
		t.Error("a link was followed")
	}
}

func alterCache(path, statement string) error {
	keepAll(filepath.Dir(path), someValues(3))
	conn, err := (&sqlite3.SQLiteDriver{}).Open(path)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = conn.(*sqlite3.SQLiteConn).Exec(statement, nil)
	return err
}

// A damaged file gives what is right or nothing, and is soon whole again.
func TestCacheBeginsAnew(t *testing.T) {
	t.Parallel()
	folder := ignored(t)
	path := filepath.Join(folder, CacheName)
	values := someValues(100)
	keepAll(folder, values)
	whole := fileBytes(t, path)
	damaged := map[string][]byte{"garbage": bytes.Repeat([]byte("no database "), 1000), "empty": {}, "short": whole[:len(whole)/2], "a byte": {'x'}}
	for at := 0; at < len(whole); at += 4096 {
		page := bytes.Clone(whole)
		copy(page[at:min(at+4096, len(page))], bytes.Repeat([]byte{0xa5}, 4096))
		damaged[fmt.Sprintf("page at %d", at)] = page
	}
	for name, bytes := range damaged {
		if err := os.WriteFile(path, bytes, 0o666); err != nil {
			t.Fatal(err)
		}
		loadAll(t, folder, keysOf(values)...)
		keepAll(folder, values)
		keepAll(folder, values) // where the damage was only seen while it was written to
		if got := loadAll(t, folder, keysOf(values)...); !equalValues(got, values) {
			t.Errorf("%s: %d of %d values are there after two more writes", name, len(got), len(values))
		}
	}
}

func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	folder := ignored(t)
	large := bytes.Repeat([]byte{1}, cacheLargest+1)
	keepAll(folder, map[string][]byte{"large": large, "small": []byte("s")})
	if got := loadAll(t, folder, "large", "small"); len(got) != 1 || string(got["small"]) != "s" {
		t.Errorf("%d values are read", len(got))
	}
	for i := range 20 {
		c := NewCache(func() string { return folder })
		c.bound = 1 << 20
		c.Keep(fmt.Sprint(i), large[:1<<18])
		c.Close()
	}
	info, err := os.Stat(filepath.Join(folder, CacheName))
	if err != nil || info.Size() > cacheLargest+4<<20 {
		t.Errorf("the file has %d bytes (%v)", info.Size(), err)
	}
	if got := loadAll(t, folder, "small"); len(got) > 0 {
		t.Error("what is old outlives the bound")
	}
}

// Whoever cannot write, or must wait, goes on without.
func TestCacheNeverHoldsAnybodyUp(t *testing.T) {
	t.Parallel()
	folder := ignored(t)
	values := someValues(50)
	keepAll(folder, values)
	conn, err := (&sqlite3.SQLiteDriver{}).Open(filepath.Join(folder, CacheName))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.(*sqlite3.SQLiteConn).Exec("BEGIN EXCLUSIVE", nil); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	keepAll(folder, values)
	if got := loadAll(t, folder, keysOf(values)...); len(got) > 0 {
		t.Error("it was read under another's lock")
	}
	if time.Since(begun) > 4*time.Second {
		t.Errorf("another's lock was waited for: %v", time.Since(begun))
	}
	if _, err := conn.(*sqlite3.SQLiteConn).Exec("ROLLBACK", nil); err != nil {
		t.Fatal(err)
	}
	if got := loadAll(t, folder, keysOf(values)...); !equalValues(got, values) {
		t.Errorf("%d of %d values came back after the lock was given up", len(got), len(values))
	}
}

func TestCachesAtTheSameTime(t *testing.T) {
	t.Parallel()
	folder := ignored(t)
	values := someValues(40)
	var running sync.WaitGroup
	for i := range 8 {
		running.Go(func() {
			if i%2 == 0 {
				keepAll(folder, values)
			}
			for key, value := range loadAll(t, folder, keysOf(values)...) {
				if !bytes.Equal(value, values[key]) {
					t.Errorf("%s has another value", key)
				}
			}
		})
	}
	running.Wait()
	keepAll(folder, values)
	if got := loadAll(t, folder, keysOf(values)...); !equalValues(got, values) {
		t.Errorf("%d of %d values are there in the end", len(got), len(values))
	}
}
