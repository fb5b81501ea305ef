package authored

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/front"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
)

// RaiseRevision returns a module's text with the revision of a unit one higher, every other byte staying. What is written so that it
// cannot be edited alone is refused by name.
func RaiseRevision(file string, data []byte, unit string) ([]byte, []reading.Finding) {
	r := newReader(file)
	f, ok := front.Find(data)
	if !ok || f.Body < 0 {
		r.Find(1, "EDIT.NOT_A_MODULE", "git standards lint", "the file has no front matter with the key standard and a closing line ---")
		return nil, r.Findings
	}
	r.Offset = f.Line - 1
	root := r.Load(f.Standard)
	if !root.IsGiven() {
		return nil, r.Sorted()
	}
	for _, row := range root.Get("standard").Get("units").Content() {
		if row.Get("id").Value() != unit {
			continue
		}
		value := row.Get("revision")
		if out := raised(data, f, value); out != nil {
			return out, nil
		}
		r.Refuse(row, "EDIT.BY_HAND", "raise the revision of "+unit, "the revision of unit %q is written in a form that is not edited", unit)
		return nil, r.Findings
	}
	r.Find(f.Line, "EDIT.BY_HAND", "git standards lint", "the module has no unit %q", unit)
	return nil, r.Findings
}

// raised is the text with an integer of its front matter one higher, nil where it does not stand there as such.
func raised(data []byte, f front.Matter, value yamltext.Node) []byte {
	if !value.IsGiven() || value.Kind() != yamltext.KindInt {
		return nil
	}
	n, err := strconv.ParseInt(value.Value(), 10, 64)
	start, end, ok := yamltext.NewSource(f.Standard).Span(value)
	if err != nil || !ok || strconv.FormatInt(n, 10) != value.Value() || n >= reading.MaxRevision {
		return nil
	}
	offset := lineOffset(data, f.Line)
	return apply(data, []edit{{offset + start, offset + end, strconv.FormatInt(n+1, 10)}})
}

// reworded is what Reword adds to a unit.
const reworded = "These words were added."

// Reword returns a module's text with a paragraph more in the section of a unit, behind its heading, every other byte staying.
func Reword(file string, data []byte, unit string) ([]byte, []reading.Finding) {
	r := newReader(file)
	m, _ := ParseModule(file, data)
	at := 0
	if m != nil {
		for i := range m.Units {
			if m.Units[i].ID == unit {
				at = m.Units[i].TextLine
			}
		}
	}
	if at == 0 {
		r.Find(1, "EDIT.BY_HAND", "git standards lint", "the text of unit %q is not found", unit)
		return nil, r.Findings
	}
	start := lineOffset(data, at)
	end := start + lineLength(data[start:])
	if text := strings.TrimLeft(string(data[start:end]), " "); !strings.HasPrefix(text, "#") {
		for !isUnderline(data[start:end]) && end < len(data) { // a heading that is underlined
			start, end = end, end+lineLength(data[end:])
		}
	}
	ending := front.LineEnding(data)
	text := ending + reworded + ending + ending
	if end > 0 && data[end-1] != '\n' {
		text = ending + text
	}
	return apply(data, []edit{{end, end, text}}), nil
}

// lineLength is how long the first line of a text is, its end included.
func lineLength(text []byte) int {
	if n := bytes.IndexByte(text, '\n'); n >= 0 {
		return n + 1
	}
	return len(text)
}

func isUnderline(line []byte) bool {
	text := strings.TrimSpace(string(line))
	return text != "" && (strings.Trim(text, "=") == "" || strings.Trim(text, "-") == "")
}
