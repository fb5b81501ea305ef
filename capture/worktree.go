package capture

import (
	"context"

	"github.com/git-standards/git-standards/gitext"
)

// worktree asks once how the worktree differs from the index; its list and its changes both build on that.
type worktree struct {
	repo     *gitext.Repo
	unstaged []gitext.Change
	asked    bool
}

func (w *worktree) ask(ctx context.Context) ([]gitext.Change, error) {
	if w.asked {
		return w.unstaged, nil
	}
	changes, err := w.repo.DiffWorktree(ctx)
	if err != nil {
		return nil, err
	}
	w.unstaged, w.asked = changes, true
	return changes, nil
}

func (w *worktree) list(ctx context.Context) ([]gitext.Entry, error) {
	unstaged, err := w.ask(ctx)
	if err != nil {
		return nil, err
	}
	return w.repo.Worktree(ctx, unstaged)
}

// diff lays what changed between the index and the worktree over what changed between a tree and the index.
func (w *worktree) diff(ctx context.Context, tree string) ([]gitext.Change, error) {
	staged, err := w.repo.DiffIndex(ctx, tree)
	if err != nil {
		return nil, err
	}
	unstaged, err := w.ask(ctx)
	if err != nil {
		return nil, err
	}
	changes := make(map[string]gitext.Change, len(staged)+len(unstaged))
	for _, change := range staged {
		changes[change.Name] = change
	}
	for _, change := range unstaged {
		// Where the index does not differ from the tree, its entry is the tree's.
		if below, ok := changes[change.Name]; ok {
			change.Old = below.Old
		}
		if change.Old == nil && change.New == nil {
			delete(changes, change.Name)
			continue
		}
		changes[change.Name] = change
	}
	result := make([]gitext.Change, 0, len(changes))
	for _, change := range changes {
		result = append(result, change)
	}
	return result, nil
}
