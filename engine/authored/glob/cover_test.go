package glob

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func mustParse(t rapid.TB, pattern string) Glob {
	t.Helper()
	g, err := Parse(pattern)
	if err != nil {
		t.Fatalf("%q: %v", pattern, err)
	}
	return g
}

// The rows are derived by hand from what each pattern means (the comment of Glob); a no names a path that tells the two
// apart, which the test looks up, or says that nothing is known.
func TestCovers(t *testing.T) {
	t.Parallel()
	const unknown = "?"
	tests := []struct{ wide, narrow, no string }{
		{"src/**/*.go", "src/*.go", ""},
		{"src/*.go", "src/**/*.go", "src/a/b.go"},
		{"src/**/*.go", "src/a/b.go", ""},
		{"src/*.go", "src/a.go", ""},
		{"src/*.go", "src/a.c", "src/a.c"},
		{"src/a.go", "src/a.go", ""},
		{"src/a.go", "src/*.go", "src/b.go"},
		{"**", "a/b/*.c", ""},
		{"**", "*", ""},
		{"*", "**", "a/b"},
		{"**/*", "**", ""},
		{"**", "**/*", ""},
		{"a/**", "a/b/**", ""},
		{"a/b/**", "a/**", "a/c"},
		{"a/**", "a", ""}, // the matcher takes the folder for itself
		{"a/**/*", "a/**", "a"},
		{"a/**", "a/**/*", ""},
		{"a/*/**", "a/b/**", ""},
		{"a/**", "a/*/**", ""},
		{"a/*/**", "a/**", "a"},
		{"a*/**", "a", "a"}, // the matcher wants a character for the star here
		{"a/**/b", "a/b", ""},
		{"a/**/b", "a/x/**/y/b", ""},
		{"a/x/**/b", "a/**/b", "a/b"},
		{"**/b/**", "a/**/b/*/c", ""},
		{"?", "[ab]", ""},
		{"[ab]", "?", "c"},
		{"[a-z]", "[b-y]", ""},
		{"[b-y]", "[a-z]", "a"},
		{"[a-cx]", "{a,b,c,x}", ""},
		{"{a,b}", "[ab]", ""},
		{"{a,b}", "[a-c]", "c"},
		{"*.{go,c}", "*.go", ""},
		{"*.go", "*.{go,c}", "x.c"},
		{"{src,lib}/**/*.go", "src/*/x.go", ""},
		{"{src,lib}/**", "{lib,src}/**/*.{c,go}", ""},
		{"src/{,lib/}*.go", "src/lib/x.go", ""},
		{"src/*/x", "src/[^_]/x", ""},
		{"src/**", "src/[^_]*.go", ""}, // the class admits a slash, but no path has two together
		{"src/[!_]*.go", "src/[a-z]*.go", unknown},
		{"src/[!_]*.go", "src/[!_]*.go", ""},
		{"a*b", "a*b*b", ""},
		{"a*b*b", "a*b", "ab"},
		{"*a*", "*aa*", ""},
		{"**.go", "*.go", ""}, // within a component ** is *
		{"*.go", "**.go", ""},
		{`a\*`, "a*", "ab"},
		{"a*", `a\*`, ""},
		{`\[a]`, "[a]", "a"},
		{"???*", "??*?", ""},
		{"*?", "*", ""}, // no component is empty
		{"é*", "é?", ""},
		{"[à-ü]", "é", ""},
		{"A*", "a*", "ab"},
		{"a***", "a*b", unknown},
		{"a*{,b}", "a*", unknown},
		{"a/{**,b}", "a/c", unknown},
		{"\xc3{**/,}\xa9", "é", "é"},
	}
	for _, test := range tests {
		wide, narrow := mustParse(t, test.wide), mustParse(t, test.narrow)
		if got := wide.Covers(narrow); got != (test.no == "") {
			t.Errorf("%q covers %q: %v", test.wide, test.narrow, got)
		}
		if test.no != "" && test.no != unknown && (wide.Match(test.no) || !narrow.Match(test.no)) {
			t.Errorf("%q does not tell %q from %q", test.no, test.narrow, test.wide)
		}
	}
	if (Glob{}).Covers(Glob{}) || (Glob{}).Covers(mustParse(t, "a")) || mustParse(t, "**").Covers(Glob{}) {
		t.Error("the zero glob takes part")
	}
}

// coverPaths are all paths without an empty component over a few characters.
var coverPaths = func() []string {
	paths, last := []string{}, []string{""}
	for range 6 {
		var longer []string
		for _, p := range last {
			for _, c := range "ab/é" {
				if c != '/' || p != "" && !strings.HasSuffix(p, "/") {
					longer = append(longer, p+string(c))
				}
			}
		}
		for _, p := range longer {
			if !strings.HasSuffix(p, "/") {
				paths = append(paths, p)
			}
		}
		last = longer
	}
	return paths
}()

var globPieces = []string{"a", "b", "é", "/", "/", "*", "*", "**", "**/", "/**", "?", "[ab]", "[!a]", "[a-]", "[^-b]", "[/a]", "{", "}", ",", "{a,", "{,", `\a`, `\*`, "{a,b}", "{*,a}", "{**/,}"}

func drawGlob(t *rapid.T, label string) Glob {
	for {
		if g, err := Parse(strings.Join(rapid.SliceOfN(rapid.SampledFrom(globPieces), 1, 7).Draw(t, label), "")); err == nil {
			return g
		}
	}
}

func (a *automaton) accepts(path string) bool {
	states := a.closure([]int{0})
	for _, r := range path {
		var next []int
		for _, state := range states {
			for _, edge := range a.states[state].edges {
				if edge.class.has(r) {
					next = append(next, edge.to)
				}
			}
		}
		states = a.closure(next)
	}
	for _, state := range states {
		if a.states[state].accepts {
			return true
		}
	}
	return false
}

// The automaton of a glob says of every path what the matcher says, and of a glob whose classes cross components at
// least that.
func TestAutomatonIsTheMatcher(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := drawGlob(t, "glob")
		a, known := compile(g.pattern)
		if !known {
			return
		}
		for _, path := range coverPaths {
			if accepted, matched := a.accepts(path), g.Match(path); accepted != matched && (matched || !a.crosses) {
				t.Fatalf("%q and %q: automaton %v, matcher %v", g, path, accepted, matched)
			}
		}
	})
}

func TestCoversIsSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		wide, narrow := drawGlob(t, "wide"), drawGlob(t, "narrow")
		if rapid.Bool().Draw(t, "related") {
			// Two globs that differ in one place cover each other far more often than two of their own.
			at := rapid.IntRange(0, len(narrow.pattern)).Draw(t, "at")
			end := rapid.IntRange(at, len(narrow.pattern)).Draw(t, "end")
			related, err := Parse(narrow.pattern[:at] + rapid.SampledFrom(globPieces).Draw(t, "instead") + narrow.pattern[end:])
			if err == nil {
				wide = related
			}
		}
		covers := wide.Covers(narrow)
		separates := ""
		for _, path := range coverPaths {
			if narrow.Match(path) && !wide.Match(path) {
				separates = path
				break
			}
		}
		if covers && separates != "" {
			t.Fatalf("%q is said to cover %q and does not match %q", wide, narrow, separates)
		}
		if !wide.Covers(wide) {
			t.Fatalf("%q does not cover itself", wide)
		}
	})
}

func FuzzCovers(f *testing.F) {
	f.Add("src/**/*.go", "src/*.go", "src/a.go")
	f.Add("{a,b}/[a-c]?**", `a/b\*/**`, "a/b*/c")
	f.Add("a/{**,b}", "a/[!b]/**", "a/c/d")
	f.Fuzz(func(t *testing.T, wide, narrow, path string) {
		g, err := Parse(wide)
		if err != nil {
			return
		}
		other, err := Parse(narrow)
		if err != nil || len(path) > 1000 || path == "" || strings.Contains("/"+path+"/", "//") {
			return
		}
		if g.Covers(other) && other.Match(path) && !g.Match(path) {
			t.Fatalf("%q is said to cover %q and does not match %q", wide, narrow, path)
		}
	})
}

// The limit is far above what a slow machine takes and far below what the sets of states of these globs would cost.
func TestCoversIsBounded(t *testing.T) {
	t.Parallel()
	classes := strings.Repeat("[a-z]*[0-9]?", 80)
	many := "{" + strings.Repeat("*a*b*?c?/,", 60) + "}"
	texts := []string{strings.Repeat("*a", 500), strings.Repeat("?*", 500), strings.Repeat("*ab", 300), classes, classes + "*", many + "x", "**/" + many + "*",
		"**/*a" + strings.Repeat("?", 900), "**/" + strings.Repeat("[!a-z/]*/", 100) + "**"}
	started := time.Now()
	for _, wide := range texts {
		for _, narrow := range texts {
			mustParse(t, wide).Covers(mustParse(t, narrow))
		}
	}
	if took := time.Since(started); took > 30*time.Second {
		t.Errorf("%d comparisons took %v", len(texts)*len(texts), took)
	}
}
