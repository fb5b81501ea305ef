package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/cmd/git-standards/report"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/gitext"
)

// summary is the file that a summary is appended to, and how many bytes it had. GitHub bounds what a step's file may hold in all.
type summary struct {
	file *os.File
	had  int64
	done bool
}

func (s *session) openSummary(typed string) error {
	path, err := gitext.FromDir(s.Dir, typed)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return fault.New(fault.Unavailable, "SUMMARY.UNWRITABLE", typed, "the summary cannot be written").Because(err)
	}
	s.summary = &summary{file: file}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		s.summary.had = info.Size()
	}
	return nil
}

func (s *summary) write(r *report.Report) error {
	s.done = true
	if _, err := s.file.Write(report.Summary(r, report.MaxSummary-int(min(s.had, report.MaxSummary)))); err != nil {
		return fault.New(fault.Unavailable, "SUMMARY.UNWRITABLE", s.file.Name(), "the summary cannot be written").Because(err)
	}
	return nil
}

// summarizedGate is the gate with its summary, which is written as well where there is no verdict. The file is opened first: whoever wants
// one learns before anything is judged that there can be none.
func (s *session) summarizedGate(cc *cli.Context) error {
	if cc.String("summary") == "" {
		return s.gate(cc)
	}
	if err := s.openSummary(cc.String("summary")); err != nil {
		return err
	}
	defer s.summary.file.Close()
	err := s.gate(cc)
	if done := (*exitError)(nil); err == nil || s.summary.done || s.ctx.Err() != nil || errors.As(err, &done) {
		return err
	}
	rejected := judge.Reject(err)
	if failed := s.summary.write(&report.Report{Version: version, Rejected: &rejected}); failed != nil {
		s.warn("%s", clean(failed.Error()))
	}
	return err
}

// summarize writes what a verdict says, with what only a summary tells: the text of units, and which answers the branch brings.
func (s *session) summarize(o *judge.Outcome) error {
	r := s.reportOf(o)
	if o.Verdict != nil {
		r.Units = changedUnits(o)
		age, err := s.ages(o)
		if err != nil {
			return err
		}
		for i := range r.Asked {
			for j := range r.Asked[i].Answers {
				answer := &r.Asked[i].Answers[j]
				answer.Age = age(answer.File)
			}
		}
	}
	return s.summary.write(r)
}

// changedUnits are the units that differ between the sides, by id.
func changedUnits(o *judge.Outcome) (list []report.Unit) {
	accepted, proposed := o.Verdict.Accepted, o.Verdict.Proposed
	add := func(old, now *corpus.Unit) {
		q := &question.Question{Kind: question.ConsumerReview}
		was, is := "", ""
		if old != nil {
			q.Unit, q.Was, q.File, q.Line, was = old.ID, old.Revision, old.Module.File, old.TextLine, string(old.Text.Raw)
		}
		if now != nil {
			q.Unit, q.Now, q.File, q.Line, is = now.ID, now.Revision, now.Module.File, now.TextLine, string(now.Text.Raw)
		}
		u := report.Unit{ID: q.Unit, Title: titleOf(q), Place: fmt.Sprintf("%s:%d", q.File, q.Line)}
		if q.Was == q.Now {
			u.Title = fmt.Sprintf("%s text changed at revision %d", q.Unit, q.Now)
		}
		if diff, err := udiff.ToUnified("", "", was, udiff.Lines(was, is), udiff.DefaultContextLines); err == nil {
			u.Diff = withoutNames(diff)
		}
		list = append(list, u)
	}
	for _, old := range accepted.Units() {
		now := proposed.Unit(old.ID)
		if now == nil || now.Revision != old.Revision || now.Representation != old.Representation {
			add(old, now)
		}
	}
	for _, now := range proposed.Units() {
		if accepted.Unit(now.ID) == nil {
			add(nil, now)
		}
	}
	return list
}

// ages says of a decision file whether it stood, as it is, where the two branches left each other: then it was carried here, else it is new.
func (s *session) ages(o *judge.Outcome) (func(file string) string, error) {
	landed := o.Analysis.Landed
	forks, err := s.Repo.MergeBases(s.ctx, landed.Base, landed.Head)
	if fault.Is(err, "HISTORY.SHALLOW") { // the verdict did not need it: the host made the tree
		return func(string) string { return "" }, nil
	}
	if err != nil {
		return nil, err
	}
	var files []string
	for _, answer := range o.Verdict.Counted {
		files = append(files, answer.File)
	}
	stood := map[content.Entry]bool{}
	for _, fork := range forks {
		side, err := s.Commit(s.ctx, fork)
		if err != nil {
			return nil, err
		}
		entries, err := side.Source.List(s.ctx, files...)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			stood[entry] = true
		}
	}
	now, err := o.Verdict.ProposedSource.List(s.ctx, files...)
	if err != nil {
		return nil, err
	}
	age := map[string]string{}
	for _, entry := range now {
		age[entry.Name] = "new"
		if stood[entry] {
			age[entry.Name] = "carried"
		}
	}
	return func(file string) string { return age[file] }, nil
}

// withoutNames is a difference without the two lines that name the files.
func withoutNames(diff string) string {
	for range 2 {
		_, rest, found := strings.Cut(diff, "\n")
		if !found {
			return ""
		}
		diff = rest
	}
	return diff
}
