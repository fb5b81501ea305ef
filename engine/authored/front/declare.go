package front

import (
	"bytes"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/yamltext"
)

// notDeclaring are the keys of a module under which no id is declared.
var notDeclaring = map[string]bool{
	"role": true, "level": true, "title": true, "applies-when": true, "does-not-apply-when": true, "requires": true, "specializes": true,
	"verification": true, "owner": true, "heading": true, "predecessors": true, "successors": true, "evidence": true, "consumers": true,
	"unit": true, "module": true, "path": true, "glob": true,
	"when": true, "on": true,
}

// MayDeclare returns the words of a module's front matter that may be the ids it declares, for a module that could not
// be read: what refers to one of them need not be said to refer to nothing.
func MayDeclare(data []byte) map[string]bool {
	words := map[string]bool{}
	f, ok := Find(data)
	if !ok || len(f.Standard) > yamltext.MaxBytes {
		return words
	}
	text := f.Standard
	if f.Body >= 0 && yamltext.ConflictLine(data[:f.Body]) > 0 {
		text = data[:f.Body] // the marker in column 0 ended the value
	} else if root, err := yamltext.Parse(text); err == nil {
		declared(root, 0, words)
		return words
	}
	for _, word := range bytes.FieldsFunc(text, func(c rune) bool { return c >= 0x80 || c < '!' || strings.ContainsRune(`"',[]{}#`, c) }) {
		words[string(word)] = true
	}
	return words
}

func declared(node yamltext.Node, depth int, words map[string]bool) {
	if node.IsScalar() {
		words[node.Value()] = true
	}
	content := node.Content()
	for i, child := range content {
		isKey := node.IsMapping() && i%2 == 0
		if depth > yamltext.MaxDepth || isKey || node.IsMapping() && notDeclaring[content[i-1].Value()] {
			continue
		}
		declared(child, depth+1, words)
	}
}
