package analysis

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/compare"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/identity"
)

// asker turns a comparison into questions. It reads the consumers of asked questions, and what may be a watched file in a new
// place, and nothing else.
type asker struct {
	Input
	*compare.Comparison
	*graph.Patterns
	before, after *graph.Files
	gone          map[string]content.Entry
	goneNames     *paths
	moved         map[string]string // watched path that is gone → where its bytes stand now
	movedTo       map[string]string // the other way round
	carries       map[string]*carry // by edge name
	replaced      []graph.Edge      // dropped edges for which another one stands
	uncarried     int
	questions     []*question.Question
	derivable     []*question.Question // beside them: what would be asked with every edge followed and every `when` true (RULES E6)
	changed       []review             // of consumers that may have changed alone (RULES C9)
	candidates    []candidate
	notices       []Notice

	contracts  *facts.Schema
	conditions map[string]*condition         // by edge name
	facts      map[string]*question.Question // of all that a condition names, by fact
	// refusedFacts is the facts that no question can be made of, with why. That counts only where one is asked.
	refusedFacts map[string]error
	known        facts.Values // of the change
	hanging      map[string][]*question.Question
	settled
}

// ask collects what may be asked by all rows, in the order of RULES C, or what is wrong in the change. Which of the reviews and facts
// are asked, settleFacts says.
func (a *asker) ask(ctx context.Context) (err error) {
	a.contracts, a.conditions = judgedBy(a.Accepted, a.Proposed), map[string]*condition{}
	if err := a.look(ctx); err != nil {
		return err
	}
	a.declareDropped()
	a.checkNewEdges()
	if len(a.Findings) > 0 {
		return &corpus.FindingsError{Findings: append(a.Findings, a.Proposed.Findings...)}
	}
	var reviews []review
	for _, change := range a.Units {
		if !a.AsksAbout(change) {
			continue
		}
		if change.Reviews() {
			reviews = append(reviews, a.reviewsOf(change)...)
		} else if err := a.askSameRevision(change); err != nil {
			return err
		}
		if err := a.askCoverage(change); err != nil {
			return err
		}
		if change.Old == nil {
			a.noticeRequirers(change.New)
		}
	}
	reviews = append(reviews, a.reviewsOfAdded()...)
	reviews = append(reviews, a.reviewsOfChanged()...)
	deleted, dormant := a.reviewsOfDeleted()
	for _, m := range a.Outside {
		if err := a.askUnmapped(m); err != nil {
			return err
		}
	}
	for _, d := range a.Declared {
		if err := a.askDeclaration(d); err != nil {
			return err
		}
	}
	if err := a.askRepairs(ctx); err != nil {
		return err
	}
	if a.candidates, err = a.readReviews(ctx, append(reviews, deleted...)); err != nil {
		return err
	}
	carried, err := a.readReviews(ctx, dormant)
	if err != nil {
		return err
	}
	for _, c := range carried {
		if c.question != nil {
			a.put(c.question, false)
		}
	}
	return a.makeFacts(ctx)
}

// all is every question that could be asked, whatever is answered.
func (a *asker) all() []*question.Question {
	all := slices.Concat(a.questions, a.derivable)
	for _, c := range a.candidates {
		if c.question != nil {
			all = append(all, c.question)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(a.facts)) {
		all = append(all, a.facts[id])
	}
	return all
}

// look lists where the edges lead that may matter, and finds what moved.
func (a *asker) look(ctx context.Context) error {
	a.gone, a.carries = findGone(a.Changes), map[string]*carry{}
	a.movedTo = map[string]string{}
	a.goneNames = newPaths(slices.Collect(maps.Keys(a.gone)))
	edges := slices.Clone(a.Edges.Added)
	a.findChanged()
	for _, r := range a.changed {
		if r.module == "" {
			edges = append(edges, toPath(r.path))
		}
	}
	for _, change := range a.Units {
		if change.Reviews() {
			edges = append(edges, a.Edges.ByUnit[change.ID()]...)
		}
	}
	var watched []string
	if len(a.gone) > 0 {
		for _, edge := range slices.Concat(a.Edges.Kept, a.Edges.Dropped) {
			if names := a.goneBelow(edge); len(names) > 0 {
				watched = append(watched, names...)
				edges = append(edges, edge)
			}
		}
	}
	var err error
	if a.before, err = graph.Resolve(ctx, a.AcceptedSource, edges); err != nil {
		return err
	}
	if a.after, err = graph.Resolve(ctx, a.ProposedSource, edges); err != nil {
		return err
	}
	slices.Sort(watched)
	if err := a.findMoves(ctx, slices.Compact(watched)); err != nil {
		return err
	}
	return a.lookAtMoves(ctx, edges)
}

// checkNewEdges refuses a new edge that leads nowhere: only writing a wrong reference is refused (RULES A7). Where the row named
// another file before, and that is deleted, the person deleted what the row watched, who is asked about the row that is gone and
// told about this one.
func (a *asker) checkNewEdges() {
	a.Edges.Added = slices.DeleteFunc(a.Edges.Added, func(edge graph.Edge) bool {
		f, nowhere := a.after.Nowhere(edge, authored.SeverityError)
		if !nowhere {
			return false
		}
		if !a.followsDeleted(edge) {
			a.Findings = append(a.Findings, f)
			return false
		}
		a.notices = append(a.notices, Notice{Code: f.Code, Target: fmt.Sprintf("%s:%d", f.File, f.Line), Message: f.Message})
		return true // nothing is there to ask about
	})
}

// followsDeleted reports that an edge of the same unit and relation is dropped whose consumers are all deleted, none moved: a file
// that was moved with its row (`git standards mv`) and deleted later in the same range looks so.
func (a *asker) followsDeleted(edge graph.Edge) bool {
	return slices.ContainsFunc(a.Edges.Dropped, func(old graph.Edge) bool {
		if old.Kin() != edge.Kin() || old.Module != "" {
			return false
		}
		gone := a.goneBelow(old)
		return len(gone) > 0 && len(gone) == len(a.before.Paths(old)) &&
			!slices.ContainsFunc(gone, func(path string) bool { _, moved := a.moved[path]; return moved })
	})
}

func (a *asker) about(change compare.UnitChange, kind, reason string) *question.Question {
	q := &question.Question{Kind: kind, Reason: reason, Unit: change.ID()}
	if old := change.Old; old != nil {
		q.Was, q.Module, q.File, q.Line = old.Revision, old.Module.ID, old.Module.File, 1
		if m := a.Proposed.Module(old.Module.ID); m != nil {
			q.File, q.Line = m.File, m.LineOf("tombstones")
		}
	}
	if now := change.New; now != nil {
		q.Now, q.Module, q.File, q.Line = now.Revision, now.Module.ID, now.Module.File, now.TextLine
		q.Parts = []authority.Node{corpus.StructureNode(now.Structure, now.Text.Normal)}
	}
	return q
}

func (a *asker) askSameRevision(change compare.UnitChange) error {
	q := a.about(change, question.ImpactReview, question.SameRevision)
	q.Record = question.SameRevisionRecord(change.New)
	a.questions = append(a.questions, q)
	return q.Seal()
}

func (a *asker) askUnmapped(m *corpus.Module) error {
	q := &question.Question{
		Kind: question.ImpactReview, Reason: question.UnmappedText, Module: m.ID, File: m.File, Line: m.Line,
		Record: question.UnmappedRecord(m), Parts: []authority.Node{corpus.StructureNode(m.Outside, m.Module.Outside.Normal)},
	}
	a.questions = append(a.questions, q)
	return q.Seal()
}

func (a *asker) askDeclaration(d compare.Declaration) error {
	q := &question.Question{
		Kind: question.ImpactReview, Reason: question.DeclarationChanged, Module: d.Module, Unit: d.Unit, Declaration: d.Name,
		File: d.File, Line: d.Line, Record: question.DeclarationRecord(d.Name, d.Old, d.New),
	}
	a.questions = append(a.questions, q)
	return q.Seal()
}

// askRepairs asks about each file that cannot be read on the accepted side (RULES B7).
func (a *asker) askRepairs(ctx context.Context) error {
	for _, u := range a.Repairs {
		data, here, err := content.ReadFile(ctx, a.ProposedSource, u.File)
		if err != nil {
			return err
		}
		now := question.Absent
		if here {
			now = identity.Bytes(data)
		}
		q := &question.Question{
			Kind: question.ImpactReview, Reason: question.BaseInvalid, Declaration: u.File, File: u.File, Line: 1,
			Record: question.RepairRecord(u, now),
		}
		if m := a.Proposed.Module(u.Module); m != nil {
			q.Module = m.ID
		}
		a.questions = append(a.questions, q)
		if err := q.Seal(); err != nil {
			return err
		}
	}
	return nil
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
