package gitext

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
)

// Identities returns the author and the committer that a commit made now would have, each as it stands in a commit: name, mail, time and zone.
// Where git knows none the fault is IDENTITY.MISSING, invalid.
func (r *Repo) Identities(ctx context.Context) (author, committer string, err error) {
	if author, err = r.identity(ctx, "GIT_AUTHOR_IDENT"); err == nil {
		committer, err = r.identity(ctx, "GIT_COMMITTER_IDENT")
	}
	return author, committer, err
}

func (r *Repo) identity(ctx context.Context, which string) (string, error) {
	out, err := r.plainAny(ctx, "var", which)
	if err != nil {
		return "", err
	}
	line := strings.TrimSuffix(string(out.stdout), "\n")
	if out.code != 0 || line == "" || strings.ContainsAny(line, "\n\x00") {
		return "", fault.New(fault.Invalid, "IDENTITY.MISSING", "user.email", "git knows no author, and a commit needs one").
			Hint("git config user.email YOU@EXAMPLE.ORG", "git config user.name NAME").Because(out.cause())
	}
	return line, nil
}

// CommitText is the bytes of a commit. Its message ends with one line end.
func CommitText(tree string, parents []string, author, committer, message string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", tree)
	for _, parent := range parents {
		fmt.Fprintf(&b, "parent %s\n", parent)
	}
	fmt.Fprintf(&b, "author %s\ncommitter %s\n\n%s\n", author, committer, strings.TrimSuffix(message, "\n"))
	return []byte(b.String())
}

// ObjectID is the id that an object has in this repository, whether it is there or not.
func (r *Repo) ObjectID(typ string, data []byte) (string, error) {
	return hashObject(idLength(r.ObjectFormat), typ, data)
}

// WriteObject stores an object durably, checked as git fsck does, and returns its id. Only blobs, trees and commits are written.
func (r *Repo) WriteObject(ctx context.Context, typ string, data []byte) (string, error) {
	args := append(slices.Clone(durable), "hash-object", "-w", "-t", typ, "--stdin")
	if typ == "blob" {
		args = append(args, "--no-filters")
	}
	out, err := r.feed(ctx, data, args...)
	if err != nil {
		return "", err
	}
	id := strings.TrimSuffix(string(out), "\n")
	if want, err := r.ObjectID(typ, data); err != nil || id != want {
		return "", unreadable("hash-object", id)
	}
	return id, nil
}

// KeepLanding makes the merge of Landing again and puts its objects among the repository's own, so that a commit can name its tree. The
// merge is the same function of the two commits; a tree that is not the one given is LANDING.DIFFERS, unavailable.
func (r *Repo) KeepLanding(ctx context.Context, base, head, tree string) error {
	l, err := r.Landing(ctx, base, head)
	if err != nil {
		return err
	}
	defer l.Close()
	if l.Tree != tree {
		return fault.New(fault.Unavailable, "LANDING.DIFFERS", tree, "the same merge gave the tree %s the second time", l.Tree).Hint("git fsck --full")
	}
	if !l.Merged {
		return nil
	}
	loose, err := filepath.Glob(filepath.Join(l.private, "objects", "??", "*"))
	if err != nil || len(loose) == 0 { // every object of the tree is here already
		return err
	}
	var ids strings.Builder
	for _, path := range loose {
		ids.WriteString(filepath.Base(filepath.Dir(path)) + filepath.Base(path) + "\n")
	}
	packed, err := run(ctx, r.git, l.private, r.mergeEnv(l.private), []byte(ids.String()), "pack-objects", "-q", "--stdout")
	if err != nil {
		return err
	}
	if packed.code != 0 {
		return packed.failed()
	}
	// The repository's own git unpacks it: it knows who may read what is written there.
	_, err = r.feed(ctx, packed.stdout, append(slices.Clone(durable), "unpack-objects", "-q")...)
	return err
}
