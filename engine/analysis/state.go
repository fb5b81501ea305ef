package analysis

import (
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/identity"
)

// RootCodec owns analysis-root: the state (RULES G1). Decisions are fields of it; no decision kind exists.
var RootCodec = authority.Codec{
	Kind:            "analysis-root",
	Domain:          "coding-standards:analysis:v4",
	PayloadContract: "analysis-root.v1",
	Examine:         examineRoot,
}

// Codecs is the codec set of a state and of the questions in it.
func Codecs() []authority.Codec { return []authority.Codec{question.Codec, RootCodec} }

func rootNode(v *Verdict) (authority.Node, error) {
	questions := make([]string, 0, len(v.Asked))
	parts := []authority.Node{v.Accepted.Node, v.Proposed.Node}
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
	decisions, err := decision.Set(append(slices.Clone(v.Counted), v.Dormant...))
	if err != nil {
		return authority.Node{}, err
	}
	payload := identity.Record{
		"accepted":  v.Accepted.Node.ID,
		"proposed":  v.Proposed.Node.ID,
		"questions": identity.Texts(questions),
		"decisions": decisions,
	}
	return RootCodec.Node(payload, parts...)
}

func examineRoot(payload any) (any, []authority.Reference, error) {
	fields, ok := payload.(identity.Record)
	if !ok || len(fields) != 4 {
		return nil, nil, fmt.Errorf("not an object of four fields")
	}
	var refs []authority.Reference
	for _, side := range []string{"accepted", "proposed"} {
		ref, err := authority.ReferenceTo(fields[side], corpus.Codec.Kind)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", side, err)
		}
		refs = append(refs, ref)
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
