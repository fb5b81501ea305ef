// Package authoritytest checks codecs: that the vectors of a package are what its codecs make of them, and that nothing but what a record
// says passes its owner.
package authoritytest

import (
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/identity"
)

// T is the test that is told what is wrong.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

// Vector is one record of a file of vectors (scripts/identity_vectors.py) whose record is its payload.
type Vector struct {
	Name, Domain, Kind, Value, Canonical, ID string
	Payload                                  any `json:"-"`
}

// Vectors reads the text of a testdata/vectors.json and checks that the codecs give each payload the id that python3 computed.
func Vectors(t T, text []byte, codecs ...authority.Codec) map[string]Vector {
	t.Helper()
	var list []Vector
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	composed, byName := authority.Compose(codecs), map[string]Vector{}
	for _, v := range list {
		codec, known := composed.Find(v.Kind)
		if !known {
			continue
		}
		canonical, err := hex.DecodeString(v.Canonical)
		if err != nil {
			t.Fatal(err)
		}
		if v.Payload, err = identity.Decode(canonical); err != nil {
			t.Fatal(err)
		}
		sealed, err := codec.Seal(v.Payload)
		if err != nil || sealed.ID != v.ID || codec.Domain != v.Domain {
			t.Errorf("%s: %s, %v; python3 computes %s", v.Name, sealed.ID, err, v.ID)
		}
		byName[v.Name] = v
	}
	return byName
}

// Refuses checks that a codec takes a payload and none that differs in its shape: a key more or less, or another type, in any place. The
// places are keys with a dot before each, and .* for each item of a list; what lies at or below one of the open ones may be anything, and
// below those of the maps may be any key.
func Refuses(t T, codec authority.Codec, payload any, open ...string) {
	t.Helper()
	if _, _, err := codec.Examine(payload); err != nil {
		t.Errorf("%s: %v", codec.Kind, err)
	}
	n := 0
	refused := func(place, what string, changed any) {
		t.Helper()
		n++
		if _, _, err := codec.Examine(changed); err == nil {
			t.Errorf("%s: taken with %s at %q", codec.Kind, what, place)
		}
	}
	var visit func(place string, value any, put func(any) any)
	visit = func(place string, value any, put func(any) any) {
		if slices.Contains(open, place) {
			return
		}
		switch v := value.(type) {
		case identity.Record:
			refused(place, "a list", put(identity.List{}))
			more := maps.Clone(v)
			more["unknown key"] = "x"
			refused(place, "a key more", put(more))
			for _, key := range slices.Sorted(maps.Keys(v)) {
				less := maps.Clone(v)
				delete(less, key)
				refused(place+"."+key, "a key less", put(less))
				visit(place+"."+key, v[key], func(inner any) any {
					changed := maps.Clone(v)
					changed[key] = inner
					return put(changed)
				})
			}
		case identity.List:
			refused(place, "a record", put(identity.Record{}))
			for i := range v {
				visit(place+".*", v[i], func(inner any) any {
					changed := slices.Clone(v)
					changed[i] = inner
					return put(changed)
				})
			}
		default:
			refused(place, "a record", put(identity.Record{}))
			refused(place, "a truth", put(true))
		}
	}
	visit("", payload, func(changed any) any { return changed })
	if n < 3 {
		t.Errorf("%s: only %d payloads are tried", codec.Kind, n)
	}
}
