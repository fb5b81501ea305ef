package corpus

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
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
	return identity.Record{
		"path":                m.File,
		"file":                identity.Bytes(data),
		"id":                  m.ID,
		"role":                m.Role,
		"level":               m.Level,
		"title":               m.Title,
		"applies_when":        m.AppliesWhen,
		"does_not_apply_when": m.DoesNotApplyWhen,
		"verification":        m.Verification,
		"owner":               m.Owner,
		"requires":            sorted(m.Requires),
		"specializes":         sorted(m.Specializes),
		"units":               m.unitRecords(),
		"tombstones":          tombstoneRecords(m.Tombstones),
		"consumers":           consumerRecords(m.Consumers),
		"outside":             m.Outside,
	}
}

func (m *Module) unitRecords() identity.List {
	list := make(identity.List, 0, len(m.Units))
	for i := range m.Units {
		unit := m.units[m.Units[i].ID]
		list = append(list, identity.Record{
			"id":             unit.ID,
			"heading":        identity.Texts(unit.Heading),
			"revision":       unit.Revision,
			"structure":      unit.Structure,
			"representation": unit.Representation,
			"aliases":        sorted(unit.Aliases),
			"predecessors":   sorted(unit.Predecessors),
			"successors":     sorted(unit.Successors),
		})
	}
	return sortRecords(list, "id")
}

func tombstoneRecords(stones []authored.Tombstone) identity.List {
	list := make(identity.List, 0, len(stones))
	for _, stone := range stones {
		list = append(list, identity.Record{
			"id": stone.ID, "retired_revision": stone.RetiredRevision, "successors": sorted(stone.Successors), "evidence": stone.Evidence,
		})
	}
	return sortRecords(list, "id")
}

func consumerRecords(edges []authored.Consumer) identity.List {
	edges = slices.Clone(edges)
	slices.SortFunc(edges, func(a, b authored.Consumer) int { return strings.Compare(EdgeName(&a), EdgeName(&b)) })
	list := make(identity.List, 0, len(edges))
	for i := range edges {
		edge := &edges[i]
		list = append(list, identity.Record{
			"unit":           edge.Unit,
			"relation":       edge.Relation,
			"target":         Target(edge),
			"when":           WhenValue(edge.When),
			"on":             sorted(edge.On),
			"evidence_owner": edge.EvidenceOwner,
			"rationale":      edge.Rationale,
		})
	}
	return list
}

// Target is an edge's target as a record with the one key module, path or glob.
func Target(edge *authored.Consumer) identity.Record {
	switch {
	case edge.Module != "":
		return identity.Record{"module": edge.Module}
	case edge.Glob != "":
		return identity.Record{"glob": edge.Glob}
	}
	return identity.Record{"path": edge.Path}
}

// WhenValue is an expression as records show it: the word always, or the expression itself.
func WhenValue(when authored.Expression) any {
	if when["operator"] == "always" {
		return "always"
	}
	return when
}

func sorted(list []string) identity.List { return identity.Texts(slices.Sorted(slices.Values(list))) }

func sortRecords(list identity.List, key string) identity.List {
	slices.SortStableFunc(list, func(a, b any) int {
		return strings.Compare(a.(identity.Record)[key].(string), b.(identity.Record)[key].(string))
	})
	return list
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

// GateRecord is the manifest's gate with its defaults filled in.
func GateRecord(g authored.Gate) identity.Record {
	return identity.Record{
		"base":               g.Base,
		"protected":          sorted(g.Protected),
		"block":              sorted(g.Block),
		"commit":             g.Commit,
		"push":               g.Push,
		"require_applicable": g.RequireApplicable,
	}
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
		payload["manifest"] = c.manifestRecord()
	}
	return Codec.Node(payload, parts...)
}

func examineCorpus(payload any) (any, []authority.Reference, error) {
	fields, err := authority.Closed(payload, "snapshot", "manifest", "members")
	if err != nil {
		return nil, nil, err
	}
	if fields["manifest"] != nil {
		if err := examineManifest(fields["manifest"]); err != nil {
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
