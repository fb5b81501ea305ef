package identity_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"math/big"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/identity"
)

const script = "../../scripts/identity_vectors.py"

type vector struct{ Name, Domain, Kind, Value, Canonical, ID string }

func vectors(t testing.TB) []vector {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []vector
	if err := json.Unmarshal(text, &list); err != nil || len(list) < 30 {
		t.Fatalf("%d vectors: %v", len(list), err)
	}
	return list
}

// parse reads JSON text in any spelling, by the standard library, as an identity value.
func parse(t testing.TB, text string) any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return convert(t, value)
}

func convert(t testing.TB, value any) any {
	switch v := value.(type) {
	case json.Number:
		n, ok := new(big.Int).SetString(v.String(), 10)
		if !ok {
			t.Fatalf("%s is not an integer", v)
		}
		return n
	case []any:
		for i := range v {
			v[i] = convert(t, v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = convert(t, v[key])
		}
	}
	return value
}

func python(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal("python3 is needed: it recomputes the vectors independently (scripts/setup installs it)")
	}
	return path
}

func TestVectorsAreWhatPythonComputes(t *testing.T) {
	t.Parallel()
	out, err := exec.Command(python(t), script, "--check").CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("vectors agree")) {
		t.Fatalf("%v\n%s", err, out)
	}
}

// A check that cannot fail proves nothing: one digit changed must be found.
func TestPythonFindsAChangedVector(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(root+"/scripts", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(root+"/engine/x/testdata", 0o700); err != nil {
		t.Fatal(err)
	}
	id := vectors(t)[0].ID
	bad := bytes.Replace(good, []byte(id), []byte(id[:len(id)-1]+"g"), 1)
	for name, content := range map[string][]byte{"scripts/identity_vectors.py": text, "engine/x/testdata/vectors.json": bad} {
		if err := os.WriteFile(root+"/"+name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(python(t), root+"/scripts/identity_vectors.py", "--check").CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte("1 differences")) {
		t.Fatalf("%v\n%s", err, out)
	}
}

func TestEncodeGivesTheVectors(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			want, err := hex.DecodeString(v.Canonical)
			if err != nil {
				t.Fatal(err)
			}
			value := parse(t, v.Value)
			got, err := identity.Encode(value)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("Encode: %v\n got %s\nwant %s", err, got, want)
			}
			if id, err := identity.Hash(v.Domain, v.Kind, value); err != nil || id != v.ID {
				t.Fatalf("Hash: %v\n got %s\nwant %s", err, id, v.ID)
			}
			decoded, err := identity.Decode(want)
			if err != nil {
				t.Fatal(err)
			}
			if id, err := identity.Hash(v.Domain, v.Kind, decoded); err != nil || id != v.ID {
				t.Fatalf("Hash of Decode: %v\n got %s\nwant %s", err, id, v.ID)
			}
		})
	}
}

func TestVectorIDsDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, v := range vectors(t) {
		key := v.Domain + "\n" + v.Kind + "\n" + v.Canonical
		if other, ok := seen[v.ID]; ok && other != key {
			t.Errorf("%s has the id of another frame", v.Name)
		}
		seen[v.ID] = key
	}
}

// values generates identity values; integers reach far beyond 64 bits, strings hold any scalar.
func values() *rapid.Generator[any] {
	leaf := rapid.OneOf(
		rapid.Just[any](nil),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.Int64(), func(n int64) any { return n }),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 40), func(b []byte) any { n := beyond64(b); return n.Neg(n) }),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 40), func(b []byte) any { return beyond64(b) }),
		rapid.Map(texts(), func(s string) any { return s }),
	)
	tree := leaf
	for range 3 {
		inner := tree
		tree = rapid.OneOf(
			leaf,
			rapid.Map(rapid.SliceOfN(inner, 0, 4), func(l []any) any { return l }),
			rapid.Map(rapid.MapOfN(texts(), inner, 0, 4), func(m map[string]any) any { return m }),
		)
	}
	return tree
}

// beyond64 is an integer that int64 cannot hold, so that Decode must give it back as a *big.Int.
func beyond64(b []byte) *big.Int {
	n := new(big.Int).Lsh(big.NewInt(1), 320)
	return n.Add(n, new(big.Int).SetBytes(b))
}

func texts() *rapid.Generator[string] {
	return rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("\x00\x01\x08\t\n\f\r\x1f\"\\/u\x7f\u2028\ufeff\U0001f600"))))
}

func TestPythonAgreesOnRandomValues(t *testing.T) {
	t.Parallel()
	server := exec.Command(python(t), script, "--serve")
	in, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		in.Close()
		if err := server.Wait(); err != nil {
			t.Error(err)
		}
	}()
	answers := json.NewDecoder(bufio.NewReader(out))
	rapid.Check(t, func(t *rapid.T) {
		value := values().Draw(t, "value")
		asked, err := json.Marshal(map[string]any{"domain": "coding-standards:test:v1", "kind": "test-object", "value": value})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(in, string(asked)+"\n"); err != nil {
			t.Fatal(err)
		}
		var want struct{ Canonical, ID string }
		if err := answers.Decode(&want); err != nil {
			t.Fatal(err)
		}
		got, err := identity.Encode(value)
		if err != nil || hex.EncodeToString(got) != want.Canonical {
			t.Fatalf("%v: %s, python3 %s", err, got, want.Canonical)
		}
		if id, err := identity.Hash("coding-standards:test:v1", "test-object", value); err != nil || id != want.ID {
			t.Fatalf("%v: %s, python3 %s", err, id, want.ID)
		}
	})
}

func TestDecodeUndoesEncode(t *testing.T) {
	t.Parallel()
	bigIntegers := cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })
	rapid.Check(t, func(t *rapid.T) {
		value := values().Draw(t, "value")
		text, err := identity.Encode(value)
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := identity.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(value, decoded, bigIntegers); diff != "" {
			t.Fatal(diff)
		}
	})
}
