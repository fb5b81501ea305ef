package wire

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// A tree is what package schemas read and validated: map[string]any, []any, string, json.Number, bool and nil. The
// functions here only take it apart; whatever they do not expect was never validated, which is a defect of the caller.

func notValidated(what string, value any) string {
	return fmt.Sprintf("internal error: the tree was not validated: %T instead of %s", value, what)
}

func object(tree any) map[string]any { return as[map[string]any](tree, "an object") }
func text(tree any) string           { return as[string](tree, "a string") }
func boolean(tree any) bool          { return as[bool](tree, "a boolean") }

func as[T any](tree any, what string) T {
	value, ok := tree.(T)
	if !ok {
		panic(notValidated(what, tree))
	}
	return value
}

const _ int = 1<<53 - 1 // An int holds every integer of the interface, or this does not compile.

func integer(tree any) int {
	n, err := strconv.Atoi(string(as[json.Number](tree, "an integer")))
	if err != nil {
		panic(notValidated("an integer", tree))
	}
	return n
}

func list[T any](tree any, item func(any) T) []T {
	trees := as[[]any](tree, "an array")
	items := make([]T, len(trees))
	for i := range trees {
		items[i] = item(trees[i])
	}
	return items
}

// pointer is nil for null.
func pointer[T any](tree any, item func(any) T) *T {
	if tree == nil {
		return nil
	}
	value := item(tree)
	return &value
}

// pointerIfThere is nil for a key that is absent; ifThere is for the types that need no pointer to be nothing.
func pointerIfThere[T any](object map[string]any, key string, item func(any) T) *T {
	tree, there := object[key]
	if !there {
		return nil
	}
	value := item(tree)
	return &value
}

func ifThere[T any](object map[string]any, key string, item func(any) T) T {
	if tree, there := object[key]; there {
		return item(tree)
	}
	var nothing T
	return nothing
}

// factValue is a boolean, a string or a list of strings.
func factValue(tree any) any {
	switch v := tree.(type) {
	case bool, string:
		return v
	case []any:
		for _, member := range v {
			text(member)
		}
		return v
	}
	panic(notValidated("the value of a fact", tree))
}

// canonical writes any value as the identity encoding does (doc/identity.md): the one text that a stored object has.
func canonical(tree any) json.RawMessage { return appendCanonical(nil, tree) }

func appendCanonical(b []byte, tree any) []byte {
	switch v := tree.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case json.Number:
		return append(b, v...)
	case string:
		return appendText(b, v)
	case []any:
		b = append(b, '[')
		for i, item := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendCanonical(b, item)
		}
		return append(b, ']')
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys) // the order of bytes in UTF-8 is that of scalars
		b = append(b, '{')
		for i, key := range keys {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, key), ':')
			b = appendCanonical(b, v[key])
		}
		return append(b, '}')
	}
	panic(notValidated("a value", tree))
}

func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c < 0x20:
			b = fmt.Appendf(b, `\u%04x`, c)
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
