package authority

import (
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/identity"
)

// Closed checks that a payload, or a part of one, is an object with exactly these keys.
func Closed(value any, keys ...string) (identity.Record, error) {
	fields, ok := value.(identity.Record)
	if !ok || len(fields) != len(keys) {
		return nil, fmt.Errorf("not an object of %d fields", len(keys))
	}
	for _, key := range keys {
		if _, ok := fields[key]; !ok {
			return nil, fmt.Errorf("no field %q", key)
		}
	}
	return fields, nil
}

// ReferenceTo reads a field that holds the id of an object of one of these kinds.
func ReferenceTo(value any, kinds ...string) (Reference, error) {
	id, _ := value.(string)
	kind, _, ok := identity.Split(id)
	if !ok || !slices.Contains(kinds, kind) {
		return Reference{}, fmt.Errorf("%q is not the id of a %s", id, kinds[0])
	}
	return Reference{kind, id}, nil
}
