package fixturefile

import (
	"slices"
	"strconv"

	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/content"
)

func (r reader) given(node yamltext.Node) *Edits {
	if !node.IsGiven() {
		return nil
	}
	fields, ok := r.Mapping(node, "given", 0, append([]string{"from"}, editKeys...)...)
	if !ok {
		return nil
	}
	edits := r.edits(fields)
	if from := r.place(fields.Get("from"), "from"); from.Text != "" {
		edits.From = &from
	}
	return edits
}

func (r reader) edits(f *yamltext.Fields) *Edits {
	e := &Edits{
		Line:  r.Line(f.Node),
		Raise: r.someWords(f.Get("raise"), "raise"), Reword: r.someWords(f.Get("reword"), "reword"),
		Touch: r.paths(f.Get("touch"), "touch"), Delete: r.paths(f.Get("delete"), "delete"),
	}
	for _, p := range r.pairs(f.Get("write"), "write", "a path") {
		if at, ok := r.path(p.key); ok && r.Is(p.value, "the text of "+quoted(at.Text), yamltext.KindString) {
			e.Write = append(e.Write, Written{at, p.value.Value()})
		}
	}
	for _, p := range r.pairs(f.Get("edit"), "edit", "a path") {
		if at, ok := r.path(p.key); ok {
			e.Replace = append(e.Replace, r.replacements(at.Text, p.value)...)
		}
	}
	for _, p := range r.pairs(f.Get("move"), "move", "a path") {
		from, ok := r.path(p.key)
		if !ok || !r.Is(p.value, "the path to which "+quoted(from.Text)+" moves", yamltext.KindString) {
			continue
		}
		if to, ok := r.path(p.value); ok {
			e.Move = append(e.Move, Move{from, to.Text})
		}
	}
	return e
}

// replacements reads those of one file: one, or a list.
func (r reader) replacements(path string, node yamltext.Node) (list []Replacement) {
	rows := []yamltext.Node{node}
	if node.IsList() {
		rows = r.some(node, "the edits of "+quoted(path))
	}
	for _, row := range rows {
		f, ok := r.Mapping(row, "an edit of "+quoted(path), 2, "find", "with")
		if !ok {
			continue
		}
		one := Replacement{Place: Place{path, r.Line(row)}, Find: r.Text(f.Get("find"), "find")}
		if with := f.Get("with"); with.IsGiven() && r.Is(with, "with", yamltext.KindString) {
			one.With = with.Value()
		}
		if one.Find != "" && one.Find == one.With {
			r.Refuse(row, "TEST.EDIT", "write in with: what find: becomes", "find and with are the same")
		}
		list = append(list, one)
	}
	return list
}

type pair struct{ key, value yamltext.Node }

// pairs reads a mapping whose keys are names, each once.
func (r reader) pairs(node yamltext.Node, what, keyed string) (list []pair) {
	if !node.IsGiven() || !r.Is(node, what, yamltext.KindMapping) {
		return nil
	}
	first := map[string]int{}
	children := node.Content()
	if len(children) == 0 {
		r.Refuse(node, CaseCode, "write what it is about, or remove the key", "%s lists nothing", what)
	}
	for i := 0; i+1 < len(children); i += 2 {
		key := children[i]
		if !r.Is(key, keyed+" in "+what, yamltext.KindString) {
			continue
		}
		if line := first[key.Value()]; line > 0 {
			r.Refuse(key, "YAML.KEY_REPEATED", "keep one of them", "key %q of %s stands on line %d already", key.Value(), what, line)
			continue
		}
		first[key.Value()] = r.Line(key)
		list = append(list, pair{key, children[i+1]})
	}
	return list
}

func (r reader) paths(node yamltext.Node, what string) []Place {
	return slices.DeleteFunc(r.someWords(node, what), func(p Place) bool { return !r.isPath(p) })
}

func (r reader) path(node yamltext.Node) (Place, bool) {
	p := Place{r.Text(node, "a path"), r.Line(node)}
	return p, p.Text != "" && r.isPath(p)
}

func (r reader) isPath(p Place) bool {
	if err := content.CheckPath(p.Text); err != nil {
		r.Find(p.Line, PathCode, "write the path from the top of the repository, with slashes", "%v", err)
		return false
	}
	return true
}

// quoted is a name from outside within a message.
func quoted(name string) string { return strconv.Quote(name) }
