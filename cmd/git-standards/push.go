package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/git-standards/git-standards/engine"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/hooks"
)

// prePush judges the tip of every pushed ref (RULES B3, B4). Every line is judged; any refusal fails the push.
func (s *session) prePush(args []string) error {
	pushes, err := gitext.ReadPrePush(s.in)
	if err != nil {
		return err
	}
	var target gitext.PushTarget
	if len(args) > 1 {
		target.Remote, target.URL = args[0], args[1]
	}
	worst := exitDone
	for _, push := range pushes {
		target.RemoteID = push.RemoteID
		code := exitDone
		if err := s.prePushRef(push, target); err != nil {
			var done *exitError
			if errors.As(err, &done) {
				code = done.code
			} else {
				code = s.reject(err)
			}
			s.warn("%s: push refused", shown(push.RemoteRef))
		}
		if worst == exitDone || code > worst {
			worst = code
		}
	}
	return exit(worst)
}

func (s *session) prePushRef(push gitext.Push, target gitext.PushTarget) error {
	if gitext.IsZero(push.LocalID) {
		return s.prePushDeletion(push, target)
	}
	tip, isCommit, err := s.repo.Peel(s.ctx, push.LocalID)
	if err != nil || !isCommit {
		return err
	}
	if !strings.HasPrefix(push.RemoteRef, "refs/heads/") && !strings.HasPrefix(push.RemoteRef, "refs/tags/") {
		gate, err := s.gateOf(tip.ID)
		if err != nil {
			return err
		}
		if protected, err := s.isProtectedRef(push.RemoteRef, gate, target); err != nil || !protected {
			return err // notes and other tools' refs hold no change that lands
		}
	}
	fork, err := s.forkPointOf(gitext.ForkRequest{Tip: tip.ID, Push: &target})
	if err != nil {
		return err
	}
	proposed, err := s.commitSide(tip.ID)
	if err != nil {
		return err
	}
	if fork.Source == nil {
		holds, err := engine.HasManifest(s.ctx, proposed.Source)
		if holds {
			s.warn("%s: nothing is judged: %s", shown(push.RemoteRef), fork.base.Why)
		}
		return err
	}
	foreign, err := s.foreign(fork, proposed)
	if err != nil {
		return err
	}
	if foreign {
		gate, err := s.gateOf(*fork.Info.Commit)
		if err != nil {
			return err
		}
		if protected, err := s.isProtectedRef(push.RemoteRef, gate, target); err != nil || !protected {
			return err
		}
	}
	outcome, err := s.judgeHook(engine.Request{Accepted: fork.Side, Proposed: proposed, Base: fork.base})
	if err != nil || outcome == nil || outcome.Analysis == nil {
		return err
	}
	gate := outcome.Verdict.Accepted.Manifest.Gate
	where := hooks.Push
	protected, err := s.isProtectedRef(push.RemoteRef, gate, target)
	if err != nil {
		return err
	}
	if protected {
		where = hooks.Protected
	}
	verdict := hooks.Decide(where, hooks.Setting(gate.Push), hookQuestions(outcome.Verdict), false)
	return s.conclude(outcome, verdict, fmt.Sprintf("push to %s", shown(push.RemoteRef)), func(outcome *engine.Outcome) ([]string, error) {
		return s.nextForPush(outcome, push, tip.ID)
	})
}

// nextForPush is where and against what the question must be answered: on the pushed branch, and against the accepted side
// of the push where a plain resolve would choose another.
func (s *session) nextForPush(outcome *engine.Outcome, push gitext.Push, tip string) ([]string, error) {
	head, unborn, err := s.repo.Head(s.ctx)
	if err != nil {
		return nil, err
	}
	accepted := outcome.Analysis.Accepted
	against := ""
	if accepted.Commit != nil {
		against = " --accepted " + short(*accepted.Commit)
	}
	if unborn || head.ID != tip {
		branch, isBranch := strings.CutPrefix(push.LocalRef, "refs/heads/")
		if !isBranch {
			branch = tip
		}
		how := "git switch "
		if !isBranch {
			how += "--detach "
		}
		commands := nextCommand(outcome, against)
		for i := range commands {
			commands[i] = how + fault.ShellWord(branch) + " && " + commands[i]
		}
		return commands, nil
	}
	fork, err := s.forkPoint()
	if err == nil && fork.Info.Commit != nil && accepted.Commit != nil && *fork.Info.Commit == *accepted.Commit {
		against = ""
	}
	return nextCommand(outcome, against), nil
}

// prePushDeletion refuses the deletion of a protected ref (RULES I2), by the manifest that stands on it, else by HEAD's.
func (s *session) prePushDeletion(push gitext.Push, target gitext.PushTarget) error {
	commit, isCommit, err := s.repo.Peel(s.ctx, push.RemoteID)
	if err != nil || !isCommit {
		head, unborn, err := s.repo.Head(s.ctx)
		if err != nil || unborn {
			return err
		}
		commit = head
	}
	gate, err := s.gateOf(commit.ID)
	if err != nil {
		return err
	}
	protected, err := s.isProtectedRef(push.RemoteRef, gate, target)
	if protected {
		s.warn("%s is protected (gate.protected, gate.base, or the branch that the server's HEAD names) and cannot be deleted", shown(push.RemoteRef))
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
		if names, err = s.repo.RemoteHeads(s.ctx, target); err != nil {
			return false, err
		}
	}
	return isProtected(ref, names), nil
}

func matchesGlob(pattern, name string) bool {
	glob, err := authored.ParseGlob(pattern)
	return err == nil && glob.Match(name)
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
