package reading

import "github.com/git-standards/git-standards/engine/authored/yamltext"

// Tree reads any YAML text as strictly as the formats of standards are read: one document, no aliases, anchors, tags
// or keys that stand twice. There is no tree beside findings.
func Tree(file string, data []byte) (*yamltext.Tree, []Finding) {
	r := New(file, nil)
	root := r.Load(data)
	if !root.IsGiven() {
		return nil, r.Sorted()
	}
	return r.Tree(root), r.Sorted()
}
