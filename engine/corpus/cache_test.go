package corpus

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
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
func whole() *compiled {
	f := &filler{}
	done := &compiled{module: &Module{Module: &authored.Module{}, Outside: "structure:outside", units: map[string]*Unit{}}}
	f.fill(reflect.ValueOf(done.module.Module).Elem())
	f.fill(reflect.ValueOf(&done.findings).Elem())
	for i := range done.module.Units {
		unit := &done.module.Units[i]
		done.module.units[unit.ID] = &Unit{
			Unit: unit, Module: done.module, Structure: fmt.Sprint("structure:", i), Representation: identity.Bytes(unit.Text.Raw),
		}
	}
	return done
}

// values compares compiled modules by all that they hold, the object by its id.
var values = cmp.Options{
	cmp.AllowUnexported(compiled{}, Module{}, Unit{}),
	cmpopts.IgnoreFields(Unit{}, "Module"),
	cmp.Comparer(func(a, b authority.Node) bool { return a.ID == b.ID }),
}

func TestAPackedModuleLosesNothing(t *testing.T) {
	bare := &compiled{module: &Module{Module: &authored.Module{}, units: map[string]*Unit{}}}
	empty := &compiled{findings: []reading.Finding{}, module: &Module{units: map[string]*Unit{}, Module: &authored.Module{
		Lines: map[string]int{}, Requires: []string{}, Units: []authored.Unit{}, Consumers: []authored.Consumer{{When: authored.Always(), On: []string{}}},
		Links: []authored.Link{},
	}}}
	empty.module.Module.Outside.Raw = []byte{}
	for name, done := range map[string]*compiled{"whole": whole(), "bare": bare, "empty": empty} {
		done.module.Node.ID = "standards-module:sha256:" + strings.Repeat("0", 64)
		value := pack("key", done)
		done.data = []byte("bytes")
		if diff := cmp.Diff(done, unpack("key", value, done.module.File, done.data), values); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		for at := range value {
			changed := slices.Clone(value)
			changed[at] ^= 1
			if unpack("key", changed, done.module.File, done.data) != nil {
				t.Fatalf("%s: byte %d was changed, and it is used", name, at)
			}
		}
		if unpack("key", value[:len(value)-1], done.module.File, nil) != nil || unpack("key", append(value, 0), done.module.File, nil) != nil ||
			unpack("another", value, done.module.File, nil) != nil || unpack("key", value, "another.md", nil) != nil {
			t.Errorf("%s: it is used for what it is not", name)
		}
	}
}

// FuzzUnpack: whatever has the right sum is read without harm, and what is read is packed to the same values.
func FuzzUnpack(f *testing.F) {
	for _, done := range []*compiled{whole(), {module: &Module{Module: &authored.Module{}}}} {
		f.Add(pack("key", done)[32:])
	}
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, value []byte) {
		done := unpack("key", append(seal("key", value), value...), "a.md", nil)
		if done == nil {
			return
		}
		if again := unpack("key", pack("key", done), "a.md", nil); again == nil || cmp.Diff(done, again, values) != "" {
			t.Error("packed again it is another")
		}
	})
}

type memory map[string][]byte

func (m memory) Load(_ context.Context, keys []string) map[string][]byte {
	found := map[string][]byte{}
	for _, key := range keys {
		if value, ok := m[key]; ok {
			found[key] = value
		}
	}
	return found
}

func (m memory) Keep(key string, value []byte) { m[key] = value }

// objects is a side whose files have an object id each.
type objects map[string]string

func (o objects) List(_ context.Context, prefixes ...string) (entries []content.Entry, err error) {
	for _, name := range slices.SortedFunc(maps.Keys(o), content.ComparePaths) {
		if len(prefixes) == 0 || slices.ContainsFunc(prefixes, func(p string) bool { return name == p || strings.HasPrefix(name, strings.TrimSuffix(p, "/")+"/") }) {
			entries = append(entries, content.Entry{Name: name, Kind: content.Regular, Object: identity.Bytes([]byte(o[name]))})
		}
	}
	return entries, nil
}

func (o objects) Read(_ context.Context, entries ...content.Entry) (data [][]byte, err error) {
	for _, entry := range entries {
		data = append(data, []byte(o[entry.Name]))
	}
	return data, nil
}

func many() objects {
	o := objects{ManifestPath: "version: 1\nmodules: [\"standards/*.md\"]\n"}
	for i := range 2 * worthKeeping {
		o[fmt.Sprintf("standards/m%02d.md", i)] = fmt.Sprintf(`---
standard:
  id: topic.m%02[1]d
  role: topic
  level: MUST
  units: [{id: m%02[1]d.u, heading: [Unit], revision: %[1]d}]
  consumers:
    - {unit: m%02[1]d.u, path: docs/%[1]d.md, relation: documentation-projection}
    - {unit: m%02[1]d.u, module: topic.m%02[2]d, relation: normative-consumer}
---
# M

## Unit

Text %[1]d.
`, i+1, i+2)
	}
	o["standards/broken.md"] = "---\nstandard:\n  id: 7\n---\n"
	o["standards/other.md"] = "# No module\n"
	return o
}

func compileWith(t *testing.T, cache Cache, recipe string, source content.Source) *Corpus {
	t.Helper()
	k := NewCompiler()
	if cache != nil {
		k.Remember(cache, recipe)
	}
	c, err := k.Compile(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestACacheChangesNothingButTime(t *testing.T) {
	side := many()
	want := compileWith(t, nil, "", side)
	same := func(when string, cache Cache) {
		t.Helper()
		got := compileWith(t, cache, "this", side)
		options := append(values, cmp.AllowUnexported(Corpus{}), cmpopts.IgnoreFields(Corpus{}, "schema"))
		if diff := cmp.Diff(want, got, options); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
		for i, m := range got.Modules {
			a, errA := m.Node.Payload()
			b, errB := want.Modules[i].Node.Payload()
			if errA != nil || errB != nil || !reflect.DeepEqual(a, b) || !reflect.DeepEqual(ids(m.Node.Parts), ids(want.Modules[i].Node.Parts)) {
				t.Errorf("%s: the object of %s is another (%v, %v)", when, m.ID, errA, errB)
			}
		}
	}
	cache := memory{}
	same("empty", cache)
	if len(cache) != 2*worthKeeping {
		t.Errorf("%d modules are kept; those without errors are %d", len(cache), 2*worthKeeping)
	}
	same("full", cache)
	keys := slices.Sorted(maps.Keys(cache))
	swapped := memory{}
	for i, key := range keys {
		swapped[key] = cache[keys[(i+1)%len(keys)]]
	}
	same("swapped", swapped)
	damaged := memory{}
	for i, key := range keys {
		damaged[key] = slices.Clone(cache[key])
		damaged[key][i*7%len(damaged[key])]++
	}
	same("damaged", damaged)
	same("cut short", memory{keys[0]: cache[keys[0]][:20], keys[1]: nil, keys[2]: {}})

	// That the cache is looked at at all is seen by a lie in it, which only this test tells.
	liar := memory{}
	for key, value := range cache {
		done := unpack(key, value, nameIn(value), nil)
		done.module.Title = "a lie"
		liar[key] = pack(key, done)
	}
	if got := compileWith(t, liar, "this", side); got.Modules[0].Title != "a lie" {
		t.Error("the cache is not used")
	}
	if got := compileWith(t, liar, "another", side); got.Modules[0].Title == "a lie" {
		t.Error("what another program kept is used")
	}
	few := maps.Clone(side)
	maps.DeleteFunc(few, func(name, _ string) bool { return name > "standards/m2" && name != ManifestPath })
	if got := compileWith(t, liar, "this", few); got.Modules[0].Title == "a lie" {
		t.Error("a cache is opened for a few modules")
	}
}

// nameIn is the file's name in a packed module: after the sum, the findings and three texts.
func nameIn(value []byte) string {
	done := &compiled{module: &Module{Module: &authored.Module{}}}
	(&packer{rest: string(value[32:]), reading: true}).compiled(done)
	return done.module.File
}

func ids(nodes []authority.Node) (list []string) {
	for _, node := range nodes {
		list = append(list, node.ID)
	}
	return list
}
