package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/fault"
)

// object is one envelope as it is stored.
type object struct {
	handle string
	text   []byte
}

// The statements of Put. Presence is asked for many ids at once, because each statement takes and drops the file's lock; a
// comparison in SQL costs no copy of the stored text.
const (
	presentObjects = "SELECT handle FROM authority_objects WHERE handle IN (SELECT value FROM json_each(?))"
	compareObject  = "SELECT envelope = ? FROM authority_objects WHERE handle = ?"
	insertObject   = "INSERT INTO authority_objects (handle, envelope) VALUES (?, ?) ON CONFLICT DO NOTHING"
)

// Put stores the nodes and what they depend on (authority.Repository). Everything is built and sealed before the store is
// locked, so that the lock is held for writing alone; where all is stored already, nothing is written and no lock taken.
// Its faults are those of Open, and IDENTITY.COLLISION.
func (s *Store) Put(ctx context.Context, nodes ...authority.Node) error {
	fresh, err := s.gather(ctx, nodes)
	if err != nil {
		return s.translate(err)
	}
	if len(fresh) == 0 {
		return nil
	}
	if s.mode != Create {
		return s.readOnly(errors.New("it was opened for reading"))
	}
	return s.translateWrite(s.write(context.WithoutCancel(ctx), fresh))
}

// gather returns the objects below nodes that are not stored, dependencies first, each once. No lock is held meanwhile:
// Payload may take its time, and may read this store.
func (s *Store) gather(ctx context.Context, nodes []authority.Node) ([]object, error) {
	g := gathering{codecs: s.codecs, db: s.db, seen: map[authority.Reference]progress{}}
	if err := g.visitAll(ctx, nodes); err != nil {
		return nil, err
	}
	return g.fresh, ctx.Err()
}

type progress int

const (
	underway progress = iota + 1
	done
)

type gathering struct {
	codecs authority.Codecs
	db     *sql.DB
	seen   map[authority.Reference]progress
	fresh  []object
}

func (g *gathering) visitAll(ctx context.Context, nodes []authority.Node) error {
	var ids []string
	for _, node := range nodes {
		if g.seen[node.Reference] != done {
			ids = append(ids, node.ID)
		}
	}
	present, err := g.present(ctx, ids)
	if err != nil {
		return err
	}
	for _, node := range nodes {
		if err := g.visit(ctx, node, present[node.ID]); err != nil {
			return err
		}
	}
	return nil
}

// visit adds a node after the parts that it names. An object that is stored is compared and not descended into: it was
// stored with all that it depends on.
func (g *gathering) visit(ctx context.Context, node authority.Node, stored bool) error {
	switch g.seen[node.Reference] {
	case done:
		return nil
	case underway:
		return internal(node.ID, "it depends on itself")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	g.seen[node.Reference] = underway
	payload, err := node.Payload()
	if err != nil {
		return err
	}
	envelope, text, err := g.seal(node.Reference, payload)
	if err != nil {
		return err
	}
	if stored {
		err = checkSame(ctx, g.db, object{node.ID, text})
	} else {
		if err = g.visitAll(ctx, node.Parts); err == nil {
			err = g.checkDependencies(ctx, envelope)
		}
		g.fresh = append(g.fresh, object{node.ID, text})
	}
	g.seen[node.Reference] = done
	return err
}

// present returns which of the ids are stored.
func (g *gathering) present(ctx context.Context, ids []string) (map[string]bool, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	rows, err := g.db.QueryContext(ctx, presentObjects, string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	present := map[string]bool{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		present[id] = true
	}
	return present, rows.Err()
}

// seal makes the envelope that the owner's codec gives the payload. A node with another id is a mistake of whoever made it.
func (g *gathering) seal(reference authority.Reference, payload any) (authority.Envelope, []byte, error) {
	codec, known := g.codecs.Find(reference.Kind)
	if !known {
		return authority.Envelope{}, nil, internal(reference.ID, "no codec for kind %q", reference.Kind)
	}
	envelope, err := codec.Seal(payload)
	if err != nil {
		return authority.Envelope{}, nil, internal(reference.ID, "its payload is refused").Because(err)
	}
	if envelope.Reference != reference {
		return authority.Envelope{}, nil, internal(reference.ID, "its payload is that of %s", envelope.ID)
	}
	text, err := envelope.Encode()
	return envelope, text, err
}

// checkDependencies makes sure that no stored object depends on one that is not.
func (g *gathering) checkDependencies(ctx context.Context, envelope authority.Envelope) error {
	var others []string
	for _, dependency := range envelope.Dependencies {
		if g.seen[dependency] != done {
			others = append(others, dependency.ID)
		}
	}
	present, err := g.present(ctx, others)
	if err != nil {
		return err
	}
	for _, id := range others {
		if !present[id] {
			return internal(envelope.ID, "it depends on %s, which is neither stored nor given", id)
		}
	}
	return nil
}

// checkSame refuses other text under the id of a stored object: a contradiction.
func checkSame(ctx context.Context, db queryer, o object) error {
	var same bool
	if err := db.QueryRowContext(ctx, compareObject, o.text, o.handle).Scan(&same); err != nil {
		return err
	}
	if !same {
		return fault.New(fault.Invalid, "IDENTITY.COLLISION", o.handle, "the store holds other bytes under this id").
			Hint("git standards inspect " + o.handle)
	}
	return nil
}

// write inserts objects in one transaction. Its context cannot be cancelled: go-sqlite3 would let the statements after
// the cancellation run outside the transaction.
func (s *Store) write(ctx context.Context, objects []object) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert, err := tx.PrepareContext(ctx, insertObject)
	if err != nil {
		return err
	}
	defer insert.Close()
	for _, o := range objects {
		result, err := insert.ExecContext(ctx, o.handle, o.text)
		if err != nil {
			return err
		}
		inserted, err := result.RowsAffected()
		if err == nil && inserted == 0 {
			err = checkSame(ctx, tx, o) // another process stored it since gather looked
		}
		if err != nil {
			return err
		}
	}
	return tx.Commit()
}

func internal(id, why string, args ...any) *fault.Error {
	return fault.New(fault.Invalid, "STORE.INTERNAL", id, "internal error: "+why, args...)
}
