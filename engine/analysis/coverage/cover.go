package coverage

import (
	"encoding/binary"
	"slices"

	"github.com/git-standards/git-standards/engine/authored"
)

// Attestation is one valid decision that a coverage question is complete: who looked at which files with which bytes. Key is the
// fingerprint of the key that signed it, "" where none did.
type Attestation struct {
	Principal, Key string
	Members        []authored.Member
}

// Cover is how far attestations cover the members of a horizon (RULES E8).
type Cover struct {
	members      []authored.Member
	required     int64
	movable      []authored.Member
	attestations []Attestation
	by           [][]int // by member, the attestations that list it with its present bytes
	left         []int
	landed       []authored.Member
	isComplete   bool
}

// NewCover matches attestations of one question with the members of the proposed horizon, by path. required is how many independent
// attesters each member needs, from 1. What an attestation lists beside is nobody's business. movable is what the accepted side holds
// where `horizon.moving: list` lists what landed since instead of asking; else none.
func NewCover(members []authored.Member, required int64, movable []authored.Member, attestations []Attestation) *Cover {
	c := &Cover{members: members, required: required, movable: movable, attestations: attestations, by: make([][]int, len(members))}
	at := make(map[authored.Member]int, len(members))
	for i, m := range members {
		at[m] = i
	}
	all := make([]int, len(attestations))
	for i, a := range attestations {
		all[i] = i
		for _, m := range a.Members {
			if n, present := at[m]; present {
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
	attested := c.independent(all) >= required
	c.isComplete = len(c.left) == 0 && (len(members) > 0 || attested)
	if attested && len(c.left) > 0 && len(c.left) < len(members) && c.isHeld(movable) {
		c.landed, c.left, c.isComplete = c.Left(), nil, true
	}
	return c
}

// isHeld reports whether all that is left is among members.
func (c *Cover) isHeld(members []authored.Member) bool {
	held := make(map[authored.Member]bool, len(members))
	for _, m := range members {
		held[m] = true
	}
	return !slices.ContainsFunc(c.left, func(at int) bool { return !held[c.members[at]] })
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
func (c *Cover) Landed() []authored.Member { return c.landed }

// Complete reports whether every member has enough independent attesters, what landed since aside.
func (c *Cover) Complete() bool { return c.isComplete }

// Len is the number of members.
func (c *Cover) Len() int { return len(c.members) }

// Required is how many independent attesters each member needs.
func (c *Cover) Required() int64 { return c.required }

// Left is the members that need another attester, by path.
func (c *Cover) Left() []authored.Member {
	left := make([]authored.Member, len(c.left))
	for i, at := range c.left {
		left[i] = c.members[at]
	}
	return left
}

// LeftFor is the members that need an attester and that the principal has not attested yet. waits reports that the principal has done
// all that they can: another one is needed.
func (c *Cover) LeftFor(principal string) (members []authored.Member, waits bool) {
	own := func(i int) bool { return c.attestations[i].Principal == principal }
	for _, at := range c.left {
		if !slices.ContainsFunc(c.by[at], own) {
			members = append(members, c.members[at])
		}
	}
	gave := slices.ContainsFunc(c.attestations, func(a Attestation) bool { return a.Principal == principal })
	return members, len(members) == 0 && (gave || len(c.members) > 0)
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
		if counts[i] || len(c.members) == 0 {
			names = append(names, a.Principal)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Without is the cover that is left when what some principals attested does not count (RULES F5).
func (c *Cover) Without(principals func(string) bool) *Cover {
	return NewCover(c.members, c.required, c.movable, slices.DeleteFunc(slices.Clone(c.attestations), func(a Attestation) bool { return principals(a.Principal) }))
}
