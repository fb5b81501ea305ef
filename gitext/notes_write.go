package gitext

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
)

// NoteChange adds lines to notes and takes in what other notes refs hold. Nothing that a note holds is ever taken out.
type NoteChange struct {
	Ref     string            // the notes ref that is written, whole
	Add     map[string][]byte // by object: lines that its note is to hold
	Merge   []string          // commits of other notes refs
	Author  string            // as Identities gives it
	Message string
}

// AddNotes writes a NoteChange, as one commit on the notes ref. It is repeated on whatever somebody else writes meanwhile, so that of two
// writers neither loses a line. Where the ref holds all of it already nothing is written. Faults: REF.SYMBOLIC, invalid; REF.LOCKED and those of
// reading, unavailable.
func (r *Repo) AddNotes(ctx context.Context, change NoteChange) error {
	for {
		old, symref, err := r.Ref(ctx, change.Ref)
		if err != nil {
			return err
		}
		if symref != "" {
			return fault.New(fault.Invalid, "REF.SYMBOLIC", change.Ref, "it stands for %s; records are written to a ref of their own", symref).
				Hint("git symbolic-ref -d " + fault.ShellWord(change.Ref))
		}
		commit, err := r.notesCommit(ctx, change, old)
		if err != nil || commit == old {
			return err
		}
		moved, _, err := r.MoveRef(ctx, change.Ref, commit, old, "publish: "+change.Message)
		if err != nil || moved {
			return err
		}
	}
}

// notesCommit is the commit after a change; old itself where that holds everything.
func (r *Repo) notesCommit(ctx context.Context, change NoteChange, old string) (string, error) {
	parents, merge, err := r.notesParents(ctx, old, change.Merge)
	if err != nil {
		return "", err
	}
	tree, err := r.readNotes(ctx, old)
	if err != nil {
		return "", err
	}
	changed := len(merge) > 0
	var last *notesTree
	for _, other := range merge {
		if last, err = r.readNotes(ctx, other); err == nil {
			err = tree.take(ctx, r, last)
		}
		if err != nil {
			return "", err
		}
	}
	for _, object := range slices.Sorted(maps.Keys(change.Add)) {
		differs, err := tree.add(ctx, r, object, change.Add[object])
		if err != nil {
			return "", err
		}
		changed = changed || differs
	}
	switch {
	case !changed:
		return old, nil
	case len(merge) == 1 && slices.Equal(parents, merge) && tree.equal(last): // a fast-forward that drops nothing
		return merge[0], nil
	}
	id, err := tree.write(ctx, r)
	if err != nil {
		return "", err
	}
	return r.WriteObject(ctx, "commit", CommitText(id, parents, change.Author, change.Author, change.Message))
}

// notesParents is the commits that a change follows, and of those to be merged the ones that bring something. A history that contains
// the old one takes its place.
func (r *Repo) notesParents(ctx context.Context, old string, others []string) (parents, merge []string, err error) {
	if old != "" {
		parents = []string{old}
	}
	for _, other := range others {
		if old != "" {
			if known, err := r.IsAncestor(ctx, other, old); err != nil || known {
				if err != nil {
					return nil, nil, err
				}
				continue
			}
			contains, err := r.IsAncestor(ctx, old, other)
			if err != nil {
				return nil, nil, err
			}
			if contains && len(merge) == 0 {
				parents = nil
			}
		}
		merge = append(merge, other)
	}
	return append(parents, merge...), merge, nil
}

// equal reports whether two trees hold the same, in whatever folders.
func (n *notesTree) equal(other *notesTree) bool {
	return maps.Equal(n.others, other.others) && maps.EqualFunc(n.notes, other.notes, func(a, b []Entry) bool {
		return slices.EqualFunc(a, b, func(a, b Entry) bool { return a.ID == b.ID && a.Mode == b.Mode })
	})
}

// take adds what another tree holds.
func (n *notesTree) take(ctx context.Context, r *Repo, theirs *notesTree) error {
	objects, err := r.Objects(ctx)
	if err != nil {
		return err
	}
	for _, object := range slices.Sorted(maps.Keys(theirs.notes)) {
		entries := theirs.notes[object]
		if len(n.notes[object]) == 0 {
			n.notes[object] = entries
			continue
		}
		for _, entry := range entries {
			if slices.ContainsFunc(n.notes[object], func(e Entry) bool { return e.ID == entry.ID }) {
				continue
			}
			data, err := ReadBlob(ctx, objects, entry.ID)
			if err != nil {
				return err
			}
			if _, err := n.add(ctx, r, object, data); err != nil {
				return err
			}
		}
	}
	for path, entry := range theirs.others {
		if _, here := n.others[path]; !here {
			n.others[path] = entry
		}
	}
	return nil
}

// add makes the note of an object hold lines, and reports whether it did not yet.
func (n *notesTree) add(ctx context.Context, r *Repo, object string, lines []byte) (bool, error) {
	objects, err := r.Objects(ctx)
	if err != nil {
		return false, err
	}
	var before []byte
	for _, entry := range n.notes[object] {
		data, err := ReadBlob(ctx, objects, entry.ID)
		if err != nil {
			return false, err
		}
		before = unionLines(before, data)
	}
	after := unionLines(before, lines)
	if len(n.notes[object]) == 1 && bytes.Equal(before, after) {
		return false, nil
	}
	id, err := r.WriteObject(ctx, "blob", after)
	n.notes[object] = []Entry{{Mode: ModeFile, ID: id}}
	return true, err
}

// write stores the tree, divided into folders by how many notes there are, and returns its id. Trees that were read are not written.
func (n *notesTree) write(ctx context.Context, r *Repo) (string, error) {
	pairs := 0
	for most := flat; len(n.notes) > most; most *= flat {
		pairs++
	}
	root := folder{}
	for _, path := range slices.Sorted(maps.Keys(n.others)) {
		root.put(path, n.others[path])
	}
	for _, object := range slices.Sorted(maps.Keys(n.notes)) {
		path := object
		for i := range pairs {
			path = path[:3*i+2] + "/" + path[3*i+2:]
		}
		if len(n.notes[object]) > 1 {
			if _, err := n.add(ctx, r, object, nil); err != nil {
				return "", err
			}
		}
		root.put(path, n.notes[object][0])
	}
	return root.write(ctx, r, n.trees)
}

// folder is a tree that is being made.
type folder map[string]any // Entry or folder, by name

func (f folder) put(path string, e Entry) {
	name, rest, below := strings.Cut(path, "/")
	if !below {
		f[name] = e
		return
	}
	sub, isFolder := f[name].(folder)
	if !isFolder {
		sub = folder{}
		f[name] = sub
	}
	sub.put(rest, e)
}

func (f folder) write(ctx context.Context, r *Repo, known map[string]bool) (string, error) {
	entries := make([]Entry, 0, len(f))
	for name, item := range f {
		e, isEntry := item.(Entry)
		if sub, isFolder := item.(folder); isFolder && !isEntry {
			id, err := sub.write(ctx, r, known)
			if err != nil {
				return "", err
			}
			e = Entry{Mode: ModeTree, ID: id}
		}
		e.Name = name
		entries = append(entries, e)
	}
	slices.SortFunc(entries, compareEntries)
	var b bytes.Buffer
	for _, e := range entries {
		raw, err := hex.DecodeString(e.ID)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%o %s\x00", uint32(e.Mode), e.Name)
		b.Write(raw)
	}
	id, err := r.ObjectID("tree", b.Bytes())
	if err != nil || known[id] {
		return id, err
	}
	known[id] = true
	return r.WriteObject(ctx, "tree", b.Bytes())
}
