package authored

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/reading/readingtest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// renaming gives every path and glob at or below a folder another place, as a move does.
func renaming(from, to string) func(kind, target string) (string, bool) {
	return func(kind, target string) (string, bool) {
		if kind == "glob" {
			return glob.Rename(target, from, to)
		}
		if rest, ok := strings.CutPrefix(target, from); ok && (rest == "" || rest[0] == '/') {
			return to + rest, true
		}
		return "", false
	}
}

// edgeModule is a module whose consumers are the given lines.
func edgeModule(rows string) string {
	return "---\ntitle: \"é\" # docs/a.md stays here\nstandard:\n  id: m\n  role: topic\n  level: MUST\n  units:\n    - {id: u, heading: [A], revision: 1}\n" +
		"  consumers:\n" + rows + "other: {path: docs/a.md}\n---\n# T\n## A\npath: docs/a.md\n"
}

func TestRewriteTargets(t *testing.T) {
	t.Parallel()
	const rest = ", relation: normative-consumer}\n"
	for _, row := range []struct{ from, to, before, after string }{
		{"docs/a.md", "docs/b.md", "    - {unit: u, path: docs/a.md" + rest, "    - {unit: u, path: docs/b.md" + rest},
		{"docs/a.md", "docs/b c.md", "    - {unit: u, path: docs/a.md" + rest, "    - {unit: u, path: docs/b c.md" + rest},
		{"docs/a.md", "docs/a, b.md", "    - {unit: u, path: docs/a.md" + rest, `    - {unit: u, path: "docs/a, b.md"` + rest},
		{"docs/a.md", "-b.md", "    - {unit: u, path: docs/a.md" + rest, `    - {unit: u, path: "-b.md"` + rest},
		{"docs/a.md", "0/b.md", "    - {unit: u, path: docs/a.md" + rest, `    - {unit: u, path: 0/b.md` + rest},
		{"docs/a.md", "2026-01-01", "    - {unit: u, path: docs/a.md" + rest, `    - {unit: u, path: "2026-01-01"` + rest},
		{"docs/a.md", ".github/b.md", "    - {unit: u, path: docs/a.md" + rest, `    - {unit: u, path: .github/b.md` + rest},
		{"docs/a.md", "true", "    - {unit: u, path: docs/a.md" + rest, `    - {unit: u, path: "true"` + rest},
		{"docs/a.md", "d/é\n.md", "    - {unit: u, path: docs/a.md" + rest, `    - {unit: u, path: "d/é\n.md"` + rest},
		{"docs/a.md", "it's.md", "    - {unit: u, path: 'docs/a.md'" + rest, "    - {unit: u, path: 'it''s.md'" + rest},
		{"docs/a.md", "x\ty", "    - {unit: u, path: 'docs/a.md'" + rest, `    - {unit: u, path: "x\ty"` + rest},
		{"docs/a.md", "docs/b.md", `    - {unit: u, path: "docs\x2fa.md"` + rest, `    - {unit: u, path: "docs/b.md"` + rest},
		{"it's", "b", "    - {unit: u, path: 'it''s'" + rest, "    - {unit: u, path: 'b'" + rest},
		{`a"b\`, "b", `    - {"unit": u, "path":"a\"b\\"` + rest, `    - {"unit": u, "path":"b"` + rest},
		// Characters of several bytes before the place; another edge on the same line; comments; block style; CRLF.
		{"docs/a.md", "docs/b.md", "    - {rationale: \"äö\U0001f600\", unit: u, path: docs/a.md, relation: normative-consumer} # docs/a.md\n",
			"    - {rationale: \"äö\U0001f600\", unit: u, path: docs/b.md, relation: normative-consumer} # docs/a.md\n"},
		{"docs", "doc", "    - unit: u\n      path:    docs/a.md   # why\n      relation: normative-consumer\n    - unit: u\n      relation: normative-consumer\n      glob: \"docs/**\"\n",
			"    - unit: u\n      path:    doc/a.md   # why\n      relation: normative-consumer\n    - unit: u\n      relation: normative-consumer\n      glob: \"doc/**\"\n"},
		{"docs/a.md", "b", "    - {unit: u,\r\n       path: docs/a.md,\r\n       relation: normative-consumer}\r\n", "    - {unit: u,\r\n       path: b,\r\n       relation: normative-consumer}\r\n"},
		// A line end that YAML knows and Git does not, in a row before.
		{"docs/a.md", "b", "    - {unit: u, path: x, rationale: \"a\u2028 b\", relation: normative-consumer}\n    - {unit: u, path: docs/a.md" + rest,
			"    - {unit: u, path: x, rationale: \"a\u2028 b\", relation: normative-consumer}\n    - {unit: u, path: b" + rest},
		{"docs/a.md", "b", "    - {unit: u, path: docs/a.md.old" + rest + "    - {unit: u, module: docs/a.md" + rest, ""},
	} {
		before := edgeModule(row.before)
		want := strings.Replace(before, row.before, row.after, 1)
		if row.after == "" {
			want = before
		}
		got, findings := RewriteTargets("f", []byte(before), renaming(row.from, row.to))
		if diff := cmp.Diff(want, string(got)); diff != "" || len(findings) > 0 {
			t.Errorf("%s → %s: %v %s", row.from, row.to, findings, diff)
		}
	}
}

func TestRewriteTargetsRefuses(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		data, code string
		line       int
	}{
		{edgeModule("    - unit: u\n      relation: normative-consumer\n      path: >-\n        docs/a.md\n"), "EDIT.BY_HAND", 12},
		{edgeModule("    - unit: u\n      relation: normative-consumer\n      path: |-\n        docs/a.md\n"), "EDIT.BY_HAND", 12},
		{edgeModule("    - {unit: u, path: !!str docs/a.md, relation: normative-consumer}\n"), "EDIT.BY_HAND", 10},
		{edgeModule("    - {unit: u, path: \"docs\\\n      /a.md\", relation: normative-consumer}\n"), "EDIT.BY_HAND", 10},
		{"# T\n", "EDIT.NOT_A_MODULE", 1},
		{"---\nstandard: {}\n", "EDIT.NOT_A_MODULE", 2},
		{"---\nstandard: [\n---\n", "YAML.SYNTAX", 2},
	} {
		got, findings := RewriteTargets("f", []byte(row.data), renaming("docs/a.md", "b.md"))
		if got != nil || len(findings) != 1 || findings[0].Code != row.code || findings[0].Line != row.line || findings[0].Next == "" {
			t.Errorf("%q: %q, %+v", row.data, got, findings)
		}
	}
}

// piece is a part of generated front matter: text, or a target in a certain spelling.
type piece struct {
	text   string
	target string // "" for text
}

var name = rapid.SampledFrom([]string{"docs/a.md", "docs/é.md", "docs", "a b", "it's", `q"q`, `b\s`, "-x", "[x]", "a: b", "a #b", "0/1", "2026", "no", "x\u00a0y", "\U0001f600/z", "docs/a"})

func spell(t *rapid.T, kind, target string) string {
	if kind == "glob" {
		target = glob.Escape(target) + rapid.SampledFrom([]string{"", "/*", "/**/*.{a,b}"}).Draw(t, "tail")
	}
	switch rapid.IntRange(0, 2).Draw(t, "style") {
	case 0:
		return "'" + strings.ReplaceAll(target, "'", "''") + "'"
	case 1:
		if strings.Trim(target, "abcdefghijklmnopqrstuvwxyz/.") == "" && target != "no" {
			return target
		}
	}
	return fmt.Sprintf("%+q", target)
}

// frontPieces generates front matter in pieces.
func frontPieces(t *rapid.T) []piece {
	var list []piece
	ending := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "ending")
	text := func(s string) { list = append(list, piece{text: strings.ReplaceAll(s, "\n", ending)}) }
	text(rapid.SampledFrom([]string{"---\n", "\ufeff---\n", "---\ntitle: 'é'\n"}).Draw(t, "start"))
	text("standard:\n  id: m\n  role: topic\n  level: MUST\n  units:\n    - {id: u, heading: [A], revision: 1}\n  consumers:\n")
	for range rapid.IntRange(1, 4).Draw(t, "rows") {
		kind := rapid.SampledFrom([]string{"path", "glob"}).Draw(t, "kind")
		why := rapid.SampledFrom([]string{"", "rationale: \"ä\U0001f600\", ", "rationale: 'path: docs', "}).Draw(t, "why")
		target := piece{target: spell(t, kind, name.Draw(t, "name"))}
		relation := rapid.SampledFrom(relations).Draw(t, "relation")
		if rapid.Bool().Draw(t, "flow") {
			text("    - {" + why + "unit: u, " + kind + ": ")
			list = append(list, target)
			text(", relation: " + relation + "}" + rapid.SampledFrom([]string{"", " # docs"}).Draw(t, "comment") + "\n")
		} else {
			text("    - unit: u\n      relation: " + relation + "\n      " + kind + ": ")
			list = append(list, target)
			text(rapid.SampledFrom([]string{"", " # docs"}).Draw(t, "comment") + "\n")
		}
	}
	text("---\n# T\n## A\npath: docs\n")
	return list
}

// scalarLength is how long the scalar is that text begins with: up to its closing quote, or to what ends a plain one here.
func scalarLength(text string) int {
	switch text[0] {
	case '"':
		for i := 1; ; i++ {
			if text[i] == '\\' {
				i++
			} else if text[i] == '"' {
				return i + 1
			}
		}
	case '\'':
		for i := 1; ; i++ {
			if strings.HasPrefix(text[i:], "''") {
				i++
			} else if text[i] == '\'' {
				return i + 1
			}
		}
	}
	end := strings.IndexAny(text, ",}\r\n#")
	return len(strings.TrimRight(text[:end], " "))
}

func TestRewriteTargetsChangesTargetsAndNothingElse(t *testing.T) {
	t.Parallel()
	renamed := 0
	rapid.Check(t, func(t *rapid.T) {
		list := frontPieces(t)
		var b strings.Builder
		for _, p := range list {
			b.WriteString(p.text + p.target)
		}
		before, findings := ParseModule("f", []byte(b.String()))
		if slices.ContainsFunc(findings, func(f reading.Finding) bool { return f.Code != "CONSUMER.REPEATED" }) {
			t.Fatalf("the generator writes %q: %v", b.String(), findings)
		}
		rename := renaming(name.Draw(t, "from"), name.Draw(t, "to"))
		out, findings := RewriteTargets("f", []byte(b.String()), rename)
		if len(findings) > 0 {
			t.Fatalf("%q: %v", b.String(), findings)
		}
		after, _ := ParseModule("f", out)
		for i, c := range before.Consumers {
			want := c
			if now, ok := rename("path", c.Path); ok && c.Path != "" {
				want.Path = now
				renamed++
			}
			if now, ok := rename("glob", c.Glob); ok && c.Glob != "" {
				want.Glob = now
				renamed++
			}
			if diff := cmp.Diff(want, after.Consumers[i]); diff != "" {
				t.Fatalf("%q\n%q\n%s", b.String(), out, diff)
			}
		}
		rest := string(out)
		for _, p := range list {
			length := len(p.text)
			if p.target != "" {
				length = scalarLength(rest)
			} else if !strings.HasPrefix(rest, p.text) {
				t.Fatalf("%q\n%q\nhas not %q at %q", b.String(), out, p.text, rest)
			}
			rest = rest[length:]
		}
		if rest != "" {
			t.Fatalf("%q has %q more", out, rest)
		}
	})
	if renamed == 0 {
		t.Error("no target was renamed")
	}
}

func FuzzRewriteTargets(f *testing.F) {
	f.Add([]byte(edgeModule("    - {unit: u, path: docs/a.md, relation: normative-consumer}\n    - {unit: u, glob: 'docs/**', relation: normative-consumer}\n")))
	f.Add([]byte(edgeModule("    - ? path\n      : \"docs/\\\n       a\"\n      unit: \"u\"\n      relation: normative-consumer\n")))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<13 {
			return
		}
		before, findings := ParseModule("f", data)
		out, refused := RewriteTargets("f", data, func(_, target string) (string, bool) { return "x/" + target, true })
		if len(refused) > 0 || before == nil || len(findings) > 0 {
			readingtest.Check(t, refused)
			return
		}
		after, _ := ParseModule("f", out)
		for i, c := range before.Consumers {
			if c.Path != "" {
				c.Path = "x/" + c.Path
			}
			if c.Glob != "" {
				c.Glob = "x/" + c.Glob
			}
			if after == nil || (len(c.Path) < 200 && len(c.Glob) < 200 && !cmp.Equal(c, after.Consumers[i])) {
				t.Fatalf("%q\n%q\n%+v", data, out, c)
			}
		}
	})
}

func TestAddGlobs(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ before, after string }{
		{"version: 1\nmodules: [\"standards/**/*.md\"]\ngate: {base: main}\n", "version: 1\nmodules: [\"standards/**/*.md\", docs/a.md, \"docs/*.md\"]\ngate: {base: main}\n"},
		{"modules: [ 'é', x , ] # c\nversion: 1", "modules: [ 'é', x, docs/a.md, \"docs/*.md\" , ] # c\nversion: 1"},
		{"version: 1\r\nmodules:\r\n  - \"a\" # c\r\ngate: {}\r\n", "version: 1\r\nmodules:\r\n  - \"a\" # c\r\n  - docs/a.md\r\n  - \"docs/*.md\"\r\ngate: {}\r\n"},
		{"\ufeffversion: 1\nmodules:\n- a\n-   b", "\ufeffversion: 1\nmodules:\n- a\n-   b\n-   docs/a.md\n-   \"docs/*.md\""},
		{"version: 1\nmodules: [\n  a,\n  b,\n]\n", "version: 1\nmodules: [\n  a,\n  b, docs/a.md, \"docs/*.md\",\n]\n"},
		{"version: 1\nmodules:\n  - >-\n    a\n", ""},
		{"version: 1\nmodules: []\n", ""},
		{"version: 1\nmodules: [\n", ""},
		{"version: 1\nmodules: [docs/a.md]\n", ""}, // twice
		{"version: 1\n", ""},
	} {
		got, findings := AddGlobs("f", []byte(row.before), []string{"docs/a.md", "docs/*.md"}, "")
		if diff := cmp.Diff(row.after, string(got)); diff != "" || (len(findings) > 0) != (row.after == "") {
			t.Errorf("%q: %v %s", row.before, findings, diff)
		}
	}
	// The one glob that matches nothing gives way.
	for _, row := range []struct{ before, after string }{
		{"modules: [\"x/**\"] # c\nversion: 1\n", "modules: [docs/a.md, \"docs/*.md\"] # c\nversion: 1\n"},
		{"version: 1\nmodules:\n  - x/** # c\n", "version: 1\nmodules:\n  - docs/a.md # c\n  - \"docs/*.md\"\n"},
		{"version: 1\nmodules: [\"x/**\", y]\n", "version: 1\nmodules: [\"x/**\", y, docs/a.md, \"docs/*.md\"]\n"},
	} {
		if got, findings := AddGlobs("f", []byte(row.before), []string{"docs/a.md", "docs/*.md"}, "x/**"); string(got) != row.after {
			t.Errorf("%q: %q %v", row.before, got, findings)
		}
	}
}
