package markdown

import (
	"bytes"
	stdhtml "html"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Parse returns the outline of a text. Time is bounded for what Check finds nothing in.
func Parse(body []byte) *Outline {
	// Block structure alone says where headings are. Inlines are parsed for headings only: those of hostile
	// paragraphs take the library quadratic time.
	context := parser.NewContext()
	blocks := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
	document := blocks.Parse(text.NewReader(body), parser.WithContext(context))
	var list []Heading
	var sources [][]byte
	for node := document.FirstChild(); node != nil; node = node.NextSibling() {
		h, ok := node.(*ast.Heading)
		if !ok {
			continue
		}
		// A pointer into the heading's first line becomes the start of that line.
		start := 1 + bytes.LastIndexByte(body[:min(max(h.Pos(), 0), len(body))], '\n')
		list = append(list, Heading{level: h.Level, start: start})
		var source []byte
		for i := range h.Lines().Len() {
			segment := h.Lines().At(i)
			source = append(source, segment.Value(body)...)
		}
		sources = append(sources, source)
	}
	for i, t := range headingTexts(sources, context) {
		list[i].Text = t
	}
	return outline(list, body)
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
