package authority

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// ClosureCodec owns execution-closure: the objects that one result was computed from (ExecutionClosureV2 of seed 004). Its payload holds
// the roots alone and the digest of all that they rest on, which is derived and stored nowhere.
var ClosureCodec = Codec{
	Kind:            "execution-closure",
	Domain:          "coding-standards:execution-closure:v2",
	PayloadContract: "execution-closure.v2",
	Examine:         examineClosure,
}

// The sides of a root (DESIGN 3).
const (
	Current    = "current"
	Accepted   = "accepted"
	Proposed   = "proposed"
	Transition = "transition"
)

// Root is an object that a result was computed from, and as what.
type Root struct {
	Side, Role string
	Reference
}

// RootNode is a root in memory.
type RootNode struct {
	Side, Role string
	Node
}

// Root names it.
func (n RootNode) Root() Root { return Root{n.Side, n.Role, n.Reference} }

func compareRoots(a, b Root) int {
	return cmp.Or(strings.Compare(a.Side, b.Side), strings.Compare(a.Role, b.Role), compareReferences(a.Reference, b.Reference))
}

// NewClosure makes the closure of a result; reached is what its roots rest on (Reach). Whether they are what an operation needs is not for
// this package to know.
func NewClosure(reached Reached, roots ...RootNode) (Node, error) {
	roots = slices.Clone(roots)
	slices.SortFunc(roots, func(a, b RootNode) int { return compareRoots(a.Root(), b.Root()) })
	roots = slices.CompactFunc(roots, func(a, b RootNode) bool { return a.Root() == b.Root() })
	list, parts := make(identity.List, 0, len(roots)), make([]Node, 0, len(roots))
	for _, root := range roots {
		list = append(list, identity.Record{
			"side": root.Side, "role": root.Role, "object_kind": root.Kind, "semantic_id": root.ID,
		})
		parts = append(parts, root.Node)
	}
	derived, err := reached.Digest()
	if err != nil {
		return Node{}, err
	}
	return ClosureCodec.Node(identity.Record{"roots": list, "derived": derived}, parts...)
}

func examineClosure(payload any) (any, []Reference, error) {
	roots, err := ClosureRoots(payload)
	if err != nil {
		return nil, nil, err
	}
	references := make([]Reference, len(roots))
	for i, root := range roots {
		references[i] = root.Reference
	}
	return payload, references, nil
}

// ClosureRoots reads the roots of a closure's payload.
func ClosureRoots(payload any) ([]Root, error) {
	fields, err := Closed(payload, "roots", "derived")
	if err != nil {
		return nil, err
	}
	if _, err := ReferenceTo(fields["derived"], derivedSet); err != nil {
		return nil, err
	}
	list, ok := fields["roots"].(identity.List)
	if !ok || len(list) == 0 {
		return nil, fmt.Errorf("no list of roots")
	}
	roots := make([]Root, 0, len(list))
	for i, item := range list {
		row, err := Closed(item, "side", "role", "object_kind", "semantic_id")
		if err != nil {
			return nil, fmt.Errorf("root %d: %w", i, err)
		}
		var root Root
		for key, field := range map[string]*string{"side": &root.Side, "role": &root.Role, "object_kind": &root.Kind, "semantic_id": &root.ID} {
			if *field, ok = row[key].(string); !ok || *field == "" {
				return nil, fmt.Errorf("root %d: %s is not a nonempty string", i, key)
			}
		}
		if !slices.Contains([]string{Current, Accepted, Proposed, Transition}, root.Side) {
			return nil, fmt.Errorf("root %d: %q is no side", i, root.Side)
		}
		if i > 0 && compareRoots(roots[i-1], root) >= 0 {
			return nil, fmt.Errorf("roots are repeated or out of order")
		}
		roots = append(roots, root)
	}
	return roots, nil
}

// VerifyClosure reads a stored closure, derives what its roots rest on, and proves that this is what the closure binds. Its faults are
// those of ReachStored, and CLOSURE.CHANGED (invalid).
func VerifyClosure(ctx context.Context, repository Repository, codecs Codecs, id string) ([]Root, Reached, error) {
	envelope, err := OpenStored(ctx, repository, codecs, Reference{ClosureCodec.Kind, id})
	if err != nil {
		return nil, nil, err
	}
	roots, err := ClosureRoots(envelope.Payload)
	if err != nil {
		return nil, nil, err
	}
	reached, err := ReachStored(ctx, repository, codecs, envelope.Dependencies...)
	if err != nil {
		return nil, nil, err
	}
	derived, err := reached.Digest()
	if err != nil {
		return nil, nil, err
	}
	if derived != envelope.Payload.(identity.Record)["derived"] {
		return nil, nil, fault.New(fault.Invalid, "CLOSURE.CHANGED", id, "what its roots rest on is not what the closure binds")
	}
	return roots, reached, nil
}

// CodecSet is the codec set of this package.
func CodecSet() []Codec { return []Codec{ClosureCodec} }
