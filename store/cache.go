package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// CacheName is the file of a Cache, beside the store.
const CacheName = "cache.sqlite3"

const (
	cacheID      = 0x53454331 // "SEC1" in ASCII
	cacheVersion = 1
	// cacheBound is how large the file may be, in bytes, before it begins anew.
	cacheBound = 256 << 20
	// cacheLargest is the largest value that is read, in bytes.
	cacheLargest = 16 << 20
	// cacheWait is how long another process that writes is waited for, in milliseconds: what it would give is soon made again.
	cacheWait = "100"
)

const cacheSchema = `CREATE TABLE made (key TEXT COLLATE BINARY PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID`

// Cache keeps bytes by key between commands, in a file that may be deleted at any time. Nothing that goes wrong with it is told: it then
// has nothing. It promises neither that what it gives was ever kept, nor that what was kept is given back; callers prove what they get.
type Cache struct {
	folder func() string
	path   string
	db     *sql.DB
	dead   bool              // it could not be opened
	kept   map[string][]byte // until Close
	bound  int64             // cacheBound
}

// NewCache is the cache in a folder FolderName. The folder is asked for, and the file opened, when something is loaded or written. A
// folder that is not there, or that Git does not ignore, gets none.
func NewCache(folder func() string) *Cache {
	return &Cache{folder: folder, kept: map[string][]byte{}, bound: cacheBound}
}

// Load gives the bytes of those keys that it has.
func (c *Cache) Load(ctx context.Context, keys []string) map[string][]byte {
	found := map[string][]byte{}
	list, err := json.Marshal(keys)
	if err != nil || !c.open(ctx) {
		return found
	}
	rows, err := c.db.QueryContext(ctx, `SELECT key, value FROM made
WHERE key IN (SELECT value FROM json_each(?)) AND length(value) <= ?`, string(list), cacheLargest)
	if err != nil {
		c.drop(err)
		return found
	}
	defer rows.Close()
	for rows.Next() {
		var key string
		var value []byte
		if err = rows.Scan(&key, &value); err != nil {
			break
		}
		found[key] = value
	}
	if err = errors.Join(err, rows.Err()); err != nil {
		rows.Close()
		c.drop(err)
	}
	return found
}

// Keep takes bytes to be kept; they are written by Close, when what they were made for is done.
func (c *Cache) Keep(key string, value []byte) { c.kept[key] = value }

// Close writes what was kept, and closes the file.
func (c *Cache) Close() {
	ctx := context.Background() // what was made is worth keeping, whatever became of the command
	if len(c.kept) > 0 && c.open(ctx) {
		if err := c.write(ctx); err != nil {
			c.drop(err)
		}
	}
	if c.db != nil {
		_ = c.db.Close() // what is not written is made again
		c.db = nil
	}
}

func (c *Cache) write(ctx context.Context) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var pages, size int64
	if err := tx.QueryRowContext(ctx, "SELECT page_count, page_size FROM pragma_page_count, pragma_page_size").Scan(&pages, &size); err != nil {
		return err
	}
	if pages*size > c.bound {
		if _, err := tx.ExecContext(ctx, "DELETE FROM made"); err != nil {
			return err
		}
	}
	insert, err := tx.PrepareContext(ctx, "INSERT OR REPLACE INTO made VALUES (?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	for key, value := range c.kept {
		if _, err := insert.ExecContext(ctx, key, value); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// open reports whether there is a file to ask; one that is missing in a folder that is there is made.
func (c *Cache) open(ctx context.Context) bool {
	if c.db != nil || c.dead {
		return c.db != nil
	}
	c.dead = true
	folder := c.folder()
	if info, err := os.Lstat(folder); err != nil || !info.IsDir() || !exists(filepath.Join(folder, ".gitignore")) {
		return false
	}
	c.path = filepath.Join(folder, CacheName)
	info, err := os.Lstat(c.path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		// Not by SQLite, which takes away group permissions that the umask grants.
		file, err := os.OpenFile(c.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil && !errors.Is(err, os.ErrExist) {
			return false
		}
		if err == nil {
			_ = file.Close() // nothing was written to it
		}
	case err != nil || !info.Mode().IsRegular():
		return false
	}
	if c.db, err = openCache(ctx, c.path); err != nil {
		c.drop(err)
	}
	return c.db != nil
}

// drop gives up on the file; a damaged one is removed, so that the next command begins anew.
func (c *Cache) drop(err error) {
	c.dead, c.kept = true, map[string][]byte{}
	if c.db != nil {
		_ = c.db.Close() // it is not used any more
		c.db = nil
	}
	var failed sqlite3.Error
	if errors.As(err, &failed) && (failed.Code == sqlite3.ErrCorrupt || failed.Code == sqlite3.ErrNotADB) {
		_ = os.Remove(c.path) // else it stays, and is of no use
	}
}

// openCache opens the file, makes the table in an empty one, and refuses what another program or version made.
func openCache(ctx context.Context, path string) (*sql.DB, error) {
	// A file that the disk has not seen is at worst damaged after a power cut, and then removed.
	db := sql.OpenDB(&cacheConnector{"file://" + escaped(path) + "?" + modeWrite + "&_txlock=immediate&_synchronous=OFF&_busy_timeout=" + cacheWait})
	db.SetMaxOpenConns(1)
	m, err := readMarks(ctx, db)
	if err == nil && m.application == 0 && len(m.schema) == 0 {
		if err = makeCache(ctx, db); err == nil {
			m, err = readMarks(ctx, db)
		}
	}
	if err == nil && (m.application != cacheID || m.version != cacheVersion || !slices.Equal(m.schema, []string{cacheSchema})) {
		err = errors.New("another program's file")
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// CheckCache says why the cache in a folder FolderName is of no use, or nil: also where there is none. It changes nothing.
func CheckCache(ctx context.Context, folder string) error {
	path := filepath.Join(folder, CacheName)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0:
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("it is no file")
	}
	db := sql.OpenDB(&cacheConnector{"file://" + escaped(path) + "?" + modeRead + "&_busy_timeout=" + cacheWait})
	db.SetMaxOpenConns(1)
	defer db.Close()
	m, err := readMarks(ctx, db)
	if err == nil && (m.application != cacheID || m.version != cacheVersion || !slices.Equal(m.schema, []string{cacheSchema})) {
		err = errors.New("another program's file, or another version's")
	}
	return err
}

func makeCache(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// Of several processes that find it empty, the others see under the lock that one has made it.
	if m, err := readMarks(ctx, tx); err != nil || m.application != 0 || len(m.schema) > 0 {
		return err
	}
	for _, statement := range []string{
		fmt.Sprintf("PRAGMA application_id=%d", cacheID), fmt.Sprintf("PRAGMA user_version=%d", cacheVersion), cacheSchema,
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return tx.Commit()
}
