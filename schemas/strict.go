package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-standards/git-standards/engine/fault"
)

// The bounds of a document: its bytes, its keys and values, how deep they are nested, the digits of a number. Every
// number of the interface is an integer, and none is long.
const (
	MaxDocument = 16 << 20
	MaxValues   = 1 << 18
	maxDepth    = 64
	maxNumber   = 64
)

// strict reads one JSON value and refuses what two readers could take for two things: a key twice, a lone surrogate,
// invalid UTF-8, anything after the value; and what would cost too much: size, number, depth,
// numbers with exponents.
func strict(document []byte) (any, error) {
	switch {
	case len(document) > MaxDocument:
		return nil, refuse("TOO_LARGE", nil, "found %d bytes; at most %d are read", len(document), MaxDocument)
	case !utf8.Valid(document):
		return nil, refuse("ENCODING", nil, "the text is not UTF-8")
	}
	if wrong := syntaxError(document); wrong != nil {
		switch at := int(wrong.Offset); {
		case strings.Contains(wrong.Error(), "exceeded max depth"): // the library's own bound, which is above ours
			_, err := newReader(document).value()
			return nil, err
		case strings.Contains(wrong.Error(), "unexpected end"):
			return nil, refuse("SYNTAX", nil, "the text is not one JSON value: it ends too early, after %s", count(len(document), "byte"))
		default:
			found, _ := utf8.DecodeRune(document[at-1:])
			return nil, refuse("SYNTAX", nil, "the text is not one JSON value: found %q at byte %d of %d, where none can stand", string(found), at, len(document))
		}
	}
	if at := loneSurrogate(document); at >= 0 {
		return nil, refuse("ENCODING", nil, "the escape at byte %d is half of a surrogate pair", at)
	}
	return newReader(document).value()
}

// syntaxError is why a text is not one JSON value, or nil.
func syntaxError(document []byte) *json.SyntaxError {
	var whole json.RawMessage
	var syntax *json.SyntaxError
	errors.As(json.Unmarshal(document, &whole), &syntax)
	return syntax
}

func newReader(document []byte) *reader {
	r := &reader{decoder: json.NewDecoder(bytes.NewReader(document))}
	r.decoder.UseNumber()
	return r
}

func refuse(code string, path []string, format string, args ...any) error {
	return fault.New(fault.Invalid, "JSON."+code, pointer(path), format, args...)
}

// loneSurrogate returns the offset of the first \u escape of half a pair in valid JSON text, or -1: the standard
// library would read it as U+FFFD, so that two documents became one.
func loneSurrogate(text []byte) int {
	unit := func(i int) (uint64, bool) {
		if i+6 > len(text) || text[i] != '\\' || text[i+1] != 'u' {
			return 0, false
		}
		n, err := strconv.ParseUint(string(text[i+2:i+6]), 16, 16)
		return n, err == nil
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		high, ok := unit(i)
		if !ok || high < 0xd800 || high > 0xdfff {
			i++ // the escaped character, which may itself be a backslash
			continue
		}
		if low, ok := unit(i + 6); !ok || high > 0xdbff || low < 0xdc00 || low > 0xdfff {
			return i
		}
		i += 11
	}
	return -1
}

type reader struct {
	decoder *json.Decoder
	path    []string
	values  int // keys and values read so far
}

func (r *reader) value() (any, error) {
	token, err := r.decoder.Token()
	if err != nil {
		return nil, refuse("SYNTAX", r.path, "the text is not one JSON value")
	}
	if r.values++; r.values > MaxValues {
		return nil, refuse("TOO_MANY", nil, "found more than %d keys and values", MaxValues)
	}
	switch t := token.(type) {
	case json.Number:
		if len(t) > maxNumber || strings.ContainsAny(string(t), ".eE") || t == "-0" {
			return nil, refuse("NUMBER", r.path, "found %s; allowed: an integer of at most %d digits", shorten(string(t)), maxNumber)
		}
	case json.Delim:
		if len(r.path) >= maxDepth {
			return nil, refuse("DEPTH", r.path, "nested deeper than %d", maxDepth)
		}
		if t == '{' {
			return r.object()
		}
		return r.array()
	}
	return token, nil
}

func (r *reader) object() (any, error) {
	object := map[string]any{}
	for r.decoder.More() {
		token, err := r.decoder.Token()
		key, ok := token.(string)
		if err != nil || !ok {
			return nil, refuse("SYNTAX", r.path, "the text is not one JSON value")
		}
		r.values++
		r.path = append(r.path, key)
		if _, twice := object[key]; twice {
			return nil, refuse("DUPLICATE_KEY", r.path, "the key %s stands twice in one object", shorten(strconv.Quote(key)))
		}
		if object[key], err = r.value(); err != nil {
			return nil, err
		}
		r.path = r.path[:len(r.path)-1]
	}
	return object, r.end()
}

func (r *reader) array() (any, error) {
	array := []any{}
	for r.decoder.More() {
		r.path = append(r.path, strconv.Itoa(len(array)))
		item, err := r.value()
		if err != nil {
			return nil, err
		}
		array = append(array, item)
		r.path = r.path[:len(r.path)-1]
	}
	return array, r.end()
}

func (r *reader) end() error {
	if _, err := r.decoder.Token(); err != nil && err != io.EOF {
		return refuse("SYNTAX", r.path, "the text is not one JSON value")
	}
	return nil
}

var escapePointer = strings.NewReplacer("~", "~0", "/", "~1")

// pointer writes a place as RFC 6901 does in a URI fragment, without percent escapes: "#" is the whole document.
func pointer(path []string) string {
	var b strings.Builder
	b.WriteByte('#')
	for _, step := range path {
		b.WriteByte('/')
		b.WriteString(escapePointer.Replace(shorten(step)))
	}
	return b.String()
}

// count writes a number of things.
func count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + one + "s"
}

const shown = 80

// shorten keeps a message short, whatever the document holds.
func shorten(s string) string {
	if len(s) <= shown {
		return s
	}
	return strings.ToValidUTF8(s[:shown], "") + "…"
}
