package authored

import (
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/authored/glob"
	"go.yaml.in/yaml/v3"
)

var (
	blockLevels = []string{"MUST", "SHOULD", "PROFILE"}
	stops       = []string{"mine", "all", "warn"}
)

// DefaultGate is the gate of a manifest that says nothing of it: every level asks, and who can answer is stopped.
func DefaultGate() Gate { return Gate{Block: slices.Clone(blockLevels), Commit: "mine", Push: "mine"} }

// ParseManifest reads standards/standards.yaml (RULES A5). The manifest is nil only when its text is no mapping; its
// levels in Block come in the order MUST, SHOULD, PROFILE whatever order they were written in.
func ParseManifest(file string, data []byte) (*Manifest, []Finding) {
	r := &reader{file: file}
	root := r.load(data)
	if root == nil {
		return nil, r.sorted()
	}
	top, ok := r.mapping(root, "the manifest", 2, "version", "modules", "gate", "facts", "providers", "routing", "horizon")
	if !ok {
		return nil, r.sorted()
	}
	m := &Manifest{Lines: map[string]int{}, Gate: DefaultGate()}
	r.mark(m, "", top)
	if version, ok := r.integer(top.get("version"), "version"); ok && version != 1 {
		r.refuse(top.get("version"), "MANIFEST.VERSION", "write version: 1", "manifest version %d is not known", version)
	}
	if modules := top.get("modules"); modules != nil {
		m.Modules = r.globs(modules, "modules")
		if len(modules.Content) == 0 && kindOf(modules) == kindList {
			r.refuse(modules, "MANIFEST.GLOB", `write modules: ["standards/**/*.md"]`, "modules lists no glob")
		}
	}
	if gate := top.get("gate"); gate != nil {
		r.gate(m, gate)
	}
	for _, section := range []struct{ key, code string }{
		{"facts", "UNSUPPORTED.FACTS"}, {"providers", "UNSUPPORTED.PROVIDERS"},
		{"routing", "UNSUPPORTED.ROUTING"}, {"horizon", "UNSUPPORTED.HORIZON"},
	} {
		if key := top.keys[section.key]; key != nil {
			r.unsupported(key, section.code, "%s in the manifest is not judged by this version", section.key)
		}
	}
	return m, r.sorted()
}

// mark records the lines of the keys of a mapping.
func (r *reader) mark(m *Manifest, prefix string, f *fields) {
	for key := range f.values {
		m.Lines[prefix+key] = r.line(f.keys[key])
	}
}

func (r *reader) gate(m *Manifest, node *yaml.Node) {
	f, ok := r.mapping(node, "gate", 0, "base", "protected", "block", "commit", "push", "require-applicable")
	if !ok {
		return
	}
	r.mark(m, "gate.", f)
	gate := &m.Gate
	gate.Base = r.line1(f.get("base"), "gate.base")
	if protected := f.get("protected"); protected != nil {
		if kindOf(protected) == kindString {
			protected = &yaml.Node{Kind: yaml.SequenceNode, Line: protected.Line, Content: []*yaml.Node{protected}}
		}
		gate.Protected = r.globs(protected, "gate.protected")
	}
	if block := f.get("block"); block != nil {
		before := len(r.findings)
		var chosen []string
		for _, item := range r.list(block, "gate.block") {
			level := r.choice(item, "an entry of gate.block", "MANIFEST.BLOCK", blockLevels)
			if level != "" && slices.Contains(chosen, level) {
				r.refuse(item, "MANIFEST.BLOCK", "keep one of them", "gate.block names %s twice", level)
			}
			chosen = append(chosen, level)
		}
		if len(r.findings) == before { // what could not be read leaves nobody unasked
			gate.Block = slices.DeleteFunc(slices.Clone(blockLevels), func(level string) bool { return !slices.Contains(chosen, level) })
		}
	}
	if commit := r.choice(f.get("commit"), "gate.commit", "MANIFEST.GATE", stops); commit != "" {
		gate.Commit = commit
	}
	if push := r.choice(f.get("push"), "gate.push", "MANIFEST.GATE", stops); push != "" {
		gate.Push = push
	}
	gate.RequireApplicable = r.boolean(f.get("require-applicable"), "gate.require-applicable")
}

// globs reads a list of globs, none of them twice.
func (r *reader) globs(node *yaml.Node, what string) []string {
	var globs []string
	taken := map[string]bool{}
	for _, item := range r.list(node, what) {
		text := r.text(item, "an entry of "+what)
		if text == "" {
			continue
		}
		if _, err := glob.Parse(text); err != nil {
			r.refuse(item, "MANIFEST.GLOB", howToGlob(text), "%s: %s", what, err)
			continue
		}
		if taken[text] {
			r.refuse(item, "MANIFEST.GLOB", "keep one of them", "%s", fmt.Sprintf("%s names %q twice", what, text))
			continue
		}
		taken[text] = true
		globs = append(globs, text)
	}
	return globs
}
