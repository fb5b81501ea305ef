// Package observation is the objects by which a fact is asked and answered in one analysis (seed 004): its subject, what is to be
// known, and what was observed. They are made anew from a question and a decision for every state, and judge nothing: which answer
// counts, analysis says.
package observation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/identity"
)

// ContextCodec owns analysis-context: the units that an analysis is about, and nothing else of the change.
var ContextCodec = codec("analysis-context", "coding-standards:analysis-context:v1", examineContext)

// RequirementCodec owns fact-requirement: a fact that an analysis has to know, under the contract by which it is answered.
var RequirementCodec = codec("fact-requirement", "coding-standards:fact-requirement:v1", examineRequirement)

// ObservationCodec owns fact-observation: one answer to one requirement, with what it rests on.
var ObservationCodec = codec("fact-observation", "coding-standards:fact-observation:v1", examineObservation)

func codec(kind, domain string, examine func(any) (any, []authority.Reference, error)) authority.Codec {
	return authority.Codec{Kind: kind, Domain: domain, PayloadContract: kind + ".v1", Examine: examine}
}

// Codecs is the codec set of this package.
func Codecs() []authority.Codec {
	return []authority.Codec{ContextCodec, RequirementCodec, ObservationCodec}
}

// The kinds that the objects rest on beside each other, by name alone: their owners are elsewhere.
const (
	corpusKind       = "canonical-standards-corpus"
	policyImpactKind = "compiled-policy-impact"
	providerKind     = "provider-authority"
	grantKind        = "authorization-grant"
	contextKind      = "analysis-context"
	requirementKind  = "fact-requirement"
)

// State is a unit on one side.
type State struct {
	Revision  int64
	Structure string
}

// Unit is a unit in which two sides differ; a side that has none is nil.
type Unit struct {
	ID                 string
	Accepted, Proposed *State
}

// Context makes the context of an analysis over two corpora.
func Context(accepted, proposed authority.Node, units []Unit) (authority.Node, error) {
	units = slices.Clone(units)
	slices.SortFunc(units, func(a, b Unit) int { return strings.Compare(a.ID, b.ID) })
	list := make(identity.List, 0, len(units))
	for _, u := range units {
		list = append(list, identity.Record{"unit": u.ID, "accepted": u.Accepted.record(), "proposed": u.Proposed.record()})
	}
	parts := []authority.Node{accepted, proposed}
	return ContextCodec.Node(identity.Record{
		"context_kind": facts.ContextChange, "accepted": accepted.ID, "proposed": proposed.ID, "units": list,
	}, parts...)
}

func (s *State) record() any {
	if s == nil {
		return nil
	}
	return identity.Record{"revision": s.Revision, "structure": s.Structure}
}

// Requirement makes the requirement of a fact. policyImpact is that of the side whose contract it is; inputs is the list of that name in
// the question's record.
func Requirement(context, policyImpact authority.Node, contract facts.Contract, inputs identity.List) (authority.Node, error) {
	record := contract.Record()
	return RequirementCodec.Node(identity.Record{
		"context":           context.ID,
		"policy_impact":     policyImpact.ID,
		"fact":              record["fact"],
		"revision":          record["revision"],
		"contract":          contract.Digest(),
		"value_contract":    identity.Record{"type": record["type"], "nullable": record["nullable"], "values": record["values"]},
		"answer_contract":   record["answer_contract"],
		"evidence_contract": record["evidence_contract"],
		"capability":        record["capability"],
		"inputs":            inputs,
	}, context, policyImpact)
}

// The states of an observation. What is not known has no observation.
const (
	Known       = "known"
	KnownAbsent = "known-absent"
)

// Observation makes the observation of a value, nil where it is known to be absent. evidence is the digests of the bytes that it rests on;
// provider is nil where a person answered.
func Observation(requirement authority.Node, value any, evidence []string, grant authority.Node, provider *authority.Node) (authority.Node, error) {
	payload := identity.Record{
		"requirement":        requirement.ID,
		"state":              Known,
		"value":              value,
		"evidence":           identity.Texts(slices.Compact(slices.Sorted(slices.Values(evidence)))),
		"grant":              grant.ID,
		"provider_authority": nil,
	}
	if value == nil {
		payload["state"] = KnownAbsent
	}
	parts := []authority.Node{requirement, grant}
	if provider != nil {
		payload["provider_authority"] = provider.ID
		parts = append(parts, *provider)
	}
	return ObservationCodec.Node(payload, parts...)
}

func examineContext(payload any) (any, []authority.Reference, error) {
	fields, err := authority.Closed(payload, "context_kind", "accepted", "proposed", "units")
	if err != nil {
		return nil, nil, err
	}
	if fields["context_kind"] != facts.ContextChange {
		return nil, nil, fmt.Errorf("not the context of a change of standards")
	}
	units, ok := fields["units"].(identity.List)
	if !ok {
		return nil, nil, fmt.Errorf("units are not a list")
	}
	last := ""
	for _, item := range units {
		unit, err := authority.Closed(item, "unit", "accepted", "proposed")
		if err != nil {
			return nil, nil, fmt.Errorf("unit: %w", err)
		}
		id, _ := unit["unit"].(string)
		if id <= last {
			return nil, nil, fmt.Errorf("unit %q is repeated or out of order", id)
		}
		last = id
		if err := examineStates(unit["accepted"], unit["proposed"]); err != nil {
			return nil, nil, fmt.Errorf("unit %q: %w", id, err)
		}
	}
	references, err := authority.References(fields, map[string]string{"accepted": corpusKind, "proposed": corpusKind})
	return payload, references, err
}

func examineStates(accepted, proposed any) error {
	if accepted == nil && proposed == nil {
		return fmt.Errorf("it is on neither side")
	}
	for _, state := range []any{accepted, proposed} {
		if state == nil {
			continue
		}
		fields, err := authority.Closed(state, "revision", "structure")
		if err != nil {
			return err
		}
		if n, ok := fields["revision"].(int64); !ok || n < 1 {
			return fmt.Errorf("no revision")
		}
		if _, err := authority.ReferenceTo(fields["structure"], "structure"); err != nil {
			return err
		}
	}
	return nil
}

func examineRequirement(payload any) (any, []authority.Reference, error) {
	fields, err := authority.Closed(payload, "context", "policy_impact", "fact", "revision", "contract", "value_contract", "answer_contract",
		"evidence_contract", "capability", "inputs")
	if err != nil {
		return nil, nil, err
	}
	value, err := authority.Closed(fields["value_contract"], "type", "nullable", "values")
	if err != nil {
		return nil, nil, fmt.Errorf("value_contract: %w", err)
	}
	// The contract is the digest of what is written out here, so that neither can be changed alone.
	contract, err := identity.Hash(facts.Domain, "fact-contract", identity.Record{
		"fact": fields["fact"], "revision": fields["revision"], "type": value["type"], "nullable": value["nullable"], "values": value["values"],
		"context": facts.ContextChange, "capability": fields["capability"],
		"answer_contract": fields["answer_contract"], "evidence_contract": fields["evidence_contract"],
	})
	if err != nil {
		return nil, nil, err
	}
	inputs, ok := fields["inputs"].(identity.List)
	if !ok || contract != fields["contract"] {
		return nil, nil, fmt.Errorf("not a list of inputs and the digest of the contract")
	}
	for _, item := range inputs {
		input, err := authority.Closed(item, "path", "bytes")
		if err != nil {
			return nil, nil, fmt.Errorf("input: %w", err)
		}
		path, _ := input["path"].(string)
		if digest, _ := input["bytes"].(string); path == "" || !identity.IsBytesDigest(digest) {
			return nil, nil, fmt.Errorf("input %q is no path with a digest", path)
		}
	}
	references, err := authority.References(fields, map[string]string{"context": contextKind, "policy_impact": policyImpactKind})
	return payload, references, err
}

func examineObservation(payload any) (any, []authority.Reference, error) {
	fields, err := authority.Closed(payload, "requirement", "state", "value", "evidence", "grant", "provider_authority")
	if err != nil {
		return nil, nil, err
	}
	if state := fields["state"]; state != Known && state != KnownAbsent || (state == KnownAbsent) != (fields["value"] == nil) {
		return nil, nil, fmt.Errorf("the state is not that of the value")
	}
	if err := authority.CheckEvidence(fields["evidence"]); err != nil {
		return nil, nil, err
	}
	kinds := map[string]string{"requirement": requirementKind, "grant": grantKind}
	if fields["provider_authority"] != nil {
		kinds["provider_authority"] = providerKind
	}
	references, err := authority.References(fields, kinds)
	return payload, references, err
}
