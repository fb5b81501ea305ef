package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/git-standards/git-standards/engine/fault"
)

// Get returns the stored text of one object, unproven (authority.Repository). An id that is not stored is
// HANDLE.UNKNOWN; the other faults are those of Open.
func (s *Store) Get(ctx context.Context, id string) ([]byte, error) {
	var text []byte
	err := s.db.QueryRowContext(ctx, "SELECT envelope FROM authority_objects WHERE handle = ?", id).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fault.New(fault.Unavailable, "HANDLE.UNKNOWN", id, "no such object in the store %q", s.path).Hint("git standards prepare")
	}
	return text, s.translate(err)
}

// Find returns the stored ids that begin with prefix, sorted, at most limit of them.
func (s *Store) Find(ctx context.Context, prefix string, limit int) ([]string, error) {
	// Ids are ASCII without DEL, so one range of the primary key holds exactly those with the prefix. To SQLite a negative
	// limit is none.
	return s.selectIDs(ctx,
		"SELECT handle FROM authority_objects WHERE handle >= ? AND handle < ? ORDER BY handle LIMIT ?", prefix, prefix+"\x7f", max(limit, 0))
}

func (s *Store) selectIDs(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, s.translate(err)
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, s.translate(err)
		}
		ids = append(ids, id)
	}
	return ids, s.translate(rows.Err())
}
