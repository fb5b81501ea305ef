package gitext

import (
	"context"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
)

// refuseAmbiguous looks for every place where Git would look for the name that a revision begins with (gitrevisions(7)). A
// full ref and a whole id have one meaning, and so has HEAD.
func (r *Repo) refuseAmbiguous(ctx context.Context, rev string) error {
	name := rev
	if i := strings.IndexAny(name, "^~:@{"); i >= 0 {
		name = name[:i]
	}
	if name == "" || name == "HEAD" || IsID(name) || strings.HasPrefix(name, "refs/") || strings.HasPrefix(name, "-") || strings.ContainsRune(name, 0) {
		return nil
	}
	places := []string{"refs/" + name, "refs/tags/" + name, "refs/heads/" + name, "refs/remotes/" + name, "refs/remotes/" + name + "/HEAD"}
	args := append([]string{"for-each-ref", "--format=%(refname) %(objectname) %(*objectname)"}, places...)
	out, err := r.call(ctx, args...)
	if err != nil {
		return err
	}
	var found []string
	commits := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		// A pattern also matches what lies below it.
		if fields := strings.Fields(line); len(fields) >= 2 && slices.Contains(places, fields[0]) {
			found = append(found, fields[0])
			commits[fields[len(fields)-1]] = true
		}
	}
	isAbbreviation := len(name) >= 4 && strings.Trim(name, "0123456789abcdef") == ""
	if len(found) > 0 && isAbbreviation {
		out, err := r.call(ctx, "rev-parse", "--disambiguate="+name)
		if err != nil {
			return err
		}
		for id := range strings.FieldsSeq(string(out)) {
			found, commits[id] = append(found, id), true
		}
	}
	if len(commits) < 2 {
		return nil
	}
	return fault.New(fault.Invalid, "REVISION.AMBIGUOUS", rev, "%q names more than one commit: %s; write the whole name", name, strings.Join(found, ", "))
}
