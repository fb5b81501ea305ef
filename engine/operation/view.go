package operation

import (
	"fmt"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/identity"
)

// ViewCodec owns standards-authority-view: references alone, to the snapshot of a side, to one contract for each operation, and to one
// object for each role.
var ViewCodec = authority.Codec{
	Kind:            "standards-authority-view",
	Domain:          "coding-standards:standards-authority-view:v1",
	PayloadContract: "standards-authority-view.v1",
	Examine:         examineView,
}

// NewView makes the view of a side. snapshot is nil where the side has no file of standards; roles holds an object for each required role.
func NewView(snapshot *authority.Node, roles map[string]authority.Node) (authority.Node, error) {
	payload := identity.Record{"snapshot": nil}
	var parts []authority.Node
	if snapshot != nil {
		payload["snapshot"] = snapshot.ID
		parts = append(parts, *snapshot)
	}
	named := identity.Record{}
	for role := range kinds {
		named[role] = roles[role].ID
		parts = append(parts, roles[role])
	}
	selected := identity.Record{}
	for _, c := range contracts {
		node, err := c.Node()
		if err != nil {
			return authority.Node{}, err
		}
		selected[c.Operation] = node.ID
		parts = append(parts, node)
	}
	payload["roles"], payload["contracts"] = named, selected
	return ViewCodec.Node(payload, parts...)
}

func examineView(payload any) (any, []authority.Reference, error) {
	fields, err := authority.Closed(payload, "snapshot", "contracts", "roles")
	if err != nil {
		return nil, nil, err
	}
	var references []authority.Reference
	refer := func(value any, kind string) {
		reference, wrong := authority.ReferenceTo(value, kind)
		if wrong != nil {
			err = wrong
		}
		references = append(references, reference)
	}
	if fields["snapshot"] != nil {
		refer(fields["snapshot"], "content-snapshot")
	}
	roles, isRoles := fields["roles"].(identity.Record)
	selected, isSelected := fields["contracts"].(identity.Record)
	if !isRoles || !isSelected || len(roles) != len(kinds) || len(selected) == 0 {
		return nil, nil, fmt.Errorf("not an object for each of %d roles and a contract for each operation", len(kinds))
	}
	for role, kind := range kinds {
		refer(roles[role], kind)
	}
	for _, contract := range selected {
		refer(contract, ContractCodec.Kind)
	}
	return payload, references, err
}
