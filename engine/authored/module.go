package authored

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

var (
	roles  = []string{"core", "router", "workflow", "profile", "topic", "reference"}
	levels = []string{"MUST", "SHOULD", "PROFILE", "REFERENCE"}
)

// ParseModule reads one module (RULES A1 to A4, A8). The module is nil only when nothing of it can be used; beside
// findings it holds what could be read.
func ParseModule(file string, data []byte) (*Module, []Finding) {
	r := &reader{file: file}
	f, ok := findFront(data)
	if !ok {
		r.report(1, "MODULE.NO_STANDARD", "add front matter with the key standard:", "the file has no front matter with the key standard")
		return nil, r.findings
	}
	if line := invalidLine(data); line > 0 {
		r.report(line, "MODULE.ENCODING", "save the file as UTF-8", "the line is not UTF-8")
		return nil, r.findings
	}
	if f.body < 0 {
		r.report(f.line, "MODULE.FRONT_MATTER_OPEN", "close the front matter with a line ---", "the front matter has no closing line ---")
		return nil, r.findings
	}
	if f.repeated > 0 {
		r.report(f.repeated, "YAML.KEY_REPEATED", "keep one of them", "key \"standard\" stands on line %d already", f.line)
	}
	if line := conflictLine(data[:f.body]); line > 0 {
		r.report(line, "YAML.CONFLICT", "resolve the conflict and remove its markers", "a merge conflict is not resolved")
		return nil, r.findings
	}
	r.offset = f.line - 1
	root := r.load(f.standard)
	if root == nil {
		return nil, r.sorted()
	}
	outer, ok := r.mapping(root, "the front matter", 1, "standard")
	if !ok || outer.get("standard") == nil {
		return nil, r.sorted()
	}
	if value := outer.get("standard"); kindOf(value) == kindNull {
		next := "write id:, role: and level: below it, indented"
		if f.after > 0 {
			next = fmt.Sprintf("indent what belongs to it, from line %d on", f.after)
		}
		r.refuse(value, "YAML.TYPE", next, "standard has nothing below it")
		return nil, r.sorted()
	}
	before := len(r.findings)
	top, ok := r.mapping(outer.get("standard"), "standard", 3, "id", "role", "level", "title", "applies-when",
		"does-not-apply-when", "requires", "specializes", "verification", "owner", "units", "tombstones", "consumers")
	if !ok {
		return nil, r.sorted()
	}
	for i := range r.findings[before:] {
		// A key of ours that is missing and stands in column 0 is not indented, whatever other tools may call so.
		if missing := &r.findings[before+i]; missing.Code == "YAML.KEY_MISSING" && missing.Message == fmt.Sprintf("standard needs the key %q", f.afterKey) {
			missing.Next = fmt.Sprintf("indent line %d as the lines before it", f.after)
		}
	}
	m := &Module{
		File:             file,
		Line:             f.line,
		Lines:            map[string]int{},
		ID:               r.id(top.get("id"), "id"),
		Role:             r.choice(top.get("role"), "role", "MODULE.ROLE", roles),
		Level:            r.choice(top.get("level"), "level", "MODULE.LEVEL", levels),
		Title:            r.text(top.get("title"), "title"),
		AppliesWhen:      r.text(top.get("applies-when"), "applies-when"),
		DoesNotApplyWhen: r.text(top.get("does-not-apply-when"), "does-not-apply-when"),
		Verification:     r.text(top.get("verification"), "verification"),
		Owner:            r.text(top.get("owner"), "owner"),
		Requires:         r.ids(top.get("requires"), "requires"),
		Specializes:      r.ids(top.get("specializes"), "specializes"),
	}
	for key, node := range top.keys {
		m.Lines[key] = r.line(node)
	}
	r.units(m, top)
	seen := map[edge]int{}
	for _, node := range r.list(top.get("consumers"), "consumers") {
		r.consumer(m, node, seen)
	}
	r.body(m, data, f.body)
	return m, r.sorted()
}

// units reads units and tombstones, whose ids share one name space with the id of the module.
func (r *reader) units(m *Module, top *fields) {
	taken := map[string]int{m.ID: m.Line}
	take := func(node *yaml.Node, id string) {
		if first, ok := taken[id]; ok && id != "" {
			r.refuse(node, "MODULE.UNIT_REPEATED", "choose another id", "id %q stands on line %d already", id, first)
			return
		}
		taken[id] = r.line(node)
	}
	for _, node := range r.list(top.get("units"), "units") {
		f, ok := r.mapping(node, "a unit", 3, "id", "heading", "revision", "aliases", "predecessors", "successors")
		if !ok {
			continue
		}
		u := Unit{
			ID:           r.id(f.get("id"), "id of a unit"),
			Line:         r.line(node),
			Revision:     r.revision(f.get("revision"), "revision"),
			Aliases:      r.ids(f.get("aliases"), "aliases"),
			Predecessors: r.ids(f.get("predecessors"), "predecessors"),
			Successors:   r.ids(f.get("successors"), "successors"),
		}
		if heading := f.get("heading"); heading != nil {
			u.Heading = r.texts(heading, "heading")
			if kindOf(heading) == kindList && len(heading.Content) == 0 {
				r.refuse(heading, "MODULE.HEADING_MISSING", "write the texts of the headings below the H1", "heading lists no text")
			}
		}
		take(node, u.ID)
		r.lineage(f, u.ID, u.Aliases, "aliases", "predecessors", "successors")
		for _, alias := range u.Aliases {
			if alias != u.ID {
				take(node, alias)
			}
		}
		m.Units = append(m.Units, u)
	}
	for _, node := range r.list(top.get("tombstones"), "tombstones") {
		f, ok := r.mapping(node, "a tombstone", 2, "id", "retired-revision", "successors", "evidence")
		if !ok {
			continue
		}
		t := Tombstone{
			ID:              r.id(f.get("id"), "id of a tombstone"),
			Line:            r.line(node),
			RetiredRevision: r.revision(f.get("retired-revision"), "retired-revision"),
			Successors:      r.ids(f.get("successors"), "successors"),
			Evidence:        r.text(f.get("evidence"), "evidence"),
		}
		take(node, t.ID)
		r.lineage(f, t.ID, nil, "successors")
		m.Tombstones = append(m.Tombstones, t)
	}
}

// lineage refuses that a unit or a tombstone comes from, or goes over to, itself.
func (r *reader) lineage(f *fields, id string, aliases []string, keys ...string) {
	for _, key := range keys {
		list := f.get(key)
		if list == nil || list.Kind != yaml.SequenceNode {
			continue
		}
		for _, item := range list.Content {
			switch isAlias := slices.Contains(aliases, item.Value); {
			case item.Kind != yaml.ScalarNode || item.Value == "":
			case item.Value == id:
				r.refuse(item, "UNIT.LINEAGE_SELF", "remove "+id+" from "+key, "%s of %q names itself", key, id)
			case isAlias && key != "aliases":
				r.refuse(item, "UNIT.LINEAGE_SELF", "remove "+item.Value+" from "+key+": the alias says it already",
					"%s of %q names its alias %q", key, id, item.Value)
			}
		}
	}
}

func (r *reader) revision(node *yaml.Node, what string) int64 {
	n, ok := r.integer(node, what)
	if ok && n < 1 {
		r.refuse(node, "UNIT.REVISION", "write "+what+": 1", "%s must be 1 or more, not %d", what, n)
		return 0
	}
	return n
}
