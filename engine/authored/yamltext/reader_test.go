package yamltext

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// newReader returns a reader that renders what it reports as "line CODE: message ~ next".
func newReader() (*Reader, *[]string) {
	var faults []string
	r := &Reader{}
	r.Report = func(line int, code, message, next string) {
		faults = append(faults, fmt.Sprintf("%d %s: %s ~ %s", line, code, message, next))
	}
	return r, &faults
}

// read reads any text as a value.
func read(text string) (any, []string) {
	r, faults := newReader()
	root := r.Load([]byte(text))
	if !root.IsGiven() {
		return nil, *faults
	}
	value, _ := r.Value(root, "the text")
	return value, *faults
}

// check compares what is reported with the beginnings of what should be.
func check(t *testing.T, name string, got []string, want ...string) {
	t.Helper()
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("%s:\ngot  %q\nwant %q", name, got, want)
	}
}

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"a mapping", "a: 1\nb: [x]\n", nil},
		{"byte order mark and CRLF", "\ufeffa: 1\r\nb:\r\n  - x\r\n", nil},
		{"empty", "", []string{"1 YAML.SYNTAX: there is nothing in it ~ write its keys"}},
		{"comment only", "# a\n", []string{"1 YAML.SYNTAX: there is nothing in it"}},
		{"alias", "a: &a [x]\nb: *a\n", []string{"1 YAML.ALIAS: anchor &a", "2 YAML.ALIAS: alias *a"}},
		{"unknown alias", "a: 1\nb: *a\n", []string{"2 YAML.ALIAS: a value that begins with * is an alias"}},
		{"merge key", "a: 1\nb:\n  <<: {c: 1}\n", []string{"3 YAML.ALIAS: merge key"}},
		{"merge key in quotes", "b:\n  \"<<\": {c: 1}\n", nil},
		{"conflict", "a: 1\n<<<<<<< HEAD\nb: 1\n", []string{"2 YAML.CONFLICT"}},
		{"documents", "a: 1\n---\nb: 1\n", []string{"2 YAML.DOCUMENTS: more than one YAML document"}},
		{"garbage behind", "\"a\" b\n", []string{"1 YAML.SYNTAX"}},
		{"not UTF-8", "a: 1\nb: [\"\xff\"]\n", []string{"2 YAML.ENCODING"}},
		{"a tab", "a:\n  b: 1\n\tc: 1\n", []string{"3 YAML.SYNTAX: a tab stands where YAML wants blanks ~ indent with blanks"}},
	} {
		r, faults := newReader()
		root := r.Load([]byte(test.text))
		check(t, test.name, *faults, test.want...)
		if root.IsGiven() != (test.want == nil) {
			t.Errorf("%s: a root is given: %t", test.name, root.IsGiven())
		}
	}
}

// Hostile text costs bounded time, and is refused by name.
func TestLoadIsBounded(t *testing.T) {
	t.Parallel()
	bomb := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c < 'z'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s*%c]\n", c, c, strings.Repeat(fmt.Sprintf("*%c, ", c-1), 8), c-1)
	}
	started := time.Now()
	for _, test := range []struct{ text, want string }{
		{strings.Repeat(" ", MaxBytes+1), "1 YAML.TOO_BIG: 1048577 bytes of YAML; at most 1048576 are read ~ split it"},
		{strings.Repeat("[", 100) + strings.Repeat("]", 100), "1 YAML.TOO_DEEP: nesting deeper than 64 levels"},
		{strings.Repeat("[", 20000), "1 YAML.TOO_DEEP"},
		{bomb, "1 YAML.ALIAS"},
	} {
		r, faults := newReader()
		if r.Load([]byte(test.text)).IsGiven() || !strings.HasPrefix((*faults)[0], test.want) {
			t.Errorf("%.20q: %.200q", test.text, *faults)
		}
	}
	if took := time.Since(started); took > time.Minute { // an expanded bomb takes for ever
		t.Error(took)
	}
}

// A line that is wrong is found in a long text, and the text costs a bounded number of readings.
func TestSyntaxLineInALongText(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&text, "k%d:\n  a: [b]\n", i)
	}
	text.WriteString("k: \n  a: b\n c: d\n")
	r, faults := newReader()
	r.Offset = 7
	r.Load([]byte(text.String() + "z: 1\n"))
	check(t, "long", *faults, "40010 YAML.SYNTAX")
}

// Keys reads as a tool does that knows nothing of our rules: aliases, repeated documents and odd keys do not matter.
func TestKeys(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text, keys string
		line       int
		err        string
	}{
		{"a: 1\n\"b c\": &x 2\nd: *x\n", "a|b c|d", 0, ""},
		{"", "", 0, ""},
		{"# c\n", "", 0, ""},
		{"~\n", "", 0, ""},
		{"a: 1\n---\n- b\n", "a", 0, ""},
		{"\n- a\n", "", 2, ErrNoMapping.Error()},
		{"words\n", "", 1, ErrNoMapping.Error()},
		{"a: 1\nb: [\n", "", 2, "did not find expected node content"},
		{strings.Repeat("#", MaxBytes+1), "", 1, "1048577 bytes; at most 1048576 are read"},
	} {
		keys, line, err := Keys([]byte(test.text))
		if strings.Join(keys, "|") != test.keys || line != test.line || (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
			t.Errorf("%.20q: %q on line %d: %v", test.text, keys, line, err)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte("a: &a\n  - *a\n? x\n: |\n y\n"))
	f.Add([]byte("- {k: [1, ~, 'a', \"\\u0085\"]}\n- !!str 1\n- 0x1\n"))
	f.Add([]byte("\ufeffa: 1\r\n---\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 {
			return
		}
		r, faults := newReader()
		root := r.Load(data)
		if root.IsGiven() == (len(*faults) > 0) {
			t.Fatalf("a root and faults, or neither: %q", *faults)
		}
		if !root.IsGiven() {
			return
		}
		value, ok := r.Value(root, "the text")
		if ok != (len(*faults) == 0) {
			t.Fatalf("ok %t: %q", ok, *faults)
		}
		if !ok {
			return
		}
		var w Writer
		if w.Flow(value); w.Err() != nil {
			t.Fatal(w.Err())
		}
		if back, faults := read(w.String()); faults != nil || fmt.Sprintf("%#v", back) != fmt.Sprintf("%#v", value) {
			t.Fatalf("%#v is read back as %#v: %q\n%s", value, back, faults, w.String())
		}
	})
}
