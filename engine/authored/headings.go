package authored

import (
	"bytes"
	stdhtml "html"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// heading is one top-level heading of a body. start and end bound its section in bytes of the body; parent is the
// heading it stands under, -1 directly below an H1 or without one. An H1 has no path.
type heading struct {
	level      int
	text       string
	parent     int
	start, end int
}

// headings is the outline of a body. A path is a chain of steps, so that many long paths cost no more than their
// headings.
type headings struct {
	list  []heading
	steps map[step][]int // the headings that a step from the first heading of the same path leads to
}

type step struct {
	from int // the first heading with the path above, -1 for the top
	text string
}

// findHeadings returns the top-level headings of body in order, with their sections (RULES A2).
func findHeadings(body []byte) headings {
	// Block structure alone says where headings are. Inlines are parsed for headings only: those of hostile
	// paragraphs take the library quadratic time.
	context := parser.NewContext()
	blocks := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
	document := blocks.Parse(text.NewReader(body), parser.WithContext(context))
	var list []heading
	var sources [][]byte
	for node := document.FirstChild(); node != nil; node = node.NextSibling() {
		h, ok := node.(*ast.Heading)
		if !ok {
			continue
		}
		// A pointer into the heading's first line becomes the start of that line.
		start := 1 + bytes.LastIndexByte(body[:min(max(h.Pos(), 0), len(body))], '\n')
		list = append(list, heading{level: h.Level, start: start})
		var source []byte
		for i := range h.Lines().Len() {
			segment := h.Lines().At(i)
			source = append(source, segment.Value(body)...)
		}
		sources = append(sources, source)
	}
	for i, t := range headingTexts(sources, context) {
		list[i].text = t
	}
	return outline(list, len(body))
}

// maxHeading bounds the text of a heading that a unit can name.
const maxHeading = 2000

// headingTexts returns the plain text of each heading. The sources become the paragraphs of one document, read with
// the link definitions of the module.
func headingTexts(sources [][]byte, found parser.Context) []string {
	texts := make([]string, len(sources))
	var document []byte
	var owners []int
	for i, source := range sources {
		if source = bytes.TrimSpace(source); len(source) > 0 && len(source) <= maxHeading {
			document = append(append(document, source...), "\n\n"...)
			owners = append(owners, i)
		}
	}
	context := parser.NewContext()
	for _, reference := range found.References() {
		context.AddReference(reference)
	}
	inlines := parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1)),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
	)
	node := inlines.Parse(text.NewReader(document), parser.WithContext(context)).FirstChild()
	for _, owner := range owners {
		texts[owner] = plainText(node, document)
		node = node.NextSibling()
	}
	return texts
}

// plainText is what a reader sees of inline content: escapes and entities resolved, breaks as one blank.
func plainText(node ast.Node, source []byte) string {
	var out bytes.Buffer
	write := func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.CodeSpan:
			// Nothing is escaped in code, and a line end in it is a blank.
			if entering {
				for child := n.FirstChild(); child != nil; child = child.NextSibling() {
					if t, ok := child.(*ast.Text); ok {
						out.WriteString(stdhtml.EscapeString(strings.ReplaceAll(string(t.Segment.Value(source)), "\n", " ")))
					}
				}
			}
			return ast.WalkSkipChildren, nil
		case *ast.AutoLink:
			if entering {
				out.WriteString(stdhtml.EscapeString(string(n.Label(source))))
			}
		case *ast.Text:
			if entering {
				writer := &bufWriter{Buffer: &out}
				if n.IsRaw() {
					html.DefaultWriter.RawWrite(writer, n.Segment.Value(source))
				} else {
					html.DefaultWriter.Write(writer, n.Segment.Value(source))
				}
				if n.SoftLineBreak() || n.HardLineBreak() {
					out.WriteByte(' ')
				}
			}
		}
		return ast.WalkContinue, nil
	}
	if err := ast.Walk(node, write); err != nil {
		panic("internal error: walking a heading: " + err.Error())
	}
	// The renderer's writer resolves as CommonMark says and escapes for HTML; undoing the last leaves the text.
	return strings.TrimSpace(stdhtml.UnescapeString(out.String()))
}

// bufWriter is a bytes.Buffer as the renderer's writer wants it.
type bufWriter struct{ *bytes.Buffer }

func (bufWriter) Buffered() int { return 0 }
func (bufWriter) Flush() error  { return nil }

// outline sets parents and ends. Paths start anew below each H1; levels may skip.
func outline(list []heading, end int) headings {
	h := headings{list: list, steps: map[step][]int{}}
	first := make([]int, len(list)) // the first heading with the same path
	var open []int
	for i := range list {
		list[i].end, list[i].parent = end, -1
		for len(open) > 0 && list[open[len(open)-1]].level >= list[i].level {
			list[open[len(open)-1]].end = list[i].start
			open = open[:len(open)-1]
		}
		from := -1
		if last := len(open) - 1; last >= 0 && list[open[last]].level > 1 {
			list[i].parent = open[last]
			from = first[open[last]]
		}
		if list[i].level > 1 {
			s := step{from, list[i].text}
			h.steps[s] = append(h.steps[s], i)
			first[i] = h.steps[s][0]
		}
		open = append(open, i)
	}
	return h
}

// find returns the headings with that path.
func (h headings) find(path []string) []int {
	var found []int
	from := -1
	for _, text := range path {
		if found = h.steps[step{from, text}]; len(found) == 0 {
			return nil
		}
		from = found[0]
	}
	return found
}

// path returns the texts of a heading and those it stands under, below the H1; nil for an H1.
func (h headings) path(i int) []string {
	var path []string
	for ; i >= 0 && h.list[i].level > 1; i = h.list[i].parent {
		path = append(path, h.list[i].text)
	}
	slices.Reverse(path)
	return path
}

// paths returns the first paths of the outline, shown as front matter has them.
func (h headings) paths(most int) []string {
	var paths []string
	for i := 0; i < len(h.list) && len(paths) < most; i++ {
		if path := h.path(i); len(path) > 0 {
			paths = append(paths, joinHeading(path))
		}
	}
	return paths
}

// nearest returns the path that a chain left out, or a typing error, is most likely to have meant, or "".
func (h headings) nearest(path []string) string {
	last := strings.TrimSpace(strings.Trim(path[len(path)-1], "#")) // as it stands in the body
	for i := range h.list {
		if h.list[i].level > 1 && h.list[i].text == last {
			return joinHeading(h.path(i))
		}
	}
	return Nearest(joinHeading(path), h.paths(1000))
}
