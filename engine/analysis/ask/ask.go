// Package ask turns what differs between two sides into the questions of a change (RULES C): whom an edge leads to, where what moved stands
// now, and which facts say whether a consumer is asked at all. It reads the consumers of asked questions, the inputs of facts, and what may be
// a watched file in a new place. It knows neither decisions nor who may answer: what is known of a fact it is told, and nothing else of an
// answer can change what is asked.
package ask

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/compare"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/graph"
)

// Sides is what a verdict is a function of: both sides, compiled and as sources, and where they differ.
type Sides struct {
	Accepted, Proposed             *corpus.Corpus
	AcceptedSource, ProposedSource content.Source
	Changes                        []content.Change
}

// Notice is something said beside the verdict. Paths are the files whose deletion it tells of; From and To are the place that
// rows name and the one to which it moved.
type Notice struct {
	Code, Target, Message string
	Next                  string // a command, or ""
	Paths                 []string
	From, To              string
}

// The notices by which whoever moves or deletes something watched is told (RULES C12, C13).
const (
	CarriedCode = "EDGE.CARRIED"
	DeletedCode = "CONSUMER.DELETED"
)

// Asker knows what a change may ask, and by what is known of its facts, what it does ask.
type Asker struct {
	Sides
	*compare.Comparison
	*graph.Patterns
	before, after *graph.Files
	gone          map[string]content.Entry
	goneNames     *paths
	moved         map[string]string // watched path that is gone → where its bytes stand now
	movedTo       map[string]string // the other way round
	carries       map[string]*carry // by edge name
	replaced      []graph.Edge      // dropped edges for which another one stands
	uncarried     int
	questions     []*question.Question
	derivable     []*question.Question
	changed       []review // of consumers that may have changed alone (RULES C9)
	candidates    []candidate
	notices       []Notice

	contracts  *facts.Schema
	conditions map[string]*condition         // by edge name
	facts      map[string]*question.Question // of all that a condition names, by fact
	// refusedFacts is the facts that no question can be made of, with why. That counts only where one is asked.
	refusedFacts map[string]error
	known        facts.Values // of the change
	settled
}

// New collects what a change may ask, whatever is answered. What is wrong in it is a *corpus.FindingsError.
func New(ctx context.Context, sides Sides) (*Asker, error) {
	a := &Asker{Sides: sides, Comparison: compare.Corpora(sides.Accepted, sides.Proposed), Patterns: graph.NewPatterns()}
	return a, a.ask(ctx)
}

// ask goes through all rows in the order of RULES C. Which of the reviews and facts are asked, Choose says.
func (a *Asker) ask(ctx context.Context) (err error) {
	a.contracts, a.conditions = judgedBy(a.Accepted, a.Proposed), map[string]*condition{}
	if err := a.look(ctx); err != nil {
		return err
	}
	a.declareDropped()
	a.checkNewEdges()
	if len(a.Findings) > 0 {
		return &corpus.FindingsError{Findings: append(a.Findings, a.Proposed.Findings...)}
	}
	var reviews []review
	for _, change := range a.Units {
		if !a.AsksAbout(change) {
			continue
		}
		if change.Reviews() {
			reviews = append(reviews, a.reviewsOf(change)...)
		} else if err := a.askSameRevision(change); err != nil {
			return err
		}
		if err := a.askCoverage(change); err != nil {
			return err
		}
		if change.Old == nil {
			a.noticeRequirers(change.New)
		}
	}
	reviews = append(reviews, a.reviewsOfAdded()...)
	reviews = append(reviews, a.reviewsOfChanged()...)
	deleted, dormant := a.reviewsOfDeleted()
	for _, m := range a.Outside {
		if err := a.askUnmapped(m); err != nil {
			return err
		}
	}
	for _, d := range a.Declared {
		if err := a.askDeclaration(d); err != nil {
			return err
		}
	}
	if err := a.askRepairs(ctx); err != nil {
		return err
	}
	if a.candidates, err = a.readReviews(ctx, append(reviews, deleted...)); err != nil {
		return err
	}
	carried, err := a.readReviews(ctx, dormant)
	if err != nil {
		return err
	}
	for _, c := range carried {
		if c.question != nil {
			a.put(c.question, false)
		}
	}
	return a.makeFacts(ctx)
}

// All is every question that could be asked, whatever is answered.
func (a *Asker) All() []*question.Question {
	all := slices.Concat(a.questions, a.derivable)
	for _, c := range a.candidates {
		if c.question != nil {
			all = append(all, c.question)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(a.facts)) {
		all = append(all, a.facts[id])
	}
	return all
}

// look lists where the edges lead that may matter, and finds what moved.
func (a *Asker) look(ctx context.Context) error {
	a.gone, a.carries = findGone(a.Changes), map[string]*carry{}
	a.movedTo = map[string]string{}
	a.goneNames = newPaths(slices.Collect(maps.Keys(a.gone)))
	edges := slices.Clone(a.Edges.Added)
	a.findChanged()
	for _, r := range a.changed {
		if r.module == "" {
			edges = append(edges, toPath(r.path))
		}
	}
	for _, change := range a.Units {
		if change.Reviews() {
			edges = append(edges, a.Edges.OfUnit(change.ID())...)
		}
	}
	var watched []string
	if len(a.gone) > 0 {
		for _, edge := range slices.Concat(a.Edges.Kept, a.Edges.Dropped) {
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

// checkNewEdges refuses a new edge that leads nowhere: only writing a wrong reference is refused (RULES A7). Where the row named
// another file before, and that is deleted, the person deleted what the row watched, who is asked about the row that is gone and
// told about this one.
func (a *Asker) checkNewEdges() {
	a.Edges.Added = slices.DeleteFunc(a.Edges.Added, func(edge graph.Edge) bool {
		f, nowhere := a.after.Nowhere(edge, reading.SeverityError)
		if !nowhere {
			return false
		}
		if !a.followsDeleted(edge) {
			a.Findings = append(a.Findings, f)
			return false
		}
		a.notices = append(a.notices, Notice{Code: f.Code, Target: fmt.Sprintf("%s:%d", f.File, f.Line), Message: f.Message})
		return true // nothing is there to ask about
	})
}

// followsDeleted reports that an edge of the same unit and relation is dropped whose consumers are all deleted, none moved: a file
// that was moved with its row (`git standards mv`) and deleted later in the same range looks so.
func (a *Asker) followsDeleted(edge graph.Edge) bool {
	return slices.ContainsFunc(a.Edges.Dropped, func(old graph.Edge) bool {
		if old.Kin() != edge.Kin() || old.Module != "" {
			return false
		}
		gone := a.goneBelow(old)
		return len(gone) > 0 && len(gone) == len(a.before.Paths(old)) &&
			!slices.ContainsFunc(gone, func(path string) bool { _, moved := a.moved[path]; return moved })
	})
}
