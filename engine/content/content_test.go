package content_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"maps"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

type vector struct {
	Name, Canonical, ID string
	Bytes               *string
	Files               map[string]string
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// engine/identity's tests let python3 recompute this file.
func TestVectors(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil || len(vectors) < 8 {
		t.Fatalf("%d vectors: %v", len(vectors), err)
	}
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			var node authority.Node
			if v.Bytes != nil {
				node, err = content.FileNode("name", unhex(t, *v.Bytes))
			} else {
				files := map[string][]byte{}
				for path, data := range v.Files {
					files[path] = unhex(t, data)
				}
				node, err = content.NewSnapshot(files)
			}
			if err != nil || node.ID != v.ID {
				t.Fatalf("%v: got %s, want %s", err, node.ID, v.ID)
			}
			codec, _ := authority.Compose(content.Codecs()).Find(node.Kind)
			payload, err := node.Payload()
			if err != nil {
				t.Fatal(err)
			}
			record, dependencies, err := codec.Examine(payload)
			if err != nil {
				t.Fatal(err)
			}
			if encoded, err := identity.Encode(record); err != nil || !bytes.Equal(encoded, unhex(t, v.Canonical)) {
				t.Fatalf("%v: record %s", err, encoded)
			}
			var built []authority.Reference
			for _, part := range node.Parts {
				built = append(built, part.Reference)
			}
			if !slices.Equal(authority.SortReferences(built), authority.SortReferences(dependencies)) {
				t.Error("the node.Parts that are built are not those that the payload names")
			}
		})
	}
}

func snapshot(t rapid.TB, files map[string][]byte) string {
	node, err := content.NewSnapshot(files)
	if err != nil {
		t.Fatal(err)
	}
	return node.ID
}

func fileSets() *rapid.Generator[map[string][]byte] {
	component := rapid.StringOfN(rapid.RuneFrom([]rune("ab.-_ é\\\U0001f600")), 1, 6, -1).Filter(func(s string) bool { return s != "." && s != ".." })
	path := rapid.Map(rapid.SliceOfN(component, 1, 3), func(c []string) string { return strings.Join(c, "/") })
	return rapid.MapOfN(path, rapid.SliceOfN(rapid.Byte(), 0, 20), 1, 8)
}

func TestSnapshotIDBindsPathsAndBytesAndNothingElse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		files := fileSets().Draw(t, "files")
		id := snapshot(t, files)
		names := slices.Sorted(maps.Keys(files))

		order := slices.Clone(names)
		rand.New(rand.NewSource(rapid.Int64().Draw(t, "order"))).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		again := map[string][]byte{}
		for _, name := range order {
			again[name] = bytes.Clone(files[name])
		}
		if snapshot(t, again) != id {
			t.Fatal("insertion order or sharing changed the id")
		}

		name := rapid.SampledFrom(names).Draw(t, "name")
		data := again[name]
		if len(data) == 0 {
			again[name] = []byte{0}
		} else {
			again[name][rapid.IntRange(0, len(data)-1).Draw(t, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		}
		if snapshot(t, again) == id {
			t.Fatal("a changed byte left the id alone")
		}

		again[name] = append(bytes.Clone(files[name]), 0)
		if snapshot(t, again) == id {
			t.Fatal("a byte more left the id alone")
		}

		moved := maps.Clone(files)
		delete(moved, name)
		moved[name+"x"] = files[name]
		if snapshot(t, moved) == id {
			t.Fatal("a changed path left the id alone")
		}

		if len(files) > 1 {
			delete(moved, name+"x")
			if snapshot(t, moved) == id {
				t.Fatal("a file less left the id alone")
			}
		}
	})
}

func TestFileRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOf(rapid.Byte()).Draw(t, "data")
		node, err := content.FileNode("name", data)
		if err != nil {
			t.Fatal(err)
		}
		payload, err := node.Payload()
		if err != nil {
			t.Fatal(err)
		}
		sealed, err := content.FileCodec.Seal(payload)
		if err != nil || sealed.Reference != node.Reference {
			t.Fatal(sealed, err)
		}
		if back, err := content.FileBytes(payload); err != nil || !bytes.Equal(back, data) {
			t.Fatal(back, err)
		}
		if ref, err := content.FileReference(identity.Bytes(data)); err != nil || ref != node.Reference {
			t.Fatal(ref, err)
		}
	})
}

func TestSnapshotRefusals(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "/a", "a//b", "../a", ".git/config", "a\x00b", "\xff"} {
		if _, err := content.NewSnapshot(map[string][]byte{"ok": nil, name: nil}); !fault.Is(err, "CONTENT.PATH") || fault.As(err).Target != name {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := content.NewSnapshot(nil); err == nil {
		t.Error("an empty snapshot")
	}
	large := make([]byte, content.MaxFile+1)
	if _, err := content.FileNode("docs/big.bin", large); !fault.Is(err, "CONTENT.TOO_LARGE") || fault.As(err).Target != "docs/big.bin" {
		t.Error(err)
	}
	if _, err := content.FileReference("sha1:00"); err == nil {
		t.Error("a reference to no digest")
	}
}

// The largest file must really fit: the bound is arithmetic, the envelope decides.
func TestLargestFileFitsItsEnvelope(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("64 MiB")
	}
	node, err := content.FileNode("big", make([]byte, content.MaxFile))
	if err != nil {
		t.Fatal(err)
	}
	payload, err := node.Payload()
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := content.FileCodec.Seal(payload)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := sealed.Encode(); err != nil || authority.MaxEnvelope-len(text) > 1024 {
		t.Fatal(len(text), err)
	}
}

func TestPayloadRefusals(t *testing.T) {
	t.Parallel()
	zero := identity.Bytes(nil)
	file := func(path string) identity.List { return identity.List{path, zero, int64(0)} }
	for name, payload := range map[string]any{
		"not an object":      "x",
		"no files":           identity.Record{"files": identity.List{}},
		"another field":      identity.Record{"files": identity.List{file("a")}, "mode": int64(1)},
		"unsorted":           identity.Record{"files": identity.List{file("b"), file("a")}},
		"sorted by byte":     identity.Record{"files": identity.List{file("a.b"), file("a/b")}},
		"twice":              identity.Record{"files": identity.List{file("a"), file("a")}},
		"path":               identity.Record{"files": identity.List{file("a/../b")}},
		"negative length":    identity.Record{"files": identity.List{identity.List{"a", zero, int64(-1)}}},
		"digest":             identity.Record{"files": identity.List{identity.List{"a", strings.ToUpper(zero), int64(0)}}},
		"length as text":     identity.Record{"files": identity.List{identity.List{"a", zero, "0"}}},
		"a fourth part":      identity.Record{"files": identity.List{identity.List{"a", zero, int64(0), "100755"}}},
		"a record":           identity.Record{"files": identity.List{identity.Record{"path": "a", "sha256": zero, "length": int64(0)}}},
		"file without bytes": identity.Record{"files": identity.List{identity.List{"a", int64(0)}}},
	} {
		if _, err := content.SnapshotCodec.Seal(payload); err == nil {
			t.Errorf("snapshot %s: sealed", name)
		}
	}
	for name, payload := range map[string]any{
		"not an object":      nil,
		"another digest":     identity.Record{"base64": "eA==", "length": int64(1), "sha256": zero},
		"another length":     identity.Record{"base64": "", "length": int64(1), "sha256": zero},
		"no padding":         identity.Record{"base64": "eA", "length": int64(1), "sha256": identity.Bytes([]byte("x"))},
		"stray bits":         identity.Record{"base64": "eB==", "length": int64(1), "sha256": identity.Bytes([]byte("x"))},
		"line end in it":     identity.Record{"base64": "eA==\n", "length": int64(1), "sha256": identity.Bytes([]byte("x"))},
		"one more field":     identity.Record{"base64": "", "length": int64(0), "sha256": zero, "mode": "100644"},
		"length is a string": identity.Record{"base64": "", "length": "0", "sha256": zero},
	} {
		if _, err := content.FileCodec.Seal(payload); err == nil {
			t.Errorf("file %s: sealed", name)
		}
	}
}

// sized is a source that tells sizes and must not be read.
type sized struct {
	content.Source
	sizes map[string]int64
}

func (s sized) Sizes(_ context.Context, entries ...content.Entry) ([]int64, error) {
	sizes := make([]int64, len(entries))
	for i, entry := range entries {
		sizes[i] = s.sizes[entry.Name]
	}
	return sizes, nil
}

// What is known to be too large is refused by its name, unread, also below an overlay; what is not known passes.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	source := sized{content.Empty, map[string]int64{"small": content.MaxFile, "large": content.MaxFile + 1, "unknown": -1}}
	covered := content.Overlay(source, map[string][]byte{"large": []byte("small by now")}, nil)
	entry := func(names ...string) (list []content.Entry) {
		for _, name := range names {
			list = append(list, content.Entry{Name: name})
		}
		return list
	}
	for _, c := range []struct {
		source content.Source
		names  []string
		refuse string
	}{
		{source, []string{"small", "unknown"}, ""},
		{source, []string{"small", "large"}, "large"},
		{source, nil, ""},
		{content.Empty, []string{"large"}, ""},
		{covered, []string{"small", "large", "unknown"}, ""},
		{content.Overlay(source, map[string][]byte{"small": nil}, nil), []string{"small", "unknown", "large"}, "large"},
		{content.Overlay(content.Empty, nil, nil), []string{"large"}, ""},
	} {
		refused, err := content.TooLarge(t.Context(), c.source, entry(c.names...)...)
		if err != nil || c.refuse == "" && len(refused) > 0 {
			t.Errorf("%v: %v %v", c.names, refused, err)
		}
		if err := refused[c.refuse]; c.refuse != "" && (len(refused) > 1 || !fault.Is(err, "CONTENT.TOO_LARGE") || fault.As(err).Target != c.refuse) {
			t.Errorf("%v: %v", c.names, refused)
		}
	}
}
