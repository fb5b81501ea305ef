package authored

import (
	"bytes"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/front"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/identity"
)

// RewriteTargets returns a module's text with the path or glob of each consumer (RULES A3) that rename gives a new name
// replaced where it stands, in the quotes it has or with those that YAML needs; every other byte stays. kind is "path" or
// "glob". It returns data itself where nothing is renamed, and no text beside findings: a row whose target is written so
// that it cannot be replaced alone (a block scalar, several lines, a tag) is refused by name.
func RewriteTargets(file string, data []byte, rename func(kind, target string) (string, bool)) ([]byte, []reading.Finding) {
	r := newReader(file)
	f, ok := front.Find(data)
	if !ok || f.Body < 0 {
		r.Find(max(f.Line, 1), "EDIT.NOT_A_MODULE", "git standards lint", "the file has no front matter with the key standard and a closing line ---")
		return nil, r.Findings
	}
	r.Offset = f.Line - 1
	root := r.Load(f.Standard)
	if !root.IsGiven() {
		return nil, r.Sorted()
	}
	text, offset := yamltext.NewSource(f.Standard), lineOffset(data, f.Line)
	var edits []edit
	var want []string
	targets(root, func(kind string, value yamltext.Node) {
		now, renamed := rename(kind, value.Value())
		if !renamed || now == value.Value() {
			want = append(want, value.Value())
			return
		}
		want = append(want, now)
		start, end, ok := text.Span(value)
		if !ok {
			r.Refuse(value, "EDIT.BY_HAND", "write "+kind+": "+yamltext.Scalar(now),
				"the %s %q is written in a form that is not edited: over several lines, as a block or with a tag", kind, value.Value())
			return
		}
		edits = append(edits, edit{offset + start, offset + end, yamltext.Requote(value, now)})
	})
	if len(r.Findings) > 0 {
		return nil, r.Sorted()
	}
	if len(edits) == 0 {
		return data, nil
	}
	out := apply(data, edits)
	if !slices.Equal(targetsOf(out), want) {
		r.Find(f.Line, "EDIT.BY_HAND", "edit the paths and globs of its consumers", "the consumers of this module are written in a form that is not edited")
		return nil, r.Findings
	}
	return out, nil
}

// targets calls visit with the path or glob of each consumer, in order.
func targets(root yamltext.Node, visit func(kind string, value yamltext.Node)) {
	for _, row := range root.Get("standard").Get("consumers").Content() {
		for _, kind := range []string{"path", "glob"} {
			if value := row.Get(kind); value.IsGiven() && value.Kind() == yamltext.KindString {
				visit(kind, value)
			}
		}
	}
}

func targetsOf(data []byte) (list []string) {
	f, _ := front.Find(data)
	if root, err := yamltext.Parse(f.Standard); err == nil {
		targets(root, func(_ string, value yamltext.Node) { list = append(list, value.Value()) })
	}
	return list
}

// AddGlobs returns a manifest's text with globs added at the end of modules, as the list is written, every other byte
// staying. The first takes the place of unused, the one glob of the list that matches nothing, or "". A list that is written
// otherwise is refused by name.
func AddGlobs(file string, data []byte, globs []string, unused string) ([]byte, []reading.Finding) {
	r := newReader(file)
	root := r.Load(data)
	if !root.IsGiven() {
		return nil, r.Sorted()
	}
	list := root.Get("modules")
	items := list.Content()
	if !list.IsList() || len(items) == 0 {
		r.Find(1, "MANIFEST.GLOB", `write modules: ["standards/**/*.md"]`, "modules lists no glob")
		return nil, r.Findings
	}
	body := bytes.TrimPrefix(data, []byte("\ufeff"))
	text, offset := yamltext.NewSource(body), len(data)-len(body)
	last := items[len(items)-1]
	start, end, ok := text.Span(last)
	old, _ := ParseManifest(file, data)
	want := slices.Concat(old.Modules, globs)
	var edits []edit
	if unused != "" && slices.Equal(old.Modules, []string{unused}) {
		edits, want = append(edits, edit{offset + start, offset + end, yamltext.Scalar(globs[0])}), globs
		globs = globs[1:]
	}
	var added strings.Builder
	if ok && list.IsFlow() {
		for _, glob := range globs {
			added.WriteString(", " + yamltext.Scalar(glob))
		}
	} else if ok {
		prefix := string(body[text.LineStart(last):start])
		ok = strings.Trim(prefix, " -") == "" && strings.Count(prefix, "-") == 1
		// What stands behind the last item, such as a comment, stays behind it.
		lineEnd := bytes.IndexByte(body[end:], '\n')
		ending := front.LineEnding(body)
		if lineEnd < 0 {
			end = len(body)
			prefix = ending + prefix
			ending = ""
		} else {
			end += lineEnd + 1
		}
		for _, glob := range globs {
			added.WriteString(prefix + yamltext.Scalar(glob) + ending)
		}
	}
	if ok {
		if added.Len() > 0 {
			edits = append(edits, edit{offset + end, offset + end, added.String()})
		}
		out := apply(data, edits)
		m, findings := ParseManifest(file, out)
		if m != nil && len(findings) == 0 && slices.Equal(m.Modules, want) {
			return out, nil
		}
	}
	r.Refuse(last, "EDIT.BY_HAND", "write modules: "+yamltext.FlowList(want), "the list of modules is written in a form that is not edited")
	return nil, r.Findings
}

// edit replaces the bytes from start to end.
type edit struct {
	start, end int
	text       string
}

// apply carries out edits that are in order and do not overlap.
func apply(data []byte, edits []edit) []byte {
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, data[at:e.start]...), e.text...)
		at = e.end
	}
	return append(out, data[at:]...)
}

// lineOffset is the offset of a line, counted from 1 by line feeds as front.Find counts.
func lineOffset(data []byte, line int) int {
	at := len(data) - len(bytes.TrimPrefix(data, []byte("\ufeff")))
	for ; line > 1; line-- {
		at += bytes.IndexByte(data[at:], '\n') + 1
	}
	return at
}

// ConsumerRow writes a row of consumers that names a path, as it may stand below `consumers:`, with when and on where they are
// not the default.
func ConsumerRow(c Consumer) string {
	w := yamltext.Writer{What: "a consumer", Order: []string{"unit", "path", "relation", "when", "fact"}}
	row := identity.Record{"unit": c.Unit, "path": c.Path, "relation": c.Relation}
	if operator := c.When["operator"]; operator != nil && operator != facts.Always {
		row["when"] = written(c.When)
	}
	w.Raw("- ")
	w.Flow(row)
	if slices.Contains(c.On, "consumer") { // the key would get quotes, as old readers take it for true
		return strings.TrimSuffix(w.String(), "}") + ", on: [policy, consumer]}"
	}
	return w.String()
}
