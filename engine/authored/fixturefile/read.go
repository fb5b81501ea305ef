package fixturefile

import (
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
)

var examples = map[string]string{
	"name": "raising the rule of errors asks its documents", "change": "{raise: api.errors}",
	"find": `"level: MUST"`, "with": `"level: SHOULD"`,
}

var (
	editKeys     = []string{"raise", "reword", "touch", "edit", "write", "delete", "move"}
	questionKeys = []string{"kind", "reason", "module", "unit", "consumer", "declaration", "fact"}
	shownKeys    = []string{"state", "who", "to", "results"}

	kinds   = []string{"consumer-review", "impact-review", "fact", "coverage"}
	states  = []string{"open", "stale", "blocked"}
	viewers = []string{"mine", "awaiting"}
	reasons = []string{
		"unit-changed", "unit-added", "unit-removed", "same-revision", "consumer-added", "consumer-changed", "consumer-deleted",
		"declaration-changed", "unmapped-text", "base-invalid", "fact-needed", "horizon",
	}
)

// The codes of findings.
const (
	CaseCode = "TEST.CASE"
	PathCode = "TEST.PATH"
)

type reader struct{ *reading.Reader }

// Parse reads a fixture. Beside findings the file holds what could be read.
func Parse(name string, data []byte) (*File, []reading.Finding) {
	r := reader{reading.New(name, examples)}
	f := &File{Name: name}
	root := r.Load(data)
	if !root.IsGiven() {
		return f, r.Sorted()
	}
	top, ok := r.Mapping(root, "the fixture", 1, "cases", "given", "as")
	if !ok {
		return f, r.Sorted()
	}
	given := r.given(top.Get("given"))
	if given != nil {
		given.IsShared = true
	}
	as := r.place(top.Get("as"), "as")
	taken := map[string]int{}
	for _, row := range r.some(top.Get("cases"), "cases") {
		c := r.read(row)
		if c == nil {
			continue
		}
		c.File = name
		if first := taken[c.Name]; first > 0 && c.Name != "" {
			r.Find(c.Line, CaseCode, "give it a name of its own", "a case on line %d is called %q already", first, c.Name)
		}
		taken[c.Name] = c.Line
		if given != nil && (len(c.Givens) == 0 || c.Givens[0].From == nil) {
			c.Givens = append([]*Edits{given}, c.Givens...)
		}
		if c.As == "" {
			c.As, c.AsLine = as.Text, as.Line
		}
		f.Cases = append(f.Cases, c)
	}
	return f, r.Sorted()
}

func (r reader) read(row yamltext.Node) *Case {
	fields, ok := r.Mapping(row, "a case", 2, "name", "change", "given", "as", "facts", "answers", "asks", "refused", "notices")
	if !ok {
		return nil
	}
	c := &Case{Name: r.OneLine(fields.Get("name"), "name"), Line: r.Line(row)}
	if given := r.given(fields.Get("given")); given != nil {
		c.Givens = []*Edits{given}
	}
	c.Change = &Edits{Line: c.Line}
	if node := fields.Get("change"); node.IsGiven() {
		if change, ok := r.Mapping(node, "change", 0, editKeys...); ok {
			found := len(r.Findings)
			c.Change = r.edits(change)
			if len(r.Findings) == found && c.Change.IsEmpty() {
				r.Refuse(node, CaseCode, "write what changes: "+strings.Join(editKeys, ", "), "change lists nothing")
			}
		}
	}
	as := r.place(fields.Get("as"), "as")
	c.As, c.AsLine = as.Text, as.Line
	for _, p := range r.pairs(fields.Get("facts"), "facts", "the id of a fact") {
		if id, value := r.Text(p.key, "the id of a fact"), r.value(p.value); id != "" {
			c.Facts = append(c.Facts, Given{Place{id, r.Line(p.key)}, value})
		}
	}
	for _, node := range r.some(fields.Get("answers"), "answers") {
		if a, ok := r.answer(node); ok {
			c.Answers = append(c.Answers, a)
		}
	}
	r.expected(c, fields)
	return c
}

// place reads a word; its Text is "" where there is none.
func (r reader) place(node yamltext.Node, what string) Place {
	if !node.IsGiven() {
		return Place{}
	}
	return Place{r.OneLine(node, what), r.Line(node)}
}

// words reads one word, or a list.
func (r reader) words(node yamltext.Node, what string) (list []Place) {
	if !node.IsGiven() {
		return nil
	}
	if !node.IsList() {
		if p := r.place(node, what); p.Text != "" {
			list = append(list, p)
		}
		return list
	}
	for _, item := range r.List(node, what) {
		if p := r.place(item, "an entry of "+what); p.Text != "" {
			list = append(list, p)
		}
	}
	return list
}

// some reads a list that is not empty.
func (r reader) some(node yamltext.Node, what string) []yamltext.Node {
	rows := r.List(node, what)
	if node.IsList() && len(rows) == 0 {
		r.Refuse(node, CaseCode, "write what it is about, or remove the key", "%s lists nothing", what)
	}
	return rows
}

// someWords is words without the empty list.
func (r reader) someWords(node yamltext.Node, what string) []Place {
	if node.IsList() {
		r.some(node, what)
	}
	return r.words(node, what)
}

// value reads the value of a fact; nil is none, or that something is wrong with it.
func (r reader) value(node yamltext.Node) any {
	found := len(r.Findings)
	value, ok := r.Value(node, "the value of a fact")
	switch v := value.(type) {
	case nil, bool, string:
		return value
	case []any:
		if !slices.ContainsFunc(v, func(member any) bool { _, isText := member.(string); return !isText }) {
			return value
		}
	}
	if ok || len(r.Findings) == found {
		r.Refuse(node, CaseCode, "write true, false, a text or a list of texts; null where it has none", "the value is none that a fact can have")
	}
	return nil
}

func (r reader) expected(c *Case, fields *yamltext.Fields) {
	asks, refused := fields.Get("asks"), fields.Get("refused")
	c.Refused = r.OneLine(refused, "refused")
	for _, code := range r.someWords(fields.Get("notices"), "notices") {
		c.Notices = append(c.Notices, code.Text)
	}
	switch {
	case !asks.IsGiven():
	case refused.IsGiven():
		r.Refuse(fields.Keys["refused"], CaseCode, "keep asks: or refused:", "what is refused asks nothing, so that a case has asks or refused")
	case asks.IsList():
		c.Asks = r.questions(asks, "asks")
	case asks.IsMapping():
		f, ok := r.Mapping(asks, "asks", 1, "at-least")
		if ok && f.Get("at-least").IsGiven() {
			c.Asks, c.AtLeast = r.questions(f.Get("at-least"), "at-least"), true
		}
	case asks.Kind() != yamltext.KindString:
		r.Is(asks, "asks", yamltext.KindList)
	default:
		word := asks.Value()
		if c.Nothing, c.Adoption = word == Nothing, word == Adoption; !c.Nothing && !c.Adoption {
			next := "write [" + yamltext.Scalar(word) + "], or " + Nothing
			r.Refuse(asks, CaseCode, next, "asks is a list of questions, or the word %s or %s, not %q%s", Nothing, Adoption, word,
				yamltext.DidYouMean(word, []string{Nothing, Adoption}))
		}
	}
}
