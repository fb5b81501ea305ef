package gitext

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
)

// ExecPath is the folder where git looks for its commands before PATH, of the git that a PATH leads to. Faults: GIT.MISSING and GIT.FAILED.
func ExecPath(ctx context.Context, path string) (string, error) {
	git, err := findGit(path)
	if err != nil {
		return "", err
	}
	out, err := (&Repo{git: git, env: childEnv(os.Environ())}).plain(ctx, "--exec-path")
	return strings.TrimSpace(string(out.stdout)), err
}

// SettingsLike returns the settings whose keys match a pattern of git's, in git's order, each as a key and a value. A key is in lower case but
// for its middle part.
func (r *Repo) SettingsLike(ctx context.Context, pattern string) ([][2]string, error) {
	out, err := r.plainAny(ctx, "config", "-z", "--get-regexp", pattern)
	if err != nil {
		return nil, err
	}
	if out.code > 1 {
		return nil, out.failed()
	}
	var list [][2]string
	for record := range records(out.stdout) {
		key, value, _ := strings.Cut(record, "\n")
		list = append(list, [2]string{key, value})
	}
	return list, nil
}

// PackReader is what packed objects of this repository are read with: libgit2 where it knows the object format, else git.
func (r *Repo) PackReader() string {
	if openLibgit2(r.ObjectFormat, nil) == nil {
		return "git"
	}
	return "libgit2"
}

// Alternates are the folders of objects that this repository borrows from, as deep as git follows them, and of these the ones that are not
// there.
func (r *Repo) Alternates() (all, missing []string) {
	for _, dir := range withAlternates(r.objectDirs()) {
		if dir == r.ObjectsDir {
			continue
		}
		all = append(all, dir)
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			missing = append(missing, dir)
		}
	}
	return all, missing
}

// IndexFile is the path of the index that git names for this process. The error is what git says where it cannot be read.
func (r *Repo) IndexFile(ctx context.Context) (path string, err error) {
	if !r.Bare {
		_, err = r.call(ctx, "ls-files", "-z", "--", ".gitattributes") // any path: git reads the whole index
	}
	return r.indexFile, err
}

// IsIgnored reports whether Git ignores a path of the worktree, which need not be there, and tracked whether the index holds it or what is
// below it.
func (r *Repo) IsIgnored(ctx context.Context, path string) (ignored, tracked bool, err error) {
	rel, err := filepath.Rel(r.TopLevel, path)
	if err != nil || !filepath.IsLocal(rel) {
		return false, false, fault.New(fault.Invalid, "PATH.OUTSIDE", path, "this is not in the worktree")
	}
	listed, err := r.call(ctx, "ls-files", "-z", "--", rel)
	if err != nil {
		return false, false, err
	}
	out, err := r.plainAny(ctx, "check-ignore", "-q", "--no-index", "--", rel) // which knows no literal pathspecs
	if err == nil && out.code > 1 {
		err = out.failed()
	}
	return out.code == 0, len(listed) > 0, err
}
