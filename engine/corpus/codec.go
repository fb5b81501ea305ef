package corpus

import (
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus/records"
	"github.com/git-standards/git-standards/engine/identity"
)

// ModuleCodec owns standards-module: one compiled module.
var ModuleCodec = authority.Codec{
	Kind:            "standards-module",
	Domain:          "coding-standards:standards-module:v1",
	PayloadContract: "standards-module.v1",
	Examine:         examineModule,
}

// Codec owns canonical-standards-corpus: a snapshot, the manifest's values and one standards-module per module, below groups where they
// are many, so that an edit stores a new root and a new module and not a copy of the rest (DESIGN 3). The snapshot is null where the side has
// no file of standards, and so is the manifest where it has none that can be read; modules that cannot be read are in the
// snapshot alone.
var Codec = authority.Codec{
	Kind:            "canonical-standards-corpus",
	Domain:          "coding-standards:canonical-standards-corpus:v1",
	PayloadContract: "canonical-standards-corpus.v1",
	Examine:         examineCorpus,
}

// StructureCodec owns structure: the normalized text of a unit, or of a module outside its units (RULES A8), so that the
// text a question is about can be read wherever the question can.
var StructureCodec = authority.Codec{
	Kind:            "structure",
	Domain:          "coding-standards:unit-structure:v1",
	PayloadContract: "unit-structure.v1",
	Examine:         examineStructure,
}

// Codecs is the codec set of this package.
func Codecs() []authority.Codec {
	return []authority.Codec{ModuleCodec, GroupCodec, Codec, StructureCodec}
}

// StructureNode is normalized text as an object to store.
func StructureNode(id, normal string) authority.Node {
	return StructureCodec.Lazy(id, func() (any, error) { return normal, nil })
}

func examineStructure(payload any) (any, []authority.Reference, error) {
	if _, isText := payload.(string); !isText {
		return nil, nil, fmt.Errorf("not a text")
	}
	return payload, nil, nil
}

func (m *Module) node(data []byte) (authority.Node, error) {
	file, err := content.FileNode(m.File, data)
	if err != nil {
		return authority.Node{}, err
	}
	return ModuleCodec.Node(m.payload(data), file)
}

func (m *Module) payload(data []byte) identity.Record {
	return records.Module(m.Module, identity.Bytes(data), m.Outside, func(id string) (structure, representation string) {
		unit := m.units[id]
		return unit.Structure, unit.Representation
	})
}

var moduleKeys = []string{
	"path", "file", "id", "role", "level", "title", "applies_when", "does_not_apply_when", "verification", "owner",
	"requires", "specializes", "units", "tombstones", "consumers", "outside",
}

func examineModule(payload any) (any, []authority.Reference, error) {
	fields, err := authority.Closed(payload, moduleKeys...)
	if err != nil {
		return nil, nil, err
	}
	digest, _ := fields["file"].(string)
	ref, err := content.FileReference(digest)
	if err != nil {
		return nil, nil, err
	}
	return payload, []authority.Reference{ref}, nil
}

func (c *Corpus) node() (authority.Node, error) {
	payload := identity.Record{"snapshot": nil, "manifest": nil}
	readable := slices.DeleteFunc(slices.Clone(c.Modules), func(m *Module) bool { return c.IsUnreadable(m.File) })
	members, parts, err := grouped(readable, 0)
	if err != nil {
		return authority.Node{}, err
	}
	payload["members"] = members
	if c.Snapshot.ID != "" {
		payload["snapshot"] = c.Snapshot.ID
		parts = append(parts, c.Snapshot)
	}
	if c.Manifest != nil && !c.IsUnreadable(ManifestPath) {
		payload["manifest"] = records.Manifest(c.Manifest, c.ByID)
	}
	return Codec.Node(payload, parts...)
}

func examineCorpus(payload any) (any, []authority.Reference, error) {
	fields, err := authority.Closed(payload, "snapshot", "manifest", "members")
	if err != nil {
		return nil, nil, err
	}
	if fields["manifest"] != nil {
		if err := records.CheckManifest(fields["manifest"]); err != nil {
			return nil, nil, fmt.Errorf("manifest: %w", err)
		}
	}
	references, err := members(fields["members"])
	if err != nil {
		return nil, nil, err
	}
	if fields["snapshot"] == nil {
		if len(references) > 0 {
			return nil, nil, fmt.Errorf("modules without a snapshot")
		}
		return payload, nil, nil
	}
	snapshot, err := authority.ReferenceTo(fields["snapshot"], content.SnapshotCodec.Kind)
	if err != nil {
		return nil, nil, err
	}
	return payload, append(references, snapshot), nil
}
