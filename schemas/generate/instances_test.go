package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/schemas"
)

// members is an object in the order in which it is written.
type members struct {
	keys   []string
	values []any
}

// stored is a value that is written in the identity encoding, by its owner's program and not by the one under test.
type stored struct{ value any }

// maker makes instances of the types of a contract: *members, []any, string, int64, bool, nil and stored.
type maker struct {
	*rand.Rand
}

var awkward = []string{
	"", "a", "é", "e\u0301", "\u2028\u2029", "<b>&", "\x00\x1f\x7f", "\"\\/", "\U0001f600", "\ufffd", "\ufeff", "\b\f\n\r\t", "a\r\nb", "null", "1", "日本",
	strings.Repeat("x", 300), "/", "a/b", ".", " ", "~1", "\ud7ff\ue000", "\U0010ffff",
}

var matching struct {
	sync.Mutex
	pools map[string][]string
}

// pool returns texts that match a pattern.
func pool(pattern string) []string {
	matching.Lock()
	defer matching.Unlock()
	if matching.pools == nil {
		matching.pools = map[string][]string{}
	}
	if matching.pools[pattern] == nil {
		generator := rapid.StringMatching(pattern)
		for seed := range 40 {
			matching.pools[pattern] = append(matching.pools[pattern], generator.Example(seed))
		}
	}
	return matching.pools[pattern]
}

func (m maker) text(t *schemas.Type) string {
	if t.Texts != nil {
		return t.Texts[m.IntN(len(t.Texts))]
	}
	candidates := awkward
	if t.Pattern != "" {
		candidates = pool(t.Pattern)
	}
	for range 1000 {
		text := candidates[m.IntN(len(candidates))]
		if n := int64(utf8.RuneCountInString(text)); n >= t.MinLength && n <= t.MaxLength {
			return text
		}
	}
	panic("no text matches " + t.Pattern)
}

func (m maker) number(t *schemas.Type) int64 {
	switch {
	case t.Numbers != nil:
		return t.Numbers[m.IntN(len(t.Numbers))]
	case m.IntN(3) == 0:
		return []int64{t.Minimum, t.Maximum}[m.IntN(2)]
	}
	return t.Minimum + m.Int64N(min(t.Maximum-t.Minimum, 1000)+1)
}

// of makes an instance of a type.
func (m maker) of(t *schemas.Type) any {
	resolved := t.Resolve()
	if resolved.Nullable && m.IntN(3) == 0 {
		return nil
	}
	switch resolved.Kind {
	case schemas.Object:
		object := &members{}
		for _, field := range resolved.Fields {
			if field.Required || m.IntN(2) == 0 {
				object.keys, object.values = append(object.keys, field.Name), append(object.values, m.of(field.Type))
			}
		}
		return object
	case schemas.Union:
		return m.of(resolved.Branches[m.IntN(len(resolved.Branches))].Def.Type)
	case schemas.Array:
		return m.list(resolved)
	case schemas.String:
		return m.text(resolved)
	case schemas.Integer:
		return m.number(resolved)
	case schemas.Boolean:
		return m.IntN(2) == 0
	case schemas.FactValue:
		switch m.IntN(3) {
		case 0:
			return m.IntN(2) == 0
		case 1:
			return m.text(resolved)
		}
		return m.list(resolved)
	}
	return stored{m.any(3)}
}

func (m maker) list(t *schemas.Type) []any {
	list := []any{}
	seen := map[string]bool{}
	for n := min(t.MaxItems, t.MinItems+m.Int64N(4)); int64(len(list)) < n; {
		item := m.of(t.Item)
		if text := string(compact(nil, item)); !t.Unique || !seen[text] {
			seen[text] = true
			list = append(list, item)
		}
	}
	return list
}

func (m maker) record(depth int) identity.Record {
	record := identity.Record{}
	for range m.IntN(4) {
		record[awkward[m.IntN(len(awkward))]] = m.any(depth - 1)
	}
	return record
}

func (m maker) any(depth int) any {
	switch kind := m.IntN(7); {
	case kind == 0 && depth > 0:
		return m.record(depth)
	case kind == 1 && depth > 0:
		list := identity.List{}
		for range m.IntN(4) {
			list = append(list, m.any(depth-1))
		}
		return list
	case kind == 2:
		return nil
	case kind == 3:
		return m.IntN(2) == 0
	case kind == 4:
		return m.Int64() - m.Int64()
	}
	return awkward[m.IntN(len(awkward))]
}

// compact writes an instance on one line: keys in their order, strings as the standard library writes them.
func compact(b []byte, value any) []byte {
	switch v := value.(type) {
	case *members:
		b = append(b, '{')
		for i, key := range v.keys {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(compact(b, key), ':')
			b = compact(b, v.values[i])
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for i, item := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = compact(b, item)
		}
		return append(b, ']')
	case stored:
		text, err := identity.Encode(v.value)
		if err != nil {
			panic(err)
		}
		return append(b, text...)
	case string:
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(v); err != nil {
			panic(err)
		}
		return append(b, bytes.TrimSpace(out.Bytes())...)
	case literal:
		return append(b, v...)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case bool:
		return strconv.AppendBool(b, v)
	}
	return append(b, "null"...)
}

// literal is JSON text that a mutation puts in.
type literal string

var junk = []any{
	nil, true, int64(0), int64(-1), int64(1 << 53), int64(11), int64(4), "", "x", strings.Repeat("y", 5000), "\x00", "worktree", "route", []any{}, []any{"a", "a"}, &members{},
	&members{keys: []string{"$ref"}, values: []any{"file:///etc/hostname"}},
	literal("1.0"), literal("1e2"), literal("-0"), literal(`"\ud800"`), literal(`"\u0041"`), literal("99999999999999999999999999"), literal(`{"a":1,"a":1}`), literal("{"),
}

// mutate changes one place of an instance that nothing else shares, and says how.
func (m maker) mutate(value any) (changed any, how string) {
	type place struct {
		get any
		set func(any)
	}
	var places []place
	var objects []*members
	var walk func(value any, set func(any))
	walk = func(value any, set func(any)) {
		places = append(places, place{value, set})
		switch v := value.(type) {
		case *members:
			objects = append(objects, v)
			for i := range v.values {
				walk(v.values[i], func(now any) { v.values[i] = now })
			}
		case []any:
			for i := range v {
				walk(v[i], func(now any) { v[i] = now })
			}
		}
	}
	root := value
	walk(value, func(now any) { root = now })
	at := places[m.IntN(len(places))]
	if object := objects[m.IntN(len(objects))]; m.IntN(2) == 0 && len(object.keys) > 0 {
		i := m.IntN(len(object.keys))
		switch m.IntN(4) {
		case 0:
			object.keys, object.values = slices.Delete(object.keys, i, i+1), slices.Delete(object.values, i, i+1)
			return root, "a key dropped"
		case 1:
			object.keys[i] = strings.ToUpper(object.keys[i])
			return root, "a key in capitals"
		case 2:
			object.keys, object.values = append(object.keys, object.keys[i]), append(object.values, object.values[i])
			return root, "a key twice"
		}
		object.keys, object.values = append(object.keys, "more"), append(object.values, nil)
		return root, "a key more"
	}
	if list, ok := at.get.([]any); ok && len(list) > 0 && m.IntN(2) == 0 {
		at.set(append(slices.Clone(list), list[m.IntN(len(list))]))
		return root, "an item twice"
	}
	if text, ok := at.get.(string); ok && m.IntN(2) == 0 {
		at.set(text + []string{" ", "0", "\x00", "é", "/"}[m.IntN(5)])
		return root, "a text longer"
	}
	if _, ok := at.get.(int64); ok && m.IntN(2) == 0 {
		at.set(m.Int64N(1<<54) - 1<<53)
		return root, "another number"
	}
	if m.IntN(4) == 0 {
		now := clone(places[m.IntN(len(places))].get)
		if _, isOpen := at.get.(stored); isOpen {
			now = stored{canonically(now)} // where anything may stand, it is kept as the identity encoding writes it
		}
		at.set(now)
		return root, "a value from elsewhere"
	}
	at.set(junk[m.IntN(len(junk))])
	return root, "junk"
}

// canonically is an instance as a value of the identity encoding.
func canonically(value any) any {
	switch v := value.(type) {
	case *members:
		record := identity.Record{}
		for i, key := range v.keys {
			record[key] = canonically(v.values[i])
		}
		return record
	case []any:
		list := identity.List{}
		for _, item := range v {
			list = append(list, canonically(item))
		}
		return list
	case stored:
		return v.value
	}
	return value
}

func clone(value any) any {
	switch v := value.(type) {
	case *members:
		return &members{slices.Clone(v.keys), clone(v.values).([]any)}
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = clone(v[i])
		}
		return list
	}
	return value
}

// names are the definitions that have a decoder, sorted.
func names() []string { return slices.Sorted(maps.Keys(wireDecoders)) }
