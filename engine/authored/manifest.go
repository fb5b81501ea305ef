package authored

import (
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
)

var (
	blockLevels = []string{"MUST", "SHOULD", "PROFILE"}
	stops       = []string{"mine", "all", "warn"}
)

// DefaultGate is the gate of a manifest that says nothing of it: every level asks, and who can answer is stopped.
func DefaultGate() Gate { return Gate{Block: slices.Clone(blockLevels), Commit: "mine", Push: "mine"} }

// ParseManifest reads standards/standards.yaml (RULES A5). The manifest is nil only when its text is no mapping; its
// levels in Block come in the order MUST, SHOULD, PROFILE whatever order they were written in.
func ParseManifest(file string, data []byte) (*Manifest, []reading.Finding) {
	r := newReader(file)
	root := r.Load(data)
	if !root.IsGiven() {
		return nil, r.Sorted()
	}
	top, ok := r.Mapping(root, "the manifest", 2, "version", "modules", "gate", "facts", "providers", "routing", "horizon")
	if !ok {
		return nil, r.Sorted()
	}
	m := &Manifest{Lines: map[string]int{}, Gate: DefaultGate()}
	r.mark(m, "", top)
	if version, ok := r.Integer(top.Get("version"), "version"); ok && version != 1 {
		r.Refuse(top.Get("version"), "MANIFEST.VERSION", "write version: 1", "manifest version %d is not known", version)
	}
	if modules := top.Get("modules"); modules.IsGiven() {
		globs := r.List(modules, "modules")
		m.Modules = r.globs(globs, "modules")
		if len(globs) == 0 && modules.Kind() == yamltext.KindList {
			r.Refuse(modules, "MANIFEST.GLOB", `write modules: ["standards/**/*.md"]`, "modules lists no glob")
		}
	}
	if gate := top.Get("gate"); gate.IsGiven() {
		r.gate(m, gate)
	}
	for _, section := range []struct {
		key  string
		read func(*Manifest, yamltext.Node)
	}{{"facts", r.facts}, {"providers", r.providers}, {"routing", r.routing}, {"horizon", r.horizon}} {
		if node := top.Get(section.key); node.IsGiven() {
			section.read(m, node)
		}
	}
	return m, r.Sorted()
}

// mark records the lines of the keys of a mapping.
func (r *reader) mark(m *Manifest, prefix string, f *yamltext.Fields) {
	for key, node := range f.Keys {
		if f.Get(key).IsGiven() {
			m.Lines[prefix+key] = r.Line(node)
		}
	}
}

func (r *reader) gate(m *Manifest, node yamltext.Node) {
	f, ok := r.Mapping(node, "gate", 0, "base", "protected", "block", "commit", "push", "require-applicable")
	if !ok {
		return
	}
	r.mark(m, "gate.", f)
	gate := &m.Gate
	gate.Base = r.OneLine(f.Get("base"), "gate.base")
	if protected := f.Get("protected"); protected.IsGiven() {
		globs := []yamltext.Node{protected}
		if protected.Kind() != yamltext.KindString {
			globs = r.List(protected, "gate.protected")
		}
		gate.Protected = r.globs(globs, "gate.protected")
	}
	if block := f.Get("block"); block.IsGiven() {
		before := len(r.Findings)
		var chosen []string
		for _, item := range r.List(block, "gate.block") {
			level := r.Choice(item, "an entry of gate.block", "MANIFEST.BLOCK", blockLevels)
			if level != "" && slices.Contains(chosen, level) {
				r.Refuse(item, "MANIFEST.BLOCK", "keep one of them", "gate.block names %s twice", level)
			}
			chosen = append(chosen, level)
		}
		if len(r.Findings) == before { // what could not be read leaves nobody unasked
			gate.Block = slices.DeleteFunc(slices.Clone(blockLevels), func(level string) bool { return !slices.Contains(chosen, level) })
		}
	}
	if commit := r.Choice(f.Get("commit"), "gate.commit", "MANIFEST.GATE", stops); commit != "" {
		gate.Commit = commit
	}
	if push := r.Choice(f.Get("push"), "gate.push", "MANIFEST.GATE", stops); push != "" {
		gate.Push = push
	}
	gate.RequireApplicable, _ = r.Boolean(f.Get("require-applicable"), "gate.require-applicable")
}

// globs reads the globs of a list, none of them twice.
func (r *reader) globs(list []yamltext.Node, what string) []string {
	var globs []string
	taken := map[string]bool{}
	for _, item := range list {
		text := r.Text(item, "an entry of "+what)
		if text == "" {
			continue
		}
		if _, err := glob.Parse(text); err != nil {
			r.Refuse(item, "MANIFEST.GLOB", howToGlob(text), "%s: %s", what, err)
			continue
		}
		if taken[text] {
			r.Refuse(item, "MANIFEST.GLOB", "keep one of them", "%s", fmt.Sprintf("%s names %q twice", what, text))
			continue
		}
		taken[text] = true
		globs = append(globs, text)
	}
	return globs
}
