package schemas

import (
	"bytes"
	"encoding/json"
)

// object is a JSON object that keeps the order of its keys: the order of a schema's text is the order of what is made
// from it.
type object struct {
	keys []string
	of   map[string]any
}

func (o *object) set(key string, value any) {
	if _, known := o.of[key]; !known {
		o.keys = append(o.keys, key)
	}
	o.of[key] = value
}

// MarshalJSON writes the object in its own order.
func (o *object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for i, key := range o.keys {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := encoder.Encode(key); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := encoder.Encode(o.of[key]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// parse reads a text that strict has passed: *object, []any, string, json.Number, bool or nil, nested.
func parse(text []byte) any {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return parseValue(decoder)
}

func parseValue(decoder *json.Decoder) any {
	token := mustToken(decoder)
	switch token {
	case json.Delim('{'):
		o := &object{of: map[string]any{}}
		for decoder.More() {
			key := mustToken(decoder).(string)
			o.set(key, parseValue(decoder))
		}
		mustToken(decoder)
		return o
	case json.Delim('['):
		list := []any{}
		for decoder.More() {
			list = append(list, parseValue(decoder))
		}
		mustToken(decoder)
		return list
	}
	return token
}

func mustToken(decoder *json.Decoder) json.Token {
	token, err := decoder.Token()
	if err != nil {
		panic("internal error: a text that was read strictly is no JSON: " + err.Error())
	}
	return token
}
