package reading_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/reading/readingtest"
)

func TestTreeIsYAMLAsJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"a: 1\n", `map[string]interface {}{"a":"1"}`}, // json.Number
		{"- 012\n- 0x1F\n- 1.5\n- 12e4567\n- -0\n- +1\n- " + strings.Repeat("1", 65) + "\n",
			`[]interface {}{"012", "0x1F", "1.5", "12e4567", "-0", "+1", "` + strings.Repeat("1", 65) + `"}`},
		{"[true, false, True, yes, null, ~, '1', \"true\", !!str 1]\n",
			`[]interface {}{true, false, "True", "yes", interface {}(nil), interface {}(nil), "1", "true", "1"}`},
		{"{\"a\": [], b: {}, c: }\n", `map[string]interface {}{"a":[]interface {}{}, "b":map[string]interface {}{}, "c":interface {}(nil)}`},
		{"|\n  x\n  y\n", `"x\ny\n"`},
	} {
		tree, findings := reading.Tree("f", []byte(c.text))
		if len(findings) > 0 || fmt.Sprintf("%#v", tree.Value) != c.want {
			t.Errorf("%q: %s\ngot  %#v\nwant %s", c.text, readingtest.Codes(findings), tree, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"", "1 YAML.SYNTAX"},
		{"a: 1\nb: {c: 1,\n c: 2}\na: 2\n", "3 YAML.KEY_REPEATED, 4 YAML.KEY_REPEATED"},
		{"a: &x 1\nb: *x\n", "1 YAML.ALIAS, 2 YAML.ALIAS"},
		{"1: a\ntrue: b\n? [a]\n: c\n", "1 YAML.TYPE, 2 YAML.TYPE, 3 YAML.TYPE"},
		{"a: !x b\nb: !!int 1\n", "1 YAML.TYPE, 2 YAML.TYPE"},
	} {
		tree, findings := reading.Tree("f", []byte(c.text))
		readingtest.Check(t, findings)
		if got := readingtest.Codes(findings); got != c.want || tree != nil {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
	}
}

func TestTreePlaces(t *testing.T) {
	t.Parallel()
	tree, findings := reading.Tree("f", []byte("# c\na:\n  - {b: 12e4567, c: 'x'}\n  - true\n\"a/b\":\n  0123456\n"))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	for _, c := range []struct {
		path string
		key  bool
		want string
	}{
		{"", false, "2:1 false"},
		{"a", true, "2:1 false"},
		{"a", false, "3:3 false"},
		{"a 0 b", true, "3:6 true 12e4567"},
		{"a 0 b", false, "3:9 true 12e4567"},
		{"a 0 c", false, "3:21 false"},
		{"a 0 d", false, "3:5 false"}, // not there: the mapping
		{"a 1", false, "4:5 true true"},
		{"a 1", true, "4:5 true true"}, // an item has no key
		{"a 7", false, "3:3 false"},
		{"a/b", true, "5:1 true 0123456"},
		{"a/b", false, "6:3 true 0123456"},
		{"a/b x", false, "6:3 true 0123456"},
	} {
		path := strings.Fields(c.path)
		line, column := tree.Position(path, c.key)
		text, plain := tree.Text(path)
		got := fmt.Sprintf("%d:%d %v", line, column, plain)
		if plain {
			got += " " + text
		}
		if got != c.want {
			t.Errorf("%q (key %v): got %s, want %s", c.path, c.key, got, c.want)
		}
	}
}

func FuzzTree(f *testing.F) {
	for _, text := range []string{"a: 1\n", "[1, {a: b}]", "a: &x 1\nb: *x\n", "{\"a\": \"\\u0041\"}", "a: 1\na: 2\n", "? [a]\n: b\n", "- !!str 1\n- |\n x\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, findings := reading.Tree("f", data)
		readingtest.Check(t, findings)
		if (tree == nil) != (len(findings) > 0) {
			t.Fatalf("%v beside %s", tree, readingtest.Codes(findings))
		}
	})
}
