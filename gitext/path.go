package gitext

import (
	"path/filepath"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
)

// FromDir returns the absolute path of what a person named from a directory, as git -C would take it; "" is the current
// directory.
func FromDir(dir, path string) (string, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fault.New(fault.Unavailable, "PATH.UNREADABLE", path, "the current directory cannot be found").Because(err)
	}
	return abs, nil
}

// Relative returns the repository path of a file that a person named from the directory the repository was opened in.
// The file need not exist. A path outside the worktree is PATH.OUTSIDE, invalid.
func (r *Repo) Relative(path string) (string, error) {
	if err := r.NeedWorktree(); err != nil {
		return "", err
	}
	abs, err := FromDir(r.start, path)
	if err != nil {
		return "", err
	}
	// Git names the top level without symbolic links; the file itself may be one, and its directory need not exist yet.
	for dir := filepath.Dir(abs); dir != "/"; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			abs = filepath.Join(real, strings.TrimPrefix(abs, dir))
			break
		}
	}
	top, err := filepath.EvalSymlinks(r.TopLevel)
	if err != nil {
		top = r.TopLevel
	}
	rel, err := filepath.Rel(top, abs)
	if err != nil || rel == "." || rel == ".." || strings.HasPrefix(rel, "../") {
		return "", fault.New(fault.Invalid, "PATH.OUTSIDE", path, "the path is not below the worktree %q", r.TopLevel).
			Hint("cd " + fault.ShellWord(r.TopLevel))
	}
	return filepath.ToSlash(rel), nil
}
