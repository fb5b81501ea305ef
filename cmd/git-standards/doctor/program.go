package doctor

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/hooks"
	"github.com/git-standards/git-standards/store"
)

// plainPath is the PATH of a program that a desktop starts.
const plainPath = "/usr/bin:/bin:/usr/sbin:/sbin"

// program looks at what runs, and reports whether there is a git to ask.
func (e *examination) program() bool {
	git, err := gitext.Version(e.ctx)
	of := "git " + git
	if git == "" {
		of = "no git"
	}
	e.say("program.version", ok,
		fmt.Sprintf("git-standards %s with %s, libgit2 %s, SQLite %s; interface %d, handle %d, envelope %d, identity %d", e.Version, of,
			gitext.Libgit2Version(), store.SQLiteVersion(), wire.SchemaVersion, wire.HandleVersion, wire.EnvelopeVersion, wire.IdentityVersion))
	if err != nil {
		e.fail("program.git", problem, err)
		return false
	}
	e.say("program.git", ok, "git "+git+" has all that is asked of it")
	e.path()
	return true
}

// path looks at what `git standards` runs, here and in a graphical client.
func (e *examination) path() {
	own, err := gitext.ExecPath(e.ctx, e.variable("PATH"))
	if err != nil {
		e.fail("program.path", problem, err)
		return
	}
	found := distinct(append(hooks.Programs(own), hooks.Programs(e.variable("PATH"))...))
	if len(found) == 0 {
		next := "export PATH=DIRECTORY:\"$PATH\""
		if e.Program != "" {
			next = "export PATH=" + fault.ShellWord(filepath.Dir(e.Program)) + ":\"$PATH\""
		}
		e.say("program.path", warning, "git finds no git-standards, in its own folder or on PATH: `git standards` is no command here", next)
		return
	}
	var others []string
	for _, other := range found[1:] {
		if differ(found[0], other) {
			others = append(others, other)
		}
	}
	isThis := func(other string) bool { return !differ(other, e.Program) }
	if e.Program != "" && !isThis(found[0]) && !slices.ContainsFunc(others, isThis) {
		others = append(others, e.Program+" (this one)")
	}
	if len(others) > 0 {
		e.say("program.path", warning, fmt.Sprintf("`git standards` runs %s; another one is %s", found[0], strings.Join(others, ", ")),
			"type -a git-standards")
		return
	}
	e.say("program.path", ok, "`git standards` runs "+found[0])
}

// distinct leaves out files that are one before: what a link leads to is the same.
func distinct(paths []string) []string {
	var list []string
	var seen []os.FileInfo
	for _, path := range paths {
		info, err := os.Stat(path)
		if err == nil && !slices.ContainsFunc(seen, func(before os.FileInfo) bool { return os.SameFile(before, info) }) {
			list, seen = append(list, path), append(seen, info)
		}
	}
	return list
}

// differ reports two programs of other bytes. Of a script, which may run the other one, it says no.
func differ(a, b string) bool {
	x, errX := os.Open(a)
	if errX != nil {
		return false
	}
	defer x.Close()
	y, errY := os.Open(b)
	if errY != nil {
		return false
	}
	defer y.Close()
	p, q := make([]byte, 1<<16), make([]byte, 1<<16)
	for first := true; ; first = false {
		n, errN := io.ReadFull(x, p)
		m, errM := io.ReadFull(y, q)
		if first && (bytes.HasPrefix(p[:n], []byte("#!")) || bytes.HasPrefix(q[:m], []byte("#!"))) {
			return false
		}
		if !bytes.Equal(p[:n], q[:m]) {
			return true
		}
		if errN != nil || errM != nil {
			return !errors.Is(errN, errM)
		}
	}
}
