package store

import (
	"context"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/fault"
)

// Report is what Check found: how many objects there are, and each damage as a fault whose target is a handle or the store's path.
type Report struct {
	Objects int
	Damaged []*fault.Error
}

// maxDamages bounds how many damages of the file as such are named.
const maxDamages = 100

// Check looks for damage: of the file by SQLite's own check, and when it is deep of every object, by its owner's codec, and whether all
// that it depends on is there (DESIGN 4). Objects that are stored meanwhile are not looked at. said, which may be nil, hears how far it is.
func (s *Store) Check(ctx context.Context, deep bool, said func(done, of int)) (*Report, error) {
	r := &Report{}
	if err := s.checkFile(ctx, r); err != nil {
		return nil, err
	}
	ids, err := s.ids(ctx)
	if damage := s.damage(err); damage != nil {
		r.Damaged = append(r.Damaged, damage)
		return r, nil
	} else if err != nil {
		return nil, err
	}
	r.Objects = len(ids)
	if !deep {
		return r, nil
	}
	here := make(map[string]bool, len(ids))
	for _, id := range ids {
		here[id] = true
	}
	for i, id := range ids {
		if said != nil {
			said(i, len(ids))
		}
		envelope, err := s.proven(ctx, id)
		if fault.Is(err, "HANDLE.UNKNOWN") {
			err = fault.New(fault.Invalid, "STORE.CORRUPT", id, "the object is listed and cannot be found: the index is damaged").Hint(s.moveAside())
		}
		if damage := s.damage(err); damage != nil {
			damage.Target = id // of a page that cannot be read, it is the store
			r.Damaged = append(r.Damaged, damage)
			continue
		} else if err != nil {
			return nil, err
		}
		for _, dependency := range envelope.Dependencies {
			if !here[dependency.ID] {
				r.Damaged = append(r.Damaged, fault.New(fault.Invalid, "CLOSURE.MISSING", id, "it depends on %s, which is not stored", dependency.ID))
			}
		}
	}
	return r, nil
}

// checkFile asks SQLite for what is wrong with the file.
func (s *Store) checkFile(ctx context.Context, r *Report) error {
	rows, err := s.db.QueryContext(ctx, "PRAGMA integrity_check(100)")
	if err == nil {
		defer rows.Close()
		for rows.Next() && len(r.Damaged) < maxDamages {
			var said string
			if err := rows.Scan(&said); err != nil {
				return s.translate(err)
			}
			if said != "ok" {
				r.Damaged = append(r.Damaged, fault.New(fault.Invalid, "STORE.CORRUPT", s.path, "the file is damaged: %s", said))
			}
		}
		err = rows.Err()
	}
	if damage := s.damage(s.translate(err)); damage != nil {
		r.Damaged = append(r.Damaged, damage)
		return nil
	}
	return s.translate(err)
}

// damage is the error where it says that something stored is damaged or of no kind that this build knows; else nil.
func (s *Store) damage(err error) *fault.Error {
	if f := fault.As(err); f != nil && (f.Outcome == fault.Invalid || f.Outcome == fault.Unsupported) {
		return f
	}
	return nil
}

// ids is every stored id, sorted: in one statement, so that with an object there is all that was stored before it.
func (s *Store) ids(ctx context.Context) ([]string, error) {
	return s.selectIDs(ctx, "SELECT handle FROM authority_objects ORDER BY handle")
}

// proven reads one object and proves it by its owner's codec.
func (s *Store) proven(ctx context.Context, id string) (authority.Envelope, error) {
	text, err := s.Get(ctx, id)
	if err != nil {
		return authority.Envelope{}, err
	}
	return s.codecs.Open(id, text)
}

// Stat is what a store holds: objects and the bytes of their envelopes by kind, sorted, the size of the file, and the version of its tables.
type Stat struct {
	Bytes   int64
	Kinds   []KindStat
	Version int64
}

// KindStat is the share of one kind.
type KindStat struct {
	Kind           string
	Objects, Bytes int64
}

// Stat counts what the store holds. Nothing is proven.
func (s *Store) Stat(ctx context.Context) (*Stat, error) {
	var stat Stat
	err := s.db.QueryRowContext(ctx, "SELECT page_count * page_size, user_version FROM pragma_page_count, pragma_page_size, pragma_user_version").
		Scan(&stat.Bytes, &stat.Version)
	if err != nil {
		return nil, s.translate(err)
	}
	rows, err := s.db.QueryContext(ctx,
		"SELECT substr(handle, 1, instr(handle, ':') - 1) AS kind, count(*), sum(length(envelope)) FROM authority_objects GROUP BY kind ORDER BY kind")
	if err != nil {
		return nil, s.translate(err)
	}
	defer rows.Close()
	for rows.Next() {
		var k KindStat
		if err := rows.Scan(&k.Kind, &k.Objects, &k.Bytes); err != nil {
			return nil, s.translate(err)
		}
		stat.Kinds = append(stat.Kinds, k)
	}
	return &stat, s.translate(rows.Err())
}
