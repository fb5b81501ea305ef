// Package front finds the key `standard` in the front matter of a Markdown file (RULES A6), and tells what is known of a module without reading
// it: whether it is one, which ids it may declare, where its body begins.
//
// It finds the key by lines, because the rest of the front matter belongs to other tools. It answers for every file, one that cannot be read
// among them, and says of none what is wrong with it.
package front

import "bytes"

// Matter is where the front matter of a Markdown file holds the key `standard`.
type Matter struct {
	Standard []byte // the lines of the key and its value
	Line     int    // of the key
	Repeated int    // line of a second one, or 0
	After    int    // line of the key that ends the value, or 0
	AfterKey string // that key
	Body     int    // offset of the first byte after the closing line; -1 when there is none
}

// Find looks for the key line by line, because the rest of the front matter belongs to other tools and need not
// even be YAML that we would read. The value ends at the next line that begins something else in column 0.
func Find(data []byte) (Matter, bool) {
	f := Matter{Body: -1}
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
				f.Standard = text[start:at]
			}
			f.Body = len(data) - len(text) + end
			return f, f.Line > 0
		case isStandardKey(line):
			if f.Line == 0 {
				f.Line, start, within = number, at, true
			} else if f.Repeated == 0 {
				f.Repeated = number
			}
			if f.Line != number && within {
				f.Standard, within = text[start:at], false
			}
		case within && len(line) > 0 && !bytes.ContainsRune([]byte(" \t#}]-"), rune(line[0])):
			f.Standard, within = text[start:at], false
			key, _, _ := bytes.Cut(line, []byte(":"))
			f.After, f.AfterKey = number, string(key)
		}
		at = end
	}
	if within {
		f.Standard = text[start:]
	}
	return f, f.Line > 0
}

func isStandardKey(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("standard:"))
	return ok && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t')
}

// IsModule reports whether a Markdown file is a module: a line `standard:` begins in column 0 between its first line
// `---` and the closing one or the end of the file (RULES A6). A byte order mark, CRLF and blanks after `---` are
// admitted. No other file is ever parsed.
func IsModule(data []byte) bool {
	_, ok := Find(data)
	return ok
}

// MayWatch reports whether a module may declare an edge on: [policy, consumer]. False is certain and found without parsing: the word
// consumer stands alone nowhere in its front matter, nor an escape that could spell it.
func MayWatch(data []byte) bool {
	f, ok := Find(data)
	if !ok {
		return false
	}
	if bytes.IndexByte(f.Standard, '\\') >= 0 {
		return true
	}
	word := []byte("consumer")
	for text := f.Standard; ; {
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
	if f, ok := Find(data); ok && f.Body >= 0 {
		return data[f.Body:]
	}
	return data
}

// LineEnding is the line end of the first line, "\n" where there is none.
func LineEnding(text []byte) string {
	if first, _, ok := bytes.Cut(text, []byte("\n")); ok && bytes.HasSuffix(first, []byte("\r")) {
		return "\r\n"
	}
	return "\n"
}
