package authored

import (
	"bytes"
	"slices"
	"strings"
)

// body finds the sections of the units of m in what stands below the front matter, and what is left outside them.
func (r *reader) body(m *Module, data []byte, offset int) {
	body := data[offset:]
	lines := 1 + bytes.Count(data[:offset], []byte("\n")) // of the first line of the body
	if !r.bounded(body, lines) {
		return
	}
	outline := findHeadings(body)
	lineOf := lineCounter(body, lines)
	owner := map[int]int{} // heading → unit
	missing := 0
	for i := range m.Units {
		u := &m.Units[i]
		if len(u.Heading) == 0 {
			continue
		}
		switch found := outline.find(u.Heading); len(found) {
		case 0:
			missing++
			r.headingMissing(u, outline, missing <= maxSuggestions)
		case 1:
			if first, taken := owner[found[0]]; taken {
				if m.Units[first].ID == u.ID {
					continue // a finding already
				}
				r.report(u.Line, "MODULE.HEADING_SHARED", "give each unit a heading of its own",
					"units %q and %q name the same heading %s", m.Units[first].ID, u.ID, joinHeading(u.Heading))
				continue
			}
			owner[found[0]] = i
			u.TextLine = lineOf(outline.list[found[0]].start)
		default:
			r.report(u.Line, "MODULE.HEADING_AMBIGUOUS", "rename one of the headings",
				"heading %s of unit %q stands on line %d and again on line %d", joinHeading(u.Heading), u.ID,
				lineOf(outline.list[found[0]].start), lineOf(outline.list[found[1]].start))
		}
	}
	m.cut(body, outline.list, owner)
}

// maxSuggestions bounds how often the nearest heading is searched, which takes time for each heading there is.
const maxSuggestions = 10

func (r *reader) headingMissing(u *Unit, outline headings, suggest bool) {
	if suggest {
		if near := outline.nearest(u.Heading); near != "" {
			r.report(u.Line, "MODULE.HEADING_MISSING", "write heading: "+near,
				"no heading %s for unit %q; did you mean %s?", joinHeading(u.Heading), u.ID, near)
			return
		}
	}
	next := "add the heading below the H1"
	if exist := outline.paths(10); len(exist) > 0 {
		next = "use one of " + strings.Join(exist, " ")
	}
	r.report(u.Line, "MODULE.HEADING_MISSING", next, "no heading %s for unit %q", joinHeading(u.Heading), u.ID)
}

// lineCounter returns the line numbers of offsets into body, whose first line is first.
func lineCounter(body []byte, first int) func(int) int {
	var ends []int
	for i, c := range body {
		if c == '\n' {
			ends = append(ends, i)
		}
	}
	return func(offset int) int {
		n, _ := slices.BinarySearch(ends, offset)
		return first + n
	}
}

// cut gives each unit its section without the sections of units nested in it, and Outside the rest. Sections of
// headings nest or follow one another, so one walk over the headings in order finds every piece.
func (m *Module) cut(body []byte, list []heading, owner map[int]int) {
	outside := &pieces{body: body}
	collected := map[int]*pieces{}
	type level struct {
		pieces *pieces
		end    int
	}
	open := []level{{outside, len(body)}}
	at := 0
	take := func(to int) {
		open[len(open)-1].pieces.add(at, to)
		at = to
	}
	for i, h := range list {
		for len(open) > 1 && open[len(open)-1].end <= h.start {
			take(open[len(open)-1].end)
			open = open[:len(open)-1]
		}
		if unit, ok := owner[i]; ok {
			take(h.start)
			collected[unit] = &pieces{body: body}
			open = append(open, level{collected[unit], h.end})
		}
	}
	for ; len(open) > 0; open = open[:len(open)-1] {
		take(open[len(open)-1].end)
	}
	for unit, p := range collected {
		m.Units[unit].Text = p.section()
	}
	m.Outside = outside.section()
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
