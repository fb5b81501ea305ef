package authority

import (
	"fmt"
	"maps"
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

// References reads the fields of a payload that hold ids, of the kind that stands beside each key, in the order of the keys.
func References(fields identity.Record, kinds map[string]string) ([]Reference, error) {
	references := make([]Reference, 0, len(kinds))
	for _, key := range slices.Sorted(maps.Keys(kinds)) {
		reference, err := ReferenceTo(fields[key], kinds[key])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		references = append(references, reference)
	}
	return references, nil
}

// CheckEvidence checks that a field is a list of digests of bytes ("sha256:…"), sorted, each once.
func CheckEvidence(value any) error {
	list, ok := value.(identity.List)
	if !ok {
		return fmt.Errorf("evidence is not a list")
	}
	last := ""
	for _, item := range list {
		digest, _ := item.(string)
		if !identity.IsBytesDigest(digest) || digest <= last {
			return fmt.Errorf("evidence %q is no digest, or repeated or out of order", digest)
		}
		last = digest
	}
	return nil
}
