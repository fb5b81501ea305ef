package gitext

import (
	"context"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
)

// OwnSettings returns the values of a key that stand in this repository's own configuration, that of the worktree among it: not what the
// user, the machine, the command line or the environment says of every repository, nor a file that is included, for that can be one
// of the tree.
func (r *Repo) OwnSettings(ctx context.Context, key string) ([]string, error) {
	out, err := r.plainAny(ctx, "config", "-z", "--no-includes", "--show-scope", "--get-all", key)
	if err != nil {
		return nil, err
	}
	fields := strings.Split(strings.TrimSuffix(string(out.stdout), "\x00"), "\x00")
	switch {
	case out.code == 1 && len(out.stdout) == 0:
		return nil, nil
	case out.code != 0 || len(fields)%2 != 0:
		return nil, out.failed()
	}
	var own []string
	for i := 0; i < len(fields); i += 2 {
		if fields[i] == "local" || fields[i] == "worktree" {
			own = append(own, fields[i+1])
		}
	}
	return own, nil
}

// Settings returns the values of a key, whoever set it: those of the command line last.
func (r *Repo) Settings(ctx context.Context, key string) ([]string, error) {
	out, err := r.plainAny(ctx, "config", "-z", "--get-all", key)
	if err != nil {
		return nil, err
	}
	if out.code > 1 {
		return nil, out.failed()
	}
	return slices.Collect(records(out.stdout)), nil
}

// AddOwnSetting adds a value of a key to this repository's own configuration, which all its worktrees share.
func (r *Repo) AddOwnSetting(ctx context.Context, key, value string) error {
	out, err := r.plainAny(ctx, "config", "--local", "--add", key, value)
	if err != nil {
		return err
	}
	if out.code != 0 {
		return fault.New(fault.Unavailable, "GIT.FAILED", "git config", "%s cannot be set in the repository's configuration", key).
			Because(out.cause()).Hint("git config --local --add " + key + " " + fault.ShellWord(value))
	}
	return nil
}

// RemoveOwnSetting removes a value of a key from this repository's own configuration; that it is not there is no fault.
func (r *Repo) RemoveOwnSetting(ctx context.Context, key, value string) error {
	out, err := r.plainAny(ctx, "config", "--local", "--fixed-value", "--unset-all", key, value)
	if err != nil {
		return err
	}
	if out.code != 0 && out.code != 5 { // 5: there is no such value
		return fault.New(fault.Unavailable, "GIT.FAILED", "git config", "%s cannot be removed from the repository's configuration", key).
			Because(out.cause()).Hint("git config --local --fixed-value --unset-all " + key + " " + fault.ShellWord(value))
	}
	return nil
}

// Remotes lists the remotes that are configured, sorted.
func (r *Repo) Remotes(ctx context.Context) ([]string, error) {
	out, err := r.plain(ctx, "remote")
	if err != nil {
		return nil, err
	}
	return strings.Fields(string(out.stdout)), nil
}
