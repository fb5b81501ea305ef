package operation

import (
	"context"
	"slices"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/fault"
)

// Close makes the closure of a result of the operation from its roots, the contract aside, which it adds. Roots that are not what the
// contract names are a mistake of the caller: the faults are those of Check.
func (c Contract) Close(roots ...authority.RootNode) (authority.Node, error) {
	node, err := c.Node()
	if err != nil {
		return authority.Node{}, err
	}
	roots = append(slices.Clone(roots), authority.RootNode{Side: c.Side, Role: Selected, Node: node})
	named, nodes := make([]authority.Root, len(roots)), make([]authority.Node, len(roots))
	for i, root := range roots {
		named[i], nodes[i] = root.Root(), root.Node
	}
	reached := authority.Reach(nodes...)
	if err := c.Check(named, reached); err != nil {
		return authority.Node{}, err
	}
	return authority.NewClosure(reached, roots...)
}

// Verify proves a stored closure: that it binds what its roots rest on (authority.VerifyClosure), that this build supports the contract
// that is selected in it, and that it is coherent (Check).
func Verify(ctx context.Context, repository authority.Repository, codecs authority.Codecs, id string) (authority.Reached, error) {
	roots, reached, err := authority.VerifyClosure(ctx, repository, codecs, id)
	if err != nil {
		return nil, err
	}
	c, err := selected(ctx, repository, codecs, id, roots)
	if err != nil {
		return nil, err
	}
	return reached, c.Check(roots, reached)
}

// selected is the contract by which a closure was made. A key that this build does not support is OPERATION.UNSUPPORTED; another promise
// under a supported key, OPERATION.CONTRACT, invalid.
func selected(ctx context.Context, repository authority.Repository, codecs authority.Codecs, id string, roots []authority.Root) (Contract, error) {
	var found []authority.Root
	for _, root := range roots {
		if root.Role == Selected {
			found = append(found, root)
		}
	}
	if len(found) != 1 {
		return Contract{}, fault.New(fault.Invalid, "OPERATION.CONTRACT", id, "%d operation contracts are selected, not one", len(found))
	}
	if found[0].Kind != ContractCodec.Kind {
		return Contract{}, wrongKind(found[0], ContractCodec.Kind)
	}
	envelope, err := authority.OpenStored(ctx, repository, codecs, found[0].Reference)
	if err != nil {
		return Contract{}, err
	}
	promised, err := parseContract(envelope.Payload)
	if err != nil {
		return Contract{}, err
	}
	c, supported := Find(promised.Operation, promised.Revision)
	if !supported {
		return Contract{}, fault.New(fault.Unsupported, "OPERATION.UNSUPPORTED", found[0].ID,
			"the operation %q of compatibility revision %d is not known to this build", promised.Operation, promised.Revision).Hint("git standards version")
	}
	own, err := c.Node()
	if err == nil && own.ID != found[0].ID {
		err = fault.New(fault.Invalid, "OPERATION.CONTRACT", found[0].ID, "the operation %q of revision %d promises something else", c.Operation, c.Revision)
	}
	return c, err
}

// Check is the one coherence check: each required role once on each of its sides, no role that the contract does not name, each of its
// kind, on its side and as often as it may be; and of the kinds that the contract names, a root rests on roots alone, a required one on those
// of its own side. reached holds the roots' dependencies. Its faults are all invalid: OPERATION.ROLE_UNKNOWN, OPERATION.ROLE_SIDE,
// OPERATION.ROLE_KIND, OPERATION.ROLE_REPEATED, OPERATION.ROLE_MISSING and OPERATION.SIDES_MIXED.
func (c Contract) Check(roots []authority.Root, reached authority.Reached) error {
	type place struct{ role, side string }
	held := map[place][]authority.Reference{}
	for _, root := range roots {
		role, known := c.role(root.Role)
		switch {
		case !known:
			return invalid("OPERATION.ROLE_UNKNOWN", root, "the operation %s has no role %q", c.Operation, root.Role)
		case role.Kind != root.Kind:
			return wrongKind(root, role.Kind)
		case !slices.Contains(role.Sides, root.Side):
			return invalid("OPERATION.ROLE_SIDE", root, "the role %s has no side %q", root.Role, root.Side)
		}
		at := place{root.Role, root.Side}
		held[at] = append(held[at], root.Reference)
		if len(held[at]) > 1 && role.Cardinality == One {
			return invalid("OPERATION.ROLE_REPEATED", root, "the role %s on the side %s stands twice", root.Role, root.Side)
		}
	}
	for _, role := range c.roles() {
		for _, side := range role.Sides {
			if role.Cardinality == One && len(held[place{role.Name, side}]) == 0 {
				return fault.New(fault.Invalid, "OPERATION.ROLE_MISSING", role.Name, "the operation %s needs the role %s on the side %s", c.Operation, role.Name, side)
			}
		}
	}
	for _, root := range roots {
		for _, dependency := range reached[root.Reference] {
			role, named := find(c.roles(), func(r Role) bool { return r.Kind == dependency.Kind })
			if !named {
				continue
			}
			sides := role.Sides
			if _, required := find(c.Required, func(r Role) bool { return r.Name == root.Role }); required {
				sides = []string{root.Side} // what is dynamic may rest on either side
			}
			if !slices.ContainsFunc(sides, func(side string) bool { return slices.Contains(held[place{role.Name, side}], dependency) }) {
				return invalid("OPERATION.SIDES_MIXED", root, "it rests on %s, which is not the %s there", dependency.ID, role.Name)
			}
		}
	}
	return nil
}

func wrongKind(root authority.Root, want string) error {
	return invalid("OPERATION.ROLE_KIND", root, "in the role %s stands a %s, not a %s", root.Role, root.Kind, want)
}

func invalid(code string, root authority.Root, format string, args ...any) error {
	return fault.New(fault.Invalid, code, root.ID, format, args...)
}

// roles is all roles, that of the contract itself first.
func (c Contract) roles() []Role {
	return slices.Concat([]Role{{Selected, ContractCodec.Kind, []string{c.Side}, One}}, c.Required, c.Dynamic)
}

func (c Contract) role(name string) (Role, bool) {
	return find(c.roles(), func(r Role) bool { return r.Name == name })
}

func find(roles []Role, is func(Role) bool) (Role, bool) {
	at := slices.IndexFunc(roles, is)
	if at < 0 {
		return Role{}, false
	}
	return roles[at], true
}
