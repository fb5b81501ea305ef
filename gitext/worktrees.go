package gitext

import (
	"context"
	"slices"
	"strings"
)

// OtherWorktrees returns the folders of the repository's worktrees but for the one it was opened in, as Git remembers them:
// one may be gone, or hold something else by now.
func (r *Repo) OtherWorktrees(ctx context.Context) ([]string, error) {
	out, err := r.call(ctx, "worktree", "list", "--porcelain", "-z")
	if err != nil {
		return nil, err
	}
	var all []string
	for entry := range strings.SplitSeq(string(out), "\x00\x00") {
		lines := strings.Split(entry, "\x00")
		path, isWorktree := strings.CutPrefix(lines[0], "worktree ")
		if isWorktree && path != r.TopLevel && !slices.Contains(lines, "bare") {
			all = append(all, path)
		}
	}
	return all, nil
}

// WithoutRepository is an environment in which a git finds the repository of the folder it is started in.
func WithoutRepository(environ []string) []string { return unsetEnv(environ, localVariables...) }
