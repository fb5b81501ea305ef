package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/git-standards/git-standards/cmd/git-standards/workspace"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/hooks"
)

// prePush judges the tip of every pushed ref (RULES B3, B4). Every line is judged; any refusal fails the push. What several
// refs share is judged and told once.
func (s *session) prePush(args []string) error {
	s.remember()
	lines, err := gitext.ReadPrePush(s.in)
	if err != nil {
		return err
	}
	if len(lines) == 0 && len(args) == 0 && os.Getenv("PRE_COMMIT") != "" {
		if lines, args, err = s.pushOfFramework(); err != nil {
			return err
		}
	}
	p := &pushing{session: s, judged: map[[2]string]*pushed{}}
	if len(args) > 1 {
		p.target.Remote, p.target.URL = args[0], args[1]
	}
	var ids []string
	for _, push := range lines {
		if tip, isCommit, err := s.Repo.Peel(s.ctx, push.LocalID); err == nil && isCommit {
			ids = append(ids, tip.ID)
		}
	}
	s.Repo.ExpectTips(ids)
	worst := exitDone
	for _, push := range lines {
		p.target.RemoteID = push.RemoteID
		worst = max(worst, s.refuseRef(push.RemoteRef, p.ref(push)))
	}
	return exit(worst)
}

// pushOfFramework is the push that the pre-commit framework tells of in the environment: it gives its hooks no input. That is one ref,
// the first that it finds something new in.
func (s *session) pushOfFramework() (lines []gitext.Push, args []string, err error) {
	push := gitext.Push{LocalRef: os.Getenv("PRE_COMMIT_LOCAL_BRANCH"), RemoteRef: os.Getenv("PRE_COMMIT_REMOTE_BRANCH")}
	push.LocalID, push.RemoteID = os.Getenv("PRE_COMMIT_TO_REF"), os.Getenv("PRE_COMMIT_FROM_REF")
	if push.RemoteRef == "" {
		return nil, nil, fault.New(fault.Invalid, "HOOK.INPUT", "pre-push", "pre-commit names no push here, so nothing can be judged; "+
			"it does when git push calls it").Hint("pre-commit install --hook-type pre-push", "git push --dry-run")
	}
	if push.LocalID == "" { // a whole history, which it says no ids of
		tip, err := s.Repo.Commit(s.ctx, push.LocalRef)
		if err != nil {
			return nil, nil, err
		}
		push.LocalID, push.RemoteID = tip.ID, ""
	}
	return []gitext.Push{push}, []string{os.Getenv("PRE_COMMIT_REMOTE_NAME"), os.Getenv("PRE_COMMIT_REMOTE_URL")}, nil
}

// refuseRef says why a ref is refused, where that is not said yet, and gives the exit code.
func (s *session) refuseRef(ref string, err error) int {
	if err == nil {
		return exitDone
	}
	var done *exitError
	if errors.As(err, &done) {
		return done.code // said already, with the name of the ref
	}
	code := s.reject(err)
	s.warn("%s: push refused", shown(ref))
	return code
}

func (s *session) sayUndeletable(ref string) {
	s.warn("%s is protected (gate.protected, gate.base, or the branch that the server's HEAD names) and cannot be deleted", shown(ref))
}

// pushing is one push to one remote.
type pushing struct {
	*session
	target gitext.PushTarget
	judged map[[2]string]*pushed // by tip and the id that the remote has
}

// pushed is a tip and what it was judged to be.
type pushed struct {
	tip      string
	fork     workspace.Fork
	proposed judge.Side
	foreign  bool // see session.foreign
	outcome  *judge.Outcome
	done     bool // whether outcome was sought
	passed   bool // whether it was said that nothing is open
	told     bool // whether what is open was printed
}

// of finds the accepted side of a tip.
func (p *pushing) of(tip string) (*pushed, error) {
	key := [2]string{tip, p.target.RemoteID}
	if known := p.judged[key]; known != nil {
		return known, nil
	}
	t := &pushed{tip: tip}
	var err error
	if t.fork, err = p.ForkPointOf(p.ctx, gitext.ForkRequest{Tip: tip, Push: &p.target}); err != nil {
		return nil, err
	}
	if t.proposed, err = p.Commit(p.ctx, tip); err != nil {
		return nil, err
	}
	if t.fork.Source != nil {
		if t.foreign, err = p.session.foreign(t.fork, t.proposed); err != nil {
			return nil, err
		}
	}
	p.judged[key] = t
	return t, nil
}

// ref judges one line.
func (p *pushing) ref(push gitext.Push) error {
	if gitext.IsZero(push.LocalID) {
		return p.deletion(push)
	}
	tip, isCommit, err := p.Repo.Peel(p.ctx, push.LocalID)
	if err != nil || !isCommit {
		return err
	}
	if !strings.HasPrefix(push.RemoteRef, "refs/heads/") && !strings.HasPrefix(push.RemoteRef, "refs/tags/") {
		gate, err := p.GateOf(p.ctx, tip.ID)
		if err != nil {
			return err
		}
		if protected, err := p.isProtectedRef(push.RemoteRef, gate, p.target); err != nil || !protected {
			return err // notes and other tools' refs hold no change that lands
		}
	}
	t, err := p.of(tip.ID)
	if err != nil {
		return err
	}
	if t.fork.Source == nil {
		holds, err := judge.HasManifest(p.ctx, t.proposed.Source)
		if holds {
			p.warn("%s: nothing is judged: %s", shown(push.RemoteRef), t.fork.Base.Why)
		}
		return err
	}
	if t.foreign {
		gate, err := p.GateOf(p.ctx, *t.fork.Info.Commit)
		if err != nil {
			return err
		}
		if protected, err := p.isProtectedRef(push.RemoteRef, gate, p.target); err != nil || !protected {
			return err
		}
	}
	if !t.done {
		if t.outcome, err = p.judgeHook(judge.Request{Accepted: t.fork.Side, Proposed: t.proposed, Base: t.fork.Base}); err != nil {
			return err
		}
		t.done = true
	}
	if t.outcome == nil || t.outcome.Analysis == nil {
		return nil
	}
	return p.concludeRef(push, t)
}

// concludeRef is conclude for one ref of a push. What was told of another ref with the same tip is not told again.
func (p *pushing) concludeRef(push gitext.Push, t *pushed) error {
	gate := t.outcome.Verdict.Accepted.Manifest.Gate
	where := hooks.Push
	protected, err := p.isProtectedRef(push.RemoteRef, gate, p.target)
	if err != nil {
		return err
	}
	if protected {
		where = hooks.Protected
	}
	verdict := hooks.Decide(where, hooks.Setting(gate.Push), hookQuestions(t.outcome), false)
	what := fmt.Sprintf("push to %s", shown(push.RemoteRef))
	switch {
	case verdict == hooks.Pass && t.passed:
		return nil
	case verdict == hooks.Pass:
		t.passed = true
	case t.told && verdict == hooks.Say:
		p.warn("the same questions are open; this %s is not refused for them", what)
		return nil
	case t.told:
		p.warn("the same questions are open: %s refused", what)
		return exit(exitOpen)
	default:
		t.told = true
	}
	if verdict != hooks.Pass {
		if err := p.answerWhere(t.outcome, push, t.tip); err != nil {
			return err
		}
	}
	return p.conclude(t.outcome, verdict, what, func(outcome *judge.Outcome) ([]advice, error) {
		return p.nextCommands(outcome, p.onBranch, p.sides), nil
	})
}

// answerWhere sets where and against what the questions must be answered: on the pushed branch, and against the accepted side of the
// push where a plain resolve would choose another.
func (s *session) answerWhere(outcome *judge.Outcome, push gitext.Push, tip string) error {
	s.onBranch, s.sides = "", ""
	head, unborn, err := s.Repo.Head(s.ctx)
	if err != nil {
		return err
	}
	accepted := outcome.Analysis.Accepted
	if accepted.Commit != nil {
		s.sides = " --accepted " + short(*accepted.Commit)
	}
	if unborn || head.ID != tip {
		branch, isBranch := strings.CutPrefix(push.LocalRef, "refs/heads/")
		how := "git switch "
		// Plumbing makes branches whose names no command takes for one.
		if !isBranch || strings.HasPrefix(branch, "-") || branch == "HEAD" {
			branch, how = tip, "git switch --detach "
		}
		s.onBranch = how + fault.ShellWord(branch) + " && "
		return nil
	}
	fork, err := s.ForkPoint(s.ctx)
	if err == nil && fork.Info.Commit != nil && accepted.Commit != nil && *fork.Info.Commit == *accepted.Commit {
		s.sides = ""
	}
	return nil
}

// deletion refuses the deletion of a protected ref (RULES I2), by the manifest that stands on it, else by HEAD's.
func (p *pushing) deletion(push gitext.Push) error {
	commit, isCommit, err := p.Repo.Peel(p.ctx, push.RemoteID)
	if err != nil || !isCommit {
		head, unborn, err := p.Repo.Head(p.ctx)
		if err != nil || unborn {
			return err
		}
		commit = head
	}
	gate, err := p.GateOf(p.ctx, commit.ID)
	if err != nil {
		return err
	}
	protected, err := p.isProtectedRef(push.RemoteRef, gate, p.target)
	if protected {
		p.sayUndeletable(push.RemoteRef)
		return exit(exitOpen)
	}
	return err
}

func protectedNames(gate authored.Gate) []string {
	if gate.Protected == nil && gate.Base != "" {
		return []string{gate.Base}
	}
	return gate.Protected
}

// isProtectedRef falls back, where the manifest names nothing, to the branch that the server's HEAD names.
func (s *session) isProtectedRef(ref string, gate authored.Gate, target gitext.PushTarget) (bool, error) {
	names := protectedNames(gate)
	if names == nil {
		var err error
		if names, err = s.Repo.RemoteHeads(s.ctx, target); err != nil {
			return false, err
		}
	}
	return isProtected(ref, names), nil
}

func matchesGlob(pattern, name string) bool {
	g, err := glob.Parse(pattern)
	return err == nil && g.Match(name)
}

// isProtected reports whether a full ref is one of the names or globs of gate.protected (RULES I2).
func isProtected(ref string, names []string) bool {
	name := strings.TrimPrefix(ref, "refs/heads/")
	for _, pattern := range names {
		pattern = strings.TrimPrefix(pattern, "refs/heads/")
		if pattern == name || matchesGlob(pattern, name) {
			return true
		}
	}
	return false
}
