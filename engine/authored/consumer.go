package authored

import (
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/content"
)

var relations = []string{
	"normative-consumer", "router-projection", "reference-projection", "prompt-projection", "template-projection",
	"documentation-projection", "fixture-projection", "enforcement-suite-projection", "implementation-projection",
}

// Relations returns the nine kinds of relations of RULES A3, sorted.
func Relations() []string { return slices.Sorted(slices.Values(relations)) }

// DecisionsFolder is outside modules and consumers, by construction (RULES A10).
const DecisionsFolder = "standards/decisions"

func inDecisions(path string) bool {
	return path == DecisionsFolder || strings.HasPrefix(path, DecisionsFolder+"/")
}

// edge is what names a consumer (RULES C15).
type edge struct{ unit, relation, module, path, glob string }

// consumer reads one row of consumers (RULES A3). seen holds the lines of the edges read before.
func (r *reader) consumer(m *Module, node yamltext.Node, seen map[edge]int) {
	f, ok := r.Mapping(node, "a consumer", 2, "unit", "relation", "module", "path", "glob", "when", "on", "evidence-owner", "rationale")
	if !ok {
		return
	}
	c := Consumer{
		Line:          r.Line(node),
		Unit:          r.ID(f.Get("unit"), "unit of a consumer"),
		Relation:      r.Choice(f.Get("relation"), "relation", "CONSUMER.RELATION", relations),
		Module:        r.ID(f.Get("module"), "module of a consumer"),
		Path:          r.path(f.Get("path")),
		Glob:          r.glob(f.Get("glob")),
		When:          r.expression(f.Get("when"), "when"),
		On:            r.on(f.Get("on")),
		EvidenceOwner: r.Text(f.Get("evidence-owner"), "evidence-owner"),
		Rationale:     r.Text(f.Get("rationale"), "rationale"),
	}
	var targets []string
	for _, key := range []string{"module", "path", "glob"} {
		if f.Get(key).IsGiven() {
			targets = append(targets, key)
		}
	}
	switch len(targets) {
	case 0:
		r.Refuse(node, "CONSUMER.TARGET", "add path:, glob: or module:", "a consumer needs one of module, path and glob")
	case 1:
	default:
		r.Refuse(node, "CONSUMER.TARGET", "give each its own row",
			"a consumer has one of module, path and glob, not %s", strings.Join(targets, " and "))
	}
	e := edge{c.Unit, c.Relation, c.Module, c.Path, c.Glob}
	switch first, repeated := seen[e]; {
	case repeated:
		r.Refuse(node, "CONSUMER.REPEATED", "keep one of them", "the same consumer stands on line %d already", first)
	case c.Unit != "" && c.Relation != "" && c.Module+c.Path+c.Glob != "":
		seen[e] = c.Line
	}
	m.Consumers = append(m.Consumers, c)
}

// path reads a path that a snapshot can hold.
func (r *reader) path(node yamltext.Node) string {
	text := r.Text(node, "path")
	if text == "" {
		return ""
	}
	if err := content.CheckPath(text); err != nil {
		r.Refuse(node, "CONSUMER.PATH", howToPath(text), "path: %s", err)
		return ""
	}
	if inDecisions(text) {
		r.Refuse(node, "CONSUMER.PATH", "remove the consumer", "path %q lies under %s/, where nothing is a consumer", text, DecisionsFolder)
		return ""
	}
	return text
}

func (r *reader) glob(node yamltext.Node) string {
	text := r.Text(node, "glob")
	if text == "" {
		return ""
	}
	g, err := glob.Parse(text)
	if err != nil {
		r.Refuse(node, "CONSUMER.GLOB", howToGlob(text), "%s", err)
		return ""
	}
	if inDecisions(g.Base()) {
		r.Refuse(node, "CONSUMER.GLOB", "remove the consumer", "glob %q lies under %s/, where nothing is a consumer", text, DecisionsFolder)
		return ""
	}
	return text
}

// on reads whose change asks: [policy], or [policy, consumer].
func (r *reader) on(node yamltext.Node) []string {
	policy := []string{"policy"}
	if !node.IsGiven() {
		return policy
	}
	if node.Kind() != yamltext.KindList {
		r.Is(node, "on", yamltext.KindList)
		return policy
	}
	var given []string
	for _, item := range node.Content() {
		given = append(given, r.Choice(item, "an entry of on", "CONSUMER.ON", []string{"policy", "consumer"}))
	}
	switch strings.Join(given, " ") {
	case "policy":
	case "policy consumer", "consumer policy":
		return []string{"policy", "consumer"}
	default:
		r.Refuse(node, "CONSUMER.ON", "write on: [policy] or on: [policy, consumer]", "on must be [policy] or [policy, consumer]")
	}
	return policy
}
