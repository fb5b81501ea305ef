package gitext

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

func loosePath(f *fixture, id string) string {
	return f.Dir + "/.git/objects/" + id[:2] + "/" + id[2:]
}

func replaceFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o444); err != nil {
		t.Fatal(err)
	}
}

func deflate(text string) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	fmt.Fprint(w, text)
	w.Close()
	return b.Bytes()
}

// Damage to a loose object is named by git fsck, found by both readers, put down to that object, never other bytes, and does not
// spoil the next read.
func TestReadersRefuseDamage(t *testing.T) {
	for _, c := range []struct {
		name   string
		code   string // OBJECT.CORRUPT unless said
		damage func(t *testing.T, path string, sound, other []byte)
	}{
		{name: "swapped", damage: func(t *testing.T, path string, _, other []byte) { replaceFile(t, path, other) }},
		{name: "truncated", damage: func(t *testing.T, path string, sound, _ []byte) { replaceFile(t, path, sound[:len(sound)/2]) }},
		{name: "without its checksum", damage: func(t *testing.T, path string, sound, _ []byte) { replaceFile(t, path, sound[:len(sound)-4]) }},
		{name: "empty", damage: func(t *testing.T, path string, _, _ []byte) { replaceFile(t, path, nil) }},
		{name: "bytes behind the stream", damage: func(t *testing.T, path string, sound, _ []byte) {
			replaceFile(t, path, append(bytes.Clone(sound), "more"...))
		}},
		{name: "bytes behind the object", damage: func(t *testing.T, path string, _, _ []byte) {
			replaceFile(t, path, deflate("blob 7\x00victim\nmore"))
		}},
		{name: "another type", damage: func(t *testing.T, path string, _, _ []byte) { replaceFile(t, path, deflate("tree 7\x00victim\n")) }},
		{name: "a type that there is not", damage: func(t *testing.T, path string, _, _ []byte) {
			replaceFile(t, path, deflate("blub 7\x00victim\n"))
		}},
		{name: "a size too large", damage: func(t *testing.T, path string, _, _ []byte) { replaceFile(t, path, deflate("blob 9999\x00victim\n")) }},
		{name: "a size too small", damage: func(t *testing.T, path string, _, _ []byte) { replaceFile(t, path, deflate("blob 6\x00victim\n")) }},
		{name: "a padded size", damage: func(t *testing.T, path string, _, _ []byte) { replaceFile(t, path, deflate("blob 07\x00victim\n")) }},
		{name: "a negative size", damage: func(t *testing.T, path string, _, _ []byte) { replaceFile(t, path, deflate("blob -7\x00victim\n")) }},
		{name: "a size of 2^64", damage: func(t *testing.T, path string, _, _ []byte) {
			replaceFile(t, path, deflate("blob 18446744073709551623\x00victim\n"))
		}},
		{name: "no header", damage: func(t *testing.T, path string, _, _ []byte) { replaceFile(t, path, deflate("victim\n")) }},
		{name: "an endless header", damage: func(t *testing.T, path string, _, _ []byte) {
			replaceFile(t, path, deflate("blob "+strings.Repeat("7", 1<<20)))
		}},
		{name: "4 GiB claimed", code: "OBJECT.TOO_LARGE", damage: func(t *testing.T, path string, _, _ []byte) {
			replaceFile(t, path, deflate("blob 4294967296\x00victim\n"))
		}},
		{name: "a directory", damage: func(t *testing.T, path string, _, _ []byte) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(path, 0o755); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		for _, format := range []string{"sha1", "sha256"} {
			t.Run(format+" "+c.name, func(t *testing.T) {
				t.Parallel()
				f := newFixture(t, "--object-format="+format)
				victim, other := f.Feed("victim\n", "hash-object", "-w", "--stdin"), f.Feed("other\n", "hash-object", "-w", "--stdin")
				c.damage(t, loosePath(f, victim), []byte(read(t, loosePath(f, victim))), []byte(read(t, loosePath(f, other))))
				// What trails inside the stream git alone passes over.
				if out, err := f.Run("", "fsck", "--full", "--strict"); err == nil && c.name != "bytes behind the object" {
					t.Fatalf("git fsck finds nothing: %s", out)
				}
				readers(t, f.open(), func(t *testing.T, o Objects) {
					code := c.code
					if code == "" {
						code = "OBJECT.CORRUPT"
					}
					_, _, err := o.Read(t.Context(), victim)
					if e := fault.As(err); e == nil || e.Code != code || e.Target != victim || e.Outcome == fault.Invalid {
						t.Errorf("%v, want %s", err, code)
					}
					if typ, data, err := o.Read(t.Context(), other); err != nil || typ != "blob" || string(data) != "other\n" {
						t.Errorf("after damage: %s %q %v", typ, data, err)
					}
				})
			})
		}
	}
}

// A pipe in the place of an object has no writer to wait for.
func TestReadersDoNotWaitForPipes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	victim := f.Feed("victim\n", "hash-object", "-w", "--stdin")
	if err := os.Remove(loosePath(f, victim)); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(loosePath(f, victim), 0o644); err != nil {
		t.Fatal(err)
	}
	o := f.open()
	_, _, err := readLoose(o.ObjectsDir, victim)
	if err == nil {
		t.Error("a pipe is read")
	}
}

// No bit of a loose object can be flipped so that a reader hangs or gives other bytes. A sound copy in a pack takes its place.
func TestReadersRefuseEveryFlippedBitOfALooseObject(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	victim := f.Feed("victim\n", "hash-object", "-w", "--stdin")
	sound := []byte(read(t, loosePath(f, victim)))
	dir, meaningless := f.open().ObjectsDir, 0
	for at := range len(sound) * 8 {
		damaged := bytes.Clone(sound)
		damaged[at/8] ^= 1 << (at % 8)
		replaceFile(t, loosePath(f, victim), damaged)
		if typ, data, err := readLoose(dir, victim); err == nil && (typ != "blob" || string(data) != "victim\n") {
			t.Fatalf("bit %d: other bytes: %s %q", at, typ, data)
		} else if err == nil {
			meaningless++
		}
		if at%31 != 0 {
			continue
		}
		readers(t, f.open(), func(t *testing.T, o Objects) {
			readAll(t, o, map[string]object{victim: {"blob", "victim\n"}}, at/8)
		})
	}
	if meaningless > 7 {
		t.Errorf("%d bits go unnoticed, more than the deflated bytes can have behind their end", meaningless)
	}
	replaceFile(t, loosePath(f, victim), sound)
	f.Feed(victim+"\n", "pack-objects", "-q", ".git/objects/pack/pack")
	replaceFile(t, loosePath(f, victim), sound[:9])
	readers(t, f.open(), func(t *testing.T, o Objects) {
		if data, err := ReadBlob(t.Context(), o, victim); err != nil || string(data) != "victim\n" {
			t.Errorf("the sound copy is not found: %q %v", data, err)
		}
	})
}

// An object of one type where another is named is refused, and so is a tag that would lead to itself: its bytes have another hash.
func TestReadersRefuseOtherTypes(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		f := newFixture(t, "--object-format="+format)
		f.Commit("a", "1")
		blob, tree := f.Git("rev-parse", "HEAD:a"), f.Git("rev-parse", "HEAD^{tree}")
		raw, _ := hex.DecodeString(blob)
		path := f.Beside("raw")
		if err := os.WriteFile(path, []byte("40000 dir\x00"+string(raw)), 0o600); err != nil {
			t.Fatal(err)
		}
		mistyped := f.Git("hash-object", "-w", "-t", "tree", "--literally", path)
		commit := f.Git("hash-object", "-w", "-t", "commit", "--literally", "--stdin")
		cycle := strings.Repeat("a1", len(blob)/2)
		f.Write(".git/objects/a1/"+cycle[2:], string(deflate("tag 71\x00object "+cycle+"\ntype tag\ntag x\n")))
		if out, err := f.Run("", "fsck", "--full", "--strict"); err == nil {
			t.Fatal(out)
		}
		r := f.open()
		readers(t, r, func(t *testing.T, o Objects) {
			_, err := ReadTree(t.Context(), o, blob)
			wantFault(t, err, fault.Unavailable, "OBJECT.CORRUPT")
			_, err = ReadBlob(t.Context(), o, tree)
			wantFault(t, err, fault.Unavailable, "OBJECT.CORRUPT")
			_, err = WalkTree(t.Context(), o, mistyped)
			if e := wantFault(t, err, fault.Unavailable, "OBJECT.CORRUPT"); e.Target != blob {
				t.Error(e)
			}
			_, _, err = o.Read(t.Context(), cycle)
			wantFault(t, err, fault.Unavailable, "OBJECT.CORRUPT")
		})
		_, _, err := r.Peel(t.Context(), cycle)
		wantFault(t, err, fault.Unavailable, "OBJECT.CORRUPT")
		_, _, err = r.Peel(t.Context(), commit)
		wantFault(t, err, fault.Unavailable, "OBJECT.CORRUPT")
	}
}

// Two files that were made to collide have one hash under plain SHA-1 and none here. They are the first 320 bytes of the two
// documents of shattered.io.
func TestCollisionsHaveNoHash(t *testing.T) {
	t.Parallel()
	var files [2][]byte
	for i := range files {
		text := strings.Join(strings.Fields(read(t, fmt.Sprintf("testdata/shattered-%d.hex", i+1))), "")
		data, err := hex.DecodeString(text)
		if err != nil || len(data) != 320 {
			t.Fatal(len(data), err)
		}
		files[i] = data
	}
	if bytes.Equal(files[0], files[1]) || sha1.Sum(files[0]) != sha1.Sum(files[1]) {
		t.Fatal("these do not collide")
	}
	for _, data := range files {
		sha1, sha256 := newHash(40), newHash(64)
		sha1.Write(data)
		sha256.Write(data)
		if sum, err := sha1.ID(); err == nil {
			t.Errorf("the hash is %s", sum)
		}
		if sum, err := sha256.ID(); err != nil || len(sum) != 64 {
			t.Error(sum, err)
		}
	}
	// As a loose object such bytes have no header of an object, so that they are refused before they are hashed.
	f := newFixture(t)
	common := sha1.Sum(files[0])
	id := hex.EncodeToString(common[:])
	f.Write(".git/objects/"+id[:2]+"/"+id[2:], string(deflate(string(files[0]))))
	readers(t, f.open(), func(t *testing.T, o Objects) {
		_, _, err := o.Read(t.Context(), id)
		wantFault(t, err, fault.Unavailable, "OBJECT.CORRUPT")
	})
}

// Trees as wide and as deep as a repository can have are read as git reads them; deeper ones than newer releases of git read are
// refused, by name.
func TestWideAndDeepTrees(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: what is only large finds no race; without -short it is run")
	}
	f := newFixture(t)
	blob := f.Feed("x", "hash-object", "-w", "--stdin")
	var wide strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&wide, "100644 %s\tfile%d\n", blob, i)
	}
	f.Feed(wide.String(), "update-index", "--index-info")
	broad := f.Git("write-tree")
	// Git takes long to write a deep tree, and reads one in no time.
	var chain []packed
	mode, id, known := "100644 file", blob, ""
	for depth := range 10_001 {
		raw, _ := hex.DecodeString(id)
		data := mode + "\x00" + string(raw)
		id, _ = hashObject(40, "tree", []byte(data))
		chain = append(chain, packed{id: id, typ: 2, size: uint64(len(data)), data: []byte(data)})
		mode = "40000 d"
		if depth == maxDepth {
			known = id
		}
	}
	bottomless := id
	writePack(t, f, chain...)
	if out := f.Git("rev-parse", bottomless+":"+strings.Repeat("d/", 10_000-maxDepth)); out != known {
		t.Fatalf("git finds %q", out)
	}
	readers(t, f.open(), func(t *testing.T, o Objects) {
		entries, err := WalkTree(t.Context(), o, broad)
		if err != nil || len(entries) != 100_000 {
			t.Fatal(len(entries), err)
		}
		var names []string
		for _, e := range entries {
			names = append(names, e.Name)
		}
		if git := f.Git("ls-tree", "--name-only", broad); git != strings.Join(names, "\n") {
			t.Error("git lists other names")
		}
		entries, err = WalkTree(t.Context(), o, known)
		if err != nil || len(entries) != 1 || entries[0].Name != strings.Repeat("d/", maxDepth)+"file" {
			t.Error(entries, err)
		}
		_, err = WalkTree(t.Context(), o, bottomless)
		wantFault(t, err, fault.Unavailable, "OBJECT.MALFORMED_TREE")
		_, err = DiffTrees(t.Context(), o, "", bottomless)
		wantFault(t, err, fault.Unavailable, "OBJECT.MALFORMED_TREE")
		if changes, err := DiffTrees(t.Context(), o, known, broad); err != nil || !slices.ContainsFunc(changes, func(c Change) bool { return c.New == nil }) {
			t.Error(len(changes), err)
		}
	})
}
