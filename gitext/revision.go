package gitext

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
)

// Commit is the part of a commit that verdicts depend on.
type Commit struct {
	ID, Tree string
	Parents  []string
}

// Commit resolves a revision, as git rev-parse REV^{commit}, and reads that commit. What names no commit here, and what
// only looks like an option, is REVISION.UNKNOWN.
//
// A name that several refs have, not all of them at one commit, is REVISION.AMBIGUOUS: Git would take the tag, so that whoever
// may push a tag could choose what a gate compares with.
func (r *Repo) Commit(ctx context.Context, rev string) (Commit, error) {
	if err := r.refuseAmbiguous(ctx, rev); err != nil {
		return Commit{}, err
	}
	id, err := r.resolve(ctx, rev, "commit")
	if err != nil {
		return Commit{}, err
	}
	return r.readCommit(ctx, id)
}

// Tree resolves a revision or tree to the id of its tree. What names none is REVISION.UNKNOWN.
func (r *Repo) Tree(ctx context.Context, treeish string) (string, error) {
	if strings.Contains(treeish, ":") { // REV:PATH takes the rest of the word for the path
		object, err := r.try(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", treeish)
		if err != nil {
			return "", err
		}
		if id := strings.TrimSpace(string(object.stdout)); object.code == 0 && IsID(id) {
			return r.resolve(ctx, id, "tree")
		}
	}
	return r.resolve(ctx, treeish, "tree")
}

func (r *Repo) resolve(ctx context.Context, rev, typ string) (string, error) {
	unknown := func() *fault.Error {
		f := fault.New(fault.Invalid, "REVISION.UNKNOWN", rev, "%q names no %s here", rev, typ).Hint("git branch --all")
		remote, branch, ok := strings.Cut(strings.TrimPrefix(rev, "refs/remotes/"), "/")
		if urls, err := r.Settings(ctx, "remote."+remote+".url"); ok && err == nil && len(urls) > 0 && !strings.ContainsAny(branch, "^~:@{?*[ ") {
			// A clone of one branch, as CI makes it, fetches no other unless told.
			return f.Hint("git fetch " + fault.ShellWord(remote) + " " + fault.ShellWord("+refs/heads/"+branch+":refs/remotes/"+remote+"/"+branch))
		}
		return f.Hint("git fetch")
	}
	if rev == "" || strings.ContainsRune(rev, 0) {
		return "", unknown()
	}
	out, err := r.try(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{"+typ+"}")
	if err != nil {
		return "", err
	}
	id := strings.TrimSpace(string(out.stdout))
	switch {
	case out.code == 0 && IsID(id):
		return id, nil
	case out.code == 1 && r.Shallow && (strings.ContainsAny(rev, "^~") || IsID(rev)):
		return "", shallow(rev)
	case out.code == 1:
		return "", unknown()
	case strings.Contains(rev, "@{"): // no upstream, or a reflog that ends before: Git calls it fatal even when asked to be quiet
		return "", unknown().Because(out.failed())
	}
	return "", out.failed()
}

func (r *Repo) readCommit(ctx context.Context, id string) (Commit, error) {
	objects, err := r.Objects(ctx)
	if err != nil {
		return Commit{}, err
	}
	data, err := readAs(ctx, objects, id, "commit")
	if err != nil {
		return Commit{}, err
	}
	return parseCommit(id, data)
}

// parseCommit reads the tree and the parents of a commit: the lines that must come first, in this order.
func parseCommit(id string, data []byte) (Commit, error) {
	c := Commit{ID: id}
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		key, value, _ := strings.Cut(string(line), " ")
		if key == "tree" && c.Tree == "" && IsID(value) && len(value) == len(id) {
			c.Tree = value
			continue
		}
		if key != "parent" || c.Tree == "" || !IsID(value) || len(value) != len(id) {
			break
		}
		c.Parents = append(c.Parents, value)
	}
	if c.Tree == "" {
		return Commit{}, fault.New(fault.Unavailable, "OBJECT.CORRUPT", id, "the commit names no tree").Hint("git fsck --full")
	}
	return c, nil
}

// Head returns the commit that HEAD names; unborn is true where its branch has none yet.
func (r *Repo) Head(ctx context.Context) (c Commit, unborn bool, err error) {
	c, err = r.Commit(ctx, "HEAD")
	if !fault.Is(err, "REVISION.UNKNOWN") {
		return c, false, err
	}
	// A branch whose commit is lost also resolves to nothing; only one without any id at all is unborn.
	out, tryErr := r.try(ctx, "rev-parse", "--verify", "--quiet", "HEAD")
	if tryErr != nil {
		return Commit{}, false, tryErr
	}
	if id := strings.TrimSpace(string(out.stdout)); IsID(id) {
		return Commit{}, false, missing(id)
	}
	if out, tryErr = r.try(ctx, "symbolic-ref", "--quiet", "HEAD"); tryErr != nil {
		return Commit{}, false, tryErr
	}
	if out.code != 0 {
		return Commit{}, false, fault.New(fault.Unavailable, "REF.CORRUPT", "HEAD", "HEAD names neither a branch nor a commit").
			Hint("git fsck --full")
	}
	return Commit{}, true, nil
}

// MergeParents returns the other parents of the merge being made, sorted; none where there is no merge. In
// pre-merge-commit of a clean merge they stand only in the environment, as GITHEAD_<id> (RULES B4).
func (r *Repo) MergeParents(context.Context) ([]string, error) {
	var parents []string
	data, err := os.ReadFile(filepath.Join(r.GitDir, "MERGE_HEAD"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.Unavailable, "REF.CORRUPT", "MERGE_HEAD", "the parents of the merge cannot be read").Because(err)
	}
	for _, id := range strings.Fields(string(data)) {
		if !IsID(id) {
			return nil, fault.New(fault.Unavailable, "REF.CORRUPT", "MERGE_HEAD", "MERGE_HEAD holds %q, which is no object id", clip([]byte(id)))
		}
		parents = append(parents, id)
	}
	for _, pair := range r.env {
		name, _, _ := strings.Cut(pair, "=")
		if id, ok := strings.CutPrefix(name, "GITHEAD_"); ok && IsID(id) {
			parents = append(parents, id)
		}
	}
	slices.Sort(parents)
	return slices.Compact(parents), nil
}

// Peel follows an object id through tags; isCommit is false where what it tags in the end is no commit. An id that is
// not here is OBJECT.MISSING.
func (r *Repo) Peel(ctx context.Context, id string) (c Commit, isCommit bool, err error) {
	objects, err := r.Objects(ctx)
	if err != nil {
		return Commit{}, false, err
	}
	for {
		typ, data, err := objects.Read(ctx, id)
		switch {
		case err != nil:
			return Commit{}, false, err
		case typ == "commit":
			c, err := parseCommit(id, data)
			return c, err == nil, err
		case typ != "tag":
			return Commit{}, false, nil
		}
		// Chains of tags end, because an id is a hash of what it names.
		line, _, _ := strings.Cut(string(data), "\n")
		target, ok := strings.CutPrefix(line, "object ")
		if !ok || !IsID(target) {
			return Commit{}, false, fault.New(fault.Unavailable, "OBJECT.CORRUPT", id, "the tag names no object").Hint("git fsck --full")
		}
		id = target
	}
}

// CurrentBranch returns the short name of the branch that HEAD names, born or not; "" where HEAD is detached.
func (r *Repo) CurrentBranch(ctx context.Context) (string, error) {
	out, err := r.try(ctx, "symbolic-ref", "--quiet", "HEAD")
	if err != nil {
		return "", err
	}
	if out.code > 1 {
		return "", out.failed()
	}
	name, _ := strings.CutPrefix(strings.TrimSpace(string(out.stdout)), "refs/heads/")
	return name, nil
}
