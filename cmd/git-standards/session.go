package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/cmd/git-standards/report"
	"github.com/git-standards/git-standards/cmd/git-standards/workspace"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
)

// session is one command's view of a repository.
type session struct {
	*console
	*workspace.Workspace
	ctx    context.Context
	engine *judge.Judge

	onlyLook   bool          // nothing is recorded
	steps      []report.Step // of a gate, beside its questions
	summary    *summary      // of a gate, where one is wanted
	onlyStatus bool          // what has nothing to tell is one line
	sides      string        // the options that name the sides, as the next command needs them too
}

// onRepository is the action of a command that works on a repository.
func onRepository(run func(*session, *cli.Context) error) cli.ActionFunc {
	return func(cc *cli.Context) error {
		s, err := open(cc)
		if err != nil {
			return err
		}
		defer s.Close()
		return run(s, cc)
	}
}

// withoutArguments is onRepository for a command that takes options alone.
func withoutArguments(run func(*session, *cli.Context) error) cli.ActionFunc {
	return func(cc *cli.Context) error {
		if cc.Args().Present() {
			return usage("%s takes no argument; %q is one", cc.Command.Name, cc.Args().First())
		}
		return onRepository(run)(cc)
	}
}

// optionsOf is where the repository is and how it is used, by the options that are given.
func optionsOf(cc *cli.Context) workspace.Options {
	return workspace.Options{
		Dir: directory(cc), GitDir: cc.String("git-dir"), WorkTree: cc.String("work-tree"), Store: cc.String("store"),
		Principal: cc.String("as"), Hook: cc.Command.Name == "hook", Said: cc.App.ErrWriter,
	}
}

// open begins a command that works on a repository.
func open(cc *cli.Context) (*session, error) {
	c, err := begin(cc)
	if err != nil {
		return nil, err
	}
	w, err := workspace.Open(cc.Context, optionsOf(cc))
	if err != nil {
		return nil, err
	}
	s := &session{console: c, Workspace: w, ctx: cc.Context, engine: judge.New()}
	if remembers[cc.Command.Name] {
		s.remember()
	}
	return s, nil
}

// remembers are the commands that may look in the cache of compiled modules: they tell somebody what is asked. What decides what may land, or
// has landed, compiles everything itself.
var remembers = map[string]bool{"lint": true, "status": true, "query": true, "prepare": true, "resolve": true, "observe": true, "prune": true}

// remember lets the session use the cache. A program that cannot be told from another one has none.
func (s *session) remember() {
	if recipe := thisProgram(); recipe != "" {
		s.engine.Remember(s.Cache(s.ctx), recipe)
	}
}

// thisProgram tells this program from every other that may have compiled something: by its version, and because that stays while it is
// developed, by its file.
func thisProgram() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(name)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s %d %d", version, info.Size(), info.ModTime().UnixNano())
}

// foreign reports a side that shares no history with the base branch and has no manifest: another project in the same
// repository, such as its web pages, whose standards are not these.
func (s *session) foreign(f workspace.Fork, proposed judge.Side) (bool, error) {
	if !f.Unrelated {
		return false, nil
	}
	holds, err := judge.HasManifest(s.ctx, proposed.Source)
	return !holds, err
}

// proposedBy is the side that the flags name: a commit, the index, or with neither none, which is the worktree.
func proposedBy(rev string, staged bool) (wire.ProposedSide, error) {
	switch {
	case rev != "" && staged:
		return nil, usage("--staged and --proposed name two different trees; give one of them")
	case rev != "":
		return wire.CommitSource{Source: "commit", Revision: rev}, nil
	case staged:
		return wire.IndexSource{Source: "index"}, nil
	}
	return nil, nil
}

func (s *session) proposed(rev string, staged bool) (judge.Side, error) {
	which, err := proposedBy(rev, staged)
	if err != nil {
		return judge.Side{}, err
	}
	return s.Proposed(s.ctx, which)
}

// judge gives the verdict over two sides and records it.
func (s *session) judge(request judge.Request) (*judge.Outcome, error) {
	outcome, err := s.judgeOnly(request)
	if err != nil {
		return nil, err
	}
	s.record(outcome)
	return outcome, nil
}

func (s *session) judgeOnly(request judge.Request) (*judge.Outcome, error) {
	return s.engine.Between(s.ctx, s, request)
}

// record stores the state of an outcome. The store is a record, never an input: when it cannot be written the verdict
// stands, and one line says that it was not recorded (DESIGN 4).
func (s *session) record(outcome *judge.Outcome) {
	if s.onlyLook {
		return
	}
	if err := judge.Keep(s.ctx, s, outcome); err != nil {
		s.warnNotRecorded(err)
	}
}

func (s *session) warnNotRecorded(err error) { s.warn("not recorded: %s", clean(err.Error())) }

// branchName is the short name of a full ref.
func branchName(ref string) string {
	if name, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
		return name
	}
	return strings.TrimPrefix(ref, "refs/remotes/")
}
