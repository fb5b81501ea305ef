package analysis

import (
	"context"
	"strings"

	"github.com/git-standards/git-standards/engine/analysis/ask"
	"github.com/git-standards/git-standards/engine/analysis/compare"
	"github.com/git-standards/git-standards/engine/analysis/coverage"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// State is what the object of a state holds. Records is those of the questions asked and of the others that decisions answer, by id. Files
// is the inputs of facts, by path, that are stored beside it.
type State struct {
	Accepted, Proposed *corpus.Corpus
	Asked              []string
	Records            map[string]identity.Record
	Decisions          identity.List
	Files              map[string][]byte
}

// Replayed is the verdict that a state gives by itself. What hangs on files that no state covers is not known from it: whether an answer
// is outdated, and of a question among Hanging, which enough attesters have answered, whether they listed the whole horizon.
type Replayed struct {
	*Verdict
	Hanging map[string]bool
	ByID    map[string]*question.Question // those that the state asks, and those that its dormant answers answer
	Proven  map[*decision.Answer]bool     // the signed answers whose signature is proven anew
}

// Replay judges a state again, by the code that judged it and from its own record alone. A record that does not give the same state again
// is invalid: its Root must be compared with the handle it came from.
func Replay(ctx context.Context, s State) (*Replayed, error) {
	in := ask.Sides{Accepted: s.Accepted, Proposed: s.Proposed, ProposedSource: content.Overlay(content.Empty, s.Files, nil)}
	policy, err := usable(in)
	if err != nil {
		return nil, err
	}
	c := compare.Corpora(s.Accepted, s.Proposed)
	r := &Replayed{
		Verdict: &Verdict{Sides: in, Policy: policy, covers: map[string]*coverage.Cover{}}, Hanging: map[string]bool{},
		ByID: map[string]*question.Question{}, Proven: map[*decision.Answer]bool{},
	}
	for id, record := range s.Records {
		r.ByID[id] = s.restore(c, id, record)
	}
	asked := map[string]bool{}
	for _, id := range s.Asked {
		asked[id] = true
		r.Asked = append(r.Asked, r.ByID[id])
	}
	r.Asked = question.Sort(r.Asked)
	for id, q := range r.ByID {
		if !asked[id] {
			r.derivable = append(r.derivable, q)
		}
	}
	for _, item := range s.Decisions {
		answer, err := r.permitStored(item)
		if err != nil {
			return nil, err
		}
		if answer.Provider != nil && !holds(s.Files, r.ByID[answer.Question]) {
			answer.Provider = nil // what it read is stored with every state that it stands for
		}
		r.Answers = append(r.Answers, answer)
	}
	if r.Matched, err = decision.Match(r.Asked, r.derivable, r.Answers); err != nil {
		return nil, err
	}
	r.suppose()
	return r, r.keep(ctx, c.Units, s.Decisions)
}

// holds reports that all inputs of a fact's question are among files.
func holds(files map[string][]byte, q *question.Question) bool {
	for _, input := range question.InputsOf(q.Record) {
		if data, here := files[input.Path]; !here || identity.Bytes(data) != input.Bytes {
			return false
		}
	}
	return true
}

// restore is a stored question with what both sides say of its subject.
func (s State) restore(c *compare.Comparison, id string, record identity.Record) *question.Question {
	q := question.Stored(id, record)
	for _, side := range []*corpus.Corpus{s.Accepted, s.Proposed} {
		if unit := side.Unit(q.Unit); unit != nil {
			q.Module = unit.Module.ID
		}
	}
	switch {
	case q.Kind == question.Coverage:
		q.Reason = question.InHorizon
	case q.Kind == question.Fact:
		q.Reason = question.FactNeeded
		fact, _ := record["fact"].(string)
		for _, side := range []*corpus.Corpus{s.Proposed, s.Accepted} {
			if contract, known := side.Schema().Find(fact); known && contract.Digest() == record["contract"] {
				q.Contract = &contract
			}
		}
	case q.Reason == question.DeclarationChanged:
		// A dropped edge is not among what the declarations differ in: whether another stands for it hangs on files.
		owner, _, _ := strings.Cut(q.Declaration, "#consumers.")
		if unit := s.Proposed.Unit(owner); unit != nil {
			q.Module, q.Unit = unit.Module.ID, unit.ID
		}
		for _, d := range c.Declared {
			if d.Name == q.Declaration {
				q.Module, q.Unit = d.Module, d.Unit
			}
		}
	case q.Reason == question.BaseInvalid:
		for _, u := range c.Repairs {
			if m := s.Proposed.Module(u.Module); u.File == q.Declaration && m != nil {
				q.Module = m.ID
			}
		}
	}
	return q
}

// permitStored reads an answer of a state and refuses one that its policy does not let count.
func (r *Replayed) permitStored(item any) (*decision.Answer, error) {
	fields, _ := item.(identity.Record)
	id, _ := fields["question"].(string)
	q := r.ByID[id]
	if q == nil {
		return nil, fault.New(fault.Invalid, "ENVELOPE.CORRUPT", id, "a decision answers a question that the state does not hold")
	}
	answer, err := decision.Restore(item, q.Record)
	if err != nil {
		return nil, fault.New(fault.Invalid, "ENVELOPE.CORRUPT", id, "a decision of the state cannot be read").Because(err)
	}
	capability := question.CapabilityFor(q.Kind, answer.Result)
	if err := r.Policy.May(answer.Principal, capability); err != nil {
		return nil, err
	}
	if answer.Signature == "" && !r.Policy.NeedsSignature(capability) {
		return answer.Answer, nil
	}
	message, known, err := answer.Message()
	switch {
	case err != nil:
		return nil, err
	case known || answer.Signature == "":
		answer.Key, err = r.Policy.Verify(answer.Principal, message, answer.Signature)
		r.Proven[answer.Answer] = answer.Key != ""
	default:
		answer.Key, err = r.Policy.Signer(answer.Signature)
	}
	return answer.Answer, err
}

// suppose says of each coverage question how it is answered where its attesters listed every member: those that are not even so are open.
func (r *Replayed) suppose() {
	attestations, waived := r.attestations()
	for _, q := range r.Asked {
		if q.Kind == question.Coverage && !waived[q.ID] {
			r.covers[q.ID] = coverage.NewCover(&coverage.Members{}, nil, r.Policy.Attesters(), attestations[q.ID])
			r.Hanging[q.ID] = true
		}
	}
	r.reopen()
	for _, open := range r.Open {
		delete(r.Hanging, open.ID)
	}
}
