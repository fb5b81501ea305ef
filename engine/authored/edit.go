package authored

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// RewriteTargets returns a module's text with the path or glob of each consumer (RULES A3) that rename gives a new name
// replaced where it stands, in the quotes it has or with those that YAML needs; every other byte stays. kind is "path" or
// "glob". It returns data itself where nothing is renamed, and no text beside findings: a row whose target is written so
// that it cannot be replaced alone (a block scalar, several lines, a tag) is refused by name.
func RewriteTargets(file string, data []byte, rename func(kind, target string) (string, bool)) ([]byte, []Finding) {
	text, r := &source{}, &reader{file: file}
	f, ok := findFront(data)
	if ok {
		text.offset = lineOffset(data, f.line)
		text.yaml = f.standard
		r.offset = f.line - 1
	}
	if !ok || f.body < 0 {
		r.report(max(f.line, 1), "EDIT.NOT_A_MODULE", "git standards lint", "the file has no front matter with the key standard and a closing line ---")
		return nil, r.findings
	}
	root := r.load(f.standard)
	if root == nil {
		return nil, r.sorted()
	}
	var edits []edit
	var want []string
	targets(root, func(kind string, value *yaml.Node) {
		now, renamed := rename(kind, value.Value)
		if !renamed || now == value.Value {
			want = append(want, value.Value)
			return
		}
		want = append(want, now)
		start, end, ok := text.span(value)
		if !ok {
			r.refuse(value, "EDIT.BY_HAND", "write "+kind+": "+Scalar(now),
				"the %s %q is written in a form that is not edited: over several lines, as a block or with a tag", kind, value.Value)
			return
		}
		edits = append(edits, edit{text.offset + start, text.offset + end, requote(value, now)})
	})
	if len(r.findings) > 0 {
		return nil, r.sorted()
	}
	if len(edits) == 0 {
		return data, nil
	}
	out := apply(data, edits)
	if !slices.Equal(targetsOf(out), want) {
		r.report(f.line, "EDIT.BY_HAND", "edit the paths and globs of its consumers", "the consumers of this module are written in a form that is not edited")
		return nil, r.findings
	}
	return out, nil
}

// targets calls visit with the path or glob of each consumer, in order.
func targets(root *yaml.Node, visit func(kind string, value *yaml.Node)) {
	rows := valueOf(valueOf(root, "standard"), "consumers")
	if rows == nil {
		return
	}
	for _, row := range rows.Content {
		for _, kind := range []string{"path", "glob"} {
			if value := valueOf(row, kind); value != nil && kindOf(value) == kindString {
				visit(kind, value)
			}
		}
	}
}

func targetsOf(data []byte) (list []string) {
	f, _ := findFront(data)
	if root, _, err := decode(f.standard); err == nil {
		targets(root, func(_ string, value *yaml.Node) { list = append(list, value.Value) })
	}
	return list
}

// AddGlobs returns a manifest's text with globs added at the end of modules, as the list is written, every other byte
// staying. The first takes the place of unused, the one glob of the list that matches nothing, or "". A list that is written
// otherwise is refused by name.
func AddGlobs(file string, data []byte, globs []string, unused string) ([]byte, []Finding) {
	r := &reader{file: file}
	body := bytes.TrimPrefix(data, []byte("\ufeff"))
	text := &source{yaml: body, offset: len(data) - len(body)}
	root := r.load(data)
	if root == nil {
		return nil, r.sorted()
	}
	list := valueOf(root, "modules")
	if list == nil || list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		r.report(1, "MANIFEST.GLOB", `write modules: ["standards/**/*.md"]`, "modules lists no glob")
		return nil, r.findings
	}
	last := list.Content[len(list.Content)-1]
	start, end, ok := text.span(last)
	old, _ := ParseManifest(file, data)
	want := slices.Concat(old.Modules, globs)
	var edits []edit
	if unused != "" && slices.Equal(old.Modules, []string{unused}) {
		edits, want = append(edits, edit{text.offset + start, text.offset + end, Scalar(globs[0])}), globs
		globs = globs[1:]
	}
	var added strings.Builder
	if ok && list.Style&yaml.FlowStyle != 0 {
		for _, glob := range globs {
			added.WriteString(", " + Scalar(glob))
		}
	} else if ok {
		first := text.starts[last.Line-1]
		prefix := string(body[first:start])
		ok = strings.Trim(prefix, " -") == "" && strings.Count(prefix, "-") == 1
		// What stands behind the last item, such as a comment, stays behind it.
		lineEnd := bytes.IndexByte(body[end:], '\n')
		ending := lineEnding(body)
		if lineEnd < 0 {
			end = len(body)
			prefix = ending + prefix
			ending = ""
		} else {
			end += lineEnd + 1
		}
		for _, glob := range globs {
			added.WriteString(prefix + Scalar(glob) + ending)
		}
	}
	if ok {
		if added.Len() > 0 {
			edits = append(edits, edit{text.offset + end, text.offset + end, added.String()})
		}
		out := apply(data, edits)
		m, findings := ParseManifest(file, out)
		if m != nil && len(findings) == 0 && slices.Equal(m.Modules, want) {
			return out, nil
		}
	}
	r.refuse(last, "EDIT.BY_HAND", "write modules: "+FlowList(want), "the list of modules is written in a form that is not edited")
	return nil, r.findings
}

// valueOf returns the value of a key of a mapping, or nil.
func valueOf(node *yaml.Node, key string) *yaml.Node {
	if node == nil || node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Kind == yaml.ScalarNode && node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	return nil
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

// source finds the bytes of values by the lines and columns of the YAML library, which count characters.
type source struct {
	yaml   []byte
	offset int   // of yaml in the file
	starts []int // of the lines of yaml, once asked for
}

// breaks are the line ends of YAML 1.1, by which the library counts, CRLF aside.
var breaks = []string{"\r\n", "\n", "\r", "\u0085", "\u2028", "\u2029"}

func breakLength(text []byte) int {
	for _, b := range breaks {
		if bytes.HasPrefix(text, []byte(b)) {
			return len(b)
		}
	}
	return 0
}

// span returns where a scalar of one line begins and ends, quotes included. It is not ok for another form of value, and
// wherever what stands there does not read as the value.
func (s *source) span(node *yaml.Node) (start, end int, ok bool) {
	if s.starts == nil {
		s.starts = []int{0}
		for at := 0; at < len(s.yaml); {
			n := breakLength(s.yaml[at:])
			if at += max(n, 1); n > 0 {
				s.starts = append(s.starts, at)
			}
		}
	}
	if node.Kind != yaml.ScalarNode || node.Line < 1 || node.Line > len(s.starts) || node.Style&yaml.TaggedStyle != 0 {
		return 0, 0, false
	}
	start = s.starts[node.Line-1]
	for column := 1; column < node.Column && start < len(s.yaml); column++ {
		_, size := utf8.DecodeRune(s.yaml[start:])
		start += size
	}
	rest := s.yaml[start:]
	switch {
	case node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return 0, 0, false
	case node.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0:
		return start, start + len(node.Value), node.Value != "" && bytes.HasPrefix(rest, []byte(node.Value))
	}
	n := quotedLength(rest)
	if n == 0 {
		return 0, 0, false
	}
	read, _, err := decode(rest[:n])
	return start, start + n, err == nil && read.Kind == yaml.ScalarNode && read.Value == node.Value
}

// quotedLength is the length of the quoted scalar that text begins with, 0 where none ends on the same line.
func quotedLength(text []byte) int {
	if len(text) == 0 || text[0] != '"' && text[0] != '\'' {
		return 0
	}
	quote := text[0]
	for i := 1; i < len(text) && breakLength(text[i:]) == 0; i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			if i++; breakLength(text[i:]) > 0 {
				return 0
			}
		case text[i] != quote:
		case quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return 0
}

// requote writes a value in the style of the one it replaces, as far as that can hold it.
func requote(old *yaml.Node, now string) string {
	plain := strings.IndexFunc(now, func(c rune) bool { return !isPrintable(c) }) < 0
	switch {
	case old.Style&yaml.SingleQuotedStyle != 0 && plain:
		return "'" + strings.ReplaceAll(now, "'", "''") + "'"
	case old.Style&yaml.DoubleQuotedStyle != 0 && isPlain(now):
		return `"` + now + `"`
	// With a slash inside, no reader takes a name that begins with a digit or a dot for a number, a date or a time.
	case old.Style&yaml.DoubleQuotedStyle == 0 && strings.Contains(now, "/") && strings.IndexByte(".0123456789", now[0]) >= 0 && isPlain("a"+now):
		return now
	}
	return Scalar(now)
}

// lineOffset is the offset of a line, counted from 1 by line feeds as findFront counts.
func lineOffset(data []byte, line int) int {
	at := len(data) - len(bytes.TrimPrefix(data, []byte("\ufeff")))
	for ; line > 1; line-- {
		at += bytes.IndexByte(data[at:], '\n') + 1
	}
	return at
}

// lineEnding is the line end of the first line, "\n" where there is none.
func lineEnding(text []byte) string {
	if first, _, ok := bytes.Cut(text, []byte("\n")); ok && bytes.HasSuffix(first, []byte("\r")) {
		return "\r\n"
	}
	return "\n"
}

// ConsumerRow writes a row of consumers that names a path, as it may stand below `consumers:`.
func ConsumerRow(unit, path, relation string) string {
	return fmt.Sprintf("- {unit: %s, path: %s, relation: %s}", Scalar(unit), Scalar(path), Scalar(relation))
}
