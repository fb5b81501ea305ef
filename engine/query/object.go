package query

import (
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
)

// A stored answer is a function of the standards of its side and of its request: how the request was worded, where whoever asked stood,
// and what is at a consumer's place in the tree are not in it. So a request is stored with all that the answer was found by, each name in
// its one spelling.
type (
	// routeRequest is the paths of a task and what was known of it, built-in facts included, by id.
	routeRequest struct {
		Kind  string           `json:"kind"`
		Paths []string         `json:"paths"`
		Known []wire.KnownFact `json:"known"`
	}
	readRequest struct {
		Kind   string `json:"kind"`
		Target string `json:"target"`
	}
	relatedRequest struct {
		Kind       string           `json:"kind"`
		Target     string           `json:"target"`
		Groups     []string         `json:"groups"`
		Direction  string           `json:"direction"`
		Transitive bool             `json:"transitive"`
		Known      []wire.KnownFact `json:"known"`
	}
)

// The answers as they are stored.
type (
	routeResult struct {
		Kind       string                `json:"kind"`
		Entries    []wire.PlanEntry      `json:"entries"`
		Unresolved []wire.UnresolvedFact `json:"unresolved"`
	}
	readResult struct {
		wire.ReadAnswer
		Consumers []relationship `json:"consumers"`
	}
	relatedResult struct {
		Kind          string         `json:"kind"`
		Target        string         `json:"target"`
		Relationships []relationship `json:"relationships"`
	}
	relationship struct {
		wire.Relationship
		Target any `json:"target"`
	}
	pathTarget struct {
		Kind string `json:"kind"`
		Path string `json:"path"`
	}
	globTarget struct {
		Kind string `json:"kind"`
		Glob string `json:"glob"`
	}
)

// objects makes what an answer is stored as.
func (q *query) objects(request any, answer wire.NavigationAnswer) (judge.Navigated, error) {
	switch a := answer.(type) {
	case wire.RouteAnswer:
		return judge.Navigate(q.corpus, a.Kind, request, routeResult{a.Kind, a.Entries, a.Unresolved})
	case wire.ReadAnswer:
		return judge.Navigate(q.corpus, a.Kind, request, readResult{a, stored(a.Consumers)})
	case wire.RelatedAnswer:
		return judge.Navigate(q.corpus, a.Kind, request, relatedResult{a.Kind, a.Target, stored(a.Relationships)})
	}
	panic("internal error: an answer of no query")
}

// stored is relationships by what is declared alone.
func stored(list []wire.Relationship) []relationship {
	relationships := make([]relationship, len(list))
	for i, r := range list {
		relationships[i] = relationship{r, r.Target}
		switch target := r.Target.(type) {
		case wire.PathTarget:
			relationships[i].Target = pathTarget{target.Kind, target.Path}
		case wire.GlobTarget:
			relationships[i].Target = globTarget{target.Kind, target.Glob}
		}
	}
	return relationships
}

// known is what is known, as the contracts show it.
func (q *query) known(values facts.Values) []wire.KnownFact {
	schema := q.corpus.Schema()
	list := make([]wire.KnownFact, 0, len(values))
	for _, id := range slices.Sorted(maps.Keys(values)) {
		contract, _ := schema.Find(id)
		list = append(list, wire.KnownFact{Fact: id, Value: contract.Show(values[id])})
	}
	return list
}

func sortedOnce(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }
