package markdown

import (
	"bytes"
	"strings"
)

// Section is a piece of Markdown: its exact bytes, and their conservative normalization (RULES A8; doc/normalization.md).
type Section struct {
	Raw    []byte
	Normal string
}

// Cut returns the sections of the chosen headings, given by their places in order: each without the sections of chosen
// headings nested in it; and outside, what is left of the text. Sections of headings nest or follow one another, so one
// walk over the headings in order finds every piece.
func (o *Outline) Cut(chosen []int) (sections []Section, outside Section) {
	rest := &pieces{body: o.body}
	collected := make([]*pieces, 0, len(chosen))
	type level struct {
		pieces *pieces
		end    int
	}
	open := []level{{rest, len(o.body)}}
	at := 0
	take := func(to int) {
		open[len(open)-1].pieces.add(at, to)
		at = to
	}
	for i, h := range o.Headings {
		for len(open) > 1 && open[len(open)-1].end <= h.start {
			take(open[len(open)-1].end)
			open = open[:len(open)-1]
		}
		if next := len(collected); next < len(chosen) && chosen[next] == i {
			take(h.start)
			p := &pieces{body: o.body}
			collected = append(collected, p)
			open = append(open, level{p, h.end})
		}
	}
	for ; len(open) > 0; open = open[:len(open)-1] {
		take(open[len(open)-1].end)
	}
	for _, p := range collected {
		sections = append(sections, p.section())
	}
	return sections, rest.section()
}

// pieces gathers the parts of a section that others are cut out of.
type pieces struct {
	body   []byte
	raw    []byte
	normal []string
}

func (p *pieces) add(from, to int) {
	piece := p.body[from:to]
	p.raw = append(p.raw, piece...)
	if to < len(p.body) {
		// What comes next is a top-level heading, so no block is open and blank lines at the end are nothing. For
		// the last piece only Normalize can tell.
		piece = trimBlankLines(piece)
	}
	// State never crosses a seam: each piece begins at a heading or at the start of the body.
	if normal := Normalize(piece); normal != "" {
		p.normal = append(p.normal, normal)
	}
}

func (p *pieces) section() Section {
	return Section{Raw: p.raw, Normal: strings.Join(p.normal, "\n")}
}

// trimBlankLines cuts the blank lines at the end of text, and the end of the line before them.
func trimBlankLines(text []byte) []byte {
	for len(text) > 0 {
		start := 1 + bytes.LastIndexAny(text[:len(text)-1], "\r\n")
		if line := string(bytes.TrimRight(text[start:], "\r\n")); !isBlank(line) {
			return text[:start+len(line)]
		}
		text = text[:start]
	}
	return text
}
