package query

import (
	"path"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/wire"
)

func (q *query) related(r wire.RelatedQuery) (wire.NavigationAnswer, any, error) {
	walk := graph.Walk{Target: r.Target, Groups: r.Groups, Transitive: r.Transitive != nil && *r.Transitive}
	if r.Groups == nil {
		walk.Groups = graph.Groups()
	}
	direction := wire.Text(r.Direction)
	walk.Incoming, walk.Outgoing = direction != "outgoing", direction != "incoming"
	if unit := q.corpus.UnitNamed(r.Target); unit != nil {
		walk.Target = unit.ID
	}
	known, err := q.isKnown(walk.Target)
	if err == nil && !known {
		err = q.unknown("related", r.Target)
	}
	if err != nil {
		return nil, nil, err
	}
	values := facts.Values{}
	given, err := q.given(r.Facts, values)
	if err != nil {
		return nil, nil, err
	}
	relationships, err := q.relationships(walk, values)
	if err != nil {
		return nil, nil, err
	}
	answer := wire.RelatedAnswer{Kind: "related", Target: walk.Target, Relationships: relationships}
	if walk.Incoming && walk.Outgoing {
		direction = "both"
	}
	return answer, relatedRequest{answer.Kind, walk.Target, sortedOnce(walk.Groups), direction, walk.Transitive, given}, nil
}

// isKnown reports whether a name names something here: a module or a unit, a consumer that relations lead to, or a file that nobody
// watches. What is none of these was meant for something else.
func (q *query) isKnown(target string) (bool, error) {
	if q.corpus.Module(target) != nil || q.corpus.Unit(target) != nil {
		return true, nil
	}
	matched := false
	for _, r := range (graph.Walk{Target: target, Groups: graph.Groups(), Incoming: true, Outgoing: true}).Walk(q.corpus) {
		if r.Glob == "" {
			return true, nil
		}
		matched = true
	}
	if !matched && q.moduleIn(target) != "" {
		return false, nil // what is known by its id
	}
	if here, err := q.isFile(target); here || err != nil {
		return here, err
	}
	// A glob matches a file that is not written yet, and a misspelt id as well.
	return matched && yamltext.Nearest(target, Names(q.corpus)) == "", nil
}

func (q *query) isFile(path string) (bool, error) {
	if content.CheckPath(path) != nil {
		return false, nil
	}
	entries, err := q.side.Source.List(q.ctx, path)
	return len(entries) == 1 && entries[0].Name == path, err
}

// moduleIn is the id of the module that a file holds, or "".
func (q *query) moduleIn(file string) string {
	for _, m := range q.corpus.Modules {
		if m.File == file {
			return m.ID
		}
	}
	return ""
}

// relationships are shown with where each leads on this side, and whether it applies by what is known.
func (q *query) relationships(walk graph.Walk, known facts.Values) ([]wire.Relationship, error) {
	found := walk.Walk(q.corpus)
	var edges []graph.Edge
	for _, r := range found {
		if r.Module == "" {
			edges = append(edges, r.Edge())
		}
	}
	files, err := graph.Resolve(q.ctx, q.side.Source, edges)
	if err != nil {
		return nil, err
	}
	list := make([]wire.Relationship, 0, len(found))
	for _, r := range found {
		direction, applicability := "outgoing", "not-declared"
		if r.Incoming {
			direction = "incoming"
		}
		var settle []string
		if r.When != nil {
			var truth facts.Truth
			truth, settle = graph.Holds(q.corpus, r.When, facts.ContextChange, known)
			applicability = truth.String()
		}
		var target wire.RelationshipTarget
		switch {
		case r.Module != "":
			target = wire.ModuleTarget{Kind: "module", Module: r.Module}
		case r.Path != "":
			_, present := files.File(r.Path)
			target = wire.PathTarget{Kind: "path", Path: r.Path, Present: present}
		default:
			target = wire.GlobTarget{Kind: "glob", Glob: r.Glob, Paths: append([]string{}, files.Paths(r.Edge())...)}
		}
		list = append(list, wire.Relationship{
			Source: r.Source, Relation: r.Kind, Target: target, Groups: r.Groups(), Direction: direction, Distance: r.Distance,
			TargetClass: r.Class(q.corpus), TraversalEligible: r.IsBetweenModules(), When: wire.Optional(inWords(r.When)), On: texts(r.On),
			Applicability: applicability, Facts: texts(settle), File: r.Owner.File, Line: r.Line,
		})
	}
	return list, nil
}

// unknown refuses a name that nothing here has, and says which one may be meant.
func (q *query) unknown(verb, target string) error {
	if id := q.moduleIn(target); id != "" {
		return fault.New(fault.Invalid, "TARGET.UNKNOWN", target, "a module is named by its id, which is %s here", id).Hint("git standards query " + verb + " " + id)
	}
	if bare := strings.TrimLeft(target, "/"); bare != target && bare != "" {
		return fault.New(fault.Invalid, "TARGET.UNKNOWN", bare, "a path counts from the top of the repository, and no name begins with a slash").
			Hint("git standards query " + verb + " " + fault.ShellWord(bare))
	}
	if verb == "related" && content.CheckPath(target) == nil {
		if below, err := q.side.Source.List(q.ctx, target); err != nil {
			return err
		} else if len(below) > 0 {
			return fault.New(fault.Invalid, "TARGET.UNKNOWN", target, "a folder is no consumer: name a file in it, or ask what is to be read for all of them").
				Hint("git standards query route " + fault.ShellWord(q.workspace.Typed(target)))
		}
	}
	f := Unknown(verb, target, Names(q.corpus))
	if len(f.Next) == 0 {
		f.Hint("git standards query route " + fault.ShellWord(q.workspace.Typed(path.Dir(corpus.ManifestPath))))
	}
	return f
}

// Unknown is the fault TARGET.UNKNOWN, invalid, of a word that is none of the names. Where one of them may be meant, it says which,
// and the command that asks for it; verb is what was asked for.
func Unknown(verb, word string, names []string) *fault.Error {
	what := "no module and no unit"
	if verb == "related" {
		what = "no module, no unit and no file"
	}
	f := fault.New(fault.Invalid, "TARGET.UNKNOWN", word, "%s is called %q here", what, word)
	if near := yamltext.Nearest(word, names); near != "" {
		f.Message += "; did you mean " + near + "?"
		f.Hint("git standards query " + verb + " " + near)
	}
	return f
}

// Names is what read and related take for a name: the ids of modules and units, and the aliases of these.
func Names(c *corpus.Corpus) []string {
	var names []string
	for _, m := range c.Modules {
		names = append(names, m.ID)
	}
	for _, u := range c.Units() {
		names = append(append(names, u.ID), u.Aliases...)
	}
	return names
}
