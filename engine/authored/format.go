package authored

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// recordOrder is the order in which people read a question record. Keys that are not in it follow, sorted.
var recordOrder = []string{
	"recipe", "kind", "reason", "unit", "module", "declaration", "revision", "structure", "relation", "program", "consumer", "bytes",
}

// FormatDecision writes d as a decision file that ParseDecision reads back as d, d.File aside, with the same bytes for
// equal decisions. A decision that ParseDecision would not read back so is refused: invalid, with the first finding,
// or unsupported when it is signed, a waiver or of a kind that is not judged yet.
func FormatDecision(d Decision) ([]byte, error) {
	var w writer
	w.text("questions:")
	for _, question := range d.Questions {
		record, ok := question.(identity.Record)
		if !ok {
			return nil, fault.New(fault.Invalid, "DECISION.QUESTIONS", d.File, "a question must be a record, not %T", question)
		}
		w.block("\n  - ", "\n    ", record)
	}
	if len(d.Questions) == 0 {
		w.text(" []")
	}
	w.field("kind", d.Kind)
	if d.Result != "" {
		w.field("result", d.Result)
	}
	if d.Value != nil || d.Result == "" {
		w.text("\nvalue: ")
		w.flow(d.Value)
	}
	w.text("\nrationale: ")
	w.prose(d.Rationale)
	w.field("principal", d.Principal)
	if len(d.Evidence) > 0 {
		w.text("\nevidence:")
	}
	for _, e := range d.Evidence {
		record := identity.Record{"sha256": e.SHA256}
		if e.Path != "" {
			record["path"] = e.Path
		}
		w.block("\n  - ", "\n    ", record)
	}
	if d.Signature != "" {
		w.text("\nsignature: ")
		w.prose(d.Signature)
	}
	w.text("\n")
	if w.err != nil {
		return nil, fault.New(fault.Invalid, "DECISION.VALUE", d.File, "the decision cannot be written").Because(w.err)
	}
	text := []byte(w.out.String())
	_, findings := ParseDecision(d.File, text)
	if len(findings) == 0 {
		return text, nil
	}
	first, outcome := findings[0], fault.Unsupported
	for _, f := range findings {
		if !f.Unsupported {
			first, outcome = f, fault.Invalid
			break
		}
	}
	return nil, fault.New(outcome, first.Code, d.File, "the decision cannot be written: %s", first.Message).Hint(first.Next)
}

// writer writes the YAML of decisions. It is our own, so that the bytes do not depend on a library's version.
type writer struct {
	out strings.Builder
	err error
}

func (w *writer) text(s string) { w.out.WriteString(s) }

func (w *writer) field(key, value string) {
	w.text("\n" + key + ": ")
	w.scalar(value)
}

// block writes a record as one line a key; first and next are what comes before the first key and the others.
func (w *writer) block(first, next string, record identity.Record) {
	if len(record) == 0 {
		w.text(first + "{}")
	}
	for i, key := range recordKeys(record) {
		if i == 0 {
			w.text(first)
		} else {
			w.text(next)
		}
		if w.key(key) {
			w.text(next)
		}
		w.text(": ")
		w.flow(record[key])
	}
}

// longKey is where a key is written behind a question mark: YAML reads no other key of more than 1024 characters.
const longKey = 128

// key writes a key and reports whether it was a long one.
func (w *writer) key(key string) bool {
	if len(key) > longKey {
		w.text("? ")
	}
	w.scalar(key)
	return len(key) > longKey
}

func recordKeys(record identity.Record) []string {
	keys := slices.Sorted(maps.Keys(record))
	rank := func(key string) int {
		if i := slices.Index(recordOrder, key); i >= 0 {
			return i
		}
		return len(recordOrder)
	}
	slices.SortStableFunc(keys, func(a, b string) int { return rank(a) - rank(b) })
	return keys
}

// flow writes a value on one line.
func (w *writer) flow(value any) {
	switch v := value.(type) {
	case nil:
		w.text("null")
	case bool:
		w.text(strconv.FormatBool(v))
	case int64:
		w.text(strconv.FormatInt(v, 10))
	case string:
		w.scalar(v)
	case identity.List:
		w.text("[")
		for i, item := range v {
			if i > 0 {
				w.text(", ")
			}
			w.flow(item)
		}
		w.text("]")
	case identity.Record:
		w.text("{")
		for i, key := range recordKeys(v) {
			if i > 0 {
				w.text(", ")
			}
			if w.key(key) {
				w.text(" ")
			}
			w.text(": ")
			w.flow(v[key])
		}
		w.text("}")
	default:
		w.err = fmt.Errorf("a decision cannot hold a value of type %T", value)
	}
}

// scalar writes a string plain where every reader of YAML, the old ones too, takes it for that string, else quoted.
func (w *writer) scalar(s string) {
	if !utf8.ValidString(s) {
		w.err = fmt.Errorf("the string %q is not UTF-8", s)
	}
	if isPlain(s) {
		w.text(s)
		return
	}
	w.text(`"`)
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			w.text(`\` + string(c))
		case c == '\n':
			w.text(`\n`)
		case c == '\t':
			w.text(`\t`)
		case isPrintable(c):
			w.text(string(c))
		case c <= 0xFF:
			w.text(fmt.Sprintf(`\x%02x`, c))
		case c <= 0xFFFF:
			w.text(fmt.Sprintf(`\u%04x`, c))
		default:
			w.text(fmt.Sprintf(`\U%08x`, c))
		}
	}
	w.text(`"`)
}

// isPrintable is what YAML lets stand in a text unescaped, line ends and the byte order mark aside.
func isPrintable(c rune) bool {
	switch {
	case c >= 0x20 && c < 0x7F:
		return true
	case c == 0x2028 || c == 0x2029 || c == 0xFEFF:
		return false
	}
	return c >= 0xA0 && c <= 0xD7FF || c >= 0xE000 && c <= 0xFFFD || c >= 0x10000 && c <= 0x10FFFF
}

// isPlain admits a letter, then letters, digits and . _ / @ + - and single blanks and colons inside, and none of the
// words that some YAML takes for a boolean or null.
func isPlain(s string) bool {
	if s == "" || len(s) > 500 {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		inside := i > 0 && i+1 < len(s) && s[i+1] != ' ' && s[i+1] != ':'
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		case i > 0 && (c >= '0' && c <= '9' || strings.IndexByte("._/@+-", c) >= 0):
		case inside && (c == ' ' || c == ':'):
		default:
			return false
		}
	}
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null":
		return false
	}
	return true
}

// prose writes a text as a literal block when it has several lines and a block says exactly that text.
func (w *writer) prose(s string) {
	if !utf8.ValidString(s) {
		w.scalar(s)
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
		w.scalar(s)
		return
	}
	w.text("|")
	if body == s {
		w.text("-")
	}
	for line := range strings.SplitSeq(body, "\n") {
		w.text("\n")
		if line != "" {
			w.text("  " + line)
		}
	}
}
