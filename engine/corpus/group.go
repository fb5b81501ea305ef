package corpus

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/identity"
)

// GroupCodec owns standards-module-group: some of a corpus's modules. A corpus of many is a tree of groups, so that an edit of one module
// stores the groups above it and not the list of all (DESIGN 3).
var GroupCodec = authority.Codec{
	Kind:            groupKind,
	Domain:          "coding-standards:standards-module-group:v1",
	PayloadContract: "standards-module-group.v1",
	Examine: func(payload any) (any, []authority.Reference, error) {
		references, err := members(payload)
		if err == nil && len(references) == 0 {
			err = fmt.Errorf("a group of no modules")
		}
		return payload, references, err
	},
}

const groupKind = "standards-module-group"

// groupSize is how many modules stand in a list; more are divided among groups, by two bits of the hash of their ids for each level. What
// is divided how is a function of the ids alone. Both numbers are those by which an edit among 1,000 modules writes least.
const groupSize = 8

// grouped is the modules, sorted by id, as the payload of a group, and the nodes it refers to. level is how many are above it.
func grouped(modules []*Module, level int) (identity.Record, []authority.Node, error) {
	var parts []authority.Node
	if len(modules) <= groupSize {
		list := make(identity.List, 0, len(modules))
		for _, m := range modules {
			list = append(list, m.Node.ID)
			parts = append(parts, m.Node)
		}
		return identity.Record{"modules": list}, parts, nil
	}
	divided := map[string][]*Module{}
	for _, m := range modules {
		hash := sha256.Sum256([]byte(m.ID))
		digit := string('0' + hash[level/4]>>(6-2*(level%4))&3)
		divided[digit] = append(divided[digit], m)
	}
	groups := identity.Record{}
	for digit, some := range divided {
		payload, below, err := grouped(some, level+1)
		if err != nil {
			return nil, nil, err
		}
		node, err := GroupCodec.Node(payload, below...)
		if err != nil {
			return nil, nil, err
		}
		groups[digit] = node.ID
		parts = append(parts, node)
	}
	return identity.Record{"groups": groups}, parts, nil
}

// members reads what a group, or the `members` of a corpus, refers to: modules in the order of their own ids, or groups by digit.
func members(payload any) ([]authority.Reference, error) {
	fields, ok := payload.(identity.Record)
	if !ok || len(fields) != 1 {
		return nil, fmt.Errorf("not an object of modules or groups")
	}
	var references []authority.Reference
	if groups, isDivided := fields["groups"].(identity.Record); isDivided {
		for digit, value := range groups {
			if len(digit) != 1 || !strings.Contains("0123", digit) {
				return nil, fmt.Errorf("%q is not 0, 1, 2 or 3", digit)
			}
			reference, err := authority.ReferenceTo(value, groupKind)
			if err != nil {
				return nil, err
			}
			references = append(references, reference)
		}
		return references, nil
	}
	list, ok := fields["modules"].(identity.List)
	if !ok || len(list) > groupSize {
		return nil, fmt.Errorf("not a list of at most %d modules", groupSize)
	}
	for _, item := range list {
		reference, err := authority.ReferenceTo(item, ModuleCodec.Kind)
		if err != nil {
			return nil, err
		}
		if slices.Contains(references, reference) {
			return nil, fmt.Errorf("%s is repeated", reference.ID)
		}
		references = append(references, reference)
	}
	return references, nil
}
