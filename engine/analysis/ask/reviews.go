package ask

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/compare"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/identity"
)

// review is one consumer to ask about: a path, or a module by its id. from is where a file stood before it moved there.
type review struct {
	change compare.UnitChange
	reason string
	edge   graph.Edge
	path   string
	from   string
	module string
}

// reviewsOf walks the edges of a unit that is raised, added or removed, over both sides (RULES C1, C4, C5).
func (a *Asker) reviewsOf(change compare.UnitChange) []review {
	reason := question.UnitChanged
	switch {
	case change.Old == nil:
		reason = question.UnitAdded
	case change.New == nil:
		reason = question.UnitRemoved
	}
	var list []review
	for _, edge := range a.Edges.OfUnit(change.ID()) {
		list = append(list, a.along(change, reason, edge, a.pathsOf(edge))...)
	}
	return list
}

// pathsOf is where a path or glob edge leads: a new one on the proposed side, any other on both. A carried one leads to where
// its consumers stand now.
func (a *Asker) pathsOf(edge graph.Edge) []string {
	if edge.Module != "" {
		return nil
	}
	paths := a.after.Paths(edge)
	if !a.Edges.IsNew(edge.Name) {
		if c := a.carried(edge); c != nil && c.clean && a.Proposed.Unit(edge.Unit) != nil {
			return slices.SortedFunc(maps.Keys(c.paths), content.ComparePaths)
		}
		paths = append(paths, a.before.Paths(edge)...)
	}
	slices.SortFunc(paths, content.ComparePaths)
	return slices.Compact(paths)
}

func (a *Asker) along(change compare.UnitChange, reason string, edge graph.Edge, paths []string) []review {
	if edge.Module != "" {
		return []review{{change: change, reason: reason, edge: edge, module: edge.Module}}
	}
	var list []review
	for _, path := range paths {
		list = append(list, review{change: change, reason: reason, edge: edge, path: path, from: a.movedFrom(edge.Kin(), path)})
	}
	return list
}

// reviewsOfAdded asks about each path to which a new edge of an equal revision leads and no edge of the accepted side led
// (RULES C6). A consumer that only moved is not new.
func (a *Asker) reviewsOfAdded() []review {
	var list []review
	for _, edge := range a.Edges.Added {
		change := a.Unit(edge.Unit)
		if change.Old == nil || change.Reviews() || !a.AsksAbout(change) {
			continue
		}
		var paths []string
		for _, path := range a.after.Paths(edge) {
			if !a.AnyLeadsTo(a.Edges.Before.OfKin(edge.Kin()), path) && a.movedFrom(edge.Kin(), path) == "" {
				paths = append(paths, path)
			}
		}
		list = append(list, a.along(change, question.ConsumerAdded, edge, paths)...)
	}
	return list
}

// reviewsOfDeleted asks about consumers that are gone: the path of an edge, or all that its glob matched (RULES C12). An edge
// that is carried asks nothing; what it would have asked is dormant. Where others of a glob are left, that is only said. An
// edge that another one stands for is walked as it was, and one that is asked about itself not at all.
func (a *Asker) reviewsOfDeleted() (asked, dormant []review) {
	for _, edge := range slices.Concat(a.Edges.Kept, a.replaced) {
		names := slices.DeleteFunc(a.goneBelow(edge), func(name string) bool { return a.takenUp(edge, name) })
		change := a.Unit(edge.Unit)
		if len(names) == 0 || change.Old == nil || !a.AsksAbout(change) {
			continue
		}
		deleted := a.along(change, question.ConsumerDeleted, edge, names)
		switch c := a.carried(edge); {
		case c != nil && c.clean && a.Edges.IsKept(edge.Name):
			a.noticeCarried(edge, c)
			dormant = append(dormant, deleted...)
		case edge.Glob != "" && len(a.after.Paths(edge)) > 0:
			if !change.Reviews() { // else they are asked about
				a.noticeDeleted(edge, names)
			}
		default:
			asked = append(asked, deleted...)
		}
	}
	return asked, dormant
}

// takenUp reports a consumer that moved to where the same glob leads, or a row that this change writes, or, its own row being
// gone, any other of its unit and relation: it is bound as before.
func (a *Asker) takenUp(edge graph.Edge, name string) bool {
	to, moved := a.moved[name]
	return moved && slices.ContainsFunc(a.Edges.After.OfKin(edge.Kin()), func(e graph.Edge) bool {
		return a.LeadsTo(e, to) && (!a.Edges.IsKept(edge.Name) || a.Edges.IsNew(e.Name) || e.Glob != "" && e.Name == edge.Name)
	})
}

// noticeDeleted says that some of what a glob matched is gone.
func (a *Asker) noticeDeleted(edge graph.Edge, names []string) {
	what := fmt.Sprintf("%q is", names[0])
	if len(names) > 1 {
		what = fmt.Sprintf("%q and %d more are", names[0], len(names)-1)
	}
	if by, replaced := a.replacement(edge); replaced && !a.Edges.IsKept(edge.Name) {
		edge = by
	}
	a.notices = append(a.notices, Notice{
		Code: DeletedCode, Target: fmt.Sprintf("%s:%d", edge.Owner.File, edge.Line), Paths: names,
		Message: fmt.Sprintf("%s gone, and was a consumer of unit %q; %q leads to what is left", what, edge.Unit, edge.Describe()),
	})
}

// candidate is a review whose consumer was read: the question that it asks, or why it cannot be asked. A consumer whose name or
// size no question can hold refuses a change only if it is asked about.
type candidate struct {
	review
	condition *condition
	question  *question.Question
	refused   error
}

// readReviews makes the question of each consumer. The files are read in two calls, one for each side. Consumers that have not
// changed after all are left out of RULES C9.
func (a *Asker) readReviews(ctx context.Context, reviews []review) ([]candidate, error) {
	reviews = slices.DeleteFunc(reviews, a.noticeUnrecordable)
	nowBytes, oldBytes, refused, err := a.readConsumers(ctx, reviews)
	if err != nil {
		return nil, err
	}
	candidates := make([]candidate, 0, len(reviews))
	for _, r := range reviews {
		c := candidate{review: r, condition: a.conditionOf(r.edge), refused: refused[r.path]}
		if c.refused == nil {
			c.question, err = a.reviewQuestion(r, nowBytes, oldBytes)
			if fault.Is(err, "CONTENT.TOO_LARGE") {
				c.refused = err
			} else if err != nil {
				return nil, err
			}
		}
		if r.reason != question.ConsumerChanged || c.refused != nil || c.question.Updatable {
			candidates = append(candidates, c)
		}
	}
	return candidates, nil
}

// readConsumers reads the files of reviews on both sides, and says which of them no question can hold.
func (a *Asker) readConsumers(ctx context.Context, reviews []review) (now, old map[string][]byte, refused map[string]error, err error) {
	var here, before []content.Entry
	refused = map[string]error{}
	seen := map[string]bool{}
	for _, r := range reviews {
		if r.module != "" || seen[r.path] {
			continue
		}
		seen[r.path] = true
		if err := content.CheckPath(r.path); err != nil {
			refused[r.path] = fault.New(fault.Unsupported, "CONTENT.PATH", r.path, "this consumer of unit %q cannot be recorded by its name", r.edge.Unit).
				Because(err).Hint("git mv -- " + fault.ShellWord(r.path) + " NEW")
			continue
		}
		entry, isHere := a.after.File(r.path)
		if isHere {
			here = append(here, entry)
		}
		// Of two objects it is known without their bytes whether they differ.
		if old, was := a.before.File(r.path); was && isHere && (old.Object == "" || entry.Object == "") {
			before = append(before, old)
		}
	}
	large, err := content.TooLarge(ctx, a.ProposedSource, here...)
	if err != nil {
		return nil, nil, nil, err
	}
	maps.Copy(refused, large)
	here = slices.DeleteFunc(here, func(e content.Entry) bool { return large[e.Name] != nil })
	if now, err = content.ReadEntries(ctx, a.ProposedSource, here...); err != nil {
		return nil, nil, nil, err
	}
	old, err = content.ReadEntries(ctx, a.AcceptedSource, before...)
	return now, old, refused, err
}

// noticeUnrecordable tells of a consumer that is gone and whose name no question can hold. One that is still there is refused.
func (a *Asker) noticeUnrecordable(r review) bool {
	if _, here := a.after.File(r.path); r.module != "" || here || content.CheckPath(r.path) == nil {
		return false
	}
	n := Notice{
		Code: DeletedCode, Target: fmt.Sprintf("%s:%d", r.edge.Owner.File, r.edge.Line), Paths: []string{r.path},
		Message: fmt.Sprintf("%q is gone, and was a consumer of unit %q; its name cannot be recorded, so nothing is asked", r.path, r.edge.Unit),
	}
	if !slices.ContainsFunc(a.notices, func(said Notice) bool { return said.Target == n.Target && said.Message == n.Message }) {
		a.notices = append(a.notices, n)
	}
	return true
}

func (a *Asker) reviewQuestion(r review, now, before map[string][]byte) (*question.Question, error) {
	q := a.about(r.change, question.ConsumerReview, r.reason)
	state := question.Absent
	target := identity.Record{"path": r.path}
	q.Consumer = r.path
	if r.module != "" {
		target, q.Consumer = identity.Record{"module": r.module}, r.module
		var err error
		if state, err = question.ModuleState(a.Proposed.Module(r.module)); err != nil {
			return nil, err
		}
		was, err := question.ModuleState(a.OldModule(r.module))
		if err != nil {
			return nil, err
		}
		q.Updatable = was != state
	} else if data, here := now[r.path]; here {
		state = identity.Bytes(data)
		node, err := content.FileNode(r.path, data)
		if err != nil {
			return nil, err
		}
		q.Parts = append(q.Parts, node)
		old, readBefore := before[r.path]
		entry, was := a.before.File(r.path)
		file, _ := a.after.File(r.path)
		differs := !was || readBefore && identity.Bytes(old) != state || !readBefore && entry.Object != file.Object
		q.Updatable = r.from == "" && differs
	} else if _, was := a.before.File(r.path); was {
		q.Updatable = true // the file is gone: its bytes differ
	}
	q.Record = question.ReviewRecord(r.change.ID(), r.change.New, r.edge.Relation, a.conditionOf(r.edge).digest, target, state)
	return q, q.Seal()
}
