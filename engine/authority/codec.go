package authority

import (
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// Codec is what the owner of an object kind knows of it. Examine checks a payload and returns the record that its id
// hashes and the objects it depends on; both must be functions of the payload alone, and the payload a function of the
// record, so that an id determines its envelope.
type Codec struct {
	Kind            string
	Domain          string
	PayloadContract string
	Examine         func(payload any) (record any, dependencies []Reference, err error)
}

// ID returns the semantic id of an identity record of this kind.
func (c Codec) ID(record any) (string, error) { return identity.Hash(c.Domain, c.Kind, record) }

// Seal makes the envelope of a payload.
func (c Codec) Seal(payload any) (Envelope, error) {
	record, dependencies, err := c.Examine(payload)
	if err != nil {
		return Envelope{}, fmt.Errorf("%s payload: %w", c.Kind, err)
	}
	id, err := c.ID(record)
	if err != nil {
		return Envelope{}, err
	}
	return Envelope{
		Reference:       Reference{c.Kind, id},
		Dependencies:    SortReferences(slices.Clone(dependencies)),
		PayloadContract: c.PayloadContract,
		Payload:         payload,
	}, nil
}

// Node seals a payload and gives it as an object to store, after the parts that it depends on: exactly those that its payload
// names, in any order.
func (c Codec) Node(payload any, parts ...Node) (Node, error) {
	sealed, err := c.Seal(payload)
	if err != nil {
		return Node{}, err
	}
	given := make([]Reference, len(parts))
	for i, part := range parts {
		given[i] = part.Reference
	}
	if !slices.Equal(SortReferences(given), sealed.Dependencies) {
		return Node{}, fmt.Errorf("internal error: the parts of %s are not what its payload depends on", sealed.ID)
	}
	return Node{Reference: sealed.Reference, Parts: parts, Payload: func() (any, error) { return payload, nil }}, nil
}

// Lazy is the node of an object whose id is known before its payload is built.
func (c Codec) Lazy(id string, payload func() (any, error), parts ...Node) Node {
	return Node{Reference: Reference{c.Kind, id}, Parts: parts, Payload: payload}
}

// Codecs is a composed collection of codec sets.
type Codecs struct {
	list []Codec
}

// Compose joins the codec sets of several owners. Two codecs for one kind are a programming error.
func Compose(sets ...[]Codec) Codecs {
	var all Codecs
	for _, codec := range slices.Concat(sets...) {
		if _, known := all.Find(codec.Kind); known {
			panic("internal error: two codecs for " + codec.Kind)
		}
		all.list = append(all.list, codec)
	}
	return all
}

// Kinds returns the composed kinds in the order composed.
func (c Codecs) Kinds() []string {
	kinds := make([]string, len(c.list))
	for i, codec := range c.list {
		kinds[i] = codec.Kind
	}
	return kinds
}

// Find returns the codec of a kind.
func (c Codecs) Find(kind string) (Codec, bool) {
	for _, codec := range c.list {
		if codec.Kind == kind {
			return codec, true
		}
	}
	return Codec{}, false
}

// Open reads a stored envelope that was asked for by id, and proves it: canonical bytes, a known kind and contract, the
// id recomputed by the owner, the dependencies those the owner extracts.
func (c Codecs) Open(id string, text []byte) (Envelope, error) {
	e, err := DecodeEnvelope(text)
	if err != nil {
		if f := fault.As(err); f != nil {
			f.Target = id
		}
		return Envelope{}, err
	}
	codec, known := c.Find(e.Kind)
	if !known || codec.PayloadContract != e.PayloadContract {
		return Envelope{}, fault.New(fault.Unsupported, "OBJECT.KIND", id, "stored object: kind %q with contract %q is unknown to this build", e.Kind, e.PayloadContract)
	}
	sealed, err := codec.Seal(e.Payload)
	newer := fault.As(err)
	switch {
	case newer != nil && newer.Outcome == fault.Unsupported: // its owner knows it for a newer version's, not for damage
		return Envelope{}, fault.New(fault.Unsupported, newer.Code, id, "stored object: %s", newer.Message)
	case err != nil:
		return Envelope{}, fault.New(fault.Invalid, "ENVELOPE.CORRUPT", id, "stored object is damaged").Because(err)
	case sealed.Reference != e.Reference || e.ID != id:
		return Envelope{}, fault.New(fault.Invalid, "ENVELOPE.CORRUPT", id, "stored object is damaged: its content is that of %s", sealed.ID)
	case !slices.Equal(sealed.Dependencies, e.Dependencies):
		return Envelope{}, fault.New(fault.Invalid, "ENVELOPE.CORRUPT", id, "stored object is damaged: its dependencies are not those of its payload")
	}
	return e, nil
}
