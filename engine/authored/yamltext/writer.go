package yamltext

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Writer writes YAML. It is our own, so that the bytes do not depend on a library's version. The zero value is ready. What names
// what is written in errors; Order is the order of the keys of records, those that are not in it following, sorted.
type Writer struct {
	What  string
	Order []string

	out strings.Builder
	err error
}

// String returns what was written.
func (w *Writer) String() string { return w.out.String() }

// Err returns why what was written is not what was given, or nil: a string that is not UTF-8, or a value of a type that
// Flow does not know.
func (w *Writer) Err() error { return w.err }

// Raw writes text as it is.
func (w *Writer) Raw(text string) { w.out.WriteString(text) }

// Field writes a key that needs no quotes and its string on a line of their own, in column 0.
func (w *Writer) Field(key, value string) {
	w.Raw("\n" + key + ": ")
	w.Scalar(value)
}

// Block writes a record as one line a key; first and next are what comes before the first key and the others.
func (w *Writer) Block(first, next string, record map[string]any) {
	if len(record) == 0 {
		w.Raw(first + "{}")
	}
	for i, key := range w.keys(record) {
		if i == 0 {
			w.Raw(first)
		} else {
			w.Raw(next)
		}
		if w.key(key) {
			w.Raw(next)
		}
		w.Raw(": ")
		w.Flow(record[key])
	}
}

// longKey is where a key is written behind a question mark: YAML reads no other key of more than 1024 characters.
const longKey = 128

// key writes a key and reports whether it was a long one.
func (w *Writer) key(key string) bool {
	if len(key) > longKey {
		w.Raw("? ")
	}
	w.Scalar(key)
	return len(key) > longKey
}

func (w *Writer) keys(record map[string]any) []string {
	keys := slices.Sorted(maps.Keys(record))
	rank := func(key string) int {
		if i := slices.Index(w.Order, key); i >= 0 {
			return i
		}
		return len(w.Order)
	}
	slices.SortStableFunc(keys, func(a, b string) int { return rank(a) - rank(b) })
	return keys
}

// Flow writes a value on one line: nil, a bool, an int64, a string, a []any or a map[string]any of such values.
func (w *Writer) Flow(value any) {
	switch v := value.(type) {
	case nil:
		w.Raw("null")
	case bool:
		w.Raw(strconv.FormatBool(v))
	case int64:
		w.Raw(strconv.FormatInt(v, 10))
	case string:
		w.Scalar(v)
	case []any:
		w.Raw("[")
		for i, item := range v {
			if i > 0 {
				w.Raw(", ")
			}
			w.Flow(item)
		}
		w.Raw("]")
	case map[string]any:
		w.Raw("{")
		for i, key := range w.keys(v) {
			if i > 0 {
				w.Raw(", ")
			}
			if w.key(key) {
				w.Raw(" ")
			}
			w.Raw(": ")
			w.Flow(v[key])
		}
		w.Raw("}")
	default:
		w.err = fmt.Errorf("%s cannot hold a value of type %T", w.What, value)
	}
}

// Prose writes the text of a key in column 0, as a literal block when it has several lines and a block says exactly that text.
func (w *Writer) Prose(s string) {
	if !utf8.ValidString(s) {
		w.Scalar(s)
		return
	}
	body := strings.TrimSuffix(s, "\n")
	isLiteral := strings.Contains(body, "\n") && body[0] != ' ' && body[0] != '\n'
	for line := range strings.SplitSeq(body, "\n") {
		if strings.HasSuffix(line, " ") || strings.ContainsFunc(line, func(c rune) bool { return !isPrintable(c) }) {
			isLiteral = false
		}
	}
	if !isLiteral || strings.HasSuffix(body, "\n") {
		w.Scalar(s)
		return
	}
	w.Raw("|")
	if body == s {
		w.Raw("-")
	}
	for line := range strings.SplitSeq(body, "\n") {
		w.Raw("\n")
		if line != "" {
			w.Raw("  " + line)
		}
	}
}
