package workspace

import (
	"context"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext"
)

// Commit is the side of a commit by its id; "" is the empty tree before the first commit.
func (w *Workspace) Commit(ctx context.Context, id string) (judge.Side, error) {
	if id == "" {
		return judge.Side{Info: wire.Side{Source: "empty"}, Source: content.Empty}, nil
	}
	commit, isCommit, err := w.Repo.Peel(ctx, id) // an id needs no child process to be resolved
	if err == nil && !isCommit {
		err = fault.New(fault.Invalid, "REVISION.UNKNOWN", id, "%q names no commit here", id)
	}
	if err != nil {
		return judge.Side{}, err
	}
	source, err := w.Tree(ctx, commit.Tree)
	return judge.Side{Info: wire.Side{Source: "commit", Commit: &commit.ID, Tree: &commit.Tree}, Source: source}, err
}

// Tree is the files of a tree by its id.
func (w *Workspace) Tree(ctx context.Context, tree string) (content.Source, error) {
	objects, err := w.Repo.Objects(ctx)
	if err != nil {
		return nil, err
	}
	return capture.Tree(w.Repo, objects, tree), nil
}

// Index is the index that Git names for this process.
func (w *Workspace) Index() judge.Side {
	return judge.Side{Info: wire.Side{Source: "index"}, Source: capture.Index(w.Repo)}
}

// Worktree is what `git add -A` would record now.
func (w *Workspace) Worktree() (judge.Side, error) {
	if err := w.Repo.NeedWorktree(); err != nil {
		return judge.Side{}, err
	}
	if w.worktree == nil {
		w.worktree = capture.Worktree(w.Repo)
	}
	return judge.Side{Info: wire.Side{Source: "worktree"}, Source: w.worktree}, nil
}

// Proposed is the side of a request (RULES B4).
func (w *Workspace) Proposed(ctx context.Context, which wire.ProposedSide) (judge.Side, error) {
	switch p := which.(type) {
	case wire.IndexSource:
		return w.Index(), nil
	case wire.CommitSource:
		commit, err := w.Repo.Commit(ctx, p.Revision)
		if err != nil {
			return judge.Side{}, err
		}
		return w.Commit(ctx, commit.ID)
	}
	return w.Worktree()
}

// Accepted is the side of a revision, or the fork point (RULES B2).
func (w *Workspace) Accepted(ctx context.Context, revision string) (judge.Side, *wire.Base, error) {
	if revision == "" {
		fork, err := w.ForkPoint(ctx)
		return fork.Side, fork.Base, err
	}
	commit, err := w.Repo.Commit(ctx, revision)
	if err != nil {
		return judge.Side{}, nil, err
	}
	side, err := w.Commit(ctx, commit.ID)
	return side, nil, err
}

// Fork is the accepted side of a tip, and how it was found. Its Source is nil where nothing is to be judged. Wanted is the base branch that the
// tip's manifest names, "" where it names none.
type Fork struct {
	judge.Side
	Base      *wire.Base
	Wanted    string
	Unrelated bool
}

// ForkPoint chooses the accepted side of what is about to be committed on HEAD, or of what is there (RULES B2, B3).
func (w *Workspace) ForkPoint(ctx context.Context) (Fork, error) {
	w.Repo.Foresee(ctx) // which branches there are, while HEAD is looked up
	head, unborn, err := w.Repo.Head(ctx)
	if err != nil {
		return Fork{}, err
	}
	if unborn {
		side, err := w.Commit(ctx, "")
		return Fork{Side: side, Base: &wire.Base{Why: "no commit yet"}}, err
	}
	others, err := w.Repo.MergeParents(ctx)
	if err != nil {
		return Fork{}, err
	}
	return w.ForkPointOf(ctx, gitext.ForkRequest{Tip: head.ID, OtherParents: others})
}

// ForkPointOf chooses it for a tip. The base branch is the one that the tip's manifest names.
func (w *Workspace) ForkPointOf(ctx context.Context, request gitext.ForkRequest) (Fork, error) {
	gate, err := w.GateOf(ctx, request.Tip)
	if err != nil {
		return Fork{}, err
	}
	request.Base = gate.Base
	found, err := w.Repo.ForkPoint(ctx, request)
	if err != nil {
		return Fork{}, err
	}
	f := Fork{Base: &wire.Base{Why: found.Why}, Wanted: gate.Base, Unrelated: found.Unrelated}
	if found.Branch != "" {
		f.Base.Branch = &found.Branch
	}
	if found.None {
		return f, nil
	}
	f.Side, err = w.Commit(ctx, found.Accepted)
	return f, err
}

// GateOf is the gate of a commit's manifest. Text that cannot be read has the gate's defaults: the verdict will say what
// is wrong with it.
func (w *Workspace) GateOf(ctx context.Context, commit string) (authored.Gate, error) {
	side, err := w.Commit(ctx, commit)
	if err != nil {
		return authored.Gate{}, err
	}
	data, here, err := content.ReadFile(ctx, side.Source, corpus.ManifestPath)
	if err != nil || !here {
		return authored.Gate{}, err
	}
	manifest, _ := authored.ParseManifest(corpus.ManifestPath, data)
	if manifest == nil {
		return authored.Gate{}, nil
	}
	return manifest.Gate, nil
}
