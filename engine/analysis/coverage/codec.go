package coverage

import (
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/identity"
)

// The objects of an audit (seed 004): what an auditor must have looked at for one unit, the obligation to look, the claim of an
// attester that it was met, and the proof that enough of them made it. Members stand in attestations alone (RULES D2).
var (
	ViewCodec = authority.Codec{
		Kind: "coverage-view", Domain: "coding-standards:coverage-view:v1", PayloadContract: "coverage-view.v1", Examine: examineView,
	}
	RequirementCodec = authority.Codec{
		Kind: "coverage-requirement", Domain: "coding-standards:coverage-requirement:v1", PayloadContract: "coverage-requirement.v1", Examine: examineRequirement,
	}
	AttestationCodec = authority.Codec{
		Kind: "coverage-attestation", Domain: "coding-standards:coverage-attestation:v1", PayloadContract: "coverage-attestation.v1", Examine: examineAttestation,
	}
	CertificateCodec = authority.Codec{
		Kind: "coverage-certificate", Domain: "coding-standards:coverage-certificate:v1", PayloadContract: "coverage-certificate.v1", Examine: examineCertificate,
	}
)

// Codecs is the codec set of this package.
func Codecs() []authority.Codec {
	return []authority.Codec{ViewCodec, RequirementCodec, AttestationCodec, CertificateCodec, DirectoryCodec}
}

// The kinds that a view rests on, by the key of its payload.
var grounds = map[string]string{
	"metadata":      "canonical-standards-corpus",
	"policy_impact": "compiled-policy-impact",
	"graph":         "standards-graph",
	"coverage":      "coverage-horizon",
}

const grantKind = "authorization-grant"

// Grounds is what a view rests on: the corpus, the compiled impact and the graph in which the unit stands, and the horizon that
// is audited.
type Grounds struct{ Metadata, PolicyImpact, Graph, Horizon authority.Node }

// subject is the fields of a coverage question's record that a view and a requirement repeat: the unit's state, the relation kinds, and the
// evidence contract.
var subject = []string{"unit", "revision", "structure", "relations", "evidence"}

// View is what an auditor of a coverage question must have looked at.
func View(q *question.Question, on Grounds) (authority.Node, error) {
	payload := identity.Record{"metadata": on.Metadata.ID, "policy_impact": on.PolicyImpact.ID, "graph": on.Graph.ID, "coverage": on.Horizon.ID}
	for _, key := range subject {
		payload[key] = q.Record[key]
	}
	return ViewCodec.Node(payload, on.Metadata, on.PolicyImpact, on.Graph, on.Horizon)
}

// Requirement is the obligation to audit what a view shows, met once each member has that many independent attesters. The owner is
// the module whose unit it is.
func Requirement(q *question.Question, view authority.Node, attesters int64) (authority.Node, error) {
	payload := identity.Record{"view": view.ID, "owner": q.Module, "attesters": attesters}
	for _, key := range subject {
		payload[key] = q.Record[key]
	}
	return RequirementCodec.Node(payload, view)
}

// Claim is an attestation as it was given: evidence is digests ("sha256:…"), key the fingerprint of the key that signed it or "".
type Claim struct {
	Attestation
	Rationale string
	Evidence  []string
}

// Node is the claim that a requirement is met, by the grant of who makes it.
func (c Claim) Node(requirement, grant authority.Node) (authority.Node, error) {
	var key any
	if c.Key != "" {
		key = c.Key
	}
	return AttestationCodec.Node(identity.Record{
		"requirement": requirement.ID,
		"grant":       grant.ID,
		"conclusion":  decisionfile.CompleteResult,
		"principal":   c.Principal,
		"key":         key,
		"rationale":   c.Rationale,
		"evidence":    identity.Texts(slices.Compact(slices.Sorted(slices.Values(c.Evidence)))),
		"members":     MembersRecord(c.Members),
	}, requirement, grant)
}

// MembersRecord is members as they stand in objects: by path, then blob, each once.
func MembersRecord(members []decisionfile.Member) identity.List {
	members = slices.Clone(members)
	slices.SortFunc(members, compareMembers)
	list := identity.List{}
	for _, m := range slices.Compact(members) {
		list = append(list, identity.Record{"path": m.Path, "blob": m.Blob})
	}
	return list
}

// Certificate is the proof that attestations, by nodes of them, meet a requirement.
func Certificate(view, requirement authority.Node, attestations []authority.Node) (authority.Node, error) {
	byID := map[string]authority.Node{}
	for _, a := range attestations {
		byID[a.ID] = a
	}
	var ids []string
	parts := []authority.Node{view, requirement}
	for id, a := range byID {
		ids, parts = append(ids, id), append(parts, a)
	}
	slices.Sort(ids)
	return CertificateCodec.Node(identity.Record{"view": view.ID, "requirement": requirement.ID, "attestations": identity.Texts(ids)}, parts...)
}

// checkSubject checks what a view and a requirement repeat of a question, as the question itself.
func checkSubject(fields identity.Record) error {
	record := identity.Record{"recipe": question.Recipe, "kind": question.Coverage}
	for _, key := range subject {
		record[key] = fields[key]
	}
	_, err := question.ID(record)
	return err
}

func examineView(payload any) (any, []authority.Reference, error) {
	fields, err := authority.Closed(payload, append([]string{"metadata", "policy_impact", "graph", "coverage"}, subject...)...)
	if err != nil {
		return nil, nil, err
	}
	refs, err := authority.References(fields, grounds)
	if err != nil {
		return nil, nil, err
	}
	return payload, refs, checkSubject(fields)
}

func examineRequirement(payload any) (any, []authority.Reference, error) {
	fields, err := authority.Closed(payload, append([]string{"view", "owner", "attesters"}, subject...)...)
	if err != nil {
		return nil, nil, err
	}
	owner, _ := fields["owner"].(string)
	if attesters, ok := fields["attesters"].(int64); !ok || attesters < 1 || owner == "" {
		return nil, nil, fmt.Errorf("no owner, or no number of attesters")
	}
	ref, err := authority.ReferenceTo(fields["view"], ViewCodec.Kind)
	if err != nil {
		return nil, nil, err
	}
	return payload, []authority.Reference{ref}, checkSubject(fields)
}

func examineAttestation(payload any) (any, []authority.Reference, error) {
	fields, err := authority.Closed(payload, "requirement", "grant", "conclusion", "principal", "key", "rationale", "evidence", "members")
	if err != nil {
		return nil, nil, err
	}
	for _, key := range []string{"principal", "rationale"} {
		if text, _ := fields[key].(string); text == "" {
			return nil, nil, fmt.Errorf("no %s", key)
		}
	}
	if key, isKey := fields["key"].(string); fields["key"] != nil && (!isKey || key == "") || fields["conclusion"] != decisionfile.CompleteResult {
		return nil, nil, fmt.Errorf("another conclusion than %s, or a key that is none", decisionfile.CompleteResult)
	}
	if err := authority.CheckEvidence(fields["evidence"]); err != nil {
		return nil, nil, err
	}
	if err := CheckMembers(fields["members"]); err != nil {
		return nil, nil, err
	}
	refs, err := authority.References(fields, map[string]string{"requirement": RequirementCodec.Kind, "grant": grantKind})
	return payload, refs, err
}

// CheckMembers checks members as they stand in objects: each once, in order.
func CheckMembers(value any) error {
	list, ok := value.(identity.List)
	if !ok {
		return fmt.Errorf("members are no list")
	}
	last := decisionfile.Member{}
	for i, item := range list {
		m, err := ParseMember(item)
		if err != nil {
			return err
		}
		if i > 0 && compareMembers(last, m) >= 0 {
			return fmt.Errorf("member %q is repeated or out of order", m.Path)
		}
		last = m
	}
	return nil
}

func examineCertificate(payload any) (any, []authority.Reference, error) {
	fields, err := authority.Closed(payload, "view", "requirement", "attestations")
	if err != nil {
		return nil, nil, err
	}
	refs, err := authority.References(fields, map[string]string{"view": ViewCodec.Kind, "requirement": RequirementCodec.Kind})
	if err != nil {
		return nil, nil, err
	}
	list, ok := fields["attestations"].(identity.List)
	last := ""
	for _, item := range list {
		ref, err := authority.ReferenceTo(item, AttestationCodec.Kind)
		if err != nil {
			return nil, nil, err
		}
		if ref.ID <= last {
			return nil, nil, fmt.Errorf("attestations are repeated or out of order")
		}
		last = ref.ID
		refs = append(refs, ref)
	}
	if !ok || len(list) == 0 {
		return nil, nil, fmt.Errorf("no list of attestations")
	}
	return payload, refs, nil
}
