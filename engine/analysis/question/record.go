// Package question is what a change may ask (RULES D): the kinds and reasons, the record that a question's id hashes, and what
// may be answered. It promises that a record says all that its question is bound to and nothing else, that one question has one
// id, and that a stored one can be read without the sides it came from. It does not know what a change asks, which is analysis,
// nor what was answered, which is decision.
package question

import (
	"slices"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/facts"
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
	Fact           = "fact"
	Coverage       = "coverage"
)

// The reasons, verbatim as in SHAPES.
const (
	UnitChanged        = "unit-changed"
	UnitAdded          = "unit-added"
	UnitRemoved        = "unit-removed"
	ConsumerAdded      = "consumer-added"
	ConsumerChanged    = "consumer-changed"
	ConsumerDeleted    = "consumer-deleted"
	SameRevision       = "same-revision"
	DeclarationChanged = "declaration-changed"
	UnmappedText       = "unmapped-text"
	BaseInvalid        = "base-invalid"
	FactNeeded         = "fact-needed"
	InHorizon          = "horizon"
)

// ProgramAlways is the digest of the expression `always`.
var ProgramAlways = always()

func always() string {
	program, err := facts.Compile(authored.Always(), facts.NewSchema())
	if err != nil {
		panic("internal error: " + err.Error())
	}
	return program.Digest()
}

// ReviewRecord asks whether a consumer, {"path": …} or {"module": …}, still fits a unit; now is the unit, nil where it is removed.
// program is the digest of the edge's `when`; bytes is the consumer's state: of a file the digest of its bytes, of a module its
// ModuleState, Absent where there is none.
func ReviewRecord(unit string, now *corpus.Unit, relation, program string, consumer identity.Record, bytes string) identity.Record {
	record := identity.Record{
		"recipe":    Recipe,
		"kind":      ConsumerReview,
		"unit":      unit,
		"revision":  nil,
		"structure": Absent,
		"relation":  relation,
		"program":   program,
		"consumer":  consumer,
		"bytes":     bytes,
	}
	if now != nil {
		record["revision"], record["structure"] = now.Revision, now.Structure
	}
	return record
}

// SameRevisionRecord asks whether the text of a unit may differ while its revision stays.
func SameRevisionRecord(unit *corpus.Unit) identity.Record {
	return identity.Record{
		"recipe":    Recipe,
		"kind":      ImpactReview,
		"reason":    SameRevision,
		"unit":      unit.ID,
		"revision":  unit.Revision,
		"structure": unit.Structure,
	}
}

// UnmappedRecord asks about the text of a module outside its units.
func UnmappedRecord(m *corpus.Module) identity.Record {
	return identity.Record{
		"recipe":    Recipe,
		"kind":      ImpactReview,
		"reason":    UnmappedText,
		"module":    m.ID,
		"structure": m.Outside,
	}
}

// DeclarationRecord asks about one declared value; old and new are identity values, nil where a side declares none. Lists whose
// order is free are sorted by the caller (RULES C14).
func DeclarationRecord(name string, old, new any) identity.Record {
	return identity.Record{
		"recipe":      Recipe,
		"kind":        ImpactReview,
		"reason":      DeclarationChanged,
		"declaration": name,
		"old":         old,
		"new":         new,
	}
}

// RepairRecord asks about a file that cannot be read on the accepted side (RULES B7); now is the digest of its bytes on the
// proposed side, or Absent.
func RepairRecord(u corpus.Unreadable, now string) identity.Record {
	return identity.Record{
		"recipe": Recipe,
		"kind":   ImpactReview,
		"reason": BaseInvalid,
		"file":   u.File,
		"old":    u.Digest,
		"new":    now,
	}
}

// Input is a file that a fact is read from, and the digest of its bytes.
type Input struct{ Path, Bytes string }

// FactRecord asks for the value of a fact. inputs are the files that its declared globs match, in ComparePaths order; units the ids
// of the units in question where it declares none.
func FactRecord(contract facts.Contract, inputs []Input, units []string) identity.Record {
	files := identity.List{}
	for _, in := range inputs {
		files = append(files, identity.Record{"path": in.Path, "bytes": in.Bytes})
	}
	return identity.Record{
		"recipe":   Recipe,
		"kind":     Fact,
		"fact":     contract.ID,
		"contract": contract.Digest(),
		"inputs":   files,
		"units":    identity.Texts(units),
	}
}

// InputsOf is the inputs that the question of a fact is bound to; none of any other question.
func InputsOf(record identity.Record) []Input {
	list, _ := record["inputs"].(identity.List)
	inputs := make([]Input, 0, len(list))
	for _, item := range list {
		file, _ := item.(identity.Record)
		path, _ := file["path"].(string)
		bytes, _ := file["bytes"].(string)
		inputs = append(inputs, Input{path, bytes})
	}
	return inputs
}

// CoverageEvidence is the id of the contract by which coverage is attested: members with their Git object ids (RULES E8).
const CoverageEvidence = "coverage-members.v1"

// CoverageRecord asks whether everything that could consume a unit has been looked at, along relations, which are in order; now is the
// unit, nil where it is removed. The members stand in answers alone (RULES D2).
func CoverageRecord(unit string, now *corpus.Unit, relations []string) identity.Record {
	record := identity.Record{
		"recipe":    Recipe,
		"kind":      Coverage,
		"unit":      unit,
		"revision":  nil,
		"structure": Absent,
		"relations": identity.Texts(relations),
		"evidence":  CoverageEvidence,
	}
	if now != nil {
		record["revision"], record["structure"] = now.Revision, now.Structure
	}
	return record
}

// ModuleState is the digest of a module as a consumer: the structures of its units and of its other text (RULES D1); a
// module that is not there is absent.
func ModuleState(m *corpus.Module) (string, error) {
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
