package trust

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// Codecs is the codec set of this package.
func Codecs() []authority.Codec { return []authority.Codec{GrantCodec, ProviderCodec} }

// closed reads a record of exactly these fields, each of which admits its value or says what it should be.
func closed(value any, what string, fields map[string]func(any) error) (identity.Record, error) {
	keys := slices.Sorted(maps.Keys(fields)) // of two that are wrong always the same one is said: one may be unsupported, the other invalid
	record, err := authority.Closed(value, keys...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	for _, key := range keys {
		if err := fields[key](record[key]); err != nil {
			return nil, fmt.Errorf("%s of %s: %w", key, what, err)
		}
	}
	return record, nil
}

func canonicalID(value any) error {
	if text, ok := value.(string); !ok || !isCanonical(text) {
		return fmt.Errorf("not a canonical id")
	}
	return nil
}

func positive(value any) error {
	if n, ok := value.(int64); !ok || n < 1 {
		return fmt.Errorf("not a whole number from 1 on")
	}
	return nil
}

func nonempty(value any) error {
	if text, ok := value.(string); !ok || text == "" {
		return fmt.Errorf("not a nonempty text")
	}
	return nil
}

func bytesDigest(value any) error {
	if text, _ := value.(string); !identity.IsBytesDigest(text) {
		return fmt.Errorf("not a digest")
	}
	return nil
}

// exactly admits one canonical id. Another is a contract, a state or a decision of a newer version: unsupported, not damage (RULES F4).
func exactly(want string) func(any) error {
	return func(value any) error {
		if err := canonicalID(value); err != nil {
			return err
		}
		if value != want {
			return fault.New(fault.Unsupported, "TRUST.CONTRACT", "", "%q is not known to this build, which knows %s", value, want)
		}
		return nil
	}
}

// semanticID reads the id of an object of one kind.
func semanticID(value any, kind string) (string, error) {
	id, _ := value.(string)
	if got, _, ok := identity.Split(id); !ok || got != kind {
		return "", fmt.Errorf("%q is not the id of a %s", id, kind)
	}
	return id, nil
}

// evidence reads a nonempty list of evidence references, in the order of (provider_contract, provider_contract_version, id), each
// key once: digest is no part of it, so two digests for one thing are refused, whether they agree or not.
func evidence(value any) error {
	list, ok := value.(identity.List)
	if !ok || len(list) == 0 {
		return fmt.Errorf("not a nonempty list")
	}
	last := ""
	for _, item := range list {
		reference, err := closed(item, "an evidence reference", map[string]func(any) error{
			"id": canonicalID, "digest": bytesDigest, "provider_contract": canonicalID, "provider_contract_version": nonempty,
		})
		if err != nil {
			return err
		}
		key := evidenceKey(reference)
		if key <= last {
			return fmt.Errorf("evidence references are repeated or out of order")
		}
		last = key
	}
	return nil
}

// evidenceKey orders as the three fields do one after the other: no canonical id holds a NUL, and where versions hold one, it is
// doubled by a byte that sorts after the divider.
func evidenceKey(reference identity.Record) string {
	part := func(key string) string {
		text, _ := reference[key].(string)
		return strings.ReplaceAll(text, "\x00", "\x00\x01") + "\x00\x00"
	}
	return part("provider_contract") + part("provider_contract_version") + part("id")
}
