package trust

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/identity"
)

// ProviderCodec owns provider-authority: the exact inputs and contracts by which a provider came to one claim (seed 004,
// ProviderAuthorityV1). It is no entry of a registry: another claim over the same inputs has the same one.
var ProviderCodec = authority.Codec{
	Kind:            "provider-authority",
	Domain:          "coding-standards:provider-authority:v1",
	PayloadContract: "provider-authority.v1",
	Examine:         examineProvider,
}

// inputKinds is for each role that may be an input of a provider the kind of its object (seed 004, the role table).
var inputKinds = map[string]string{
	"content":       "content-snapshot",
	"metadata":      "canonical-standards-corpus",
	"policy-impact": "compiled-policy-impact",
	"graph":         "standards-graph",
	"coverage":      "coverage-horizon",
	"context":       "analysis-context",
	"requirement":   "fact-requirement",
}

var sides = []string{"current", "accepted", "proposed", "transition"}

// Input is a qualified reference: which object of which side, in which role.
type Input struct {
	Side, Role string
	authority.Reference
}

func compareInputs(a, b Input) int {
	for _, pair := range [][2]string{{a.Side, b.Side}, {a.Role, b.Role}, {a.Kind, b.Kind}, {a.ID, b.ID}} {
		if c := strings.Compare(pair[0], pair[1]); c != 0 {
			return c
		}
	}
	return 0
}

// Provider is what a claim rests on: the provider and its revision, the contracts of what it is given and of what it says, and the
// objects that it was given.
type Provider struct {
	ID                              string
	Revision                        int64
	InputContract, EvidenceContract string
	Inputs                          []Input
}

// Node is the authority of a provider as an object to store, after the parts that are its inputs.
func (p Provider) Node(parts ...authority.Node) (authority.Node, error) {
	inputs := slices.Clone(p.Inputs)
	slices.SortFunc(inputs, compareInputs)
	list := identity.List{}
	for _, input := range slices.Compact(inputs) {
		list = append(list, identity.Record{"side": input.Side, "role": input.Role, "object_kind": input.Kind, "semantic_id": input.ID})
	}
	return ProviderCodec.Node(identity.Record{
		"provider_id": p.ID, "semantic_revision": p.Revision, "input_contract": p.InputContract, "evidence_contract": p.EvidenceContract, "inputs": list,
	}, parts...)
}

func examineProvider(payload any) (any, []authority.Reference, error) {
	var references []authority.Reference
	_, err := closed(payload, "a provider authority", map[string]func(any) error{
		"provider_id": canonicalID, "semantic_revision": positive, "input_contract": canonicalID, "evidence_contract": canonicalID,
		"inputs": func(value any) (err error) {
			references, err = examineInputs(value)
			return err
		},
	})
	return payload, references, err
}

func examineInputs(value any) ([]authority.Reference, error) {
	list, ok := value.(identity.List)
	if !ok {
		return nil, fmt.Errorf("not a list")
	}
	var references []authority.Reference
	var last Input
	for i, item := range list {
		record, err := closed(item, "an input", map[string]func(any) error{
			"side": nonempty, "role": nonempty, "object_kind": nonempty, "semantic_id": nonempty,
		})
		if err != nil {
			return nil, err
		}
		text := func(key string) string { s, _ := record[key].(string); return s }
		input := Input{text("side"), text("role"), authority.Reference{Kind: text("object_kind"), ID: text("semantic_id")}}
		if !slices.Contains(sides, input.Side) {
			return nil, fmt.Errorf("%q is no side", input.Side)
		}
		if kind, known := inputKinds[input.Role]; !known || kind != input.Kind {
			return nil, fmt.Errorf("an object of kind %q in the role %q is no input of a provider", input.Kind, input.Role)
		}
		if _, err := semanticID(input.ID, input.Kind); err != nil {
			return nil, err
		}
		if i > 0 && compareInputs(last, input) >= 0 {
			return nil, fmt.Errorf("inputs are repeated or out of order")
		}
		last = input
		references = append(references, input.Reference)
	}
	return authority.SortReferences(references), nil
}
