package capture

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/git-standards/git-standards/engine/fault"
)

// folder is the private place of one command: what it reads, a home and room for temporary files.
type folder struct{ root, inputs, home, temp string }

// layOut writes the inputs of a command, read-only. Modes are no part of the bytes that are judged: a file that a word of the command
// names may be executed, and no other.
func layOut(inputs map[string][]byte, command []string) (*folder, error) {
	root, err := os.MkdirTemp("", "git-standards-observe-")
	if err == nil {
		root, err = filepath.EvalSymlinks(root) // what a command sees as its directory is what its variables name
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "TEMP.UNWRITABLE", os.TempDir(), "no private directory can be made").Because(err)
	}
	f := &folder{root, filepath.Join(root, "inputs"), filepath.Join(root, "home"), filepath.Join(root, "tmp")}
	if err := f.fill(inputs, command); err != nil {
		return nil, fault.New(fault.Unavailable, "TEMP.UNWRITABLE", root, "the inputs cannot be laid out").Because(errors.Join(err, f.remove()))
	}
	return f, nil
}

func (f *folder) fill(inputs map[string][]byte, command []string) error {
	for _, dir := range []string{f.inputs, f.home, f.temp} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
	}
	for name, data := range inputs {
		file := filepath.Join(f.inputs, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		mode := fs.FileMode(0o444)
		if slices.ContainsFunc(command, func(word string) bool { return path.Clean(word) == name }) {
			mode = 0o555
		}
		if err := os.WriteFile(file, data, mode); err != nil {
			return err
		}
		if err := os.Chmod(file, mode); err != nil { // whatever the umask is
			return err
		}
	}
	return f.directories(f.inputs, 0o555)
}

// directories sets the mode of all directories below one and of itself.
func (f *folder) directories(top string, mode fs.FileMode) error {
	return filepath.WalkDir(top, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			err = os.Chmod(name, mode)
		}
		return err
	})
}

// changed names an input that is not there any more as it was given, or "".
func (f *folder) changed(inputs map[string][]byte) string {
	var names []string
	for name := range inputs {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		file := filepath.Join(f.inputs, filepath.FromSlash(name))
		info, err := os.Lstat(file)
		if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(inputs[name])) {
			return name
		}
		if data, err := os.ReadFile(file); err != nil || !bytes.Equal(data, inputs[name]) {
			return name
		}
	}
	return ""
}

// remove removes all of it, whatever modes the command has left.
func (f *folder) remove() error {
	if os.RemoveAll(f.root) == nil {
		return nil
	}
	// A directory is opened up before it is read, so that a walk gets below the ones that were closed.
	var open func(dir string)
	open = func(dir string) {
		_ = os.Chmod(dir, 0o700)
		entries, _ := os.ReadDir(dir)
		for _, entry := range entries {
			if entry.IsDir() {
				open(filepath.Join(dir, entry.Name()))
			}
		}
	}
	open(f.root)
	return os.RemoveAll(f.root)
}
