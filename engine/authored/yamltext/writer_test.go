package yamltext

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// hardStrings are the texts that YAML is known to take for something else.
var hardStrings = []string{
	"", "yes", "no", "on", "y", "1.0", "1", "0x1", "0o7", "null", "~", "2026-01-01", "true", ".inf", "1e3", "<<", "-", "- a", "? a",
	": a", "a: b", "a #b", "#a", "a:", "'a'", "\"a\"", "\\", "a\\", "&a", "*a", "!a", "%a", "@a", "`a", "{a}", "[a]", "a,b", "|", ">",
	"---", "...", "---\na\n", "a\n---\nb", " a", "a ", "\ta", "a\t", "a\tb", "a\nb", "a\nb\n", "a\nb\n\n", "\na\nb", " a\nb", "a\n b",
	"a \nb", "a\n \nb", "a\n\n\nb", "a\r\nb", "a\rb", "a\u0085b", "a\u2028b\nc", "\ufeffa", "a\ufeff", "\ufeffa\nb", "é", "日本\n語",
	"\U0001F600", "\uFFFE", "\uFFFF", "\U0010FFFF", "\x00", "\x7f", "\x1b[31m", "\uD7FF", "\uE000", "# a\n# b", "a\n# b", "a\n\tb",
	strings.Repeat("long ", 300) + "x", strings.Repeat("k", 1200), "a\n" + strings.Repeat("é", 2000),
}

func drawString(t *rapid.T, label string) string {
	switch rapid.IntRange(0, 3).Draw(t, label+" kind") {
	case 0, 1:
		return rapid.SampledFrom(hardStrings).Draw(t, label)
	case 2:
		glue := rapid.SampledFrom([]string{"", " ", "\n", ":", "#"}).Draw(t, "glue")
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(hardStrings), 1, 3).Draw(t, label), glue)
	}
	return rapid.StringN(-1, -1, 200).Draw(t, label)
}

func drawValue(t *rapid.T, depth int) any {
	most := 6
	if depth > 2 {
		most = 4
	}
	switch rapid.IntRange(0, most).Draw(t, "value kind") {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2:
		return rapid.Int64().Draw(t, "int")
	case 5:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			list = append(list, drawValue(t, depth+1))
		}
		return list
	case 6:
		return drawRecord(t, depth+1)
	}
	return drawString(t, "string")
}

func drawRecord(t *rapid.T, depth int) map[string]any {
	record := map[string]any{}
	for range rapid.IntRange(0, 4).Draw(t, "keys") {
		record[drawString(t, "key")] = drawValue(t, depth)
	}
	return record
}

// Whatever is written in any of the forms is read as what was given, and nothing is wrong with it.
func TestWriterRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		record, value := drawRecord(t, 0), drawValue(t, 0)
		field, prose := drawString(t, "field"), drawString(t, "prose")
		w := Writer{What: "a text", Order: []string{"yes", "a"}}
		w.Raw("rows:")
		w.Block("\n  - ", "\n    ", record)
		w.Field("field", field)
		w.Raw("\nprose: ")
		w.Prose(prose)
		w.Raw("\nvalue: ")
		w.Flow(value)
		if w.Err() != nil {
			t.Fatal(w.Err())
		}
		text := w.String() + "\n"
		want := map[string]any{"rows": []any{record}, "field": field, "prose": prose, "value": value}
		got, faults := read(text)
		if diff := cmp.Diff(want, got); diff != "" || faults != nil {
			t.Fatalf("%s\n%v\n%s", diff, faults, text)
		}
	})
}

// On one line a string stays on one line, in a form that needs no look at what stands around it.
func TestScalarIsOneLine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawString(t, "string")
		text := Scalar(s)
		if strings.ContainsAny(text, "\n\r\u0085\u2028\u2029") {
			t.Fatalf("%q", text)
		}
		got, faults := read("- {k: [" + text + ", " + text + "]}\n- " + text + "\n- " + FlowList([]string{s}) + "\n")
		want := []any{map[string]any{"k": []any{s, s}}, s, []any{s}}
		if diff := cmp.Diff(any(want), got); diff != "" || faults != nil {
			t.Fatalf("%s\n%v\n%s", diff, faults, text)
		}
	})
}

// The order of keys is that of Order, then that of the alphabet.
func TestWriterForms(t *testing.T) {
	t.Parallel()
	w := Writer{Order: []string{"z", "b"}}
	w.Flow(map[string]any{"a": nil, "c": int64(-1), "b": "no", "z": []any{true, "x y", ""}})
	w.Block("\n- ", "\n  ", map[string]any{"k": "v", "z": "12"})
	w.Block("\n- ", "\n  ", map[string]any{})
	w.Raw("\np: ")
	w.Prose("one\n two\n")
	want := "{z: [true, x y, \"\"], b: \"no\", a: null, c: -1}\n- z: \"12\"\n  k: v\n- {}\np: |\n  one\n   two"
	if got := w.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestWriterRefuses(t *testing.T) {
	t.Parallel()
	for want, value := range map[string]any{
		"a text cannot hold a value of type float64":     []any{1.5},
		`the string "\xff" is not UTF-8`:                 "\xff",
		"a text cannot hold a value of type map[int]int": map[string]any{"a": map[int]int{}},
	} {
		w := Writer{What: "a text"}
		if w.Flow(value); w.Err() == nil || w.Err().Error() != want {
			t.Errorf("%v: got %v, want %s", value, w.Err(), want)
		}
	}
}
