package authored

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// notDeclaring are the keys of a module under which no id is declared.
var notDeclaring = map[string]bool{
	"role": true, "level": true, "title": true, "applies-when": true, "does-not-apply-when": true, "requires": true, "specializes": true,
	"verification": true, "owner": true, "heading": true, "predecessors": true, "successors": true, "evidence": true, "consumers": true,
	"unit": true, "module": true, "path": true, "glob": true,
}

// MayDeclare returns the words of a module's front matter that may be the ids it declares, for a module that could not
// be read: what refers to one of them need not be said to refer to nothing.
func MayDeclare(data []byte) map[string]bool {
	words := map[string]bool{}
	f, ok := findFront(data)
	if !ok || len(f.standard) > maxYAML {
		return words
	}
	text := f.standard
	if f.body >= 0 && conflictLine(data[:f.body]) > 0 {
		text = data[:f.body] // the marker in column 0 ended the value
	} else if root, _, err := decode(text); err == nil {
		declared(root, 0, words)
		return words
	}
	for _, word := range bytes.FieldsFunc(text, func(c rune) bool { return c >= 0x80 || c < '!' || strings.ContainsRune(`"',[]{}#`, c) }) {
		words[string(word)] = true
	}
	return words
}

func declared(node *yaml.Node, depth int, words map[string]bool) {
	if node.Kind == yaml.ScalarNode {
		words[node.Value] = true
	}
	for i, child := range node.Content {
		isKey := node.Kind == yaml.MappingNode && i%2 == 0
		if depth > maxDepth || isKey || node.Kind == yaml.MappingNode && notDeclaring[node.Content[i-1].Value] {
			continue
		}
		declared(child, depth+1, words)
	}
}
