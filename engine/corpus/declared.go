package corpus

import (
	"errors"
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/facts"
)

// contract is what counts as an answer to a declared fact.
func contract(f authored.Fact) facts.Contract {
	return facts.Contract{
		ID: f.ID, Revision: f.Revision, Type: f.Type, Nullable: f.Nullable, Values: slices.Sorted(slices.Values(f.Values)),
		Context: f.Context, Capability: f.Capability, Aliases: f.Aliases,
	}
}

// contracts returns the contracts of the facts that the side declares, in the order declared.
func (c *Corpus) contracts() []facts.Contract {
	if c.Manifest == nil {
		return nil
	}
	contracts := make([]facts.Contract, len(c.Manifest.Facts))
	for i, fact := range c.Manifest.Facts {
		contracts[i] = contract(fact)
	}
	return contracts
}

// Schema returns the facts that expressions of this side may name: the declared and the built-in ones.
func (c *Corpus) Schema() *facts.Schema { return c.schema }

// Program compiles an expression of this side over the side's own facts of a context. One that names a fact that is not there or is of
// the other context, or compares it as its type does not, has a finding; on an accepted side it reads as if it did not stand there, which
// is always (RULES B7): nil.
func (c *Corpus) Program(when authored.Expression, context string) *facts.Program {
	p, err := facts.Compile(when, c.Schema())
	if err != nil || c.outOfContext(p, context) != nil {
		return nil
	}
	return p
}

// outOfContext finds the first fact of a program that is not asked in a context.
func (c *Corpus) outOfContext(p *facts.Program, context string) *facts.Contract {
	for _, id := range p.Facts() {
		if contract, _ := c.Schema().Find(id); contract.Context != context {
			return &contract
		}
	}
	return nil
}

// manifest checks what the manifest's parts name (RULES A5, A9). Where the manifest has a finding of its own, a fact may be declared
// that could not be read, and nothing is said to be unknown.
func (l *linker) manifest() {
	if l.hidesFacts {
		return
	}
	providers := make([]string, len(l.Manifest.Providers))
	for i, p := range l.Manifest.Providers {
		providers[i] = p.ID
	}
	for _, fact := range l.Manifest.Facts {
		if fact.Provider != "" && !slices.Contains(providers, fact.Provider) {
			what, next := fmt.Sprintf("fact %q names provider %q, which is not declared", fact.ID, fact.Provider), "declare it below providers, or remove the key"
			if near := l.nearest(fact.Provider, providers, ""); near != "" {
				what, next = what+fmt.Sprintf(" (did you mean %q?)", near), "write provider: "+near
			}
			l.find("PROVIDER.UNKNOWN", ManifestPath, fact.Line, what, next)
		}
	}
	routing := l.Manifest.Routing
	if routing == nil {
		return
	}
	for _, id := range routing.Base {
		l.routed(id, "routing.base names ", l.Manifest.Lines["routing.base"])
	}
	for i := range routing.Rules {
		rule := &routing.Rules[i]
		l.routed(rule.Module, fmt.Sprintf("routing rule %q leads to ", rule.ID), rule.Line)
		l.condition(rule.When, facts.ContextTask, ManifestPath, rule.Line, fmt.Sprintf("when of routing rule %q", rule.ID))
	}
}

func (l *linker) routed(id, what string, line int) {
	if l.modules[id] == nil && !l.isExplained(id) {
		unknown, next := l.unknown(id, "module", "")
		l.find("ROUTING.MODULE_UNKNOWN", ManifestPath, line, what+unknown, next)
	}
}

// condition checks that an expression fits the side's facts, and that these are of the context in which it is asked.
func (l *linker) condition(when authored.Expression, context, file string, line int, what string) {
	if l.hidesFacts || when["operator"] == facts.Always {
		return
	}
	program, err := facts.Compile(when, l.Schema())
	if err == nil {
		if other := l.outOfContext(program, context); other != nil {
			l.find("FACT.CONTEXT", file, line, fmt.Sprintf("%s names fact %q of context %s; it is asked about a fact of %s", what, other.ID, other.Context, context),
				"name a fact of context "+context)
		}
		return
	}
	var wrong *facts.Error
	if errors.As(err, &wrong) && wrong.Misfit == facts.MisfitUnknown {
		what, next := fmt.Sprintf("%s names fact %q, which is not declared", what, wrong.Fact), "declare it below facts in "+ManifestPath
		if near := l.nearest(wrong.Fact, l.Schema().IDs(), ""); near != "" {
			what, next = what+fmt.Sprintf(" (did you mean %q?)", near), "write "+near
		}
		l.find("FACT.UNKNOWN", file, line, what, next)
		return
	}
	l.find("FACT.TYPE", file, line, fmt.Sprintf("%s: %s", what, err), "write a value of the fact's type, or an operator that looks at it")
}

// nearest returns the option most like a word, self aside, or "" for none or where suggestions have cost enough.
func (l *linker) nearest(word string, options []string, self string) string {
	if l.suggested >= maxSuggestions {
		return ""
	}
	l.suggested++
	return yamltext.Nearest(word, slices.DeleteFunc(slices.Clone(options), func(other string) bool { return other == self }))
}

// The classes of targets that are modules.
const (
	ModuleClass    = "module"
	RouterClass    = "router"
	ReferenceClass = "reference-module"
)

// targetClasses is the class of target of each relation (seed 004).
var targetClasses = map[string]string{
	"normative-consumer":           ModuleClass,
	"router-projection":            RouterClass,
	"reference-projection":         ReferenceClass,
	"prompt-projection":            "prompt",
	"template-projection":          "template",
	"documentation-projection":     "documentation",
	"fixture-projection":           "fixture",
	"enforcement-suite-projection": "enforcement-suite",
	"implementation-projection":    "implementation-artifact",
}

// TargetClass is what a relation of RULES A3 is about; "" for none of them.
func TargetClass(relation string) string { return targetClasses[relation] }

// roles are the roles of modules that a class of target admits. One that is not here is of files.
var roles = map[string]func(role string) bool{
	ModuleClass:    func(role string) bool { return role != "reference" },
	RouterClass:    func(role string) bool { return role == "router" },
	ReferenceClass: func(role string) bool { return role == "reference" },
}

// class warns of a row whose relation is about another kind of thing than the row names.
func (l *linker) class(edge *authored.Consumer, file string) {
	admits, ofModules := roles[TargetClass(edge.Relation)]
	target := l.modules[edge.Module]
	var message, next string
	switch {
	case edge.Relation == "" || edge.Module+edge.Path+edge.Glob == "":
		return
	case edge.Module == "" && ofModules:
		message = fmt.Sprintf("%s is about a module, and the row names files", edge.Relation)
		next = "name a module with module:, or choose a relation to files, such as documentation-projection"
	case edge.Module == "" || target == nil || target.Role == "" || ofModules && admits(target.Role):
		return
	case ofModules:
		message = fmt.Sprintf("%s does not lead to a module of role %s, as %q is", edge.Relation, target.Role, edge.Module)
		next = "write relation: " + relationTo(target.Role)
	default:
		message = fmt.Sprintf("%s is about files, and the row names a module", edge.Relation)
		next = "write relation: " + relationTo(target.Role) + ", or name the file with path:"
	}
	l.Findings = append(l.Findings, reading.Finding{
		Code: "CONSUMER.CLASS", Severity: reading.SeverityWarning, File: file, Line: edge.Line, Message: message, Next: next,
	})
}

// relationTo is the relation that leads to modules of a role.
func relationTo(role string) string {
	if role == "reference" {
		return "reference-projection"
	}
	return "normative-consumer"
}

// ByID is an expression with aliases replaced, or as it is where it does not fit the side's facts.
func (c *Corpus) ByID(when authored.Expression) authored.Expression {
	if when["operator"] == facts.Always {
		return when // as most are
	}
	if p, err := facts.Compile(when, c.Schema()); err == nil {
		return p.Expression()
	}
	return when
}
