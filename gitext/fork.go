package gitext

import (
	"context"
	"slices"

	"github.com/git-standards/git-standards/engine/fault"
)

// PushTarget is what a pre-push hook is told: its two arguments and the id that the remote has under the pushed name.
type PushTarget struct {
	Remote   string // a name, or the URL where none is configured
	URL      string
	RemoteID string // zeros where the ref is new there
}

// ForkRequest asks for the accepted side of a tip (RULES B2, B3).
type ForkRequest struct {
	Tip          string   // commit id, "" for an unborn branch
	OtherParents []string // of the merge being made
	Base         string   // gate.base of the tip's manifest, "" where it has none
	Push         *PushTarget
}

// Fork is the accepted side: the commit where the tip's line of work left the base branch.
type Fork struct {
	Accepted string // commit id, "" for the empty tree
	Name     string // of the base branch, "" where nothing names one
	Branch   string // the ref that was taken for the base branch, "" where there was none
	Why      string // what named it, in a word or a sentence
	// Unrelated: the tip shares no history with the base branch, whose own tip is the accepted side then.
	Unrelated bool
	None      bool // a push for which there is nothing to compare with: nothing is judged
}

// base is a candidate for the base branch and where the tip left it.
type base struct {
	ref
	merges   []string // merge bases, none without common history
	accepted string
	distance int // commits in accepted..tip
}

// ForkPoint finds the fork point by RULES B3. In a shallow repository whose missing history could change the answer the
// fault is HISTORY.SHALLOW, unavailable.
func (r *Repo) ForkPoint(ctx context.Context, q ForkRequest) (Fork, error) {
	if q.Tip == "" {
		return Fork{Why: "no commit yet"}, nil
	}
	known, err := r.branches(ctx, q.Push)
	if err != nil {
		return Fork{}, err
	}
	name, why := known.baseName(q.Base)
	candidates := known.named(name)
	best, err := r.nearest(ctx, q, candidates)
	if err != nil {
		return Fork{}, err
	}
	if best != nil {
		unrelated := len(best.merges) == 0
		if unrelated {
			why += ", without common history"
		}
		return Fork{Accepted: best.accepted, Name: name, Branch: best.name, Why: why, Unrelated: unrelated}, nil
	}
	absent := "no base branch is here"
	switch {
	case len(candidates) > 0:
		absent = "the base branch " + name + " is only a local one here, which holds what is pushed"
	case q.Base != "":
		absent = "gate.base " + q.Base + " is not here"
	}
	if q.Push == nil {
		return Fork{Accepted: q.Tip, Why: absent}, nil
	}
	return r.pushedWithoutBase(ctx, q, known, absent)
}

// nearest measures the candidates and picks the nearest to the tip: fewest commits, then smallest id. It is nil where
// none counts.
func (r *Repo) nearest(ctx context.Context, q ForkRequest, candidates []ref) (*base, error) {
	var bases []base
	for _, candidate := range candidates {
		one, others := q.Tip, []string{candidate.id}
		if len(q.OtherParents) > 0 {
			one, others = candidate.id, append([]string{q.Tip}, q.OtherParents...)
		}
		merges, err := r.mergeBases(ctx, one, others...)
		if err != nil {
			return nil, err
		}
		// A local branch that holds the pushed tip is that tip under another name, not what it is to be compared with.
		if q.Push != nil && candidate.local() && slices.Contains(merges, q.Tip) {
			continue
		}
		bases = append(bases, base{ref: candidate, merges: merges})
	}
	var choices []base
	for _, b := range bases {
		for _, id := range b.merges {
			b.accepted = id
			choices = append(choices, b)
		}
	}
	if len(choices) == 0 {
		for _, b := range bases {
			b.accepted = b.id
			choices = append(choices, b)
		}
	}
	return r.pickNearest(ctx, q.Tip, choices)
}

func (r *Repo) pickNearest(ctx context.Context, tip string, choices []base) (*base, error) {
	if len(choices) == 0 {
		return nil, nil
	}
	alike := func(b base) bool { return b.accepted == choices[0].accepted }
	if !slices.ContainsFunc(choices, func(b base) bool { return !alike(b) }) {
		return &choices[0], nil
	}
	var best *base
	for i := range choices {
		b := &choices[i]
		n, err := r.countCommits(ctx, b.accepted, tip)
		if err != nil {
			return nil, err
		}
		b.distance = n
		if best == nil || b.distance < best.distance || b.distance == best.distance && b.accepted < best.accepted {
			best = b
		}
	}
	return best, nil
}

// pushedWithoutBase is the end of RULES B3 for a push: the remote's old id, else all that any remote is known to have,
// else nothing.
func (r *Repo) pushedWithoutBase(ctx context.Context, q ForkRequest, known branches, absent string) (Fork, error) {
	if IsID(q.Push.RemoteID) && !IsZero(q.Push.RemoteID) {
		old, err := r.Commit(ctx, q.Push.RemoteID)
		if err == nil {
			return Fork{Accepted: old.ID, Why: "remote old id"}, nil
		}
		if !fault.Is(err, "REVISION.UNKNOWN") && !fault.Is(err, "OBJECT.MISSING") {
			return Fork{}, err
		}
	}
	var tips []string
	for _, candidate := range known.refs {
		if !candidate.local() && candidate.symref == "" {
			tips = append(tips, candidate.id)
		}
	}
	slices.Sort(tips)
	tips = slices.Compact(tips)
	if len(tips) > 0 {
		// The bases of the tip and a hypothetical merge of all of them are the nearest there are.
		merges, err := r.mergeBases(ctx, q.Tip, tips...)
		if err != nil {
			return Fork{}, err
		}
		choices := make([]base, len(merges))
		for i, id := range merges {
			choices[i].accepted = id
		}
		best, err := r.pickNearest(ctx, q.Tip, choices)
		if err != nil {
			return Fork{}, err
		}
		if best != nil {
			return Fork{Accepted: best.accepted, Why: "remote-tracking refs"}, nil
		}
	}
	return Fork{None: true, Why: absent + ", and what the remote has is not known"}, nil
}
