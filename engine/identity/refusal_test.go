package identity_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/identity"
)

// Right or refused, never nearly: what Decode accepts, Encode must give back byte for byte.
func checkCanonical(t *testing.T, text []byte) {
	t.Helper()
	value, err := identity.Decode(text)
	if err != nil {
		if !errors.Is(err, identity.ErrEncoding) {
			t.Errorf("%q: the refusal does not wrap ErrEncoding: %v", text, err)
		}
		return
	}
	again, err := identity.Encode(value)
	if err != nil || !bytes.Equal(again, text) {
		t.Errorf("%q decodes, but encodes as %q (%v)", text, again, err)
	}
}

func TestDamagedVectorsAreRefusedOrOtherwiseCanonical(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t) {
		text, err := hex.DecodeString(v.Canonical)
		if err != nil {
			t.Fatal(err)
		}
		for n := range text {
			checkCanonical(t, text[:n])
			for bit := range 8 {
				flipped := bytes.Clone(text)
				flipped[n] ^= 1 << bit
				checkCanonical(t, flipped)
			}
		}
		for _, tail := range []string{" ", "\n", "\x00", "0", ",", "}", "]", "null"} {
			checkCanonical(t, append(bytes.Clone(text), tail...))
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	for name, texts := range map[string][]string{
		"nothing":                   {"", " ", "\x00", "\ufeff", "\ufeff1"},
		"floats":                    {"1.0", "1.5", "1e3", "1E3", "-0.0", "0.1", "1e-1", ".5", "5."},
		"not numbers":               {"NaN", "nan", "Infinity", "-Infinity", "inf", "+1", "-", "--1", "0x10", "1_000"},
		"minus zero":                {"-0", "[-0]"},
		"leading zeros":             {"00", "01", "-01", "007"},
		"white space":               {" 1", "1 ", "[1, 2]", "[ ]", "{ }", `{"a": 1}`, "[1,\n2]", "\t1", "{\"a\":1}\n"},
		"two values":                {"1,2", "1 2", "{}{}", `""""`},
		"literals":                  {"nul", "nulll", "True", "FALSE", "t", "undefined", "nan"},
		"escapes never written":     {`"\/"`, `"\n"`, `"\t"`, `"\b"`, `"\f"`, `"\r"`, `"\u0041"`, `"\u0020"`, `"\u007f"`, `"\u00e9"`, `"\u000A"`, `"\u001F"`, `"\U0001"`, `"\x01"`, `"\'"`, `"\u00"`, `"\u000"`, `"\"`, `"\u0100"`},
		"surrogates":                {`"\ud800"`, `"\udfff"`, `"\ud83d\ude00"`, "\"\xed\xa0\x80\"", "\"\xed\xbf\xbf\"", "\"\xed\xa0\xbd\xed\xb8\x80\""},
		"not UTF-8":                 {"\"\xff\"", "\"\xc0\x80\"", "\"\xc3\"", "\"\xf4\x90\x80\x80\"", "{\"\xff\":1}"},
		"raw control characters":    {"\"\x00\"", "\"\n\"", "\"\x1f\""},
		"keys twice":                {`{"a":1,"a":1}`, `{"a":1,"a":2}`, `{"":1,"":2}`, `{"a":1,"b":2,"a":3}`},
		"keys unsorted":             {`{"b":1,"a":2}`, `{"aa":1,"a":2}`, `{"a":1,"A":2}`, "{\"\U00010000\":1,\"\uffff\":2}", `{"a":1,"":2}`},
		"objects malformed":         {"{", "}", `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{"a":1`, `{a:1}`, `{1:1}`, `{"a";1}`, `{"a":1;"b":2}`, `{null:1}`},
		"lists malformed":           {"[", "]", "[1", "[1,", "[1,]", "[,]", "[1;2]", "[1 2]"},
		"strings malformed":         {`"`, `"a`, `'a'`, `a`},
		"comments":                  {"/**/1", "1//", "[1,/**/2]"},
		"deeper than 64":            {strings.Repeat("[", 65) + "1" + strings.Repeat("]", 65), strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 65), strings.Repeat("[", 100_000)},
		"integers beyond the limit": {strings.Repeat("7", identity.MaxDigits+1), "-" + strings.Repeat("7", identity.MaxDigits+1), strings.Repeat("7", 2_000_000)},
	} {
		for _, text := range texts {
			if value, err := identity.Decode([]byte(text)); !errors.Is(err, identity.ErrEncoding) {
				t.Errorf("%s: %.60q decodes as %.60v (%v)", name, text, value, err)
			}
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	t.Parallel()
	var deep any = int64(1)
	for range identity.MaxDepth + 1 {
		deep = identity.List{deep}
	}
	long := new(big.Int).Exp(big.NewInt(10), big.NewInt(identity.MaxDigits), nil)
	for name, value := range map[string]any{
		"float":                   1.0,
		"NaN":                     math.NaN(),
		"infinity":                math.Inf(1),
		"float in a list":         identity.List{1.5},
		"bytes":                   []byte("x"),
		"unsigned":                uint(1),
		"small integer":           int32(1),
		"nil big integer":         (*big.Int)(nil),
		"other list":              []string{"x"},
		"other map":               map[string]string{"a": "b"},
		"struct":                  struct{}{},
		"invalid UTF-8":           "\xff",
		"surrogate":               "\xed\xa0\x80",
		"invalid UTF-8 in a key":  identity.Record{"\xc0": nil},
		"too deep":                deep,
		"integer too long":        long,
		"negative integer, again": new(big.Int).Neg(long),
	} {
		if text, err := identity.Encode(value); !errors.Is(err, identity.ErrEncoding) || text != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		if id, err := identity.Hash("a:v1", "a", value); !errors.Is(err, identity.ErrEncoding) || id != "" {
			t.Errorf("%s: %q, %v", name, id, err)
		}
	}
}

// The bounds are the same on both sides, so that whatever can be stored can be read.
func TestLargestIntegersPass(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("9", identity.MaxDigits), "-" + strings.Repeat("9", identity.MaxDigits)} {
		value, err := identity.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if again, err := identity.Encode(value); err != nil || string(again) != text {
			t.Fatal("the largest integer does not encode as it was", err)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, domain := range []string{"", "A", "a b", "a/b", "1a", ":a", "a\x00", "é", "a_b"} {
		if _, err := identity.HashText(domain, "a", []byte("1")); !errors.Is(err, identity.ErrEncoding) {
			t.Errorf("domain %q: %v", domain, err)
		}
	}
	for _, kind := range []string{"", "A", "a:b", "a.b", "1", "-a", "a b"} {
		if _, err := identity.HashText("a:v1", kind, []byte("1")); !errors.Is(err, identity.ErrEncoding) {
			t.Errorf("kind %q: %v", kind, err)
		}
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	digest := strings.Repeat("0a", 32)
	kind, got, ok := identity.Split("content-file:sha256:" + digest)
	if !ok || kind != "content-file" || got != digest {
		t.Error(kind, got, ok)
	}
	for _, id := range []string{"", digest, "sha256:" + digest, ":sha256:" + digest, "a:sha1:" + digest, "a:sha256:" + digest[1:], "a:sha256:" + digest + "0",
		"a:sha256:" + strings.ToUpper(digest), "A:sha256:" + digest, "a:b:sha256:" + digest, "a:sha256:sha256:" + digest} {
		if _, _, ok := identity.Split(id); ok {
			t.Errorf("%q splits", id)
		}
	}
	// The digests of "" and "abc" are those of FIPS 180-2.
	if identity.Bytes(nil) != "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" ||
		identity.Bytes([]byte("abc")) != "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Error("Bytes is not SHA-256")
	}
	if !identity.IsBytesDigest(identity.Bytes(nil)) || identity.IsBytesDigest(digest) || identity.IsBytesDigest("sha256:"+digest+"0") {
		t.Error("IsBytesDigest")
	}
}

func FuzzDecode(f *testing.F) {
	for _, v := range vectors(f) {
		text, err := hex.DecodeString(v.Canonical)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(checkCanonical)
}
