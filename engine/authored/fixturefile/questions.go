package fixturefile

import (
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
)

func (r reader) questions(node yamltext.Node, what string) (list []Pattern) {
	rows := r.List(node, what)
	if node.IsList() && len(rows) == 0 {
		r.Refuse(node, CaseCode, "write asks: nothing", "%s lists no question", what)
	}
	for _, row := range rows {
		if row.IsScalar() {
			if p := (Pattern{Line: r.Line(row), Subject: r.Text(row, "a question of "+what)}); p.Subject != "" {
				p.Glob = r.glob(row, p.Subject)
				list = append(list, p)
			}
			continue
		}
		if f, ok := r.Mapping(row, "a question", 0, slices.Concat(questionKeys, shownKeys)...); ok {
			list = append(list, r.pattern(f))
		}
	}
	return list
}

func (r reader) pattern(f *yamltext.Fields) Pattern {
	word := func(key string) string { return r.Text(f.Get(key), key) }
	p := Pattern{
		Line: r.Line(f.Node), Module: word("module"), Unit: word("unit"), Consumer: word("consumer"),
		Declaration: word("declaration"), Fact: word("fact"),
		Kind:   r.Choice(f.Get("kind"), "kind", CaseCode, kinds),
		Reason: r.Choice(f.Get("reason"), "reason", CaseCode, reasons),
		State:  r.Choice(f.Get("state"), "state", CaseCode, states),
		Who:    r.Choice(f.Get("who"), "who", CaseCode, viewers),
	}
	if node := f.Get("consumer"); p.Consumer != "" {
		p.Glob = r.glob(node, p.Consumer)
	}
	for key, list := range map[string]*[]string{"to": &p.To, "results": &p.Results} {
		if node := f.Get(key); node.IsGiven() {
			*list = []string{}
			for _, item := range r.words(node, key) {
				*list = append(*list, item.Text)
			}
		}
	}
	if len(f.Keys) == 0 {
		r.Refuse(f.Node, CaseCode, "write what it is about, such as {unit: api.errors}", "a question says nothing of itself")
	}
	return p
}

// glob reads what may fit several consumers; nil is a name.
func (r reader) glob(node yamltext.Node, text string) *glob.Glob {
	if !strings.ContainsAny(text, `*?[{\`) {
		return nil
	}
	g, err := glob.Parse(text)
	if err != nil {
		r.Refuse(node, CaseCode, `put a \ before a character that stands for itself`, "%v", err)
		return nil
	}
	return &g
}

func (r reader) answer(node yamltext.Node) (a Answer, ok bool) {
	f, ok := r.Mapping(node, "an answer", 0, slices.Concat(questionKeys, []string{"result", "value", "by"})...)
	if !ok {
		return a, false
	}
	a.Question, a.By = r.pattern(f), r.place(f.Get("by"), "by")
	result, value := f.Get("result"), f.Get("value")
	if result.IsGiven() == value.IsGiven() {
		r.Refuse(node, CaseCode, "write result:, or value: for a fact", "an answer has a result or a value, one of them")
		return a, false
	}
	if result.IsGiven() {
		text := r.OneLine(result, "result")
		a.Result = &text
		return a, text != ""
	}
	if value.Kind() == yamltext.KindNull {
		r.Refuse(value, CaseCode, "write result: absent", "value is nothing")
	}
	a.Value = r.value(value)
	return a, a.Value != nil
}
