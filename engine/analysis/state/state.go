// Package state is what a verdict leaves: the object that holds its questions and decisions (RULES G1), bound to the closure of all that they
// rest on. What is asked and who may answer is settled before.
package state

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/compare"
	"github.com/git-standards/git-standards/engine/analysis/coverage"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/observation"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/operation"
	"github.com/git-standards/git-standards/engine/trust"
)

// Codec owns analysis-root: the state (RULES G1). Decisions are fields of it; no decision kind exists.
var Codec = authority.Codec{
	Kind:            "analysis-root",
	Domain:          "coding-standards:analysis:v4",
	PayloadContract: "analysis-root.v1",
	Examine:         examine,
}

// Codecs is the codec set of a state and of what it is made of.
func Codecs() []authority.Codec {
	return slices.Concat([]authority.Codec{question.Codec, Codec}, observation.Codecs(), graph.Codecs(), operation.Codecs())
}

// Verdict is what a state is made of.
type Verdict struct {
	Accepted, Proposed *corpus.Corpus
	Source             content.Source // of the proposed side
	Policy             *trust.Policy
	Units              []compare.UnitChange // its subject
	Asked, Derivable   []*question.Question
	Counted, Dormant   []*decision.Answer
	Decisions          identity.List              // counted and dormant answers as they stand in the state (decision.Set)
	Covers             map[string]*coverage.Cover // of coverage questions, but for those that are waived
}

// ground is what a verdict rests on whatever is answered: the authorities of both sides, and its subject.
type ground struct {
	accepted, proposed graph.Authorities
	context            authority.Node
}

func (v Verdict) newGround() (g ground, err error) {
	if g.accepted, err = graph.Compile(v.Accepted); err != nil {
		return g, err
	}
	if g.proposed, err = graph.Compile(v.Proposed); err != nil {
		return g, err
	}
	subject := make([]observation.Unit, len(v.Units))
	for i, u := range v.Units {
		subject[i] = observation.Unit{ID: u.ID(), Accepted: stateOf(u.Old), Proposed: stateOf(u.New)}
	}
	g.context, err = observation.Context(v.Accepted.Node, v.Proposed.Node, subject)
	return g, err
}

func stateOf(u *corpus.Unit) *observation.State {
	if u == nil {
		return nil
	}
	return &observation.State{Revision: u.Revision, Structure: u.Structure}
}

// closure is what the state was computed from: both sides, the subject, and what was consumed to answer it.
func (g ground) closure(consumed []authority.RootNode) (authority.Node, error) {
	roots := []authority.RootNode{{Side: authority.Transition, Role: operation.Context, Node: g.context}}
	for side, on := range map[string]graph.Authorities{authority.Accepted: g.accepted, authority.Proposed: g.proposed} {
		roots = append(roots,
			authority.RootNode{Side: side, Role: operation.Metadata, Node: on.Metadata},
			authority.RootNode{Side: side, Role: operation.PolicyImpact, Node: on.PolicyImpact},
			authority.RootNode{Side: side, Role: operation.Graph, Node: on.Graph},
			authority.RootNode{Side: side, Role: operation.Coverage, Node: on.Coverage})
	}
	return operation.Current(operation.Analysis).Close(append(roots, consumed...)...)
}

// Node is the object of the state, and beside it the certificates that coverage is complete. Nothing of the state depends on these: they say
// so of the horizon's files as well.
func (v Verdict) Node(ctx context.Context) (root authority.Node, certificates []authority.Node, err error) {
	c := &consumption{Verdict: v, requirements: map[string]requirement{}, audits: map[string]*audit{}}
	if c.ground, err = v.newGround(); err != nil {
		return root, nil, err
	}
	if err := c.consume(ctx); err != nil {
		return root, nil, err
	}
	closure, err := c.ground.closure(c.roots)
	if err != nil {
		return root, nil, err
	}
	root, err = v.node(closure)
	return root, c.certificates, err
}

func (v Verdict) node(closure authority.Node) (authority.Node, error) {
	questions := make([]string, 0, len(v.Asked))
	parts := []authority.Node{v.Accepted.Node, v.Proposed.Node, closure}
	for _, q := range v.Asked {
		questions = append(questions, q.ID)
		parts = append(parts, q.Node())
	}
	slices.Sort(questions)
	answered := map[string]bool{}
	for _, answer := range v.Dormant {
		answered[answer.Question] = true
	}
	for _, q := range v.Derivable {
		if answered[q.ID] {
			parts = append(parts, q.Node())
		}
	}
	payload := identity.Record{
		"accepted":  v.Accepted.Node.ID,
		"proposed":  v.Proposed.Node.ID,
		"questions": identity.Texts(questions),
		"decisions": v.Decisions,
		"closure":   closure.ID,
	}
	return Codec.Node(payload, parts...)
}

func examine(payload any) (any, []authority.Reference, error) {
	fields, err := authority.Closed(payload, "accepted", "proposed", "questions", "decisions", "closure")
	if err != nil {
		return nil, nil, err
	}
	refs, err := authority.References(fields, map[string]string{
		"accepted": corpus.Codec.Kind, "proposed": corpus.Codec.Kind, "closure": authority.ClosureCodec.Kind,
	})
	if err != nil {
		return nil, nil, err
	}
	questions, isList := fields["questions"].(identity.List)
	decisions, isSet := fields["decisions"].(identity.List)
	if !isList || !isSet {
		return nil, nil, fmt.Errorf("questions or decisions are not lists")
	}
	last := ""
	for _, item := range questions {
		ref, err := authority.ReferenceTo(item, question.Codec.Kind)
		if err != nil {
			return nil, nil, err
		}
		if ref.ID <= last {
			return nil, nil, fmt.Errorf("questions are repeated or out of order")
		}
		last = ref.ID
		refs = append(refs, ref)
	}
	last = ""
	for _, item := range decisions {
		answered, text, err := decision.ExamineRecord(item)
		if err != nil {
			return nil, nil, err
		}
		ref, err := authority.ReferenceTo(answered, question.Codec.Kind)
		if err != nil {
			return nil, nil, err
		}
		if text <= last {
			return nil, nil, fmt.Errorf("decisions are repeated or out of order")
		}
		last = text
		refs = append(refs, ref)
	}
	return payload, refs, nil
}
