// Package hooks puts git-standards into a repository's hooks, takes it out again, and decides which open questions a hook
// refuses (RULES I).
//
// It promises that a hook that was there is kept beside and still runs, that Uninstall puts it back byte for byte, and that
// a hook which cannot find its binary refuses. It writes only inside the hooks folder that Git was said to look in, never
// inside one that the repository's own configuration did not choose. It does not judge: the binary does.
package hooks

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-standards/git-standards/engine/fault"
)

// Names are the hooks that are installed, in the order reported, and ServerNames those of a repository that is pushed to.
var (
	Names       = []string{"pre-commit", "pre-merge-commit", "pre-push"}
	ServerNames = []string{"pre-receive", "post-receive"}
)

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

// Hook is one hook and its state. Why says, for people, what is wrong with it; Next are the commands that mend it. Both are
// empty for a hook that is installed. Binary is the program that the hook of ours which runs has recorded, "" where none
// runs, or husky calls ours by name.
type Hook struct {
	Name   string
	State  State
	Why    string
	Next   []string
	Binary string
}

// Status is the state of all hooks in the folder where Git looks. InForce: every one is installed. Notes say what is true of
// all of them, and what may put them out of force later.
type Status struct {
	Path    string
	InForce bool
	Hooks   []Hook
	Notes   []Note
}

// Note is one remark for people, with the commands that mend it, if any. Now tells what keeps hooks from running from what may do so later.
type Note struct {
	Text string
	Next []string
	Now  bool
}

// Dir is where Git looks for hooks. Path is what `git rev-parse --git-path hooks` gives, absolute. Own is the folder
// "hooks" of the common Git directory, where Git looks unless core.hooksPath is set. Top is the root of the worktree, "" in
// a bare repository.
//
// Scope is the scope of the core.hooksPath in force as `git config --show-scope` names it (local, worktree, global, system,
// command), "" when unset; Setting is its value and Origin the file that sets it, absolute, "" where that is no file. OnPath
// is the git-standards that a hook would find on PATH, absolute, or "".
type Dir struct {
	Path, Own, Top         string
	Scope, Setting, Origin string
	OnPath                 string
	// Server asks for the hooks of a repository that is pushed to instead of those of one that is worked in.
	Server bool
}

// names are the hooks that are asked for.
func (d Dir) names() []string {
	if d.Server {
		return ServerNames
	}
	return Names
}

// Serves reports a repository in whose own folder a hook of ours stands that is called by pushes to it.
func (d Dir) Serves() bool {
	return slices.ContainsFunc(ServerNames, func(name string) bool {
		p, err := look(d.Own, name)
		return err == nil && p.stub != nil
	})
}

// ours reports whether the repository itself chose the folder.
func (d Dir) ours() bool { return d.Scope == "" || d.Scope == "local" || d.Scope == "worktree" }

// whose names who chose the folder.
func (d Dir) whose() string {
	switch {
	case d.Scope == "command":
		return "git -c or a GIT_CONFIG_… variable"
	case d.Origin != "":
		return fmt.Sprintf("the %s configuration (%s)", d.Scope, d.Origin)
	}
	return "the " + d.Scope + " configuration"
}

// Chosen says who chose the folder, "" where nobody did and Git looks in the repository's own.
func (d Dir) Chosen() string {
	if d.Scope == "" {
		return ""
	}
	return fmt.Sprintf("core.hooksPath = %s, which %s sets", d.Setting, d.whose())
}

// release is what makes Git look in the repository's own folder again, or makes room for that folder.
func (d Dir) release() string {
	switch {
	case d.Scope == "":
		return "mv -- " + fault.ShellWord(d.Path) + " " + fault.ShellWord(d.Path+".aside")
	case d.Scope == "command":
		return "unset GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS"
	case d.Scope == "worktree":
		return "git config --worktree --unset-all core.hooksPath"
	case d.Scope == "local" && d.Origin != "" && d.Origin != filepath.Join(filepath.Dir(d.Own), "config"):
		return "git config --file " + fault.ShellWord(d.Origin) + " --unset-all core.hooksPath" // an included file
	case d.Scope == "local":
		return "git config --local --unset-all core.hooksPath"
	}
	return "git config --local core.hooksPath " + fault.ShellWord(d.Own)
}

func (d Dir) check() error {
	if !filepath.IsAbs(d.Path) || !filepath.IsAbs(d.Own) {
		return fault.New(fault.Invalid, "HOOKS.PATH", d.Path, "internal error: the hooks folders %q and %q are not absolute", d.Path, d.Own)
	}
	if !d.ours() {
		return fault.New(fault.Invalid, "HOOKS.FOREIGN_PATH", d.Path,
			"Git looks for hooks in this folder because %s sets core.hooksPath: it is not this repository's own", d.whose()).
			Hint(d.release(), installs(d.names()[0]))
	}
	if d.Scope != "" && d.Setting == "" && d.Path == "/" {
		return fault.New(fault.Invalid, "HOOKS.PATH", d.Path, "core.hooksPath is empty, for which Git looks in the root of the file system: %s sets it", d.whose()).
			Hint(d.release(), installs(d.names()[0]))
	}
	if d.isBlocked() {
		return fault.New(fault.Invalid, "HOOKS.NOT_A_FOLDER", d.Path, "%s", d.noFolder()).Hint(d.release(), installs(d.names()[0]))
	}
	return nil
}

// noFolder says that a hooks path can hold no hooks, and who chose it.
func (d Dir) noFolder() string {
	if d.Scope == "" {
		return "Git looks for hooks here, and this is no folder: no hook runs"
	}
	return fmt.Sprintf("core.hooksPath = %s is no folder, so no hook runs: %s sets it", d.Setting, d.whose())
}

// Install puts our hooks, which will run binary (an absolute path), where Git looks. What was there is kept beside as
// "<name>.git-standards-original" and runs first. Installing again changes nothing, or brings an outdated hook up to date;
// a hook that another tool has written over ours since is kept as well, beside the first. Its faults: HOOKS.FOREIGN_PATH,
// HOOKS.PATH, HOOKS.NOT_A_FOLDER, HOOKS.BINARY, HOOKS.NOT_A_FILE, HOOKS.DANGLING, HOOKS.EDITED, HOOKS.TOO_MANY, HOOKS.HUSKY (invalid), HOOKS.NEWER
// (unsupported), HOOKS.UNREADABLE and HOOKS.UNWRITABLE (unavailable). But for the last nothing is changed.
func Install(dir Dir, binary string) (Status, error) {
	if err := dir.check(); err != nil {
		return Status{}, err
	}
	if err := checkBinary(binary); err != nil {
		return Status{}, err
	}
	var plans []place
	for _, name := range dir.names() {
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
// that is not ours is left alone, and so are earlier originals. Its faults: HOOKS.EDITED (invalid), HOOKS.NEWER (unsupported),
// HOOKS.UNREADABLE and HOOKS.UNWRITABLE (unavailable).
func Uninstall(dir Dir) (Status, error) {
	folders := []string{dir.Own}
	if dir.ours() && !sameFolder(dir.Path, dir.Own) {
		folders = append(folders, dir.Path)
	}
	var plans []place
	for _, folder := range folders {
		for _, name := range slices.Concat(Names, ServerNames) {
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

// sameFolder compares what stands there and not only the names: one of them may be a link to the other.
func sameFolder(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// Inspect reports the hooks as they are and changes nothing. Its fault: HOOKS.UNREADABLE (unavailable).
func Inspect(dir Dir) (Status, error) {
	status := Status{Path: dir.Path, InForce: true}
	var places []place
	for _, name := range dir.names() {
		p, err := look(dir.Path, name)
		if err != nil {
			return Status{}, err
		}
		places = append(places, p)
		state := p.state()
		if p.stub == nil && !sameFolder(dir.Path, dir.Own) {
			own, err := look(dir.Own, name)
			if err != nil {
				return Status{}, err
			}
			if own.stub != nil && state != Installed {
				state = Shadowed
			}
		}
		why, next := dir.explain(p, state)
		binary := ""
		if ours := p.running(); ours != nil {
			binary = ours.binary
		}
		status.Hooks = append(status.Hooks, Hook{name, state, why, next, binary})
		status.InForce = status.InForce && state == Installed
	}
	status.Notes = dir.notes(places, status.InForce)
	return status, nil
}
