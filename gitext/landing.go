package gitext

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
)

// Landing is what the base branch would hold once a commit is merged into it. Objects reads the landed tree and must not
// be used after Close.
type Landing struct {
	Tree    string
	Merged  bool // false where one of the two commits contains the other and no merge is made
	Objects Objects

	private string
	merged  *reader
}

// Close removes what the merge wrote.
func (l *Landing) Close() error {
	if l.private == "" {
		return nil
	}
	l.merged.close()
	return os.RemoveAll(l.private)
}

// Landing merges two commits, given by id, as every host of this repository would: in a private bare Git directory that
// borrows the repository's objects, under none of the user's settings, attributes or drivers. The repository's objects
// keep names, sizes and bytes. Faults: MERGE.CONFLICT and MERGE.UNRELATED, invalid; HISTORY.SHALLOW and GIT.FAILED,
// unavailable.
func (r *Repo) Landing(ctx context.Context, base, head string) (*Landing, error) {
	whole, unrelated, err := r.contained(ctx, base, head)
	if err != nil {
		return nil, err
	}
	if whole != "" {
		commit, err := r.readCommit(ctx, whole)
		if err != nil {
			return nil, err
		}
		objects, err := r.Objects(ctx)
		return &Landing{Tree: commit.Tree, Objects: objects}, err
	}
	l := &Landing{Merged: true}
	if l.private, err = os.MkdirTemp("", "git-standards-"); err != nil {
		return nil, fault.New(fault.Unavailable, "TEMP.UNWRITABLE", os.TempDir(), "no private directory can be made").Because(err)
	}
	env := r.mergeEnv(l.private)
	dirs := append([]string{filepath.Join(l.private, "objects")}, r.mergeObjectDirs()...)
	l.merged = r.newReader(dirs, l.private, env)
	if err := r.merge(ctx, l, env, base, head, unrelated); err != nil {
		_ = l.Close()
		return nil, err
	}
	own, err := r.Objects(ctx)
	if err != nil {
		_ = l.Close()
		return nil, err
	}
	l.Objects = layered{l.merged, own}
	return l, nil
}

// contained returns the commit that contains the other, or whether the two have no common history.
func (r *Repo) contained(ctx context.Context, base, head string) (whole string, unrelated bool, err error) {
	out, err := r.try(ctx, "merge-base", "--all", base, head)
	if err != nil {
		return "", false, err
	}
	switch merges := strings.Fields(string(out.stdout)); {
	case out.complained():
	case out.code == 0 && slices.Equal(merges, []string{base}):
		return head, false, nil
	case out.code == 0 && slices.Equal(merges, []string{head}):
		return base, false, nil
	case out.code == 0:
		return "", false, nil
	case out.code == 1 && len(merges) == 0:
		return "", true, nil
	}
	return "", false, out.failed()
}

// mergeEnv is the whole environment of the merge.
func (r *Repo) mergeEnv(private string) []string {
	return []string{
		"PATH=" + lookup(r.env, "PATH"), "LC_ALL=C", "HOME=" + private, "XDG_CONFIG_HOME=" + private, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_ATTR_NOSYSTEM=1", "GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1",
		"GIT_TERMINAL_PROMPT=0", "GIT_DIR=" + private, alternates + "=" + joinAlternates(r.mergeObjectDirs()),
	}
}

// mergeObjectDirs are the object directories of the repository, its ordinary one also where a quarantine hides it.
func (r *Repo) mergeObjectDirs() []string {
	dirs := r.objectDirs()
	if ordinary := filepath.Join(r.CommonDir, "objects"); !slices.Contains(dirs, ordinary) {
		dirs = append(dirs, ordinary)
	}
	return dirs
}

func (r *Repo) writePrivate(dir string) error {
	version, extension := 0, ""
	if r.ObjectFormat == "sha256" {
		version, extension = 1, "[extensions]\n\tobjectFormat = sha256\n"
	}
	config := fmt.Sprintf(`[core]
	repositoryformatversion = %d
	bare = true
	attributesFile = /dev/null
	commitGraph = false
%s[merge]
	renames = true
	directoryRenames = conflict
	renameLimit = 7000
	default = text
`, version, extension)
	for _, name := range []string{"refs", "objects"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/none\n"), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o600)
}

func (r *Repo) merge(ctx context.Context, l *Landing, env []string, base, head string, unrelated bool) error {
	if err := r.writePrivate(l.private); err != nil {
		return fault.New(fault.Unavailable, "TEMP.UNWRITABLE", l.private, "the private Git directory cannot be made").Because(err)
	}
	var out output
	for fetched := ""; ; {
		var err error
		if out, err = run(ctx, r.git, l.private, env, nil, "merge-tree", "--write-tree", "-z", "--no-messages", base, head); err != nil {
			return err
		}
		id := out.lacks(lacksBlob)
		if id == "" && !r.Shallow { // of a shallow clone, a commit that is missed is history that must not be fetched piece by piece
			id = out.lacks(lacksObject)
		}
		if id == "" || id == fetched {
			break
		}
		// The merge fetches nothing. What a partial clone lacks, its own git fetches, as for any other reader.
		own, err := r.Objects(ctx)
		if err != nil {
			return err
		}
		if _, _, err := own.Read(ctx, id); err != nil {
			return err
		}
		fetched = id
	}
	// Exit code 1 also means that git could not merge at all; only with a tree id is it a conflict.
	fields := slices.Collect(records(out.stdout))
	tree := ""
	if len(fields) > 0 && IsID(fields[0]) && len(fields[0]) == len(base) {
		tree = fields[0]
	}
	switch {
	case out.code == 0 && tree != "" && len(fields) == 1:
		l.Tree = tree
		return nil
	case out.code == 1 && tree != "":
		return conflict(base, head, fields[1:])
	case r.Shallow:
		// The private directory knows no shallow boundary, so that history which is not here is missed, not taken to end.
		return shallow(head)
	case unrelated:
		return fault.New(fault.Invalid, "MERGE.UNRELATED", head, "it has no history in common with the base %s", base).
			Hint("git merge --allow-unrelated-histories " + base)
	}
	return out.failed()
}

// conflict names the paths of git's "<mode> <id> <stage> TAB <path>" records.
func conflict(base, head string, records []string) error {
	var names []string
	for _, record := range records {
		if _, name, ok := strings.Cut(record, "\t"); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	paths := quoteNames(slices.Compact(names))
	return fault.New(fault.Invalid, "MERGE.CONFLICT", head, "it cannot be merged into the base %s without conflicts: %s", base, paths).
		Hint("git merge " + base)
}

// layered asks the first reader and, for what it has not, the second: only the second can have a promisor's objects.
type layered [2]Objects

func (l layered) Read(ctx context.Context, id string) (string, []byte, error) {
	typ, data, err := l[0].Read(ctx, id)
	if fault.Is(err, "OBJECT.MISSING") {
		return l[1].Read(ctx, id)
	}
	return typ, data, err
}

func (l layered) size(ctx context.Context, id string) (int64, bool) {
	for _, objects := range l {
		if size, ok := BlobSize(ctx, objects, id); ok {
			return size, true
		}
	}
	return 0, false
}
