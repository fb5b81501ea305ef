package gitext

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// Versions returns the blobs that a path had in the commits of base..head, newest first, each once; most bounds the commits
// that are looked at. base "" is before the first commit.
func (r *Repo) Versions(ctx context.Context, base, head, path string, most int) ([]string, error) {
	out, err := r.rawHistory(ctx, base, head, path, "-m", "--max-count="+strconv.Itoa(most))
	if err != nil {
		return nil, err
	}
	var ids []string
	err = eachRaw(out, func(change rawChange) {
		if change.name == path && strings.HasPrefix(change.mode, "100") && !IsZero(change.id) && !slices.Contains(ids, change.id) {
			ids = append(ids, change.id)
		}
	})
	return ids, err
}

// rawHistory is the raw differences of the commits of base..head below a path, newest first; base "" is before the first commit.
// merges says how those of a merge are shown, and limits which commits are looked at.
func (r *Repo) rawHistory(ctx context.Context, base, head, under, merges string, limits ...string) ([]byte, error) {
	args := append([]string{"rev-list", "--full-history", "--topo-order"}, append(limits, head)...)
	if base != "" {
		args = append(args, "^"+base)
	}
	commits, err := r.call(ctx, append(args, "--", under)...)
	if err != nil || len(commits) == 0 {
		return nil, err
	}
	args = slices.Concat([]string{"diff-tree", "--stdin", "--no-commit-id", "--root", merges, "-r"}, plainDiff, []string{"--", under})
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
