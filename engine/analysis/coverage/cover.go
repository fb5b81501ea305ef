package coverage

import (
	"encoding/binary"
	"slices"

	"github.com/git-standards/git-standards/engine/authored/decisionfile"
)

// Attestation is one valid decision that a coverage question is complete: who looked at which files with which bytes. Key is the
// fingerprint of the key that signed it, "" where none did.
type Attestation struct {
	Principal, Key string
	Members        []decisionfile.Member
}

// Cover is how far attestations cover the members of a horizon (RULES E8).
type Cover struct {
	members      *Members
	movable      *Members // nil where nothing may land since
	required     int64
	attestations []Attestation
	by           [][]int // by member, the attestations that list it with its present bytes
	left         []int
	landed       []decisionfile.Member
	isComplete   bool
}

// NewCover matches attestations of one question with the members of the proposed horizon. required is how many independent attesters
// each member needs, from 1. What an attestation lists beside is nobody's business. movable is the members of the accepted side where
// `horizon.moving: list` lists what landed since instead of asking; else nil.
func NewCover(members, movable *Members, required int64, attestations []Attestation) *Cover {
	c := &Cover{members: members, movable: movable, required: required, attestations: attestations, by: make([][]int, len(members.List))}
	for i, a := range attestations {
		for _, m := range a.Members {
			if n, present := members.at[m]; present {
				c.by[n] = append(c.by[n], i)
			}
		}
	}
	enough := map[string]bool{} // by the attestations of a member: most members have the same
	for i, by := range c.by {
		var key []byte
		for _, a := range by {
			key = binary.AppendUvarint(key, uint64(a))
		}
		covered, known := enough[string(key)]
		if !known {
			covered = c.independent(by) >= required
			enough[string(key)] = covered
		}
		if !covered {
			c.left = append(c.left, i)
		}
	}
	// Of a horizon without members it is attested that it has none.
	attested := c.independent(upTo(len(attestations))) >= required
	c.isComplete = len(c.left) == 0 && (c.Len() > 0 || attested) && len(members.Unnamed) == 0
	if movable != nil && attested && len(members.Unnamed) == 0 && len(c.left) > 0 && len(c.left) < c.Len() && c.isHeld(movable) {
		c.landed, c.left, c.isComplete = c.Left(), nil, true
	}
	return c
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// isHeld reports whether all that is left is among members.
func (c *Cover) isHeld(members *Members) bool {
	return !slices.ContainsFunc(c.left, func(at int) bool {
		_, held := members.at[c.members.List[at]]
		return !held
	})
}

// independent is the greatest number of the attestations of which no two have one principal or one key. Answers without a key are told
// apart by their principals alone.
func (c *Cover) independent(by []int) int64 {
	type key struct{ fingerprint, principal string }
	keys := map[string][]key{} // by principal
	var principals []string
	for _, i := range by {
		a := c.attestations[i]
		k := key{fingerprint: a.Key}
		if a.Key == "" {
			k.principal = a.Principal
		}
		if keys[a.Principal] == nil {
			principals = append(principals, a.Principal)
		}
		keys[a.Principal] = append(keys[a.Principal], k)
	}
	holder := map[key]string{}
	var give func(principal string, tried map[key]bool) bool
	give = func(principal string, tried map[key]bool) bool {
		for _, k := range keys[principal] {
			if tried[k] {
				continue
			}
			tried[k] = true
			if other, held := holder[k]; !held || give(other, tried) {
				holder[k] = principal
				return true
			}
		}
		return false
	}
	n := int64(0)
	for _, principal := range principals {
		if give(principal, map[key]bool{}) {
			n++
		}
	}
	return n
}

// Landed is what landed since a complete set (RULES E8): the rest of the horizon is attested by enough, and these are the same on both
// sides. Whether they came after the set, no two trees can tell; that each attester attested all there was is their word.
func (c *Cover) Landed() []decisionfile.Member { return c.landed }

// Complete reports whether every member has enough independent attesters, what landed since aside.
func (c *Cover) Complete() bool { return c.isComplete }

// Len is the number of members that an answer can name.
func (c *Cover) Len() int { return len(c.members.List) }

// Unnamed is the names of members that no answer can name: with one of them, no attestation covers the horizon.
func (c *Cover) Unnamed() []string { return c.members.Unnamed }

// Required is how many independent attesters each member needs.
func (c *Cover) Required() int64 { return c.required }

// Left is the members that need another attester, by path.
func (c *Cover) Left() []decisionfile.Member {
	left := make([]decisionfile.Member, len(c.left))
	for i, at := range c.left {
		left[i] = c.members.List[at]
	}
	return left
}

// LeftFor is the members that need an attester and that the principal has not attested yet. waits reports that the principal has done
// all that they can: another one is needed.
func (c *Cover) LeftFor(principal string) (members []decisionfile.Member, waits bool) {
	return c.unseen(principal, c.left)
}

// UnseenBy is all members that the principal has not attested yet; none reports that there is nothing that they could.
func (c *Cover) UnseenBy(principal string) (members []decisionfile.Member, none bool) {
	return c.unseen(principal, upTo(len(c.by)))
}

func (c *Cover) unseen(principal string, among []int) (members []decisionfile.Member, none bool) {
	own := func(i int) bool { return c.attestations[i].Principal == principal }
	for _, at := range among {
		if !slices.ContainsFunc(c.by[at], own) {
			members = append(members, c.members.List[at])
		}
	}
	gave := slices.ContainsFunc(c.attestations, func(a Attestation) bool { return a.Principal == principal })
	return members, len(members) == 0 && (gave || c.Len() > 0)
}

// Attesters is the principals whose attestations list a member with its present bytes, or any of a horizon without members, sorted.
func (c *Cover) Attesters() []string {
	counts := make([]bool, len(c.attestations))
	for _, by := range c.by {
		for _, i := range by {
			counts[i] = true
		}
	}
	var names []string
	for i, a := range c.attestations {
		if counts[i] || c.Len() == 0 {
			names = append(names, a.Principal)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Without is the cover that is left when what some principals attested does not count (RULES F5).
func (c *Cover) Without(principals func(string) bool) *Cover {
	return NewCover(c.members, c.movable, c.required, slices.DeleteFunc(slices.Clone(c.attestations), func(a Attestation) bool { return principals(a.Principal) }))
}
