package authored

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The kinds of YAML values, as findings name them.
const (
	kindNull    = "nothing"
	kindBool    = "a boolean"
	kindInt     = "an integer"
	kindFloat   = "a number"
	kindString  = "a string"
	kindList    = "a list"
	kindMapping = "a mapping"
)

var (
	coreInt   = regexp.MustCompile(`^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	coreFloat = regexp.MustCompile(`^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
	decimal   = regexp.MustCompile(`^(?:0|-?[1-9][0-9]*)$`)
)

// plainKind resolves a plain scalar by the core schema of YAML 1.2. The library resolves by a mixture of 1.1 and 1.2,
// where 2026-01-01 is a time and 1_000 a number.
func plainKind(value string) string {
	switch value {
	case "", "~", "null", "Null", "NULL":
		return kindNull
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return kindBool
	}
	switch {
	case coreInt.MatchString(value):
		return kindInt
	case coreFloat.MatchString(value):
		return kindFloat
	}
	return kindString
}

func kindOf(node *yaml.Node) string {
	switch {
	case node.Style&yaml.TaggedStyle != 0 && (node.Kind != yaml.ScalarNode || node.Tag != "!!str"):
		return "a value tagged " + strconv.Quote(node.Tag)
	case node.Kind == yaml.SequenceNode:
		return kindList
	case node.Kind == yaml.MappingNode:
		return kindMapping
	case node.Kind != yaml.ScalarNode:
		return "an alias"
	case node.Style&yaml.TaggedStyle != 0:
		return kindString
	case node.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return kindString
	}
	return plainKind(node.Value)
}

// is checks the kind of a value and reports another one; what names the value in the finding.
func (r *reader) is(node *yaml.Node, what, kind string) bool {
	got := kindOf(node)
	if got == kind {
		return true
	}
	r.refuse(node, "YAML.TYPE", howToWrite(node, kind, got), "%s must be %s, not %s", what, kind, got)
	return false
}

// fields is the values of a mapping by key.
type fields struct {
	node   *yaml.Node
	values map[string]*yaml.Node
	keys   map[string]*yaml.Node
}

// get returns the value of key, or nil.
func (f *fields) get(key string) *yaml.Node { return f.values[key] }

// mapping reads a closed mapping: keys of known only, none twice, the first of them required.
func (r *reader) mapping(node *yaml.Node, what string, required int, known ...string) (*fields, bool) {
	if !r.is(node, what, kindMapping) {
		return nil, false
	}
	f := &fields{node: node, values: map[string]*yaml.Node{}, keys: map[string]*yaml.Node{}}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		if !r.is(key, "a key of "+what, kindString) {
			continue
		}
		if first := f.keys[key.Value]; first != nil {
			r.refuse(key, "YAML.KEY_REPEATED", "keep one of them", "key %q of %s stands on line %d already", key.Value, what, r.line(first))
			continue
		}
		f.keys[key.Value] = key
		if !slices.Contains(known, key.Value) {
			r.refuse(key, "YAML.KEY_UNKNOWN", nearestKey(key.Value, known), "%s has no key %q%s", what, key.Value, didYouMean(key.Value, known))
			continue
		}
		f.values[key.Value] = node.Content[i+1]
	}
	for _, key := range known[:required] {
		if f.keys[key] == nil {
			r.refuse(node, "YAML.KEY_MISSING", howToAdd(key), "%s needs the key %q", what, key)
		}
	}
	return f, true
}

func (r *reader) list(node *yaml.Node, what string) []*yaml.Node {
	if node == nil || !r.is(node, what, kindList) {
		return nil
	}
	return node.Content
}

// text reads a string that is not empty; "" where the node is nil or something is wrong.
func (r *reader) text(node *yaml.Node, what string) string {
	if node == nil || !r.is(node, what, kindString) {
		return ""
	}
	if strings.TrimSpace(node.Value) == "" {
		r.refuse(node, "YAML.TYPE", "write the text or remove the key", "%s is empty", what)
		return ""
	}
	return node.Value
}

// line1 reads a string of one line without control characters.
func (r *reader) line1(node *yaml.Node, what string) string {
	text := r.text(node, what)
	if strings.ContainsFunc(text, isControl) {
		r.refuse(node, "YAML.TYPE", "write it on one line", "%s %q holds a line end or a control character", what, text)
		return ""
	}
	return text
}

func isControl(c rune) bool {
	return c < 0x20 || c >= 0x7f && c < 0xa0 || c == 0x2028 || c == 0x2029
}

func (r *reader) texts(node *yaml.Node, what string) []string {
	var texts []string
	for _, item := range r.list(node, what) {
		if text := r.text(item, "an entry of "+what); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// id reads an identifier (RULES A4).
func (r *reader) id(node *yaml.Node, what string) string {
	text := r.text(node, what)
	if text == "" {
		return ""
	}
	if err := CheckID(text); err != nil {
		r.refuse(node, "MODULE.ID", "use letters, digits and . _ : / - only, a letter or a digit first", "%s: %s", what, err)
		return ""
	}
	return text
}

func (r *reader) ids(node *yaml.Node, what string) []string {
	var ids []string
	taken := map[string]bool{}
	for _, item := range r.list(node, what) {
		if id := r.id(item, "an entry of "+what); id != "" {
			if taken[id] {
				r.refuse(item, "MODULE.ID", "keep one of them", "%s names %q twice", what, id)
				continue
			}
			taken[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// choice reads one of a closed set of words.
func (r *reader) choice(node *yaml.Node, what, code string, options []string) string {
	text := r.text(node, what)
	if text == "" || slices.Contains(options, text) {
		return text
	}
	next := "use one of " + strings.Join(options, ", ")
	if near := Nearest(text, options); near != "" {
		next = "write " + near
	}
	r.refuse(node, code, next, "%s cannot be %q%s", what, text, didYouMean(text, options))
	return ""
}

// integer reads a decimal integer that fits 64 bits.
func (r *reader) integer(node *yaml.Node, what string) (int64, bool) {
	if node == nil || !r.is(node, what, kindInt) {
		return 0, false
	}
	n, err := strconv.ParseInt(node.Value, 10, 64)
	if err != nil || !decimal.MatchString(node.Value) {
		r.refuse(node, "YAML.TYPE", "write it in plain decimal digits", "%s: %q is not a decimal integer of 64 bits", what, node.Value)
		return 0, false
	}
	return n, true
}

func (r *reader) boolean(node *yaml.Node, what string) bool {
	if node == nil || !r.is(node, what, kindBool) {
		return false
	}
	if node.Value != "true" && node.Value != "false" {
		r.refuse(node, "YAML.TYPE", "write true or false", "%s must be true or false, not %q", what, node.Value)
	}
	return node.Value == "true"
}
