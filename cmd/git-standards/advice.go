package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/observe"
	"github.com/git-standards/git-standards/gitext"
)

// advice is a command that helps, and what for.
type advice struct{ label, command string }

// advise prints commands; the one to type next comes last.
func (c *console) advise(w io.Writer, list []advice) {
	for _, a := range list {
		fmt.Fprintf(w, "  %s %s\n", c.faint(a.label+":"), clean(a.command))
	}
}

// nextCommands is how to read what changed, to answer many questions at once, and last how to answer the first one; none
// where nothing is open that an answer of this person would close. flags and before are what a command needs in this
// place: options, and the commands that must run first.
func (s *session) nextCommands(o *judge.Outcome, before, flags string) []advice {
	if o.Verdict.Complete() {
		return nil
	}
	first := slices.IndexFunc(o.Verdict.Open, func(q decision.Open) bool { return q.State != decision.StateBlocked && o.Mine(q.Question) })
	if first < 0 {
		first = slices.IndexFunc(o.Verdict.Open, func(q decision.Open) bool { return s.isAnswerable(o, q) })
	}
	if first < 0 {
		return append(s.whoLifts(o.Verdict), s.whoMay(o)...)
	}
	var list []advice
	if command := s.toRead(o); command != "" {
		list = append(list, advice{"read", command})
	}
	if unit, result, n := several(o); n > 1 {
		list = append(list, advice{fmt.Sprintf("all %d", n), fmt.Sprintf("%sgit standards resolve --unit %s %s%s -m \"why\"", before, fault.ShellWord(unit), result, flags)})
	}
	if fact := observable(o.Verdict, o.Verdict.Open[first]); fact != "" {
		return append(list, advice{"next", before + "git standards observe" + flags + " " + fact})
	}
	return append(list, advice{"next", fmt.Sprintf("%sgit standards resolve %s %s%s -m \"why\"", before, o.Analysis.Questions[first].Abbrev, fault.ShellWord(o.Verdict.Open[first].Suggested()), flags)})
}

// observable is the fact that a question is about, where a provider can answer it, else "".
func observable(v *analysis.Verdict, q decision.Open) string {
	id, isFact := q.Record["fact"].(string)
	if !isFact {
		return ""
	}
	fact, err := observe.Find(v.Accepted, id)
	if _, provided := observe.ProviderOf(v.Accepted, fact); err != nil || !provided {
		return ""
	}
	return fact.ID
}

// me is who answers here, "" where that is nobody.
func (s *session) me(o *judge.Outcome) string {
	if !o.Verdict.Policy.IsOpen() {
		return o.Viewer()
	}
	me, _ := s.Repo.AuthorMail(s.ctx)
	return me
}

// mayLift reports a question that only a person's own answer blocks: another one of theirs replaces it (RULES E9).
func mayLift(v *analysis.Verdict, q decision.Open, me string) bool {
	return !slices.ContainsFunc(blocking(v, q), func(a *decision.Answer) bool { return a.Principal != me })
}

// whoLifts names those whose answers block: nobody else's answer opens the way (RULES E5).
func (s *session) whoLifts(v *analysis.Verdict) []advice {
	var names []string
	for _, open := range v.Open {
		for _, answer := range blocking(v, open) {
			if !slices.Contains(names, answer.Principal) {
				names = append(names, answer.Principal)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []advice{{"waits for", judge.SomeOf(names) + ", whose next answer replaces the one that blocks"}}
}

// maxRead bounds how many files one command shows.
const maxRead = 4

// toRead is the command that shows what changed in the standards that ask, or "".
func (s *session) toRead(o *judge.Outcome) string {
	a := o.Analysis
	if a.Accepted.Commit == nil {
		return ""
	}
	var files []string
	for _, q := range o.Verdict.Open {
		unchanged := q.Unit != "" && q.Was == 0 || q.Reason == question.ConsumerDeleted || q.Kind == question.Fact // new, or as it was
		file := q.File
		if q.Reason == question.ConsumerChanged && o.Verdict.Proposed.Module(q.Consumer) == nil {
			file = q.Consumer
		}
		if name := fault.ShellWord(s.Typed(file)); !unchanged && !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	if len(files) == 0 || len(files) > maxRead {
		return ""
	}
	base, to := short(*a.Accepted.Commit), ""
	switch {
	case a.Landed != nil:
		base, to = short(a.Landed.Base)+"..."+short(a.Landed.Head), ""
	case a.Proposed.Commit != nil:
		to = " " + short(*a.Proposed.Commit)
	case a.Proposed.Source == "index":
		base = "--cached " + base
	}
	return "git diff " + base + to + " -- " + strings.Join(files, " ")
}

// toCommit is the command that records what was judged, the worktree as it is.
func (s *session) toCommit() (string, error) {
	changes, err := s.Repo.DiffWorktree(s.ctx)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(changes, func(c gitext.Change) bool { return c.Old == nil }) {
		return "git add -A && git commit", nil
	}
	if len(changes) > 0 {
		return "git commit -a", nil
	}
	return "git commit", nil
}

// isCommitted reports whether HEAD holds the worktree as it is.
func (s *session) isCommitted() (bool, error) {
	head, unborn, err := s.Repo.Head(s.ctx)
	if err != nil || unborn {
		return false, err
	}
	side, err := s.Commit(s.ctx, head.ID)
	worktree, worktreeErr := s.Worktree()
	if err := errors.Join(err, worktreeErr); err != nil {
		return false, err
	}
	changes, err := capture.Changes(s.ctx, side.Source, worktree.Source)
	return err == nil && len(changes) == 0, err
}
