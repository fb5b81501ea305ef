package store

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"os"
	"path"
	"path/filepath"
)

// Keep makes a folder below the folder FolderName of top hold files by name, as they are given: each that is absent or
// another is replaced as a whole. Git sees none of it. What else is there stays, and where a link stands in the way, or
// something that Git does see, nothing is written.
func Keep(top, name string, files map[string][]byte) error {
	folder := filepath.Join(top, FolderName)
	for _, part := range []string{folder, filepath.Join(folder, name)} {
		if info, err := os.Lstat(part); err == nil && !info.IsDir() {
			return fmt.Errorf("%s is no folder", part)
		}
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(path.Join(FolderName, name), 0o777); err != nil {
		return err
	}
	if err := ignoreFolder(folder); err != nil {
		return err
	}
	if ignored, err := root.ReadFile(path.Join(FolderName, ".gitignore")); err != nil || string(ignored) != ignoreAll {
		return fmt.Errorf("%s does not ignore itself", folder)
	}
	for file, text := range files {
		if err := keep(root, path.Join(FolderName, name, file), text); err != nil {
			return err
		}
	}
	return nil
}

func keep(root *os.Root, name string, text []byte) error {
	// Only a file of the right size is read: what stands there may be a pipe, or large.
	if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() && info.Size() == int64(len(text)) {
		if old, err := root.ReadFile(name); err == nil && bytes.Equal(old, text) {
			return nil
		}
	}
	temporary := path.Join(path.Dir(name), ".tmp-"+rand.Text())
	defer func() { _ = root.Remove(temporary) }() // gone already, once it was renamed
	if err := root.WriteFile(temporary, text, 0o666); err != nil {
		return err
	}
	return root.Rename(temporary, name)
}
