package yamltext

import "testing"

// A span is exactly what stands there, or there is none; what takes its place has its quotes, as far as they can hold it.
func TestSpanAndRequote(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, span, now, written string }{
		{"k: docs/a.md\n", "docs/a.md", "docs/b.md", "docs/b.md"},
		{"k: a # c\n", "a", "b c", "b c"},
		{"k: a\n", "a", "no", `"no"`},
		{"k: a\n", "a", "0/1", "0/1"},
		{"k: a\n", "a", "2026", `"2026"`},
		{"{é: 'x', k: 'it''s', z: 1}\n", "'it''s'", "it's b", "'it''s b'"},
		{"k: 'a'\n", "'a'", "a\tb", `"a\tb"`},
		{"k: \"a\\\"b\" # \"\n", `"a\"b"`, "c", `"c"`},
		{"a: 1\r\n\U0001F600: 1\r\nk:   \"x\"\r\n", `"x"`, "y\\", `"y\\"`},
		{"a: \"\u2028\"\nk: b\n", "b", "c", "c"},
		{"k: |\n  a\n", "", "", ""},
		{"k: >-\n  a\n", "", "", ""},
		{"k: a\n  b\n", "", "", ""},
		{"k: \"a\n  b\"\n", "", "", ""},
		{"k: !!str a\n", "", "", ""},
		{"k: [a]\n", "", "", ""},
		{"k:\n", "", "", ""},
	} {
		root, err := Parse([]byte(test.text))
		if err != nil {
			t.Fatalf("%q: %v", test.text, err)
		}
		node, source := root.Get("k"), NewSource([]byte(test.text))
		start, end, ok := source.Span(node)
		if ok != (test.span != "") || ok && test.text[start:end] != test.span {
			t.Errorf("%q: got %d to %d, %t", test.text, start, end, ok)
			continue
		}
		if !ok {
			continue
		}
		if got := Requote(node, test.now); got != test.written {
			t.Errorf("%q: %s is written %s, not %s", test.text, test.now, got, test.written)
		}
		changed := test.text[:start] + test.written + test.text[end:]
		if again, err := Parse([]byte(changed)); err != nil || again.Get("k").Value() != test.now {
			t.Errorf("%q: %v", changed, err)
		}
		if start := source.LineStart(node); start > 0 && test.text[start-1] != '\n' {
			t.Errorf("%q: a line begins at %d", test.text, start)
		}
	}
}
