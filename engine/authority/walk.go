package authority

import (
	"context"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// Reached is every object that some roots rest on, themselves among them, each with what it depends on.
type Reached map[Reference][]Reference

// Reach is what nodes in memory rest on. It builds no payload.
func Reach(roots ...Node) Reached {
	reached := Reached{}
	var visit func(node Node)
	visit = func(node Node) {
		if _, seen := reached[node.Reference]; seen {
			return
		}
		dependencies := make([]Reference, len(node.Parts))
		for i, part := range node.Parts {
			dependencies[i] = part.Reference
		}
		reached[node.Reference] = SortReferences(dependencies)
		for _, part := range node.Parts {
			visit(part)
		}
	}
	for _, root := range roots {
		visit(root)
	}
	return reached
}

// ReachStored is what stored objects rest on, each proven by its owner's codec. Its faults: CLOSURE.MISSING (unavailable), CLOSURE.KIND and
// CLOSURE.CYCLE (invalid), and those of Codecs.Open.
func ReachStored(ctx context.Context, repository Repository, codecs Codecs, roots ...Reference) (Reached, error) {
	r := reading{ctx: ctx, repository: repository, codecs: codecs, reached: Reached{}, underway: map[Reference]bool{}}
	for _, root := range roots {
		if err := r.visit(root); err != nil {
			return nil, err
		}
	}
	return r.reached, nil
}

type reading struct {
	ctx        context.Context
	repository Repository
	codecs     Codecs
	reached    Reached
	underway   map[Reference]bool
}

func (r *reading) visit(at Reference) error {
	if r.underway[at] {
		return fault.New(fault.Invalid, "CLOSURE.CYCLE", at.ID, "the object depends on itself, by way of others")
	}
	if _, seen := r.reached[at]; seen {
		return nil
	}
	envelope, err := OpenStored(r.ctx, r.repository, r.codecs, at)
	if err != nil {
		return err
	}
	r.underway[at] = true
	defer delete(r.underway, at)
	for _, dependency := range envelope.Dependencies {
		if err := r.visit(dependency); err != nil {
			return err
		}
	}
	r.reached[at] = envelope.Dependencies
	return nil
}

// OpenStored reads and proves the object that a reference names. One that is not there is CLOSURE.MISSING, unavailable; one of another
// kind is CLOSURE.KIND, invalid.
func OpenStored(ctx context.Context, repository Repository, codecs Codecs, at Reference) (Envelope, error) {
	text, err := repository.Get(ctx, at.ID)
	if fault.Is(err, "HANDLE.UNKNOWN") {
		return Envelope{}, fault.New(fault.Unavailable, "CLOSURE.MISSING", at.ID, "an object on which this result rests is not in the store").
			Hint("git standards prepare")
	}
	if err != nil {
		return Envelope{}, err
	}
	envelope, err := codecs.Open(at.ID, text)
	if err != nil {
		return Envelope{}, err
	}
	if envelope.Kind != at.Kind {
		return Envelope{}, fault.New(fault.Invalid, "CLOSURE.KIND", at.ID, "a %s is referred to as a %s", envelope.Kind, at.Kind)
	}
	return envelope, nil
}

// References is the reached objects, sorted.
func (r Reached) References() []Reference {
	list := make([]Reference, 0, len(r))
	for at := range r {
		list = append(list, at)
	}
	return SortReferences(list)
}

// Digest is the digest of the set ("derived-set:sha256:…").
func (r Reached) Digest() (string, error) {
	list := make(identity.List, 0, len(r))
	for _, at := range r.References() {
		list = append(list, identity.Record{"object_kind": at.Kind, "semantic_id": at.ID})
	}
	return identity.Hash("coding-standards:derived-set:v1", derivedSet, list)
}

const derivedSet = "derived-set"
