// Package hooks puts git-standards into a repository's hooks, takes it out again, and decides which open questions a hook
// refuses (RULES I).
//
// It promises that a hook that was there is kept beside and still runs, that Uninstall puts it back byte for byte, and that
// a hook which cannot find its binary refuses. It writes only inside the hooks folder that Git was said to look in, never
// inside one that the repository's own configuration did not choose. It does not judge: the binary does.
package hooks

import (
	"path/filepath"

	"github.com/git-standards/git-standards/engine/fault"
)

// Names are the hooks that are installed, in the order reported.
var Names = []string{"pre-commit", "pre-merge-commit", "pre-push"}

// State is what stands at a hook's place (SHAPES, "hooks").
type State string

// The states. Installed: Git runs our hook. Foreign: something else is here. Outdated: our hook, of another version, edited,
// or recording a binary that is gone. NotExecutable: our hook, which Git therefore ignores. Shadowed: our hook is in the
// repository's own hooks folder, but Git looks elsewhere and finds none of ours there.
const (
	Installed     State = "installed"
	Absent        State = "absent"
	Foreign       State = "foreign"
	Outdated      State = "outdated"
	NotExecutable State = "not-executable"
	Shadowed      State = "shadowed"
)

// Hook is one hook and its state.
type Hook struct {
	Name  string
	State State
}

// Status is the state of all hooks in the folder where Git looks. InForce: every one is installed.
type Status struct {
	Path    string
	InForce bool
	Hooks   []Hook
}

// Dir is where Git looks for hooks. Path is what `git rev-parse --git-path hooks` gives, absolute. Own is the folder
// "hooks" of the common Git directory, where Git looks unless core.hooksPath is set. Scope is the scope of the
// core.hooksPath in force as `git config --show-scope` names it (local, worktree, global, system, command), "" when unset.
type Dir struct {
	Path  string
	Own   string
	Scope string
}

// ours reports whether the repository itself chose the folder.
func (d Dir) ours() bool { return d.Scope == "" || d.Scope == "local" || d.Scope == "worktree" }

func (d Dir) check() error {
	if !filepath.IsAbs(d.Path) || !filepath.IsAbs(d.Own) {
		return fault.New(fault.Invalid, "HOOKS.PATH", d.Path, "internal error: the hooks folders %q and %q are not absolute", d.Path, d.Own)
	}
	if !d.ours() {
		return fault.New(fault.Invalid, "HOOKS.FOREIGN_PATH", d.Path,
			"Git looks for hooks in this folder because the %s configuration sets core.hooksPath: it is not this repository's own", d.Scope).
			Hint("git config --local core.hooksPath "+quote(d.Own), "git standards hooks install")
	}
	return nil
}

// Install puts our hooks, which will run binary (an absolute path), where Git looks. What was there is kept beside as
// "<name>.git-standards-original" and runs first. Installing again changes nothing, or brings an outdated hook up to date;
// a hook that another tool has written over ours since is kept as well, beside the first. Its faults: HOOKS.FOREIGN_PATH,
// HOOKS.BINARY, HOOKS.NOT_A_FILE, HOOKS.DANGLING, HOOKS.EDITED, HOOKS.TOO_MANY (invalid), HOOKS.UNREADABLE and
// HOOKS.UNWRITABLE (unavailable). None of the invalid ones leaves anything changed.
func Install(dir Dir, binary string) (Status, error) {
	if err := dir.check(); err != nil {
		return Status{}, err
	}
	if err := checkBinary(binary); err != nil {
		return Status{}, err
	}
	var plans []place
	for _, name := range Names {
		p, err := look(dir.Path, name)
		if err == nil {
			err = p.checkInstall()
		}
		if err != nil {
			return Status{}, err
		}
		plans = append(plans, p)
	}
	if err := makeFolder(dir.Path); err != nil {
		return Status{}, err
	}
	for _, p := range plans {
		if err := p.install(binary); err != nil {
			return Status{}, err
		}
	}
	return Inspect(dir)
}

// Uninstall takes our hooks out of the repository's own folders and puts back what the last Install found there. A hook
// that is not ours is left alone, and so are earlier originals. Its faults: HOOKS.EDITED (invalid), HOOKS.UNREADABLE and
// HOOKS.UNWRITABLE (unavailable).
func Uninstall(dir Dir) (Status, error) {
	folders := []string{dir.Own}
	if dir.ours() && filepath.Clean(dir.Path) != filepath.Clean(dir.Own) {
		folders = append(folders, dir.Path)
	}
	var plans []place
	for _, folder := range folders {
		for _, name := range Names {
			p, err := look(folder, name)
			if err == nil {
				err = p.checkUninstall()
			}
			if err != nil {
				return Status{}, err
			}
			plans = append(plans, p)
		}
	}
	for _, p := range plans {
		if err := p.uninstall(); err != nil {
			return Status{}, err
		}
	}
	return Inspect(dir)
}

// Inspect reports the hooks as they are and changes nothing. Its fault: HOOKS.UNREADABLE (unavailable).
func Inspect(dir Dir) (Status, error) {
	status := Status{Path: dir.Path, InForce: true}
	for _, name := range Names {
		p, err := look(dir.Path, name)
		if err != nil {
			return Status{}, err
		}
		state := p.state()
		if p.stub == nil && filepath.Clean(dir.Path) != filepath.Clean(dir.Own) {
			own, err := look(dir.Own, name)
			if err != nil {
				return Status{}, err
			}
			if own.stub != nil {
				state = Shadowed
			}
		}
		status.Hooks = append(status.Hooks, Hook{name, state})
		status.InForce = status.InForce && state == Installed
	}
	return status, nil
}
