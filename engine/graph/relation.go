package graph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/corpus"
)

// The groups of relations, and the two kinds between modules that are declared by their keys. Relations of RULES A3 are of both
// other groups.
const (
	Requires     = "standards-requires"
	Specializes  = "standards-specializes"
	PolicyImpact = "policy-impact"
	Semantic     = "semantic"
)

// Groups is all groups, in order.
func Groups() []string { return []string{PolicyImpact, Semantic, Requires, Specializes} }

// Relation is one directed relation as it is declared: from a module to one that it requires or specializes, or from a unit to a
// consumer. Exactly one of Module, Path and Glob is set.
type Relation struct {
	Source             string // the id of a module or unit
	Kind               string // Requires, Specializes or a relation of RULES A3
	Module, Path, Glob string
	When               authored.Expression // of a consumer; nil where none can be declared
	On                 []string            // of a consumer
	Owner              *corpus.Module
	Line               int
}

// Edge is a relation to files, to be resolved with others (Resolve).
func (r Relation) Edge() Edge {
	return Edge{Consumer: &authored.Consumer{Path: r.Path, Glob: r.Glob}, Owner: r.Owner}
}

// Groups is the groups that a relation belongs to, in order.
func (r Relation) Groups() []string {
	if r.IsBetweenModules() {
		return []string{r.Kind}
	}
	return []string{PolicyImpact, Semantic}
}

// IsBetweenModules reports whether a relation is one that a module declares of another: what a walk may follow further than one step.
func (r Relation) IsBetweenModules() bool { return r.Kind == Requires || r.Kind == Specializes }

// Class is what a relation leads to: "router", "reference" or "module" by the role of a module, else what the relation says that the file
// is, or "artifact" where it is one that leads to modules (seed 004, the target class of a relation).
func (r Relation) Class(c *corpus.Corpus) string {
	if r.Module != "" {
		if m := c.Module(r.Module); m != nil && (m.Role == "router" || m.Role == "reference") {
			return m.Role
		}
		return "module"
	}
	switch class := classOf(r.Kind); class {
	case corpus.RouterClass:
		return "routing-projection"
	case "", corpus.ModuleClass, corpus.ReferenceClass:
		return "artifact"
	default:
		return class
	}
}

// Declared is the relations of a corpus, in the order of owners and lines.
func Declared(c *corpus.Corpus) []Relation {
	var list []Relation
	for _, m := range c.Modules {
		for _, id := range m.Requires {
			list = append(list, Relation{Source: m.ID, Kind: Requires, Module: id, Owner: m, Line: m.LineOf("requires")})
		}
		for _, id := range m.Specializes {
			list = append(list, Relation{Source: m.ID, Kind: Specializes, Module: id, Owner: m, Line: m.LineOf("specializes")})
		}
	}
	for _, e := range Edges(c) {
		list = append(list, Relation{
			Source: e.Unit, Kind: e.Relation, Module: e.Module, Path: e.Path, Glob: e.Glob, When: e.When, On: e.On, Owner: e.Owner, Line: e.Line,
		})
	}
	slices.SortStableFunc(list, func(a, b Relation) int {
		return cmp.Or(strings.Compare(a.Owner.ID, b.Owner.ID), cmp.Compare(a.Line, b.Line))
	})
	return list
}

// Related is a relation as it is seen from where a walk began.
type Related struct {
	Relation
	Incoming bool
	Distance int // from 1
}

// Walk says which relations to follow from where. Target is the id of a module or unit, or a path; a name that is both is a path
// only where a row names it, as a glob would match most ids. Groups is not empty.
type Walk struct {
	Target             string
	Groups             []string
	Incoming, Outgoing bool
	Transitive         bool
}

// Walk follows relations from a module, one of its units, or a consumer's path, nearest first. A module stands for its units as
// well. Only what modules require and specialize is followed further, each module once: impact is one hop and never more.
func (w Walk) Walk(c *corpus.Corpus) []Related {
	relations := slices.DeleteFunc(Declared(c), func(r Relation) bool {
		return !slices.ContainsFunc(r.Groups(), func(g string) bool { return slices.Contains(w.Groups, g) })
	})
	var found []Related
	for _, incoming := range []bool{false, true} {
		if incoming && w.Incoming || !incoming && w.Outgoing {
			found = append(found, w.follow(c, relations, incoming)...)
		}
	}
	slices.SortStableFunc(found, func(a, b Related) int { return cmp.Compare(a.Distance, b.Distance) })
	return found
}

func (w Walk) follow(c *corpus.Corpus, relations []Relation, incoming bool) []Related {
	var found []Related
	next, seen := []string{w.Target}, map[string]bool{w.Target: true}
	for distance := 1; len(next) > 0; distance++ {
		from := next
		next = nil
		for _, r := range relations {
			between := r.IsBetweenModules()
			if distance > 1 && !between || !slices.ContainsFunc(from, func(id string) bool { return touches(c, r, id, incoming) }) {
				continue
			}
			found = append(found, Related{r, incoming, distance})
			to := r.Module
			if incoming {
				to = r.Source
			}
			if w.Transitive && between && !seen[to] {
				seen[to] = true
				next = append(next, to)
			}
		}
	}
	return found
}

// touches reports whether a relation ends (incoming) or begins at a node.
func touches(c *corpus.Corpus, r Relation, id string, incoming bool) bool {
	if !incoming {
		unit := c.Unit(r.Source)
		return r.Source == id || unit != nil && unit.Module.ID == id
	}
	if r.Glob != "" {
		return c.Module(id) == nil && c.UnitNamed(id) == nil && len(matching(r.Glob, []string{id})) > 0
	}
	return r.Module == id || r.Path == id
}
