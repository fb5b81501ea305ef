package authored

import "github.com/git-standards/git-standards/engine/authored/yamltext"

// ReadTree reads any YAML text as strictly as the formats of this package are read: one document, no aliases, anchors, tags
// or keys that stand twice. There is no tree beside findings.
func ReadTree(file string, data []byte) (*yamltext.Tree, []Finding) {
	r := newReader(file)
	root := r.Load(data)
	if !root.IsGiven() {
		return nil, r.sorted()
	}
	return r.Tree(root), r.sorted()
}
