package corpus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/content"
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
			results[i] = unpack(key, value, entries[i].Name, data[i])
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
			k.cache.Keep(key, pack(key, done))
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

// pack is a compiled module as bytes: the SHA-256 of its key and of what follows, and its values one after the other.
func pack(key string, done *compiled) []byte {
	p := &packer{bytes: make([]byte, sha256.Size, 4096)}
	p.compiled(done)
	copy(p.bytes, seal(key, p.bytes[sha256.Size:]))
	return p.bytes
}

func seal(key string, value []byte) []byte {
	sum := sha256.New()
	sum.Write([]byte(key))
	sum.Write(value)
	return sum.Sum(nil)
}

// unpack gives back what was packed under a key, and nil for anything else.
func unpack(key string, value []byte, name string, data []byte) *compiled {
	if len(value) < sha256.Size || string(seal(key, value[sha256.Size:])) != string(value[:sha256.Size]) {
		return nil
	}
	done := &compiled{data: data, module: &Module{Module: &authored.Module{}}}
	p := &packer{rest: string(value[sha256.Size:]), reading: true}
	p.compiled(done)
	m := done.module
	if p.broken || p.rest != "" || m.File != name {
		return nil
	}
	file, err := content.FileNode(name, data)
	if err != nil {
		return nil
	}
	// Its object is built where it is not stored yet, which proves the id.
	m.Node = ModuleCodec.Lazy(m.Node.ID, func() (any, error) { return m.payload(data), nil }, file)
	return done
}
