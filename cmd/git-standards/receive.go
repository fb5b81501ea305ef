package main

import (
	"slices"
	"strings"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext"
)

// receiving is one push that arrives here, with the rules by which this side judges it: those of what stands here, never of what comes.
type receiving struct {
	*session
	lines    []gitext.Received
	branches []gitext.Branch // before the push
	head     string          // the full name of the branch that HEAD names, "" where it is detached
	rules    authored.Gate   // of what HEAD names
	headID   string          // "" where that has no commit yet
	judged   map[[2]string]*judge.Outcome
}

// preReceive judges what each protected ref would become against what it is (RULES B4, B6, I2), while the objects are in quarantine. It
// records nothing, for what it judges may not come to stay, and any refusal refuses the whole push.
func (s *session) preReceive([]string) error {
	r, err := s.receive("pre-receive")
	if err != nil {
		return err
	}
	worst := exitDone
	for _, line := range r.lines {
		protected, err := r.isProtected(line)
		if err == nil && protected {
			err = r.judgeLine(line)
		}
		worst = max(worst, s.refuseRef(line.Ref, err))
	}
	return exit(worst)
}

// postReceive records what came to stay on protected refs. Nothing can be refused any more.
func (s *session) postReceive([]string) error {
	r, err := s.receive("post-receive")
	if err != nil {
		return err
	}
	for _, line := range r.lines {
		protected, err := r.isProtected(line)
		if err != nil || !protected || gitext.IsZero(line.NewID) {
			continue // pre-receive has said what is wrong
		}
		outcome, err := r.outcome(line)
		if err != nil || outcome == nil || outcome.Analysis == nil || outcome.Verdict.Idle() {
			continue
		}
		s.record(outcome)
		if outcome.Analysis.Stored {
			s.warn("%s: standards %s: %s", shown(line.Ref), outcome.Analysis.Result, outcome.Analysis.Analysis.ID)
		}
	}
	return nil
}

func (s *session) receive(hook string) (*receiving, error) {
	r := &receiving{session: s, judged: map[[2]string]*judge.Outcome{}}
	var err error
	if r.lines, err = gitext.ReadReceived(s.in, hook); err != nil || len(r.lines) == 0 {
		return r, err
	}
	if r.branches, err = s.Repo.Branches(s.ctx); err != nil {
		return nil, err
	}
	if hook == "post-receive" {
		r.undo()
	}
	name, err := s.Repo.CurrentBranch(s.ctx)
	if err != nil {
		return nil, err
	}
	if name == "" {
		head, unborn, err := s.Repo.Head(s.ctx)
		if err != nil {
			return nil, err
		}
		if !unborn {
			r.headID = head.ID
		}
	} else {
		r.head = "refs/heads/" + name
		r.headID = r.idOf(r.head)
	}
	r.rules, err = r.rulesOf(r.headID)
	return r, err
}

// undo makes the branches what they were before the push.
func (r *receiving) undo() {
	for _, line := range r.lines {
		at := slices.IndexFunc(r.branches, func(b gitext.Branch) bool { return b.Name == line.Ref })
		switch {
		case at >= 0 && gitext.IsZero(line.OldID):
			r.branches = slices.Delete(r.branches, at, at+1)
		case at >= 0:
			r.branches[at].ID = line.OldID
		case strings.HasPrefix(line.Ref, "refs/heads/") && !gitext.IsZero(line.OldID):
			r.branches = append(r.branches, gitext.Branch{Name: line.Ref, ID: line.OldID})
		}
	}
}

func (r *receiving) idOf(ref string) string {
	for _, b := range r.branches {
		if b.Name == ref {
			return b.ID
		}
	}
	return ""
}

// rulesOf is the gate of a commit's manifest; "" has none.
func (r *receiving) rulesOf(id string) (authored.Gate, error) {
	if id == "" {
		return authored.Gate{}, nil
	}
	return r.GateOf(r.ctx, id)
}

// isProtected reports a ref that is protected by what stands on it, by what HEAD names, or through the branch that it is another name
// for. What is pushed has no say.
func (r *receiving) isProtected(line gitext.Received) (bool, error) {
	names := []string{line.Ref}
	for _, b := range r.branches {
		if b.Name == line.Ref && b.Symref != "" {
			names = append(names, b.Symref)
		}
	}
	if r.isNamed(names, r.rules) {
		return true, nil
	}
	if gitext.IsZero(line.OldID) {
		return false, nil
	}
	old, isCommit, err := r.Repo.Peel(r.ctx, line.OldID)
	if err != nil || !isCommit {
		return false, err
	}
	rules, err := r.rulesOf(old.ID)
	return err == nil && r.isNamed(names, rules), err
}

func (r *receiving) isNamed(refs []string, rules authored.Gate) bool {
	protected := protectedNames(rules)
	if protected == nil && r.head != "" {
		protected = []string{r.head}
	}
	return slices.ContainsFunc(refs, func(ref string) bool { return isProtected(ref, protected) })
}

// judgeLine refuses what may not stand on a protected ref.
func (r *receiving) judgeLine(line gitext.Received) error {
	if gitext.IsZero(line.NewID) {
		r.sayUndeletable(line.Ref)
		return exit(exitOpen)
	}
	outcome, err := r.outcome(line)
	if err != nil || outcome == nil {
		return err
	}
	if outcome.Adoption != nil {
		r.printOutcome(r.out, outcome, true)
		return nil
	}
	if !r.isClosed(outcome) {
		return nil
	}
	r.printOutcome(r.out, outcome, true)
	if open := len(outcome.Verdict.Open); open > 0 {
		r.warn("%s on %s", count(open, "open question", "open questions"), shown(line.Ref))
	}
	// The one who pushes has what is judged checked out, as a rule; here is nobody who answers.
	r.advise(r.err, r.nextCommands(outcome, "", ""))
	r.warn("push to %s refused", shown(line.Ref))
	return exit(exitOpen)
}

// isClosed reports what RULES J1 lets through nowhere.
func (r *receiving) isClosed(outcome *judge.Outcome) bool {
	return len(outcome.Verdict.Open) > 0 || outcome.Verdict.Uncarried > 0 || outcome.NotIndependent()
}

// outcome judges one line, nil where it touches no standard. What several refs share is judged once.
func (r *receiving) outcome(line gitext.Received) (*judge.Outcome, error) {
	commit, isCommit, err := r.Repo.Peel(r.ctx, line.NewID)
	if err != nil {
		return nil, err
	}
	if !isCommit {
		return nil, fault.New(fault.Invalid, "PUSH.NO_COMMIT", line.Ref, "the ref is protected, and %s is no commit", line.NewID)
	}
	old, err := r.accepted(line, commit.ID)
	if err != nil || old == commit.ID {
		return nil, err
	}
	key := [2]string{old, commit.ID}
	if outcome, known := r.judged[key]; known {
		return outcome, nil
	}
	accepted, err := r.Commit(r.ctx, old)
	if err != nil {
		return nil, err
	}
	proposed, err := r.Commit(r.ctx, commit.ID)
	if err != nil {
		return nil, err
	}
	request := judge.Request{Accepted: accepted, Proposed: proposed, Landed: &wire.Landed{Base: old, Head: commit.ID, Tree: commit.Tree}}
	if old == "" {
		request.Landed = nil
	}
	changes, err := capture.Changes(r.ctx, accepted.Source, proposed.Source)
	if err != nil {
		return nil, err
	}
	request.Changes = append([]content.Change{}, changes...)
	relevant, err := judge.Relevant(r.ctx, request)
	if err != nil || !relevant {
		r.judged[key] = nil
		return nil, err
	}
	outcome, err := r.judgeOnly(request)
	if err != nil {
		return nil, err
	}
	if old != "" {
		if err := r.checkIndependence(outcome, old, commit.ID); err != nil {
			return nil, err
		}
	}
	r.judged[key] = outcome
	return outcome, nil
}

// accepted is the id of the commit that a line is judged against: what the ref is now; for a new one the commit itself, which asks
// nothing, where a protected branch contains it already, else what HEAD names (RULES B6). "" is the empty tree.
func (r *receiving) accepted(line gitext.Received, tip string) (string, error) {
	if !gitext.IsZero(line.OldID) {
		old, isCommit, err := r.Repo.Peel(r.ctx, line.OldID)
		if err != nil {
			return "", err
		}
		if isCommit {
			return old.ID, nil
		}
	}
	var protected []string
	for _, b := range r.branches {
		if r.isNamed([]string{b.Name}, r.rules) {
			protected = append(protected, b.ID)
		}
	}
	contained, err := r.Repo.IsContained(r.ctx, tip, protected)
	if err != nil || contained {
		return tip, err
	}
	return r.headID, nil
}
