package judge

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/operation"
)

// Navigated is the answer to a query as an object to store, and the view of the side that was asked. Neither rests on the other: a result
// rests on what its operation names alone.
type Navigated struct{ Result, View authority.Node }

// Navigate makes the objects of a query: name is its operation (route, read or related); request and answer are its normalized request and
// what was found, as wire values.
func Navigate(c *corpus.Corpus, name string, request, answer any) (n Navigated, err error) {
	asked, err := record(request)
	if err != nil {
		return n, err
	}
	found, err := record(answer)
	if err != nil {
		return n, err
	}
	compiled, err := graph.Compile(c)
	if err != nil {
		return n, err
	}
	routing, err := graph.CompileRouting(c)
	if err != nil {
		return n, err
	}
	byRole := map[string]authority.Node{
		operation.Metadata: compiled.Metadata, operation.PolicyImpact: compiled.PolicyImpact, operation.Graph: compiled.Graph,
		operation.Coverage: compiled.Coverage, operation.Routing: routing,
	}
	var snapshot *authority.Node
	if c.Snapshot.ID != "" {
		snapshot = &c.Snapshot
	}
	if n.View, err = operation.NewView(snapshot, byRole); err != nil {
		return n, err
	}
	contract := operation.Current(name)
	var roots []authority.RootNode
	for _, role := range contract.Required {
		roots = append(roots, authority.RootNode{Side: authority.Current, Role: role.Name, Node: byRole[role.Name]})
	}
	closure, err := contract.Close(roots...)
	if err != nil {
		return n, err
	}
	n.Result, err = operation.NewNavigation(asked, found, closure)
	return n, err
}

// record is a wire value as an identity record.
func record(value any) (identity.Record, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		return nil, err
	}
	fields, ok := plain(tree).(identity.Record)
	if !ok {
		return nil, fmt.Errorf("internal error: %T is no object", value)
	}
	return fields, nil
}

func plain(tree any) any {
	switch v := tree.(type) {
	case map[string]any:
		fields := identity.Record{}
		for key, value := range v {
			fields[key] = plain(value)
		}
		return fields
	case []any:
		list := make(identity.List, len(v))
		for i, value := range v {
			list[i] = plain(value)
		}
		return list
	case json.Number:
		n, err := v.Int64()
		if err != nil {
			return v.String()
		}
		return n
	}
	return tree
}
