package yamltext

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Is checks the kind of a value that is given and reports another one.
func (r *Reader) Is(node Node, what, kind string) bool { return r.isKind(node, what, kind, nil) }

// isKind is Is; keys are those that a mapping may have.
func (r *Reader) isKind(node Node, what, kind string, keys []string) bool {
	got := node.Kind()
	if got == kind {
		return true
	}
	r.Refuse(node, "YAML.TYPE", howToWrite(node, kind, got, keys), "%s must be %s, not %s", what, kind, got)
	return false
}

// Fields is a closed mapping that was read.
type Fields struct {
	Node Node
	// Keys is every key by its text, those that the mapping cannot have included.
	Keys   map[string]Node
	values map[string]Node
}

// Get returns the value of a key that the mapping may have.
func (f *Fields) Get(key string) Node { return f.values[key] }

// Mapping reads a closed mapping: keys of known only, none twice, the first of them required.
func (r *Reader) Mapping(node Node, what string, required int, known ...string) (*Fields, bool) {
	if !r.isKind(node, what, KindMapping, known) {
		return nil, false
	}
	f := &Fields{Node: node, Keys: map[string]Node{}, values: map[string]Node{}}
	content := node.Content()
	for i := 0; i+1 < len(content); i += 2 {
		key := content[i]
		if !r.Is(key, "a key of "+what, KindString) {
			continue
		}
		if first := f.Keys[key.Value()]; first.IsGiven() {
			r.Refuse(key, "YAML.KEY_REPEATED", "keep one of them", "key %q of %s stands on line %d already", key.Value(), what, r.Line(first))
			continue
		}
		f.Keys[key.Value()] = key
		if !slices.Contains(known, key.Value()) {
			r.Refuse(key, "YAML.KEY_UNKNOWN", howToRename(key.Value(), known), "%s has no key %q%s", what, key.Value(), DidYouMean(key.Value(), known))
			continue
		}
		f.values[key.Value()] = content[i+1]
	}
	for _, key := range known[:required] {
		if !f.Keys[key].IsGiven() {
			r.Refuse(node, "YAML.KEY_MISSING", strings.TrimSpace("add "+key+": "+r.Examples[key]), "%s needs the key %q", what, key)
		}
	}
	return f, true
}

// List reads a list and returns its entries.
func (r *Reader) List(node Node, what string) []Node {
	if !node.IsGiven() || !r.Is(node, what, KindList) {
		return nil
	}
	return node.Content()
}

// Text reads a string that is not empty; "" where none is given or something is wrong.
func (r *Reader) Text(node Node, what string) string {
	if !node.IsGiven() || !r.Is(node, what, KindString) {
		return ""
	}
	if strings.TrimSpace(node.Value()) == "" {
		r.Refuse(node, "YAML.TYPE", "write the text or remove the key", "%s is empty", what)
		return ""
	}
	return node.Value()
}

// OneLine reads a string of one line without control characters.
func (r *Reader) OneLine(node Node, what string) string {
	text := r.Text(node, what)
	if strings.ContainsFunc(text, isControl) {
		r.Refuse(node, "YAML.TYPE", "write it on one line", "%s %q holds a line end or a control character", what, text)
		return ""
	}
	return text
}

func isControl(c rune) bool {
	return c < 0x20 || c >= 0x7f && c < 0xa0 || c == 0x2028 || c == 0x2029
}

// Texts reads a list of strings that are not empty.
func (r *Reader) Texts(node Node, what string) []string {
	var texts []string
	for _, item := range r.List(node, what) {
		if text := r.Text(item, "an entry of "+what); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// Choice reads one of a closed set of words and reports another one under the code.
func (r *Reader) Choice(node Node, what, code string, options []string) string {
	text := r.Text(node, what)
	if text == "" || slices.Contains(options, text) {
		return text
	}
	next := "use one of " + strings.Join(options, ", ")
	if near := Nearest(text, options); near != "" {
		next = "write " + near
	}
	r.Refuse(node, code, next, "%s cannot be %q%s", what, text, DidYouMean(text, options))
	return ""
}

var decimal = regexp.MustCompile(`^(?:0|-?[1-9][0-9]*)$`)

// Integer reads a decimal integer that fits 64 bits; false where none is given or something is wrong.
func (r *Reader) Integer(node Node, what string) (int64, bool) {
	if !node.IsGiven() || !r.Is(node, what, KindInt) {
		return 0, false
	}
	n, err := strconv.ParseInt(node.Value(), 10, 64)
	if err != nil || !decimal.MatchString(node.Value()) {
		r.Refuse(node, "YAML.TYPE", "write it in plain decimal digits", "%s: %q is not a decimal integer of 64 bits", what, node.Value())
		return 0, false
	}
	return n, true
}

// Boolean reads true or false, written so.
func (r *Reader) Boolean(node Node, what string) (value, ok bool) {
	if !node.IsGiven() || !r.Is(node, what, KindBool) {
		return false, false
	}
	if node.Value() != "true" && node.Value() != "false" {
		r.Refuse(node, "YAML.TYPE", "write true or false", "%s must be true or false, not %q", what, node.Value())
		return false, false
	}
	return node.Value() == "true", true
}

// Value reads any YAML that is given: nil, a bool, an int64, a string, a []any or a map[string]any of such values.
func (r *Reader) Value(node Node, what string) (any, bool) {
	switch kind := node.Kind(); kind {
	case KindNull:
		return nil, true
	case KindBool:
		return r.Boolean(node, what)
	case KindInt:
		return r.Integer(node, what)
	case KindString:
		return node.Value(), true
	case KindList:
		list, all := []any{}, true
		for _, item := range node.Content() {
			value, ok := r.Value(item, "an entry of "+what)
			list, all = append(list, value), all && ok
		}
		return list, all
	case KindMapping:
		return r.record(node, what)
	default:
		r.Refuse(node, "YAML.TYPE", "use a string, an integer, a boolean, null, a list or a mapping", "%s cannot be %s", what, kind)
		return nil, false
	}
}

func (r *Reader) record(node Node, what string) (any, bool) {
	record, all := map[string]any{}, true
	content := node.Content()
	for i := 0; i+1 < len(content); i += 2 {
		key := content[i]
		if !r.Is(key, "a key of "+what, KindString) {
			all = false
			continue
		}
		if _, repeated := record[key.Value()]; repeated {
			r.Refuse(key, "YAML.KEY_REPEATED", "keep one of them", "key %q of %s stands there twice", key.Value(), what)
			all = false
			continue
		}
		value, ok := r.Value(content[i+1], fmt.Sprintf("%.60q", key.Value()))
		record[key.Value()] = value
		all = all && ok
	}
	return record, all
}
