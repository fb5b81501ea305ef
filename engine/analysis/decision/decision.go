// Package decision is the answers (RULES E): the files under standards/decisions/ that embed what they judged, how they are named,
// read and verified, what they do to the questions that are asked, and which of them an answer writes, replaces or leaves behind as
// history. It promises that a file counts by its records alone, whatever its name, and that nothing of a damaged one is passed
// over. It plans files and writes none; what is asked, it is told.
package decision

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/coverage"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/identity"
)

// Answer is one answered question of one decision file. InRange says that the file differs between the sides. Value is that of a
// fact, in its canonical form once the contract of the fact was at hand.
type Answer struct {
	*decisionfile.Decision
	Question string
	Record   identity.Record
	Value    any
	InRange  bool
	Key      string // the fingerprint of the key that signed it, once that is verified
}

// Given is the answer as people and results see it: the result, or the value as its contract shows it.
func (a *Answer) Given() string {
	if a.Result != "" {
		return a.Result
	}
	return show(a.Value)
}

func (a *Answer) sameAnswer(b *Answer) bool {
	return a.Result == b.Result && reflect.DeepEqual(a.Value, b.Value)
}

// record is the answer as it stands in the state (RULES G1).
func (a *Answer) record() identity.Record {
	evidence := identity.List{}
	for _, e := range a.Evidence {
		evidence = append(evidence, e.SHA256)
	}
	return identity.Record{
		"question":  a.Question,
		"kind":      a.Kind,
		"result":    a.Result,
		"value":     a.Value,
		"rationale": a.Rationale,
		"principal": a.Principal,
		"evidence":  evidence,
		"members":   coverage.MembersRecord(a.Members),
		"provider":  providerRecord(a.Provider),
		"signature": a.signatureRecord(),
	}
}

// Set is the answers as they stand in the state, as a set: sorted by their canonical text, repetitions once.
func Set(counted []*Answer) (identity.List, error) {
	byText := map[string]any{}
	for _, answer := range counted {
		record := answer.record()
		text, err := identity.Encode(record)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", answer.File, err)
		}
		byText[string(text)] = record
	}
	list := identity.List{}
	for _, text := range slices.Sorted(maps.Keys(byText)) {
		list = append(list, byText[text])
	}
	return list, nil
}

var recordFields = []string{"question", "kind", "result", "value", "rationale", "principal", "evidence", "members", "provider", "signature"}

// ExamineRecord admits one item of a Set. It gives what stands there as the id of the answered question, for the state to refer to,
// and the canonical text by which a set is sorted.
func ExamineRecord(item any) (answered any, text string, err error) {
	record, ok := item.(identity.Record)
	if !ok || len(record) != len(recordFields) {
		return nil, "", fmt.Errorf("a decision is not an object of %d fields", len(recordFields))
	}
	for _, key := range recordFields {
		if _, ok := record[key]; !ok {
			return nil, "", fmt.Errorf("a decision has no field %q", key)
		}
	}
	if err := coverage.CheckMembers(record["members"]); err != nil {
		return nil, "", err
	}
	encoded, err := identity.Encode(record)
	return record["question"], string(encoded), err
}
