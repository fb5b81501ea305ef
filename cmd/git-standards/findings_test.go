package main_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/authored/fixturefile"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/judge"
)

const findingsFolder = root + "/doc/findings"

var (
	codeForm = regexp.MustCompile(`^[A-Z][A-Z0-9_]*\.[A-Z][A-Z0-9_]*$`)
	wordForm = regexp.MustCompile(`^[A-Z][A-Z0-9_]*\.$`)
)

// joined are the codes that a source puts together from a first word and the rest. No others may be.
var joined = map[string][]string{
	"JSON.": {"JSON.DEPTH", "JSON.DUPLICATE_KEY", "JSON.ENCODING", "JSON.NUMBER", "JSON.SHAPE", "JSON.SYNTAX", "JSON.TOO_LARGE", "JSON.TOO_MANY"},
}

// codesOf returns the codes in the string literals of one Go file.
func codesOf(path string) ([]string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var codes []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		if sum, ok := n.(*ast.BinaryExpr); ok && sum.Op == token.ADD {
			if word, ok := sum.X.(*ast.BasicLit); ok && word.Kind == token.STRING {
				text, err := strconv.Unquote(word.Value)
				more, known := joined[text]
				if codes = append(codes, more...); err == nil && wordForm.MatchString(text) && !known {
					codes = append(codes, text+"(put together)")
				}
			}
		}
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil && codeForm.MatchString(text) {
				codes = append(codes, text)
			}
		}
		return true
	})
	return codes, nil
}

// allCodes returns every code that the sources name, with a file that does.
func allCodes(t *testing.T) map[string]string {
	t.Helper()
	codes := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata"):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		found, err := codesOf(path)
		for _, code := range found {
			codes[code] = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(codes) < 100 || codes["YAML.SYNTAX"] == "" {
		t.Fatalf("only %d codes found", len(codes))
	}
	return codes
}

// Every code has its page, every page its code, and the index names each once, under its first word.
func TestEveryCodeHasItsPage(t *testing.T) {
	t.Parallel()
	codes := allCodes(t)
	index, err := os.ReadFile(findingsFolder + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	listed, group := map[string]bool{}, ""
	for line := range strings.Lines(string(index)) {
		if word, ok := strings.CutPrefix(line, "## "); ok {
			group = strings.TrimSpace(word)
		}
		if rest, ok := strings.CutPrefix(line, "- ["); ok {
			code, _, _ := strings.Cut(rest, "]")
			if line != fmt.Sprintf("- [%s](%s.md)\n", code, code) || listed[code] || !strings.HasPrefix(code, group+".") {
				t.Errorf("the index says %q under %q", line, group)
			}
			listed[code] = true
		}
	}
	for code, file := range codes {
		if _, err := os.Stat(findingsFolder + "/" + code + ".md"); err != nil {
			t.Errorf("%s (%s) has no page doc/findings/%s.md", code, strings.TrimPrefix(file, root+"/"), code)
		}
		if !listed[code] {
			t.Errorf("doc/findings/README.md does not list %s", code)
		}
	}
	pages, err := os.ReadDir(findingsFolder)
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		code := strings.TrimSuffix(page.Name(), ".md")
		if code == "README" {
			continue
		}
		if codes[code] == "" {
			t.Errorf("doc/findings/%s is the page of no code", page.Name())
		}
		text, err := os.ReadFile(findingsFolder + "/" + page.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{"# " + code + "\n\n", "`", "\n**Mend it.** "} {
			if !strings.Contains(string(text), part) {
				t.Errorf("doc/findings/%s lacks %q", page.Name(), part)
			}
		}
	}
}

// notInText are the codes about authored text that no example in a page can get, and why.
var notInText = map[string]string{
	"AUTHORITY.CAPABILITY":     "an answer",
	"AUTHORITY.NOT_A_FILE":     "a link",
	"AUTHORITY.NOT_LISTED":     "an answer",
	"AUTHORITY.REVISION_FELL":  "a change",
	"AUTHORITY.REVOKED":        "an answer",
	"AUTHORITY.UNREADABLE":     "the accepted side",
	"DECISION.CONTRADICTION":   "two answers of one analysis",
	"DECISION.WAIVED":          "an answer",
	"DECISION.DELETED":         "history",
	"DECISION.LINK":            "a link",
	"DECISION.NOT_WRITTEN":     "a failure to write",
	"DECISION.VALUE":           "text that is not UTF-8",
	"FACT.VALUE":               "what a command was given",
	"MANIFEST.MISSING":         "nothing there",
	"MANIFEST.NOT_A_FILE":      "a link",
	"MANIFEST.NOT_WRITTEN":     "a failure to write",
	"MODULE.ENCODING":          "text that is not UTF-8",
	"MODULE.NOT_A_FILE":        "a link",
	"MODULE.NO_STANDARD":       "only for callers that name a file",
	"MODULE.PATH":              "a name that is not UTF-8",
	"MODULE.TOO_BIG":           "a text of 1 MiB",
	"CONSUMER.DELETED":         "a change",
	"UNIT.PREDECESSOR_UNKNOWN": "a change",
	"UNIT.REMOVED":             "a change",
	"UNIT.TOMBSTONE_REVISION":  "a change",
	"YAML.ENCODING":            "text that is not UTF-8",
	"YAML.TOO_BIG":             "a text of 1 MiB",
}

// aboutText are the first words of codes that are found in authored text alone.
var aboutText = []string{"YAML", "MANIFEST", "MODULE", "UNIT", "CONSUMER", "DECISION", "ID", "EXPRESSION", "FACT"}

// example is what the fences of one page hold: files of a side, by path.
type example map[string]string

// fences reads the examples of a page: fences with wrong or right behind the language, and the path of the file where it
// is not standards/example.md for Markdown and the manifest for YAML.
func fences(t *testing.T, page, text string) (wrong, right example) {
	t.Helper()
	wrong, right = example{}, example{}
	var open []string
	var body strings.Builder
	for line := range strings.Lines(text) {
		info, isFence := strings.CutPrefix(strings.TrimRight(line, "\n"), "```")
		switch {
		case isFence && open == nil:
			open = append(strings.Fields(info), "")
			body.Reset()
		case isFence:
			into := map[string]example{"wrong": wrong, "right": right}[open[1]]
			path := map[string]string{"markdown": "standards/example.md", "yaml": "standards/standards.yaml"}[open[0]]
			if len(open) > 3 {
				path = open[2]
			}
			if into != nil && (path == "" || into[path] != "") {
				t.Errorf("%s: the example %q has no path of its own", page, open)
			}
			if into != nil {
				into[path] = body.String()
			}
			open = nil
		default:
			body.WriteString(line)
		}
	}
	return wrong, right
}

// found returns the codes of all findings about an example, on a side with a manifest and the file docs/errors.md.
func found(t *testing.T, files example) []string {
	t.Helper()
	side := contenttest.Files{"standards/standards.yaml": "version: 1\nmodules: [\"standards/**/*.md\"]\n", "docs/errors.md": "Errors.\n"}
	var codes []string
	hasModule := false
	for path, text := range files {
		if strings.HasPrefix(path, "standards/decisions/") {
			_, findings := decision.Read(path, []byte(text))
			for _, f := range findings {
				codes = append(codes, f.Code)
			}
			continue
		}
		if fixturefile.IsFile(path) {
			_, findings := fixturefile.Parse(path, []byte(text))
			for _, f := range findings {
				codes = append(codes, f.Code)
			}
			continue
		}
		side[path] = text
		hasModule = hasModule || strings.HasSuffix(path, ".md") && strings.HasPrefix(path, "standards/")
	}
	if !hasModule {
		side["standards/other.md"] = "---\nstandard: {id: other, role: topic, level: MUST}\n---\n# Other\n"
	}
	result, err := judge.New().Lint(t.Context(), side.Tree(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range result.Findings {
		codes = append(codes, f.Code)
	}
	return codes
}

// The examples of the pages get their code, and what is right gets none at all.
func TestExamplesOfFindings(t *testing.T) {
	t.Parallel()
	for code := range allCodes(t) {
		text, err := os.ReadFile(findingsFolder + "/" + code + ".md")
		if err != nil {
			continue // the other test says so
		}
		wrong, right := fences(t, code, string(text))
		word, _, _ := strings.Cut(code, ".")
		if len(wrong) == 0 {
			if slices.Contains(aboutText, word) && notInText[code] == "" {
				t.Errorf("%s: the page has no wrong example", code)
			}
			continue
		}
		if notInText[code] != "" {
			t.Errorf("%s has an example, and the table says that it cannot", code)
		}
		if got := found(t, wrong); !slices.Contains(got, code) {
			t.Errorf("%s: the wrong example gets %v", code, got)
		}
		if got := found(t, right); len(right) == 0 || len(got) > 0 {
			t.Errorf("%s: the right example gets %v", code, got)
		}
	}
	for code := range notInText {
		if _, err := os.Stat(findingsFolder + "/" + code + ".md"); err != nil {
			t.Errorf("%s stands in the table and has no page", code)
		}
	}
}
