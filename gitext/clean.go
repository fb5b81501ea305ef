package gitext

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
)

// Clean is a file of the worktree as git add would record it. Data is nil where it was too large to be read.
type Clean struct {
	Data []byte
	Size int64
}

// CleanBytes returns the bytes that git add would record for regular files of the worktree, in the order asked, after
// the conversions that attributes and settings demand. Git itself converts them, against a private copy of the index
// and into a private object directory: both decide what git add records (a file whose index entry has CRLF keeps it,
// attributes may stand in the index alone), and the user's own gain nothing. A file that is gone or changes meanwhile is
// WORKTREE.CHANGED, one that git add refuses WORKTREE.UNREADABLE. Of more than most bytes only the number is given; most 0 is no bound.
func (r *Repo) CleanBytes(ctx context.Context, paths []string, most int64) (result []Clean, err error) {
	err = r.privately(ctx, paths, func(ids map[string]string, objects Objects) error {
		for _, path := range paths {
			if size, ok := BlobSize(ctx, objects, ids[path]); ok && most > 0 && size > most {
				result = append(result, Clean{Size: size})
				continue
			}
			data, err := ReadBlob(ctx, objects, ids[path])
			if err != nil {
				return err
			}
			result = append(result, Clean{data, int64(len(data))})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}

// CleanIDs returns the ids of the blobs that git add would record for regular files of the worktree, in the order asked, with the
// faults of CleanBytes. No byte of them is held.
func (r *Repo) CleanIDs(ctx context.Context, paths []string) (result []string, err error) {
	err = r.privately(ctx, paths, func(ids map[string]string, _ Objects) error {
		for _, path := range paths {
			result = append(result, ids[path])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}

// privately adds files to a private copy of the index and hands on their ids and the objects behind them, which are gone when it
// returns. The files must be the same before and after.
func (r *Repo) privately(ctx context.Context, paths []string, use func(ids map[string]string, objects Objects) error) (err error) {
	if err := r.NeedWorktree(); err != nil {
		return err
	}
	if len(paths) == 0 {
		return nil
	}
	before, err := r.stat(paths)
	if err != nil {
		return err
	}
	private, err := os.MkdirTemp("", "git-standards-")
	if err != nil {
		return fault.New(fault.Unavailable, "TEMP.UNWRITABLE", os.TempDir(), "no private directory can be made").Because(err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(private)) }()
	env, err := r.privateIndex(private)
	if err != nil {
		return err
	}
	ids, err := r.addPrivately(ctx, env, paths)
	if err != nil {
		return err
	}
	dirs := append([]string{filepath.Join(private, "objects")}, r.objectDirs()...)
	added := r.newReader(dirs, r.dir, env)
	defer added.close()
	if err := use(ids, added); err != nil {
		return err
	}
	after, err := r.stat(paths)
	if err != nil {
		return err
	}
	for i, path := range paths {
		if !before[i].ModTime().Equal(after[i].ModTime()) || before[i].Size() != after[i].Size() || !os.SameFile(before[i], after[i]) {
			return changedMeanwhile(path)
		}
	}
	return nil
}

func (r *Repo) stat(paths []string) ([]fs.FileInfo, error) {
	infos := make([]fs.FileInfo, len(paths))
	for i, path := range paths {
		info, err := os.Lstat(filepath.Join(r.TopLevel, path))
		if err != nil {
			return nil, changedMeanwhile(path).Because(err)
		}
		// Git would follow nothing and wait for nothing either, but it would not say so.
		if info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0 {
			return nil, fault.New(fault.Unavailable, "WORKTREE.UNREADABLE", path, "a pipe, a socket or a device stands there, which git add refuses").
				Hint("git checkout -- " + fault.ShellWord(r.Typed(path)))
		}
		if !info.Mode().IsRegular() {
			return nil, changedMeanwhile(path)
		}
		infos[i] = info
	}
	return infos, nil
}

func changedMeanwhile(path string) *fault.Error {
	return fault.New(fault.Unavailable, "WORKTREE.CHANGED", path, "the file changed while it was read; try again")
}

// privateIndex fills a directory with a copy of the index and an empty object store and returns the environment in which
// git uses them.
func (r *Repo) privateIndex(dir string) ([]string, error) {
	index, objects := filepath.Join(dir, "index"), filepath.Join(dir, "objects")
	err := copyIndex(r.indexFile, index)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil {
		err = os.Mkdir(objects, 0o700)
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "INDEX.UNREADABLE", r.indexFile, "the index cannot be copied").Because(err)
	}
	env := setEnv(r.env, "GIT_INDEX_FILE", index)
	env = setEnv(env, "GIT_OBJECT_DIRECTORY", objects)
	return setEnv(env, alternates, joinAlternates(r.objectDirs())), nil
}

// copyIndex copies an index together with its time: git looks again at a file that is as young as the index, and at no others.
// A younger copy would take an edit in the second of the last git add, of the same length, for no edit; with an older one git
// would read every file there is.
func copyIndex(from, to string) error {
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	data, err := io.ReadAll(file)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err == nil {
		err = os.Chtimes(to, time.Time{}, info.ModTime())
	}
	return err
}

// addPrivately records the files in the private index and returns their ids.
func (r *Repo) addPrivately(ctx context.Context, env []string, paths []string) (map[string]string, error) {
	env, err := r.withFilters(ctx, env)
	if err != nil {
		return nil, err
	}
	out, err := r.updatePrivately(ctx, env, paths)
	if err == nil && out.code != 0 {
		err = r.unaddable(ctx, env, paths, out)
	}
	if err != nil {
		return nil, err
	}
	args := slices.Concat(overrides, []string{"ls-files", "-s", "-z", "--full-name", "--"})
	if len(paths) <= maxArgs {
		args = append(args, paths...)
	}
	if out, err = run(ctx, r.git, r.dir, env, nil, args...); err == nil && out.code != 0 {
		err = out.failed()
	}
	if err != nil {
		return nil, err
	}
	ids := make(map[string]string, len(paths))
	for record := range records(out.stdout) {
		head, name, _ := strings.Cut(record, "\t")
		if fields := strings.Split(head, " "); len(fields) == 3 {
			ids[name] = fields[1]
		}
	}
	for _, path := range paths {
		if ids[path] == "" {
			return nil, changedMeanwhile(path)
		}
	}
	return ids, nil
}

// updatePrivately runs git add for the private index. A split index would write its shared part into the user's Git directory;
// what is read once and thrown away need not be small.
func (r *Repo) updatePrivately(ctx context.Context, env, paths []string) (output, error) {
	settings := []string{"-c", "core.splitIndex=false", "-c", "core.looseCompression=0"}
	args := slices.Concat(overrides, settings, []string{"update-index", "--add", "--replace", "-z", "--stdin"})
	return run(ctx, r.git, r.dir, env, nulList(paths), args...)
}

// unaddable finds the file for which git add fails, halving the list: git does not always name it.
func (r *Repo) unaddable(ctx context.Context, env, paths []string, out output) error {
	for len(paths) > 1 {
		half := paths[:len(paths)/2]
		first, err := r.updatePrivately(ctx, env, half)
		if err != nil {
			return err
		}
		if first.code == 0 {
			paths = paths[len(half):]
			continue
		}
		paths, out = half, first
	}
	if _, err := r.stat(paths); err != nil {
		return err
	}
	return fault.New(fault.Unavailable, "WORKTREE.UNREADABLE", paths[0], "git add would fail here").Because(out.cause()).
		Hint("git add -- " + fault.ShellWord(r.Typed(paths[0])))
}
