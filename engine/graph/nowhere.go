package graph

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
)

// Kin is the unit and the relation of an edge: edges of one kin that lead to the same consumer ask the same.
type Kin struct{ Unit, Relation string }

// Kin returns the unit and the relation of an edge.
func (e Edge) Kin() Kin { return Kin{e.Unit, e.Relation} }

// Nowhere is the finding CONSUMER.ABSENT of a path or glob edge that leads to no file (RULES A7), or false.
func (f *Files) Nowhere(edge Edge, severity string) (reading.Finding, bool) {
	what, next := "", ""
	switch {
	case edge.Path != "":
		if _, ok := f.File(edge.Path); ok {
			return reading.Finding{}, false
		}
		what, next = fmt.Sprintf("no file stands at the path %q", edge.Path), "write the file, or mend the path"
	case edge.Glob != "" && len(f.Paths(edge)) == 0:
		what, next = fmt.Sprintf("no file matches the glob %q", edge.Glob), "write a file that matches, or mend the glob"
	default:
		return reading.Finding{}, false
	}
	return reading.Finding{
		Code: "CONSUMER.ABSENT", Severity: severity, File: edge.Owner.File, Line: edge.Line,
		Message: fmt.Sprintf("%s, which consumes unit %q", what, edge.Unit), Next: next,
	}, true
}

// Dangling finds the edges of one side that lead to no file; severity says how bad that is for an edge (RULES A7).
func Dangling(ctx context.Context, c *corpus.Corpus, source content.Source, severity func(Edge) string) ([]reading.Finding, error) {
	edges := slices.DeleteFunc(Edges(c), func(e Edge) bool { return e.Module != "" || e.Path == "" && e.Glob == "" })
	files, err := Resolve(ctx, source, edges)
	if err != nil {
		return nil, err
	}
	var findings []reading.Finding
	for _, edge := range edges {
		if f, nowhere := files.Nowhere(edge, severity(edge)); nowhere {
			findings = append(findings, f)
		}
	}
	return findings, nil
}

// NewEdges reports which edges of the proposed side are new beside an accepted one and follow no deleted consumer: those that
// must lead somewhere (RULES A7). It does not look for what was moved, which only a judged change does.
func NewEdges(ctx context.Context, accepted, proposed *corpus.Corpus, acceptedSource, proposedSource content.Source) (func(Edge) bool, error) {
	known, kept := map[string]bool{}, map[string]bool{}
	for _, edge := range Edges(proposed) {
		kept[edge.Name] = true
	}
	var dropped []Edge
	for _, edge := range Edges(accepted) {
		known[edge.Name] = true
		if !kept[edge.Name] && edge.Module == "" {
			dropped = append(dropped, edge)
		}
	}
	before, err := Resolve(ctx, acceptedSource, dropped)
	if err != nil {
		return nil, err
	}
	after, err := Resolve(ctx, proposedSource, dropped)
	if err != nil {
		return nil, err
	}
	deleted := map[Kin]bool{}
	for _, edge := range dropped {
		_, was := before.Nowhere(edge, "")
		_, is := after.Nowhere(edge, "")
		if is && !was {
			deleted[edge.Kin()] = true
		}
	}
	return func(edge Edge) bool { return !known[edge.Name] && !deleted[edge.Kin()] }, nil
}
