// Package analysis is the verdict: what a change asks (RULES C), who answered it (RULES F), and the state that it makes with its answers
// (RULES G). Judge is a function of two sides; it reads the proposed side's decisions only after the questions stand, so that no answer can
// change what is asked. What differs between the standards of both stands in compare, what that asks in ask, what a question is in question,
// what an answer is and does in decision, and the object that is left in state. It knows nothing of Git, hooks or who is at the keyboard.
package analysis

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/ask"
	"github.com/git-standards/git-standards/engine/analysis/compare"
	"github.com/git-standards/git-standards/engine/analysis/coverage"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/analysis/state"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/trust"
)

// WaivedCode is the notice of a question that is closed by a waiver: always printed (RULES E3).
const WaivedCode = "DECISION.WAIVED"

// Verdict is what a change asks, what answers it, and the state they make. Complete means no question is open.
type Verdict struct {
	ask.Sides
	decision.Matched
	Policy  *trust.Policy        // of the accepted side
	Asked   []*question.Question // by (module, unit, kind, consumer)
	Answers []*decision.Answer   // all that were read
	Notices []ask.Notice
	// Uncarried counts the edges that still name a place from which their consumers moved: gate and publish stay closed
	// (RULES C13, J1).
	Uncarried int
	Touched   bool // a standard differs between the sides
	Root      authority.Node
	// Evidence is the bytes that counted answers rest on, where the proposed side still has them (RULES E1). Nothing of the
	// state depends on them: in another clone they may be gone.
	Evidence []authority.Node

	// Horizons is the members of the proposed horizon and those that are left of it, by directory, where coverage is asked about.
	// Nothing of the state depends on them.
	Horizons []authority.Node
	// Certificates prove that coverage is complete. Nothing of the state depends on them: they say so of the horizon's files as well.
	Certificates []authority.Node

	derivable []*question.Question            // beside Asked
	hanging   map[string][]*question.Question // by the question of a fact: the reviews that it decides
	covers    map[string]*coverage.Cover
}

// Decides lists the reviews of which the answer to an open question of fact says whether they are asked.
func (v *Verdict) Decides(q *question.Question) []*question.Question { return v.hanging[q.ID] }

// AskedSet is the ids that a verdict asks.
func (v *Verdict) AskedSet() map[string]bool { return question.IDs(v.Asked) }

// Derivable is the ids of the questions whose answers are in the state (RULES E6).
func (v *Verdict) Derivable() map[string]bool {
	return question.IDs(slices.Concat(v.Asked, v.derivable))
}

// Idle reports that no standard differs and none asks about this change (RULES C16).
func (v *Verdict) Idle() bool { return !v.Touched && len(v.Asked) == 0 }

// Complete reports whether nothing is open.
func (v *Verdict) Complete() bool { return len(v.Open) == 0 }

// Judge gives the verdict over two sides whose accepted one has a manifest. Authored text that cannot be judged is a
// *corpus.FindingsError, and so are answers that contradict each other.
func Judge(ctx context.Context, in ask.Sides) (*Verdict, error) {
	policy, err := usable(in)
	if err != nil {
		return nil, err
	}
	a, err := ask.New(ctx, in)
	if err != nil {
		return nil, err
	}
	h := hearing{Asker: a, policy: policy, byID: map[string]*question.Question{}}
	if err := h.hear(ctx); err != nil {
		return nil, err
	}
	q, err := a.Choose()
	if err != nil {
		return nil, err
	}
	v := &Verdict{
		Sides: in, Policy: policy, Asked: q.Asked, derivable: q.Derivable, Answers: h.answers, Notices: slices.Concat(q.Notices, h.notices),
		Uncarried: q.Uncarried, hanging: q.Hanging,
	}
	if v.Matched, err = decision.Match(v.Asked, v.derivable, v.Answers); err != nil {
		return nil, err
	}
	v.noticeWaivers()
	v.Touched = in.Accepted.Node.ID != in.Proposed.Node.ID
	if err := v.cover(ctx); err != nil {
		return nil, err
	}
	if err := v.lookAtEvidence(ctx); err != nil {
		return nil, err
	}
	decisions, err := decision.Set(slices.Concat(v.Counted, v.Dormant))
	if err != nil {
		return nil, err
	}
	return v, v.keep(ctx, a.Units, decisions)
}

// keep makes the state of a verdict, of which the units are the subject. decisions is its counted and dormant answers as they stand there.
func (v *Verdict) keep(ctx context.Context, units []compare.UnitChange, decisions identity.List) (err error) {
	v.Root, v.Certificates, err = state.Verdict{
		Accepted: v.Accepted, Proposed: v.Proposed, Source: v.ProposedSource, Policy: v.Policy, Units: units, Asked: v.Asked, Derivable: v.derivable,
		Counted: v.Counted, Dormant: v.Dormant, Decisions: decisions, Covers: v.covers,
	}.Node(ctx)
	return err
}

// usable refuses sides that cannot be judged, and gives the policy by which answers count.
func usable(in ask.Sides) (*trust.Policy, error) {
	for _, f := range in.Accepted.Findings {
		if f.Unsupported {
			return nil, fault.New(fault.Unsupported, f.Code, fmt.Sprintf("%s:%d", f.File, f.Line), "on the accepted side, %s", f.Message)
		}
	}
	policy, err := PolicyOf(in.Accepted)
	if err == nil && corpus.HasErrors(in.Proposed.Findings) {
		err = &corpus.FindingsError{Findings: in.Proposed.Findings}
	}
	return policy, err
}

// noticeWaivers tells of every question that nobody answered because somebody waived it.
func (v *Verdict) noticeWaivers() {
	for _, answer := range v.Counted {
		if answer.Result == facts.Waiver {
			v.Notices = append(v.Notices, ask.Notice{
				Code: WaivedCode, Target: answer.File,
				Message: fmt.Sprintf("%s waived the %s about %s: %s", answer.Principal, answer.Kind, decision.Subject(answer.Record), answer.Rationale),
			})
		}
	}
}

// lookAtEvidence keeps the evidence that is still there, and reports what holds other bytes by now, which voids nothing
// (RULES E1).
func (v *Verdict) lookAtEvidence(ctx context.Context) error {
	wanted := map[string]bool{}
	for _, answer := range v.Counted {
		for _, e := range answer.Evidence {
			if e.Path != "" {
				wanted[e.Path] = true
			}
		}
	}
	data, err := content.ReadFiles(ctx, v.ProposedSource, slices.Sorted(maps.Keys(wanted))...)
	if err != nil {
		return err
	}
	for _, answer := range v.Counted {
		for _, e := range answer.Evidence {
			if e.Path == "" {
				continue
			}
			bytes, here := data[e.Path]
			if here && identity.Bytes(bytes) == e.SHA256 {
				// What is too large for the store stays pinned by its digest.
				if node, err := content.FileNode(e.Path, bytes); err == nil {
					v.Evidence = append(v.Evidence, node)
				}
				continue
			}
			v.Notices = append(v.Notices, ask.Notice{
				Code: "EVIDENCE.CHANGED", Target: answer.File,
				Message: fmt.Sprintf("the evidence %q has changed since the answer was given; the answer stands", e.Path),
			})
		}
	}
	return nil
}

// CheckAdoption gives the findings that a first manifest has beyond its own text: every edge is new (RULES A7, B6).
func CheckAdoption(ctx context.Context, c *corpus.Corpus, source content.Source) error {
	findings, err := graph.Dangling(ctx, c, source, func(graph.Edge) string { return reading.SeverityError })
	if err != nil {
		return err
	}
	findings = append(append([]reading.Finding{}, c.Findings...), findings...)
	if corpus.HasErrors(findings) {
		return &corpus.FindingsError{Findings: findings}
	}
	return nil
}

// TextOf is the normalized text that a question is about: of a unit, or of a module outside its units; "" where it has none
// on the proposed side.
func (v *Verdict) TextOf(q *question.Question) string {
	if unit := v.Proposed.Unit(q.Unit); unit != nil {
		return unit.Text.Normal
	}
	if m := v.Proposed.Module(q.Module); m != nil && q.Unit == "" {
		return m.Module.Outside.Normal
	}
	return ""
}
