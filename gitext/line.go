package gitext

import (
	"context"
	"strings"
)

// Landed is one commit of a branch's own line, with the title that its author gave it.
type Landed struct {
	Commit
	Title string
}

// FirstParents lists, newest first, the commits of tip's first-parent line that from does not contain; from "" means all, to the
// first. In a shallow clone that ends before the list or its last parent is certain the fault is HISTORY.SHALLOW, unavailable.
func (r *Repo) FirstParents(ctx context.Context, from, tip string) ([]Landed, error) {
	args := []string{"rev-list", "--first-parent", "--no-commit-header", "--encoding=UTF-8", "--format=%H%x00%T%x00%P%x00%s", tip}
	if from != "" {
		if _, err := r.mergeBases(ctx, tip, from); err != nil {
			return nil, err
		}
		args = append(args, "^"+from)
	}
	boundary, err := r.shallowBoundary()
	if err != nil {
		return nil, err
	}
	out, err := r.call(ctx, append(args, "--")...)
	if err != nil {
		return nil, err
	}
	var list []Landed
	for line := range strings.Lines(string(out)) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), "\x00", 4)
		if len(fields) != 4 || !IsID(fields[0]) || !IsID(fields[1]) {
			return nil, unreadable("rev-list", line)
		}
		if boundary[fields[0]] {
			return nil, shallow(fields[0])
		}
		list = append(list, Landed{Commit{fields[0], fields[1], strings.Fields(fields[2])}, fields[3]})
	}
	return list, nil
}
