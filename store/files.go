package store

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"github.com/git-standards/git-standards/engine/fault"
)

// checkFolder refuses a default folder that is a link: a repository could commit one, and the store would then be written
// wherever it points.
func (s *Store) checkFolder() error {
	folder := filepath.Dir(s.path)
	if filepath.Base(folder) != FolderName {
		return nil
	}
	if info, err := os.Lstat(folder); err == nil && !info.IsDir() {
		return s.foreign("its folder is not a folder (%s)", info.Mode().Type())
	}
	return nil
}

// createEmpty makes the folder and the empty file. The file is made here because SQLite would take group permissions
// away that the umask grants.
func (s *Store) createEmpty() error {
	folder := filepath.Dir(s.path)
	if err := makeFolder(folder); err != nil {
		return err
	}
	if filepath.Base(folder) == FolderName {
		if err := ignoreFolder(folder); err != nil {
			return err
		}
	}
	file, err := os.OpenFile(s.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	switch {
	case errors.Is(err, os.ErrExist):
		return nil // another process was faster
	case err != nil:
		return err
	}
	return file.Close()
}

// makeFolder makes the folder and what is missing above it, each entry on the disk before the next.
func makeFolder(folder string) error {
	if _, err := os.Stat(folder); err == nil {
		return nil
	}
	parent := filepath.Dir(folder)
	if parent != folder {
		if err := makeFolder(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(folder, 0o777); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return syncFolder(parent)
}

// ignoreAll is a .gitignore that ignores all of its folder, itself included.
const ignoreAll = "*\n"

// ignoreFolder makes Git ignore everything in the folder, the file that says so included. One that is there is kept.
func ignoreFolder(folder string) error {
	target := filepath.Join(folder, ".gitignore")
	if exists(target) {
		return nil
	}
	// With the mode that the umask gives, so that every user of a shared repository can read it.
	file, err := os.OpenFile(target+"-"+rand.Text(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.WriteString(ignoreAll)
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	// A link fails where a rename would overwrite what another process has put there meanwhile.
	if err := os.Link(file.Name(), target); err != nil && !errors.Is(err, os.ErrExist) {
		return os.Rename(file.Name(), target)
	}
	return nil
}

func syncFolder(folder string) error {
	handle, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(handle.Sync(), handle.Close())
}

// exists reports whether anything is at path, a link to nothing included.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// isLink reports whether a link stands at path: what was not there a moment ago may be the file of a faster process by now.
func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// createFault names what the file system refused while the store was made.
func (s *Store) createFault(err error) *fault.Error {
	switch {
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		return s.full(err)
	case errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.EROFS):
		return s.readOnly(err)
	}
	return s.unreadable(err)
}
