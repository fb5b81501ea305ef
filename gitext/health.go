package gitext

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/git-standards/git-standards/engine/fault"
)

// Permit is the command that lets this user read a path: of the first folder on the way, or of the path itself, that may not be
// entered or read. It is nil where nothing is in the way; what belongs to somebody else is only shown.
func Permit(path string) []string {
	const readOK, enterOK = 4, 1
	on := []string{path}
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		on = append(on, dir)
	}
	for i, name := range slices.Backward(on) {
		info, err := os.Stat(name)
		if err != nil {
			return nil
		}
		need := uint32(readOK)
		if info.IsDir() {
			need = enterOK
			if i == 0 {
				need |= readOK
			}
		}
		if syscall.Access(name, need) == nil {
			continue
		}
		if owner, known := info.Sys().(*syscall.Stat_t); known && int(owner.Uid) == os.Geteuid() {
			return []string{"chmod u+rwX -- " + fault.ShellWord(name)}
		}
		return []string{"ls -ld " + fault.ShellWord(name)}
	}
	return nil
}

// ExecPath is the folder where git looks for its commands before PATH, of the git that a PATH leads to. Faults: GIT.MISSING and GIT.FAILED.
func ExecPath(ctx context.Context, path string) (string, error) {
	git, err := findGit(path)
	if err != nil {
		return "", err
	}
	out, err := (&Repo{git: git, env: childEnv(os.Environ())}).plain(ctx, "--exec-path")
	return strings.TrimSpace(string(out.stdout)), err
}

// SettingsLike returns the settings whose keys match a pattern of git's, in git's order, each as a key and a value. A key is in lower
// case but for its middle part.
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
