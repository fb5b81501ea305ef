package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/store"
)

// session is one command's view of a repository.
type session struct {
	*console
	ctx    context.Context
	repo   *gitext.Repo
	engine *judge.Judge
	dir    string // where -C leads, or ""
	store  string // --store, absolute, or ""

	isHook     bool   // Git runs it
	onlyStatus bool   // what has nothing to tell is one line
	sides      string // the options that name the sides, as the next command needs them too

	worktree content.Source // as it was when it was first looked at
}

// onRepository is the action of a command that works on a repository.
func onRepository(run func(*session, *cli.Context) error) cli.ActionFunc {
	return func(cc *cli.Context) error {
		s, err := open(cc)
		if err != nil {
			return err
		}
		defer s.close()
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

// open begins a command that works on a repository.
func open(cc *cli.Context) (*session, error) {
	c, err := begin(cc)
	if err != nil {
		return nil, err
	}
	repo, err := gitext.Open(cc.Context, gitext.Options{Dir: directory(cc), GitDir: cc.String("git-dir"), WorkTree: cc.String("work-tree")})
	if err != nil {
		return nil, err
	}
	s := &session{console: c, ctx: cc.Context, repo: repo, engine: judge.New(), dir: directory(cc)}
	if path := cc.String("store"); path != "" {
		if s.store, err = gitext.FromDir(s.dir, path); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *session) close() { s.repo.Close() }

// commitSide is the side of a commit; "" is the empty tree before the first commit.
func (s *session) commitSide(id string) (judge.Side, error) {
	if id == "" {
		return judge.Side{Info: wire.Side{Source: "empty"}, Source: content.Empty}, nil
	}
	commit, isCommit, err := s.repo.Peel(s.ctx, id) // an id needs no child process to be resolved
	if err == nil && !isCommit {
		err = fault.New(fault.Invalid, "REVISION.UNKNOWN", id, "%q names no commit here", id)
	}
	if err != nil {
		return judge.Side{}, err
	}
	source, err := s.treeSource(commit.Tree)
	return judge.Side{Info: wire.Side{Source: "commit", Commit: &commit.ID, Tree: &commit.Tree}, Source: source}, err
}

func (s *session) treeSource(tree string) (content.Source, error) {
	objects, err := s.repo.Objects(s.ctx)
	if err != nil {
		return nil, err
	}
	return capture.Tree(s.repo, objects, tree), nil
}

func (s *session) indexSide() judge.Side {
	return judge.Side{Info: wire.Side{Source: "index"}, Source: capture.Index(s.repo)}
}

func (s *session) worktreeSide() (judge.Side, error) {
	if err := s.repo.NeedWorktree(); err != nil {
		return judge.Side{}, err
	}
	if s.worktree == nil {
		s.worktree = capture.Worktree(s.repo)
	}
	return judge.Side{Info: wire.Side{Source: "worktree"}, Source: s.worktree}, nil
}

// gateOf is the gate of a commit's manifest. Text that cannot be read has the gate's defaults: the verdict will say what
// is wrong with it.
func (s *session) gateOf(commit string) (authored.Gate, error) {
	side, err := s.commitSide(commit)
	if err != nil {
		return authored.Gate{}, err
	}
	data, here, err := content.ReadFile(s.ctx, side.Source, corpus.ManifestPath)
	if err != nil || !here {
		return authored.Gate{}, err
	}
	manifest, _ := authored.ParseManifest(corpus.ManifestPath, data)
	if manifest == nil {
		return authored.Gate{}, nil
	}
	return manifest.Gate, nil
}

// forkPoint chooses the accepted side of what is about to be committed on HEAD, or of what is there (RULES B2, B3).
func (s *session) forkPoint() (fork, error) {
	head, unborn, err := s.repo.Head(s.ctx)
	if err != nil {
		return fork{}, err
	}
	if unborn {
		side, err := s.commitSide("")
		return fork{Side: side, base: &wire.Base{Why: "no commit yet"}}, err
	}
	others, err := s.repo.MergeParents(s.ctx)
	if err != nil {
		return fork{}, err
	}
	return s.forkPointOf(gitext.ForkRequest{Tip: head.ID, OtherParents: others})
}

// fork is the accepted side of a tip, and how it was found. Its Source is nil where nothing is to be judged.
type fork struct {
	judge.Side
	base      *wire.Base
	unrelated bool
}

func (s *session) forkPointOf(request gitext.ForkRequest) (fork, error) {
	gate, err := s.gateOf(request.Tip)
	if err != nil {
		return fork{}, err
	}
	request.Base = gate.Base
	found, err := s.repo.ForkPoint(s.ctx, request)
	if err != nil {
		return fork{}, err
	}
	f := fork{base: &wire.Base{Why: found.Why}, unrelated: found.Unrelated}
	if found.Branch != "" {
		f.base.Branch = &found.Branch
	}
	if found.None {
		return f, nil
	}
	f.Side, err = s.commitSide(found.Accepted)
	return f, err
}

// foreign reports a side that shares no history with the base branch and has no manifest: another project in the same
// repository, such as its web pages, whose standards are not these.
func (s *session) foreign(f fork, proposed judge.Side) (bool, error) {
	if !f.unrelated {
		return false, nil
	}
	holds, err := judge.HasManifest(s.ctx, proposed.Source)
	return !holds, err
}

// accepted is the side that --accepted names, or the fork point.
func (s *session) accepted(rev string) (judge.Side, *wire.Base, error) {
	if rev == "" {
		fork, err := s.forkPoint()
		return fork.Side, fork.base, err
	}
	commit, err := s.repo.Commit(s.ctx, rev)
	if err != nil {
		return judge.Side{}, nil, err
	}
	side, err := s.commitSide(commit.ID)
	return side, nil, err
}

// proposed is the side that the flags name: a commit, the index, or the worktree.
func (s *session) proposed(rev string, staged bool) (judge.Side, error) {
	switch {
	case rev != "" && staged:
		return judge.Side{}, usage("--staged and --proposed name two different trees; give one of them")
	case rev != "":
		commit, err := s.repo.Commit(s.ctx, rev)
		if err != nil {
			return judge.Side{}, err
		}
		return s.commitSide(commit.ID)
	case staged:
		return s.indexSide(), nil
	}
	return s.worktreeSide()
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
	request.Typed = s.typed
	if request.Changes == nil {
		changes, err := capture.Changes(s.ctx, request.Accepted.Source, request.Proposed.Source)
		if err != nil {
			return nil, err
		}
		request.Changes = changes
	}
	return s.engine.Prepare(s.ctx, request)
}

// typed is a repository path as the person at hand writes it. Git runs hooks at the top level and says where it was called.
func (s *session) typed(name string) string {
	here, err := gitext.FromDir(s.dir, ".")
	if prefix := os.Getenv("GIT_PREFIX"); s.isHook && err == nil {
		here = filepath.Join(s.repo.TopLevel, prefix)
	}
	if real, linkErr := filepath.EvalSymlinks(here); linkErr == nil {
		here = real
	}
	rel, relErr := filepath.Rel(here, filepath.Join(s.repo.TopLevel, name))
	if s.repo.TopLevel == "" || err != nil || relErr != nil {
		return name
	}
	return rel
}

// record stores the state of an outcome. The store is a record, never an input: when it cannot be written the verdict
// stands, and one line says that it was not recorded (DESIGN 4).
func (s *session) record(outcome *judge.Outcome) {
	if outcome.Analysis == nil {
		return
	}
	err := s.withStore(store.Create, func(st *store.Store) error { return judge.Record(s.ctx, st, outcome) })
	if err != nil {
		s.warn("not recorded: %s", clean(err.Error()))
	}
}

func (s *session) withStore(mode store.Mode, use func(*store.Store) error) error {
	st, err := s.openStore(mode)
	if err != nil {
		return err
	}
	defer st.Close()
	return use(st)
}

func (s *session) openStore(mode store.Mode) (*store.Store, error) {
	path, err := s.storePath()
	if err != nil {
		return nil, err
	}
	st, err := store.Open(s.ctx, path, judge.Codecs(), mode)
	if f := fault.As(err); f != nil && s.store != "" {
		f.Next = nil // a file that was named by mistake is not to be moved out of the way
	}
	return st, err
}

// storePath is the store that --store names, or the repository's own (DESIGN 4).
func (s *session) storePath() (string, error) {
	if s.store != "" {
		return s.store, nil
	}
	worktree, _, _, err := s.repo.ConfigScope(s.ctx, "core.worktree")
	if err != nil {
		return "", err
	}
	return store.Location(s.repo.CommonDir, worktree), nil
}

// branchName is the short name of a full ref.
func branchName(ref string) string {
	if name, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
		return name
	}
	return strings.TrimPrefix(ref, "refs/remotes/")
}
