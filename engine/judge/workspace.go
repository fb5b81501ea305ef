package judge

import (
	"context"

	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/wire"
)

// Workspace is the repository at hand as the operations ask for it: which sides there are, who answers, where answers are written
// and states recorded. Errors are faults.
type Workspace interface {
	// Accepted is the side of a revision as it was typed, or where that is "" the fork point, and how it was found (RULES B2, B3);
	// a base of nil means that it was named.
	Accepted(ctx context.Context, revision string) (Side, *wire.Base, error)
	// Proposed is the side of a request (RULES B4); nil means the worktree.
	Proposed(ctx context.Context, which wire.ProposedSide) (Side, error)
	// Changes lists the paths in which two sides differ.
	Changes(ctx context.Context, accepted, proposed content.Source) ([]content.Change, error)
	// Typed is a repository path as a person writes it where they are.
	Typed(path string) string
	// Pin is a file as evidence, by the bytes that git would record for it now.
	Pin(ctx context.Context, path string) (decisionfile.Evidence, error)
	// Session is who is at the keyboard (RULES F2).
	Session(ctx context.Context) (Session, error)
	// Sign is the armored SSH signature of a message, by the key that Git signs with (RULES F3).
	Sign(ctx context.Context, message []byte) (string, error)
	// Save writes decision files, all or none, removes those they replace, and stages both unless told not to.
	Save(ctx context.Context, write map[string][]byte, remove []string, stage bool) error
	// View opens the store, where there is one, and Record the one that is made where there is none.
	View(ctx context.Context, use func(authority.Repository) error) error
	Record(ctx context.Context, use func(authority.Repository) error) error
}

// Between judges two sides of a workspace. Changes of the request, where they are known, are not listed anew.
func (j *Judge) Between(ctx context.Context, w Workspace, r Request) (*Outcome, error) {
	r.Typed, r.Session = w.Typed, w.Session
	if r.Changes == nil {
		changes, err := w.Changes(ctx, r.Accepted.Source, r.Proposed.Source)
		if err != nil {
			return nil, err
		}
		r.Changes = changes
	}
	return j.Prepare(ctx, r)
}

// Keep records the state of an outcome. The store is a record, never an input (DESIGN 4): an error changes nothing but `stored`,
// and is for a person to know.
func Keep(ctx context.Context, w Workspace, o *Outcome) error {
	if o.Analysis == nil {
		return nil
	}
	return w.Record(ctx, func(repository authority.Repository) error { return Record(ctx, repository, o) })
}
