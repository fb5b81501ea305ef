package markdown

import (
	"bytes"
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Link is one link of a text: where it leads, with escapes and entities resolved as CommonMark says but percent signs as written, and
// the line, counted from 1, on which it begins.
type Link struct {
	Destination string
	Line        int
}

// MaxParagraph is the size in bytes of a paragraph above which its links are not read: the library takes time that grows with its
// square.
const MaxParagraph = 16 << 10

// Links returns the links of a text in order: inline ones and references, in paragraphs and headings wherever they are nested. An
// image is none, nor is what is written as HTML or between < and >, which names no file. A row that begins with | is read by itself,
// as in a table. A paragraph that is too long has no links; tooLong is the line of the first such one, or 0. Time is bounded for what
// Check finds nothing in.
func Links(body []byte) (links []Link, tooLong int) {
	context := parser.NewContext()
	blocks := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
	document := blocks.Parse(text.NewReader(body), parser.WithContext(context))
	// The inlines of all blocks are read as the paragraphs of one document, which knows where its lines come from.
	lineOf := lineCounter(body)
	var source []byte
	var ends, lines []int // of each line of source, and its number in the body
	visit := func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if kind := node.Kind(); !entering || kind != ast.KindParagraph && kind != ast.KindTextBlock && kind != ast.KindHeading {
			return ast.WalkContinue, nil
		}
		before, known := len(source), len(ends)
		for i := range node.Lines().Len() {
			segment := node.Lines().At(i)
			line := bytes.TrimSpace(segment.Value(body))
			source = append(append(source, line...), '\n')
			if bytes.HasPrefix(line, []byte("|")) {
				source = append(source, '\n')
			}
			ends, lines = append(ends, len(source)), append(lines, lineOf(segment.Start))
		}
		added := source[before:]
		longest := 0
		for _, part := range bytes.Split(added, []byte("\n\n")) {
			longest = max(longest, len(part))
		}
		if longest > MaxParagraph && tooLong == 0 {
			tooLong = lines[known]
		}
		if longest > MaxParagraph || bytes.IndexByte(added, '[') < 0 {
			source, ends, lines = source[:before], ends[:known], lines[:known]
		} else {
			source = append(source, '\n')
		}
		return ast.WalkContinue, nil
	}
	if err := ast.Walk(document, visit); err != nil {
		panic("internal error: walking a text: " + err.Error())
	}
	for _, l := range linksIn(source, context) {
		at, _ := slices.BinarySearch(ends, l.Line+1)
		links = append(links, Link{l.Destination, lines[at]})
	}
	return links, tooLong
}

// linksIn are the links of paragraphs, each with its offset in place of a line. What describes an image is text.
func linksIn(source []byte, known parser.Context) []Link {
	context := parser.NewContext()
	for _, reference := range known.References() {
		context.AddReference(reference)
	}
	inlines := parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1)),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
	)
	var found []Link
	visit := func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n.Kind() == ast.KindImage {
			return ast.WalkSkipChildren, nil
		}
		if link, ok := n.(*ast.Link); ok && entering {
			to := util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(link.Destination)))
			found = append(found, Link{string(to), link.Pos()})
		}
		return ast.WalkContinue, nil
	}
	if err := ast.Walk(inlines.Parse(text.NewReader(source), parser.WithContext(context)), visit); err != nil {
		panic("internal error: walking a paragraph: " + err.Error())
	}
	return found
}
