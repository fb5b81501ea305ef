package analysis

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/compare"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/observation"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/operation"
)

// RootCodec owns analysis-root: the state (RULES G1). Decisions are fields of it; no decision kind exists.
var RootCodec = authority.Codec{
	Kind:            "analysis-root",
	Domain:          "coding-standards:analysis:v4",
	PayloadContract: "analysis-root.v1",
	Examine:         examineRoot,
}

// Codecs is the codec set of a state and of what it is made of.
func Codecs() []authority.Codec {
	return slices.Concat([]authority.Codec{question.Codec, RootCodec}, observation.Codecs(), graph.Codecs(), operation.Codecs())
}

// ground is what a verdict rests on whatever is answered: the authorities of both sides, and its subject.
type ground struct {
	accepted, proposed graph.Authorities
	context            authority.Node
}

func newGround(in Input, units []compare.UnitChange) (g ground, err error) {
	if g.accepted, err = graph.Compile(in.Accepted); err != nil {
		return g, err
	}
	if g.proposed, err = graph.Compile(in.Proposed); err != nil {
		return g, err
	}
	subject := make([]observation.Unit, len(units))
	for i, u := range units {
		subject[i] = observation.Unit{ID: u.ID(), Accepted: stateOf(u.Old), Proposed: stateOf(u.New)}
	}
	g.context, err = observation.Context(in.Accepted.Node, in.Proposed.Node, subject)
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

func rootNode(ctx context.Context, v *Verdict) (authority.Node, error) {
	decisions, err := decision.Set(append(slices.Clone(v.Counted), v.Dormant...))
	if err != nil {
		return authority.Node{}, err
	}
	return v.root(ctx, decisions)
}

// root is the state of the verdict. decisions is its counted and dormant answers as they stand there.
func (v *Verdict) root(ctx context.Context, decisions identity.List) (authority.Node, error) {
	consumed, err := v.consumed(ctx)
	if err != nil {
		return authority.Node{}, err
	}
	closure, err := v.ground.closure(consumed)
	if err != nil {
		return authority.Node{}, err
	}
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
	for _, q := range v.derivable {
		if answered[q.ID] {
			parts = append(parts, q.Node())
		}
	}
	payload := identity.Record{
		"accepted":  v.Accepted.Node.ID,
		"proposed":  v.Proposed.Node.ID,
		"questions": identity.Texts(questions),
		"decisions": decisions,
		"closure":   closure.ID,
	}
	return RootCodec.Node(payload, parts...)
}

func examineRoot(payload any) (any, []authority.Reference, error) {
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
