// Package judge compiles both sides of a change, judges them, records the state and gives the public result. It takes sides as
// ports and returns values; it starts no process, reads no clock and knows no path of the machine. Which sides, it does not choose.
package judge

import (
	"context"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/analysis/ask"
	"github.com/git-standards/git-standards/engine/analysis/compare"
	"github.com/git-standards/git-standards/engine/analysis/coverage"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/state"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/publish"
	"github.com/git-standards/git-standards/engine/trust"
	"github.com/git-standards/git-standards/engine/wire"
)

// Codecs is the composition of the owners' codec sets.
func Codecs() authority.Codecs {
	return authority.Compose(state.Codecs(), authority.CodecSet(), coverage.Codecs(), trust.Codecs(), corpus.Codecs(), content.Codecs(), publish.Codecs())
}

// Judge judges. Its compiler remembers modules by Git object, so one Judge serves one repository.
type Judge struct {
	compiler *corpus.Compiler
}

// New returns a judge without memory.
func New() *Judge { return &Judge{compiler: corpus.NewCompiler()} }

// Remember makes the judge look in a cache for modules that an earlier command of the program named recipe has compiled. See
// corpus.Cache for what may be given one.
func (j *Judge) Remember(cache corpus.Cache, recipe string) { j.compiler.Remember(cache, recipe) }

// Side is one side of a request: where it came from, and its files. Info.Snapshot is filled in by the judge. Corpus is what this judge has
// compiled of the files, where it has; nil has it compile them.
type Side struct {
	Info   wire.Side
	Source content.Source
	Corpus *corpus.Corpus
}

// Request is one pair of sides to judge. Base and Landed are repeated in the result; Notices are added to it.
type Request struct {
	Accepted, Proposed Side
	Changes            []content.Change
	Base               *wire.Base
	Landed             *wire.Landed
	Notices            []wire.Notice
	Typed              func(path string) string                   // how a person writes a path where they are; nil means from the top
	Session            func(ctx context.Context) (Session, error) // who it is shown to; nil is nobody that authority.yaml lists
}

// Outcome is a judged request: exactly one of Analysis and Adoption is set. Verdict belongs to Analysis, which stands for
// complete as well until Result gives it: the two have the same keys.
type Outcome struct {
	Analysis *wire.Pending
	Adoption *wire.Adoption
	Verdict  *analysis.Verdict

	request        Request
	viewer         viewer
	notIndependent bool
}

// Drop leaves out notices of the verdict that need not be said where it was asked for.
func (o *Outcome) Drop(unneeded func(ask.Notice) bool) {
	o.Verdict.Notices = slices.DeleteFunc(o.Verdict.Notices, unneeded)
	o.Analysis.Notices = notices(o.Verdict, o.request)
}

// CheckAuthors refuses to let the change land where those who wrote it are needed among the attesters of its coverage (RULES F5). The
// verdict and its handle stay: authors are in no tree.
func (o *Outcome) CheckAuthors(commits []analysis.Written) error {
	found, err := o.Verdict.NotIndependent(commits)
	if err != nil || len(found) == 0 {
		return err
	}
	o.notIndependent = true
	o.Verdict.Notices = append(o.Verdict.Notices, found...)
	o.Analysis.Notices, o.Analysis.Result = notices(o.Verdict, o.request), "pending"
	return nil
}

// NotIndependent reports what CheckAuthors found.
func (o *Outcome) NotIndependent() bool { return o.notIndependent }

// Result is the public result.
func (o *Outcome) Result() wire.PrepareResult {
	switch {
	case o.Adoption != nil:
		return *o.Adoption
	case o.Analysis.Result == "complete":
		return wire.Complete(*o.Analysis)
	}
	return *o.Analysis
}

// PolicyOf is who may answer where a side is the accepted one.
func (j *Judge) PolicyOf(ctx context.Context, accepted content.Source) (*trust.Policy, error) {
	c, err := j.compiler.Compile(ctx, accepted)
	if err != nil {
		return nil, err
	}
	return analysis.PolicyOf(c)
}

// Compile compiles one side for reading. What is wrong with its text ends as *corpus.FindingsError.
func (j *Judge) Compile(ctx context.Context, source content.Source) (*corpus.Corpus, error) {
	c, err := j.compiler.Compile(ctx, source)
	if err != nil {
		return nil, err
	}
	if corpus.HasErrors(c.Findings) {
		return nil, &corpus.FindingsError{Findings: c.Findings}
	}
	if c.Manifest == nil {
		return nil, noStandards()
	}
	return c, nil
}

// Corpus compiles one side, whatever is wrong with its text.
func (j *Judge) Corpus(ctx context.Context, source content.Source) (*corpus.Corpus, error) {
	return j.compiler.Compile(ctx, source)
}

func noStandards() error {
	return fault.New(fault.Invalid, "MANIFEST.MISSING", corpus.ManifestPath, "there are no standards here yet").Hint("git standards init")
}

// Prepare judges a request. The state is not recorded yet: see Record. A request that has no result ends as a fault or as
// *corpus.FindingsError; Reject gives both their public shape.
func (j *Judge) Prepare(ctx context.Context, r Request) (*Outcome, error) {
	accepted, err := j.side(ctx, r.Accepted)
	if err != nil {
		return nil, err
	}
	proposed, err := j.side(ctx, r.Proposed)
	if err != nil {
		return nil, err
	}
	r.Accepted.Info.Snapshot, r.Proposed.Info.Snapshot = Snapshot(accepted), Snapshot(proposed)
	// A manifest that is there and no file is no adoption: it would let whatever follows it pass unasked.
	if accepted.Manifest == nil && !corpus.HasErrors(accepted.Findings) {
		return adopt(ctx, r, proposed)
	}
	verdict, err := analysis.Judge(ctx, ask.Sides{
		Accepted: accepted, Proposed: proposed,
		AcceptedSource: r.Accepted.Source, ProposedSource: r.Proposed.Source,
		Changes: r.Changes,
	})
	if err != nil {
		return nil, err
	}
	viewer, err := r.viewer(ctx, verdict)
	if err != nil {
		return nil, err
	}
	return &Outcome{Analysis: render(r, verdict, viewer), Verdict: verdict, request: r, viewer: viewer}, nil
}

func (j *Judge) side(ctx context.Context, s Side) (*corpus.Corpus, error) {
	if s.Corpus != nil {
		return s.Corpus, nil
	}
	return j.compiler.Compile(ctx, s.Source)
}

// Snapshot is the handle of a side's standards; nil where it has none.
func Snapshot(c *corpus.Corpus) *wire.SnapshotHandle {
	if c.Snapshot.ID == "" {
		return nil
	}
	handle := wire.SnapshotHandle(wire.NewHandle(c.Snapshot.ID))
	return &handle
}

// adopt is the result where no standard is in force on the accepted side (RULES B6).
func adopt(ctx context.Context, r Request, proposed *corpus.Corpus) (*Outcome, error) {
	if proposed.Manifest == nil {
		if corpus.HasErrors(proposed.Findings) {
			return nil, &corpus.FindingsError{Findings: proposed.Findings}
		}
		return nil, noStandards()
	}
	if err := analysis.CheckAdoption(ctx, proposed, r.Proposed.Source); err != nil {
		return nil, err
	}
	return &Outcome{Adoption: &wire.Adoption{
		SchemaVersion: wire.SchemaVersion,
		Result:        "adoption",
		Accepted:      r.Accepted.Info,
		Proposed:      r.Proposed.Info,
		Base:          r.Base,
		Modules:       len(proposed.Modules),
		Units:         len(proposed.Units()),
		Consumers:     proposed.Consumers(),
		Notices:       append(Warnings(proposed.Findings), r.Notices...),
		Landed:        r.Landed,
	}}, nil
}

// Record stores the state of an outcome and everything under it, and marks the result as stored. An adoption has no
// state. The store is a record, never an input: a failure changes nothing but `stored` (DESIGN 4).
func Record(ctx context.Context, repository authority.Repository, o *Outcome) error {
	if o.Analysis == nil {
		return nil
	}
	if err := repository.Put(ctx, slices.Concat([]authority.Node{o.Verdict.Root}, o.Verdict.Evidence, o.Verdict.Horizons, o.Verdict.Certificates)...); err != nil {
		return err
	}
	o.Analysis.Stored = true
	return nil
}

// Lint compiles one side, and says what is wrong in it, in its decision files and in what it changes of the accepted side: what is no finding of
// either alone, such as a unit removed without a word (RULES C5). The edges of the accepted side are not new in this range
// (RULES A7); where that is nil, all are.
func (j *Judge) Lint(ctx context.Context, source content.Source, accepted content.Source) (*wire.Lint, error) {
	c, err := j.compiler.Compile(ctx, source)
	if err != nil {
		return nil, err
	}
	if c.Manifest == nil && len(c.Findings) == 0 {
		return nil, noStandards()
	}
	isNew := func(graph.Edge) bool { return true }
	var changed []reading.Finding
	if accepted != nil {
		old, err := j.compiler.Compile(ctx, accepted)
		if err != nil {
			return nil, err
		}
		if old.Manifest != nil && !corpus.HasErrors(c.Findings) {
			changed = compare.Corpora(old, c).Findings
		}
		if isNew, err = graph.NewEdges(ctx, old, c, accepted, source); err != nil {
			return nil, err
		}
	}
	dangling, err := graph.Dangling(ctx, c, source, func(edge graph.Edge) string {
		if isNew(edge) {
			return reading.SeverityError
		}
		return reading.SeverityWarning
	})
	if err != nil {
		return nil, err
	}
	answers, err := decision.Findings(ctx, source)
	if err != nil {
		return nil, err
	}
	return &wire.Lint{
		SchemaVersion: wire.SchemaVersion,
		Result:        "lint",
		Modules:       len(c.Modules),
		Units:         len(c.Units()),
		Ignored:       c.Ignored,
		Findings:      findings(slices.Concat(c.Findings, changed, dangling, answers)),
	}, nil
}
