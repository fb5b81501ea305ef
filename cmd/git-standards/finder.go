package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/store"
)

// finder looks questions up in the worktree, then the index, then HEAD, against one accepted side (RULES H1), or in the
// one place that the flags name; at last among the questions of the store.
type finder struct {
	*session
	acceptedRev, proposedRev string
	staged                   bool

	base     *judge.Request // with the accepted side alone, once it is found
	judged   []place
	unjudged *judge.Request // the first place, where it could not be judged
	failed   error
	tried    int
}

type place struct {
	request judge.Request
	outcome *judge.Outcome
}

// against is a request with the accepted side that every place is judged against.
func (f *finder) against() (judge.Request, error) {
	if f.base == nil {
		side, base, err := f.accepted(f.acceptedRev)
		if err != nil {
			return judge.Request{}, err
		}
		f.base = &judge.Request{Accepted: side, Base: base}
	}
	return *f.base, nil
}

// more judges the next place; false when there is none.
func (f *finder) more() (bool, error) {
	request, err := f.against()
	if err != nil {
		return false, err
	}
	named := f.staged || f.proposedRev != ""
	var side judge.Side
	switch {
	case named && f.tried > 0, f.tried > 2:
		return false, nil
	case named:
		side, err = f.proposed(f.proposedRev, f.staged)
	case f.tried == 0:
		side, err = f.worktreeSide()
	case f.tried == 1:
		side = f.indexSide()
	default:
		side, err = f.headSide()
	}
	f.tried++
	if err == nil {
		request.Proposed = side
		if request.Changes, err = capture.Changes(f.ctx, request.Accepted.Source, side.Source); err == nil {
			var outcome *judge.Outcome
			if outcome, err = f.judgeOnly(request); err == nil {
				f.judged = append(f.judged, place{request, outcome})
				return true, nil
			}
		}
	}
	// A place that cannot be judged is passed over: another may hold the question. Its error is said when none does.
	if f.failed == nil {
		f.failed = err
	}
	if f.tried == 1 && request.Changes != nil {
		f.unjudged = &request
	}
	return true, nil
}

func (f *finder) headSide() (judge.Side, error) {
	head, unborn, err := f.repo.Head(f.ctx)
	if err != nil {
		return judge.Side{}, err
	}
	if unborn {
		return judge.Side{}, fault.New(fault.Invalid, "REVISION.UNKNOWN", "HEAD", "there is no commit yet")
	}
	return f.commitSide(head.ID)
}

func (f *finder) submitted(list []wanted, all bool, unit string) ([]decision.Submitted, error) {
	if all || unit != "" {
		return f.choose(list[0], unit)
	}
	var out []decision.Submitted
	for _, w := range list {
		q, err := f.find(w.Question)
		if err != nil {
			return nil, err
		}
		evidence, err := f.evidence(w.Evidence)
		if err != nil {
			return nil, err
		}
		s := decision.Submitted{Question: q, Result: w.Result, Rationale: w.Rationale, Evidence: evidence}
		if err := decision.Check(s); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(o decision.Submitted) bool { return o.Question.ID == q.ID }) {
			return nil, usage("question %s is named twice", w.Question)
		}
		out = append(out, s)
	}
	return out, nil
}

func (f *finder) find(word string) (*question.Question, error) {
	for i := 0; ; i++ {
		for i >= len(f.judged) {
			more, err := f.more()
			if err != nil {
				return nil, err
			}
			if !more {
				return f.findStored(word)
			}
		}
		if verdict := f.judged[i].outcome.Verdict; verdict != nil {
			q, err := judge.FindQuestion(word, verdict.Asked)
			if q != nil || err != nil {
				return q, err
			}
		}
	}
}

// findStored finds a question that a refused hook recorded for a tree that is nowhere now.
func (f *finder) findStored(word string) (*question.Question, error) {
	if f.failed != nil && codeOf(f.failed) == exitUnavailable {
		return nil, f.failed // it cannot be told whether the question is asked
	}
	notAsked := fault.New(fault.Invalid, "QUESTION.NOT_ASKED", word, "no such question is asked here").Hint("git standards status")
	if f.failed != nil {
		notAsked = notAsked.Because(f.failed)
	}
	var q *question.Question
	err := f.withStore(store.ReadOnly, func(st *store.Store) error {
		name := word
		if !strings.Contains(word, ":") {
			name = question.Codec.Kind + ":" + word
		}
		codecs := judge.Codecs()
		id, err := judge.Expand(f.ctx, st, codecs, name)
		if err != nil {
			return err
		}
		text, err := st.Get(f.ctx, id)
		if err != nil {
			return err
		}
		envelope, err := codecs.Open(id, text)
		if err != nil {
			return err
		}
		record, ok := envelope.Payload.(identity.Record)
		if !ok || envelope.Kind != question.Codec.Kind {
			return fault.New(fault.Invalid, "HANDLE.KIND", word, "%s is no question", id).Hint("git standards status")
		}
		q = question.Stored(id, record)
		return nil
	})
	if fault.Is(err, "STORE.MISSING") || fault.Is(err, "HANDLE.UNKNOWN") {
		return nil, notAsked
	}
	return q, err
}

// choose chooses the open questions that are mine and allow the result; the rest stay open and are listed as such.
func (f *finder) choose(w wanted, unit string) ([]decision.Submitted, error) {
	for len(f.judged) == 0 {
		more, err := f.more()
		if err != nil {
			return nil, err
		}
		if f.failed != nil || !more {
			return nil, f.failed
		}
	}
	evidence, err := f.evidence(w.Evidence)
	if err != nil {
		return nil, err
	}
	verdict := f.judged[0].outcome.Verdict
	if verdict == nil || verdict.Complete() {
		return nil, fault.New(fault.Invalid, "SUBMISSION.NOT_APPLICABLE", "", "nothing is open").Hint("git standards status")
	}
	unit = unitMeant(unit, verdict)
	var out []decision.Submitted
	for _, open := range verdict.Open {
		if (unit == "" || open.Unit == unit) && slices.Contains(open.Results(), w.Result) {
			s := decision.Submitted{Question: open.Question, Result: w.Result, Rationale: w.Rationale, Evidence: evidence}
			if err := decision.Check(s); err != nil {
				return nil, err
			}
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		if unit != "" && !slices.ContainsFunc(verdict.Open, func(o decision.Open) bool { return o.Unit == unit }) {
			return nil, noneAbout(unit, verdict)
		}
		return nil, fault.New(fault.Invalid, "SUBMISSION.NOT_APPLICABLE", unit, "no open question there allows the result %q", w.Result).Hint("git standards status")
	}
	return out, nil
}

// unitMeant is the id of the unit that is typed, for an alias that of its unit (RULES A2). What something open is about comes
// first: an alias may be the id of a unit that this change removes.
func unitMeant(word string, v *analysis.Verdict) string {
	if word == "" || slices.ContainsFunc(v.Open, func(o decision.Open) bool { return o.Unit == word }) {
		return word
	}
	for _, side := range []*corpus.Corpus{v.Proposed, v.Accepted} {
		if unit := side.UnitNamed(word); unit != nil {
			return unit.ID
		}
	}
	return word
}

// noneAbout refuses a unit about which nothing is open, and says which one may be meant.
func noneAbout(unit string, v *analysis.Verdict) error {
	var units []string
	for _, open := range v.Open {
		if open.Unit != "" {
			units = append(units, open.Unit)
		}
	}
	f := fault.New(fault.Invalid, "SUBMISSION.NOT_APPLICABLE", unit, "no open question is about such a unit")
	if near := yamltext.Nearest(unit, units); near != "" {
		f.Message += fmt.Sprintf("; did you mean %s?", near)
	}
	return f.Hint("git standards status")
}

// evidence pins files by the bytes that git would record for them.
func (f *finder) evidence(paths []string) ([]authored.Evidence, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	worktree, err := f.worktreeSide()
	if err != nil {
		return nil, err
	}
	var list []authored.Evidence
	for _, path := range paths {
		name, err := f.repo.Relative(path)
		if err != nil {
			return nil, err
		}
		data, here, err := content.ReadFile(f.ctx, worktree.Source, name)
		if err != nil {
			return nil, err
		}
		if !here {
			return nil, f.noEvidence(path, name)
		}
		list = append(list, authored.Evidence{Path: name, SHA256: identity.Bytes(data)})
	}
	return list, nil
}

// noEvidence refuses a path that git would record no file of, and says which files it would, or how it can.
func (f *finder) noEvidence(path, name string) error {
	next := "git ls-files"
	if abs := filepath.Join(f.repo.TopLevel, name); isFolder(abs) {
		next += " -- " + fault.ShellWord(path)
	} else if exists(abs) {
		next = "git add -f -- " + fault.ShellWord(path) // it is ignored
	}
	return fault.New(fault.Invalid, "EVIDENCE.MISSING", path, "no file stands there that git would record").Hint(next)
}

// asked is what the judged places ask, so that an answer to it is not taken for superseded.
func (f *finder) asked() map[string]bool {
	all := map[string]bool{}
	for _, p := range f.judged {
		if p.outcome.Verdict != nil {
			for id := range p.outcome.Verdict.AskedSet() {
				all[id] = true
			}
		}
	}
	return all
}

// refuseComplete keeps RULES G2: a complete state takes no answer, but for one that replaces its own author's.
func (f *finder) refuseComplete(submitted []decision.Submitted, plan *decision.Plan) error {
	if f.unjudged != nil || len(f.judged) == 0 || plan.Replaces {
		return nil
	}
	if verdict := f.judged[0].outcome.Verdict; verdict != nil && verdict.Complete() {
		for _, s := range submitted {
			if verdict.AskedSet()[s.Question.ID] {
				return fault.New(fault.Invalid, "SUBMISSION.NOT_APPLICABLE", s.Question.ID, "nothing is open: the question is answered already").Hint("git standards status")
			}
		}
	}
	return nil
}

// after judges the first place with the plan carried out, or where that is impossible for its text, the first that was
// judged; nil where none could be. A contradiction that the plan leaves in the worktree is an error.
func (f *finder) after(plan *decision.Plan) (*judge.Outcome, error) {
	if f.unjudged != nil {
		outcome, err := f.judgeWith(*f.unjudged, plan)
		if err == nil || judge.Reject(err).Code == "DECISION.CONTRADICTION" {
			return outcome, err
		}
	}
	if len(f.judged) == 0 {
		return nil, nil
	}
	return f.judgeWith(f.judged[0].request, plan)
}

func (f *finder) judgeWith(request judge.Request, plan *decision.Plan) (*judge.Outcome, error) {
	request.Proposed.Source = content.Overlay(request.Proposed.Source, plan.Write, plan.Remove)
	changes := slices.DeleteFunc(slices.Clone(request.Changes), func(c content.Change) bool {
		return plan.Write[c.Name] != nil || slices.Contains(plan.Remove, c.Name)
	})
	for name := range plan.Write {
		changes = append(changes, content.Change{Name: name, New: &content.Entry{Name: name}})
	}
	request.Changes = changes
	return f.judgeOnly(request)
}
