package markdown

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"pgregory.net/rapid"
)

var (
	plainMarkdown = goldmark.New(goldmark.WithRendererOptions(html.WithUnsafe()))
	tableMarkdown = goldmark.New(goldmark.WithRendererOptions(html.WithUnsafe()), goldmark.WithExtensions(extension.Table))
)

// softHTML renders text and turns the newlines outside <pre> into blanks: a soft break and a blank are one meaning,
// and everything else, code spans and code blocks above all, must stay byte for byte.
func softHTML(t rapid.TB, parser goldmark.Markdown, text string) string {
	t.Helper()
	if !strings.HasSuffix(text, "\n") {
		text += "\n" // the end of the file ends the last line
	}
	var out bytes.Buffer
	if err := parser.Convert([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	var soft strings.Builder
	for rest := out.String(); rest != ""; {
		open := strings.Index(rest, "<pre")
		if open < 0 {
			open = len(rest)
		}
		soft.WriteString(strings.ReplaceAll(rest[:open], "\n", " "))
		rest = rest[open:]
		end := strings.Index(rest, "</pre>")
		if end < 0 {
			end = len(rest)
		}
		soft.WriteString(rest[:end])
		rest = rest[end:]
	}
	return soft.String()
}

// unixLines is CommonMark's reading of line ends, which goldmark has for \n and \r\n only.
func unixLines(text []byte) string {
	s := strings.ReplaceAll(string(text), "\r\n", "\n")
	return strings.ReplaceAll(s, "\r", "\n")
}

func FuzzNormalize(f *testing.F) {
	vectors, err := filepath.Glob("testdata/normalize/*.md")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range vectors {
		seed, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, section []byte) {
		if len(section) > 4096 {
			return
		}
		checkNormalize(t, section)
	})
}

func checkNormalize(t rapid.TB, section []byte) {
	t.Helper()
	normal := Normalize(section)
	if again := Normalize([]byte(normal)); again != normal {
		t.Fatalf("not idempotent\nsource %q\nonce   %q\ntwice  %q", section, normal, again)
	}
	if len(normal) > len(section)+1 {
		t.Fatalf("grown from %d to %d bytes\nsource %q\nnormal %q", len(section), len(normal), section, normal)
	}
	source := unixLines(section)
	for _, parser := range []goldmark.Markdown{plainMarkdown, tableMarkdown} {
		if was, now := softHTML(t, parser, source), softHTML(t, parser, normal); was != now {
			t.Fatalf("another meaning\nsource %q\nnormal %q\nsource HTML %q\nnormal HTML %q", section, normal, was, now)
		}
	}
}

// TestNormalizeComposed puts sections together from the pieces that Markdown's block structure turns on, which finds in
// seconds what mutation of bytes finds in hours.
func TestNormalizeComposed(t *testing.T) {
	leads := []string{"", "", "", " ", "  ", "   ", "    ", "     ", "\t", "- ", "* ", "1. ", "2) ", "-  ", "-\t", "> ", ">", "- - ", "10. "}
	bodies := []string{"a", "b c", "word", "", "", "```", "~~~", "````", "``` x", "``` `", "<div>", "</div>", "<b>", "<b", "<pre>", "<!-- x",
		"-->", "[a]: /x", "[a]:", "[a]", "[a", "'t", "t'", "\"t", "---", "--", "===", "-", ":-", "-:|", "|", "a|b", "# h", "#", "`", "``", "a `",
		"` b", "*", "**a", "a**", "\\", "[x](<a", "w [x](<a", `w [x](<a\>`, "b>)", "b> c)", "[x](", "/u)", "![x](/u 'a", "é", "&amp", "+", "1.", "2.", "a <b x='", "'> c", "\\>", "[a][b"}
	ends := []string{"", "", "", "", " ", "  ", "\t", "\\", "`", "<", "|", ":", "]"}
	piece := rapid.Custom(func(t *rapid.T) string {
		var line strings.Builder
		for range rapid.IntRange(0, 2).Draw(t, "leads") {
			line.WriteString(rapid.SampledFrom(leads).Draw(t, "lead"))
		}
		line.WriteString(rapid.SampledFrom(bodies).Draw(t, "body"))
		line.WriteString(rapid.SampledFrom(ends).Draw(t, "end"))
		return line.String() + rapid.SampledFrom([]string{"\n", "\n", "\n", "\n\n", "\n\n\n", "\r\n"}).Draw(t, "line end")
	})
	rapid.Check(t, func(rt *rapid.T) {
		section := strings.Join(rapid.SliceOfN(piece, 1, 9).Draw(rt, "lines"), "")
		checkNormalize(rt, []byte(section))
	})
}

// TestNormalizeVectors has one case for each rule of doc/normalization.md, derived from the rule by hand.
func TestNormalizeVectors(t *testing.T) {
	t.Parallel()
	sources, err := filepath.Glob("testdata/normalize/*.md")
	if err != nil || len(sources) < 25 {
		t.Fatalf("%d vectors, %v", len(sources), err)
	}
	page, err := os.ReadFile("../../../doc/normalization.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sources {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(name, ".md") + ".normal")
		if err != nil {
			t.Fatal(err)
		}
		if got := Normalize(source); got != string(want) {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, want)
		}
		checkNormalize(t, source)
		if !bytes.Contains(page, []byte("`"+strings.TrimSuffix(filepath.Base(name), ".md")+"`")) {
			t.Errorf("doc/normalization.md does not name %s", name)
		}
	}
}
