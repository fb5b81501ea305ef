package markdown

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestSections has the section of one heading in a body, by RULES A2 and CommonMark.
func TestSections(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		path       []string
		body, want string
	}{
		{"closing hashes", []string{"A"}, "# T\n## A ##\nx\n## B\n", "## A ##\nx\n"},
		{"hash in text", []string{"A#"}, "## A#\nx\n", "## A#\nx\n"},
		{"attributes are text", []string{"A {#id}"}, "## A {#id}\nx\n", "## A {#id}\nx\n"},
		{"indented", []string{"A"}, "# T\n   ## A\nx\n", "   ## A\nx\n"},
		{"setext", []string{"A"}, "T\n=\n\nA\n-\nx\n\nB\n---\ny\n", "A\n-\nx\n\n"},
		{"setext of several lines", []string{"A b c"}, "T\n=\nA\n  b\nc\n---\nx\n# U\n", "A\n  b\nc\n---\nx\n"},
		{"setext after a definition", []string{"A"}, "# T\n[d]: /x\nA\n---\nx\n", "A\n---\nx\n"},
		{"code", []string{"Use a*b now"}, "## Use ``a*b`` *now*\nx\n", "## Use ``a*b`` *now*\nx\n"},
		{"emphasis, code, escapes, entities", []string{"A code b* & é *"}, "## *A* `code` **b\\*** &amp; &eacute; \\*\nx\n", "## *A* `code` **b\\*** &amp; &eacute; \\*\nx\n"},
		{"nothing is unescaped twice", []string{"&lt; &amp; \\* &copy"}, "## `&lt;` &amp;amp; \\\\* &copy\nx\n", "## `&lt;` &amp;amp; \\\\* &copy\nx\n"},
		{"links and images", []string{"Link alt http://a.b ref"}, "## [Link](/u) ![alt](/i) <http://a.b> [ref]\nx\n\n[ref]: /r\n", "## [Link](/u) ![alt](/i) <http://a.b> [ref]\nx\n\n[ref]: /r\n"},
		{"raw HTML is not text", []string{"A"}, "## <b>A</b>\nx\n", "## <b>A</b>\nx\n"},
		{"number", []string{"1. A"}, "## 1. A\nx\n", "## 1. A\nx\n"},
		{"skipped level", []string{"A", "C"}, "# T\n## A\n#### C\nx\n### D\n", "#### C\nx\n"},
		{"below an empty heading", []string{"A"}, "## A\n#\n## \n###\ny\n", "## A\n"},
		{"without H1", []string{"A"}, "intro\n## A\nx", "## A\nx"},
		{"H1 begins anew", []string{"A", "B"}, "## A\n# T\n## B\n## A\n### B\nx\n# U\n### B\n", "### B\nx\n"},
		{"H1 ends a section", []string{"A"}, "# T\n## A\nx\n# U\ny\n", "## A\nx\n"},
		{"not in quote, list, fence, HTML, code", []string{"A"}, "> ## A\n\n- ## A\n\n```\n## A\n```\n<div>\n## A\n</div>\n\n    ## A\n\n## A\nx\n", "## A\nx\n"},
		{"tab and no text after", []string{"A"}, "##\tA\nx\n##B\n", "##\tA\nx\n##B\n"},
		{"seven hashes", []string{"A"}, "## A\n####### B\n", "## A\n####### B\n"},
		{"no newline", []string{"A"}, "## A", "## A"},
	}
	for _, test := range tests {
		outline := Parse([]byte(test.body))
		found := outline.Find(test.path)
		if len(found) != 1 || !slices.Equal(outline.Path(found[0]), test.path) {
			t.Errorf("%s: found %v of %+v", test.name, found, outline.Headings)
			continue
		}
		sections, outside := outline.Cut(found)
		if string(sections[0].Raw) != test.want {
			t.Errorf("%s: %q", test.name, sections[0].Raw)
			continue
		}
		if line := 1 + strings.Count(test.body[:strings.Index(test.body, test.want)], "\n"); outline.Headings[found[0]].Line != line {
			t.Errorf("%s: on line %d, want %d", test.name, outline.Headings[found[0]].Line, line)
		}
		if whole := strings.Replace(test.body, test.want, "", 1); string(outside.Raw) != whole {
			t.Errorf("%s: outside %q, want %q", test.name, outside.Raw, whole)
		}
	}
}

// TestSectionEnd shows that adding a section leaves the normal form of the one before alone, even where that ends in
// text kept verbatim.
func TestSectionEnd(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"## A\nx <!-- y -->\n", "## A\n```\nx\n```\n", "## A\nx\n"} {
		alone, _ := Parse([]byte(body)).Cut([]int{0})
		followed, _ := Parse([]byte(body + "\n\n## B\n")).Cut([]int{0})
		if alone[0].Normal != followed[0].Normal {
			t.Errorf("%q and %q", alone[0].Normal, followed[0].Normal)
		}
	}
}

// The text of a heading ends where the next heading begins, of whatever level.
func TestHasText(t *testing.T) {
	t.Parallel()
	body := "# T\nx\n## A\n\n \t\n### B\n\nx\n\nC\nd\n---\n\nE\n---\nx\n## F ##\n"
	want := map[string]bool{"T": true, "A": false, "B": true, "C d": false, "E": true, "F": false}
	outline := Parse([]byte(body))
	if len(outline.Headings) != len(want) {
		t.Fatalf("%+v", outline.Headings)
	}
	for i, heading := range outline.Headings {
		if has, known := want[heading.Text]; !known || outline.HasText(i) != has {
			t.Errorf("%q: %t", heading.Text, outline.HasText(i))
		}
	}
}

// Whatever the text and the choice: the sections and what is outside them are the text, and a heading is found by its path.
func FuzzParse(f *testing.F) {
	f.Add([]byte("# T\n## A\nx\n### B\ny\n## A\n"), uint64(0b1010))
	f.Add([]byte("A\n-\n> ## B\n### C ###\n```\n"), uint64(3))
	f.Add([]byte("#\r\n\n## \n###\ny\n[a]: /x\nb\n==="), uint64(1))
	f.Fuzz(func(t *testing.T, body []byte, choice uint64) {
		if _, excess := Check(body); excess != Fits || len(body) > 1<<14 {
			return
		}
		outline := Parse(body)
		var chosen []int
		for i, heading := range outline.Headings {
			if choice>>(i%64)&1 > 0 {
				chosen = append(chosen, i)
			}
			if path := outline.Path(i); len(path) > 0 && !slices.Contains(outline.Find(path), i) {
				t.Fatalf("%q is not found by its path %q", heading.Text, path)
			}
			if heading.Parent >= i || i > 0 && heading.Line <= outline.Headings[i-1].Line {
				t.Fatalf("out of order: %+v", outline.Headings)
			}
		}
		sections, outside := outline.Cut(chosen)
		if len(sections) != len(chosen) {
			t.Fatalf("%d sections of %d", len(sections), len(chosen))
		}
		size := len(outside.Raw)
		for _, section := range sections {
			size += len(section.Raw)
			if len(section.Raw) == 0 {
				t.Fatal("a section without its heading")
			}
		}
		if size != len(body) {
			t.Fatalf("%d bytes in sections, %d in the text", size, len(body))
		}
	})
}

// The limit is far above what a slow machine takes and far below what quadratic time would.
func TestHostileText(t *testing.T) {
	t.Parallel()
	const size = 1 << 15
	started := time.Now()
	for _, piece := range []string{"[", "- ", "#\n", "\"", "'", "\x00", "\n", "<", "`", "> ", "1. ", "[a](", "![", "*_", "# a\n", "a\n-\n", "[a]: b\n", "- \n", "&amp;", "\\", "a\n",
		"    a\n", "```\n", "a ", "\t", "|"} {
		text := []byte(strings.Repeat(piece, size/len(piece)))
		Normalize(text)
		if _, excess := Check(text); excess == Fits {
			Parse(text)
		}
	}
	if took := time.Since(started); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
}
