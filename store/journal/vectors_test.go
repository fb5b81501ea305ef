package journal

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

const script = "../../scripts/journal_vectors.py"

func python(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal("python3 is needed, as the second implementation of doc/journal.md: ", err)
	}
	return path
}

// outcome is what reading a file gives, in the words of the vectors.
type outcome struct {
	Sequence int64  `json:"sequence,omitempty"`
	Hash     string `json:"hash,omitempty"`
	Bytes    int64  `json:"bytes,omitempty"`
	Tail     int64  `json:"tail,omitempty"`
	Code     string `json:"code,omitempty"`
	Offset   int64  `json:"offset,omitempty"`
}

type vector struct {
	Name, Stream string
	Appends      *[][]json.RawMessage
	File         string
	Head         struct {
		Sequence int64
		Hash     string
	}
	Reads *outcome
}

func vectors(t testing.TB) map[string]vector {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []vector
	if err := json.Unmarshal(text, &list); err != nil || len(list) < 40 {
		t.Fatalf("%d vectors: %v", len(list), err)
	}
	named := map[string]vector{}
	for _, v := range list {
		named[v.Name] = v
	}
	return named
}

func (v vector) bytes(t testing.TB) []byte {
	t.Helper()
	data, err := hex.DecodeString(v.File)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// readAll reads a file's bytes to their end.
func readAll(stream string, data []byte) (records []Record, o outcome) {
	s, err := scan(bytes.NewReader(data), int64(len(data)), "x.journal", stream)
	for err == nil {
		var batch []Record
		if batch, err = s.next(context.Background()); err == nil && batch == nil {
			return records, outcome{Sequence: s.head.Sequence, Hash: s.head.Hash, Bytes: s.end, Tail: s.size - s.end}
		}
		records = append(records, batch...)
	}
	o.Code = fault.As(err).Code
	if d := damageOf(err); d != nil {
		o.Sequence, o.Offset = d.Sequence, d.Offset
	}
	return records, o
}

func TestVectors(t *testing.T) {
	t.Parallel()
	for name, v := range vectors(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := v.bytes(t)
			if v.Appends == nil {
				if _, got := readAll(v.Stream, data); got != *v.Reads {
					t.Errorf("reads as %+v, not %+v", got, *v.Reads)
				}
				return
			}
			folder := newFolder(t)
			j := mustOpen(t, folder, v.Stream)
			lines := bytes.Split(data, []byte{'\n'})[1:]
			for _, batch := range *v.Appends {
				var payloads []identity.Record
				for range batch {
					// As python3 wrote it: encoding is not what is proven here.
					var line struct{ Payload json.RawMessage }
					if err := json.Unmarshal(lines[0], &line); err != nil {
						t.Fatal(err)
					}
					payload, err := identity.Decode(line.Payload)
					if err != nil {
						t.Fatal(err)
					}
					payloads, lines = append(payloads, payload.(identity.Record)), lines[1:]
				}
				mustAppend(t, j, payloads...)
			}
			if got := j.Head(); got != Head(v.Head) {
				t.Errorf("head %+v, not %+v", got, v.Head)
			}
			if got := fileBytes(t, filepath.Join(folder, v.Stream+fileSuffix)); !bytes.Equal(got, data) {
				t.Errorf("written\n%s\nnot\n%s", got, data)
			}
		})
	}
}

func TestVectorsAreWhatPythonComputes(t *testing.T) {
	t.Parallel()
	if out, err := exec.Command(python(t), script, "--check").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// Damage of every kind, drawn: python3 and the scanner read the same out of it.
func TestDamageReadsTheSameInPython(t *testing.T) {
	t.Parallel()
	all := vectors(t)
	folder := t.TempDir()
	var names []string
	var files [][]byte
	rapid.Check(t, func(t *rapid.T) {
		base := all[rapid.SampledFrom([]string{"three", "together", "values", "large together", "large apart"}).Draw(t, "base")]
		data, _ := hex.DecodeString(base.File)
		for range rapid.IntRange(1, 3).Draw(t, "edits") {
			data = spoil(t, data)
		}
		// The stream is one for the call below, so the others read as foreign, which is a case as well.
		files = append(files, data)
	})
	files = files[:min(len(files), 400)]
	for i, data := range files {
		name := filepath.Join(folder, string(rune('a'+i/26/26))+string(rune('a'+i/26%26))+string(rune('a'+i%26)))
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	for _, stream := range []string{"publish", "collection.c1", "0_a-b.c"} {
		out, err := exec.Command(python(t), append([]string{script, "--read", stream}, names...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if len(lines) != len(files) {
			t.Fatalf("python3 read %d of %d files", len(lines), len(files))
		}
		for i, text := range lines {
			var want outcome
			if err := json.Unmarshal([]byte(text), &want); err != nil {
				t.Fatal(err)
			}
			if _, got := readAll(stream, files[i]); got != want {
				t.Errorf("stream %s:\n%q\n%s", stream, files[i], cmp.Diff(want, got))
			}
		}
	}
}

// spoil damages a file in one way.
func spoil(t *rapid.T, data []byte) []byte {
	if len(data) == 0 {
		return data
	}
	data = bytes.Clone(data)
	at := func(name string) int { return rapid.IntRange(0, len(data)-1).Draw(t, name) }
	lines := bytes.SplitAfter(data, []byte{'\n'})
	line := func(name string) int { return rapid.IntRange(0, len(lines)-1).Draw(t, name) }
	switch rapid.IntRange(0, 7).Draw(t, "how") {
	case 0:
		return data[:at("cut")]
	case 1:
		data[at("byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
	case 2:
		from := at("from")
		clear(data[from:min(len(data), from+rapid.SampledFrom([]int{1, 64, 512, 1024, 4096}).Draw(t, "zeros"))])
	case 3:
		data = append(data, make([]byte, rapid.IntRange(1, 600).Draw(t, "zeros"))...)
	case 4:
		data = append(data, rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "more")...)
	case 5:
		a, b := line("line"), line("other")
		lines[a], lines[b] = lines[b], lines[a]
		data = bytes.Join(lines, nil)
	case 6:
		a := line("line")
		data = bytes.Join(append(lines[:a:a], lines[a+1:]...), nil)
	case 7:
		a := line("line")
		data = bytes.Join(append(lines[:a+1:a+1], lines[a:]...), nil)
	}
	return data
}
