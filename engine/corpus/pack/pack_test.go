package pack

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/identity"
)

// filler sets every field that it reaches to a value of its own.
type filler struct{ n int }

func (f *filler) fill(v reflect.Value) {
	f.n++
	switch {
	case v.Type() == reflect.TypeFor[authored.Expression]():
		v.Set(reflect.ValueOf(identity.Record{"operator": "equals", "fact": fmt.Sprint("f", f.n), "value": int64(f.n)}))
	case v.Kind() == reflect.String:
		v.SetString(fmt.Sprint("text ", f.n))
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(int64(f.n))
	case v.CanUint():
		v.SetUint(uint64(f.n % 256))
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		f.fill(v.Index(0))
		f.fill(v.Index(1))
	case v.Kind() == reflect.Map:
		v.Set(reflect.ValueOf(map[string]int{"one": f.n, "two": f.n + 1}))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i))
		}
	default:
		panic("no value for " + v.Type().String())
	}
}

// whole is a compiled module in which nothing is left out.
func whole() Module {
	m := Module{Module: &authored.Module{}}
	f := &filler{}
	f.fill(reflect.ValueOf(m.Module).Elem())
	f.fill(reflect.ValueOf(&m.Findings).Elem())
	m.ID, m.Outside = "standards-module:sha256:"+strings.Repeat("0", 64), "structure:outside"
	for i := range m.Units {
		m.Structures = append(m.Structures, fmt.Sprint("structure:", i))
	}
	return m
}

func TestAPackedModuleLosesNothing(t *testing.T) {
	bare := Module{Module: &authored.Module{}, Structures: []string{}}
	empty := Module{Findings: []reading.Finding{}, Structures: []string{}, Module: &authored.Module{
		Lines: map[string]int{}, Requires: []string{}, Units: []authored.Unit{}, Consumers: []authored.Consumer{{When: authored.Always(), On: []string{}}},
		Links: []authored.Link{},
	}}
	empty.Module.Outside.Raw = []byte{}
	for name, m := range map[string]Module{"whole": whole(), "bare": bare, "empty": empty} {
		value := Encode("key", m)
		got, ok := Decode("key", value)
		if diff := cmp.Diff(m, got); diff != "" || !ok {
			t.Errorf("%s: %s", name, diff)
		}
		refused := func(key string, value []byte, what string) {
			if _, ok := Decode(key, value); ok {
				t.Fatalf("%s: %s, and it is used", name, what)
			}
		}
		for at := range value {
			changed := slices.Clone(value)
			changed[at] ^= 1
			refused("key", changed, fmt.Sprintf("byte %d was changed", at))
		}
		refused("key", value[:len(value)-1], "it was cut")
		refused("key", append(slices.Clone(value), 0), "a byte stands behind it")
		refused("another", value, "it has another key")
	}
}

// FuzzDecode: whatever has the right sum is read without harm, and what is read is packed to the same values.
func FuzzDecode(f *testing.F) {
	for _, m := range []Module{whole(), {Module: &authored.Module{}}} {
		f.Add(Encode("key", m)[32:])
	}
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, value []byte) {
		m, ok := Decode("key", append(seal("key", value), value...))
		if !ok {
			return
		}
		if again, ok := Decode("key", Encode("key", m)); !ok || cmp.Diff(m, again) != "" {
			t.Error("packed again it is another")
		}
	})
}
