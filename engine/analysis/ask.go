package analysis

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/identity"
)

// asker turns a comparison into questions. It reads the consumers of asked questions, and what may be a watched file in a new
// place, and nothing else.
type asker struct {
	*comparison
	before, after *graph.Files
	gone          map[string]content.Entry
	moved         map[string]string // watched path that is gone → where its bytes stand now
	carries       map[string]*carry // by edge name
	replaced      []graph.Edge      // dropped edges for which another one stands
	uncarried     int
	questions     []*Question
	dormant       []*Question // what would be asked if an edge were not carried (RULES E6)
	notices       []Notice
}

// ask collects the questions of all rows, in the order of RULES C, or what is wrong in the change.
func (a *asker) ask(ctx context.Context) error {
	if err := a.look(ctx); err != nil {
		return err
	}
	a.declareDropped()
	a.checkNewEdges()
	if len(a.findings) > 0 {
		return &corpus.FindingsError{Findings: append(a.findings, a.Proposed.Findings...)}
	}
	var reviews []review
	for _, change := range a.units {
		if !a.asksAbout(change) {
			continue
		}
		if change.reviews() {
			reviews = append(reviews, a.reviewsOf(change)...)
		} else if err := a.askSameRevision(change); err != nil {
			return err
		}
		if change.old == nil {
			a.noticeRequirers(change.new)
		}
	}
	reviews = append(reviews, a.reviewsOfAdded()...)
	deleted, dormant := a.reviewsOfDeleted()
	for _, m := range a.outside {
		if err := a.askUnmapped(m); err != nil {
			return err
		}
	}
	for _, d := range a.declared {
		if err := a.askDeclaration(d); err != nil {
			return err
		}
	}
	if err := a.askRepairs(ctx); err != nil {
		return err
	}
	asked, err := a.askReviews(ctx, append(reviews, deleted...))
	if err != nil {
		return err
	}
	a.questions = sortQuestions(append(a.questions, asked...))
	a.dormant, err = a.askReviews(ctx, dormant)
	return err
}

// look lists where the edges lead that may matter, and finds what moved.
func (a *asker) look(ctx context.Context) error {
	a.gone, a.moved, a.carries = findGone(a.Changes), map[string]string{}, map[string]*carry{}
	edges := slices.Clone(a.edges.added)
	for _, change := range a.units {
		if change.reviews() {
			edges = append(edges, a.edges.byUnit[change.id()]...)
		}
	}
	var watched []string
	if len(a.gone) > 0 {
		for _, edge := range slices.Concat(a.edges.kept, a.edges.dropped) {
			if names := a.goneBelow(edge); len(names) > 0 {
				watched = append(watched, names...)
				edges = append(edges, edge)
			}
		}
	}
	var err error
	if a.before, err = graph.Resolve(ctx, a.AcceptedSource, edges); err != nil {
		return err
	}
	if a.after, err = graph.Resolve(ctx, a.ProposedSource, edges); err != nil {
		return err
	}
	slices.Sort(watched)
	if err := a.findMoves(ctx, slices.Compact(watched)); err != nil {
		return err
	}
	return a.lookAtMoves(ctx, edges)
}

// checkNewEdges refuses a new edge that leads nowhere: only writing a wrong reference is refused (RULES A7).
func (a *asker) checkNewEdges() {
	for _, edge := range a.edges.added {
		a.findings = append(a.findings, leadsNowhere(edge, a.after, authored.SeverityError)...)
	}
}

func leadsNowhere(edge graph.Edge, files *graph.Files, severity string) []authored.Finding {
	if edge.Module != "" {
		return nil
	}
	paths := files.Paths(edge)
	if edge.Path != "" {
		if _, ok := files.File(edge.Path); ok {
			return nil
		}
	} else if len(paths) > 0 {
		return nil
	}
	what, next := fmt.Sprintf("no file stands at the path %q", edge.Path), "write the file, or mend the path"
	if edge.Glob != "" {
		what, next = fmt.Sprintf("no file matches the glob %q", edge.Glob), "write a file that matches, or mend the glob"
	}
	return []authored.Finding{{
		Code: "CONSUMER.ABSENT", Severity: severity, File: edge.Owner.File, Line: edge.Line,
		Message: fmt.Sprintf("%s, which consumes unit %q", what, edge.Unit), Next: next,
	}}
}

// review is one consumer to ask about: a path, or a module by its id. from is where a file stood before it moved there.
type review struct {
	change unitChange
	reason string
	edge   graph.Edge
	path   string
	from   string
	module string
}

// reviewsOf walks the edges of a unit that is raised, added or removed, over both sides (RULES C1, C4, C5).
func (a *asker) reviewsOf(change unitChange) []review {
	reason := UnitChanged
	switch {
	case change.old == nil:
		reason = UnitAdded
	case change.new == nil:
		reason = UnitRemoved
	}
	var list []review
	for _, edge := range a.edges.byUnit[change.id()] {
		list = append(list, a.along(change, reason, edge, a.pathsOf(edge))...)
	}
	return list
}

// pathsOf is where a path or glob edge leads: a new one on the proposed side, any other on both. A carried one leads to where
// its consumers stand now.
func (a *asker) pathsOf(edge graph.Edge) []string {
	if edge.Module != "" {
		return nil
	}
	paths := a.after.Paths(edge)
	if !a.edges.isNew[edge.Name] {
		if c := a.carried(edge); c != nil && c.clean && a.Proposed.Unit(edge.Unit) != nil {
			return slices.SortedFunc(maps.Keys(c.paths), content.ComparePaths)
		}
		paths = append(paths, a.before.Paths(edge)...)
	}
	slices.SortFunc(paths, content.ComparePaths)
	return slices.Compact(paths)
}

func (a *asker) along(change unitChange, reason string, edge graph.Edge, paths []string) []review {
	if edge.Module != "" {
		return []review{{change: change, reason: reason, edge: edge, module: edge.Module}}
	}
	var list []review
	for _, path := range paths {
		list = append(list, review{change: change, reason: reason, edge: edge, path: path, from: a.movedFrom(groupOf(edge), path)})
	}
	return list
}

// reviewsOfAdded asks about each path to which a new edge of an equal revision leads and no edge of the accepted side led
// (RULES C6). A consumer that only moved is not new.
func (a *asker) reviewsOfAdded() []review {
	var list []review
	for _, edge := range a.edges.added {
		old, now := a.oldUnit(edge.Unit), a.Proposed.Unit(edge.Unit)
		if old == nil || old.Revision != now.Revision || !a.asks(old.Module, now.Module) {
			continue
		}
		var paths []string
		for _, path := range a.after.Paths(edge) {
			if !a.anyLeadsTo(a.edges.old[groupOf(edge)], path) && a.movedFrom(groupOf(edge), path) == "" {
				paths = append(paths, path)
			}
		}
		list = append(list, a.along(unitChange{old, now}, ConsumerAdded, edge, paths)...)
	}
	return list
}

// reviewsOfDeleted asks about consumers that are gone: the path of an edge, or all that its glob matched (RULES C12). An edge
// that is carried asks nothing; what it would have asked is dormant. Where others of a glob are left, that is only said. An
// edge that another one stands for is walked as it was, and one that is asked about itself not at all.
func (a *asker) reviewsOfDeleted() (asked, dormant []review) {
	for _, edge := range slices.Concat(a.edges.kept, a.replaced) {
		names := a.goneBelow(edge)
		change := unitChange{a.oldUnit(edge.Unit), a.Proposed.Unit(edge.Unit)}
		if len(names) == 0 || change.old == nil || !a.asksAbout(change) {
			continue
		}
		deleted := a.along(change, ConsumerDeleted, edge, names)
		switch c := a.carried(edge); {
		case c != nil && !a.edges.isKept[edge.Name] && slices.ContainsFunc(a.edges.now[groupOf(edge)], func(e graph.Edge) bool { return a.takesUp(e, c) }):
			// Its new row leads to where the consumers are now.
		case c != nil && c.clean && a.edges.isKept[edge.Name]:
			a.noticeCarried(edge, c)
			dormant = append(dormant, deleted...)
		case edge.Glob != "" && len(a.after.Paths(edge)) > 0:
			if !change.reviews() { // else they are asked about
				a.noticeDeleted(edge, names)
			}
		default:
			asked = append(asked, deleted...)
		}
	}
	return asked, dormant
}

// noticeDeleted says that some of what a glob matched is gone, but for what only has another name below the same edges.
func (a *asker) noticeDeleted(edge graph.Edge, names []string) {
	names = slices.DeleteFunc(names, func(name string) bool {
		to, moved := a.moved[name]
		return moved && a.anyLeadsTo(a.edges.now[groupOf(edge)], to)
	})
	if len(names) == 0 {
		return
	}
	what := fmt.Sprintf("%q is", names[0])
	if len(names) > 1 {
		what = fmt.Sprintf("%q and %d more are", names[0], len(names)-1)
	}
	if by, replaced := a.replacement(edge); replaced && !a.edges.isKept[edge.Name] {
		edge = by
	}
	a.notices = append(a.notices, Notice{
		Code: DeletedCode, Target: fmt.Sprintf("%s:%d", edge.Owner.File, edge.Line), Paths: names,
		Message: fmt.Sprintf("%s gone, and was a consumer of unit %q; %q leads to what is left", what, edge.Unit, edge.Describe()),
	})
}

// askReviews makes one consumer-review per consumer. The files are read in two calls, one for each side.
func (a *asker) askReviews(ctx context.Context, reviews []review) ([]*Question, error) {
	var now, before []content.Entry
	seen := map[string]bool{}
	reviews = slices.DeleteFunc(reviews, a.noticeUnrecordable)
	for _, r := range reviews {
		if r.module != "" || seen[r.path] {
			continue
		}
		seen[r.path] = true
		if err := content.CheckPath(r.path); err != nil {
			return nil, fault.New(fault.Unsupported, "CONTENT.PATH", r.path, "this consumer of unit %q cannot be recorded by its name", r.edge.Unit).Because(err).Hint("rename the file")
		}
		entry, here := a.after.File(r.path)
		if here {
			now = append(now, entry)
		}
		// Of two objects it is known without their bytes whether they differ.
		if old, was := a.before.File(r.path); was && here && (old.Object == "" || entry.Object == "") {
			before = append(before, old)
		}
	}
	if err := content.CheckSizes(ctx, a.ProposedSource, now...); err != nil {
		return nil, err
	}
	nowBytes, err := readAll(ctx, a.ProposedSource, now)
	if err != nil {
		return nil, err
	}
	oldBytes, err := readAll(ctx, a.AcceptedSource, before)
	if err != nil {
		return nil, err
	}
	questions := make([]*Question, 0, len(reviews))
	for _, r := range reviews {
		q, err := a.reviewQuestion(r, nowBytes, oldBytes)
		if err != nil {
			return nil, err
		}
		questions = append(questions, q)
	}
	return questions, nil
}

// noticeUnrecordable tells of a consumer that is gone and whose name no question can hold. One that is still there is refused.
func (a *asker) noticeUnrecordable(r review) bool {
	if _, here := a.after.File(r.path); r.module != "" || here || content.CheckPath(r.path) == nil {
		return false
	}
	a.notices = append(a.notices, Notice{
		Code: DeletedCode, Target: fmt.Sprintf("%s:%d", r.edge.Owner.File, r.edge.Line), Paths: []string{r.path},
		Message: fmt.Sprintf("%q is gone, and was a consumer of unit %q; its name cannot be recorded, so nothing is asked", r.path, r.edge.Unit),
	})
	return true
}

func readAll(ctx context.Context, source content.Source, entries []content.Entry) (map[string][]byte, error) {
	data, err := source.Read(ctx, entries...)
	if err != nil {
		return nil, err
	}
	byName := make(map[string][]byte, len(entries))
	for i, entry := range entries {
		byName[entry.Name] = data[i]
	}
	return byName, nil
}

func (a *asker) reviewQuestion(r review, now, before map[string][]byte) (*Question, error) {
	q := a.about(r.change, ConsumerReview, r.reason)
	state := Absent
	target := identity.Record{"path": r.path}
	q.Consumer = r.path
	if r.module != "" {
		target, q.Consumer = identity.Record{"module": r.module}, r.module
		var err error
		if state, err = moduleState(a.Proposed.Module(r.module)); err != nil {
			return nil, err
		}
		was, err := moduleState(a.oldModule(r.module))
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
		q.parts = append(q.parts, node)
		old, readBefore := before[r.path]
		entry, was := a.before.File(r.path)
		file, _ := a.after.File(r.path)
		differs := !was || readBefore && identity.Bytes(old) != state || !readBefore && entry.Object != file.Object
		q.Updatable = r.from == "" && differs
	} else if _, was := a.before.File(r.path); was {
		q.Updatable = true // the file is gone: its bytes differ
	}
	q.Record = consumerRecord(r.change, r.edge, target, state)
	return q, q.seal()
}

func (q *Question) seal() (err error) {
	q.ID, err = QuestionCodec.ID(q.Record)
	return err
}

func (a *asker) about(change unitChange, kind, reason string) *Question {
	q := &Question{Kind: kind, Reason: reason, Unit: change.id()}
	if old := change.old; old != nil {
		q.Was, q.Module, q.File, q.Line = old.Revision, old.Module.ID, old.Module.File, 1
		if m := a.Proposed.Module(old.Module.ID); m != nil {
			q.File, q.Line = m.File, m.LineOf("tombstones")
		}
	}
	if now := change.new; now != nil {
		q.Now, q.Module, q.File, q.Line = now.Revision, now.Module.ID, now.Module.File, now.TextLine
		q.parts = []authority.Node{corpus.StructureNode(now.Structure, now.Text.Normal)}
	}
	return q
}

func (a *asker) askSameRevision(change unitChange) error {
	q := a.about(change, ImpactReview, SameRevision)
	q.Record = sameRevisionRecord(change.new)
	a.questions = append(a.questions, q)
	return q.seal()
}

func (a *asker) askUnmapped(m *corpus.Module) error {
	q := &Question{
		Kind: ImpactReview, Reason: UnmappedText, Module: m.ID, File: m.File, Line: m.Line, Record: unmappedRecord(m),
		parts: []authority.Node{corpus.StructureNode(m.Outside, m.Module.Outside.Normal)},
	}
	a.questions = append(a.questions, q)
	return q.seal()
}

func (a *asker) askDeclaration(d declaration) error {
	q := &Question{
		Kind: ImpactReview, Reason: DeclarationChanged, Module: d.module, Unit: d.unit, Declaration: d.name, File: d.file, Line: d.line,
		Record: declarationRecord(d),
	}
	a.questions = append(a.questions, q)
	return q.seal()
}

// askRepairs asks about each file that cannot be read on the accepted side (RULES B7).
func (a *asker) askRepairs(ctx context.Context) error {
	for _, u := range a.repairs {
		listed, err := a.ProposedSource.List(ctx, u.File)
		if err != nil {
			return err
		}
		now := Absent
		if len(listed) == 1 && listed[0].Name == u.File && isFile(&listed[0]) {
			data, err := a.ProposedSource.Read(ctx, listed[0])
			if err != nil {
				return err
			}
			now = identity.Bytes(data[0])
		}
		q := &Question{
			Kind: ImpactReview, Reason: BaseInvalid, Declaration: u.File, File: u.File, Line: 1, Record: repairRecord(u, now),
		}
		if m := a.Proposed.Module(u.Module); m != nil {
			q.Module = m.ID
		}
		a.questions = append(a.questions, q)
		if err := q.seal(); err != nil {
			return err
		}
	}
	return nil
}

// noticeRequirers tells the modules that require the module of a new unit (RULES C4).
func (a *asker) noticeRequirers(unit *corpus.Unit) {
	for _, m := range a.Proposed.Modules {
		if slices.Contains(m.Requires, unit.Module.ID) {
			a.notices = append(a.notices, Notice{
				Code:    "REQUIRES.UNIT_ADDED",
				Target:  fmt.Sprintf("%s:%d", m.File, m.Line),
				Message: fmt.Sprintf("module %q requires %q, which has the new unit %q", m.ID, unit.Module.ID, unit.ID),
			})
		}
	}
}
