package journal

import (
	"io"
	"io/fs"
	"os"
)

// disk is what a writer does to the file system, so that a test can fail or end it at each call. It is os in every program.
type disk interface {
	open(path string, flag int) (file, error)
	rename(from, to string) error
	mkdir(path string) error
}

// file is an open file, or a folder opened to be synced.
type file interface {
	io.ReaderAt
	io.Writer
	io.Closer
	Stat() (fs.FileInfo, error)
	Sync() error
	Truncate(size int64) error
	Fd() uintptr
}

type osDisk struct{}

func (osDisk) open(path string, flag int) (file, error) {
	f, err := os.OpenFile(path, flag, 0o666)
	if err != nil {
		return nil, err // not a nil *os.File in an interface
	}
	return f, nil
}

func (osDisk) rename(from, to string) error { return os.Rename(from, to) }
func (osDisk) mkdir(path string) error      { return os.Mkdir(path, 0o777) }

func syncFolder(d disk, path string) error {
	f, err := d.open(path, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
