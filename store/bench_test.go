package store

import (
	"database/sql"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/authority"
)

// tenThousand is one result of 10,000 objects: a root over 99 trees over 100 leaves each.
func tenThousand() authority.Node {
	filler := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 8)
	var trees []authority.Node
	for i := range 99 {
		var leaves []authority.Node
		for j := range 100 {
			leaves = append(leaves, leaf(filler+strconv.Itoa(i)+" "+strconv.Itoa(j)))
		}
		trees = append(trees, tree(strconv.Itoa(i), leaves...))
	}
	return tree("root", trees...)
}

func BenchmarkPut10000(b *testing.B) {
	root := tenThousand()
	b.Run("store", func(b *testing.B) {
		for b.Loop() {
			s := newStore(b)
			mustPut(b, s, root)
			s.Close()
		}
	})
	s := newStore(b)
	objects, err := s.gather(ctx, []authority.Node{root})
	if err != nil || len(objects) != 10_000 {
		b.Fatal(len(objects), err)
	}
	// The same bytes in the same order and with the same settings, by nothing but the driver.
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			if err := putBare(filepath.Join(b.TempDir(), "bare.sqlite3"), objects); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func putBare(path string, objects []object) error {
	db := openDB(path, "mode=rwc", "5000")
	defer db.Close()
	for _, statement := range schema {
		if _, err := db.Exec(statement); err != nil {
			return err
		}
	}
	return insertBare(db, objects)
}

func insertBare(db *sql.DB, objects []object) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert, err := tx.Prepare("INSERT INTO authority_objects VALUES (?, ?)")
	if err != nil {
		return err
	}
	for _, o := range objects {
		if _, err := insert.Exec(o.handle, o.text); err != nil {
			return err
		}
	}
	return tx.Commit()
}
