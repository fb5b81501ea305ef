package authored

import (
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/authored/front"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
)

var (
	roles  = []string{"core", "router", "workflow", "profile", "topic", "reference"}
	levels = []string{"MUST", "SHOULD", "PROFILE", "REFERENCE"}
)

// ParseModule reads one module (RULES A1 to A4, A8). The module is nil only when nothing of it can be used; beside
// findings it holds what could be read.
func ParseModule(file string, data []byte) (*Module, []reading.Finding) {
	r := newReader(file)
	f, ok := front.Find(data)
	if !ok {
		r.Find(1, "MODULE.NO_STANDARD", "add front matter with the key standard:", "the file has no front matter with the key standard")
		return nil, r.Findings
	}
	if line := yamltext.InvalidLine(data); line > 0 {
		r.Find(line, "MODULE.ENCODING", "save the file as UTF-8", "the line is not UTF-8")
		return nil, r.Findings
	}
	if f.Body < 0 {
		r.Find(f.Line, "MODULE.FRONT_MATTER_OPEN", "close the front matter with a line ---", "the front matter has no closing line ---")
		return nil, r.Findings
	}
	if f.Repeated > 0 {
		r.Find(f.Repeated, "YAML.KEY_REPEATED", "keep one of them", "key \"standard\" stands on line %d already", f.Line)
	}
	if line := yamltext.ConflictLine(data[:f.Body]); line > 0 {
		r.Find(line, "YAML.CONFLICT", "resolve the conflict and remove its markers", "a merge conflict is not resolved")
		return nil, r.Findings
	}
	r.Offset = f.Line - 1
	root := r.Load(f.Standard)
	if !root.IsGiven() {
		return nil, r.Sorted()
	}
	outer, ok := r.Mapping(root, "the front matter", 1, "standard")
	if !ok || !outer.Get("standard").IsGiven() {
		return nil, r.Sorted()
	}
	if value := outer.Get("standard"); value.Kind() == yamltext.KindNull {
		next := "write id:, role: and level: below it, indented"
		if f.After > 0 {
			next = fmt.Sprintf("indent what belongs to it, from line %d on", f.After)
		}
		r.Refuse(value, "YAML.TYPE", next, "standard has nothing below it")
		return nil, r.Sorted()
	}
	before := len(r.Findings)
	top, ok := r.Mapping(outer.Get("standard"), "standard", 3, "id", "role", "level", "title", "applies-when",
		"does-not-apply-when", "requires", "specializes", "verification", "owner", "units", "tombstones", "consumers")
	if !ok {
		return nil, r.Sorted()
	}
	for i := range r.Findings[before:] {
		// A key of ours that is missing and stands in column 0 is not indented, whatever other tools may call so.
		if missing := &r.Findings[before+i]; missing.Code == "YAML.KEY_MISSING" && missing.Message == fmt.Sprintf("standard needs the key %q", f.AfterKey) {
			missing.Next = fmt.Sprintf("indent line %d as the lines before it", f.After)
		}
	}
	m := &Module{
		File:             file,
		Line:             f.Line,
		Lines:            map[string]int{},
		ID:               r.ID(top.Get("id"), "id"),
		Role:             r.Choice(top.Get("role"), "role", "MODULE.ROLE", roles),
		Level:            r.Choice(top.Get("level"), "level", "MODULE.LEVEL", levels),
		Title:            r.Text(top.Get("title"), "title"),
		AppliesWhen:      r.Text(top.Get("applies-when"), "applies-when"),
		DoesNotApplyWhen: r.Text(top.Get("does-not-apply-when"), "does-not-apply-when"),
		Verification:     r.Text(top.Get("verification"), "verification"),
		Owner:            r.Text(top.Get("owner"), "owner"),
		Requires:         r.IDs(top.Get("requires"), "requires"),
		Specializes:      r.IDs(top.Get("specializes"), "specializes"),
	}
	for key, node := range top.Keys {
		m.Lines[key] = r.Line(node)
	}
	r.units(m, top)
	seen := map[edge]int{}
	for _, node := range r.List(top.Get("consumers"), "consumers") {
		r.consumer(m, node, seen)
	}
	r.body(m, data, f.Body)
	return m, r.Sorted()
}

// units reads units and tombstones, whose ids share one name space with the id of the module.
func (r *reader) units(m *Module, top *yamltext.Fields) {
	taken := map[string]int{m.ID: m.Line}
	take := func(node yamltext.Node, id string) {
		if first, ok := taken[id]; ok && id != "" {
			r.Refuse(node, "MODULE.UNIT_REPEATED", "choose another id", "id %q stands on line %d already", id, first)
			return
		}
		taken[id] = r.Line(node)
	}
	for _, node := range r.List(top.Get("units"), "units") {
		f, ok := r.Mapping(node, "a unit", 3, "id", "heading", "revision", "aliases", "predecessors", "successors")
		if !ok {
			continue
		}
		u := Unit{
			ID:           r.ID(f.Get("id"), "id of a unit"),
			Line:         r.Line(node),
			Revision:     r.revision(f.Get("revision"), "revision"),
			Aliases:      r.IDs(f.Get("aliases"), "aliases"),
			Predecessors: r.IDs(f.Get("predecessors"), "predecessors"),
			Successors:   r.IDs(f.Get("successors"), "successors"),
		}
		if heading := f.Get("heading"); heading.IsGiven() {
			u.Heading = r.Texts(heading, "heading")
			if heading.Kind() == yamltext.KindList && len(heading.Content()) == 0 {
				r.Refuse(heading, "MODULE.HEADING_MISSING", "write the texts of the headings below the H1", "heading lists no text")
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
	for _, node := range r.List(top.Get("tombstones"), "tombstones") {
		f, ok := r.Mapping(node, "a tombstone", 2, "id", "retired-revision", "successors", "evidence")
		if !ok {
			continue
		}
		t := Tombstone{
			ID:              r.ID(f.Get("id"), "id of a tombstone"),
			Line:            r.Line(node),
			RetiredRevision: r.revision(f.Get("retired-revision"), "retired-revision"),
			Successors:      r.IDs(f.Get("successors"), "successors"),
			Evidence:        r.Text(f.Get("evidence"), "evidence"),
		}
		take(node, t.ID)
		r.lineage(f, t.ID, nil, "successors")
		m.Tombstones = append(m.Tombstones, t)
	}
}

// lineage refuses that a unit or a tombstone comes from, or goes over to, itself.
func (r *reader) lineage(f *yamltext.Fields, id string, aliases []string, keys ...string) {
	for _, key := range keys {
		list := f.Get(key)
		if !list.IsList() {
			continue
		}
		for _, item := range list.Content() {
			switch isAlias := slices.Contains(aliases, item.Value()); {
			case item.Value() == "":
			case item.Value() == id:
				r.Refuse(item, "UNIT.LINEAGE_SELF", "remove "+id+" from "+key, "%s of %q names itself", key, id)
			case isAlias && key != "aliases":
				r.Refuse(item, "UNIT.LINEAGE_SELF", "remove "+item.Value()+" from "+key+": the alias says it already",
					"%s of %q names its alias %q", key, id, item.Value())
			}
		}
	}
}

func (r *reader) revision(node yamltext.Node, what string) int64 {
	n, ok := r.Integer(node, what)
	switch {
	case ok && n < 1:
		r.Refuse(node, "UNIT.REVISION", "write "+what+": 1", "%s must be 1 or more, not %d", what, n)
		return 0
	case n > reading.MaxRevision:
		r.Refuse(node, "UNIT.REVISION", "raise it by one each time", "%s must be at most %d, not %d", what, int64(reading.MaxRevision), n)
		return 0
	}
	return n
}
