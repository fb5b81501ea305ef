package main

import (
	"os"
	"path"

	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/fault"
)

// writePlan carries out a plan below the top level. Every file is written whole beside its place before the first is
// moved there, so that a full disk leaves nothing half-written; os.Root keeps all of it inside the repository, whatever
// links stand in the way.
func writePlan(top string, plan *analysis.Plan) (err error) {
	failed := func(name string, cause error) error {
		return fault.New(fault.Unavailable, "DECISION.NOT_WRITTEN", name, "the answer could not be written; nothing was changed").Because(cause)
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return failed(top, err)
	}
	defer root.Close()
	const suffix = ".tmp"
	var temporary []string
	defer func() {
		for _, name := range temporary {
			_ = root.Remove(name) // already moved, or of no use
		}
	}()
	for _, name := range plan.Written() {
		if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
			return failed(name, err)
		}
		temporary = append(temporary, name+suffix)
		if err := writeWhole(root, name+suffix, plan.Write[name]); err != nil {
			return failed(name, err)
		}
	}
	for _, name := range plan.Written() {
		if err := root.Rename(name+suffix, name); err != nil {
			return failed(name, err)
		}
	}
	for _, name := range plan.Remove {
		if err := root.Remove(name); err != nil && !os.IsNotExist(err) {
			return failed(name, err)
		}
	}
	return nil
}

func writeWhole(root *os.Root, name string, data []byte) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
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
