package ask

import (
	"slices"

	"github.com/git-standards/git-standards/engine/graph"
)

// replacement finds the edge of the proposed side that stands for one that was dropped: it leads wherever that one could lead,
// or to where its consumers moved (RULES C6, C13). One on the same terms is better than one on others.
func (a *Asker) replacement(edge graph.Edge) (by graph.Edge, found bool) {
	moved := a.carried(edge)
	for _, e := range a.Edges.After.OfKin(edge.Kin()) {
		if (a.Covers(e, edge) || moved != nil && a.takesUp(e, moved)) && (!found || a.SameTerms(e, edge)) {
			by, found = e, true
		}
	}
	return by, found
}

// declareDropped asks about each edge that no other one replaces on the same terms (RULES C7).
func (a *Asker) declareDropped() {
	for _, edge := range a.Edges.Dropped {
		by, replaced := a.replacement(edge)
		switch {
		case replaced && a.SameTerms(by, edge):
			a.replaced = append(a.replaced, edge)
		case replaced:
			a.DeclareReplaced(edge, by)
		default:
			left := slices.DeleteFunc(slices.Clone(a.Edges.After.OfKin(edge.Kin())), func(e graph.Edge) bool { return !a.Covers(edge, e) })
			a.DeclareNarrowed(edge, left)
		}
	}
}
