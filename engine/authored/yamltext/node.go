package yamltext

import (
	"regexp"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Node is one value of a text. The zero Node is a value that was not given.
type Node struct{ yaml *yaml.Node }

// IsGiven reports whether the value stands in the text.
func (n Node) IsGiven() bool { return n.yaml != nil }

// IsScalar reports whether the value is written as a scalar, whatever kind a tag claims.
func (n Node) IsScalar() bool { return n.yaml != nil && n.yaml.Kind == yaml.ScalarNode }

// IsList reports whether the value is written as a list, whatever kind a tag claims.
func (n Node) IsList() bool { return n.yaml != nil && n.yaml.Kind == yaml.SequenceNode }

// IsMapping reports whether the value is written as a mapping, whatever kind a tag claims.
func (n Node) IsMapping() bool { return n.yaml != nil && n.yaml.Kind == yaml.MappingNode }

// IsFlow reports whether a list or a mapping is written in brackets.
func (n Node) IsFlow() bool { return n.yaml != nil && n.yaml.Style&yaml.FlowStyle != 0 }

// Value returns the text of a scalar without its quotes, "" for another value.
func (n Node) Value() string {
	if !n.IsScalar() {
		return ""
	}
	return n.yaml.Value
}

// Content returns the entries of a list, the keys and values of a mapping in turn, and nothing of another value.
func (n Node) Content() []Node {
	if n.yaml == nil {
		return nil
	}
	content := make([]Node, len(n.yaml.Content))
	for i, child := range n.yaml.Content {
		content[i] = Node{child}
	}
	return content
}

// Get returns the value of a key of a mapping, without judging either.
func (n Node) Get(key string) Node {
	if !n.IsMapping() {
		return Node{}
	}
	content := n.yaml.Content
	for i := 0; i+1 < len(content); i += 2 {
		if content[i].Kind == yaml.ScalarNode && content[i].Value == key {
			return Node{content[i+1]}
		}
	}
	return Node{}
}

// The kinds of YAML values, as findings name them.
const (
	KindNull    = "nothing"
	KindBool    = "a boolean"
	KindInt     = "an integer"
	KindFloat   = "a number"
	KindString  = "a string"
	KindList    = "a list"
	KindMapping = "a mapping"
)

var (
	coreInt   = regexp.MustCompile(`^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	coreFloat = regexp.MustCompile(`^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
)

// plainKind resolves a plain scalar by the core schema of YAML 1.2. The library resolves by a mixture of 1.1 and 1.2,
// where 2026-01-01 is a time and 1_000 a number.
func plainKind(value string) string {
	switch value {
	case "", "~", "null", "Null", "NULL":
		return KindNull
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return KindBool
	}
	switch {
	case coreInt.MatchString(value):
		return KindInt
	case coreFloat.MatchString(value):
		return KindFloat
	}
	return KindString
}

// Kind returns the kind of a value that is given, or words for one that has none of the kinds: a tagged value or an alias.
func (n Node) Kind() string {
	node := n.yaml
	switch {
	case node.Style&yaml.TaggedStyle != 0 && (node.Kind != yaml.ScalarNode || node.Tag != "!!str"):
		return "a value tagged " + strconv.Quote(node.Tag)
	case node.Kind == yaml.SequenceNode:
		return KindList
	case node.Kind == yaml.MappingNode:
		return KindMapping
	case node.Kind != yaml.ScalarNode:
		return "an alias"
	case node.Style&yaml.TaggedStyle != 0:
		return KindString
	case node.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return KindString
	}
	return plainKind(node.Value)
}
