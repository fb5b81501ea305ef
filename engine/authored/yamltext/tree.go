package yamltext

import (
	"encoding/json"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// maxInteger bounds the digits of an integer in a tree.
const maxInteger = 64

// Tree is a YAML text as the values that JSON has: map[string]any, []any, string, json.Number (integers in plain decimal),
// bool and nil. Numbers in any other spelling are the texts that stand there.
type Tree struct {
	Value any

	root *yaml.Node
	keys map[*yaml.Node]map[string]int // where a mapping has a key, once asked for
}

// Tree is the values below a root. There is none where something is reported.
func (r *Reader) Tree(root Node) *Tree {
	failed := false
	report := r.Report
	r.Report = func(line int, code, message, next string) {
		failed = true
		report(line, code, message, next)
	}
	defer func() { r.Report = report }()
	t := &Tree{root: root.yaml, keys: map[*yaml.Node]map[string]int{}}
	if t.Value = r.jsonValue(root.yaml); failed {
		return nil
	}
	return t
}

func (r *Reader) jsonValue(node *yaml.Node) any {
	switch kind := (Node{node}).Kind(); kind {
	case KindNull:
		return nil
	case KindBool:
		if node.Value == "true" || node.Value == "false" {
			return node.Value == "true"
		}
	case KindInt:
		if decimal.MatchString(node.Value) && len(node.Value) <= maxInteger {
			return json.Number(node.Value)
		}
	case KindFloat, KindString:
	case KindList:
		list := make([]any, 0, len(node.Content))
		for _, item := range node.Content {
			list = append(list, r.jsonValue(item))
		}
		return list
	case KindMapping:
		object := map[string]any{}
		lines := map[string]int{}
		for i := 0; i+1 < len(node.Content); i += 2 {
			key := node.Content[i]
			if !r.Is(Node{key}, "a key", KindString) {
				continue
			}
			if first, repeated := lines[key.Value]; repeated {
				r.Refuse(Node{key}, "YAML.KEY_REPEATED", "keep one of them", "key %.80q stands on line %d already", key.Value, first)
				continue
			}
			lines[key.Value] = r.Line(Node{key})
			object[key.Value] = r.jsonValue(node.Content[i+1])
		}
		return object
	default:
		r.Refuse(Node{node}, "YAML.TYPE", "write the value without a tag", "found %s; tags are not read", kind)
		return nil
	}
	return node.Value
}

// Position returns the line and the column, from 1, at which the value at a path of keys and indices begins, or its key.
// What does not stand in the text is placed where the value around it begins.
func (t *Tree) Position(path []string, key bool) (line, column int) {
	keyNode, node := t.find(path)
	if key && keyNode != nil {
		node = keyNode
	}
	return max(node.Line, 1), max(node.Column, 1)
}

// Text returns the scalar at a path as it stands there, where it was written plain and is a boolean or a number by YAML: a
// text may be written so, too.
func (t *Tree) Text(path []string) (string, bool) {
	_, node := t.find(path)
	kind := (Node{node}).Kind()
	return node.Value, kind == KindBool || kind == KindInt || kind == KindFloat
}

// find returns the node at a path, and its key where it is a value of a mapping; where the path leads no further, the
// last node there is.
func (t *Tree) find(path []string) (key, node *yaml.Node) {
	node = t.root
	for _, step := range path {
		switch i, err := strconv.Atoi(step); {
		case node.Kind == yaml.MappingNode:
			at, found := t.keysOf(node)[step]
			if !found {
				return nil, node
			}
			key, node = node.Content[at], node.Content[at+1]
		case node.Kind == yaml.SequenceNode && err == nil && i < len(node.Content):
			key, node = nil, node.Content[i]
		default:
			return nil, node
		}
	}
	return key, node
}

func (t *Tree) keysOf(node *yaml.Node) map[string]int {
	keys := t.keys[node]
	if keys == nil {
		keys = make(map[string]int, len(node.Content)/2)
		for i := 0; i+1 < len(node.Content); i += 2 {
			keys[node.Content[i].Value] = i
		}
		t.keys[node] = keys
	}
	return keys
}
