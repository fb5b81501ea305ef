package yamltext

import (
	"fmt"
	"testing"
)

// The kinds are those of the core schema of YAML 1.2.2, section 10.3.2, whose table of expressions the rows follow.
func TestKind(t *testing.T) {
	t.Parallel()
	for kind, texts := range map[string][]string{
		KindNull:                 {"null", "Null", "NULL", "~", ""},
		KindBool:                 {"true", "True", "TRUE", "false", "False", "FALSE"},
		KindInt:                  {"0", "-0", "+12", "007", "0o17", "0x3aF", "99999999999999999999"},
		KindFloat:                {"1.", "1.5", ".5", "-1e3", "1E+3", "12e03", ".inf", "-.INF", "+.Inf", ".nan", ".NaN"},
		KindString:               {"yes", "no", "on", "nULL", "tRUE", "2026-01-01", "1_000", "0b1", "0o8", "0xg", "1:30", "-a", "a", "'1'", `"true"`, "''", "!!str 1", "=", "1.5.1", "+.nan"},
		KindList:                 {"[]", "[a]"},
		KindMapping:              {"{}", "{a: b}"},
		`a value tagged "!!int"`: {"!!int 1"},
		`a value tagged "!x"`:    {"!x a", "!x [a]"},
		`a value tagged "!!map"`: {"!!map {a: b}"},
	} {
		for _, text := range texts {
			root, err := Parse([]byte("k: " + text + "\n"))
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			if got := root.Get("k").Kind(); got != kind {
				t.Errorf("%q is %s, not %s", text, got, kind)
			}
		}
	}
}

func TestMapping(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"whole", "must: x\nmay: y\n", nil},
		{"no mapping", "- a\n", []string{"1 YAML.TYPE: the text must be a mapping, not a list ~ write its keys on indented lines"}},
		{"missing", "may: y\n", []string{`1 YAML.KEY_MISSING: the text needs the key "must" ~ add must: as shown`}},
		{"missing of several", "{}\n", []string{`1 YAML.KEY_MISSING: the text needs the key "must" ~ add must: as shown`}},
		{"unknown", "must: x\nmust-not: y\n", []string{`2 YAML.KEY_UNKNOWN: the text has no key "must-not" ~ use one of must, may`}},
		{"misspelt", "must: x\nmey: y\n", []string{`2 YAML.KEY_UNKNOWN: the text has no key "mey"; did you mean "may"? ~ rename it to may`}},
		{"repeated", "must: x\nmay: y\nmust: z\n", []string{`3 YAML.KEY_REPEATED: key "must" of the text stands on line 1 already ~ keep one of them`}},
		{"repeated with other quotes", "must: x\n\"must\": z\n", []string{`2 YAML.KEY_REPEATED`}},
		{"unknown and repeated", "must: x\nxxxx: 1\nxxxx: 1\n", []string{"2 YAML.KEY_UNKNOWN", "3 YAML.KEY_REPEATED"}},
		{"key of another kind", "must: x\n1: y\n", []string{`2 YAML.TYPE: a key of the text must be a string, not an integer ~ put quotes around "1"`}},
	} {
		r, faults := newReader()
		r.Examples = map[string]string{"must": "as shown"}
		f, ok := r.Mapping(r.Load([]byte(test.text)), "the text", 1, "must", "may")
		check(t, test.name, *faults, test.want...)
		if test.want == nil && (!ok || f.Get("must").Value() != "x" || r.Line(f.Get("may")) != 2 || r.Line(f.Keys["may"]) != 2 || f.Get("other").IsGiven()) {
			t.Errorf("%s: %+v", test.name, f)
		}
	}
}

// Each row reads `k: text`, or no value at all where the text is "-".
func TestValueReaders(t *testing.T) {
	t.Parallel()
	text := func(r *Reader, n Node) any { return r.Text(n, "k") }
	line := func(r *Reader, n Node) any { return r.OneLine(n, "k") }
	texts := func(r *Reader, n Node) any { return r.Texts(n, "k") }
	choice := func(r *Reader, n Node) any { return r.Choice(n, "k", "X.CODE", []string{"release", "preview"}) }
	integer := func(r *Reader, n Node) any { i, ok := r.Integer(n, "k"); return fmt.Sprint(i, " ", ok) }
	boolean := func(r *Reader, n Node) any { b, ok := r.Boolean(n, "k"); return fmt.Sprint(b, " ", ok) }
	for _, test := range []struct {
		read      func(*Reader, Node) any
		text, got string
		want      string
	}{
		{text, "a b", "a b", ""},
		{text, "-", "", ""},
		{text, "1", "", `1 YAML.TYPE: k must be a string, not an integer ~ put quotes around "1"`},
		{text, "' '", "", "1 YAML.TYPE: k is empty ~ write the text or remove the key"},
		{text, "", "", "1 YAML.TYPE: k must be a string, not nothing ~ write a text behind the key"},
		{line, `"a\tb"`, "", `1 YAML.TYPE: k "a\tb" holds a line end or a control character ~ write it on one line`},
		{line, "é", "é", ""},
		{texts, "[a, b]", "[a b]", ""},
		{texts, "[a, 1]", "[a]", "1 YAML.TYPE: an entry of k must be a string"},
		{texts, "a", "[]", "1 YAML.TYPE: k must be a list, not a string ~ write [a]"},
		{choice, "preview", "preview", ""},
		{choice, "relaese", "", `1 X.CODE: k cannot be "relaese"; did you mean "release"? ~ write release`},
		{choice, "zzz", "", `1 X.CODE: k cannot be "zzz" ~ use one of release, preview`},
		{integer, "-12", "-12 true", ""},
		{integer, "-", "0 false", ""},
		{integer, "012", "0 false", `1 YAML.TYPE: k: "012" is not a decimal integer of 64 bits ~ write it in plain decimal digits`},
		{integer, "0x1", "0 false", "1 YAML.TYPE"},
		{integer, "9223372036854775807", "9223372036854775807 true", ""},
		{integer, "9223372036854775808", "0 false", "1 YAML.TYPE"},
		{integer, "1_0", "0 false", "1 YAML.TYPE: k must be an integer, not a string ~ write a whole number, such as 1"},
		{integer, "'1'", "0 false", "1 YAML.TYPE: k must be an integer, not a string ~ write 1 without quotes"},
		{boolean, "true", "true true", ""},
		{boolean, "false", "false true", ""},
		{boolean, "True", "false false", `1 YAML.TYPE: k must be true or false, not "True" ~ write true or false`},
		{boolean, "yes", "false false", "1 YAML.TYPE: k must be a boolean, not a string ~ write true or false"},
	} {
		r, faults := newReader()
		var node Node
		if test.text != "-" {
			node = r.Load([]byte("k: " + test.text + "\n")).Get("k")
		}
		if got := fmt.Sprint(test.read(r, node)); got != test.got {
			t.Errorf("%q: got %s, want %s", test.text, got, test.got)
		}
		if test.want == "" {
			check(t, test.text, *faults)
		} else {
			check(t, test.text, *faults, test.want)
		}
	}
}

func TestValue(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text, got string
		want      []string
	}{
		{"{a: [1, ~, true, x], '1': {}}", `map[string]interface {}{"1":map[string]interface {}{}, "a":[]interface {}{1, interface {}(nil), true, "x"}}`, nil},
		{"[1.5]", "", []string{"1 YAML.TYPE: an entry of the text cannot be a number ~ use a string, an integer, a boolean"}},
		{"{a: 1, \"a\": 2}", "", []string{`1 YAML.KEY_REPEATED: key "a" of the text stands there twice`}},
		{"{a: !x 1, 2: True, b: 0x1}", "", []string{`1 YAML.TYPE: "a" cannot be a value tagged "!x"`, "1 YAML.TYPE: a key of the text", "1 YAML.TYPE: \"b\":"}},
	} {
		value, faults := read(test.text)
		check(t, test.text, faults, test.want...)
		if got := fmt.Sprintf("%#v", value); test.want == nil && got != test.got {
			t.Errorf("%s: got %s", test.text, got)
		}
	}
}
