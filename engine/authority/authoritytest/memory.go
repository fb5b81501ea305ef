package authoritytest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/fault"
)

// Memory is the stored texts by id: what authority.Repository promises, by the envelopes themselves. Whoever puts
// something into it says by which codecs.
type Memory map[string][]byte

// Store puts nodes and what they depend on that is not there yet.
func (m Memory) Store(codecs authority.Codecs, nodes ...authority.Node) error {
	for _, node := range nodes {
		if _, stored := m[node.ID]; stored {
			continue
		}
		payload, err := node.Payload()
		if err != nil {
			return err
		}
		if err := m.Store(codecs, node.Parts...); err != nil {
			return err
		}
		codec, known := codecs.Find(node.Kind)
		if !known {
			return fmt.Errorf("no codec for %s", node.Kind)
		}
		sealed, err := codec.Seal(payload)
		if err != nil {
			return err
		}
		if sealed.Reference != node.Reference {
			return fmt.Errorf("%s seals as %s", node.ID, sealed.ID)
		}
		if m[node.ID], err = sealed.Encode(); err != nil {
			return err
		}
	}
	return nil
}

// Get returns a stored text.
func (m Memory) Get(_ context.Context, id string) ([]byte, error) {
	text, ok := m[id]
	if !ok {
		return nil, fault.New(fault.Unavailable, "HANDLE.UNKNOWN", id, "not in this store")
	}
	return text, nil
}

// Find lists stored ids by their beginning.
func (m Memory) Find(_ context.Context, prefix string, limit int) ([]string, error) {
	var found []string
	for _, id := range slices.Sorted(maps.Keys(m)) {
		if strings.HasPrefix(id, prefix) && len(found) < limit {
			found = append(found, id)
		}
	}
	return found, nil
}
