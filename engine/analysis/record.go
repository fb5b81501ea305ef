// Package analysis is the verdict: what a change asks (RULES C), which decisions answer it (RULES E), and the state they
// make together (RULES G). Judge is a function of two sides; it reads the proposed side's decisions only after the
// questions stand, so that no answer can change what is asked. It knows nothing of Git, hooks or who is at the keyboard.
package analysis

import (
	"fmt"
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/identity"
)

// Recipe names the preimages of doc/questions.md. A recipe found in a decision is honoured for ever (RULES D3).
const Recipe = "q1"

// Absent stands in a record where bytes or a structure would, when there are none.
const Absent = "absent"

// The question kinds, verbatim as in SHAPES.
const (
	ConsumerReview = "consumer-review"
	ImpactReview   = "impact-review"
	FactQuestion   = "fact"
	Coverage       = "coverage"
)

// The reasons, verbatim as in SHAPES, that this version asks for.
const (
	UnitChanged        = "unit-changed"
	UnitAdded          = "unit-added"
	UnitRemoved        = "unit-removed"
	ConsumerAdded      = "consumer-added"
	ConsumerDeleted    = "consumer-deleted"
	SameRevision       = "same-revision"
	DeclarationChanged = "declaration-changed"
	UnmappedText       = "unmapped-text"
	BaseInvalid        = "base-invalid"
)

// QuestionCodec owns question: the record that a question's id hashes, and for a file the bytes behind it.
var QuestionCodec = authority.Codec{
	Kind:            "question",
	Domain:          "coding-standards:question:v1",
	PayloadContract: "question.v1",
	Examine:         examineQuestion,
}

// ProgramAlways is the digest of the expression `always`, the only one that this version evaluates.
var ProgramAlways = mustHash("coding-standards:applicability-program:v1", "program", identity.Record{"operator": "always"})

func mustHash(domain, kind string, record any) string {
	id, err := identity.Hash(domain, kind, record)
	if err != nil {
		panic("internal error: " + err.Error())
	}
	return id
}

func consumerRecord(change unitChange, edge graph.Edge, consumer identity.Record, bytes string) identity.Record {
	record := identity.Record{
		"recipe":    Recipe,
		"kind":      ConsumerReview,
		"unit":      change.id(),
		"revision":  nil,
		"structure": Absent,
		"relation":  edge.Relation,
		"program":   ProgramAlways,
		"consumer":  consumer,
		"bytes":     bytes,
	}
	if change.new != nil {
		record["revision"], record["structure"] = change.new.Revision, change.new.Structure
	}
	return record
}

func sameRevisionRecord(unit *corpus.Unit) identity.Record {
	return identity.Record{
		"recipe":    Recipe,
		"kind":      ImpactReview,
		"reason":    SameRevision,
		"unit":      unit.ID,
		"revision":  unit.Revision,
		"structure": unit.Structure,
	}
}

func unmappedRecord(m *corpus.Module) identity.Record {
	return identity.Record{
		"recipe":    Recipe,
		"kind":      ImpactReview,
		"reason":    UnmappedText,
		"module":    m.ID,
		"structure": m.Outside,
	}
}

func declarationRecord(d declaration) identity.Record {
	return identity.Record{
		"recipe":      Recipe,
		"kind":        ImpactReview,
		"reason":      DeclarationChanged,
		"declaration": d.name,
		"old":         d.old,
		"new":         d.new,
	}
}

func repairRecord(u corpus.Unreadable, now string) identity.Record {
	return identity.Record{
		"recipe": Recipe,
		"kind":   ImpactReview,
		"reason": BaseInvalid,
		"file":   u.File,
		"old":    u.Digest,
		"new":    now,
	}
}

// moduleState is the digest of a module as a consumer: the structures of its units and of its other text (RULES D1); a
// module that is not there is absent.
func moduleState(m *corpus.Module) (string, error) {
	if m == nil {
		return Absent, nil
	}
	units := identity.List{}
	for _, id := range slices.Sorted(unitIDs(m)) {
		units = append(units, identity.Record{"unit": id, "structure": m.Unit(id).Structure})
	}
	return identity.Hash("coding-standards:module-structure:v1", "module-structure", identity.Record{"units": units, "outside": m.Outside})
}

func unitIDs(m *corpus.Module) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i := range m.Units {
			if !yield(m.Units[i].ID) {
				return
			}
		}
	}
}

// field is what a key of a question record may hold.
type field func(value any) bool

func text(value any) bool {
	s, ok := value.(string)
	return ok && s != ""
}

func revision(value any) bool {
	n, ok := value.(int64)
	return value == nil || ok && n >= 1
}

func id(kind string) field {
	return func(value any) bool {
		s, _ := value.(string)
		got, _, ok := identity.Split(s)
		return ok && got == kind
	}
}

func either(fields ...field) field {
	return func(value any) bool {
		return slices.ContainsFunc(fields, func(f field) bool { return f(value) })
	}
}

func absent(value any) bool { return value == Absent }

func digest(value any) bool {
	s, _ := value.(string)
	return identity.IsBytesDigest(s)
}

func anything(any) bool { return true }

func texts(value any) bool {
	list, ok := value.(identity.List)
	return ok && !slices.ContainsFunc(list, func(item any) bool { return !text(item) })
}

func inputs(value any) bool {
	list, ok := value.(identity.List)
	return ok && !slices.ContainsFunc(list, func(item any) bool {
		input, ok := item.(identity.Record)
		return !ok || len(input) != 2 || !text(input["path"]) || !either(absent, digest)(input["bytes"])
	})
}

func consumer(value any) bool {
	target, ok := value.(identity.Record)
	return ok && len(target) == 1 && (text(target["path"]) || text(target["module"]))
}

var unitState = map[string]field{"unit": text, "revision": revision, "structure": either(absent, id("structure"))}

// preimages is doc/questions.md as data: for each kind, or reason of an impact-review, its keys beside recipe, kind and
// reason.
var preimages = map[string]map[string]field{
	ConsumerReview: with(unitState, map[string]field{
		"relation": text, "program": id("program"), "consumer": consumer, "bytes": either(absent, digest, id("module-structure")),
	}),
	SameRevision:       unitState,
	UnmappedText:       {"module": text, "structure": either(absent, id("structure"))},
	DeclarationChanged: {"declaration": text, "old": anything, "new": anything},
	BaseInvalid:        {"file": text, "old": either(absent, digest), "new": either(absent, digest)},
	FactQuestion:       {"fact": text, "contract": id("fact-contract"), "inputs": inputs, "units": texts},
	Coverage:           with(unitState, map[string]field{"relations": texts, "evidence": text}),
}

func with(a, b map[string]field) map[string]field {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

func examineQuestion(payload any) (any, []authority.Reference, error) {
	record, ok := payload.(identity.Record)
	if !ok {
		return nil, nil, fmt.Errorf("a question is not an object")
	}
	if record["recipe"] != Recipe {
		return nil, nil, fmt.Errorf("recipe %q is unknown; this build knows %s", fmt.Sprint(record["recipe"]), Recipe)
	}
	kind, _ := record["kind"].(string)
	name := kind
	if kind == ImpactReview {
		name, _ = record["reason"].(string)
	} else if kind != ConsumerReview && kind != FactQuestion && kind != Coverage {
		name = "" // a reason in the place of a kind
	}
	keys, known := preimages[name]
	if !known {
		return nil, nil, fmt.Errorf("kind %q with reason %q is no question of recipe %s", kind, fmt.Sprint(record["reason"]), Recipe)
	}
	for key := range record {
		if _, known := keys[key]; !known && key != "recipe" && key != "kind" && (key != "reason" || kind != ImpactReview) {
			return nil, nil, fmt.Errorf("a %s record has no field %q", name, key)
		}
	}
	for key, admits := range keys {
		value, ok := record[key]
		if !ok || !admits(value) {
			return nil, nil, fmt.Errorf("field %q of a %s record is missing or malformed", key, name)
		}
	}
	var refs []authority.Reference
	if target, ok := record["consumer"].(identity.Record); ok && target["path"] != nil && digest(record["bytes"]) {
		ref, err := content.FileReference(record["bytes"].(string))
		if err != nil {
			return nil, nil, err
		}
		refs = append(refs, ref)
	}
	if structure, _ := record["structure"].(string); structure != "" && structure != Absent {
		refs = append(refs, authority.Reference{Kind: corpus.StructureCodec.Kind, ID: structure})
	}
	return payload, refs, nil
}
