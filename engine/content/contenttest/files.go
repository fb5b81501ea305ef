// Package contenttest gives tests sides of a verdict that they write out as maps. A side is what content.Source promises
// and nothing more; Changes compares bytes themselves and does not ask the code under test what differs.
package contenttest

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/content"
)

// Files is the files of a side by path. The texts Symlink and Gitlink stand for what is no file.
type Files map[string]string

// What stands at a path instead of a file.
const (
	Symlink = "\x00a symbolic link"
	Gitlink = "\x00a submodule"
)

// Clone returns a copy.
func (f Files) Clone() Files { return maps.Clone(f) }

// With returns a copy in which the files of more stand, and those of more with the text "" do not.
func (f Files) With(more Files) Files {
	all := f.Clone()
	for name, text := range more {
		if all[name] = text; text == "" {
			delete(all, name)
		}
	}
	return all
}

// Tree is the side as a commit holds it: every entry has an object, equal for equal bytes.
func (f Files) Tree() content.Source { return side{f, true} }

// Worktree is the side as files that Git has not hashed: no entry has an object.
func (f Files) Worktree() content.Source { return side{f, false} }

func (f Files) entry(name string, hashed bool) *content.Entry {
	text, ok := f[name]
	if !ok {
		return nil
	}
	entry := content.Entry{Name: name}
	switch text {
	case Symlink:
		entry.Kind = content.Symlink
	case Gitlink:
		entry.Kind = content.Gitlink
	}
	if hashed {
		sum := sha1.Sum([]byte(text))
		entry.Object = hex.EncodeToString(sum[:])
	}
	return &entry
}

// Changes lists the paths whose bytes or kinds differ.
func Changes(old, now Files) []content.Change {
	names := map[string]bool{}
	for _, side := range []Files{old, now} {
		for name := range side {
			names[name] = true
		}
	}
	var changes []content.Change
	for _, name := range slices.SortedFunc(maps.Keys(names), content.ComparePaths) {
		before, had := old[name]
		after, has := now[name]
		if had != has || before != after {
			changes = append(changes, content.Change{Name: name, Old: old.entry(name, true), New: now.entry(name, true)})
		}
	}
	return changes
}

type side struct {
	files  Files
	hashed bool
}

func (s side) List(_ context.Context, under ...string) ([]content.Entry, error) {
	var entries []content.Entry
	for _, name := range slices.SortedFunc(maps.Keys(s.files), content.ComparePaths) {
		if content.Under(name, under) {
			entries = append(entries, *s.files.entry(name, s.hashed))
		}
	}
	return entries, nil
}

func (s side) Read(_ context.Context, entries ...content.Entry) ([][]byte, error) {
	data := make([][]byte, len(entries))
	for i, entry := range entries {
		if listed := s.files.entry(entry.Name, s.hashed); listed == nil || *listed != entry || entry.Kind != content.Regular {
			return nil, fmt.Errorf("%q was not listed as a file of this side", entry.Name)
		}
		data[i] = []byte(s.files[entry.Name])
	}
	return data, nil
}
