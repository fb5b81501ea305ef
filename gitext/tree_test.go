package gitext

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

// rawTree writes entries "<mode> <name>" as Git stores them, each file with the same id, each directory empty.
func rawTree(id string, entries ...string) string {
	var b strings.Builder
	for _, entry := range entries {
		raw, _ := hex.DecodeString(id)
		if strings.HasPrefix(entry, "40000 ") && !IsZero(id) {
			empty, _ := hashObject(len(id), "tree", nil)
			raw, _ = hex.DecodeString(empty)
		}
		b.WriteString(entry + "\x00" + string(raw))
	}
	return b.String()
}

// silent marks modes that git fsck means to refuse (badFilemode) but has made canonical before it looks.
const silent = "nothing"

// Each malformed tree is one that git fsck itself names, and each sound one passes it.
func TestParseTreeFollowsFsck(t *testing.T) {
	t.Parallel()
	zero := strings.Repeat("0", 40)
	for _, c := range []struct {
		name    string
		fsck    string // what git says; "" for a sound tree
		entries []string
		id      string
		cut     int
	}{
		{name: "sound", entries: []string{"100644 a", "100755 b", "120000 c", "100644 git~2", "100644 gıt", "100644 x\xff\n\t\""}},
		{name: "empty"},
		{name: "a directory sorts with its slash", entries: []string{"100644 a-b", "40000 a", "100644 a0"}},
		{name: "unsorted", fsck: "treeNotSorted", entries: []string{"100644 b", "100644 a"}},
		{name: "a directory sorted as a file", fsck: "treeNotSorted", entries: []string{"40000 a", "100644 a-b"}},
		{name: "twice", fsck: "duplicateEntries", entries: []string{"100644 a", "100644 a"}},
		{name: "file and directory", fsck: "duplicateEntries", entries: []string{"100644 a", "40000 a"}},
		{name: "file and directory apart", fsck: "duplicateEntries", entries: []string{"100644 a", "100644 a-b", "40000 a"}},
		{name: "dot", fsck: "hasDot", entries: []string{"40000 ."}},
		{name: "dot dot", fsck: "hasDotdot", entries: []string{"40000 .."}},
		{name: "dot git", fsck: "hasDotgit", entries: []string{"40000 .git"}},
		{name: "dot git in capitals", fsck: "hasDotgit", entries: []string{"40000 .GIT"}},
		{name: "short name", fsck: "hasDotgit", entries: []string{"40000 GIT~1"}},
		{name: "trailing dots", fsck: "hasDotgit", entries: []string{"40000 .git . ."}},
		{name: "stream", fsck: "hasDotgit", entries: []string{"40000 .git::$INDEX_ALLOCATION"}},
		{name: "ignorable code point", fsck: "hasDotgit", entries: []string{"40000 .g\u200cit"}},
		{name: "behind a backslash", fsck: "hasDotgit", entries: []string{"40000 a\\.git"}},
		{name: "cut at malformed UTF-8", fsck: "hasDotgit", entries: []string{"40000 .git\xffx"}},
		{name: "rules of two file systems mixed", entries: []string{"100644 .git\u200c ", "100644 .g\u200cit:x", "100644 g\u200dit~1"}},
		{name: "slash", fsck: "fullPathname", entries: []string{"100644 a/b"}},
		{name: "empty name", fsck: "empty filename in tree entry", entries: []string{"100644 "}},
		{name: "zero id", fsck: "nullSha1", entries: []string{"100644 a"}, id: zero},
		{name: "zero padded mode", fsck: "zeroPaddedFilemode", entries: []string{"040000 a"}},
		{name: "unknown mode", fsck: silent, entries: []string{"100666 a"}},
		{name: "group writable", fsck: silent, entries: []string{"100664 a"}},
		{name: "truncated id", fsck: "badTree", entries: []string{"100644 a"}, cut: 1},
		{name: "no id", fsck: "badTree", entries: []string{"100644 a"}, cut: 21},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			id := f.Feed("x\n", "hash-object", "-w", "--stdin")
			f.Git("hash-object", "-w", "-t", "tree", "/dev/null")
			if c.id != "" {
				id = c.id
			}
			raw := rawTree(id, c.entries...)
			raw = raw[:len(raw)-c.cut]
			path := filepath.Join(t.TempDir(), "raw")
			if err := os.WriteFile(path, []byte(raw), 0o600); err != nil {
				t.Fatal(err)
			}
			tree := f.Git("hash-object", "-w", "-t", "tree", "--literally", path)
			said, _ := f.Run("", "fsck", "--strict", "--no-dangling", tree)
			if sound := c.fsck == "" || c.fsck == silent; sound && said != "" || !sound && !strings.Contains(said, c.fsck) {
				t.Fatalf("git fsck says %q", said)
			}
			entries, err := ParseTree(tree, []byte(raw), 40)
			if c.fsck == "" {
				if err != nil || len(entries) != len(c.entries) {
					t.Fatalf("%v %v", entries, err)
				}
				return
			}
			e := wantFault(t, err, fault.Unavailable, "OBJECT.MALFORMED_TREE")
			if e.Target != tree {
				t.Errorf("target %q", e.Target)
			}
		})
	}
}

func serialize(entries []Entry) string {
	names := map[Mode]string{}
	for text, mode := range modes {
		names[mode] = text
	}
	var b strings.Builder
	for _, e := range entries {
		raw, _ := hex.DecodeString(e.ID)
		fmt.Fprintf(&b, "%s %s\x00%s", names[e.Mode], e.Name, raw)
	}
	return b.String()
}

// What parses says exactly what the bytes say: written again, they are the same bytes.
func FuzzParseTree(f *testing.F) {
	id := strings.Repeat("ab", 20)
	f.Add([]byte(rawTree(id, "100644 a", "40000 a.b", "40000 b")), false)
	f.Add([]byte(rawTree(strings.Repeat("ab", 32), "160000 m", "120000 z")), true)
	f.Add([]byte("100644 a"), false)
	f.Fuzz(func(t *testing.T, data []byte, long bool) {
		digits := 40
		if long {
			digits = 64
		}
		entries, err := ParseTree("id", data, digits)
		if err == nil && serialize(entries) != string(data) {
			t.Errorf("%q reads as %v", data, entries)
		}
	})
}

// Random pairs of trees: walking and comparing give what git ls-tree and git diff-tree give.
func TestTreesAgreeWithGit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"a", "a-b", "a.b", "a/x", "a/y/z", "a/y-z", "b", "b/c", "new\nline", "quo\"te", "é", "z/\xff"}
	var trees, blobs []string
	for i := range 3 {
		blobs = append(blobs, f.Feed(fmt.Sprint(i), "hash-object", "-w", "--stdin"))
	}
	for range 8 {
		f.Git("rm", "-rq", "--cached", "--ignore-unmatch", ".")
		var info strings.Builder
		taken := map[string]bool{}
		for _, name := range names {
			if dir, _, nested := strings.Cut(name, "/"); random.IntN(3) == 0 || nested && taken[dir] {
				continue
			}
			taken[name] = true
			fmt.Fprintf(&info, "%s %s\t%s\x00", []string{"100644", "100755", "120000"}[random.IntN(3)], blobs[random.IntN(3)], name)
		}
		f.Feed(info.String(), "update-index", "-z", "--index-info")
		trees = append(trees, f.Git("write-tree"))
	}
	r := f.open()
	o, err := r.Objects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, under := range [][]string{nil, {"a"}, {"a/y", "b"}, {"a/y/z"}, {"nothing"}, {"a/x", "a"}} {
		for _, tree := range trees {
			entries, err := WalkTree(t.Context(), o, tree, under...)
			if err != nil {
				t.Fatal(err)
			}
			var have strings.Builder
			for _, e := range entries {
				typ := "blob"
				fmt.Fprintf(&have, "%06o %s %s\t%s\x00", e.Mode, typ, e.ID, e.Name)
			}
			if want := f.Git(append([]string{"ls-tree", "-r", "-z", "--full-tree", tree}, under...)...); have.String() != want {
				t.Fatalf("%q of %s: %q, git says %q", under, tree, have.String(), want)
			}
		}
	}
	for i, a := range append(trees, "") {
		for _, b := range trees[:min(i+1, len(trees))] {
			changes, err := DiffTrees(t.Context(), o, a, b)
			if err != nil {
				t.Fatal(err)
			}
			from := a
			if from == "" {
				from = f.Feed("", "hash-object", "-t", "tree", "/dev/null")
			}
			want := f.Git("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", from, b)
			if have := rawOf(changes); have != want {
				t.Fatalf("%s..%s: %q, git says %q", from, b, have, want)
			}
		}
	}
}

// rawOf prints changes as git diff-tree does.
func rawOf(changes []Change) string {
	zero := Entry{ID: strings.Repeat("0", 40)}
	var b strings.Builder
	for _, c := range changes {
		old, young, status := &zero, &zero, "M"
		if c.Old != nil {
			old = c.Old
		}
		if c.New != nil {
			young = c.New
		}
		switch {
		case c.Old == nil:
			status = "A"
		case c.New == nil:
			status = "D"
		case (c.Old.Mode == ModeSymlink) != (c.New.Mode == ModeSymlink):
			status = "T"
		}
		fmt.Fprintf(&b, ":%06o %06o %s %s %s\x00%s\x00", old.Mode, young.Mode, old.ID, young.ID, status, c.Name)
	}
	return b.String()
}

// A directory that nobody asks for is not read, so damage in it does not matter.
func TestWalkReadsOnlyWhatIsAsked(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Commit("a/x", "1", "b/y", "2")
	o, err := f.open().Objects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(loosePath(f, f.Git("rev-parse", "HEAD:b"))); err != nil {
		t.Fatal(err)
	}
	tree := f.Git("rev-parse", "HEAD^{tree}")
	if entries, err := WalkTree(t.Context(), o, tree, "a"); err != nil || len(entries) != 1 {
		t.Error(entries, err)
	}
	_, err = WalkTree(t.Context(), o, tree)
	wantFault(t, err, fault.Unavailable, "OBJECT.MISSING")
}
