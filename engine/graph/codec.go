package graph

import (
	"cmp"
	"fmt"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/identity"
)

// What a side's declarations compile to (seed 004). Each refers to what it is compiled from: see doc/identity.md.
var (
	PolicyImpactCodec = codec(policyImpactKind, "coding-standards:compiled-policy-impact:v1", examinePolicyImpact)
	GraphCodec        = codec(graphKind, "coding-standards:standards-graph:v1", examineGraph)
	RoutingCodec      = codec("routing-projection", "coding-standards:routing-projection:v1", examineRouting)
	HorizonCodec      = codec("coverage-horizon", "coding-standards:coverage-horizon:v1", examineHorizon)
)

const (
	policyImpactKind = "compiled-policy-impact"
	graphKind        = "standards-graph"
)

func codec(kind, domain string, examine func(any) (any, []authority.Reference, error)) authority.Codec {
	return authority.Codec{Kind: kind, Domain: domain, PayloadContract: kind + ".v1", Examine: examine}
}

// Codecs is the codec set of this package.
func Codecs() []authority.Codec {
	return []authority.Codec{PolicyImpactCodec, GraphCodec, RoutingCodec, HorizonCodec}
}

// kinds is what stands behind each key by which payloads refer to other objects.
var kinds = map[string]string{
	"content": content.SnapshotCodec.Kind, "metadata": corpus.Codec.Kind, "policy_impact": policyImpactKind, "graph": graphKind,
}

// grounds are the references in a payload, by key. A side without a file of standards has no content.
func grounds(fields identity.Record, keys ...string) ([]authority.Reference, error) {
	held := map[string]string{}
	for _, key := range keys {
		if key != "content" || fields[key] != nil {
			held[key] = kinds[key]
		}
	}
	return authority.References(fields, held)
}

// examineList checks a list of closed objects by its rows.
func examineList(value any, what string, row func(identity.Record) error, keys ...string) error {
	list, ok := value.(identity.List)
	if !ok {
		return fmt.Errorf("%s are not a list", what)
	}
	for i, item := range list {
		fields, err := authority.Closed(item, keys...)
		if err == nil {
			err = row(fields)
		}
		if err != nil {
			return fmt.Errorf("%s %d: %w", what, i, err)
		}
	}
	return nil
}

// examineTexts checks that each of some values is a text that is not empty.
func examineTexts(what string, values ...any) error {
	for _, value := range values {
		if text, _ := value.(string); text == "" {
			return fmt.Errorf("%s is no text", what)
		}
	}
	return nil
}

func examineFacts(value any) error {
	return examineList(value, "facts", func(fields identity.Record) error {
		_, err := authority.ReferenceTo(fields["contract"], "fact-contract")
		return cmp.Or(err, examineTexts("fact", fields["fact"]))
	}, "fact", "contract")
}

func examineProgram(fields identity.Record) error {
	if _, isExpression := fields["expression"].(identity.Record); !isExpression {
		return fmt.Errorf("no expression")
	}
	if fields["program"] == nil {
		return nil
	}
	_, err := authority.ReferenceTo(fields["program"], "program")
	return err
}

func examinePolicyImpact(payload any) (any, []authority.Reference, error) {
	fields, err := authority.Closed(payload, "content", "metadata", "facts", "programs")
	if err != nil {
		return nil, nil, err
	}
	if err := examineFacts(fields["facts"]); err != nil {
		return nil, nil, err
	}
	if err := examineList(fields["programs"], "programs", examineProgram, "program", "expression"); err != nil {
		return nil, nil, err
	}
	references, err := grounds(fields, "content", "metadata")
	return payload, references, err
}

func examineGraph(payload any) (any, []authority.Reference, error) {
	fields, err := authority.Closed(payload, "metadata", "policy_impact", "modules", "units", "relations")
	if err != nil {
		return nil, nil, err
	}
	for _, key := range []string{"modules", "units"} {
		if n, ok := fields[key].(int64); !ok || n < 0 {
			return nil, nil, fmt.Errorf("%s is no count", key)
		}
	}
	err = examineList(fields["relations"], "relations", func(row identity.Record) error {
		kind, _ := row["relation"].(string)
		if class := classOf(kind); class == "" || row["class"] != class {
			return fmt.Errorf("%q is no relation of the class %q", kind, fmt.Sprint(row["class"]))
		}
		if n, ok := row["count"].(int64); !ok || n < 1 {
			return fmt.Errorf("no count")
		}
		if groups, ok := row["groups"].(identity.List); !ok || examineTexts("group", groups...) != nil {
			return fmt.Errorf("no list of groups")
		}
		return nil
	}, "relation", "class", "groups", "count")
	if err != nil {
		return nil, nil, err
	}
	references, err := grounds(fields, "metadata", "policy_impact")
	return payload, references, err
}

func examineRouting(payload any) (any, []authority.Reference, error) {
	fields, err := authority.Closed(payload, "content", "metadata", "routing")
	if err != nil {
		return nil, nil, err
	}
	if fields["routing"] != undeclared {
		routing, err := authority.Closed(fields["routing"], "base", "rules", "facts")
		if err != nil {
			return nil, nil, fmt.Errorf("routing: %w", err)
		}
		if base, ok := routing["base"].(identity.List); !ok || examineTexts("module", base...) != nil {
			return nil, nil, fmt.Errorf("no list of base modules")
		}
		if err := examineFacts(routing["facts"]); err != nil {
			return nil, nil, err
		}
		err = examineList(routing["rules"], "rules", func(rule identity.Record) error {
			return cmp.Or(examineTexts("id or module", rule["id"], rule["module"]), examineProgram(rule))
		}, "id", "module", "program", "expression")
		if err != nil {
			return nil, nil, err
		}
	}
	references, err := grounds(fields, "content", "metadata")
	return payload, references, err
}

func examineHorizon(payload any) (any, []authority.Reference, error) {
	fields, err := authority.Closed(payload, "content", "metadata", "policy_impact", "graph", "horizon")
	if err != nil {
		return nil, nil, err
	}
	if fields["horizon"] != undeclared {
		definition, err := authority.Closed(fields["horizon"], "include", "exclude", "moving")
		if err != nil {
			return nil, nil, fmt.Errorf("horizon: %w", err)
		}
		if include, ok := definition["include"].(identity.List); !ok || examineTexts("glob", include...) != nil {
			return nil, nil, fmt.Errorf("no list of what the horizon includes")
		}
		if err := examineTexts("moving", definition["moving"]); err != nil {
			return nil, nil, err
		}
		err = examineList(definition["exclude"], "exclusions", func(row identity.Record) error {
			if _, ok := row["reason"].(string); !ok {
				return fmt.Errorf("no reason")
			}
			return examineTexts("glob", row["glob"])
		}, "glob", "reason")
		if err != nil {
			return nil, nil, err
		}
	}
	references, err := grounds(fields, "content", "metadata", "policy_impact", "graph")
	return payload, references, err
}
