package gitext

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

// packed is one object of a pack that is written by hand, so that it can say what no git writes (gitformat-pack(5)). The type is
// that of the format: 1 to 4 for commit, tree, blob and tag, 7 for a difference from the object base.
type packed struct {
	id   string // by which the index names it
	typ  byte
	base string
	size uint64 // as claimed
	data []byte // before compression
}

// whole is an honest blob.
func whole(text string) packed {
	id, _ := hashObject(40, "blob", []byte(text))
	return packed{id: id, typ: 3, size: uint64(len(text)), data: []byte(text)}
}

// varint is seven bits a byte, the lowest first, as sizes stand in deltas.
func varint(n uint64) []byte { return binary.AppendUvarint(nil, n) }

// writePack stores objects as one pack with its index, version 2.
func writePack(t *testing.T, f *fixture, objects ...packed) {
	t.Helper()
	unhex := func(id string) []byte {
		raw, err := hex.DecodeString(id)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	pack := append([]byte("PACK"), 0, 0, 0, 2)
	pack = binary.BigEndian.AppendUint32(pack, uint32(len(objects)))
	offsets, sums := map[string]uint32{}, map[string]uint32{}
	for _, o := range objects {
		start := len(pack)
		offsets[o.id] = uint32(start)
		head, rest := o.typ<<4|byte(o.size&15), o.size>>4
		for rest > 0 {
			pack = append(pack, head|0x80)
			head, rest = byte(rest&0x7f), rest>>7
		}
		pack = append(pack, head)
		if o.typ == 7 {
			pack = append(pack, unhex(o.base)...)
		}
		var b bytes.Buffer
		w := zlib.NewWriter(&b)
		_, _ = w.Write(o.data)
		w.Close()
		pack = append(pack, b.Bytes()...)
		sums[o.id] = crc32.ChecksumIEEE(pack[start:])
	}
	trailer := sha1.Sum(pack)
	pack = append(pack, trailer[:]...)

	slices.SortFunc(objects, func(a, b packed) int { return strings.Compare(a.id, b.id) })
	index := []byte{0xff, 't', 'O', 'c', 0, 0, 0, 2}
	for first, n := 0, 0; first < 256; first++ {
		for n < len(objects) && int(unhex(objects[n].id)[0]) <= first {
			n++
		}
		index = binary.BigEndian.AppendUint32(index, uint32(n))
	}
	for _, o := range objects {
		index = append(index, unhex(o.id)...)
	}
	for _, o := range objects {
		index = binary.BigEndian.AppendUint32(index, sums[o.id])
	}
	for _, o := range objects {
		index = binary.BigEndian.AppendUint32(index, offsets[o.id])
	}
	index = append(index, trailer[:]...)
	sum := sha1.Sum(index)
	index = append(index, sum[:]...)
	name := ".git/objects/pack/pack-" + hex.EncodeToString(trailer[:])
	f.Write(name+".pack", string(pack))
	f.Write(name+".idx", string(index))
}

// A pack that is written here and honest is one that git and both readers read: the damage below is the only thing wrong with it.
func TestPacksWrittenByHandAreSound(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	base := whole("a base of some length\n")
	text := "a base of some length\nand more\n"
	id, _ := hashObject(40, "blob", []byte(text))
	// Copy 22 bytes from 0, then 9 bytes that follow.
	delta := slices.Concat(varint(22), varint(31), []byte{0x90, 22, 9}, []byte("and more\n"))
	writePack(t, f, base, packed{id: id, typ: 7, base: base.id, size: uint64(len(delta)), data: delta})
	f.Git("fsck", "--full", "--strict")
	if out := f.Git("cat-file", "blob", id); out+"\n" != text {
		t.Fatalf("%q", out)
	}
	readers(t, f.open(), func(t *testing.T, o Objects) {
		if data, err := ReadBlob(t.Context(), o, id); err != nil || string(data) != text {
			t.Errorf("%q %v", data, err)
		}
	})
}

// Packs that lie: each object is refused under its own id, in memory that does not follow the claim, by both readers; git, which
// reads it under the same bounds, gives it neither.
func TestReadersRefusePacksThatLie(t *testing.T) {
	honest := whole("honest\n")
	victim := whole("victim\n")
	zeros := whole(strings.Repeat("\x00", 0xffffff))
	bomb := slices.Concat(varint(0xffffff), varint(0xffffff*200))
	for range 200 {
		bomb = append(bomb, 0xf0, 0xff, 0xff, 0xff) // copy 16 MiB from 0
	}
	small := slices.Concat(varint(0xffffff*200), varint(1), []byte{0x90, 1}) // copy one byte
	a, b := strings.Repeat("aa", 20), strings.Repeat("bb", 20)
	loop := slices.Concat(varint(7), varint(7), []byte{0x90, 7})
	for _, c := range []struct {
		name    string
		objects []packed
		victim  string
		code    string
	}{
		{"another object's name", []packed{{id: victim.id, typ: 3, size: 6, data: []byte("other\n")}}, victim.id, "OBJECT.CORRUPT"},
		{"another type", []packed{{id: victim.id, typ: 2, size: 7, data: []byte("victim\n")}}, victim.id, "OBJECT.CORRUPT"},
		{"a type that there is not", []packed{{id: victim.id, typ: 5, size: 7, data: []byte("victim\n")}}, victim.id, "OBJECT.CORRUPT"},
		{"a size too small", []packed{{id: victim.id, typ: 3, size: 6, data: []byte("victim\n")}}, victim.id, "OBJECT.CORRUPT"},
		{"a size too large", []packed{{id: victim.id, typ: 3, size: 8, data: []byte("victim\n")}}, victim.id, "OBJECT.CORRUPT"},
		{"4 GiB claimed", []packed{{id: victim.id, typ: 3, size: 4 << 30, data: []byte("victim\n")}}, victim.id, "OBJECT.TOO_LARGE"},
		{"2^63 claimed", []packed{{id: victim.id, typ: 3, size: 1 << 63, data: []byte("victim\n")}}, victim.id, "OBJECT.CORRUPT"},
		{"a delta of 3 GiB", []packed{zeros, {id: a, typ: 7, base: zeros.id, size: uint64(len(bomb)), data: bomb}}, a, "OBJECT.TOO_LARGE"},
		{"a byte out of a delta of 3 GiB", []packed{zeros, {id: a, typ: 7, base: zeros.id, size: uint64(len(bomb)), data: bomb},
			{id: b, typ: 7, base: a, size: uint64(len(small)), data: small}}, b, "OBJECT.TOO_LARGE"},
		{"deltas in a circle", []packed{{id: a, typ: 7, base: b, size: uint64(len(loop)), data: loop},
			{id: b, typ: 7, base: a, size: uint64(len(loop)), data: loop}}, a, "OBJECT.TOO_LARGE"},
		{"a delta of itself", []packed{{id: a, typ: 7, base: a, size: uint64(len(loop)), data: loop}}, a, "OBJECT.TOO_LARGE"},
		{"a delta of what is not there", []packed{{id: a, typ: 7, base: b, size: uint64(len(loop)), data: loop}}, a, "OBJECT.MISSING"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			writePack(t, f, append([]packed{honest}, c.objects...)...)
			limited := f.With("GIT_ALLOC_LIMIT=64m")
			if out, err := limited.Run("", "fsck", "--full"); err == nil {
				t.Fatalf("git fsck finds nothing: %s", out)
			}
			if strings.Contains(c.name, "circle") || strings.Contains(c.name, "itself") {
				f = f.With("GIT_ALLOC_LIMIT=4m") // git goes round until this is spent
			}
			readers(t, f.open(), func(t *testing.T, o Objects) {
				for range 2 {
					_, _, err := o.Read(t.Context(), c.victim)
					if e := fault.As(err); e == nil || e.Code != c.code || e.Target != c.victim {
						t.Errorf("%v, want %s", err, c.code)
					}
				}
				if data, err := ReadBlob(t.Context(), o, honest.id); err != nil || string(data) != "honest\n" {
					t.Errorf("after damage: %q %v", data, err)
				}
			})
		})
	}
}

// No byte of a pack or of its index can be changed so that a reader hangs or gives other bytes than the object's. Every byte is
// changed for each of the two that read packs, and some for a whole reader, which asks one after the other, twice.
func TestReadersRefuseEveryFlippedByteOfAPack(t *testing.T) {
	for format, every := range map[string]int{"sha1": 1, "sha256": 5} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, "--object-format="+format)
			for _, text := range []string{strings.Repeat("alike ", 20), strings.Repeat("alike ", 21)} {
				f.Feed(text, "hash-object", "-w", "--stdin")
			}
			want := gitObjects(f)
			ids := slices.Sorted(maps.Keys(want))
			f.Feed(strings.Join(ids, "\n")+"\n", "pack-objects", "-q", ".git/objects/pack/pack")
			f.Git("prune-packed", "-q")
			if list := f.Git("count-objects", "-v"); !strings.Contains(list, "in-pack: 2") || !strings.HasPrefix(list, "count: 0") {
				t.Fatal(list)
			}
			refused, r := 0, f.open()
			for ext, step := range map[string]int{"pack": every, "idx": 13 * every} { // a kilobyte of an index is one table of counts
				files, err := filepath.Glob(filepath.Join(f.Dir, ".git/objects/pack/*."+ext))
				if err != nil || len(files) != 1 {
					t.Fatal(files, err)
				}
				sound := []byte(read(t, files[0]))
				for at := 0; at < len(sound); at += step {
					damaged := bytes.Clone(sound)
					damaged[at] ^= 1 << (at % 8)
					replaceFile(t, files[0], damaged)
					var asked []Objects
					if packs := openLibgit2(format, r.objectDirs()); packs != nil {
						asked = append(asked, packsAlone{packs})
					}
					asked = append(asked, newBatch(r.git, r.dir, r.env))
					if at%32 == 0 {
						asked = append(asked, r.newReader(r.objectDirs(), r.dir, r.env))
					}
					for _, o := range asked {
						refused += readAll(t, o, want, at)
						o.(interface{ close() }).close()
					}
				}
				replaceFile(t, files[0], sound)
			}
			if refused < 30 {
				t.Errorf("only %d reads were refused", refused)
			}
		})
	}
}

// packsAlone is what libgit2 gives, if it is proven, as in a reader.
type packsAlone struct{ *libgit2 }

func (p packsAlone) Read(_ context.Context, id string) (string, []byte, error) {
	typ, data, ok := p.read(id)
	if !ok {
		return "", nil, missing(id)
	}
	return typ, data, verify(id, typ, data)
}

// readAll reads every object and counts what is refused; what is given must be right.
func readAll(t *testing.T, o Objects, want map[string]object, at int) (refused int) {
	t.Helper()
	for id, w := range want {
		typ, data, err := o.Read(t.Context(), id)
		switch e := fault.As(err); {
		case err == nil && (typ != w.typ || string(data) != w.data):
			t.Fatalf("byte %d: other bytes for %s: %s %q", at, id, typ, data)
		case err == nil:
		case e == nil || e.Target != id || !slices.Contains([]string{"OBJECT.CORRUPT", "OBJECT.MISSING", "OBJECT.TOO_LARGE"}, e.Code):
			t.Fatalf("byte %d of %s: %v", at, id, err)
		default:
			refused++
		}
	}
	return refused
}
