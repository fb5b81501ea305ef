package authority

import "context"

// Node is an object in memory that may be stored. Parts is everything that it depends on, so that dependencies can be walked
// without building a payload; Payload is called only where the object is not stored yet or must be compared, so that what is stored
// already costs no work. Codec.Node makes one whose payload is at hand, Codec.Lazy one that is built when it is needed.
type Node struct {
	Reference
	Parts   []Node
	Payload func() (any, error)
}

// Repository is where envelopes are kept: the port that store implements.
//
// Put stores the nodes and everything they depend on that is not stored yet, dependencies first, all or nothing. An object
// that is stored with other bytes is a contradiction (IDENTITY.COLLISION, invalid). Get returns the stored text of one
// object as it is, unproven: callers prove it with Codecs.Open; an unknown id is HANDLE.UNKNOWN, unavailable. Find
// returns the stored ids that begin with prefix ("kind:sha256:abcdef0"), sorted, at most limit of them.
type Repository interface {
	Put(ctx context.Context, nodes ...Node) error
	Get(ctx context.Context, id string) ([]byte, error)
	Find(ctx context.Context, prefix string, limit int) ([]string, error)
}
