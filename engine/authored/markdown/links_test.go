package markdown

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// What is a link is CommonMark's (0.31.2, 6.3 and 6.4), and its lines are those of the text.
func TestLinks(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		body string
		want []Link
	}{
		"inline":                   {"see [a](x.md) and\n[b](<y z.md> \"t\")\n", []Link{{"x.md", 1}, {"y z.md", 2}}},
		"references":               {"[full][r] [collapsed][]\n[r]\n\n[r]: r.md\n[Collapsed]: c.md 'title'\n", []Link{{"r.md", 1}, {"c.md", 1}, {"r.md", 2}}},
		"a definition by itself":   {"[r]: r.md\n", nil},
		"headings":                 {"# [one](1.md)\n\n[two](2.md)\n===\n", []Link{{"1.md", 1}, {"2.md", 3}}},
		"nested blocks":            {"> - [q](q.md)\n>\n>   1. text\n>      [deep](d.md)\n", []Link{{"q.md", 1}, {"d.md", 4}}},
		"a table of another kind":  {"| a | b |\n|---|---|\n| [x](x.md) | [y](y.md) |\n", []Link{{"x.md", 3}, {"y.md", 3}}},
		"escapes and entities":     {`[a](a\_b&amp;c.md) [b](%61.md) [c](c&#46;md)` + "\n", []Link{{"a_b&c.md", 1}, {"%61.md", 1}, {"c.md", 1}}},
		"images are none":          {"![a](a.md) ![b [c](c.md)](d.md)\n", nil},
		"a link around an image":   {"[![a](a.png)](b.md)\n", []Link{{"b.md", 1}}},
		"code, fences and HTML":    {"`[a](a.md)`\n\n```\n[b](b.md)\n```\n\n    [c](c.md)\n\n<a href=\"d.md\">d</a>\n\n<div>\n[e](e.md)\n</div>\n", nil},
		"autolinks":                {"<http://example.com/a.md>\n", nil},
		"a link inside a link":     {"[a [b](b.md)](a.md)\n", []Link{{"b.md", 1}}},
		"what is no link":          {"[a] (a.md) [b](b c.md) \\[c](c.md) [d](d.md\n", nil},
		"an empty destination":     {"[a]() [b](#f)\n", []Link{{"", 1}, {"#f", 1}}},
		"a text over several rows": {"one [a\nb](x.md)\n", []Link{{"x.md", 1}}},
		"CRLF":                     {"one\r\n[a](x.md)\r\n", []Link{{"x.md", 2}}},
		"tabs in a list":           {"-\tone\n\n\t[a](x.md)\n", []Link{{"x.md", 3}}},
		"rows of a table":          {"|[a|\n|x](x.md)|\n| [y](y.md)\n", []Link{{"y.md", 3}}},
		"nothing":                  {"", nil},
	} {
		got, tooLong := Links([]byte(row.body))
		if diff := cmp.Diff(row.want, got); diff != "" || tooLong != 0 {
			t.Errorf("%s: %d %s", name, tooLong, diff)
		}
	}
}

// A paragraph that would take too long is said to be so, and the others are read all the same.
func TestLinksOfLongParagraphs(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", MaxParagraph) + " [a](a.md)\n"
	got, tooLong := Links([]byte("# T\n\n[b](b.md)\n\n" + long + "\n" + long + "\n[c](c.md)\n"))
	if diff := cmp.Diff([]Link{{"b.md", 3}, {"c.md", 9}}, got); diff != "" || tooLong != 5 {
		t.Error(tooLong, diff)
	}
}

// Hostile text takes time that grows with its size alone: a mebibyte takes sixteen times as long as this.
func TestLinksOfHostileText(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"[", "![", "[a](", "[a](b)", "[[a](b)", "[a][", "[a]: <b> \"", "**[a*]("} {
		paragraph := strings.Repeat(piece, (MaxParagraph-1)/len(piece)) + "\n\n"
		body := strings.Repeat(paragraph, MaxBytes/16/len(paragraph))
		began := time.Now()
		Links([]byte(body))
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%q took %v", piece, took)
		}
	}
}

// The library's own reading of a whole text finds the same links, but for rows of tables, which it does not know.
func FuzzLinks(f *testing.F) {
	for _, seed := range []string{
		"see [a](x.md) and\n[b](<y z.md> \"t\")\n", "[full][r] [c][]\n[r]\n\n[r]: r.md\n[C]: c.md 'title'\n", "# [one](1.md)\n\n[two](2.md)\n===\n",
		"> - [q](q.md)\n>\n>   1. text\n>      [deep](d.md)\n", "![a](a.md) ![b [c](c.md)](d.md) [![a](a.png)](b.md)\n", "[a [b](b.md)](a.md) `[c](c)` <a [d](d)>\n",
		"-\tone\n\n\t[a](x.md \n\t\"t\\\n\")\n", "a\\\n[b](c&amp;d\\_)  \n*[e*](f)\n", "#\n[a]\n\n[a]: <>\n", "[a]:\n- b\n[a]",
	} {
		f.Add([]byte(seed))
	}
	library := goldmark.DefaultParser()
	f.Fuzz(func(t *testing.T, body []byte) {
		if _, excess := Check(body); excess != Fits || len(body) > MaxParagraph || bytes.Contains(body, []byte("|")) || !utf8.Valid(body) {
			return
		}
		got, tooLong := Links(body)
		if tooLong != 0 {
			t.Fatalf("line %d is too long", tooLong)
		}
		var want []string
		err := ast.Walk(library.Parse(text.NewReader(body)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if n.Kind() == ast.KindImage {
				return ast.WalkSkipChildren, nil
			}
			if link, ok := n.(*ast.Link); ok && entering {
				want = append(want, string(util.URLEscape(link.Destination, true)))
			}
			return ast.WalkContinue, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		last := 1
		for _, l := range got {
			found = append(found, string(util.URLEscape([]byte(l.Destination), false)))
			if l.Line < last || l.Line > 1+bytes.Count(body, []byte("\n")) {
				t.Fatalf("%v is on no line after %d", l, last)
			}
			last = l.Line
		}
		if diff := cmp.Diff(want, found); diff != "" {
			t.Fatal(diff)
		}
	})
}
