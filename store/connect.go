package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"net/url"
	"strconv"

	"github.com/git-standards/git-standards/engine/fault"
	sqlite3 "github.com/mattn/go-sqlite3"
)

// The modes of a connection, as SQLite's URI parameters. None creates a file; immutable takes no lock and sees no journal.
const (
	modeRead  = "mode=ro"
	modeWrite = "mode=rw"
	modePeek  = "mode=ro&immutable=1"
)

// connect opens the one connection and proves that the file is a store of this version. An error leaves s without one.
func (s *Store) connect(ctx context.Context, mode string) error {
	s.db = openDB(s.path, mode, s.busyText())
	err := s.verify(ctx)
	if err != nil {
		s.db.Close()
		s.db = nil
	}
	return err
}

func (s *Store) busyText() string { return strconv.FormatInt(s.busy.Milliseconds(), 10) }

func openDB(path, mode, busy string) *sql.DB {
	// The go-sqlite3 driver takes a DSN without "file:" for a bare name and then creates it whatever the mode says; inside a
	// URI the bytes ? # % of a name must be escaped.
	dsn := "file://" + escaped(path) + "?" + mode +
		"&_txlock=immediate&_synchronous=EXTRA&_busy_timeout=" + busy
	db := sql.OpenDB(&connector{dsn: dsn, busy: busy})
	db.SetMaxOpenConns(1)
	return db
}

func escaped(path string) string { return (&url.URL{Path: path}).EscapedPath() }

// connector opens connections by a driver of its own, so that nothing is registered globally.
type connector struct{ dsn, busy string }

func (c *connector) Driver() driver.Driver {
	return &sqlite3.SQLiteDriver{ConnectHook: c.assert}
}

func (c *connector) Connect(context.Context) (driver.Conn, error) { return c.Driver().Open(c.dsn) }

// assert sets what the DSN cannot and reads every setting back: a misspelt pragma is no error to SQLite. The page size, which only a
// file that is made has from it, is small because most objects are of some thousand bytes and none shares its last page.
func (c *connector) assert(conn *sqlite3.SQLiteConn) error {
	for _, setting := range []string{"page_size=1024", "trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0"} {
		if _, err := conn.Exec("PRAGMA "+setting, nil); err != nil {
			return err
		}
	}
	for _, want := range [][2]string{
		{"synchronous", "3"}, {"busy_timeout", c.busy}, {"locking_mode", "normal"},
		{"trusted_schema", "0"}, {"cell_size_check", "1"}, {"mmap_size", "0"},
	} {
		got, err := pragma(conn, want[0])
		if err != nil {
			return err
		}
		if got != want[1] {
			return fault.New(fault.Unavailable, "STORE.SETTING", "", "internal error: SQLite has %s=%s, not %s", want[0], got, want[1])
		}
	}
	return nil
}

// cacheConnector opens connections to a file that may be lost.
type cacheConnector struct{ dsn string }

func (c *cacheConnector) Driver() driver.Driver {
	return &sqlite3.SQLiteDriver{ConnectHook: func(conn *sqlite3.SQLiteConn) error {
		_, err := conn.Exec("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0", nil)
		return err
	}}
}

func (c *cacheConnector) Connect(context.Context) (driver.Conn, error) { return c.Driver().Open(c.dsn) }

func pragma(conn *sqlite3.SQLiteConn, name string) (string, error) {
	rows, err := conn.Query("PRAGMA "+name, nil)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	value := make([]driver.Value, 1)
	if err := rows.Next(value); err != nil {
		return "", fmt.Errorf("pragma %s: %w", name, err)
	}
	return fmt.Sprint(value[0]), nil
}
