package analysis

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/identity"
)

// asker turns a comparison into questions. It reads the consumers of asked questions and nothing else.
type asker struct {
	Input
	*comparison
	before, after *graph.Files
	questions     []*Question
	notices       []Notice
}

// asks reports whether a module's level asks at all (RULES C15). The gate is the accepted side's (RULES B1).
func (a *asker) asks(m *corpus.Module) bool {
	return m.Level != corpus.ReferenceLevel && slices.Contains(a.Accepted.Manifest.Gate.Block, m.Level)
}

// ask collects the questions of all rows, in the order of RULES C.
func (a *asker) ask(ctx context.Context) error {
	edges := a.edgesToWalk()
	var err error
	if a.before, err = graph.Resolve(ctx, a.AcceptedSource, edges); err != nil {
		return err
	}
	if a.after, err = graph.Resolve(ctx, a.ProposedSource, edges); err != nil {
		return err
	}
	if err := a.checkNewEdges(); err != nil {
		return err
	}
	var reviews []review
	for _, change := range a.units {
		if !a.asks(change.new.Module) {
			continue
		}
		switch {
		case change.old == nil:
			reviews = append(reviews, a.reviews(change, UnitAdded)...)
			a.noticeRequirers(change.new)
		case change.old.Revision != change.new.Revision:
			reviews = append(reviews, a.reviews(change, UnitChanged)...)
		default:
			if err := a.askSameRevision(change); err != nil {
				return err
			}
		}
	}
	for _, m := range a.outside {
		if a.asks(m) {
			if err := a.askUnmapped(m); err != nil {
				return err
			}
		}
	}
	if err := a.askReviews(ctx, reviews); err != nil {
		return err
	}
	a.questions = sortQuestions(a.questions)
	return nil
}

// edgesToWalk are the edges of the units that ask their consumers, of both sides, and the new ones.
func (a *asker) edgesToWalk() []graph.Edge {
	changed := map[string]bool{}
	for _, change := range a.units {
		changed[change.new.ID] = change.old == nil || change.old.Revision != change.new.Revision
	}
	edges := slices.Clone(a.newEdges)
	for name, edge := range a.proposedBy {
		if _, known := a.acceptedBy[name]; known && changed[edge.Unit] {
			edges = append(edges, edge)
		}
	}
	return edges
}

// checkNewEdges refuses a new edge that leads nowhere: only writing a wrong reference is refused (RULES A7).
func (a *asker) checkNewEdges() error {
	var findings []authored.Finding
	for _, edge := range a.newEdges {
		findings = append(findings, leadsNowhere(edge, a.after, authored.SeverityError)...)
	}
	if len(findings) > 0 {
		return &corpus.FindingsError{Findings: findings}
	}
	return nil
}

func leadsNowhere(edge graph.Edge, files *graph.Files, severity string) []authored.Finding {
	if edge.Module != "" {
		return nil
	}
	paths := files.Paths(edge)
	if edge.Path != "" {
		if _, ok := files.File(edge.Path); ok {
			return nil
		}
	} else if len(paths) > 0 {
		return nil
	}
	what, next := fmt.Sprintf("no file stands at the path %q", edge.Path), "write the file, or mend the path"
	if edge.Glob != "" {
		what, next = fmt.Sprintf("no file matches the glob %q", edge.Glob), "write a file that matches, or mend the glob"
	}
	return []authored.Finding{{
		Code: "CONSUMER.ABSENT", Severity: severity, File: edge.Owner.File, Line: edge.Line,
		Message: fmt.Sprintf("%s, which consumes unit %q", what, edge.Unit), Next: next,
	}}
}

// review is one consumer of a changed unit: a path, or the module itself.
type review struct {
	change unitChange
	reason string
	edge   graph.Edge
	path   string
	module *corpus.Module
}

// reviews walks the edges of one unit over both sides (RULES C1, C4).
func (a *asker) reviews(change unitChange, reason string) []review {
	var list []review
	for _, edge := range a.edgesOf[change.new.ID] {
		if edge.Module != "" {
			list = append(list, review{change, reason, edge, "", a.Proposed.Module(edge.Module)})
			continue
		}
		paths := a.after.Paths(edge)
		if _, known := a.acceptedBy[edge.Name]; known {
			paths = append(paths, a.before.Paths(edge)...)
		}
		slices.SortFunc(paths, content.ComparePaths)
		for _, path := range slices.Compact(paths) {
			list = append(list, review{change, reason, edge, path, nil})
		}
	}
	return list
}

// askReviews asks one consumer-review per consumer. The files are read in two calls, one for each side.
func (a *asker) askReviews(ctx context.Context, reviews []review) error {
	var now, before []content.Entry
	seen := map[string]bool{}
	for _, r := range reviews {
		if r.module != nil || seen[r.path] {
			continue
		}
		seen[r.path] = true
		if err := content.CheckPath(r.path); err != nil {
			return fault.New(fault.Unsupported, "CONTENT.PATH", r.path, "this consumer of unit %q cannot be recorded by its name", r.change.new.ID).Because(err).Hint("rename the file")
		}
		entry, here := a.after.File(r.path)
		if here {
			now = append(now, entry)
		}
		if old, was := a.before.File(r.path); was && here && (old.Object == "" || old.Object != entry.Object) {
			before = append(before, old)
		}
	}
	nowBytes, err := readAll(ctx, a.ProposedSource, now)
	if err != nil {
		return err
	}
	oldBytes, err := readAll(ctx, a.AcceptedSource, before)
	if err != nil {
		return err
	}
	for _, r := range reviews {
		q, err := a.reviewQuestion(r, nowBytes, oldBytes)
		if err != nil {
			return err
		}
		a.questions = append(a.questions, q)
	}
	return nil
}

func readAll(ctx context.Context, source content.Source, entries []content.Entry) (map[string][]byte, error) {
	data, err := source.Read(ctx, entries...)
	if err != nil {
		return nil, err
	}
	byName := make(map[string][]byte, len(entries))
	for i, entry := range entries {
		byName[entry.Name] = data[i]
	}
	return byName, nil
}

func (a *asker) reviewQuestion(r review, now, before map[string][]byte) (*Question, error) {
	q := a.about(r.change, ConsumerReview, r.reason)
	state := Absent
	target := identity.Record{"path": r.path}
	q.Consumer = r.path
	if r.module != nil {
		target, q.Consumer = identity.Record{"module": r.module.ID}, r.module.ID
		var err error
		if state, err = moduleState(r.module); err != nil {
			return nil, err
		}
		was := Absent
		if old := a.Accepted.Module(r.module.ID); old != nil {
			if was, err = moduleState(old); err != nil {
				return nil, err
			}
		}
		q.Updatable = was != state
	} else if data, here := now[r.path]; here {
		state = identity.Bytes(data)
		node, err := content.FileNode(r.path, data)
		if err != nil {
			return nil, err
		}
		q.parts = []authority.Node{node}
		old, readBefore := before[r.path]
		_, was := a.before.File(r.path)
		q.Updatable = !was || readBefore && identity.Bytes(old) != state
	} else if _, was := a.before.File(r.path); was {
		q.Updatable = true // the file is gone: its bytes differ
	}
	q.Record = consumerRecord(r.change.new, r.edge.Relation, target, state)
	return q, q.seal()
}

func (q *Question) seal() (err error) {
	q.ID, err = QuestionCodec.ID(q.Record)
	return err
}

func (a *asker) about(change unitChange, kind, reason string) *Question {
	q := &Question{
		Kind: kind, Reason: reason, Module: change.new.Module.ID, Unit: change.new.ID,
		File: change.new.Module.File, Line: change.new.TextLine, Now: change.new.Revision,
	}
	if change.old != nil {
		q.Was = change.old.Revision
	}
	return q
}

func (a *asker) askSameRevision(change unitChange) error {
	q := a.about(change, ImpactReview, SameRevision)
	q.Record = sameRevisionRecord(change.new)
	a.questions = append(a.questions, q)
	return q.seal()
}

func (a *asker) askUnmapped(m *corpus.Module) error {
	q := &Question{Kind: ImpactReview, Reason: UnmappedText, Module: m.ID, File: m.File, Line: m.Line, Record: unmappedRecord(m)}
	a.questions = append(a.questions, q)
	return q.seal()
}

// noticeRequirers tells the modules that require the module of a new unit (RULES C4).
func (a *asker) noticeRequirers(unit *corpus.Unit) {
	for _, m := range a.Proposed.Modules {
		if slices.Contains(m.Requires, unit.Module.ID) {
			a.notices = append(a.notices, Notice{
				Code:    "REQUIRES.UNIT_ADDED",
				Target:  fmt.Sprintf("%s:%d", m.File, m.Line),
				Message: fmt.Sprintf("module %q requires %q, which has the new unit %q", m.ID, unit.Module.ID, unit.ID),
			})
		}
	}
}

// refuseDeletions refuses, until a version asks for them, deletions of consumers (RULES C12, C13): the path of an edge, or
// the last file that a glob matches. That the unit changed as well is no excuse: C13 could carry the edge elsewhere.
func (a *asker) refuseDeletions(ctx context.Context) error {
	gone := map[string]bool{}
	for _, change := range a.Changes {
		if change.Old != nil && change.Old.Kind == content.Regular && (change.New == nil || change.New.Kind != content.Regular) {
			gone[change.Name] = true
		}
	}
	if len(gone) == 0 {
		return nil
	}
	var suspects []graph.Edge
	for _, edge := range a.oldEdges {
		if now, kept := a.proposedBy[edge.Name]; kept && a.asks(a.Proposed.Unit(edge.Unit).Module) && (gone[edge.Path] || a.matchesGone(edge, gone)) {
			suspects = append(suspects, now)
		}
	}
	files, err := graph.Resolve(ctx, a.ProposedSource, suspects)
	if err != nil {
		return err
	}
	for _, edge := range suspects {
		if len(leadsNowhere(edge, files, authored.SeverityError)) > 0 {
			a.refuse("CONSUMER_DELETED", "C12", edge.Owner.File, edge.Line, "%q, a consumer of unit %q, is deleted or renamed", edge.Describe(), edge.Unit)
		}
	}
	return nil
}

func (a *asker) matchesGone(edge graph.Edge, gone map[string]bool) bool {
	if edge.Glob == "" {
		return false
	}
	glob, err := authored.ParseGlob(edge.Glob)
	if err != nil {
		return false // a finding of the accepted side
	}
	for name := range gone {
		if !corpus.IsDecision(name) && glob.Match(name) {
			return true
		}
	}
	return false
}
