// Package operation is what each operation rests on: the four operation authority contracts of seed 004 as values, the view that refers
// to a side's authorities, and the one check that a closure holds exactly what its contract names. It knows kinds by name alone and
// interprets no object.
package operation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/identity"
)

// The operations that have a contract. inspect resolves one object and has none.
const (
	Route    = "route"
	Read     = "read"
	Related  = "related"
	Analysis = "analysis"
)

// The roles, and the kind that stands in each.
const (
	Metadata            = "metadata"
	Routing             = "routing"
	Graph               = "graph"
	PolicyImpact        = "policy-impact"
	Coverage            = "coverage"
	Context             = "context"
	Requirement         = "requirement"
	Observation         = "observation"
	CoverageView        = "coverage-view"
	CoverageRequirement = "coverage-requirement"
	CoverageAttestation = "coverage-attestation"
	CoverageCertificate = "coverage-certificate"
	ProviderAuthority   = "provider-authority"
	AuthorizationGrant  = "authorization-grant"
)

// Selected is the role of the contract itself among the roots of a closure.
const Selected = "operation"

// Cardinalities of a role, on each of its sides.
const (
	One = "1..1"
	Any = "0..*"
)

// Role is one role-to-kind pair of a contract.
type Role struct {
	Name, Kind  string
	Sides       []string
	Cardinality string
}

// Contract is OperationAuthorityContractV2: what a closure of the operation holds. (Operation, Revision) is its compatibility key.
type Contract struct {
	Operation string
	Revision  int64
	Side      string // of the contract among the roots
	Required  []Role
	Dynamic   []Role
}

func navigation(operation string, names ...string) Contract {
	return Contract{Operation: operation, Revision: 2, Side: authority.Current, Required: required([]string{authority.Current}, names...)}
}

func required(sides []string, names ...string) []Role {
	roles := make([]Role, len(names))
	for i, name := range names {
		roles[i] = Role{name, kinds[name], sides, One}
	}
	return roles
}

// kinds is the kind of each required role: the seed's table.
var kinds = map[string]string{
	Metadata:     "canonical-standards-corpus",
	Routing:      "routing-projection",
	Graph:        "standards-graph",
	PolicyImpact: "compiled-policy-impact",
	Coverage:     "coverage-horizon",
}

// contracts are the promises that this build keeps. A key is never used again for another promise.
var contracts = []Contract{
	navigation(Route, Graph, Metadata, Routing),
	navigation(Read, Graph, Metadata),
	navigation(Related, Graph, Metadata),
	{
		Operation: Analysis, Revision: 2, Side: authority.Transition,
		Required: required([]string{authority.Accepted, authority.Proposed}, Coverage, Graph, Metadata, PolicyImpact),
		Dynamic: []Role{
			{AuthorizationGrant, "authorization-grant", []string{authority.Proposed}, Any},
			{Context, "analysis-context", []string{authority.Transition}, One},
			{CoverageAttestation, "coverage-attestation", []string{authority.Proposed}, Any},
			{CoverageCertificate, "coverage-certificate", []string{authority.Proposed}, Any},
			{CoverageRequirement, "coverage-requirement", []string{authority.Proposed}, Any},
			{CoverageView, "coverage-view", []string{authority.Proposed}, Any},
			{Observation, "fact-observation", []string{authority.Proposed}, Any},
			{ProviderAuthority, "provider-authority", []string{authority.Proposed}, Any},
			{Requirement, "fact-requirement", []string{authority.Proposed}, Any},
		},
	},
}

// Contracts returns the contracts that this build supports.
func Contracts() []Contract { return slices.Clone(contracts) }

// Find returns the contract of a compatibility key.
func Find(operation string, revision int64) (Contract, bool) {
	for _, c := range contracts {
		if c.Operation == operation && c.Revision == revision {
			return c, true
		}
	}
	return Contract{}, false
}

// Current is the contract by which this build runs an operation.
func Current(operation string) Contract {
	for _, c := range contracts {
		if c.Operation == operation {
			return c
		}
	}
	panic("internal error: no contract of the operation " + operation)
}

// ContractCodec owns operation-authority-contract. It reads any well-formed one: whether this build supports it is for Check.
var ContractCodec = authority.Codec{
	Kind:            "operation-authority-contract",
	Domain:          "coding-standards:operation-authority-contract-identity:v1",
	PayloadContract: "operation-authority-contract.v2",
	Examine:         examineContract,
}

// Codecs is the codec set of this package.
func Codecs() []authority.Codec { return []authority.Codec{ContractCodec, ViewCodec, NavigationCodec} }

// Node is the contract as an object.
func (c Contract) Node() (authority.Node, error) { return ContractCodec.Node(c.record()) }

func (c Contract) record() identity.Record {
	return identity.Record{
		"operation":              c.Operation,
		"compatibility_revision": c.Revision,
		"side":                   c.Side,
		"required":               roleRecords(c.Required),
		"dynamic":                roleRecords(c.Dynamic),
	}
}

func roleRecords(roles []Role) identity.List {
	list := make(identity.List, len(roles))
	for i, role := range roles {
		list[i] = identity.Record{
			"role": role.Name, "object_kind": role.Kind, "sides": identity.Texts(role.Sides), "cardinality": role.Cardinality,
		}
	}
	return list
}

func examineContract(payload any) (any, []authority.Reference, error) {
	_, err := parseContract(payload)
	return payload, nil, err
}

func parseContract(payload any) (Contract, error) {
	fields, err := authority.Closed(payload, "operation", "compatibility_revision", "side", "required", "dynamic")
	if err != nil {
		return Contract{}, err
	}
	c := Contract{}
	c.Operation, _ = fields["operation"].(string)
	c.Revision, _ = fields["compatibility_revision"].(int64)
	c.Side, _ = fields["side"].(string)
	if c.Operation == "" || c.Revision < 1 || c.Side == "" {
		return Contract{}, fmt.Errorf("not an operation, a revision from 1 and a side")
	}
	if c.Required, err = parseRoles(fields["required"]); err == nil {
		c.Dynamic, err = parseRoles(fields["dynamic"])
	}
	return c, err
}

func parseRoles(value any) ([]Role, error) {
	list, ok := value.(identity.List)
	if !ok {
		return nil, fmt.Errorf("roles are not a list")
	}
	roles := make([]Role, 0, len(list))
	for _, item := range list {
		fields, err := authority.Closed(item, "role", "object_kind", "sides", "cardinality")
		if err != nil {
			return nil, fmt.Errorf("role: %w", err)
		}
		var role Role
		role.Name, _ = fields["role"].(string)
		role.Kind, _ = fields["object_kind"].(string)
		role.Cardinality, _ = fields["cardinality"].(string)
		sides, _ := fields["sides"].(identity.List)
		for _, side := range sides {
			name, _ := side.(string)
			role.Sides = append(role.Sides, name)
		}
		sorted := slices.IsSorted(role.Sides) && len(slices.Compact(slices.Clone(role.Sides))) == len(role.Sides)
		if role.Name == "" || role.Kind == "" || len(sides) == 0 || role.Sides[0] == "" || !sorted || role.Cardinality != One && role.Cardinality != Any {
			return nil, fmt.Errorf("role %q is malformed", role.Name)
		}
		if n := len(roles); n > 0 && strings.Compare(roles[n-1].Name, role.Name) >= 0 {
			return nil, fmt.Errorf("role %q is repeated or out of order", role.Name)
		}
		roles = append(roles, role)
	}
	return roles, nil
}
