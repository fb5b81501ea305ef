package adopt

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/front"
	"github.com/git-standards/git-standards/engine/authored/markdown"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
)

// document is a Markdown document that is no module yet, and the outline of its body.
type document struct {
	outline *markdown.Outline

	file          string
	data          []byte
	matter        front.Matter
	at            int // where the key `standard` goes
	before, after string
	first         int // the line of the body's first line
}

// readDocument reads a document to which the key `standard` can be added. Another one is refused by findings.
func readDocument(file string, data []byte) (*document, []reading.Finding) {
	r := reading.New(file, nil)
	if line := yamltext.InvalidLine(data); line > 0 {
		r.Find(line, "MODULE.ENCODING", "save the file as UTF-8", "the line is not UTF-8")
		return nil, r.Findings
	}
	f, isModule := front.Find(data)
	if isModule {
		r.Find(f.Line, "ADOPT.MODULE", "git standards lint", "the file is a module already")
		return nil, r.Findings
	}
	at, before, after := place(r, data, f)
	if len(r.Findings) > 0 {
		return nil, r.Sorted()
	}
	body := data[max(at, f.Body):]
	first := 1 + bytes.Count(data[:len(data)-len(body)], []byte("\n"))
	if !authored.CheckBody(r, body, first) {
		return nil, r.Sorted()
	}
	return &document{outline: markdown.Parse(body), file: file, data: data, matter: f, at: at, before: before, after: after, first: first}, nil
}

// line returns the line of a heading in the file, given by its place in the outline.
func (d *document) line(heading int) int { return d.first + d.outline.Headings[heading].Line - 1 }

// addStandard returns the document as a module with the id, the role, the level and the units of m, of these the id, the
// heading and the revision (RULES A1, A2, A6). Every byte of the document stays, and what is added is whole lines in one
// place: what authored.ParseModule reads without a finding. Where that cannot be done there is no text but findings.
func (d *document) addStandard(m *authored.Module) ([]byte, []reading.Finding) {
	ending := front.LineEnding(d.data)
	var b strings.Builder
	b.WriteString(d.before + "standard:")
	for _, field := range [][2]string{{"id", m.ID}, {"role", m.Role}, {"level", m.Level}} {
		b.WriteString(ending + "  " + field[0] + ": " + yamltext.Scalar(field[1]))
	}
	if len(m.Units) > 0 {
		b.WriteString(ending + "  units:")
	}
	for _, u := range m.Units {
		fmt.Fprintf(&b, "%s    - {id: %s, heading: %s, revision: %d}", ending, yamltext.Scalar(u.ID), yamltext.FlowList(u.Heading), u.Revision)
	}
	b.WriteString(ending + d.after)
	return d.proven(m, slices.Concat(d.data[:d.at], []byte(b.String()), d.data[d.at:]))
}

// proven checks that the text reads as what it was made to say.
func (d *document) proven(m *authored.Module, text []byte) ([]byte, []reading.Finding) {
	read, findings := authored.ParseModule(d.file, text)
	if len(findings) > 0 {
		return nil, findings
	}
	isWhole := d.matter.Body < 0
	if !isWhole {
		// Other tools read the whole front matter: to them it must be what it was, and one key more.
		now, _ := front.Find(text)
		isWhole = slices.Equal(keysOf(text[:now.Body]), append(keysOf(d.data[:d.matter.Body]), "standard"))
	}
	sameID := func(x, y authored.Unit) bool { return x.ID == y.ID }
	if read.ID != m.ID || !slices.EqualFunc(read.Units, m.Units, sameID) || !isWhole {
		r := reading.New(d.file, nil)
		r.Find(1+bytes.Count(d.data[:d.at], []byte("\n")), "ADOPT.FRONT_MATTER", "add the key standard: by hand",
			"the front matter is written in a form to which no key can be added")
		return nil, r.Findings
	}
	return text, nil
}

// place finds where the key goes, and the lines that must stand around it.
func place(r *reading.Reader, data []byte, f front.Matter) (at int, before, after string) {
	text := bytes.TrimPrefix(data, []byte("\ufeff"))
	at = len(data) - len(text)
	first, _, _ := bytes.Cut(text, []byte("\n"))
	ending := front.LineEnding(data)
	switch string(bytes.TrimRight(first, " \t\r")) {
	case "+++":
		r.Find(1, "ADOPT.TOML", "turn it into YAML between lines ---", "the front matter is TOML; the key standard needs YAML")
	case "---":
		if f.Body < 0 {
			r.Find(1, "ADOPT.FRONT_MATTER", "close the front matter with a line ---, or put a blank line before a thematic break",
				"the file begins with --- and has no closing line ---")
			return at, "", ""
		}
		// The closing line is the last one before the body.
		head := bytes.TrimSuffix(data[:f.Body], []byte("\n"))
		at = max(at, bytes.LastIndexByte(head, '\n')+1)
		checkFront(r, data[:at])
		return at, "", ""
	}
	return at, "---" + ending, "---" + ending
}

// checkFront refuses front matter that is no mapping: it may not be front matter at all.
func checkFront(r *reading.Reader, head []byte) {
	_, text, _ := bytes.Cut(head, []byte("\n"))
	switch _, line, err := yamltext.Keys(text); {
	case errors.Is(err, yamltext.ErrNoMapping):
		r.Find(1+line, "ADOPT.FRONT_MATTER", "put a blank line before the first --- if it is a thematic break",
			"what stands between the lines --- is no mapping of keys")
	case err != nil:
		r.Find(1+line, "ADOPT.FRONT_MATTER", "mend it, or add the key standard: by hand", "the front matter is not YAML: %s", err)
	}
}

// keysOf is the keys of front matter, given from the first line to the closing one.
func keysOf(head []byte) []string {
	_, text, _ := bytes.Cut(head, []byte("\n"))
	text = bytes.TrimRight(text, "\r\n\t ")
	keys, _, _ := yamltext.Keys(bytes.TrimSuffix(text, []byte("---")))
	return keys
}
