package gitext

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/dotgit"
	"github.com/git-standards/git-standards/engine/fault"
)

// Mode is the mode of an entry as Git writes it in octal. No others are read.
type Mode uint32

// The modes of entries.
const (
	ModeFile       Mode = 0o100644
	ModeExecutable Mode = 0o100755
	ModeSymlink    Mode = 0o120000
	ModeGitlink    Mode = 0o160000
	ModeTree       Mode = 0o040000
)

// Regular reports whether an entry of this mode has bytes of its own.
func (m Mode) Regular() bool { return m == ModeFile || m == ModeExecutable }

// Entry is one entry: of a tree, where Name is one component, or of a whole side, where it is the raw path. ID is "" for
// a worktree file whose object is not known yet.
type Entry struct {
	Name string
	Mode Mode
	ID   string
}

var modes = map[string]Mode{
	"100644": ModeFile, "100755": ModeExecutable, "120000": ModeSymlink, "160000": ModeGitlink, "40000": ModeTree,
}

// ParseTree reads the raw bytes of a tree whose ids have that many hex digits, by the rules of git fsck: entries whole,
// modes canonical, names neither empty, ".", "..", a spelling of ".git" nor with a slash, no zero id, each name once,
// all in Git's order. A tree that breaks one is OBJECT.MALFORMED_TREE, so that no two readers can see it differently.
func ParseTree(id string, data []byte, digits int) ([]Entry, error) {
	refuse := func(format string, args ...any) ([]Entry, error) {
		return nil, fault.New(fault.Unavailable, "OBJECT.MALFORMED_TREE", id, "the tree is malformed: "+format, args...).Hint("git fsck --full")
	}
	entries := make([]Entry, 0, len(data)/36)
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, spaced := strings.Cut(string(head), " ")
		switch {
		case !ok || !spaced || len(rest) < digits/2:
			return refuse("entry %d is truncated", len(entries))
		case modes[mode] == 0:
			return refuse("%q has the mode %q", name, mode)
		}
		if reason := badName(name); reason != "" {
			return refuse("the name %q %s", name, reason)
		}
		entry := Entry{Name: name, Mode: modes[mode], ID: hex.EncodeToString(rest[:digits/2])}
		if IsZero(entry.ID) {
			return refuse("%q has the id of no object", name)
		}
		if len(entries) > 0 {
			switch last := entries[len(entries)-1]; {
			case last.Name == name || hasFile(entries, entry):
				return refuse("the name %q stands in it twice", name)
			case compareEntries(last, entry) >= 0:
				return refuse("%q comes after %q", name, last.Name)
			}
		}
		entries = append(entries, entry)
		data = rest[digits/2:]
	}
	return entries, nil
}

// compareEntries is Git's order: by bytes, a tree as if its name ended with a slash.
func compareEntries(a, b Entry) int { return cmp.Compare(sortKey(a), sortKey(b)) }

func sortKey(e Entry) string {
	if e.Mode == ModeTree {
		return e.Name + "/"
	}
	return e.Name
}

// hasFile reports whether sorted entries hold a file of the same name as a tree; the two need not be neighbours.
func hasFile(entries []Entry, tree Entry) bool {
	if tree.Mode != ModeTree {
		return false
	}
	_, found := slices.BinarySearchFunc(entries, Entry{Name: tree.Name, Mode: ModeFile}, compareEntries)
	return found
}

// badName says what git fsck would say of a name, or nothing.
func badName(name string) string {
	switch {
	case name == "":
		return "is empty"
	case name == "." || name == "..":
		return "means a directory"
	case strings.Contains(name, "/"):
		return "holds a slash"
	case dotgit.Refused(name):
		return "is one that Git keeps for itself"
	}
	return ""
}

// ReadTree reads one tree. Faults are those of Objects and ParseTree.
func ReadTree(ctx context.Context, o Objects, id string) ([]Entry, error) {
	data, err := readAs(ctx, o, id, "tree")
	if err != nil {
		return nil, err
	}
	return ParseTree(id, data, len(id))
}

// maxDepth is the deepest tree that newer releases of git read, too.
const maxDepth = 2048

// WalkTree lists the files, links and gitlinks of a tree that are or lie below the given paths; with no path, all. It
// reads no tree that holds none of them. The order is that of the raw paths as bytes; tree "" is the empty tree.
func WalkTree(ctx context.Context, o Objects, tree string, under ...string) ([]Entry, error) {
	return WalkTreeSkipping(ctx, o, tree, "", under...)
}

// WalkTreeSkipping is WalkTree without what lies below the directory skip, of which it reads no tree; "" skips nothing.
func WalkTreeSkipping(ctx context.Context, o Objects, tree, skip string, under ...string) ([]Entry, error) {
	return WalkTreeThrough(ctx, o, nil, tree, skip, under...)
}

// WalkTreeThrough is WalkTreeSkipping that goes on through gitlinks at the paths of modules: the commit and all below it are read from
// the database that stands there, and listed below the path of the gitlink. Any other gitlink is an entry; one inside a module needs
// a database at its own whole path.
func WalkTreeThrough(ctx context.Context, o Objects, modules map[string]Objects, tree, skip string, under ...string) ([]Entry, error) {
	if tree == "" {
		return nil, nil
	}
	w := walk{ctx: ctx, modules: modules, skip: skip}
	if len(under) == 0 {
		under = []string{""}
	}
	err := w.tree(o, tree, "", under, 0)
	return w.found, err
}

type walk struct {
	ctx     context.Context
	modules map[string]Objects
	skip    string
	found   []Entry
}

// tree adds what lies below prefix, which is "" or ends with a slash, and is wanted.
func (w *walk) tree(o Objects, id, prefix string, under []string, depth int) error {
	if err := checkDepth(id, depth); err != nil {
		return err
	}
	entries, err := ReadTree(w.ctx, o, id)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		entry.Name = prefix + entry.Name
		if err := w.entry(o, entry, under, depth); err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) entry(o Objects, entry Entry, under []string, depth int) error {
	module, mapped := w.modules[entry.Name]
	mapped = mapped && entry.Mode == ModeGitlink
	whole := slices.ContainsFunc(under, func(u string) bool { return u == "" || isBelow(entry.Name, u) })
	inside := []string{""}
	switch {
	case entry.Mode != ModeTree && !mapped:
		if whole {
			w.found = append(w.found, entry)
		}
		return nil
	case w.skip != "" && entry.Name == w.skip:
		return nil
	case !whole:
		inside = slices.DeleteFunc(slices.Clone(under), func(u string) bool { return !strings.HasPrefix(u, entry.Name+"/") })
		if len(inside) == 0 {
			return nil
		}
	}
	if !mapped {
		return w.tree(o, entry.ID, entry.Name+"/", inside, depth+1)
	}
	data, err := readAs(w.ctx, module, entry.ID, "commit")
	if err != nil {
		return err
	}
	commit, err := parseCommit(entry.ID, data)
	if err != nil {
		return err
	}
	return w.tree(module, commit.Tree, entry.Name+"/", inside, depth+1)
}

func isBelow(name, dir string) bool {
	rest, ok := strings.CutPrefix(name, dir)
	return ok && (rest == "" || rest[0] == '/')
}

func checkDepth(id string, depth int) error {
	if depth > maxDepth {
		return fault.New(fault.Unavailable, "OBJECT.MALFORMED_TREE", id, "the tree lies deeper than %d directories", maxDepth).
			Hint("git ls-tree " + id)
	}
	return nil
}
