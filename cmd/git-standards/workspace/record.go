package workspace

import (
	"context"
	"path/filepath"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/store"
)

// View opens the store for reading. One that is not there is STORE.MISSING.
func (w *Workspace) View(ctx context.Context, use func(authority.Repository) error) error {
	return w.with(ctx, store.ReadOnly, use)
}

// Record opens the store for writing, and makes it where there is none.
func (w *Workspace) Record(ctx context.Context, use func(authority.Repository) error) error {
	return w.with(ctx, store.Create, use)
}

func (w *Workspace) with(ctx context.Context, mode store.Mode, use func(authority.Repository) error) error {
	st, err := w.OpenStore(ctx, mode)
	if err != nil {
		return err
	}
	defer st.Close()
	return use(st)
}

// OpenStore opens the store for as long as the caller needs it.
func (w *Workspace) OpenStore(ctx context.Context, mode store.Mode) (*store.Store, error) {
	path, err := w.StorePath(ctx)
	if err != nil {
		return nil, err
	}
	st, err := store.Open(ctx, path, judge.Codecs(), mode)
	if f := fault.As(err); f != nil && w.store != "" {
		f.Next = nil // a file that was named by mistake is not to be moved out of the way
	}
	return st, err
}

// StorePath is the store that was named, or the repository's own (DESIGN 4).
func (w *Workspace) StorePath(ctx context.Context) (string, error) {
	if w.store != "" {
		return w.store, nil
	}
	return w.place(ctx)
}

// place is where the repository's own store is. Git is asked only where it matters.
func (w *Workspace) place(ctx context.Context) (string, error) {
	if filepath.Base(w.Repo.CommonDir) == ".git" {
		return store.Location(w.Repo.CommonDir, ""), nil
	}
	worktree, _, _, err := w.Repo.ConfigScope(ctx, "core.worktree")
	if err != nil {
		return "", err
	}
	return store.Location(w.Repo.CommonDir, worktree), nil
}

// Cache keeps what was compiled beside the repository's own store. It is for what tells somebody at a prompt or in a commit what is
// asked, and for nothing that decides what lands. Close writes it.
func (w *Workspace) Cache(ctx context.Context) corpus.Cache {
	if w.cache == nil {
		folder := func() string {
			path, err := w.place(ctx)
			if err != nil {
				return ""
			}
			return filepath.Dir(path)
		}
		w.cache = store.NewCache(folder)
	}
	return w.cache
}
