package main

import (
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
)

// takenRevisions says of each unit that both sides of a merge raised to one revision, with different texts, which commit of the base took
// that number first, and what to set (RULES J1). It is beside the verdict: commits are in no tree.
func (s *session) takenRevisions(o *judge.Outcome) ([]wire.Notice, error) {
	landed := landedOf(o)
	if o.Verdict == nil || landed == nil || !landed.Merged || !slices.ContainsFunc(o.Verdict.Asked, isSameRevision) {
		return nil, nil
	}
	forks, err := s.Repo.MergeBases(s.ctx, landed.Base, landed.Head)
	if err != nil || len(forks) == 0 {
		return nil, err
	}
	fork, err := s.compileCommit(forks[0])
	if err != nil {
		return nil, err
	}
	head, err := s.compileCommit(landed.Head)
	if err != nil {
		return nil, err
	}
	var notices []wire.Notice
	for _, q := range o.Verdict.Asked {
		base, branch, before := o.Verdict.Accepted.Unit(q.Unit), head.Unit(q.Unit), fork.Unit(q.Unit)
		if !isSameRevision(q) || base == nil || branch == nil || base.Revision != branch.Revision || base.Structure == branch.Structure ||
			before != nil && before.Revision == base.Revision {
			continue
		}
		taker, err := s.whoTook(forks, landed.Base, base)
		if err != nil {
			return nil, err
		}
		file := base.Module.File
		if now := o.Verdict.Proposed.Unit(q.Unit); now != nil {
			file = now.Module.File
		}
		target := fmt.Sprintf("%s:%d", branch.Module.File, branch.Line)
		notices = append(notices, wire.Notice{
			Code: "REVISION.TAKEN", Target: &target,
			Message: fmt.Sprintf("revision %d of %q was taken on the base%s, with another text", base.Revision, q.Unit, taker),
			Next:    wire.Optional(fmt.Sprintf("git merge %s, and set revision: %d in %s", short(landed.Base), base.Revision+1, file)),
		})
	}
	return notices, nil
}

func isSameRevision(q *question.Question) bool {
	return q.Reason == question.SameRevision && q.Unit != ""
}

func (s *session) compileCommit(id string) (*corpus.Corpus, error) {
	side, err := s.Commit(s.ctx, id)
	if err != nil {
		return nil, err
	}
	return corpus.NewCompiler().Compile(s.ctx, side.Source)
}

// whoTook names the first commit behind the base in which a unit has the revision that it has there; "" where none of those that changed its
// file shows it.
func (s *session) whoTook(forks []string, base string, unit *corpus.Unit) (string, error) {
	commits, err := s.Repo.CommitsOf(s.ctx, forks, base, unit.Module.File)
	if err != nil {
		return "", err
	}
	for _, id := range commits {
		side, err := s.Commit(s.ctx, id)
		if err != nil {
			return "", err
		}
		data, here, err := content.ReadFile(s.ctx, side.Source, unit.Module.File)
		if err != nil {
			return "", err
		}
		if !here {
			continue
		}
		module, _ := authored.ParseModule(unit.Module.File, data)
		if module != nil && slices.ContainsFunc(module.Units, func(u authored.Unit) bool { return u.ID == unit.ID && u.Revision == unit.Revision }) {
			return " by commit " + short(id), nil
		}
	}
	return "", nil
}
