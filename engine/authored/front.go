package authored

import "bytes"

// front is where the front matter of a Markdown file holds the key `standard` (RULES A6).
type front struct {
	standard []byte // the lines of the key and its value
	line     int    // of the key
	repeated int    // line of a second one, or 0
	after    int    // line of the key that ends the value, or 0
	afterKey string // that key
	body     int    // offset of the first byte after the closing line; -1 when there is none
}

// findFront looks for the key line by line, because the rest of the front matter belongs to other tools and need not
// even be YAML that we would read. The value ends at the next line that begins something else in column 0.
func findFront(data []byte) (front, bool) {
	f := front{body: -1}
	text := bytes.TrimPrefix(data, []byte("\ufeff"))
	start, within := -1, false
	number := 0
	for at := 0; at < len(text); {
		end := len(text)
		if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		line := bytes.TrimRight(text[at:end], " \t\r\n")
		number++
		switch {
		case number == 1:
			if string(line) != "---" {
				return f, false
			}
		case string(line) == "---":
			if within {
				f.standard = text[start:at]
			}
			f.body = len(data) - len(text) + end
			return f, f.line > 0
		case isStandardKey(line):
			if f.line == 0 {
				f.line, start, within = number, at, true
			} else if f.repeated == 0 {
				f.repeated = number
			}
			if f.line != number && within {
				f.standard, within = text[start:at], false
			}
		case within && len(line) > 0 && !bytes.ContainsRune([]byte(" \t#}]-"), rune(line[0])):
			f.standard, within = text[start:at], false
			key, _, _ := bytes.Cut(line, []byte(":"))
			f.after, f.afterKey = number, string(key)
		}
		at = end
	}
	if within {
		f.standard = text[start:]
	}
	return f, f.line > 0
}

func isStandardKey(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("standard:"))
	return ok && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t')
}

// IsModule reports whether a Markdown file is a module: a line `standard:` begins in column 0 between its first line
// `---` and the closing one or the end of the file (RULES A6). A byte order mark, CRLF and blanks after `---` are
// admitted. No other file is ever parsed.
func IsModule(data []byte) bool {
	_, ok := findFront(data)
	return ok
}

// MayWatch reports whether a module may declare an edge on: [policy, consumer]. False is certain and found without parsing: the word
// consumer stands alone nowhere in its front matter, nor an escape that could spell it.
func MayWatch(data []byte) bool {
	f, ok := findFront(data)
	if !ok {
		return false
	}
	if bytes.IndexByte(f.standard, '\\') >= 0 {
		return true
	}
	word := []byte("consumer")
	for text := f.standard; ; {
		at := bytes.Index(text, word)
		if at < 0 {
			return false
		}
		text = text[at+len(word):]
		if !bytes.HasPrefix(text, []byte("s:")) {
			return true
		}
	}
}

// Body returns a Markdown file without its front matter, byte for byte.
func Body(data []byte) []byte {
	if f, ok := findFront(data); ok && f.body >= 0 {
		return data[f.body:]
	}
	return data
}
