package query

import (
	"github.com/git-standards/git-standards/engine/authored/front"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/wire"
)

func (q *query) read(r wire.ReadQuery) (wire.NavigationAnswer, any, error) {
	answer := wire.ReadAnswer{Kind: "read"}
	walk := graph.Walk{Groups: []string{graph.PolicyImpact}, Outgoing: true}
	m := q.corpus.Module(r.Target)
	if unit := q.corpus.UnitNamed(r.Target); unit != nil {
		summary := unitSummary(unit)
		m, walk.Target, answer.Unit, answer.Text = unit.Module, unit.ID, &summary, string(unit.Text.Raw)
	} else if m == nil {
		return nil, nil, q.unknown("read", r.Target)
	}
	if answer.Unit == nil {
		data, here, err := content.ReadFile(q.ctx, q.side.Source, m.File)
		if err == nil && !here {
			err = fault.New(fault.Unavailable, "WORKTREE.CHANGED", m.File, "the file changed while it was read; try again")
		}
		if err != nil {
			return nil, nil, err
		}
		walk.Target, answer.Text = m.ID, string(front.Body(data))
	}
	answer.Module = moduleSummary(m)
	relationships, err := q.relationships(walk, nil)
	answer.Consumers = relationships
	return answer, readRequest{answer.Kind, walk.Target}, err
}

func moduleSummary(m *corpus.Module) wire.ModuleSummary {
	summary := wire.ModuleSummary{
		ID: m.ID, Title: wire.Optional(m.Title), Role: m.Role, Level: m.Level, File: m.File, Line: m.Line, AppliesWhen: wire.Optional(m.AppliesWhen),
		DoesNotApplyWhen: wire.Optional(m.DoesNotApplyWhen), Verification: wire.Optional(m.Verification), Owner: wire.Optional(m.Owner),
		Requires: texts(m.Requires), Specializes: texts(m.Specializes), Units: []wire.UnitSummary{},
	}
	for i := range m.Units {
		summary.Units = append(summary.Units, unitSummary(m.Unit(m.Units[i].ID)))
	}
	return summary
}

func unitSummary(u *corpus.Unit) wire.UnitSummary {
	return wire.UnitSummary{
		ID: u.ID, Heading: texts(u.Heading), Revision: int(u.Revision), Line: u.TextLine, Aliases: texts(u.Aliases),
		Predecessors: texts(u.Predecessors), Successors: texts(u.Successors),
	}
}
