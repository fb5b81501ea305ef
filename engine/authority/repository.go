package authority

import "context"

// Node is an object about to be stored. Build returns its payload and the nodes it depends on; it is called only where
// the object is not stored yet or must be compared, so that what is stored already costs no work.
type Node struct {
	Reference
	Build func() (payload any, parts []Node, err error)
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
