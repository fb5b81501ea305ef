// Package doctor says what of a clone keeps its standards from binding, and the commands that mend it (doc/doctor.md).
//
// It promises to say the reason also where every other command fails: without a repository, in a broken one, with a damaged store. It
// changes nothing, makes no store and runs nothing but git; what is configured to be run is looked at alone. It does not judge the work at
// hand: status does.
package doctor

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/git-standards/git-standards/cmd/git-standards/workspace"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/trust"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext"
)

// The levels. A problem keeps the standards from binding, or something is broken; a warning may do so one day or elsewhere, or something is
// not recorded; a note is worth knowing.
const (
	ok      = "ok"
	note    = "note"
	warning = "warning"
	problem = "problem"
)

// Place is where to look, and what the process that asks is.
type Place struct {
	Options workspace.Options
	Environ []string // name=value
	Program string   // this program's own path, "" where it is not known
	Version string   // of this program
}

// Examine looks at everything that can be looked at. Of one name there is something in any case, unless a problem that stands before
// keeps it from being looked at; there are several where several things are found.
func Examine(ctx context.Context, place Place) ([]wire.Diagnosis, error) {
	e := &examination{ctx: ctx, Place: place}
	if e.program() {
		if e.open() {
			defer e.w.Close()
			e.repository()
			e.read()
			e.store()
			e.hooks()
			e.people()
			e.standards()
			e.records()
		}
	}
	return e.found, ctx.Err()
}

// InOrder reports whether nothing is a problem.
func InOrder(found []wire.Diagnosis) bool {
	for _, one := range found {
		if one.Level == problem {
			return false
		}
	}
	return true
}

type examination struct {
	Place
	ctx   context.Context
	found []wire.Diagnosis

	w         *workspace.Workspace
	unindexed bool // the index cannot be read, nor what hangs on it

	judge    *judge.Judge
	binds    bool            // there are standards here, or it cannot be told
	accepted *corpus.Corpus  // nil where it cannot be read
	policy   *trust.Policy   // of the accepted side; nil where that cannot be told
	text     *wire.Lint      // nil where the work at hand cannot be read
	reading  error           // why not
	fork     *workspace.Fork // nil where the accepted side cannot be told
	forking  error           // why not
	ruling   error           // why there is no policy
}

// say adds what was found.
func (e *examination) say(name, level, message string, next ...string) {
	if next == nil {
		next = []string{}
	}
	e.found = append(e.found, wire.Diagnosis{Name: name, Level: level, Message: message, Next: next})
}

// fail adds an error as what was found, as commands that meet it say it.
func (e *examination) fail(name, level string, err error) {
	if e.ctx.Err() != nil {
		return
	}
	message, next := err.Error(), []string(nil)
	if f := fault.As(err); f != nil {
		message, next = f.Error()+" ("+f.Code+")", f.Next
		if strings.HasSuffix(f.Code, ".UNREADABLE") {
			path := f.Target
			if !filepath.IsAbs(path) && e.w != nil {
				path = filepath.Join(e.w.Repo.TopLevel, path)
			}
			if permit := gitext.Permit(path); permit != nil {
				next = permit
			}
		}
	}
	var text *corpus.FindingsError
	if errors.As(err, &text) {
		message, next = "the authored text has errors", []string{"git standards lint"}
	}
	e.say(name, level, message, next...)
}

// variable is one of the environment.
func (e *examination) variable(name string) string {
	value := ""
	for _, pair := range e.Environ {
		if v, found := strings.CutPrefix(pair, name+"="); found {
			value = v
		}
	}
	return value
}
