package graph

import (
	"maps"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/corpus/records"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/identity"
)

// Authorities is what an analysis rests on of one side, as objects: its corpus, and what is compiled from it.
type Authorities struct {
	Metadata, PolicyImpact, Graph, Coverage authority.Node
}

// classOf is the class of target of a kind of relation, "" for what is none.
func classOf(kind string) string {
	if kind == Requires || kind == Specializes {
		return corpus.ModuleClass
	}
	return corpus.TargetClass(kind)
}

// Compile makes the objects of a side. They are small: what edges there are stands in the modules under the corpus.
func Compile(c *corpus.Corpus) (a Authorities, err error) {
	a.Metadata = c.Node
	if a.PolicyImpact, err = policyImpact(c); err != nil {
		return a, err
	}
	if a.Graph, err = standardsGraph(c, a); err != nil {
		return a, err
	}
	a.Coverage, err = horizon(c, a)
	return a, err
}

// snapshotOf is the id of a side's snapshot, nil where it has none, and the snapshot as a part.
func snapshotOf(c *corpus.Corpus) (any, []authority.Node) {
	if c.Snapshot.ID == "" {
		return nil, nil
	}
	return c.Snapshot.ID, []authority.Node{c.Snapshot}
}

func policyImpact(c *corpus.Corpus) (authority.Node, error) {
	schema := c.Schema()
	snapshot, parts := snapshotOf(c)
	programs := newPrograms(schema)
	for _, m := range c.Modules {
		for i := range m.Consumers {
			if err := programs.add(m.Consumers[i].When); err != nil {
				return authority.Node{}, err
			}
		}
	}
	var declared []string
	if c.Manifest != nil {
		for _, f := range c.Manifest.Facts {
			declared = append(declared, f.ID)
		}
	}
	return PolicyImpactCodec.Node(identity.Record{
		"content":  snapshot,
		"metadata": c.Node.ID,
		"facts":    factRecords(schema, declared),
		"programs": programs.list(),
	}, append(parts, c.Node)...)
}

func factRecords(schema *facts.Schema, ids []string) identity.List {
	slices.Sort(ids)
	list := identity.List{}
	for _, id := range slices.Compact(ids) {
		if contract, known := schema.Find(id); known {
			list = append(list, identity.Record{"fact": id, "contract": contract.Digest()})
		}
	}
	return list
}

// programs is the distinct expressions of a side, compiled.
type programs struct {
	schema *facts.Schema
	byText map[string]identity.Record
	always bool
}

func newPrograms(schema *facts.Schema) *programs {
	return &programs{schema: schema, byText: map[string]identity.Record{}}
}

// row is an expression with the digest of its program; null where this side does not declare what it names, which only an accepted
// side can hold (RULES B7).
func (p *programs) row(when authored.Expression) identity.Record {
	program, err := facts.Compile(when, p.schema)
	if err != nil {
		return identity.Record{"program": nil, "expression": when}
	}
	return identity.Record{"program": program.Digest(), "expression": program.Expression()}
}

func (p *programs) add(when authored.Expression) error {
	if when["operator"] == facts.Always {
		if p.always {
			return nil // as most are
		}
		p.always = true
	}
	row := p.row(when)
	text, err := identity.Encode(row["expression"])
	p.byText[string(text)] = row
	return err
}

func (p *programs) list() identity.List {
	list := identity.List{}
	for _, text := range slices.Sorted(maps.Keys(p.byText)) {
		list = append(list, p.byText[text])
	}
	return list
}

func standardsGraph(c *corpus.Corpus, a Authorities) (authority.Node, error) {
	counts, units := map[string]int64{}, int64(0)
	for _, m := range c.Modules {
		units += int64(len(m.Units))
		counts[Requires] += int64(len(m.Requires))
		counts[Specializes] += int64(len(m.Specializes))
		for i := range m.Consumers {
			counts[m.Consumers[i].Relation]++
		}
	}
	relations := identity.List{}
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		if counts[kind] > 0 {
			relations = append(relations, identity.Record{
				"relation": kind, "class": classOf(kind), "groups": identity.Texts(Relation{Kind: kind}.Groups()), "count": counts[kind],
			})
		}
	}
	return GraphCodec.Node(identity.Record{
		"metadata":      a.Metadata.ID,
		"policy_impact": a.PolicyImpact.ID,
		"modules":       int64(len(c.Modules)),
		"units":         units,
		"relations":     relations,
	}, a.Metadata, a.PolicyImpact)
}

// undeclared is what stands for a routing or horizon that the manifest does not declare.
const undeclared = "undeclared"

func horizon(c *corpus.Corpus, a Authorities) (authority.Node, error) {
	var definition any = undeclared
	if c.Manifest != nil && c.Manifest.Horizon != nil {
		definition = records.Horizon(c.Manifest.Horizon)
	}
	snapshot, parts := snapshotOf(c)
	return HorizonCodec.Node(identity.Record{
		"content":       snapshot,
		"metadata":      a.Metadata.ID,
		"policy_impact": a.PolicyImpact.ID,
		"graph":         a.Graph.ID,
		"horizon":       definition,
	}, append(parts, a.Metadata, a.PolicyImpact, a.Graph)...)
}

// CompileRouting makes the routing-projection of a side, which no analysis loads.
func CompileRouting(c *corpus.Corpus) (authority.Node, error) {
	var projection any = undeclared
	if c.Manifest != nil && c.Manifest.Routing != nil {
		r, schema := c.Manifest.Routing, c.Schema()
		compiled, named := newPrograms(schema), []string{}
		rules := slices.Clone(r.Rules)
		slices.SortFunc(rules, func(a, b authored.RoutingRule) int { return strings.Compare(a.ID, b.ID) })
		list := identity.List{}
		for _, rule := range rules {
			row := compiled.row(rule.When)
			row["id"], row["module"] = rule.ID, rule.Module
			list = append(list, row)
			if program, err := facts.Compile(rule.When, schema); err == nil {
				named = append(named, program.Facts()...)
			}
		}
		projection = identity.Record{
			"base": identity.Texts(slices.Sorted(slices.Values(r.Base))), "rules": list, "facts": factRecords(schema, named),
		}
	}
	snapshot, parts := snapshotOf(c)
	return RoutingCodec.Node(identity.Record{"content": snapshot, "metadata": c.Node.ID, "routing": projection}, append(parts, c.Node)...)
}
