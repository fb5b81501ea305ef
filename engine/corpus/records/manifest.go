package records

import (
	"fmt"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/identity"
)

// Manifest is the values of a manifest. byID gives an expression with the facts in it named by their ids.
func Manifest(m *authored.Manifest, byID func(authored.Expression) authored.Expression) identity.Record {
	record := identity.Record{
		"modules": sorted(m.Modules), "gate": gateRecord(m.Gate), "facts": nil, "providers": nil, "routing": routingRecord(m.Routing, byID), "horizon": Horizon(m.Horizon),
	}
	if len(m.Facts) > 0 {
		list := make(identity.List, len(m.Facts))
		for i, fact := range m.Facts {
			list[i] = factRecord(fact)
		}
		record["facts"] = sortedBy("id", list)
	}
	if len(m.Providers) > 0 {
		list := make(identity.List, len(m.Providers))
		for i, provider := range m.Providers {
			list[i] = providerRecord(provider)
		}
		record["providers"] = sortedBy("id", list)
	}
	return record
}

// gateRecord is the manifest's gate with its defaults filled in.
func gateRecord(g authored.Gate) identity.Record {
	return identity.Record{
		"base":               g.Base,
		"protected":          sorted(g.Protected),
		"block":              sorted(g.Block),
		"commit":             g.Commit,
		"push":               g.Push,
		"require_applicable": g.RequireApplicable,
	}
}

// factRecord is a declared fact with its defaults filled in.
func factRecord(f authored.Fact) identity.Record {
	return identity.Record{
		"id": f.ID, "revision": f.Revision, "type": f.Type, "nullable": f.Nullable, "values": sorted(f.Values), "aliases": sorted(f.Aliases),
		"meaning": f.Meaning, "context": f.Context, "inputs": sorted(f.Inputs), "capability": f.Capability, "provider": f.Provider,
	}
}

// providerRecord is a declared provider with its defaults filled in; command keeps its order.
func providerRecord(p authored.Provider) identity.Record {
	return identity.Record{"id": p.ID, "revision": p.Revision, "command": identity.Texts(p.Command), "time_limit": p.TimeLimit}
}

// Horizon is the definition of the horizon, never its members (RULES D2), or nil where none is declared.
func Horizon(h *authored.Horizon) any {
	if h == nil {
		return nil
	}
	exclude := make(identity.List, len(h.Exclude))
	for i, e := range h.Exclude {
		exclude[i] = identity.Record{"glob": e.Glob, "reason": e.Reason}
	}
	return identity.Record{"include": sorted(h.Include), "exclude": sortedBy("glob", exclude), "moving": h.Moving}
}

// routingRecord is the routing with facts named by their ids, or nil where none is declared.
func routingRecord(r *authored.Routing, byID func(authored.Expression) authored.Expression) any {
	if r == nil {
		return nil
	}
	rules := make(identity.List, len(r.Rules))
	for i, rule := range r.Rules {
		rules[i] = identity.Record{"id": rule.ID, "module": rule.Module, "when": When(byID(rule.When))}
	}
	return identity.Record{"base": sorted(r.Base), "rules": sortedBy("id", rules)}
}

// CheckManifest checks that a manifest's record is closed in all its parts.
func CheckManifest(value any) error {
	fields, err := authority.Closed(value, "modules", "gate", "facts", "providers", "routing", "horizon")
	if err != nil {
		return err
	}
	if fields["routing"] != nil {
		routing, err := authority.Closed(fields["routing"], "base", "rules")
		if err != nil {
			return fmt.Errorf("routing: %w", err)
		}
		if err := closedList(routing["rules"], "id", "module", "when"); err != nil {
			return fmt.Errorf("routing rules: %w", err)
		}
	}
	if fields["horizon"] != nil {
		horizon, err := authority.Closed(fields["horizon"], "include", "exclude", "moving")
		if err != nil {
			return fmt.Errorf("horizon: %w", err)
		}
		if err := closedList(horizon["exclude"], "glob", "reason"); err != nil {
			return fmt.Errorf("horizon: %w", err)
		}
	}
	for key, of := range map[string]string{
		"facts":     "id revision type nullable values aliases meaning context inputs capability provider",
		"providers": "id revision command time_limit",
	} {
		if fields[key] == nil {
			continue
		}
		if err := closedList(fields[key], strings.Fields(of)...); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

// closedList checks that value is a list of objects with exactly these keys, sorted by the first and each once.
func closedList(value any, keys ...string) error {
	list, isList := value.(identity.List)
	if !isList {
		return fmt.Errorf("not a list")
	}
	last := ""
	for i, item := range list {
		fields, err := authority.Closed(item, keys...)
		if err != nil {
			return err
		}
		name, isText := fields[keys[0]].(string)
		if !isText || i > 0 && name <= last {
			return fmt.Errorf("not sorted by %s", keys[0])
		}
		last = name
	}
	return nil
}
