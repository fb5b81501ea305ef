package adopt

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func defaults() Options {
	return Options{Role: DefaultRole, Level: DefaultLevel, Depth: DefaultDepth, Taken: func(string) bool { return false }}
}

func testDocument(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The headings were picked by hand: those that GitHub shows in a document's outline below the title, two levels deep.
func TestDocumentChoosesUnits(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		file    string
		units   []string // id and heading
		skipped []string
	}{
		{"adr.md", []string{"status [Status]", "context [Context]", "decision [Decision]", "positive [Consequences, Positive]", "negative [Consequences, Negative]"}, nil},
		{"style_guide.md", []string{
			"variables [Naming, Variables]", "functions [Naming, Functions]", "formatting [Formatting]", "line-length [Formatting, Line length]",
		}, []string{"35 [Formatting, Examples]", "39 [Formatting, Examples]"}},
		{"contributing_crlf.md", []string{
			`code-of-conduct ["1. Code of conduct"]`, `pull-requests ["2) Pull requests"]`, `titles ["2) Pull requests", "2.1 Titles"]`, `404-errors ["404 errors"]`,
		}, nil},
		{"bom_no_last_newline.md", []string{`uberschrift ["Überschrift"]`}, nil},
		{"jekyll.md", []string{"one [One]"}, nil},
		{"empty_front_matter.md", []string{"a [A]"}, nil},
		{"comment_front_matter.md", []string{"a [A]"}, nil},
		{"closing_line_last.md", nil, nil},
		{"no_headings.md", nil, nil},
		{"empty.md", nil, nil},
		{"several_h1.md", []string{"other [Other]"}, []string{"3 [Same]", "9 [Same]"}},
		{"chinese.md", []string{`section ["命名"]`, `section-2 ["格式"]`}, nil},
		{"deep.md", []string{"skipped-a-level [Skipped a level]", "deeper [Skipped a level, Deeper]", "level-two [Level two]"}, nil},
		{"odd_headings.md", []string{
			`code-emphasis-quoted-braces-list-5 ["code & emphasis \"quoted\": {braces}, [list] #5"]`, `a-link-https-example-org [A link https://example.org]`,
			`yes ["yes"]`, `12 ["12"]`, `dash ["- dash"]`, "trailing-hashes [trailing hashes]", `tab-here ["tab\there"]`,
			"e-x [\"é & \u202ex \\\\ \\\"\"]", `two-lines-of-heading [Two lines of heading]`,
		}, []string{`11 [""]`, `15 ["", Below nothing]`}},
		{"nbsp.md", []string{`a-b ["A\u2028B"]`, "html-x [html x]", "ref-text [ref text]"}, []string{`3 [""]`}},
		{"starts_with_rule_later.md", []string{"a [A]", `standard-not-front-matter ["standard: not front matter"]`}, nil},
	} {
		data := testDocument(t, row.file)
		done, findings := Document("docs/x.md", data, defaults())
		if done == nil {
			t.Errorf("%s: %v", row.file, findings)
			continue
		}
		m, _ := authored.ParseModule("docs/x.md", done.Text)
		var units, skipped []string
		for _, u := range m.Units {
			units = append(units, strings.TrimPrefix(u.ID, "docs.x.")+" "+yamltext.FlowList(u.Heading))
		}
		for _, s := range done.Skipped {
			skipped = append(skipped, fmt.Sprintf("%d %s", s.Line, s.Heading))
		}
		if diff := cmp.Diff(row.units, units); diff != "" {
			t.Errorf("%s: units %s", row.file, diff)
		}
		if diff := cmp.Diff(row.skipped, skipped); diff != "" {
			t.Errorf("%s: skipped %s", row.file, diff)
		}
		checkAdopted(t, data, done)
	}
}

// checkAdopted is the promise: whole lines more in one place, nothing else, and no finding.
func checkAdopted(t rapid.TB, data []byte, done *Result) {
	extra := len(done.Text) - len(data)
	at := 0
	for at < len(data) && done.Text[at] == data[at] {
		at++
	}
	// What is equal by chance at the seam may stand on either side; one of the places is at the start of a line.
	found := false
	for ; at >= 0 && !found; at-- {
		isLine := at == 0 || done.Text[at-1] == '\n' || string(done.Text[:at]) == "\ufeff"
		found = isLine && bytes.Equal(done.Text[at+extra:], data[at:]) && bytes.HasPrefix(data, done.Text[:at]) && bytes.HasSuffix(done.Text[:at+extra], []byte("\n"))
		if found && bytes.Contains(data, []byte("\r\n")) && bytes.HasPrefix(data, []byte("---\r\n")) &&
			bytes.Count(done.Text[at:at+extra], []byte("\n")) != bytes.Count(done.Text[at:at+extra], []byte("\r\n")) {
			t.Fatalf("line ends are mixed: %q", done.Text[at:at+extra])
		}
	}
	if !found {
		t.Fatalf("more than lines in one place were added to %q: %q", data, done.Text)
	}
	m, findings := authored.ParseModule("f", done.Text)
	if m == nil || len(findings) > 0 {
		t.Fatalf("%q: %v", done.Text, findings)
	}
}

func TestDocumentWrites(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		file, data, want string
		change           func(*Options)
	}{
		{"docs/adr/0007-use-queues.md", "# Q\n\n## Decision\n\nx\n", "---\nstandard:\n  id: adr.0007-use-queues\n  role: topic\n  level: MUST\n  units:\n" +
			"    - {id: adr.0007-use-queues.decision, heading: [Decision], revision: 1}\n---\n# Q\n\n## Decision\n\nx\n", nil},
		{"a/T.md", "---\r\nx: 1\r\n---\r\n# T\r\n## A\r\n", "---\r\nx: 1\r\nstandard:\r\n  id: topic.api\r\n  role: topic\r\n  level: SHOULD\r\n  units:\r\n" +
			"    - {id: api.a, heading: [A], revision: 1}\r\n---\r\n# T\r\n## A\r\n", func(a *Options) { a.ID, a.Level = "topic.api", "SHOULD" }},
		{"2026.md", "x", "---\nstandard:\n  id: \"2026\"\n  role: reference\n  level: REFERENCE\n---\nx", func(a *Options) { a.Role, a.Level = "reference", "REFERENCE" }},
		{"a.md", "# T\n## A\n### B\n#### C\n", "---\nstandard:\n  id: a\n  role: topic\n  level: MUST\n  units:\n    - {id: a.a, heading: [A], revision: 1}\n---\n# T\n## A\n### B\n#### C\n",
			func(a *Options) { a.Depth = 1 }},
		{"a.md", "# T\n## A\n### B\n#### C\n", "---\nstandard:\n  id: a\n  role: topic\n  level: MUST\n  units:\n    - {id: a.c, heading: [A, B, C], revision: 1}\n---\n# T\n## A\n### B\n#### C\n",
			func(a *Options) { a.Depth = 9 }},
	} {
		a := defaults()
		if row.change != nil {
			row.change(&a)
		}
		done, findings := Document(row.file, []byte(row.data), a)
		if done == nil {
			t.Errorf("%s: %v", row.file, findings)
		} else if diff := cmp.Diff(row.want, string(done.Text)); diff != "" {
			t.Errorf("%s: %s", row.file, diff)
		}
	}
}

func TestDocumentIDs(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		file, taken, want string
	}{
		{"docs/adr/0007-use-queues.md", "", "adr.0007-use-queues"},
		{"docs/adr/0007-use-queues.md", "adr.0007-use-queues", "docs.adr.0007-use-queues"},
		{"adr/a.md", "adr.a adr.a-2", "adr.a-3"},
		{"CONTRIBUTING.md", "", "contributing"},
		{"CONTRIBUTING", "", "contributing"},
		{"docs/security/README.md", "", "docs.security"},
		{"README.md", "", "readme"},
		{"docs/index.markdown", "", "docs"},
		{".github/Pull Request (new).md", "", "github.pull-request-new"},
		{"docs/v1.2.md", "", "docs.v1.2"},
		{"docs/v1.2", "", "docs.v1.2"},
		{"Übersicht/Straße.md", "", "ubersicht.strasse"},
		{"docs/指南.md", "docs.text", "docs.text-2"},
		{"docs/-x-.md", "", "docs.x"},
	} {
		a := defaults()
		a.Taken = func(id string) bool { return strings.Contains(" "+row.taken+" ", " "+id+" ") }
		done, findings := Document(row.file, nil, a)
		if done == nil || done.ID != row.want {
			t.Errorf("%s: %+v, %v", row.file, done, findings)
		}
	}
	// Units never take an id that another text has, nor one another's.
	a := defaults()
	a.Taken = func(id string) bool { return id == "d.a" || id == "d.a-2" }
	done, _ := Document("d.md", []byte("# T\n## A\n## B\n### C\n## D\n### C\n## D.C\n## b c\n"), a)
	if diff := cmp.Diff([]string{"d.a-3", "d.b.c", "d.d.c", "d.d-c", "d.b-c"}, done.Units); diff != "" {
		t.Error(diff)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, a := range []Options{
		{Role: "topik", Level: "MUST", Depth: 1}, {Role: "topic", Level: "must", Depth: 1}, {Role: "topic", Level: "MUST"},
		{Role: "topic", Level: "MUST", Depth: 1, ID: "a b"},
	} {
		if a.Check() == nil {
			t.Errorf("%+v is not refused", a)
		}
	}
	if err := defaults().Check(); err != nil {
		t.Error(err)
	}
}

// drawDocument generates documents whose lines matter to front matter, headings and blocks.
func drawDocument(t *rapid.T) []byte {
	lines := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom([]string{
		"# T", "## A", "## B", "## A", "### A", "### C", "#### D", "##", "A", "---", "===", "--- ", "```", "~~~", "> ## Q", "- ## L", "    ## I", "",
		"", "text", "title: x", "\"k\": |", "  v", "# c", "+++", "<!--", "-->", "<div>", "[r]: /x", "## [r] *e* `c`", "## é: {x}, [y]", "\\", "## a\\", "...", "{}",
		"\t## tab", "## \x00", "## #", "*x", "&x y", "standard: x", "standards: x", "- a", "## 1. One", "## 2. One",
	}), rapid.StringMatching(`[ #>A-c:{},"'\[\]-]{0,12}`)), 0, 14).Draw(t, "lines")
	text := strings.Join(lines, rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "ending"))
	return []byte(rapid.SampledFrom([]string{"", "\ufeff", "---\n", "---\ntitle: x\n---\n", "---\r\n# c\r\n---\r\n"}).Draw(t, "start") + text +
		rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end"))
}

// Whatever the document: it is refused by name, or lines are added that read without a finding.
func TestDocumentAddsLinesAndNothingElse(t *testing.T) {
	t.Parallel()
	adopted := 0
	rapid.Check(t, func(t *rapid.T) {
		checkAnyAdoption(t, drawDocument(t), &adopted)
	})
	if adopted == 0 {
		t.Error("no document was adopted")
	}
}

func checkAnyAdoption(t rapid.TB, data []byte, adopted *int) {
	a := defaults()
	a.Depth = 1 + len(data)%4
	done, findings := Document("f", data, a)
	if done == nil {
		if len(findings) == 0 {
			t.Fatalf("%q: neither text nor finding", data)
		}
		for i, f := range findings {
			if f.Code == "" || f.Message == "" || f.Next == "" || f.Line < 1 || f.Severity != reading.SeverityError || f.File != "f" {
				t.Fatalf("incomplete finding %+v", f)
			}
			if i > 0 && findings[i-1].Line > f.Line {
				t.Fatalf("findings out of order: %+v", findings)
			}
		}
		return
	}
	*adopted++
	checkAdopted(t, data, done)
	if again, findings := Document("f", done.Text, a); again != nil || findings[0].Code != "ADOPT.MODULE" {
		t.Fatalf("adopted twice: %q", done.Text)
	}
}

func FuzzDocument(f *testing.F) {
	names, err := filepath.Glob("testdata/*.md")
	if err != nil || len(names) < 15 {
		f.Fatal(names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 1<<14 {
			checkAnyAdoption(t, data, new(int))
		}
	})
}
