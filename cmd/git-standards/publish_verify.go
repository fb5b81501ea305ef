package main

import (
	"fmt"
	"strings"

	"github.com/git-standards/git-standards/cmd/git-standards/landing"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/publish"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext"
)

// verifyPublication judges again what the records of a commit say, from Git alone: no store is read.
func (s *session) verifyPublication(rev string) error {
	s.onlyLook = true
	commit, err := s.Repo.Commit(s.ctx, rev)
	if err != nil {
		return err
	}
	note, err := landing.Note(s.ctx, s.Repo, commit.ID)
	if err != nil {
		return err
	}
	records, wrong, err := publish.Read(note)
	if err != nil {
		return err
	}
	if len(wrong) > 0 {
		return differs(commit.ID, wrong)
	}
	if len(records) == 0 {
		return s.noRecord(commit.ID)
	}
	var first *judge.Outcome
	for _, record := range records {
		outcome, done, err := s.judgeAgain(record.Publication, commit)
		if err != nil {
			return err
		}
		defer done()
		if first == nil {
			first = outcome
		}
		s.addNotice(first, wire.Notice{
			Code: "PUBLICATION.VERIFIED", Target: &record.ID,
			Message: fmt.Sprintf("the record of %s holds: what it names, judged again, gives the same", commit.ID),
		})
	}
	return s.finish(first)
}

func differs(commit string, wrong []string) error {
	return fault.New(fault.Invalid, "PUBLICATION.DIFFERS", commit, "the record is not what is judged: %s", strings.Join(wrong, "; ")).
		Hint("git notes --ref standards show "+short(commit), "git log -p "+landing.NotesRef)
}

func (s *session) noRecord(commit string) error {
	return fault.New(fault.Unavailable, "PUBLICATION.NONE", commit, "no record is in %s here", landing.NotesRef).
		Hint("git fetch origin "+landing.NotesRef+":"+landing.NotesRef, "git notes --ref standards list")
}

// judgeAgain judges a publication anew and compares. What landed is named by its tree: another git may merge otherwise.
func (s *session) judgeAgain(p publish.Publication, commit gitext.Commit) (*judge.Outcome, func(), error) {
	if p.Landed.Commit != commit.ID || p.Landed.Tree != commit.Tree {
		return nil, nil, differs(commit.ID, []string{fmt.Sprintf("it is the record of commit %s, tree %s", p.Landed.Commit, p.Landed.Tree)})
	}
	for _, id := range []string{p.Accepted.Commit, p.Proposed.Commit} {
		if _, _, err := s.Repo.Peel(s.ctx, id); err != nil {
			return nil, nil, err
		}
	}
	if p.Landed.Commit != p.Proposed.Commit {
		if parents := strings.Join(commit.Parents, " "); parents != p.Accepted.Commit+" "+p.Proposed.Commit {
			wrong := fmt.Sprintf("it records a merge of %s and %s, and the parents are %s", p.Accepted.Commit, p.Proposed.Commit, parents)
			return nil, nil, differs(commit.ID, []string{wrong})
		}
	} else if contains, err := s.Repo.IsAncestor(s.ctx, p.Accepted.Commit, commit.ID); err != nil || !contains {
		if err == nil {
			err = differs(commit.ID, []string{"it does not contain the base " + p.Accepted.Commit})
		}
		return nil, nil, err
	}
	outcome, done, err := s.judgeLanding(p.Accepted.Commit, p.Proposed.Commit, p.Landed.Tree)
	if r := judge.Reject(err); err != nil && s.ctx.Err() == nil && r.Outcome != string(fault.Unavailable) {
		err = differs(commit.ID, []string{fmt.Sprintf("recorded %q, and judged again it is rejected: %s (%s)", p.Result, r.Message, r.Code)})
	}
	if err != nil {
		return nil, nil, err
	}
	anew, err := s.publication(outcome)
	if err == nil {
		anew.Landed.Commit = commit.ID
		if !s.mayLand(outcome) {
			anew.Result = "pending"
		}
		if wrong := p.Differences(anew); len(wrong) > 0 {
			err = differs(commit.ID, wrong)
		}
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	return outcome, done, nil
}

// lastPublication is the newest commit of a line of first parents that has a record of its own, and the id of that; "" where none has.
// The record is proven to be whole and not judged again.
func (s *session) lastPublication(tip string) (commit, publication string, err error) {
	noted, err := landing.Noted(s.ctx, s.Repo)
	if err != nil || len(noted) == 0 {
		return "", "", err
	}
	commit, err = s.Repo.LastOnLine(s.ctx, tip, func(id string) (bool, error) {
		if !noted[id] {
			return false, nil
		}
		note, err := landing.Note(s.ctx, s.Repo, id)
		if err != nil {
			return false, err
		}
		records, _, err := publish.Read(note)
		for _, record := range records {
			if record.Landed.Commit == id {
				publication = record.ID
				return true, nil
			}
		}
		return false, err
	})
	return commit, publication, err
}

// sincePublication is the last publication on a line as the base of a gate, its newest commit as the head where none is named, and the notice
// that says so (RULES J3).
func (s *session) sincePublication(line, head string) (base, newest string, notice wire.Notice, err error) {
	if line == "" {
		if line, err = s.baseBranch(); err != nil {
			return "", "", notice, err
		}
	}
	tip, err := s.Repo.Commit(s.ctx, line)
	if err != nil {
		return "", "", notice, err
	}
	base, publication, err := s.lastPublication(tip.ID)
	if err != nil {
		return "", "", notice, err
	}
	if base == "" {
		return "", "", notice, s.noRecord(branchName(line))
	}
	if newest = head; head == "" {
		newest = tip.ID
	}
	return base, newest, wire.Notice{
		Code: "PUBLICATION.LAST", Target: &publication,
		Message: fmt.Sprintf("commit %s is the last publication on %s: what came since is judged against it", base, branchName(line)),
	}, nil
}
