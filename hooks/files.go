package hooks

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
)

func makeFolder(folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return unwritable(folder, err)
	}
	return nil
}

// writeHook puts text at path as a whole: a reader sees the old file or the new one. Its mode is 0755 less the umask.
func writeHook(path, text string) error {
	temporary := filepath.Join(filepath.Dir(path), ".git-standards-"+rand.Text())
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return syncFolder(filepath.Dir(path))
}

func syncFolder(folder string) error {
	handle, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(handle.Sync(), handle.Close())
}
