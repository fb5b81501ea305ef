package authored

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/git-standards/git-standards/engine/authored/markdown"
	"go.yaml.in/yaml/v3"
)

// Document is a Markdown document that is no module yet, and the outline of its body.
type Document struct {
	Outline *markdown.Outline

	file          string
	data          []byte
	front         front
	at            int // where the key `standard` goes
	before, after string
	first         int // the line of the body's first line
}

// ReadDocument reads a document to which the key `standard` can be added. Another one is refused by findings.
func ReadDocument(file string, data []byte) (*Document, []Finding) {
	r := &reader{file: file}
	if line := invalidLine(data); line > 0 {
		r.report(line, "MODULE.ENCODING", "save the file as UTF-8", "the line is not UTF-8")
		return nil, r.findings
	}
	f, isModule := findFront(data)
	if isModule {
		r.report(f.line, "ADOPT.MODULE", "git standards lint", "the file is a module already")
		return nil, r.findings
	}
	at, before, after := r.place(data, f)
	if len(r.findings) > 0 {
		return nil, r.sorted()
	}
	body := data[max(at, f.body):]
	first := 1 + bytes.Count(data[:len(data)-len(body)], []byte("\n"))
	if !r.bounded(body, first) {
		return nil, r.sorted()
	}
	return &Document{Outline: markdown.Parse(body), file: file, data: data, front: f, at: at, before: before, after: after, first: first}, nil
}

// Line returns the line of a heading in the file, given by its place in the outline.
func (d *Document) Line(heading int) int { return d.first + d.Outline.Headings[heading].Line - 1 }

// AddStandard returns the document as a module with the id, the role, the level and the units of m, of these the id, the
// heading and the revision (RULES A1, A2, A6). Every byte of the document stays, and what is added is whole lines in one
// place: what ParseModule reads without a finding. Where that cannot be done there is no text but findings.
func (d *Document) AddStandard(m *Module) ([]byte, []Finding) {
	ending := lineEnding(d.data)
	var w writer
	w.text(d.before + "standard:")
	for _, field := range [][2]string{{"id", m.ID}, {"role", m.Role}, {"level", m.Level}} {
		w.text(ending + "  " + field[0] + ": ")
		w.scalar(field[1])
	}
	if len(m.Units) > 0 {
		w.text(ending + "  units:")
	}
	for _, u := range m.Units {
		w.text(ending + "    - {id: ")
		w.scalar(u.ID)
		w.text(fmt.Sprintf(", heading: %s, revision: %d}", FlowList(u.Heading), u.Revision))
	}
	w.text(ending + d.after)
	return d.proven(m, apply(d.data, []edit{{d.at, d.at, w.out.String()}}))
}

// proven checks that the text reads as what it was made to say.
func (d *Document) proven(m *Module, text []byte) ([]byte, []Finding) {
	read, findings := ParseModule(d.file, text)
	if len(findings) > 0 {
		return nil, findings
	}
	isWhole := d.front.body < 0
	if !isWhole {
		// Other tools read the whole front matter: to them it must be what it was, and one key more.
		now, _ := findFront(text)
		isWhole = slices.Equal(keysOf(text[:now.body]), append(keysOf(d.data[:d.front.body]), "standard"))
	}
	sameID := func(x, y Unit) bool { return x.ID == y.ID }
	if read.ID != m.ID || !slices.EqualFunc(read.Units, m.Units, sameID) || !isWhole {
		r := &reader{file: d.file}
		r.report(1+bytes.Count(d.data[:d.at], []byte("\n")), "ADOPT.FRONT_MATTER", "add the key standard: by hand",
			"the front matter is written in a form to which no key can be added")
		return nil, r.findings
	}
	return text, nil
}

// place finds where the key goes, and the lines that must stand around it.
func (r *reader) place(data []byte, f front) (at int, before, after string) {
	text := bytes.TrimPrefix(data, []byte("\ufeff"))
	at = len(data) - len(text)
	first, _, _ := bytes.Cut(text, []byte("\n"))
	ending := lineEnding(data)
	switch string(bytes.TrimRight(first, " \t\r")) {
	case "+++":
		r.report(1, "ADOPT.TOML", "turn it into YAML between lines ---", "the front matter is TOML; the key standard needs YAML")
	case "---":
		if f.body < 0 {
			r.report(1, "ADOPT.FRONT_MATTER", "close the front matter with a line ---, or put a blank line before a thematic break",
				"the file begins with --- and has no closing line ---")
			return at, "", ""
		}
		// The closing line is the last one before the body.
		head := bytes.TrimSuffix(data[:f.body], []byte("\n"))
		at = max(at, bytes.LastIndexByte(head, '\n')+1)
		r.checkFront(data[:at])
		return at, "", ""
	}
	return at, "---" + ending, "---" + ending
}

// checkFront refuses front matter that is no mapping: it may not be front matter at all.
func (r *reader) checkFront(head []byte) {
	_, text, _ := bytes.Cut(head, []byte("\n"))
	var document yaml.Node
	err := decodeInto(text, &document)
	switch {
	case errors.Is(err, io.EOF):
	case err != nil:
		line, err := libraryError(err)
		r.report(1+line, "ADOPT.FRONT_MATTER", "mend it, or add the key standard: by hand", "the front matter is not YAML: %s", err)
	case document.Content[0].Kind != yaml.MappingNode && document.Content[0].Tag != "!!null":
		r.report(1+max(document.Content[0].Line, 1), "ADOPT.FRONT_MATTER", "put a blank line before the first --- if it is a thematic break",
			"what stands between the lines --- is no mapping of keys")
	}
}

// decodeInto is the library, whose panics over hostile text are errors.
func decodeInto(text []byte, document *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: it cannot be read: %v", p)
		}
	}()
	if len(text) > maxYAML {
		return fmt.Errorf("yaml: %d bytes; at most %d are read", len(text), maxYAML)
	}
	return yaml.NewDecoder(bytes.NewReader(text)).Decode(document)
}

// keysOf is the keys of front matter, given from the first line to the closing one.
func keysOf(head []byte) (keys []string) {
	_, text, _ := bytes.Cut(head, []byte("\n"))
	text = bytes.TrimRight(text, "\r\n\t ")
	var document yaml.Node
	if decodeInto(bytes.TrimSuffix(text, []byte("---")), &document) != nil || document.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(document.Content[0].Content); i += 2 {
		keys = append(keys, document.Content[0].Content[i].Value)
	}
	return keys
}
