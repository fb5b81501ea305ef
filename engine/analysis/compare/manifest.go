package compare

import (
	"maps"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/corpus/records"
	"github.com/git-standards/git-standards/engine/identity"
)

// compareManifests compares key by key, with what a key that is left out stands for. A manifest that is removed no longer
// says anything.
func (c *Comparison) compareManifests() {
	if c.accepted.IsUnreadable(corpus.ManifestPath) {
		return // it is repaired as a whole (RULES B7)
	}
	old, now := manifestValues(c.accepted, c.accepted.Manifest), map[string]any{}
	if c.proposed.Manifest != nil {
		now = manifestValues(c.proposed, c.proposed.Manifest)
	} else {
		unsaid := manifestValues(c.proposed, &authored.Manifest{Gate: authored.DefaultGate()})
		for key := range old {
			if key != "modules" {
				now[key] = unsaid[key]
			}
		}
	}
	keys := maps.Clone(old)
	maps.Copy(keys, now)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		c.declare(Declaration{Name: "manifest#" + key, File: corpus.ManifestPath, Line: lineOfKey(c.proposed.Manifest, key), Old: old[key], New: now[key]})
	}
}

// lineOfKey is where a key stands; one that was taken out has its section for a place, else the file.
func lineOfKey(m *authored.Manifest, key string) int {
	if m == nil {
		return 1
	}
	section, id, _ := strings.Cut(key, ".")
	switch section {
	case "facts":
		for _, f := range m.Facts {
			if f.ID == id {
				return max(f.Line, 1)
			}
		}
	case "providers":
		for _, p := range m.Providers {
			if p.ID == id {
				return max(p.Line, 1)
			}
		}
	}
	return max(m.Lines[key], m.Lines[section], 1)
}

// manifestValues is what a manifest of a side says by its keys; facts and providers each by their id. Prose is not in it (RULES C14).
func manifestValues(side *corpus.Corpus, m *authored.Manifest) map[string]any {
	values := map[string]any{
		"modules":                 set(m.Modules),
		"gate.base":               optionalText(m.Gate.Base),
		"gate.protected":          optionalSet(m.Gate.Protected),
		"gate.block":              set(m.Gate.Block),
		"gate.commit":             m.Gate.Commit,
		"gate.push":               m.Gate.Push,
		"gate.require-applicable": m.Gate.RequireApplicable,
		"routing":                 routingValue(side, m.Routing),
		"horizon":                 records.Horizon(m.Horizon),
	}
	for _, f := range m.Facts {
		values["facts."+f.ID] = identity.Record{
			"revision": f.Revision, "type": f.Type, "nullable": f.Nullable, "values": set(f.Values), "aliases": set(f.Aliases),
			"context": f.Context, "inputs": set(f.Inputs), "capability": f.Capability, "provider": optionalText(f.Provider),
		}
	}
	for _, p := range m.Providers {
		values["providers."+p.ID] = identity.Record{
			"revision": p.Revision, "command": identity.Texts(p.Command), "time-limit": p.TimeLimit,
		}
	}
	return values
}

func routingValue(side *corpus.Corpus, r *authored.Routing) any {
	if r == nil {
		return nil
	}
	rules := map[string]any{}
	for _, rule := range r.Rules {
		rules[rule.ID] = identity.Record{"id": rule.ID, "module": rule.Module, "when": records.When(side.ByID(rule.When))}
	}
	return identity.Record{"base": set(r.Base), "rules": byKey(rules)}
}

// byKey is records in the order of what names them.
func byKey(records map[string]any) identity.List {
	list := identity.List{}
	for _, key := range slices.Sorted(maps.Keys(records)) {
		list = append(list, records[key])
	}
	return list
}
