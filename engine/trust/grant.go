package trust

import (
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// GrantCodec owns authorization-grant: the exact allow decision that one answer rests on, with the proof that it was not revoked
// (seed 004, AuthorizationGrantV1).
var GrantCodec = authority.Codec{
	Kind:            "authorization-grant",
	Domain:          "coding-standards:authorization-grant:v1",
	PayloadContract: grantContract,
	Examine:         examineGrant,
}

// The contracts and the two constants of a grant, verbatim as in the seed.
const (
	grantContract      = "authorization-grant.v1"
	revocationContract = "authorization-revocation.v1"
	notRevoked         = "not-revoked"
	allow              = "allow"
)

// The kinds of subjects, verbatim as in the seed.
const (
	FactRequirement     = "fact-requirement"
	ConsumerObligation  = "consumer-obligation"
	ImpactObligation    = "impact-obligation"
	CoverageRequirement = "coverage-requirement"
)

// subjects is for each kind of subject the one action that answers it, and the kind of object that its id is of: an obligation is a
// question.
var subjects = map[string]struct{ action, object string }{
	FactRequirement:     {"provide-fact", "fact-requirement"},
	ConsumerObligation:  {"consumer-disposition", "question"},
	ImpactObligation:    {"impact-disposition", "question"},
	CoverageRequirement: {"coverage-attestation", "coverage-requirement"},
}

// Subject is what a grant allows to answer: ID is that of a fact-requirement, a coverage-requirement, or for an obligation that of
// the question.
type Subject struct{ Kind, ID string }

// The providers of evidence: what the bytes behind a digest are. Each is the canonical encoding of a record (doc/identity.md).
const (
	evidenceVersion     = "v1"
	openEvidence        = "git-standards.open-identity"
	principalEvidence   = "git-standards.authority-principal"
	revocationsEvidence = "git-standards.authority-revocations"
)

// Grant is the grant by which a principal uses a capability on a subject, as an object to store. What he may not is an error of May.
// Its evidence is the principal's own entry and his revocations, so that an edit of anything else in authority.yaml changes no grant.
func (p *Policy) Grant(id, capability string, subject Subject) (authority.Node, error) {
	if err := p.May(id, capability); err != nil {
		return authority.Node{}, err
	}
	granted, err := p.evidenceOf(id, principalEvidence, p.entry)
	if err != nil {
		return authority.Node{}, err
	}
	unrevoked, err := p.evidenceOf(id, revocationsEvidence, p.revocationsOf)
	if err != nil {
		return authority.Node{}, err
	}
	return GrantCodec.Node(identity.Record{
		"issuer_id":                              p.issuer.ID,
		"issuer_semantic_revision":               p.issuer.Revision,
		"grant_id":                               Escape(id) + "/" + capability,
		"principal_id":                           Escape(id),
		"capability":                             capability,
		"action":                                 subjects[subject.Kind].action,
		"subject":                                identity.Record{"kind": subject.Kind, "id": subject.ID},
		"authorization_contract":                 grantContract,
		"authorization_evidence":                 granted,
		"revocation_authority_id":                p.revoker.ID,
		"revocation_authority_semantic_revision": p.revoker.Revision,
		"revocation_contract":                    revocationContract,
		"revocation_evidence":                    unrevoked,
		"revocation_state":                       notRevoked,
		"decision":                               allow,
	})
}

// evidenceOf is one evidence reference to what the policy says of a principal.
func (p *Policy) evidenceOf(id, contract string, say func(id string) identity.Record) (identity.List, error) {
	if p.open {
		contract, say = openEvidence, func(id string) identity.Record {
			return identity.Record{"issuer": OpenIssuer, "principal": id}
		}
	}
	text, err := identity.Encode(say(id))
	if err != nil {
		return nil, fault.New(fault.Invalid, "AUTHORITY.NOT_LISTED", id, "the principal %q has no encoding", id).Because(err)
	}
	return identity.List{identity.Record{
		"id": Escape(id), "digest": identity.Bytes(text), "provider_contract": contract, "provider_contract_version": evidenceVersion,
	}}, nil
}

// entry is what authority.yaml says of a principal, without order, formatting and comments.
func (p *Policy) entry(id string) identity.Record {
	one := p.principals[id]
	keys := make([]string, len(one.keys))
	for i, key := range one.keys {
		keys[i] = key.text
	}
	return identity.Record{
		"id": id, "emails": identity.Texts(one.emails), "keys": identity.Texts(keys), "capabilities": identity.Texts(one.capabilities),
	}
}

// revocationsOf is what is revoked of a principal, by the ids of the revocations; why is for people.
func (p *Policy) revocationsOf(id string) identity.Record {
	list := identity.List{}
	for _, r := range p.principals[id].revocations {
		row := identity.Record{"id": r.ID, "key": nil, "capabilities": nil}
		if r.Key != "" {
			row["key"] = r.Key
		}
		if len(r.Capabilities) > 0 {
			row["capabilities"] = identity.Texts(slices.Sorted(slices.Values(r.Capabilities)))
		}
		list = append(list, row)
	}
	return identity.Record{"principal": id, "revocations": list}
}

func examineGrant(payload any) (any, []authority.Reference, error) {
	record, err := closed(payload, "a grant", map[string]func(any) error{
		"issuer_id":                              canonicalID,
		"issuer_semantic_revision":               positive,
		"grant_id":                               canonicalID,
		"principal_id":                           canonicalID,
		"capability":                             canonicalID,
		"action":                                 nonempty,
		"subject":                                examineSubject,
		"authorization_contract":                 exactly(grantContract),
		"authorization_evidence":                 evidence,
		"revocation_authority_id":                canonicalID,
		"revocation_authority_semantic_revision": positive,
		"revocation_contract":                    exactly(revocationContract),
		"revocation_evidence":                    evidence,
		"revocation_state":                       exactly(notRevoked),
		"decision":                               exactly(allow),
	})
	if err != nil {
		return nil, nil, err
	}
	kind, _ := record["subject"].(identity.Record)["kind"].(string)
	if want := subjects[kind].action; record["action"] != want {
		return nil, nil, fmt.Errorf("the action %q does not answer a %s: that is %s", record["action"], kind, want)
	}
	return payload, nil, nil
}

func examineSubject(value any) error {
	subject, err := closed(value, "a subject", map[string]func(any) error{"kind": nonempty, "id": nonempty})
	if err != nil {
		return err
	}
	kind, _ := subject["kind"].(string)
	known, ok := subjects[kind]
	if !ok {
		return fmt.Errorf("%q is no kind of subject", kind)
	}
	_, err = semanticID(subject["id"], known.object)
	return err
}
