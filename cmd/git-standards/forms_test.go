package main_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	gmtext "github.com/yuin/goldmark/text"

	"github.com/git-standards/git-standards/cmd/git-standards/report"
	"github.com/git-standards/git-standards/engine/wire"
)

// sarifSchema is the official schema, with its formats checked.
var sarifSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	file, err := os.Open("testdata/sarif/sarif-schema-2.1.0.json")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	document, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", document); err != nil {
		return nil, err
	}
	return c.Compile("sarif.json")
})

func checkSARIF(text []byte) error {
	schema, err := sarifSchema()
	if err != nil {
		return err
	}
	log, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(log)
}

func checkJUnit(text []byte) error {
	c := exec.Command("python3", "testdata/junit.py")
	c.Stdin = bytes.NewReader(text)
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// checkGitHub reads lines as the runner does: one that begins with "::", blanks aside, is a command, and each must be an annotation that the
// runner takes.
func checkGitHub(text []byte) error {
	for line := range strings.Lines(string(text)) {
		command, isCommand := strings.CutPrefix(strings.TrimSpace(line), "::")
		if !isCommand {
			if strings.Contains(line, "##[") {
				return fmt.Errorf("a command in the old form: %q", line)
			}
			continue
		}
		info, _, found := strings.Cut(command, "::")
		name, properties, _ := strings.Cut(info, " ")
		if !found || name != "error" && name != "warning" && name != "notice" {
			return fmt.Errorf("a command that is no annotation: %q", line)
		}
		for _, property := range strings.Split(properties, ",") {
			if key, _, ok := strings.Cut(property, "="); !ok || key != "file" && key != "line" && key != "title" {
				return fmt.Errorf("property %q of %q", property, line)
			}
		}
	}
	return nil
}

var formChecks = map[string]func([]byte) error{"sarif": checkSARIF, "junit": checkJUnit, "github": checkGitHub}

// checkForms checks everything that a script had printed in a form of others. A file's name begins with the form.
func checkForms(folder string) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil {
			return err
		}
		form, _, _ := strings.Cut(file.Name(), ".")
		if err := formChecks[form](text); err != nil {
			return fmt.Errorf("printed for %s: %w\n%.2000s", form, err, text)
		}
	}
	return nil
}

var hostileTexts = []string{
	"a\n::error::b", "::set-output name=x::y", "##[add-mask]x", "%0A::error::x", "a,line=9,title=b::c", "a:b%3A", "]]>", "</failure><!--", "&amp;\"'<",
	"\x00\x1b[31m\x7f", "\xff\xfe", "\u202ertl\u2028", "\ufffe\uffff", "http://x/?a#b", "C:\\x", "../../x", " ", "😀", "-->", "--format",
}

// Names, messages and reasons that were chosen to break a form reach it as text and as nothing else.
func TestHostileTextInForms(t *testing.T) {
	t.Parallel()
	for _, hostile := range hostileTexts {
		for name, r := range hostileReports(hostile) {
			sarif, err := report.SARIF(r)
			if err != nil {
				t.Fatal(err)
			}
			for form, text := range map[string][]byte{"sarif": sarif, "junit": report.JUnit(r), "github": report.GitHub(r)} {
				if err := formChecks[form](text); err != nil {
					t.Errorf("%s, %q, %s: %v\n%s", name, hostile, form, err, text)
				}
			}
			if commands := bytes.Count(report.GitHub(r), []byte("\n::")) + 1; commands != 2 {
				t.Errorf("%s, %q: %d commands, not 2:\n%s", name, hostile, commands, report.GitHub(r))
			}
		}
	}
}

// What stands in a summary is read by a Markdown parser that is not ours: hostile text is code there, whole, in the block where it belongs.
func TestHostileTextInASummary(t *testing.T) {
	t.Parallel()
	parser := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
	for _, hostile := range append(hostileTexts, "a\n```\n# b\n<img src=x>\n", "``` ` `` \\| a", "|", `\|`, "a\r\r# b", "~~~\n", "@ann #1 https://example.com www.example.com a@example.com",
		"<script>", "[x](y)", "| a | b |\n| - | - |", "\t\tx", "`", "``a``", "&lt;b&gt;", "[^1]", "- [ ] x") {
		for name, r := range hostileReports(hostile) {
			text := report.Summary(r, report.MaxSummary)
			code := 0
			err := ast.Walk(parser.Parse(gmtext.NewReader(text)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				switch n := n.(type) {
				case *ast.Link, *ast.AutoLink, *ast.Image, *ast.HTMLBlock, *ast.Blockquote, *ast.ThematicBreak, *ast.CodeBlock:
					return ast.WalkStop, fmt.Errorf("%s", n.Kind())
				case *ast.RawHTML:
					if tag := string(n.Segments.Value(text)); tag != "<code>" && tag != "</code>" {
						return ast.WalkStop, fmt.Errorf("%s", tag)
					}
				case *ast.Heading:
					if n.Level < 2 {
						return ast.WalkStop, fmt.Errorf("a heading of level %d", n.Level)
					}
				case *ast.FencedCodeBlock, *ast.CodeSpan:
					if entering {
						code++
					}
				case *extast.TableRow:
					if entering && n.ChildCount() != 5 {
						return ast.WalkStop, fmt.Errorf("a row of %d cells", n.ChildCount())
					}
				}
				return ast.WalkContinue, nil
			})
			if err != nil || code < 3 || name == "verdict" && (bytes.Count(text, []byte("\n### ")) != 2 || !bytes.Contains(text, []byte("| asserted | new |\n"))) {
				t.Errorf("%s, %q: %v, %d code\n%s", name, hostile, err, code, text)
			}
		}
	}
}

// A summary of more than GitHub shows is cut between units, those that are open first, and says how many are left out.
func TestSummaryIsCut(t *testing.T) {
	t.Parallel()
	r := &report.Report{Verdict: "pending"}
	long := strings.Repeat("+"+strings.Repeat("x", 98)+"\n", 1000)
	for i := range 100 {
		id := fmt.Sprintf("unit.%02d", i)
		r.Units = append(r.Units, report.Unit{ID: id, Title: id, Place: "a.md:1", Diff: long})
		if i%10 == 0 {
			r.Asked = append(r.Asked, report.Asked{Kind: "consumer-review", Unit: id, Consumer: "c", State: "open", File: "a.md", Line: 1})
		}
	}
	for _, room := range []int{report.MaxSummary, report.MaxSummary / 2, 1000, 0, -5} {
		text := string(report.Summary(r, room))
		shown := strings.Count(text, "\n### ")
		if len(text) > max(room, 400) || !strings.Contains(text, fmt.Sprintf("**Cut:** %d more", 100-shown)) {
			t.Errorf("room %d: %d bytes, %d units, ends with %q", room, len(text), shown, text[max(len(text)-200, 0):])
		}
		if first := strings.Count(text, "| **open**"); room > 500_000 && (first != 10 || shown < 20 || !strings.Contains(text, "… and 755 more lines.")) {
			t.Errorf("room %d: %d open, %d units", room, first, shown)
		}
	}
}

func hostileReports(text string) map[string]*report.Report {
	digits := strings.Repeat("0", 64)
	finding := wire.Finding{Code: "MODULE.PATH", Severity: "error", File: text, Line: 0, Message: text, Next: &text}
	second := wire.Finding{Code: "MODULE.PATH", Severity: "warning", File: text, Line: 2, Message: text}
	question := report.Asked{
		ID: "question:sha256:" + digits, Abbrev: "0000000", Kind: "consumer-review", Subject: text, Title: text, Ask: text, Unit: text, Module: text, Consumer: text,
		File: text, ConsumerFile: text, Line: 1, State: "open", Waits: text, Next: text,
		Answers: []report.Answer{{Result: text, Principal: text, Trust: "asserted", Rationale: text, File: text, Age: "new"}},
	}
	return map[string]*report.Report{
		"findings": {Version: "1", Rejected: &wire.Rejected{Code: "MODULE.PATH", Outcome: "invalid", Target: &text, Message: text, Findings: []wire.Finding{finding, second}}},
		"verdict": {
			Version: "1", Verdict: "pending", Handle: "analysis-root:sha256:" + digits, Asked: []report.Asked{question},
			Notices: []wire.Notice{{Code: "EDGE.CARRIED", Target: &text, Message: text, Next: &text}},
			Units:   []report.Unit{{ID: text, Title: text, Place: text, Diff: text + "\n " + text + "\n"}},
			Steps:   []report.Step{{Name: "moves", Code: "EDGE.CARRIED", State: report.Fails, Message: text}},
		},
	}
}

// A check that cannot fail proves nothing.
func TestFormsAreChecked(t *testing.T) {
	t.Parallel()
	for form, wrong := range map[string][]string{
		"sarif": {
			`{}`, `{"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]}`,
			`{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{"message": {"text": "x"}, "level": "notice"}]}]}`,
			`{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x", "helpUri": "x"}}}]}`,
		},
		"junit": {
			`<testsuites/>`, `<testsuites name="x" tests="0" failures="0" errors="0" skipped="0"/>`, `<a>`,
			`<testsuites name="x" tests="2" failures="0" errors="0" skipped="0"><testsuite name="x" tests="1" failures="0" errors="0" skipped="0"><testcase name="x" classname="x"/></testsuite></testsuites>`,
			`<testsuites name="x" tests="1" failures="0" errors="0" skipped="0"><testsuite name="x" tests="1" failures="0" errors="0" skipped="0"><testcase name="x" classname="x"><failure message="" type=""/></testcase></testsuite></testsuites>`,
		},
		"github": {"::set-env name=x::y\n", " ::error file=a\n", "x ##[error]y\n", "::error file::x\n", "::error nonsense=1::x\n"},
	} {
		for _, text := range wrong {
			if formChecks[form]([]byte(text)) == nil {
				t.Errorf("%s: nothing is wrong with %s", form, text)
			}
		}
	}
}
