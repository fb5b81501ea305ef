package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/authorityfile"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/identity"
)

// compareAuthorities asks about each thing that authority.yaml says otherwise than before, in the name of those who may answer by the
// accepted one (RULES C7, B1). Nothing of it asks by level: who may answer binds all of them.
func (c *Comparison) compareAuthorities() {
	old, now := authorityValues(c.accepted.Authority), authorityValues(c.proposed.Authority)
	names := maps.Clone(old)
	maps.Copy(names, now)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		c.declare(Declaration{
			Name: "authority#" + name, File: corpus.AuthorityPath, Line: authorityLine(c.proposed.Authority, name), Old: old[name], New: now[name],
		})
	}
	if c.accepted.Authority != nil && c.proposed.Authority != nil {
		c.checkRevisions(c.accepted.Authority, c.proposed.Authority)
	}
}

// authorityValues is what an authority says, by the names of C7. Why something is revoked is for people, and so are the comments of
// keys (RULES C14).
func authorityValues(a *authorityfile.Authority) map[string]any {
	values := map[string]any{}
	if a == nil {
		return values
	}
	values["issuer"] = sourceValue(&a.Issuer)
	values["signatures"] = a.Signatures
	values["coverage"] = identity.Record{"attesters": a.Attesters, "independent": a.Independent}
	if a.Revocation != nil {
		values["revocation-authority"] = sourceValue(a.Revocation)
	}
	for _, p := range a.Principals {
		keys := make([]string, len(p.Keys))
		for i, line := range p.Keys {
			keys[i] = strings.Join(strings.SplitN(line, " ", 3)[:2], " ")
		}
		values["principals."+p.ID] = identity.Record{"emails": set(p.Emails), "keys": set(keys), "capabilities": set(p.Capabilities)}
	}
	for _, r := range a.Revoked {
		values["revocations."+r.ID] = identity.Record{"principal": r.Principal, "key": optionalText(r.Key), "capabilities": optionalSet(r.Capabilities)}
	}
	return values
}

func sourceValue(s *authorityfile.Issuer) any {
	return identity.Record{"id": s.ID, "revision": s.Revision}
}

// authorityLine is where something stands, for what is taken out the section that it stood in.
func authorityLine(a *authorityfile.Authority, name string) int {
	if a == nil {
		return 1
	}
	word, id, _ := strings.Cut(name, ".")
	for _, p := range a.Principals {
		if word == "principals" && p.ID == id {
			return p.Line
		}
	}
	for _, r := range a.Revoked {
		if word == "revocations" && r.ID == id {
			return r.Line
		}
	}
	place := map[string]string{"revocation-authority": "revocations.authority", "revocations": "revocations.revoked"}[word]
	if place == "" {
		place = word
	}
	return max(a.Lines[place], 1)
}

// checkRevisions refuses what only an older authority.yaml that was put back would say: revisions never fall, and what was revoked
// stays so (RULES F4).
func (c *Comparison) checkRevisions(old, now *authorityfile.Authority) {
	fell := func(what string, old, now *authorityfile.Issuer, line string) {
		if old != nil && now != nil && now.Revision < old.Revision {
			c.find("AUTHORITY.REVISION_FELL", corpus.AuthorityPath, max(c.proposed.Authority.Lines[line], 1),
				fmt.Sprintf("the revision of the %s falls from %d to %d: an older %s was put back", what, old.Revision, now.Revision, corpus.AuthorityPath),
				fmt.Sprintf("write revision: %d, or a later one, after you have looked at what else is older", old.Revision))
		}
	}
	fell("issuer", &old.Issuer, &now.Issuer, "issuer.revision")
	fell("revocation authority", old.Revocation, now.Revocation, "revocations.authority.revision")
	rows := map[string]authorityfile.Revoked{}
	for _, r := range now.Revoked {
		rows[r.ID] = r
	}
	for _, r := range old.Revoked {
		row, kept := rows[r.ID]
		switch {
		case !kept:
			c.find("AUTHORITY.REVISION_FELL", corpus.AuthorityPath, authorityLine(now, "revocations"),
				fmt.Sprintf("the revocation %q of principal %q is gone; rows of revocations stay for ever", r.ID, r.Principal),
				fmt.Sprintf("put the row back: {id: %s, principal: %s, reason: …}", r.ID, r.Principal))
		case !takesAway(row, r):
			c.find("AUTHORITY.REVISION_FELL", corpus.AuthorityPath, row.Line,
				fmt.Sprintf("the revocation %q takes away less than before of principal %q; what was revoked stays so", r.ID, r.Principal),
				"write the row as it was, and another one for what is revoked beside it")
		}
	}
}

// takesAway reports whether a row of revocations takes away all that another does.
func takesAway(row, all authorityfile.Revoked) bool {
	isWhole := func(r authorityfile.Revoked) bool { return r.Key == "" && len(r.Capabilities) == 0 }
	switch {
	case row.Principal != all.Principal:
		return false
	case isWhole(row):
		return true
	case all.Key != "":
		return row.Key == all.Key
	}
	return !isWhole(all) && !slices.ContainsFunc(all.Capabilities, func(capability string) bool { return !slices.Contains(row.Capabilities, capability) })
}
