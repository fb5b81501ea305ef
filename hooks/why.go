package hooks

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/git-standards/git-standards/engine/fault"
)

const install = "git standards hooks install"

// installs is the command that installs the hook of a name.
func installs(name string) string {
	if slices.Contains(ServerNames, name) {
		return install + " --server"
	}
	return install
}

// explain says what is wrong with a hook, and what mends it. Where nothing is said the state says it all.
func (d Dir) explain(p place, state State) (why string, next []string) {
	next = []string{installs(p.name)}
	elsewhere := !d.ours() || d.offFolder()
	if elsewhere {
		next = []string{d.release(), installs(p.name)}
	}
	switch state {
	case Installed:
		return "", nil
	case Shadowed:
		if elsewhere {
			next = next[:1] // ours is there, waiting
		}
		return "ours is in " + d.Own + ", where Git does not look", next
	case NotExecutable:
		if p.target.Mode()&0o111 != 0 && isNoexec(p.path()) {
			return "its file system is mounted noexec: Git skips it", []string{"mount -o remount,exec " + fault.ShellWord(mountOf(p.folder))}
		}
		return "not executable: Git skips it", next
	case Outdated:
		return d.explainOutdated(p, next)
	case Foreign:
		why, mend := explainForeign(p, next)
		if elsewhere {
			mend = next // the folder is others'
		}
		return why, mend
	}
	return "", next
}

func (d Dir) explainOutdated(p place, next []string) (string, []string) {
	ours := p.running()
	aside := []string{p.putAside(), installs(p.name)}
	switch {
	case ours.version > version:
		return fmt.Sprintf("written by a newer git-standards (hook v%d; this one writes v%d)", ours.version, version), aside
	case !ours.known:
		return "edited since it was installed", aside
	case !ours.isCurrent():
		return fmt.Sprintf("written by an older git-standards (hook v%d; this one writes v%d)", ours.version, version), next
	}
	why := fmt.Sprintf("runs %s, which %s", ours.binary, unusable(ours.binary))
	if d.OnPath == "" {
		return why + "; no git-standards is on PATH: it refuses everything", next
	}
	return why + "; it takes " + d.OnPath + " from PATH, which may be another in a graphical client", next
}

func explainForeign(p place, next []string) (string, []string) {
	switch {
	case p.dangling:
		target, _ := os.Readlink(p.path())
		return fmt.Sprintf("a link to %s, where nothing is: Git skips it", target), []string{"rm -- " + fault.ShellWord(p.path()), installs(p.name)}
	case !p.target.Mode().IsRegular():
		return "a " + kindOf(p.target) + ", which Git cannot run", []string{p.putAside(), installs(p.name)}
	case p.isHusky():
		return "written by husky, which runs " + p.huskyFile() + ": that does not call ours", []string{p.huskyCommand()}
	case !runs(p.path()):
		return "another hook, not executable: Git skips it", next
	case len(p.kept) > 0 || len(p.aside) > 0:
		return "another tool wrote its hook over ours, and ours is not called", next
	case p.writtenBy() != "":
		return "written by " + p.writtenBy() + "; whether its configuration calls ours cannot be told", next
	case strings.Contains(p.text, "git-standards") || strings.Contains(p.text, "git standards"):
		return "another hook, which mentions git-standards; whether it calls it cannot be told", next
	}
	return "another hook, which does not call ours", next
}

// notes is what concerns all hooks of a folder.
func (d Dir) notes(places []place, inForce bool) (notes []Note) {
	say := func(text string) { notes = append(notes, Note{Text: text}) }
	sayNow := func(text string, next ...string) { notes = append(notes, Note{text, next, true}) }
	inWorktree := d.Top != "" && strings.HasPrefix(d.Path, d.Top+"/") && !strings.HasPrefix(d.Path, filepath.Dir(d.Own)+"/")
	switch {
	case !d.ours():
		if !inForce {
			sayNow(fmt.Sprintf("Git looks in this folder because %s sets core.hooksPath", d.whose()))
		}
	case d.offFolder():
		sayNow(d.noFolder(), d.release())
	case inWorktree && !isFolder(d.Path):
		sayNow(fmt.Sprintf("core.hooksPath = %s is a folder of the worktree, and is not on this branch: no hook runs", d.Setting))
	case inWorktree && inForce:
		say("the hooks folder is in the worktree: on branches and in worktrees without it no hook runs; what is here should not be " +
			"committed, for it names a program of this machine")
	case d.Scope == "worktree" && inForce:
		say("core.hooksPath is set for this worktree alone: other worktrees have other hooks")
	}
	var said []string
	for _, p := range places {
		if p.stub != nil && p.stub.known && usable(p.stub.binary) && !slices.Contains(said, p.stub.binary) {
			if folder := fleeting(p.stub.binary, d.Top); folder != "" {
				say(fmt.Sprintf("the hooks run %s, and %s; once it is gone they look on PATH, and refuse where that has none", p.stub.binary, folder))
			}
			said = append(said, p.stub.binary)
		}
		if p.huskyCallsOurs() {
			say(fmt.Sprintf("%s calls ours for husky; install and uninstall leave that file to you", p.huskyFile()))
		}
		for _, kept := range p.kept {
			if p.stub != nil && looksAtItsName(kept) {
				say(fmt.Sprintf("the hook that was here looks at its own name, which is now %s: see whether it still does its work", filepath.Base(kept)))
			}
		}
	}
	return notes
}

// offFolder reports a hooks path that leads to no hooks: an empty one, or one that can hold none.
func (d Dir) offFolder() bool { return d.Scope != "" && d.Setting == "" || d.isBlocked() }

// isBlocked reports a hooks path that can hold no hooks: /dev/null, a file, or a place below a file.
func (d Dir) isBlocked() bool {
	info, err := os.Stat(d.Path)
	return err == nil && !info.IsDir() || errors.Is(err, syscall.ENOTDIR)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// runs reports whether Git would run a hook: it asks the system the same, which also knows how the file system is mounted.
func runs(path string) bool {
	const executeOK = 1
	return syscall.Access(path, executeOK) == nil
}

func isNoexec(path string) bool {
	const noexec = 0x8 // ST_NOEXEC of statvfs
	var stat syscall.Statfs_t
	return syscall.Statfs(path, &stat) == nil && stat.Flags&noexec != 0
}

// mountOf is the folder on which the file system of a folder is mounted.
func mountOf(folder string) string {
	device := func(path string) uint64 {
		info, err := os.Stat(path)
		if err != nil {
			return 0
		}
		return uint64(info.Sys().(*syscall.Stat_t).Dev)
	}
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	for folder != "/" && device(filepath.Dir(folder)) == device(folder) {
		folder = filepath.Dir(folder)
	}
	return folder
}

func usable(binary string) bool { return unusable(binary) == "" }

// unusable says why a hook cannot run a binary, or "".
func unusable(binary string) string {
	info, err := os.Stat(binary)
	switch {
	case err != nil:
		return "is gone"
	case !info.Mode().IsRegular():
		return "is no file"
	case !runs(binary):
		return "is not executable"
	}
	return ""
}

// fleeting says why a binary may soon be gone, or "".
func fleeting(binary, top string) string {
	under := func(folders ...string) bool {
		return slices.ContainsFunc(folders, func(folder string) bool { return strings.HasPrefix(binary, folder+"/") })
	}
	within := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(binary, "/"+name+"/") })
	}
	switch {
	case under("/tmp", "/var/tmp", "/dev/shm", "/run", "/private/tmp", "/private/var/folders", "/var/folders"):
		return "what is in a folder for temporary files vanishes"
	case top != "" && under(top):
		return "it is in this worktree, where git clean removes it"
	case under("/media", "/mnt", "/Volumes"):
		return "its file system may not always be mounted"
	case under("/nix/store", "/gnu/store", "/snap") || within("Cellar", "node_modules", ".cache"):
		return "a package manager removes it with the next version"
	}
	return ""
}

// ownName is how scripts look at the name that they are called by.
var ownName = regexp.MustCompile(`basename[^\n]*\$(0|\{0\}|\{?BASH_SOURCE)|\$\{0##|File\.basename\(\$(0|PROGRAM_NAME)|argv\[0\]`)

func looksAtItsName(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxHook {
		return false
	}
	text, err := os.ReadFile(path)
	return err == nil && strings.HasPrefix(string(text), "#!") && ownName.Match(text)
}
