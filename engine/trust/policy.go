// Package trust says who may answer what (RULES F): the policy that an authority.yaml states, what an SSH signature proves, and the
// authorization-grant and provider-authority objects that a state keeps of the trust it consumed (seed 004, "Consumed trust
// authority"). A policy is a value: nothing here reads a file, asks an agent or knows who is at the keyboard. It does not say which
// side's authority.yaml counts, which is analysis.
package trust

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/capabilities"
	"github.com/git-standards/git-standards/engine/fault"
)

// OpenIssuer is the issuer where the accepted side has no authority.yaml: any Git identity may answer (RULES F3).
const OpenIssuer = "open"

// Source is who says something, and in which revision, from 1.
type Source struct {
	ID       string
	Revision int64
}

// Principal is one person or machine. Keys are SSH public keys as in a .pub file.
type Principal struct {
	ID           string
	Emails       []string
	Keys         []string
	Capabilities []string
}

// Revocation takes something away from a principal: the key with a fingerprint ("SHA256:…"), some capabilities, or with neither all.
type Revocation struct {
	ID           string
	Principal    string
	Key          string
	Capabilities []string
}

// Authority is what an authority.yaml states. Optional means that no answer needs a signature. Revoker is nil where nothing can be
// revoked. Attesters is how many independent attesters a coverage question needs, and Independent that who wrote a change is not one
// of them (RULES F5).
type Authority struct {
	Issuer      Source
	Optional    bool
	Attesters   int64
	Independent bool
	Principals  []Principal
	Revoker     *Source
	Revocations []Revocation
}

// Policy answers who may do what. It is immutable.
type Policy struct {
	open        bool
	issuer      Source
	revoker     Source
	optional    bool
	attesters   int64
	independent bool
	principals  map[string]*principal
	order       []*principal // by id
}

type principal struct {
	id           string
	emails       []string // lower case, sorted
	keys         []Key    // sorted by their text
	capabilities []string // sorted
	revocations  []Revocation
}

// Open is the policy where the accepted side has no authority.yaml: anyone may answer under any name, nothing needs a signature, and
// nobody may waive.
func Open() *Policy {
	source := Source{OpenIssuer, 1}
	return &Policy{open: true, issuer: source, revoker: source, optional: true, attesters: 1, independent: true}
}

// New is the policy that an authority states. Ids, mail addresses and keys stand once in it, and every revocation names a principal:
// whoever read it has seen to that. A key that is none is invalid: AUTHORITY.KEY.
func New(a Authority) (*Policy, error) {
	p := &Policy{
		issuer: a.Issuer, revoker: a.Issuer, optional: a.Optional, attesters: a.Attesters, independent: a.Independent,
		principals: map[string]*principal{},
	}
	if a.Revoker != nil {
		p.revoker = *a.Revoker
	}
	for _, declared := range a.Principals {
		one := &principal{id: declared.ID, capabilities: slices.Sorted(slices.Values(declared.Capabilities))}
		for _, text := range declared.Keys {
			key, err := ParseKey(text)
			if err != nil {
				return nil, fault.New(fault.Invalid, "AUTHORITY.KEY", declared.ID, "a key of principal %q is no SSH public key", declared.ID).Because(err)
			}
			one.keys = append(one.keys, key)
		}
		slices.SortFunc(one.keys, func(a, b Key) int { return strings.Compare(a.text, b.text) })
		for _, mail := range declared.Emails {
			one.emails = append(one.emails, strings.ToLower(mail))
		}
		slices.Sort(one.emails)
		for _, revocation := range a.Revocations {
			if revocation.Principal == declared.ID {
				one.revocations = append(one.revocations, revocation)
			}
		}
		slices.SortFunc(one.revocations, func(a, b Revocation) int { return strings.Compare(a.ID, b.ID) })
		p.principals[one.id] = one
		p.order = append(p.order, one)
	}
	slices.SortFunc(p.order, func(a, b *principal) int { return strings.Compare(a.id, b.id) })
	return p, nil
}

// Issuer is "open", or the id that authority.yaml gives.
func (p *Policy) Issuer() string { return p.issuer.ID }

// IsOpen reports whether any Git identity may answer (RULES F3).
func (p *Policy) IsOpen() bool { return p.open }

// Attesters is how many independent attesters a coverage question needs, from 1.
func (p *Policy) Attesters() int64 { return p.attesters }

// Independent reports whether an attester of coverage must not have written the change (RULES F5).
func (p *Policy) Independent() bool { return p.independent }

// Identify is the principal of a session (RULES F2): the one named, else the one whose emails hold one of these, the first that is
// anyone's, else the one whose keys hold this public key, a line as in a .pub file. listed is false for a name or an identity that
// authority.yaml does not know: the principal is then the name, or the first address in lower case. Where the issuer is open, it is
// the same, and always listed.
func (p *Policy) Identify(as string, emails []string, key string) (id string, listed bool) {
	if as != "" {
		_, known := p.principals[as]
		return as, known || p.open
	}
	if p.open {
		return firstOf(emails), len(emails) > 0
	}
	for _, mail := range emails {
		if id := p.Mapped(mail); id != "" {
			return id, true
		}
	}
	if wanted, err := ParseKey(key); err == nil {
		for _, one := range p.order {
			if slices.ContainsFunc(one.keys, func(k Key) bool { return k.text == wanted.text }) {
				return one.id, true
			}
		}
	}
	return firstOf(emails), false
}

func firstOf(emails []string) string {
	if len(emails) == 0 {
		return ""
	}
	return strings.ToLower(emails[0])
}

// Mapped is the principal whose emails hold this one, whatever its case, or "".
func (p *Policy) Mapped(mail string) string {
	for _, one := range p.order {
		if slices.Contains(one.emails, strings.ToLower(mail)) {
			return one.id
		}
	}
	return ""
}

// Listed is the ids of the principals that are able to use a capability, sorted; none where the issuer is open.
func (p *Policy) Listed(capability string) []string {
	var ids []string
	for _, one := range p.order {
		if p.Able(one.id, capability) {
			ids = append(ids, one.id)
		}
	}
	return ids
}

// All is the ids of all principals, sorted; none where the issuer is open.
func (p *Policy) All() []string {
	ids := make([]string, len(p.order))
	for i, one := range p.order {
		ids[i] = one.id
	}
	return ids
}

// May says why a principal may not use a capability, if so. All that it says is unauthorized: AUTHORITY.NOT_LISTED where
// authority.yaml does not know the principal, AUTHORITY.CAPABILITY where it grants him something else, AUTHORITY.REVOKED where he or
// the capability is revoked. A waiver needs an authority.yaml.
func (p *Policy) May(id, capability string) error {
	if p.open {
		if capability == capabilities.Waive {
			return fault.New(fault.Unauthorized, "AUTHORITY.CAPABILITY", id, "only a standards/authority.yaml grants %s", capabilities.Waive)
		}
		return nil
	}
	one, known := p.principals[id]
	if !known {
		return fault.New(fault.Unauthorized, "AUTHORITY.NOT_LISTED", id, "standards/authority.yaml lists no principal %q", id)
	}
	for _, r := range one.revocations {
		if r.Key == "" && (len(r.Capabilities) == 0 || slices.Contains(r.Capabilities, capability)) {
			what := fmt.Sprintf("principal %q", id)
			if len(r.Capabilities) > 0 {
				what = fmt.Sprintf("%s of principal %q", capability, id)
			}
			return fault.New(fault.Unauthorized, "AUTHORITY.REVOKED", id, "%s is revoked by %q", what, r.ID)
		}
	}
	if !slices.Contains(one.capabilities, capability) {
		return fault.New(fault.Unauthorized, "AUTHORITY.CAPABILITY", id, "standards/authority.yaml does not grant %s to %q", capability, id)
	}
	return nil
}

// Able reports whether a principal can use a capability: he may, and where that needs a signature, he has a key that is not revoked.
func (p *Policy) Able(id, capability string) bool {
	if p.May(id, capability) != nil {
		return false
	}
	if !p.NeedsSignature(capability) {
		return true
	}
	one := p.principals[id]
	return slices.ContainsFunc(one.keys, func(k Key) bool {
		return !slices.ContainsFunc(one.revocations, func(r Revocation) bool { return r.Key == k.Fingerprint })
	})
}

// NeedsSignature reports whether an answer that needs this capability needs a signature (RULES F3). Facts do not.
func (p *Policy) NeedsSignature(capability string) bool {
	return !p.optional && capabilities.NeedsSignature(capability)
}
