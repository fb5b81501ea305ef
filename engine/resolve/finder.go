// Package resolve finds the questions that answers are for, and plans how the answers are written: what `git standards resolve` and
// the facade have in common (RULES H1, E2, E9, G2). It writes nothing.
package resolve

import (
	"context"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/trust"
	"github.com/git-standards/git-standards/engine/wire"
)

// Finder looks questions up in the worktree, then the index, then HEAD, against one accepted side, or in the one place that a request
// names; at last among the questions of the store (RULES H1).
type Finder struct {
	workspace judge.Workspace
	judge     *judge.Judge
	accepted  string
	proposed  wire.ProposedSide

	// Sign says that every answer is signed, also where none need be.
	Sign bool

	policy   *trust.Policy
	base     *judge.Request // with the accepted side alone, once it is found
	judged   []place
	unjudged *judge.Request // the first place, where it could not be judged
	failed   error
	tried    int
}

type place struct {
	request judge.Request
	outcome *judge.Outcome
}

// New returns a finder; accepted "" is the fork point, proposed nil all three places.
func New(w judge.Workspace, j *judge.Judge, accepted string, proposed wire.ProposedSide) *Finder {
	return &Finder{workspace: w, judge: j, accepted: accepted, proposed: proposed}
}

// places are looked at one after the other where none is named.
var places = []wire.ProposedSide{
	wire.WorktreeSource{Source: "worktree"}, wire.IndexSource{Source: "index"}, wire.CommitSource{Source: "commit", Revision: "HEAD"},
}

// against is a request with the accepted side that every place is judged against.
func (f *Finder) against(ctx context.Context) (judge.Request, error) {
	if f.base == nil {
		side, base, err := f.workspace.Accepted(ctx, f.accepted)
		if err != nil {
			return judge.Request{}, err
		}
		f.base = &judge.Request{Accepted: side, Base: base}
	}
	return *f.base, nil
}

// more judges the next place; false when there is none.
func (f *Finder) more(ctx context.Context) (bool, error) {
	request, err := f.against(ctx)
	if err != nil {
		return false, err
	}
	all := places
	if f.proposed != nil {
		all = []wire.ProposedSide{f.proposed}
	}
	if f.tried == len(all) {
		return false, nil
	}
	side, err := f.workspace.Proposed(ctx, all[f.tried])
	f.tried++
	if err != nil && f.proposed != nil {
		return false, err // a place that was named and is none holds no question
	}
	if err == nil {
		request.Proposed = side
		if request.Changes, err = f.workspace.Changes(ctx, request.Accepted.Source, side.Source); err == nil {
			var outcome *judge.Outcome
			if outcome, err = f.judge.Between(ctx, f.workspace, request); err == nil {
				f.judged = append(f.judged, place{request, outcome})
				return true, nil
			}
		}
	}
	// A place that cannot be judged is passed over: another may hold the question. Its error is said when none does.
	if f.failed == nil {
		f.failed = err
	}
	if f.tried == 1 && request.Changes != nil {
		f.unjudged = &request
	}
	return true, nil
}

// First is the outcome of the first place, or the error for which it has none.
func (f *Finder) First(ctx context.Context) (*judge.Outcome, error) {
	for len(f.judged) == 0 {
		more, err := f.more(ctx)
		if err != nil {
			return nil, err
		}
		if f.failed != nil || !more {
			return nil, f.failed
		}
	}
	return f.judged[0].outcome, nil
}

func (f *Finder) find(ctx context.Context, word string) (*question.Question, error) {
	for i := 0; ; i++ {
		for i >= len(f.judged) {
			more, err := f.more(ctx)
			if err != nil {
				return nil, err
			}
			if !more {
				return f.findStored(ctx, word)
			}
		}
		if v := f.judged[i].outcome.Verdict; v != nil {
			q, err := judge.FindQuestion(word, v.Asked)
			if q != nil || err != nil {
				return q, err
			}
		}
	}
}

// findStored finds a question that a refused hook recorded for a tree that is nowhere now.
func (f *Finder) findStored(ctx context.Context, word string) (*question.Question, error) {
	if f.failed != nil && judge.Reject(f.failed).Outcome == string(fault.Unavailable) {
		return nil, f.failed // it cannot be told whether the question is asked
	}
	notAsked := fault.New(fault.Invalid, "QUESTION.NOT_ASKED", word, "no such question is asked here").Hint("git standards status")
	if f.failed != nil {
		notAsked = notAsked.Because(f.failed)
	}
	var q *question.Question
	err := f.workspace.View(ctx, func(repository authority.Repository) error {
		name := word
		if !strings.Contains(word, ":") {
			name = question.Codec.Kind + ":" + word
		}
		codecs := judge.Codecs()
		id, err := judge.Expand(ctx, repository, codecs, name)
		if err != nil {
			return err
		}
		text, err := repository.Get(ctx, id)
		if err != nil {
			return err
		}
		envelope, err := codecs.Open(id, text)
		if err != nil {
			return err
		}
		record, ok := envelope.Payload.(identity.Record)
		if !ok || envelope.Kind != question.Codec.Kind {
			return fault.New(fault.Invalid, "HANDLE.KIND", word, "%s is no question", id).Hint("git standards status")
		}
		q = question.Stored(id, record)
		q.Contract = f.contractOf(record)
		return nil
	})
	switch f := fault.As(err); {
	case fault.Is(err, "STORE.MISSING"), fault.Is(err, "HANDLE.UNKNOWN"):
		return nil, notAsked
	case f != nil && strings.HasPrefix(f.Code, "STORE."):
		return nil, notAsked.Because(err) // the store is a record, never an input (DESIGN 4)
	}
	return q, err
}

// contractOf is the contract that a stored question of fact names, where a side that was judged declares it so still.
func (f *Finder) contractOf(record identity.Record) *facts.Contract {
	id, _ := record["fact"].(string)
	for _, p := range f.judged {
		if p.outcome.Verdict == nil {
			continue
		}
		for _, side := range sides(p.outcome) {
			if contract, ok := side.Schema().Find(id); ok && contract.Digest() == record["contract"] {
				return &contract
			}
		}
	}
	return nil
}

// asked is what the judged places ask, so that an answer to it is not taken for superseded.
func (f *Finder) asked() map[string]bool {
	all := map[string]bool{}
	for _, p := range f.judged {
		if p.outcome.Verdict != nil {
			for id := range p.outcome.Verdict.AskedSet() {
				all[id] = true
			}
		}
	}
	return all
}

// overlaid is a request with files written and removed on its proposed side.
func overlaid(request judge.Request, write map[string][]byte, remove []string) judge.Request {
	request.Proposed.Source = content.Overlay(request.Proposed.Source, write, remove)
	request.Changes = slices.DeleteFunc(slices.Clone(request.Changes), func(c content.Change) bool {
		return write[c.Name] != nil || slices.Contains(remove, c.Name)
	})
	for name := range write {
		request.Changes = append(request.Changes, content.Change{Name: name, New: &content.Entry{Name: name}})
	}
	return request
}

// sides are the corpora of a verdict in which a name may be known, the proposed one first.
func sides(o *judge.Outcome) []*corpus.Corpus {
	return []*corpus.Corpus{o.Verdict.Proposed, o.Verdict.Accepted}
}
