package gitext

import (
	"bytes"
	"context"
	"strings"
)

// HashFiles returns the ids of the blobs that git add would record for regular files of the worktree that are not tracked, in
// the order asked. Nothing is stored, and git alone reads the bytes. A file that is gone meanwhile is WORKTREE.CHANGED.
func (r *Repo) HashFiles(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	if err := r.NeedWorktree(); err != nil {
		return nil, err
	}
	if _, err := r.stat(paths); err != nil {
		return nil, err
	}
	var list bytes.Buffer
	for _, path := range paths {
		list.WriteString(quoteC(path) + "\n") // a line for each path: names may hold line ends
	}
	out, err := r.filtering(ctx, list.Bytes(), "hash-object", "--stdin-paths")
	if err != nil {
		if _, gone := r.stat(paths); gone != nil {
			return nil, gone
		}
		return nil, err
	}
	ids := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	for _, id := range ids {
		if len(ids) != len(paths) || !IsID(id) {
			return nil, unreadable("hash-object", string(out))
		}
	}
	return ids, nil
}
