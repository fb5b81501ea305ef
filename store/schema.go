package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/fault"
)

// What marks a file as a store. The id is "SEA1" in ASCII.
const (
	applicationID = 0x53454131
	userVersion   = 1
)

// schema is the store's whole schema in the order of its names, as sqlite_schema gives it back.
var schema = []string{
	`CREATE TABLE authority_objects (
    handle TEXT COLLATE BINARY PRIMARY KEY,
    envelope BLOB NOT NULL
) WITHOUT ROWID`,
	`CREATE TRIGGER authority_objects_keep_rows BEFORE DELETE ON authority_objects
BEGIN SELECT RAISE(ABORT, 'authority objects are never deleted'); END`,
	`CREATE TRIGGER authority_objects_keep_text BEFORE UPDATE ON authority_objects
BEGIN SELECT RAISE(ABORT, 'authority objects are never changed'); END`,
}

// queryer is a connection or a transaction.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// marks are what tells one SQLite file from another.
type marks struct {
	application, version int64
	schema               []string
}

func readMarks(ctx context.Context, db queryer) (m marks, err error) {
	if m.schema, err = readSchema(ctx, db); err != nil {
		return m, err
	}
	// The id is read after the tables: without a lock, tables seen while another process creates the store then come with it.
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&m.application); err != nil {
		return m, err
	}
	return m, db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&m.version)
}

func readSchema(ctx context.Context, db queryer) (texts []string, err error) {
	rows, err := db.QueryContext(ctx, "SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, rows.Err()
}

// verify proves that the file is a store of this version.
func (s *Store) verify(ctx context.Context) error {
	m, err := readMarks(ctx, s.db)
	if err != nil {
		return err
	}
	if err := s.checkApplication(m); err != nil {
		return err
	}
	switch {
	case m.version != userVersion:
		return s.foreign("its user_version is %d, not %d", m.version, userVersion)
	case !slices.Equal(m.schema, schema):
		return s.foreign("its tables are not those of a store")
	}
	var journal string
	if err := s.db.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&journal); err != nil {
		return err
	}
	if journal != "delete" {
		// Only WAL mode is kept in the file, and only somebody else can have set it.
		return s.foreign("it is in %s mode", journal).Hint("sqlite3 " + fault.ShellWord(s.path) + " 'PRAGMA journal_mode=DELETE'")
	}
	return nil
}

// create makes the schema in an empty file. Of several processes that find it empty one does so, and the others see that
// under the lock.
func (s *Store) create(ctx context.Context) error {
	s.db = openDB(s.path, modeWrite, s.busyText())
	err := s.translate(s.db.PingContext(ctx))
	if err == nil {
		err = s.translateWrite(s.createSchema(context.WithoutCancel(ctx)))
	}
	if err == nil {
		err = s.translate(s.verify(ctx))
	}
	if err != nil {
		s.Close()
	}
	return err
}

func (s *Store) createSchema(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	m, err := readMarks(ctx, tx)
	if err != nil || m.application != 0 || m.version != 0 || len(m.schema) > 0 {
		return err
	}
	statements := append([]string{
		fmt.Sprintf("PRAGMA application_id=%d", applicationID),
		fmt.Sprintf("PRAGMA user_version=%d", userVersion),
	}, schema...)
	for _, statement := range statements {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// peek refuses a file that says that it is another application's or of a newer version, before a connection that takes locks
// is tried: that could play back its journal or make files beside it. Without locks a read may be torn, but what is
// looked at never changes in a store; what cannot be read at all is left to the connection that follows.
func (s *Store) peek(ctx context.Context) error {
	db := openDB(s.path, modePeek, s.busyText())
	defer db.Close()
	m, err := readMarks(ctx, db)
	if err != nil || m.application == 0 && len(m.schema) == 0 {
		return nil
	}
	return s.checkApplication(m)
}

func (s *Store) checkApplication(m marks) error {
	switch {
	case m.application != applicationID:
		return s.foreign("its application_id is %#x, not %#x", m.application, applicationID)
	case m.version > userVersion:
		return fault.New(fault.Unsupported, "STORE.NEWER", s.path,
			"the store has version %d; this build reads version %d", m.version, userVersion).Hint("git standards version")
	}
	return nil
}
