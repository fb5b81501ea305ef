package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/git-standards/git-standards/engine/fault"
)

const (
	keptSuffix = ".git-standards-original"
	maxKept    = 9
	// maxHook bounds how much of a hook is read to see whether it is ours. A binary hook may be large.
	maxHook = 1 << 16
)

// place is one hook's place and what stands there. Stub is not nil when that is ours; kept are the originals beside, oldest
// first.
type place struct {
	folder, name string
	info         fs.FileInfo // nil where nothing is; a link's own
	dangling     bool
	target       fs.FileInfo // what the link leads to, or info
	text         string      // of a file that can be read and is not large
	stub         *stub
	kept         []string
	aside        []copied // where other tools put ours when they took its place
}

func (p place) path() string { return filepath.Join(p.folder, p.name) }

// aside is the command that puts what is in the place out of the way.
func (p place) putAside() string {
	return "mv -- " + fault.ShellWord(p.path()) + " " + fault.ShellWord(p.path()+".aside")
}

func (p place) keptPath(n int) string {
	if n == 1 {
		return p.path() + keptSuffix
	}
	return fmt.Sprintf("%s%s-%d", p.path(), keptSuffix, n)
}

// look reads one place.
func look(folder, name string) (place, error) {
	p := place{folder: folder, name: name}
	for n := 1; n <= maxKept; n++ {
		if _, err := os.Lstat(p.keptPath(n)); err == nil {
			p.kept = append(p.kept, p.keptPath(n))
		}
	}
	info, err := os.Lstat(p.path())
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return p, nil
	case err != nil:
		return p, p.unreadable(err)
	}
	p.info = info
	p.target, err = os.Stat(p.path())
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENOTDIR):
		p.dangling = true
		return p, nil
	case err != nil:
		return p, p.unreadable(err)
	}
	if !p.target.Mode().IsRegular() || p.target.Size() > maxHook {
		return p, nil
	}
	text, err := os.ReadFile(p.path())
	if errors.Is(err, fs.ErrPermission) {
		return p, nil // ours can be read
	}
	if err != nil {
		return p, p.unreadable(err)
	}
	p.text = string(text)
	p.stub = parse(name, p.text)
	p.lookAside()
	return p, nil
}

func (p place) state() State {
	switch {
	case p.info == nil:
		return Absent
	case p.huskyCallsOurs():
		return Installed
	case p.running() == nil:
		return Foreign
	case !runs(p.path()):
		return NotExecutable
	case !p.running().isCurrent() || !usable(p.running().binary):
		return Outdated
	}
	return Installed
}

// running is the hook of ours that runs when Git runs what is in the place, or nil.
func (p place) running() *stub {
	if legacy := p.legacy(); legacy != nil {
		return legacy.stub
	}
	return p.stub
}

func (p place) checkInstall() error {
	switch {
	case p.info == nil:
		return nil
	case p.dangling:
		return fault.New(fault.Invalid, "HOOKS.DANGLING", p.path(), "this hook is a link to nothing, which Git ignores").
			Hint("rm -- "+fault.ShellWord(p.path()), installs(p.name))
	case !p.target.Mode().IsRegular():
		return fault.New(fault.Invalid, "HOOKS.NOT_A_FILE", p.path(), "this is not a hook but a %s", kindOf(p.target)).
			Hint(p.putAside(), installs(p.name))
	case p.isHusky() && !p.huskyCallsOurs():
		return fault.New(fault.Invalid, "HOOKS.HUSKY", p.path(), "husky writes this hook anew whenever it is installed; call git-standards "+
			"from your own hooks: first in pre-push, which reads its input").Hint(p.huskyCommands()...)
	case p.stub == nil && len(p.kept) >= maxKept:
		return fault.New(fault.Invalid, "HOOKS.TOO_MANY", p.path(), "%d hooks are kept beside this one already", len(p.kept)).
			Hint("ls -l " + fault.ShellWord(p.path()) + "*")
	}
	return p.checkText()
}

func (p place) checkUninstall() error { return p.checkText() }

// checkText refuses to write over a hook of ours that somebody has changed, or that a newer version wrote.
func (p place) checkText() error {
	switch {
	case p.stub == nil || p.stub.known:
		return nil
	case p.stub.version > version:
		return fault.New(fault.Unsupported, "HOOKS.NEWER", p.path(),
			"a newer git-standards wrote this hook (v%d; this one writes v%d), and it is left alone", p.stub.version, version).
			Hint(p.putAside(), installs(p.name))
	}
	return fault.New(fault.Invalid, "HOOKS.EDITED", p.path(), "this hook of ours was edited").Hint(p.putAside(), installs(p.name))
}

func kindOf(info fs.FileInfo) string {
	if info.IsDir() {
		return "directory"
	}
	return "special file"
}

// install keeps what is foreign and writes the hook. At every moment one of the two stands in the place.
func (p place) install(binary string) error {
	text := render(p.name, binary)
	if legacy := p.legacy(); legacy != nil {
		if legacy.stub.isCurrent() && legacy.stub.binary == binary {
			return nil
		}
		if err := writeHook(legacy.path, text); err != nil {
			return p.unwritable(err)
		}
		return nil
	}
	if p.huskyCallsOurs() || p.stub.isCurrent() && p.state() != NotExecutable && p.stub.binary == binary {
		return p.forgetAside()
	}
	if p.info != nil && p.stub == nil {
		if err := p.keep(); err != nil {
			return p.unwritable(err)
		}
	}
	if err := writeHook(p.path(), text); err != nil {
		return p.unwritable(err)
	}
	return p.forgetAside()
}

// keep gives what stands in the place a second name. What is kept already, byte for byte, is not kept twice: a tool that
// wrote its hook again over ours would otherwise run once more with each install.
func (p place) keep() error {
	for _, kept := range p.kept {
		if same, err := p.sameAs(kept); same || err != nil {
			return err
		}
	}
	n := 1
	for slices.Contains(p.kept, p.keptPath(n)) {
		n++
	}
	err := os.Link(p.path(), p.keptPath(n))
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return os.Rename(p.path(), p.keptPath(n)) // a file system without hard links
	}
	return err
}

// sameAs reports whether the file or link in the place equals the kept one.
func (p place) sameAs(kept string) (bool, error) {
	info, err := os.Lstat(kept)
	if err != nil || info.Mode() != p.info.Mode() {
		return false, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		a, errA := os.Readlink(p.path())
		b, errB := os.Readlink(kept)
		return a == b, errors.Join(errA, errB)
	}
	if info.Size() != p.info.Size() || !info.Mode().IsRegular() {
		return false, nil
	}
	a, errA := os.ReadFile(p.path())
	b, errB := os.ReadFile(kept)
	if err := errors.Join(errA, errB); !errors.Is(err, fs.ErrPermission) {
		return bytes.Equal(a, b), err
	}
	return false, nil
}

// uninstall puts the youngest original over our hook. Where our hook is gone, as after an interrupted install, it puts it
// back all the same.
func (p place) uninstall() error {
	if p.info != nil && p.stub == nil {
		return p.uninstallAside()
	}
	if err := p.forgetAside(); err != nil {
		return err
	}
	var err error
	switch {
	case len(p.kept) > 0:
		err = os.Rename(p.kept[len(p.kept)-1], p.path())
	case p.info != nil:
		err = os.Remove(p.path())
	default:
		return nil
	}
	if err == nil {
		err = syncFolder(p.folder)
	}
	if err != nil {
		return p.unwritable(err)
	}
	return nil
}

func (p place) unreadable(err error) error {
	return fault.New(fault.Unavailable, "HOOKS.UNREADABLE", p.path(), "the hook cannot be read").
		Hint("ls -ld " + fault.ShellWord(p.folder) + " " + fault.ShellWord(p.path())).Because(err)
}

func (p place) unwritable(err error) error { return unwritable(p.folder, err) }

func unwritable(folder string, err error) error {
	return fault.New(fault.Unavailable, "HOOKS.UNWRITABLE", folder, "the hooks folder cannot be written").
		Hint("ls -ld " + fault.ShellWord(folder)).Because(err)
}

// checkBinary refuses a path that a hook cannot name on one line.
func checkBinary(binary string) error {
	control := func(r rune) bool { return r < ' ' || r == 0x7f }
	if !filepath.IsAbs(binary) || strings.ContainsFunc(binary, control) {
		return fault.New(fault.Invalid, "HOOKS.BINARY", binary, "the path of the binary is not absolute, or holds control characters")
	}
	return nil
}
