package gitext

import (
	"bytes"
	"context"
	"slices"
	"strings"
)

// notesTree is a tree of notes, whatever its folders: the entry of each annotated object, by its id, and what else stands in it, by its
// path, which is kept.
type notesTree struct {
	notes  map[string][]Entry // an object that stands in two folders has two
	others map[string]Entry
	trees  map[string]bool // those that were read
}

// flat is how many notes one folder may hold before they are divided by the next two digits of the ids.
const flat = 256

func (r *Repo) readNotes(ctx context.Context, commit string) (*notesTree, error) {
	n := &notesTree{notes: map[string][]Entry{}, others: map[string]Entry{}, trees: map[string]bool{}}
	if commit == "" {
		return n, nil
	}
	c, err := r.readCommit(ctx, commit)
	if err != nil {
		return nil, err
	}
	objects, err := r.Objects(ctx)
	if err != nil {
		return nil, err
	}
	return n, n.read(ctx, objects, c.Tree, "", len(commit))
}

func (n *notesTree) read(ctx context.Context, o Objects, tree, folder string, digits int) error {
	entries, err := ReadTree(ctx, o, tree)
	if err != nil {
		return err
	}
	n.trees[tree] = true
	for _, e := range entries {
		path := folder + e.Name
		id := strings.ReplaceAll(path, "/", "")
		switch {
		case e.Mode == ModeTree && len(e.Name) == 2 && isHex(e.Name) && len(id) < digits:
			err = n.read(ctx, o, e.ID, path+"/", digits)
		case e.Mode.Regular() && IsID(id) && len(id) == digits:
			n.notes[id] = append(n.notes[id], e)
		default:
			n.others[path] = e
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

// Note returns the note of an object under a notes ref, and whether there is one. One that stands in two folders is joined, as in git.
func (r *Repo) Note(ctx context.Context, ref, object string) ([]byte, bool, error) {
	commit, _, err := r.Ref(ctx, ref)
	if err != nil || commit == "" {
		return nil, false, err
	}
	return r.noteAt(ctx, commit, object)
}

// noteAt looks for one note without reading the others.
func (r *Repo) noteAt(ctx context.Context, commit, object string) ([]byte, bool, error) {
	c, err := r.readCommit(ctx, commit)
	if err != nil {
		return nil, false, err
	}
	objects, err := r.Objects(ctx)
	if err != nil {
		return nil, false, err
	}
	var note []byte
	found := false
	for tree, rest := c.Tree, object; tree != ""; {
		entries, err := ReadTree(ctx, objects, tree)
		if err != nil {
			return nil, false, err
		}
		tree = ""
		for _, e := range entries {
			switch {
			case e.Name == rest && e.Mode.Regular():
				data, err := ReadBlob(ctx, objects, e.ID)
				if err != nil {
					return nil, false, err
				}
				note, found = unionLines(note, data), true
			case len(rest) > 2 && e.Name == rest[:2] && e.Mode == ModeTree:
				tree = e.ID
			}
		}
		rest = rest[min(2, len(rest)):]
	}
	return note, found, nil
}

// Notes lists which objects have a note under a notes ref.
func (r *Repo) Notes(ctx context.Context, ref string) (map[string]bool, error) {
	commit, _, err := r.Ref(ctx, ref)
	if err != nil {
		return nil, err
	}
	n, err := r.readNotes(ctx, commit)
	if err != nil {
		return nil, err
	}
	noted := make(map[string]bool, len(n.notes))
	for object := range n.notes {
		noted[object] = true
	}
	return noted, nil
}

// unionLines is one text and the lines of another that it does not have; where one has all lines of the other, that one as it is.
func unionLines(one, other []byte) []byte {
	more := linesBeyond(other, one)
	if len(more) == 0 {
		return one
	}
	if len(linesBeyond(one, other)) == 0 {
		return other
	}
	joined := slices.Clone(one)
	if joined[len(joined)-1] != '\n' {
		joined = append(joined, '\n')
	}
	for _, line := range more {
		joined = append(append(joined, line...), '\n')
	}
	return joined
}

// linesBeyond is the lines of a text that another does not have, blank ones aside.
func linesBeyond(text, other []byte) [][]byte {
	has := map[string]bool{"": true}
	for line := range bytes.SplitSeq(other, []byte("\n")) {
		has[string(line)] = true
	}
	var beyond [][]byte
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		if !has[string(line)] {
			beyond = append(beyond, line)
		}
	}
	return beyond
}
