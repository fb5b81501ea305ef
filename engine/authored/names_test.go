package authored

import (
	"strings"
	"testing"
)

func TestSlug(t *testing.T) {
	t.Parallel()
	tests := [][2]string{ // RULES E2
		{"src/err/a.go", "src-err-a-go"},
		{"ann@example.com", "ann-example-com"},
		{"api.errors", "api-errors"},
		{"--A__b--", "a-b"},
		{"", "x"},
		{"日本", "x"},
		{"é.a", "a"},
		{strings.Repeat("a", 61), strings.Repeat("a", 60)},
		{strings.Repeat("a", 59) + ".b", strings.Repeat("a", 59)},
	}
	for _, test := range tests {
		if got := Slug(test[0]); got != test[1] {
			t.Errorf("%q: got %q, want %q", test[0], got, test[1])
		}
	}
}

func TestCheckID(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"a", "0", "topic.api", "a._:/-Z9"} {
		if err := CheckID(id); err != nil {
			t.Error(err)
		}
	}
	for _, id := range []string{"", ".a", "-a", "a b", "é", "aé", "a\n", "a#", "_a", "a\x00"} {
		if CheckID(id) == nil {
			t.Errorf("%q was accepted", id)
		}
	}
}

func TestGlob(t *testing.T) {
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
		g, err := ParseGlob(test.pattern)
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
		if _, err := ParseGlob(pattern); err == nil {
			t.Errorf("%q was accepted", pattern)
		}
	}
	if (Glob{}).Match("") {
		t.Error("the zero glob matches")
	}
}
