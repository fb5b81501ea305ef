// Package records gives what people declare as identity values: the records that a corpus and questions hold, and that handles bind
// (DESIGN 3; doc/identity.md). Each has its defaults filled in and its sets in order, and says nothing of the file and line where it stands, so
// that what means the same is the same record. What refers to what is not known here: an id stands as it is written, but for facts, whose
// aliases the caller replaces.
package records

import (
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/identity"
)

// Module is a compiled module as its object holds it. file is the digest of its bytes, outside the structure of the text that belongs to no
// unit, and text gives those of a unit's text by its id.
func Module(m *authored.Module, file, outside string, text func(unit string) (structure, representation string)) identity.Record {
	return identity.Record{
		"path":                m.File,
		"file":                file,
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
		"units":               units(m.Units, text),
		"tombstones":          tombstones(m.Tombstones),
		"consumers":           consumers(m.Consumers),
		"outside":             outside,
	}
}

func units(list []authored.Unit, text func(unit string) (structure, representation string)) identity.List {
	records := make(identity.List, 0, len(list))
	for _, unit := range list {
		structure, representation := text(unit.ID)
		records = append(records, identity.Record{
			"id":             unit.ID,
			"heading":        identity.Texts(unit.Heading),
			"revision":       unit.Revision,
			"structure":      structure,
			"representation": representation,
			"aliases":        sorted(unit.Aliases),
			"predecessors":   sorted(unit.Predecessors),
			"successors":     sorted(unit.Successors),
		})
	}
	return sortedBy("id", records)
}

// EdgeName is what names an edge (RULES C15): its unit, relation and module, path or glob.
func EdgeName(edge *authored.Consumer) string {
	kind, target := "path", edge.Path
	switch {
	case edge.Module != "":
		kind, target = "module", edge.Module
	case edge.Glob != "":
		kind, target = "glob", edge.Glob
	}
	return edge.Unit + "\x00" + edge.Relation + "\x00" + kind + "\x00" + target
}

// EdgePrefix is what the names of a unit's edges begin with, or of one relation of it.
func EdgePrefix(parts ...string) string { return strings.Join(parts, "\x00") + "\x00" }

func tombstones(stones []authored.Tombstone) identity.List {
	list := make(identity.List, 0, len(stones))
	for _, stone := range stones {
		list = append(list, identity.Record{
			"id": stone.ID, "retired_revision": stone.RetiredRevision, "successors": sorted(stone.Successors), "evidence": stone.Evidence,
		})
	}
	return sortedBy("id", list)
}

func consumers(edges []authored.Consumer) identity.List {
	edges = slices.Clone(edges)
	slices.SortFunc(edges, func(a, b authored.Consumer) int { return strings.Compare(EdgeName(&a), EdgeName(&b)) })
	list := make(identity.List, 0, len(edges))
	for i := range edges {
		edge := &edges[i]
		list = append(list, identity.Record{
			"unit":           edge.Unit,
			"relation":       edge.Relation,
			"target":         Target(edge),
			"when":           When(edge.When),
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

// When is an expression as records show it: the word always, or the expression itself.
func When(when authored.Expression) any {
	if when["operator"] == "always" {
		return "always"
	}
	return when
}

func sorted(list []string) identity.List { return identity.Texts(slices.Sorted(slices.Values(list))) }

func sortedBy(key string, list identity.List) identity.List {
	slices.SortStableFunc(list, func(a, b any) int {
		return strings.Compare(a.(identity.Record)[key].(string), b.(identity.Record)[key].(string))
	})
	return list
}
