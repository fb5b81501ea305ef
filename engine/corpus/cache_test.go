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

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus/pack"
	"github.com/git-standards/git-standards/engine/identity"
)

// values compares compiled modules by all that they hold, the object by its id.
var values = cmp.Options{
	cmp.AllowUnexported(compiled{}, Module{}, Unit{}),
	cmpopts.IgnoreFields(Unit{}, "Module"),
	cmp.Comparer(func(a, b authority.Node) bool { return a.ID == b.ID }),
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
		m, ok := pack.Decode(key, value)
		if !ok || unpacked(key, value, m.File+"x", nil) != nil {
			t.Fatalf("%s is used under another name", m.File)
		}
		m.Title = "a lie"
		liar[key] = pack.Encode(key, m)
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

func ids(nodes []authority.Node) (list []string) {
	for _, node := range nodes {
		list = append(list, node.ID)
	}
	return list
}
