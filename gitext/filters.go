package gitext

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
)

// withFilters is an environment in which git runs clean filters as git add would: with the variables that tie a git to a
// repository as they were when this repository was opened. Those by which we name it, and our private index, would make
// `git init` in a filter change the user's configuration, and `git add` in it write to our index.
func (r *Repo) withFilters(ctx context.Context, env []string) ([]string, error) {
	out, err := r.plainAny(ctx, "config", "-z", "--get-regexp", `^filter\..*\.(clean|process)$`)
	if err != nil {
		return nil, err
	}
	if out.code > 1 {
		return nil, out.failed()
	}
	filters := map[string]string{} // the last of each key counts
	for record := range records(out.stdout) {
		key, command, _ := strings.Cut(record, "\n")
		filters[key] = command
	}
	restore := r.restoring()
	// What `git -c` was given stands in this variable, too, and the last counts.
	given := lookup(env, "GIT_CONFIG_PARAMETERS")
	for _, key := range slices.Sorted(maps.Keys(filters)) {
		command := filters[key]
		if command == "" {
			continue // no filter
		}
		if r.NoFilters {
			required := key[:strings.LastIndexByte(key, '.')] + ".required=false"
			given = strings.TrimPrefix(given+" "+fault.PosixWord(key+"=")+" "+fault.PosixWord(required), " ")
			continue
		}
		before := restore
		if strings.HasSuffix(key, ".clean") {
			before = strings.ReplaceAll(before, "%", "%%") // %f is the path there
		}
		given = strings.TrimPrefix(given+" "+fault.PosixWord(key)+"="+fault.PosixWord(before+command), " ")
	}
	return setEnv(env, "GIT_CONFIG_PARAMETERS", given), nil
}

// filtering is call for what may run clean filters.
func (r *Repo) filtering(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	env, err := r.withFilters(ctx, r.env)
	if err != nil {
		return nil, err
	}
	out, err := run(ctx, r.git, r.dir, env, stdin, slices.Concat(overrides, args)...)
	if err == nil && out.code != 0 {
		err = out.failed()
	}
	return out.stdout, err
}

// restoring is what a shell runs before a filter. What Git found by itself it does not name in the main worktree, and
// would find again; what it was told it passes on.
func (r *Repo) restoring() string {
	var b strings.Builder
	for _, name := range localVariables {
		value := lookup(r.env, name)
		if value == "" || r.found && (name == "GIT_DIR" || name == "GIT_WORK_TREE") {
			b.WriteString("unset " + name + "; ")
		} else {
			b.WriteString("export " + name + "=" + fault.PosixWord(value) + "; ")
		}
	}
	return b.String()
}
