package ask

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/compare"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/identity"
)

func (a *Asker) about(change compare.UnitChange, kind, reason string) *question.Question {
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

func (a *Asker) askSameRevision(change compare.UnitChange) error {
	q := a.about(change, question.ImpactReview, question.SameRevision)
	q.Record = question.SameRevisionRecord(change.New)
	a.questions = append(a.questions, q)
	return q.Seal()
}

func (a *Asker) askUnmapped(m *corpus.Module) error {
	q := &question.Question{
		Kind: question.ImpactReview, Reason: question.UnmappedText, Module: m.ID, File: m.File, Line: m.Line,
		Record: question.UnmappedRecord(m), Parts: []authority.Node{corpus.StructureNode(m.Outside, m.Module.Outside.Normal)},
	}
	a.questions = append(a.questions, q)
	return q.Seal()
}

func (a *Asker) askDeclaration(d compare.Declaration) error {
	q := &question.Question{
		Kind: question.ImpactReview, Reason: question.DeclarationChanged, Module: d.Module, Unit: d.Unit, Declaration: d.Name,
		File: d.File, Line: d.Line, Record: question.DeclarationRecord(d.Name, d.Old, d.New),
	}
	a.questions = append(a.questions, q)
	return q.Seal()
}

// askRepairs asks about each file that cannot be read on the accepted side (RULES B7).
func (a *Asker) askRepairs(ctx context.Context) error {
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
func (a *Asker) noticeRequirers(unit *corpus.Unit) {
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

// askCoverage asks whether everything that could consume a changed unit has been looked at, where the accepted side declares a horizon
// (RULES C11, B1). One that only the proposed side declares asks from the next change on.
func (a *Asker) askCoverage(change compare.UnitChange) error {
	if a.Accepted.Manifest.Horizon == nil {
		return nil
	}
	q := a.about(change, question.Coverage, question.InHorizon)
	q.Record = question.CoverageRecord(change.ID(), change.New, authored.Relations())
	a.questions = append(a.questions, q)
	return q.Seal()
}
