// Package identity is identity encoding v2 and the hash frame: how a closed record becomes bytes, and bytes an id.
//
// It promises that a record has exactly one encoding, that Decode accepts exactly the bytes Encode gives, and that an
// id depends on the domain, the kind and the record and on nothing else. It knows no domain, orders no list and
// normalizes no text: those are their owners' (doc/identity.md; seed 004, "Identity").
package identity

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Record is an object: its keys are encoded in scalar order, whatever order they were set in.
type Record = map[string]any

// List is an array, encoded in the order given.
type List = []any

// Texts is a list of strings, in the order given.
func Texts(list []string) List {
	out := make(List, len(list))
	for i, item := range list {
		out[i] = item
	}
	return out
}

// ErrEncoding is wrapped by every refusal of this package: the value or the bytes are outside identity encoding v2.
var ErrEncoding = errors.New("not identity encoding v2")

// MaxDepth bounds nesting, so that hostile bytes cannot exhaust the stack; MaxDigits bounds one integer, because reading
// decimal digits costs the square of their number.
const (
	MaxDepth  = 64
	MaxDigits = 16_384
)

// Encode returns the canonical text of value: nil, bool, int, int64, *big.Int, string, List or Record, nested.
// Any other type (floats among them), invalid UTF-8 and what is beyond MaxDepth or MaxDigits wrap ErrEncoding.
func Encode(value any) ([]byte, error) {
	return appendValue(nil, value, 0)
}

func appendValue(b []byte, value any, depth int) ([]byte, error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("nesting deeper than %d: %w", MaxDepth, ErrEncoding)
	}
	switch v := value.(type) {
	case nil:
		return append(b, "null"...), nil
	case bool:
		return strconv.AppendBool(b, v), nil
	case int:
		return strconv.AppendInt(b, int64(v), 10), nil
	case int64:
		return strconv.AppendInt(b, v, 10), nil
	case *big.Int:
		if v == nil {
			return nil, fmt.Errorf("nil integer: %w", ErrEncoding)
		}
		return appendInteger(b, v)
	case string:
		return appendString(b, v)
	case List:
		return appendList(b, v, depth)
	case Record:
		return appendRecord(b, v, depth)
	}
	return nil, fmt.Errorf("value of type %T: %w", value, ErrEncoding)
}

func appendInteger(b []byte, n *big.Int) ([]byte, error) {
	start := len(b)
	b = n.Append(b, 10)
	if digits := len(b) - start; digits > MaxDigits+1 || digits > MaxDigits && n.Sign() > 0 {
		return nil, fmt.Errorf("integer of more than %d digits: %w", MaxDigits, ErrEncoding)
	}
	return b, nil
}

func appendList(b []byte, list List, depth int) ([]byte, error) {
	b = append(b, '[')
	var err error
	for i, item := range list {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendValue(b, item, depth+1); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func appendRecord(b []byte, record Record, depth int) ([]byte, error) {
	// Byte order of valid UTF-8 is scalar order, so plain string comparison sorts the keys.
	keys := make([]string, 0, len(record))
	for key := range record {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	b = append(b, '{')
	var err error
	for i, key := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendString(b, key); err != nil {
			return nil, err
		}
		b = append(b, ':')
		if b, err = appendValue(b, record[key], depth+1); err != nil {
			return nil, fmt.Errorf("%q: %w", key, err)
		}
	}
	return append(b, '}'), nil
}

const hexDigits = "0123456789abcdef"

func appendString(b []byte, s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		return nil, fmt.Errorf("string %q is not UTF-8: %w", s, ErrEncoding)
	}
	b = append(b, '"')
	plain := 0 // where the run of bytes that need no escape begins
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[plain:i]...)
		plain = i + 1
		if c < 0x20 {
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		} else {
			b = append(b, '\\', c)
		}
	}
	b = append(b, s[plain:]...)
	return append(b, '"'), nil
}
