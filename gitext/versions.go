package gitext

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// Versions returns the blobs that each of some paths had in the commits of base..head, newest first, each once; most bounds the
// commits that are looked at, of all paths together. base "" is before the first commit. No path has no versions.
func (r *Repo) Versions(ctx context.Context, base, head string, paths []string, most int) (map[string][]string, error) {
	ids := make(map[string][]string, len(paths))
	if len(paths) == 0 {
		return ids, nil // to git, that would be every path
	}
	out, err := r.rawHistory(ctx, base, head, paths, "-m", "--max-count="+strconv.Itoa(most))
	if err != nil {
		return nil, err
	}
	err = eachRaw(out, func(c rawChange) {
		if slices.Contains(paths, c.name) && strings.HasPrefix(c.mode, "100") && !IsZero(c.id) && !slices.Contains(ids[c.name], c.id) {
			ids[c.name] = append(ids[c.name], c.id)
		}
	})
	return ids, err
}

// rawHistory is the raw differences of the commits of base..head below paths, newest first; base "" is before the first commit.
// merges says how those of a merge are shown, and limits which commits are looked at.
func (r *Repo) rawHistory(ctx context.Context, base, head string, under []string, merges string, limits ...string) ([]byte, error) {
	args := append([]string{"rev-list", "--full-history", "--topo-order"}, append(limits, head)...)
	if base != "" {
		args = append(args, "^"+base)
	}
	under = append([]string{"--"}, under...)
	commits, err := r.call(ctx, append(args, under...)...)
	if err != nil || len(commits) == 0 {
		return nil, err
	}
	args = slices.Concat([]string{"diff-tree", "--stdin", "--no-commit-id", "--root", merges, "-r"}, plainDiff, under)
	return r.feed(ctx, commits, args...)
}

// rawChange is the proposed side of one raw difference. status has a letter for each parent.
type rawChange struct{ name, mode, id, status string }

// eachRaw reads the raw differences of commits. A merge of n parents has n colons, n+1 modes, n+1 ids and n letters.
func eachRaw(out []byte, use func(rawChange)) error {
	head := ""
	for record := range records(out) {
		if head == "" {
			head = record
			continue
		}
		rest := strings.TrimLeft(head, ":")
		sides := len(head) - len(rest) + 1
		fields := strings.Split(rest, " ")
		if sides < 2 || len(fields) != 2*sides+1 {
			return unreadable("diff-tree", head)
		}
		head = ""
		use(rawChange{name: record, mode: fields[sides-1], id: fields[2*sides-1], status: fields[2*sides]})
	}
	return nil
}
