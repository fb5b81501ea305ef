package graph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/facts"
)

// Why a module is to be read.
const (
	WhyCore        = "core"        // its role says that it always applies
	WhyBase        = "base"        // routing selects it for every task
	WhyRule        = "rule"        // a rule of routing selects it
	WhyChanged     = "changed"     // its file is among the paths
	WhyConsumer    = "consumer"    // a path is a consumer of one of its units
	WhyRequired    = "required"    // a module to be read requires it
	WhySpecialized = "specialized" // a module to be read specializes it
)

// Whether a module is to be read. The least counts where there are several.
const (
	Selected    State = iota // something that holds says so
	Unresolved               // only what is not known says so
	Conditional              // only where an unresolved module is to be read
)

// State is whether something is to be read.
type State int

func (s State) String() string { return [...]string{"selected", "unresolved", "conditional"}[s] }

// Reason is one reason to read a module: Subject is the path, the module or the rule that gives it, Unit the unit it is about or "". Facts
// are those that would settle it where it is unresolved, sorted.
type Reason struct {
	Why, Subject, Unit string
	State              State
	Facts              []string
}

// Entry is one module of a reading plan. Units are those to be read: those that a path consumes, else all of them.
type Entry struct {
	Module  *corpus.Module
	State   State
	Reasons []Reason
	Units   []EntryUnit
}

// EntryUnit is a unit to be read.
type EntryUnit struct {
	*corpus.Unit
	State State
}

// Task is what a reading plan is for: some paths, and what is known of the facts.
type Task struct {
	Paths []string
	Known facts.Values
}

// roles is the order in which modules are read where nothing else decides.
var roles = authored.Roles()

// Route is the reading plan of a task: what must be read by whoever works on it, and then what may have to be, once more is known. What
// a module requires or specializes comes before it.
func Route(c *corpus.Corpus, task Task) []Entry {
	p := plan{corpus: c, reasons: map[string][]Reason{}, done: map[string]bool{}}
	p.routing(task.Known)
	given := map[string]bool{}
	for _, path := range task.Paths {
		given[path] = true
	}
	for _, m := range c.Modules {
		if m.Role == "core" {
			p.add(m.ID, Reason{Why: WhyCore, Subject: m.ID})
		}
		if given[m.File] {
			p.add(m.ID, Reason{Why: WhyChanged, Subject: m.File})
		}
	}
	p.consumers(task, given)
	for _, state := range []State{Selected, Unresolved} {
		var direct []*corpus.Module
		for id, reasons := range p.reasons {
			if best(reasons) == state {
				direct = append(direct, c.Module(id))
			}
		}
		slices.SortFunc(direct, byRole)
		for _, m := range direct {
			p.include(m, state)
		}
	}
	return p.entries()
}

// routing adds what routing names. What it names and is not there is a finding of the corpus.
func (p *plan) routing(known facts.Values) {
	routing := p.corpus.Manifest.Routing
	if routing == nil {
		return
	}
	for _, id := range routing.Base {
		p.add(id, Reason{Why: WhyBase, Subject: id})
	}
	for _, rule := range routing.Rules {
		p.judged(rule.Module, Reason{Why: WhyRule, Subject: rule.ID}, rule.When, facts.ContextTask, known)
	}
}

// consumers adds the units whose consumers the paths are.
func (p *plan) consumers(task Task, given map[string]bool) {
	matched := map[string][]string{} // by glob: many rows share one
	for _, r := range Declared(p.corpus) {
		unit := p.corpus.Unit(r.Source)
		if unit == nil {
			continue
		}
		path := r.Path
		if target := p.corpus.Module(r.Module); target != nil {
			path = target.File
		}
		var led []string
		switch {
		case r.Glob == "" && given[path]:
			led = []string{path}
		case r.Glob != "":
			known := false
			if led, known = matched[r.Glob]; !known {
				led = matching(r.Glob, task.Paths)
				matched[r.Glob] = led
			}
		}
		for _, path := range led {
			p.judged(unit.Module.ID, Reason{Why: WhyConsumer, Subject: path, Unit: unit.ID}, r.When, facts.ContextChange, task.Known)
		}
	}
}

// Holds is what a condition is by what is known of the facts of its context, and where that is unknown the facts that would settle it.
func Holds(c *corpus.Corpus, when authored.Expression, context string, known facts.Values) (facts.Truth, []string) {
	if when == nil || when["operator"] == facts.Always {
		return facts.True, nil
	}
	program := c.Program(when, context)
	if program == nil {
		return facts.True, nil
	}
	return program.Evaluate(known)
}

// matching is the paths that a consumer's glob leads to (RULES A10).
func matching(pattern string, paths []string) []string {
	g, err := glob.Parse(pattern)
	if err != nil {
		return nil // a finding of the module
	}
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return corpus.IsDecision(path) || !g.Match(path) })
}

func byRole(a, b *corpus.Module) int {
	return cmp.Or(cmp.Compare(slices.Index(roles, a.Role), slices.Index(roles, b.Role)), strings.Compare(a.ID, b.ID))
}
