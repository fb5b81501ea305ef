package authored

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/markdown"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
)

// body finds the sections of the units of m in what stands below the front matter, and what is left outside them.
func (r *reader) body(m *Module, data []byte, offset int) {
	body := data[offset:]
	lines := 1 + bytes.Count(data[:offset], []byte("\n")) // of the first line of the body
	if !CheckBody(r.Reader, body, lines) {
		return
	}
	if m.Role == "router" {
		r.links(m, body, lines)
	}
	outline := markdown.Parse(body)
	lineOf := func(heading int) int { return lines + outline.Headings[heading].Line - 1 }
	owner := map[int]int{} // heading → unit
	missing := 0
	for i := range m.Units {
		u := &m.Units[i]
		if len(u.Heading) == 0 {
			continue
		}
		switch found := outline.Find(u.Heading); len(found) {
		case 0:
			missing++
			r.headingMissing(m, u, outline, missing <= maxSuggestions)
		case 1:
			if first, taken := owner[found[0]]; taken {
				if m.Units[first].ID == u.ID {
					continue // a finding already
				}
				r.Find(u.Line, "MODULE.HEADING_SHARED", "give each unit a heading of its own",
					"units %q and %q name the same heading %s", m.Units[first].ID, u.ID, yamltext.FlowList(u.Heading))
				continue
			}
			owner[found[0]] = i
			u.TextLine = lineOf(found[0])
		default:
			r.Find(u.Line, "MODULE.HEADING_AMBIGUOUS", "rename one of the headings",
				"heading %s of unit %q stands on line %d and again on line %d", yamltext.FlowList(u.Heading), u.ID,
				lineOf(found[0]), lineOf(found[1]))
		}
	}
	chosen := slices.Sorted(maps.Keys(owner))
	sections, outside := outline.Cut(chosen)
	for i, heading := range chosen {
		m.Units[owner[heading]].Text = sections[i]
	}
	m.Outside = outside
}

// maxSuggestions bounds how often the nearest heading is searched, which takes time for each heading there is.
const maxSuggestions = 10

func (r *reader) headingMissing(m *Module, u *Unit, outline *markdown.Outline, suggest bool) {
	if suggest {
		if near := nearestHeading(outline, u.Heading); near != "" {
			r.Find(u.Line, "MODULE.HEADING_MISSING", "write heading: "+near,
				"no heading %s for unit %q; did you mean %s?", yamltext.FlowList(u.Heading), u.ID, near)
			return
		}
	}
	next := "add the heading below the H1"
	exist := headingPaths(outline, maxListed)
	if suggest {
		exist = freeHeadings(m, outline, u.Heading)
	}
	if len(exist) > 0 {
		next = "use one of " + strings.Join(exist, " ")
	}
	r.Find(u.Line, "MODULE.HEADING_MISSING", next, "no heading %s for unit %q", yamltext.FlowList(u.Heading), u.ID)
}

// maxListed bounds how many headings one finding lists.
const maxListed = 10

// freeHeadings returns the headings that may be meant by a path that fits none: whoever renamed a heading left it without a
// unit, among those that it stood with. The headings of other units come last.
func freeHeadings(m *Module, outline *markdown.Outline, path []string) []string {
	owned := map[string]bool{}
	for _, u := range m.Units {
		owned[yamltext.FlowList(u.Heading)] = true
	}
	var beside, elsewhere, taken []string
	for i := range outline.Headings {
		at := outline.Path(i)
		switch text := yamltext.FlowList(at); {
		case len(at) == 0:
		case owned[text]:
			taken = append(taken, text)
		case len(at) == len(path) && slices.Equal(at[:len(at)-1], path[:len(path)-1]):
			beside = append(beside, text)
		default:
			elsewhere = append(elsewhere, text)
		}
	}
	all := slices.Concat(beside, elsewhere, taken)
	return all[:min(len(all), maxListed)]
}

// headingPaths returns the first paths of an outline, shown as front matter has them.
func headingPaths(outline *markdown.Outline, most int) []string {
	var paths []string
	for i := 0; i < len(outline.Headings) && len(paths) < most; i++ {
		if path := outline.Path(i); len(path) > 0 {
			paths = append(paths, yamltext.FlowList(path))
		}
	}
	return paths
}

// nearestHeading returns the path that a chain left out, or a typing error, is most likely to have meant, or "".
func nearestHeading(outline *markdown.Outline, path []string) string {
	last := strings.TrimSpace(strings.Trim(path[len(path)-1], "#")) // as it stands in the body
	for i, heading := range outline.Headings {
		if heading.Text == last {
			if found := outline.Path(i); len(found) > 0 {
				return yamltext.FlowList(found)
			}
		}
	}
	return yamltext.Nearest(yamltext.FlowList(path), headingPaths(outline, 1000))
}

// CheckBody refuses the body of a module that would take too long to read. first is its first line in the file.
func CheckBody(r *reading.Reader, body []byte, first int) bool {
	line, excess := markdown.Check(body)
	line += first - 1
	switch excess {
	case markdown.TooBig:
		r.Find(line, "MODULE.TOO_BIG", "split the module", "%d bytes below the front matter; at most %d are read", len(body), markdown.MaxBytes)
	case markdown.TooDeep:
		r.Find(line, "MODULE.TOO_DEEP", "nest less", "more than %d quotes and list items begin on one line", markdown.MaxNesting)
	case markdown.TooManyDefinitions:
		r.Find(line, "MODULE.TOO_BIG", "put a blank line between them",
			"more than %d lines begin with [ and no blank line between them", markdown.MaxDefinitions)
	}
	return excess == markdown.Fits
}
