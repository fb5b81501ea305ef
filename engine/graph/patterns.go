package graph

import (
	"slices"

	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
)

// Patterns is where edges could lead, whatever files there are. It parses each glob once and compares two of them once, so one
// serves all of a change.
type Patterns struct {
	globs   map[string]glob.Glob
	covered map[[2]string]bool // wide, narrow
}

// NewPatterns returns patterns of which none is known yet.
func NewPatterns() *Patterns {
	return &Patterns{globs: map[string]glob.Glob{}, covered: map[[2]string]bool{}}
}

// Glob parses a pattern. One that is no glob is a finding of its side and matches nothing.
func (p *Patterns) Glob(pattern string) glob.Glob {
	g, known := p.globs[pattern]
	if !known {
		g, _ = glob.Parse(pattern)
		p.globs[pattern] = g
	}
	return g
}

// LeadsTo reports whether an edge names a path, whether or not a file stands there. A decision is nobody's consumer (RULES A10).
func (p *Patterns) LeadsTo(e Edge, path string) bool {
	if e.Glob == "" {
		return e.Path == path
	}
	return !corpus.IsDecision(path) && p.Glob(e.Glob).Match(path)
}

// AnyLeadsTo reports whether any of some edges does.
func (p *Patterns) AnyLeadsTo(edges []Edge, path string) bool {
	return slices.ContainsFunc(edges, func(e Edge) bool { return p.LeadsTo(e, path) })
}

// Covers reports that wide leads wherever narrow could lead, in any tree. False may mean that nobody knows.
func (p *Patterns) Covers(wide, narrow Edge) bool {
	switch {
	case narrow.Module != "" || wide.Module != "":
		return narrow.Module == wide.Module
	case narrow.Path != "":
		return p.LeadsTo(wide, narrow.Path)
	}
	return wide.Glob != "" && p.globCovers(wide.Glob, narrow.Glob)
}

// maxCovers bounds how many pairs of globs one change may have compared, which can take some milliseconds each: beyond it nothing
// is known to cover anything, and the question is asked.
const maxCovers = 512

func (p *Patterns) globCovers(wide, narrow string) bool {
	w, n := p.Glob(wide), p.Glob(narrow)
	if wide == narrow {
		return true
	}
	if base := w.Base(); base != "" && !content.Under(n.Base(), []string{base}) {
		return false // wide matches only below its base
	}
	key := [2]string{wide, narrow}
	known, asked := p.covered[key]
	if !asked && len(p.covered) < maxCovers {
		known = w.Covers(n)
		p.covered[key] = known
	}
	return known
}
