package gitext

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
)

// MergeBases returns the best common ancestors of two commits, sorted; none without common history. Where a deeper clone could say
// otherwise, the fault is HISTORY.SHALLOW, unavailable.
func (r *Repo) MergeBases(ctx context.Context, one, other string) ([]string, error) {
	return r.mergeBases(ctx, one, other)
}

// mergeBases returns the best common ancestors of a commit and a hypothetical merge of others, sorted; none without
// common history. In a shallow repository the answer must not hang on history that is not here, else HISTORY.SHALLOW.
func (r *Repo) mergeBases(ctx context.Context, one string, others ...string) ([]string, error) {
	if merges, ok, err := r.expectedBases(ctx, one, others); ok || err != nil {
		return merges, err
	}
	if len(others) == 1 && others[0] == one { // on the base branch itself, or where a topic begins
		return []string{one}, r.checkDepthOfHistory(ctx, []string{one}, []string{one})
	}
	out, err := r.try(ctx, slices.Concat([]string{"merge-base", "--all", one}, others)...)
	if err != nil {
		return nil, err
	}
	if out.code != 0 && (out.code != 1 || len(out.stdout) > 0) || out.complained() {
		return nil, out.failed()
	}
	merges := strings.Fields(string(out.stdout))
	slices.Sort(merges)
	return merges, r.checkDepthOfHistory(ctx, append([]string{one}, others...), merges)
}

// checkDepthOfHistory refuses merge bases that a deeper clone could contradict, and ranges from them that one would read
// otherwise. Parents were cut off only at the
// boundary commits. One that lies behind a merge base hides only what lies still further behind; one that does not may
// hide a nearer base.
func (r *Repo) checkDepthOfHistory(ctx context.Context, tips, merges []string) error {
	boundary, err := r.shallowBoundary()
	if err != nil || len(boundary) == 0 {
		return err
	}
	args := append([]string{"rev-list"}, tips...)
	for _, id := range merges {
		args = append(args, "^"+id)
	}
	out, err := r.call(ctx, append(args, "--")...)
	if err != nil {
		return err
	}
	for id := range strings.FieldsSeq(string(out)) {
		if boundary[id] {
			return shallow(id)
		}
	}
	return nil
}

func shallow(id string) *fault.Error {
	return fault.New(fault.Unavailable, "HISTORY.SHALLOW", id, "this shallow clone ends before what is asked for is certain").
		Hint("git fetch --unshallow")
}

// shallowBoundary returns the commits whose parents this clone does not have.
func (r *Repo) shallowBoundary() (map[string]bool, error) {
	if !r.Shallow {
		return nil, nil
	}
	path := filepath.Join(r.CommonDir, "shallow")
	if inherited := lookup(r.env, "GIT_SHALLOW_FILE"); inherited != "" {
		path = inherited
	}
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.Unavailable, "HISTORY.SHALLOW", path, "the list of shallow commits cannot be read").Because(err).
			Hint("git fetch --unshallow")
	}
	boundary := map[string]bool{}
	for id := range strings.FieldsSeq(string(data)) {
		boundary[id] = true
	}
	return boundary, nil
}

// CommitsOf lists the commits behind a tip and behind none of some others that changed a file, the oldest first.
func (r *Repo) CommitsOf(ctx context.Context, without []string, tip, file string) ([]string, error) {
	args := []string{"rev-list", "--reverse", "--topo-order", tip}
	for _, id := range without {
		args = append(args, "^"+id)
	}
	out, err := r.call(ctx, append(args, "--", file)...)
	return strings.Fields(string(out)), err
}

// countCommits counts base..tip.
func (r *Repo) countCommits(ctx context.Context, base, tip string) (int, error) {
	out, err := r.call(ctx, "rev-list", "--count", tip, "^"+base, "--")
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

// ref is a branch, here or as last seen on a remote.
type ref struct {
	name   string // whole
	id     string // of its commit
	symref string // what it points to, "" for most
}

func (r ref) local() bool { return strings.HasPrefix(r.name, "refs/heads/") }

func (r *Repo) listRefs(ctx context.Context) ([]ref, error) {
	const format = "--format=%(objecttype)%00%(refname)%00%(objectname)%00%(symref)"
	out, err := r.call(ctx, "for-each-ref", format, "refs/heads", "refs/remotes")
	if err != nil {
		return nil, err
	}
	var refs []ref
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if len(fields) != 4 {
			return nil, unreadable("for-each-ref", line)
		}
		if fields[0] == "commit" {
			refs = append(refs, ref{name: fields[1], id: fields[2], symref: fields[3]})
		}
	}
	return refs, nil
}
