// Package engine is the facade: the four operations query, prepare, resolve and inspect over the types of package wire, for whoever
// builds on the engine from Go. Nothing else crosses it: a request that has no result ends as wire.Rejected, whose text is written
// by this project and holds no error of a library or of the machine.
//
// It promises that operations are independent of each other and may run at the same time. It does not check requests: those that come
// from outside are to be read by package schemas first.
package engine

import (
	"context"
	"errors"
	"path"
	"regexp"
	"slices"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/query"
	"github.com/git-standards/git-standards/engine/resolve"
	"github.com/git-standards/git-standards/engine/wire"
)

// Workspace is a repository that is open for one operation.
type Workspace interface {
	judge.Workspace
	Close()
}

// Engine serves one repository.
type Engine struct {
	open func(context.Context) (Workspace, error)
}

// New returns an engine that opens its repository anew for each operation: what is there may have changed.
func New(open func(context.Context) (Workspace, error)) *Engine { return &Engine{open} }

// Query looks something up in the standards and records the answer. The error is the context's alone, here and below.
func (e *Engine) Query(ctx context.Context, r wire.QueryRequest) (wire.QueryResult, error) {
	return run(ctx, e, func(r wire.Rejected) wire.QueryResult { return r }, func(w Workspace) (wire.QueryResult, error) {
		answered, err := query.Answer(ctx, w, judge.New(), r)
		if err != nil {
			return nil, err
		}
		_ = query.Keep(ctx, w, answered) // as keep does
		return *answered.Navigation, nil
	})
}

// Prepare judges the work at hand and records the state.
func (e *Engine) Prepare(ctx context.Context, r wire.PrepareRequest) (wire.PrepareResult, error) {
	return run(ctx, e, func(r wire.Rejected) wire.PrepareResult { return r }, func(w Workspace) (wire.PrepareResult, error) {
		outcome, err := judged(ctx, w, judge.New(), wire.Text(r.Accepted), r.Proposed)
		if err != nil {
			return nil, err
		}
		keep(ctx, w, outcome)
		return outcome.Result(), nil
	})
}

// judged judges the two sides of a request.
func judged(ctx context.Context, w Workspace, j *judge.Judge, accepted string, proposed wire.ProposedSide) (*judge.Outcome, error) {
	a, base, err := w.Accepted(ctx, accepted)
	if err != nil {
		return nil, err
	}
	p, err := w.Proposed(ctx, proposed)
	if err != nil {
		return nil, err
	}
	return j.Between(ctx, w, judge.Request{Accepted: a, Proposed: p, Base: base})
}

// keep records a state. That it could not be recorded is what `stored: false` says; the verdict is the same.
func keep(ctx context.Context, w Workspace, o *judge.Outcome) { _ = judge.Keep(ctx, w, o) }

// Resolve answers open questions, as the principal of the workspace: all answers are written, or none.
func (e *Engine) Resolve(ctx context.Context, r wire.ResolveRequest) (wire.ResolveResult, error) {
	return run(ctx, e, func(r wire.Rejected) wire.ResolveResult { return r }, func(w Workspace) (wire.ResolveResult, error) {
		j := judge.New()
		finder := resolve.New(w, j, wire.Text(r.Accepted), r.Proposed)
		if r.Analysis != nil {
			if err := sameState(ctx, finder, *r.Analysis); err != nil {
				return nil, err
			}
		}
		principal, err := finder.Principal(ctx)
		if err != nil {
			return nil, err
		}
		submitted, err := finder.Answers(ctx, r.Answers)
		if err != nil {
			return nil, err
		}
		planned, err := finder.Plan(ctx, submitted, principal)
		if err != nil {
			return nil, err
		}
		outcome := planned.Outcome
		if outcome.Analysis == nil { // the questions came from the store
			return nil, fault.New(fault.Invalid, "SUBMISSION.NOT_APPLICABLE", "", "no standard is in force here yet, so that nothing is asked").Hint("git standards status")
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		// What is begun is finished: answers that are written and not staged would be half a result.
		if err := w.Save(context.WithoutCancel(ctx), planned.Write, planned.Remove, r.Stage == nil || *r.Stage); err != nil {
			return nil, begun{err}
		}
		outcome.Analysis.Written = planned.Written()
		keep(ctx, w, outcome)
		return outcome.Result().(wire.ResolveResult), nil
	})
}

// sameState refuses answers that were given to a state which is another one by now.
func sameState(ctx context.Context, f *resolve.Finder, analysis string) error {
	first, err := f.First(ctx)
	if err != nil {
		return err
	}
	if first.Analysis == nil || first.Analysis.Analysis.ID != analysis {
		return fault.New(fault.Invalid, "ANALYSIS.MOVED", analysis, "the state is another one by now; nothing was written").Hint("git standards status")
	}
	return nil
}

// Inspect shows one stored object.
func (e *Engine) Inspect(ctx context.Context, r wire.InspectRequest) (wire.InspectResult, error) {
	return run(ctx, e, func(r wire.Rejected) wire.InspectResult { return r }, func(w Workspace) (wire.InspectResult, error) {
		var inspection *wire.Inspection
		err := w.View(ctx, func(repository authority.Repository) (err error) {
			inspection, _, err = judge.Inspect(ctx, repository, judge.Codecs(), r.Handle)
			return err
		})
		if err != nil {
			return nil, err
		}
		return *inspection, nil
	})
}

// begun is an error of what was begun: it is told also where the context has ended by then, since files may be there.
type begun struct{ error }

func (b begun) Unwrap() error { return b.error }

// run runs one operation on an open workspace.
func run[R any](ctx context.Context, e *Engine, rejected func(wire.Rejected) R, operation func(Workspace) (R, error)) (R, error) {
	var result R
	w, err := e.open(ctx)
	if err == nil {
		defer w.Close()
		result, err = operation(w)
	}
	switch {
	case err == nil:
		return result, nil
	case ctx.Err() != nil && !errors.As(err, new(begun)):
		var none R
		return none, ctx.Err()
	}
	return rejected(Reject(err)), nil
}

// Reject gives an error its public shape: that of an operation, or of whatever else is asked of the same repository. What libraries and
// the machine say stays outside, and so does where on the machine it was.
func Reject(err error) wire.Rejected {
	var findings *corpus.FindingsError
	if errors.As(err, &findings) {
		return judge.Reject(err)
	}
	f := fault.As(err)
	if f == nil {
		f = fault.New(fault.Unavailable, "INTERNAL.ERROR", "", "the operation failed inside the program").Hint("git standards status")
	}
	return judge.Reject(public(f))
}

// place is a path of the machine, quoted as messages and commands do, or bare.
var place = regexp.MustCompile(`"/[^"]*"|'/[^']*'|(^|[\s=])/[^\s'"]+`)

func public(f *fault.Error) *fault.Error {
	own := *f
	own.Message = place.ReplaceAllString(f.Message, "$1…")
	own.Next = slices.DeleteFunc(slices.Clone(f.Next), place.MatchString)
	own.Cause = nil
	if cause := fault.As(f.Cause); cause != nil {
		own.Cause = public(cause)
	}
	if path.IsAbs(own.Target) {
		own.Target = path.Base(own.Target)
	}
	return &own
}
