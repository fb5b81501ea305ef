package drawing

import (
	"encoding/xml"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/git-standards/git-standards/engine/graph"
)

// strokes are how relations are drawn, by the first of their groups.
var strokes = map[string]string{
	graph.Requires: `stroke="#1f3a5f" stroke-width="1.6"`, graph.Specializes: `stroke="#1f3a5f" stroke-width="1.4" stroke-dasharray="7 4"`,
	graph.PolicyImpact: `stroke="#7a7a7a" stroke-width="1"`,
}

// SVG is a network as a drawing that stands alone: no script, no font and no picture from elsewhere. What is cut stands whole in the
// title that a viewer shows.
func (n *Network) SVG(p Printed) string {
	boxes, width, height := n.layout(p.Clean)
	legend := height
	height += row*3 + margin
	var b strings.Builder
	fmt.Fprintf(&b, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+
		`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="ui-monospace, monospace" font-size="12">`+"\n"+
		`<title>standards</title>`+"\n"+
		`<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#555"/></marker></defs>`+"\n"+
		`<rect width="100%%" height="100%%" fill="#fff"/>`+"\n", max(width, legendWidth), height, max(width, legendWidth), height)
	for _, a := range n.Arcs {
		said := n.Nodes[a.From].Name + " → " + n.Nodes[a.To].Name + "  " + a.Kind
		if when := p.When(a.Relation); when != "" {
			said += "  when " + when
		}
		fmt.Fprintf(&b, `<path d="%s" fill="none" %s%s marker-end="url(#end)"><title>%s</title></path>`+"\n",
			curve(boxes[a.From], boxes[a.To]), strokes[group(a.Relation)], map[bool]string{true: ` opacity="0.55"`}[p.When(a.Relation) != ""], escape(p.Clean(said)))
	}
	for i, node := range n.Nodes {
		n.draw(&b, node, boxes[i], p)
	}
	for i, group := range []string{graph.Requires, graph.Specializes, graph.PolicyImpact} {
		y := legend + row*float64(i)
		fmt.Fprintf(&b, `<path d="M%d %.1fh40" fill="none" %s marker-end="url(#end)"/><text x="%d" y="%.1f">%s</text>`+"\n",
			margin, y, strokes[group], margin+52, y+4, group)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

const legendWidth = 280

func (n *Network) draw(b *strings.Builder, node Node, at box, p Printed) {
	whole := node.Described()
	switch node.Kind {
	case ModuleNode:
		whole += "  " + node.Module.Level + " " + node.Module.Role + "  " + node.Module.File
	case UnitNode:
		whole += "  " + strings.Join(node.Unit.Heading, " > ")
	}
	style, weight := `fill="#f6f6f2" stroke="#999"`, ""
	switch {
	case node.Kind == ModuleNode:
		style, weight = `fill="#e8eef6" stroke="#1f3a5f"`, ` font-weight="bold"`
	case node.Kind == UnitNode:
		style = `fill="#fff" stroke="#b9c6d8"`
	case node.isAbsent():
		style += ` stroke-dasharray="3 3"`
	}
	fmt.Fprintf(b, `<g><title>%s</title><rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="3" %s/><text x="%.1f" y="%.1f"%s>%s</text>`,
		escape(p.Clean(whole)), at.x, at.y, at.w, at.h, style, at.x+8, at.y+15, weight, escape(shortened(at.label)))
	if node.Kind == ModuleNode {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="#555">%s</text>`, at.x+8, at.y+row+13, escape(shortened(at.detail)))
	}
	b.WriteString("</g>\n")
}

// curve leads from the side of one row to the side of another: straight on, back, or around within a column.
func curve(from, to box) string {
	x1, x2, bend1, bend2 := from.x+from.w, to.x, between/2.0, -between/2.0
	switch {
	case to.column < from.column:
		x1, x2, bend1, bend2 = from.x, to.x+to.w, -between/2.0, between/2.0
	case to.column == from.column:
		x2, bend2 = to.x+to.w, between/2.0
	}
	return fmt.Sprintf("M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", x1, from.middle(), x1+bend1, from.middle(), x2+bend2, to.middle(), x2, to.middle())
}

// shortened is a text of at most as many letters as are shown.
func shortened(text string) string {
	if utf8.RuneCountInString(text) <= maxShown {
		return text
	}
	return string([]rune(text)[:maxShown-1]) + "…"
}

// escape is a text as the text of an element.
func escape(text string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		panic("internal error: " + err.Error())
	}
	return b.String()
}
