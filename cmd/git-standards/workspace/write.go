package workspace

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
)

// writeFiles writes and removes files below the top level, and returns the names of the written ones in order. Every file is
// written whole, under a name that nobody can foresee, before the first is moved to its place, so that a full disk leaves nothing
// half-written. A link on the way is refused: whoever wrote the branch would else choose which file is written.
func writeFiles(top string, write map[string][]byte, remove []string) ([]string, error) {
	failed := func(name string, cause error) error {
		return fault.New(fault.Unavailable, "DECISION.NOT_WRITTEN", name, "the answer could not be written; nothing was changed").Because(cause)
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, failed(top, err)
	}
	defer root.Close()
	names := slices.SortedFunc(maps.Keys(write), content.ComparePaths)
	for _, name := range slices.Concat(names, remove) {
		if err := CheckNoLinks(root, name); err != nil {
			return nil, err
		}
	}
	temporary := make([]string, len(names))
	defer func() {
		for _, name := range temporary {
			if name != "" {
				_ = root.Remove(name) // gone already, where it was moved to its place
			}
		}
	}()
	for i, name := range names {
		if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
			return nil, failed(name, err)
		}
		temporary[i] = TemporaryFor(root, name)
		if err := WriteWhole(root, temporary[i], write[name]); err != nil {
			return nil, failed(name, err)
		}
	}
	for i, name := range names {
		if err := root.Rename(temporary[i], name); err != nil {
			return nil, inPart("put in place", name, names[:i], err)
		}
	}
	for _, name := range remove {
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, inPart("removed", name, names, err)
		}
	}
	return names, SyncFolders(root, slices.Concat(names, remove))
}

// inPart says what could not be done with all answers, and which are written already, for a person to keep or take back.
func inPart(what, name string, written []string, cause error) error {
	f := fault.New(fault.Unavailable, "DECISION.NOT_WRITTEN", name, "the answers could not all be %s", what).Because(cause)
	if len(written) > 0 {
		f.Message += "; written are: " + strings.Join(written, ", ")
	}
	return f.Hint("git status :/" + corpus.DecisionsFolder)
}

// CheckNoLinks refuses a path that is a link, leads through one, or is taken by something that is no file.
func CheckNoLinks(root *os.Root, name string) error {
	for at := 0; at < len(name); {
		next := strings.IndexByte(name[at+1:], '/')
		end := len(name)
		if next >= 0 {
			end = at + 1 + next
		}
		info, err := root.Lstat(name[:end])
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fault.New(fault.Unavailable, "DECISION.NOT_WRITTEN", name[:end], "the answer could not be written; nothing was changed").Because(err)
		}
		if whole := end == len(name); whole && !info.Mode().IsRegular() || !whole && !info.IsDir() {
			return fault.New(fault.Invalid, "DECISION.LINK", name[:end], "a link, or something else that is no folder or file, stands where answers are kept").
				Hint("git rm --cached " + fault.ShellWord(name[:end]) + " && rm " + fault.ShellWord(name[:end]))
		}
		at = end
	}
	return nil
}

// TemporaryFor is where a file is written before it is moved to its place: in the Git directory where that is a folder of the
// same file system, so that a kill leaves nothing where git add would find it; else beside the place.
func TemporaryFor(root *os.Root, name string) string {
	device := func(name string) (uint64, bool) {
		info, err := root.Lstat(name)
		if err != nil || !info.IsDir() {
			return 0, false
		}
		stat, ok := info.Sys().(*syscall.Stat_t)
		return uint64(stat.Dev), ok
	}
	if top, ok := device("."); ok {
		if git, ok := device(".git"); ok && git == top {
			return ".git/git-standards-" + rand.Text()
		}
	}
	return path.Join(path.Dir(name), decision.TemporaryPrefix+rand.Text())
}

// WriteWhole writes a file that is not there yet, and makes its bytes durable.
func WriteWhole(root *os.Root, name string, data []byte) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		f.Close()
		return err
	}
	if err := f.Sync(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// SyncFolders makes the new names durable.
func SyncFolders(root *os.Root, names []string) error {
	done := map[string]bool{}
	for _, name := range names {
		folder := path.Dir(name)
		if done[folder] {
			continue
		}
		done[folder] = true
		f, err := root.Open(folder)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = errors.Join(f.Sync(), f.Close())
		}
		if err != nil {
			return inPart("made durable", folder, nil, err)
		}
	}
	return nil
}
