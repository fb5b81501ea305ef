package gitext

import (
	"context"
	"io"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
)

// Received is one line that git gives a pre-receive or post-receive hook: a ref of this repository and the ids that it moves from
// and to. OldID is zeros for a ref that is new here, NewID for one that is deleted.
type Received struct{ OldID, NewID, Ref string }

// ReadReceived reads the standard input of either hook. Anything but whole lines of "<old id> SP <new id> SP <ref>" is HOOK.INPUT,
// invalid.
func ReadReceived(r io.Reader, hook string) (all []Received, err error) {
	err = readHookLines(r, hook, "git receive-pack calls this hook", func(line string) bool {
		oldID, rest, ok1 := strings.Cut(line, " ")
		newID, ref, ok2 := strings.Cut(rest, " ")
		all = append(all, Received{oldID, newID, ref})
		return ok1 && ok2 && IsID(oldID) && IsID(newID) && len(oldID) == len(newID) && ref != ""
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Branch is a branch of this repository: its full name, and the commit it names. Symref is the full name of the ref that it stands for,
// or "".
type Branch struct{ Name, ID, Symref string }

// Branches lists the branches, in the order of their names.
func (r *Repo) Branches(ctx context.Context) ([]Branch, error) {
	refs, _, err := r.refsAndRemotes(ctx)
	var all []Branch
	for _, ref := range refs {
		if strings.HasPrefix(ref.name, "refs/heads/") {
			all = append(all, Branch{ref.name, ref.id, ref.symref})
		}
	}
	return all, err
}

// IsContained reports whether one of some commits contains a commit, which is true of each in itself.
func (r *Repo) IsContained(ctx context.Context, id string, in []string) (bool, error) {
	if len(in) == 0 {
		return false, nil
	}
	out, err := r.feed(ctx, []byte(id+"\n^"+strings.Join(in, "\n^")+"\n"), "rev-list", "--max-count=1", "--stdin")
	if err != nil {
		return false, fault.New(fault.Unavailable, "GIT.FAILED", id, "git cannot tell which branches contain the commit").Because(err)
	}
	return len(out) == 0, nil
}
