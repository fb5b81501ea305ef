package authored

import (
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/facts"
)

var (
	contexts = []string{facts.ContextChange, facts.ContextTask}
	movings  = []string{"ask", "list"}
)

// The bounds of what a manifest declares: the values of an enum, and the seconds that a provider may take.
const (
	maxFactValues    = 256
	maxTimeLimit     = 3600
	defaultTimeLimit = 60
)

// taken reports a name under the code where it stands on an earlier line already.
func (r *reader) taken(lines map[string]int, node yamltext.Node, code, what, name string) bool {
	first, repeated := lines[name]
	if repeated {
		r.Refuse(node, code, "choose another", "%s %q stands on line %d already", what, name, first)
		return true
	}
	lines[name] = r.Line(node)
	return false
}

// facts reads what may be asked (RULES A5, A9). What could not be read is left out beside its finding.
func (r *reader) facts(m *Manifest, node yamltext.Node) {
	lines := map[string]int{}
	for _, item := range r.List(node, "facts") {
		f, ok := r.Mapping(item, "a fact", 3, "id", "revision", "type", "nullable", "values", "aliases", "meaning", "context", "inputs", "capability", "provider")
		if !ok {
			continue
		}
		fact := Fact{
			Line:       r.Line(item),
			ID:         r.factID(f.Get("id"), "id of a fact"),
			Revision:   r.revision(f.Get("revision"), "revision of a fact"),
			Type:       r.Choice(f.Get("type"), "type of a fact", "FACT.TYPE_UNKNOWN", facts.Types()),
			Meaning:    r.Text(f.Get("meaning"), "meaning"),
			Context:    facts.ContextChange,
			Inputs:     r.globs(r.List(f.Get("inputs"), "inputs"), "inputs"),
			Capability: facts.Capability,
			Provider:   r.ID(f.Get("provider"), "provider of a fact"),
		}
		fact.Nullable, _ = r.Boolean(f.Get("nullable"), "nullable")
		if context := r.Choice(f.Get("context"), "context of a fact", "FACT.CONTEXT_UNKNOWN", contexts); context != "" {
			fact.Context = context
		}
		r.Choice(f.Get("capability"), "capability of a fact", "FACT.CAPABILITY", []string{facts.Capability})
		r.values(&fact, item, f.Get("values"))
		if fact.ID == "" || r.taken(lines, item, "FACT.REPEATED", "fact", fact.ID) {
			continue
		}
		for _, alias := range r.IDs(f.Get("aliases"), "aliases of a fact") {
			switch {
			case strings.HasPrefix(alias, facts.BuiltinPrefix):
				r.Refuse(f.Get("aliases"), "FACT.BUILT_IN", "choose another", "alias %q begins with %s, as only built-in facts do", alias, facts.BuiltinPrefix)
			case !r.taken(lines, f.Get("aliases"), "FACT.REPEATED", "fact", alias):
				fact.Aliases = append(fact.Aliases, alias)
			}
		}
		m.Lines["facts."+fact.ID] = fact.Line
		m.Facts = append(m.Facts, fact)
	}
}

func (r *reader) factID(node yamltext.Node, what string) string {
	id := r.ID(node, what)
	if strings.HasPrefix(id, facts.BuiltinPrefix) {
		r.Refuse(node, "FACT.BUILT_IN", "choose another", "%s: %q begins with %s, as only built-in facts do", what, id, facts.BuiltinPrefix)
		return ""
	}
	return id
}

// values reads the values of an enum or enum-set, which must have some; other types have none.
func (r *reader) values(fact *Fact, row, node yamltext.Node) {
	isEnum := fact.Type == facts.TypeEnum || fact.Type == facts.TypeEnumSet
	switch {
	case fact.Type == "":
		return
	case !isEnum && node.IsGiven():
		r.Refuse(node, "FACT.VALUES", "remove values, or write type: enum", "a fact of type %s has no values", fact.Type)
		return
	case isEnum && !node.IsGiven():
		r.Refuse(row, "FACT.VALUES", "add values: [one, another]", "a fact of type %s needs values", fact.Type)
		return
	}
	items := r.List(node, "values of a fact")
	for _, item := range items {
		switch value := r.OneLine(item, "an entry of values"); {
		case value == "":
		case value == facts.Absent || value == facts.Waiver:
			r.Refuse(item, "FACT.VALUES", "choose another word; nullable: true makes absent an answer", "a fact cannot have the value %q", value)
		case len(value) > facts.MaxText:
			r.Refuse(item, "FACT.VALUES", "choose a shorter word", "a value of %d bytes; at most %d are read", len(value), facts.MaxText)
		case slices.Contains(fact.Values, value):
			r.Refuse(item, "FACT.VALUES", "keep one of them", "values names %q twice", value)
		default:
			fact.Values = append(fact.Values, value)
		}
	}
	switch {
	case node.IsGiven() && node.Kind() == yamltext.KindList && len(items) == 0:
		r.Refuse(node, "FACT.VALUES", "write values: [one, another]", "values lists none")
	case len(items) > maxFactValues:
		r.Refuse(node, "FACT.VALUES", "make it a fact of type string", "%d values; at most %d are read", len(items), maxFactValues)
		fact.Values = nil
	}
}

// providers reads the commands that observe facts (RULES F6).
func (r *reader) providers(m *Manifest, node yamltext.Node) {
	lines := map[string]int{}
	for _, item := range r.List(node, "providers") {
		f, ok := r.Mapping(item, "a provider", 3, "id", "revision", "command", "time-limit")
		if !ok {
			continue
		}
		p := Provider{
			Line:      r.Line(item),
			ID:        r.ID(f.Get("id"), "id of a provider"),
			Revision:  r.revision(f.Get("revision"), "revision of a provider"),
			TimeLimit: defaultTimeLimit,
		}
		words := r.List(f.Get("command"), "command")
		for _, word := range words {
			if text := r.OneLine(word, "a word of command"); text != "" {
				p.Command = append(p.Command, text)
			}
		}
		if command := f.Get("command"); command.IsGiven() && command.Kind() == yamltext.KindList && len(words) == 0 {
			r.Refuse(command, "PROVIDER.COMMAND", "write command: [scripts/PROGRAM]", "command has no word")
		}
		if limit, ok := r.Integer(f.Get("time-limit"), "time-limit"); ok {
			if p.TimeLimit = limit; limit < 1 || limit > maxTimeLimit {
				r.Refuse(f.Get("time-limit"), "PROVIDER.TIME_LIMIT", "write time-limit: 60", "time-limit must be from 1 to %d seconds, not %d", maxTimeLimit, limit)
				p.TimeLimit = defaultTimeLimit
			}
		}
		if p.ID != "" && !r.taken(lines, item, "PROVIDER.REPEATED", "provider", p.ID) {
			m.Lines["providers."+p.ID] = p.Line
			m.Providers = append(m.Providers, p)
		}
	}
}

// routing reads which modules are read for which work.
func (r *reader) routing(m *Manifest, node yamltext.Node) {
	f, ok := r.Mapping(node, "routing", 0, "base", "rules")
	if !ok {
		return
	}
	r.mark(m, "routing.", f)
	m.Routing = &Routing{Line: r.Line(node), Base: r.IDs(f.Get("base"), "routing.base")}
	ids, modules := map[string]int{}, map[string]int{}
	for _, item := range r.List(f.Get("rules"), "routing.rules") {
		f, ok := r.Mapping(item, "a routing rule", 3, "id", "module", "when")
		if !ok {
			continue
		}
		rule := RoutingRule{
			Line:   r.Line(item),
			ID:     r.ID(f.Get("id"), "id of a routing rule"),
			Module: r.ID(f.Get("module"), "module of a routing rule"),
			When:   r.expression(f.Get("when"), "when"),
		}
		if rule.ID == "" || rule.Module == "" || r.taken(ids, item, "ROUTING.REPEATED", "routing rule", rule.ID) {
			continue
		}
		if first, repeated := modules[rule.Module]; repeated {
			r.Refuse(item, "ROUTING.REPEATED", "make one rule of both, with any:", "a rule for module %q stands on line %d already", rule.Module, first)
			continue
		}
		modules[rule.Module] = rule.Line
		m.Routing.Rules = append(m.Routing.Rules, rule)
	}
}

// horizon reads where consumers could be (RULES C11, E8).
func (r *reader) horizon(m *Manifest, node yamltext.Node) {
	f, ok := r.Mapping(node, "horizon", 1, "include", "exclude", "moving")
	if !ok {
		return
	}
	r.mark(m, "horizon.", f)
	h := &Horizon{Line: r.Line(node), Moving: movings[0]}
	include := r.List(f.Get("include"), "horizon.include")
	if h.Include = r.globs(include, "horizon.include"); f.Get("include").IsList() && len(include) == 0 {
		r.Refuse(f.Get("include"), "MANIFEST.GLOB", `write include: ["src/**"]`, "horizon.include lists no glob")
	}
	lines := map[string]int{}
	for _, item := range r.List(f.Get("exclude"), "horizon.exclude") {
		f, ok := r.Mapping(item, "an exclusion", 2, "glob", "reason")
		if !ok {
			continue
		}
		e := Exclusion{Line: r.Line(item), Reason: r.Text(f.Get("reason"), "reason")}
		if given := f.Get("glob"); given.IsGiven() {
			for _, text := range r.globs([]yamltext.Node{given}, "horizon.exclude") {
				e.Glob = text
			}
		}
		if e.Glob != "" && !r.taken(lines, item, "MANIFEST.GLOB", "the exclusion", e.Glob) {
			h.Exclude = append(h.Exclude, e)
		}
	}
	if moving := r.Choice(f.Get("moving"), "horizon.moving", "HORIZON.MOVING", movings); moving != "" {
		h.Moving = moving
	}
	m.Horizon = h
}
