package identity

import (
	"fmt"
	"math/big"
	"strconv"
	"unicode/utf8"
)

// Decode reads the canonical text of one value and refuses any other bytes: white space, a key out of order or twice,
// a needless escape, a leading zero, a float, invalid UTF-8, trailing bytes. Integers come back as int64 where they
// fit, else as *big.Int; lists as List, objects as Record. Every refusal wraps ErrEncoding and names its offset.
func Decode(text []byte) (any, error) {
	d := decoder{text: text}
	value, err := d.value(0)
	if err != nil {
		return nil, err
	}
	if d.at != len(text) {
		return nil, d.refuse("bytes after the value")
	}
	return value, nil
}

type decoder struct {
	text []byte
	at   int
}

func (d *decoder) refuse(why string) error {
	return fmt.Errorf("offset %d: %s: %w", d.at, why, ErrEncoding)
}

func (d *decoder) peek() byte {
	if d.at < len(d.text) {
		return d.text[d.at]
	}
	return 0
}

func (d *decoder) literal(word string, value any) (any, error) {
	if end := d.at + len(word); end <= len(d.text) && string(d.text[d.at:end]) == word {
		d.at = end
		return value, nil
	}
	return nil, d.refuse("unknown literal")
}

func (d *decoder) value(depth int) (any, error) {
	if depth > MaxDepth {
		return nil, d.refuse("nesting too deep")
	}
	switch c := d.peek(); {
	case c == 'n':
		return d.literal("null", nil)
	case c == 't':
		return d.literal("true", true)
	case c == 'f':
		return d.literal("false", false)
	case c == '"':
		return d.string()
	case c == '[':
		return d.list(depth)
	case c == '{':
		return d.record(depth)
	case c == '-' || c >= '0' && c <= '9':
		return d.integer()
	}
	return nil, d.refuse("no value begins here")
}

func (d *decoder) integer() (any, error) {
	start := d.at
	if d.peek() == '-' {
		d.at++
	}
	digits := d.at
	for c := d.peek(); c >= '0' && c <= '9'; c = d.peek() {
		d.at++
	}
	text := string(d.text[start:d.at])
	switch {
	case d.at == digits:
		return nil, d.refuse("sign without digits")
	case d.at-digits > MaxDigits:
		return nil, d.refuse("integer too long")
	case d.text[digits] == '0' && (d.at > digits+1 || digits > start):
		return nil, d.refuse("leading zero")
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return nil, d.refuse("not an integer")
	}
	return n, nil
}

func (d *decoder) string() (string, error) {
	d.at++ // the opening quote
	var out []byte
	for {
		start := d.at
		for d.at < len(d.text) && d.text[d.at] >= 0x20 && d.text[d.at] != '"' && d.text[d.at] != '\\' {
			d.at++
		}
		out = append(out, d.text[start:d.at]...)
		switch d.peek() {
		case '"':
			d.at++
			if !utf8.Valid(out) {
				return "", d.refuse("string is not UTF-8")
			}
			return string(out), nil
		case '\\':
			c, err := d.escape()
			if err != nil {
				return "", err
			}
			out = append(out, c)
		default:
			return "", d.refuse("string without end, or a control character in it")
		}
	}
}

// escape reads one of the escapes that Encode writes: \" \\ and \u00xx below 0x20 in lower case.
func (d *decoder) escape() (byte, error) {
	rest := d.text[d.at:]
	if len(rest) >= 2 && (rest[1] == '"' || rest[1] == '\\') {
		d.at += 2
		return rest[1], nil
	}
	if len(rest) >= 6 && string(rest[:4]) == `\u00` {
		high, low := hexValue(rest[4]), hexValue(rest[5])
		if high >= 0 && high < 2 && low >= 0 {
			d.at += 6
			return byte(high<<4 | low), nil
		}
	}
	return 0, d.refuse("escape that the encoding never writes")
}

func hexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

func (d *decoder) list(depth int) (any, error) {
	d.at++
	list := List{}
	if d.peek() == ']' {
		d.at++
		return list, nil
	}
	for {
		item, err := d.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, item)
		switch d.peek() {
		case ',':
			d.at++
		case ']':
			d.at++
			return list, nil
		default:
			return nil, d.refuse("list without end")
		}
	}
}

func (d *decoder) record(depth int) (any, error) {
	d.at++
	record := Record{}
	if d.peek() == '}' {
		d.at++
		return record, nil
	}
	for last := ""; ; {
		if d.peek() != '"' {
			return nil, d.refuse("object key expected")
		}
		key, err := d.string()
		if err != nil {
			return nil, err
		}
		if len(record) > 0 && key <= last {
			return nil, d.refuse("object keys repeated or out of order")
		}
		last = key
		if d.peek() != ':' {
			return nil, d.refuse("colon expected")
		}
		d.at++
		if record[key], err = d.value(depth + 1); err != nil {
			return nil, err
		}
		switch d.peek() {
		case ',':
			d.at++
		case '}':
			d.at++
			return record, nil
		default:
			return nil, d.refuse("object without end")
		}
	}
}
