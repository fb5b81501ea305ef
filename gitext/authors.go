package gitext

import (
	"context"
	"slices"
	"strings"
)

// Authored is who wrote a commit, by the mail address that stands in it, which no mailmap changes, and the paths that it changes: of a
// merge those that differ from all parents.
type Authored struct {
	ID, Mail string
	Paths    []string
}

// AuthorsBetween returns the commits of base..head that change something. base "" is before the first commit. Where the range holds a
// commit whose parents a shallow clone lacks, what it changes cannot be told, and the fault is HISTORY.SHALLOW, unavailable.
func (r *Repo) AuthorsBetween(ctx context.Context, base, head string) ([]Authored, error) {
	var known []string
	args := []string{"rev-list", "--topo-order", "--no-commit-header", "--encoding=UTF-8", "--format=%H %ae", head}
	if base != "" {
		known = []string{base}
		args = append(args, "^"+base)
	}
	if err := r.checkDepthOfHistory(ctx, []string{head}, known); err != nil {
		return nil, err
	}
	out, err := r.call(ctx, append(args, "--")...)
	if err != nil || len(out) == 0 {
		return nil, err
	}
	var commits strings.Builder
	mails := map[string]string{}
	for line := range strings.Lines(string(out)) {
		id, mail, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !ok || !IsID(id) {
			return nil, unreadable("rev-list", line)
		}
		mails[id] = mail
		commits.WriteString(id + "\n")
	}
	args = slices.Concat([]string{"diff-tree", "--stdin", "--root", "-c", "-r"}, plainDiff, []string{"--"})
	if out, err = r.feed(ctx, []byte(commits.String()), args...); err != nil {
		return nil, err
	}
	return authored(out, mails)
}

// authored reads raw differences, those of each commit behind its id.
func authored(out []byte, mails map[string]string) ([]Authored, error) {
	var list []Authored
	isPath := false
	for record := range records(out) {
		mail, isCommit := mails[record]
		switch {
		case isPath:
			last := &list[len(list)-1]
			last.Paths = append(last.Paths, record)
			isPath = false
		case strings.HasPrefix(record, ":") && len(list) > 0:
			isPath = true
		case isCommit:
			list = append(list, Authored{ID: record, Mail: mail})
		default:
			return nil, unreadable("diff-tree", record)
		}
	}
	// Of a merge that changes nothing itself git prints the id all the same.
	return slices.DeleteFunc(list, func(a Authored) bool { return len(a.Paths) == 0 }), nil
}
