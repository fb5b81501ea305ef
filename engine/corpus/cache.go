package corpus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus/pack"
	"github.com/git-standards/git-standards/engine/identity"
)

// Cache keeps what modules compile to between commands (DESIGN 4: it changes nothing but time). Load gives what it has of the bytes
// under some keys; it may have lost any, and what it gives is proven to be what was kept before it is used. Only what somebody does
// who may write the cache's file could make it lie, so that nothing which decides what lands is given one.
type Cache interface {
	Load(ctx context.Context, keys []string) map[string][]byte
	Keep(key string, value []byte)
}

// worthKeeping is how many modules are compiled sooner than a cache is opened.
const worthKeeping = 32

// Remember makes the compiler look in a cache for modules, and keep there what it compiles. recipe names the program that compiles:
// what another made is not used.
func (k *Compiler) Remember(cache Cache, recipe string) { k.cache, k.recipe = cache, recipe }

// cached gives what the cache holds of some files, nil where it must be compiled. data is their bytes, which have been proven to be those
// of the objects.
func (k *Compiler) cached(ctx context.Context, entries []content.Entry, data [][]byte) []*compiled {
	results := make([]*compiled, len(entries))
	if k.cache == nil || len(entries) < worthKeeping {
		return results
	}
	var keys []string
	for _, entry := range entries {
		if entry.Object != "" {
			keys = append(keys, k.key(entry))
		}
	}
	found := k.cache.Load(ctx, keys)
	SideBySide(ctx, len(entries), func(i int) {
		if entries[i].Object == "" {
			return
		}
		key := k.key(entries[i])
		if value := found[key]; value != nil {
			results[i] = unpacked(key, value, entries[i].Name, data[i])
		}
	})
	return results
}

// keep gives modules that were compiled to the cache. Those with errors are not kept: they are soon mended.
func (k *Compiler) keep(entries []content.Entry, results []*compiled) {
	if k.cache == nil || len(entries) < worthKeeping {
		return
	}
	for i, entry := range entries {
		if done := results[i]; done != nil && entry.Object != "" && done.module != nil && done.module.Node.ID != "" {
			key := k.key(entry)
			k.cache.Keep(key, packed(key, done))
		}
	}
}

func (k *Compiler) key(entry content.Entry) string {
	sum := sha256.New()
	for _, part := range []string{k.recipe, entry.Name, entry.Object} {
		sum.Write([]byte(part))
		sum.Write([]byte{0})
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func packed(key string, done *compiled) []byte {
	m := done.module
	structures := make([]string, len(m.Units))
	for i := range m.Units {
		structures[i] = m.units[m.Units[i].ID].Structure
	}
	return pack.Encode(key, pack.Module{Findings: done.findings, ID: m.Node.ID, Outside: m.Outside, Structures: structures, Module: m.Module})
}

// unpacked gives back what was packed under a key, and nil for anything else.
func unpacked(key string, value []byte, name string, data []byte) *compiled {
	kept, ok := pack.Decode(key, value)
	if !ok || kept.File != name {
		return nil
	}
	file, err := content.FileNode(name, data)
	if err != nil {
		return nil
	}
	m := &Module{Module: kept.Module, Outside: kept.Outside, units: make(map[string]*Unit, len(kept.Units))}
	for i := range m.Units {
		m.units[m.Units[i].ID] = &Unit{
			Unit: &m.Units[i], Module: m, Structure: kept.Structures[i], Representation: identity.Bytes(m.Units[i].Text.Raw),
		}
	}
	// Its object is built where it is not stored yet, which proves the id.
	m.Node = ModuleCodec.Lazy(kept.ID, func() (any, error) { return m.payload(data), nil }, file)
	return &compiled{data: data, findings: kept.Findings, module: m}
}
