// Package workspace is a Git repository as the operations ask for it (judge.Workspace): which sides there are, who answers, where
// answers are written and where states are recorded. It composes gitext, capture and store, and prints nothing.
//
// A Workspace serves one command or call: what the worktree held when it was first looked at is what it holds to the end.
package workspace

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/trust"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/store"
)

// Options say where the repository is, as Git's own options do, and how it is used.
type Options struct {
	Dir       string // the folder to start from; "" is the working directory
	GitDir    string
	WorkTree  string
	Store     string    // a store file instead of the repository's own
	Principal string    // who answers; "" is the author of commits
	Hook      bool      // Git runs the command as a hook
	Said      io.Writer // what a program says while it waits for somebody; nil drops it
}

// Workspace is an open repository.
type Workspace struct {
	Repo *gitext.Repo
	Dir  string

	principal string
	store     string // absolute, or ""
	isHook    bool
	worktree  content.Source
	session   *judge.Session
	said      io.Writer
	cache     *store.Cache // nil until it is asked for
}

// Open finds and opens a repository. Close gives its memory back.
func Open(ctx context.Context, o Options) (*Workspace, error) {
	repo, err := gitext.Open(ctx, gitext.Options{Dir: o.Dir, GitDir: o.GitDir, WorkTree: o.WorkTree})
	if err != nil {
		return nil, err
	}
	w := &Workspace{Repo: repo, Dir: o.Dir, principal: o.Principal, isHook: o.Hook, said: o.Said}
	if o.Store != "" {
		if w.store, err = gitext.FromDir(o.Dir, o.Store); err != nil {
			repo.Close()
			return nil, err
		}
	}
	return w, nil
}

// Opener is how an engine opens a repository for each of its operations.
func Opener(o Options) func(context.Context) (engine.Workspace, error) {
	return func(ctx context.Context) (engine.Workspace, error) {
		w, err := Open(ctx, o)
		if err != nil {
			return nil, err // and no interface that holds a nil
		}
		return w, nil
	}
}

// Close writes the cache and closes the repository.
func (w *Workspace) Close() {
	if w.cache != nil {
		w.cache.Close()
	}
	w.Repo.Close()
}

// Typed is a repository path as the person at hand writes it. Git runs hooks at the top level and says where it was called.
func (w *Workspace) Typed(name string) string {
	here, err := gitext.FromDir(w.Dir, ".")
	if prefix := os.Getenv("GIT_PREFIX"); w.isHook && err == nil {
		here = filepath.Join(w.Repo.TopLevel, prefix)
	}
	if real, linkErr := filepath.EvalSymlinks(here); linkErr == nil {
		here = real
	}
	rel, relErr := filepath.Rel(here, filepath.Join(w.Repo.TopLevel, name))
	if w.Repo.TopLevel == "" || err != nil || relErr != nil {
		return name
	}
	return rel
}

// Session is who is at the keyboard (RULES F2): the one that was named, else the author that Git would record, else the key that Git
// would sign with. It is found out once.
func (w *Workspace) Session(ctx context.Context) (judge.Session, error) {
	if w.session != nil {
		return *w.session, nil
	}
	s := judge.Session{As: w.principal}
	if s.As == "" {
		if s.Mail, s.NoMail = w.Repo.AuthorMail(ctx); ctx.Err() != nil {
			return s, ctx.Err()
		}
		settings, err := w.Repo.Signing(ctx)
		if err != nil {
			return s, err
		}
		s.Key = capture.Signer{Settings: settings, Dir: w.Repo.TopLevel}.PublicKey()
	}
	w.session = &s
	return s, nil
}

// Sign signs a message with the key that Git would sign a commit with.
func (w *Workspace) Sign(ctx context.Context, message []byte) (string, error) {
	settings, err := w.Repo.Signing(ctx)
	if err != nil {
		return "", err
	}
	return capture.Signer{Settings: settings, Dir: w.Repo.TopLevel, Said: w.said}.Sign(ctx, trust.Namespace, message)
}

// Pin pins a file by the bytes that Git would record for it.
func (w *Workspace) Pin(ctx context.Context, name string) (decisionfile.Evidence, error) {
	worktree, err := w.Worktree()
	if err != nil {
		return decisionfile.Evidence{}, err
	}
	if err := content.CheckPath(name); err != nil {
		return decisionfile.Evidence{}, fault.New(fault.Invalid, "PATH.OUTSIDE", name, "this is no path from the top of a repository").Because(err).Hint("git ls-files")
	}
	data, here, err := content.ReadFile(ctx, worktree.Source, name)
	if err != nil {
		return decisionfile.Evidence{}, err
	}
	if !here {
		return decisionfile.Evidence{}, w.noEvidence(name)
	}
	return decisionfile.Evidence{Path: name, SHA256: identity.Bytes(data)}, nil
}

// noEvidence refuses a path that git would record no file of, and says which files it would, or how it can.
func (w *Workspace) noEvidence(name string) error {
	typed, next := w.Typed(name), "git ls-files"
	info, err := os.Lstat(filepath.Join(w.Repo.TopLevel, name))
	switch {
	case err == nil && info.IsDir():
		next += " -- " + fault.ShellWord(typed)
	case err == nil:
		next = "git add -f -- " + fault.ShellWord(typed) // it is ignored
	}
	return fault.New(fault.Invalid, "EVIDENCE.MISSING", typed, "no file stands there that git would record").Hint(next)
}

// Changes lists the paths in which two sides differ.
func (w *Workspace) Changes(ctx context.Context, accepted, proposed content.Source) ([]content.Change, error) {
	return capture.Changes(ctx, accepted, proposed)
}

// Save writes and stages answers, and removes those that they replace.
func (w *Workspace) Save(ctx context.Context, write map[string][]byte, remove []string, stage bool) error {
	names, err := writeFiles(w.Repo.TopLevel, write, remove)
	if err != nil {
		return err
	}
	w.worktree = nil // it has changed
	if !stage {
		return nil
	}
	if err := w.Repo.Stage(ctx, append(names, remove...)); err != nil {
		return NotStaged("the answers are written, but the index could not be changed", err)
	}
	return nil
}

// NotStaged says what is done already and how to finish it, after what mends the cause.
func NotStaged(done string, err error) error {
	f := fault.New(fault.Unavailable, "INDEX.NOT_STAGED", "", "%s", done).Because(err)
	if cause := fault.As(err); cause != nil {
		f.Hint(cause.Next...)
	}
	return f.Hint("git add -A :/" + corpus.DecisionsFolder)
}
