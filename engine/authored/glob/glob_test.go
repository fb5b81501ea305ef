package glob

import (
	"strings"
	"testing"
	"time"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern, base string
		yes, no       []string
	}{
		{"standards/**/*.md", "standards", []string{"standards/a.md", "standards/b/c.md", "standards/.x/.y.md"}, []string{"a.md", "standards/a.MD", "x/standards/a.md"}},
		{"a/b.go", "a", []string{"a/b.go"}, []string{"a/b_go", "a"}},
		{"*.md", "", []string{"a.md", ".md"}, []string{"a/b.md"}},
		{"src/err/*.go", "src/err", []string{"src/err/a.go"}, []string{"src/err/a/b.go"}},
		{"a/{b,c}/[x-z]?", "a", []string{"a/b/x1", "a/c/zz"}, []string{"a/d/x1", "a/b/x"}},
		{`a\*/b`, "", []string{"a*/b"}, []string{"ax/b"}},
		{"**", "", []string{"a", "a/b"}, nil},
		{"a/**", "a", []string{"a/b", "a/b/c"}, []string{"b"}},
	}
	for _, test := range tests {
		g, err := Parse(test.pattern)
		if err != nil || g.Base() != test.base || g.String() != test.pattern {
			t.Errorf("%q: base %q, %v", test.pattern, g.Base(), err)
		}
		for _, path := range test.yes {
			if !g.Match(path) {
				t.Errorf("%q does not match %q", test.pattern, path)
			}
		}
		for _, path := range test.no {
			if g.Match(path) {
				t.Errorf("%q matches %q", test.pattern, path)
			}
		}
	}
	for _, pattern := range []string{"", "/a", "a/", "a//b", "./a", "a/../b", "a[", "{a", "a\\", "a\nb", strings.Repeat("a", 2000),
		"**/**/**/**/**", strings.Repeat("{a,b}", 7), "[]"} {
		if _, err := Parse(pattern); err == nil {
			t.Errorf("%q was accepted", pattern)
		}
	}
	if (Glob{}).Match("") {
		t.Error("the zero glob matches")
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("standards/**/*.md", "standards/a/b.md")
	f.Add("{a,b}/[!c-d]?\\*", "a/x*")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		g, err := Parse(pattern)
		if err != nil || len(path) > 4096 {
			return
		}
		if base := g.Base(); g.Match(path) && base != "" && path != base && !strings.HasPrefix(path, base+"/") {
			t.Fatalf("%q matches %q outside %q", pattern, path, base)
		}
	})
}

// The limit is far above what a slow machine takes and far below what trying every way would.
func TestMatchIsBounded(t *testing.T) {
	t.Parallel()
	started := time.Now()
	path := strings.Repeat("a", 4000) + "b"
	parsed := 0
	for _, piece := range []string{"*", "*a", "**", "**/", "*/", "**{a,a}", "?", "[", "[a]", "[!b]*", "{", "{a,", "{a,b}", "{*,a}", "\\", "\\a", "a", "a/"} {
		// As it stands it is often refused, so that it is tried as many times as it may stand there, too.
		for count := 1; count*len(piece) <= maxGlob; count *= 2 {
			if g, err := Parse(strings.Repeat(piece, count) + "c"); err == nil {
				parsed++
				g.Match(path)
			}
		}
	}
	if took := time.Since(started); took > 30*time.Second || parsed < 50 {
		t.Errorf("%d patterns took %v", parsed, took)
	}
}
