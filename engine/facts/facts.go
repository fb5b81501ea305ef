// Package facts is the language in which a standard says when it applies (RULES A9): contracts of facts, their values,
// expressions over them in one canonical form, and three-valued evaluation that names the facts that would settle it.
//
// It promises that an expression means the same whatever order its operands were written in, that no fact which an expression
// does not name is in its digest or its result, and that hostile expressions are refused before they cost anything. It asks
// nothing, reads no file and knows no question: doc/facts.md is its page, seed 004 ("Applicability") where it comes from.
package facts

import (
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/capabilities"
	"github.com/git-standards/git-standards/engine/identity"
)

// The types of facts.
const (
	TypeBoolean     = "boolean"
	TypeEnum        = "enum"
	TypeString      = "string"
	TypeStringSet   = "string-set"
	TypeEnumSet     = "enum-set"
	TypeCanonicalID = "canonical-id"
)

// Types are the types of facts.
func Types() []string {
	return []string{TypeBoolean, TypeEnum, TypeString, TypeStringSet, TypeEnumSet, TypeCanonicalID}
}

// What a fact is about: the task at hand (routing), or a change of the standards' repository.
const (
	ContextTask   = "task-route"
	ContextChange = "standards-change"
)

// Capability is what an answer needs (RULES F1).
const Capability = capabilities.Analyze

// BuiltinPrefix begins the ids of the facts that every schema has.
const BuiltinPrefix = "change."

// The built-in facts: what changed between the two sides (RULES A9). They are computed and never asked.
const (
	ChangePaths      = BuiltinPrefix + "paths"
	ChangeKinds      = BuiltinPrefix + "kinds"
	ChangeExtensions = BuiltinPrefix + "extensions"
)

// The kinds of changes.
const (
	Added   = "added"
	Changed = "changed"
	Deleted = "deleted"
)

// Contract is what counts as an answer to a fact. Values are those of an enum or enum-set, sorted, else nil. Aliases are other names
// by which expressions may call it; they are no part of its digest.
type Contract struct {
	ID         string
	Revision   int64
	Type       string
	Nullable   bool
	Values     []string
	Context    string
	Capability string
	Aliases    []string
}

// Domain is the identity domain of fact contracts.
const Domain = "coding-standards:fact-contract:v1"

// Digest returns "fact-contract:sha256:…" over the contract (doc/facts.md).
func (c Contract) Digest() string { return mustHash(Domain, "fact-contract", c.Record()) }

// Record is what the digest of a contract hashes.
func (c Contract) Record() identity.Record {
	return identity.Record{
		"fact":              c.ID,
		"revision":          c.Revision,
		"type":              c.Type,
		"nullable":          c.Nullable,
		"values":            identity.Texts(slices.Sorted(slices.Values(c.Values))),
		"context":           c.Context,
		"capability":        c.Capability,
		"answer_contract":   "fact-answer.v1",
		"evidence_contract": "fact-evidence.v1",
	}
}

// mustHash hashes a record whose texts were checked when they were read.
func mustHash(domain, kind string, record identity.Record) string {
	id, err := identity.Hash(domain, kind, record)
	if err != nil {
		panic("internal error: " + err.Error())
	}
	return id
}

// Schema is the facts that expressions may name.
type Schema struct {
	facts   map[string]Contract // by id
	names   map[string]string   // ids by id and alias
	digests map[string]string   // by id: thousands of expressions may name a fact with thousands of values
}

// NewSchema makes a schema of declared contracts and the built-in ones. Where two claim one name, the built-in and then the
// first has it.
func NewSchema(contracts ...Contract) *Schema {
	s := &Schema{facts: map[string]Contract{}, names: map[string]string{}, digests: map[string]string{}}
	all := append(builtins(), contracts...)
	var kept []Contract
	for _, c := range all {
		if _, taken := s.names[c.ID]; !taken {
			s.names[c.ID], s.facts[c.ID], s.digests[c.ID] = c.ID, c, c.Digest()
			kept = append(kept, c)
		}
	}
	for _, c := range kept {
		for _, alias := range c.Aliases {
			if _, taken := s.names[alias]; !taken {
				s.names[alias] = c.ID
			}
		}
	}
	return s
}

func builtins() []Contract {
	builtin := func(id, kind string, values ...string) Contract {
		return Contract{ID: id, Revision: 1, Type: kind, Values: values, Context: ContextChange, Capability: Capability}
	}
	return []Contract{
		builtin(ChangePaths, TypeStringSet),
		builtin(ChangeKinds, TypeEnumSet, Added, Changed, Deleted),
		builtin(ChangeExtensions, TypeStringSet),
	}
}

// Find returns the contract of an id or an alias.
func (s *Schema) Find(name string) (Contract, bool) {
	c, ok := s.facts[s.names[name]]
	return c, ok
}

// IDs returns the ids of all facts, the built-in ones too, sorted.
func (s *Schema) IDs() []string {
	ids := make([]string, 0, len(s.facts))
	for id := range s.facts {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Change is one regular file whose bytes differ between the sides. Kind is Added, Changed or Deleted.
type Change struct{ Path, Kind string }

// ChangeFacts returns the values of the built-in facts. What lies under standards/decisions/ is no change (RULES A10): the
// caller leaves it out.
func ChangeFacts(changes []Change) Values {
	paths, kinds, extensions := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, change := range changes {
		paths[change.Path], kinds[change.Kind] = true, true
		name := change.Path[strings.LastIndexByte(change.Path, '/')+1:]
		if dot := strings.LastIndexByte(name, '.'); dot > 0 && dot < len(name)-1 {
			extensions[name[dot+1:]] = true
		}
	}
	return Values{ChangePaths: set(paths), ChangeKinds: set(kinds), ChangeExtensions: set(extensions)}
}

func set(members map[string]bool) identity.List {
	list := make([]string, 0, len(members))
	for member := range members {
		list = append(list, member)
	}
	slices.Sort(list)
	return identity.Texts(list)
}
