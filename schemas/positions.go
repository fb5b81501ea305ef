package schemas

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// places is where the wanted values of a JSON text stand, as a tree of the paths that lead to them. It is as large as what
// is wanted and not as the text.
type places struct {
	key, value [2]int // line and column
	below      map[string]*places
}

// locate finds where problems stand in strict JSON, in one pass.
func locate(document []byte, problems []problem) *places {
	root := &places{}
	for _, p := range problems {
		at := root
		for _, step := range p.path {
			at = at.child(step)
		}
		if p.key != "" {
			at.child(p.key)
		}
	}
	s := scanner{decoder: json.NewDecoder(bytes.NewReader(document)), text: document, line: 1}
	s.decoder.UseNumber()
	s.value(root)
	return root
}

func (p *places) child(step string) *places {
	if p.below == nil {
		p.below = map[string]*places{}
	}
	if p.below[step] == nil {
		p.below[step] = &places{}
	}
	return p.below[step]
}

// Position is that of Origin. What does not stand in the text is placed where the value around it begins.
func (p *places) Position(path []string, key bool) (line, column int) {
	for _, step := range path {
		next := p.below[step]
		if next == nil || next.value[0] == 0 {
			return p.value[0], p.value[1]
		}
		p = next
	}
	if key && p.key[0] > 0 {
		return p.key[0], p.key[1]
	}
	return p.value[0], p.value[1]
}

// Text is that of Origin: JSON writes a text in one way.
func (p *places) Text([]string) (string, bool) { return "", false }

// scanner walks through valid JSON and notes places; nil stands for one that nobody wants.
type scanner struct {
	decoder *json.Decoder
	text    []byte
	at      int // all lines before it are counted
	line    int
	start   int // of the line at it
}

// next reads a token and returns where it begins.
func (s *scanner) next() (json.Token, [2]int) {
	from := int(s.decoder.InputOffset())
	token, _ := s.decoder.Token()
	for from < len(s.text) && bytes.IndexByte([]byte(" \t\r\n,:"), s.text[from]) >= 0 {
		from++
	}
	for ; s.at < from; s.at++ {
		if s.text[s.at] == '\n' {
			s.line, s.start = s.line+1, s.at+1
		}
	}
	return token, [2]int{s.line, from - s.start + 1}
}

func (s *scanner) value(want *places) {
	token, at := s.next()
	if want != nil {
		want.value = at
	}
	switch token {
	case json.Delim('{'):
		for s.decoder.More() {
			token, at := s.next()
			key, _ := token.(string)
			child := want.wanted(key)
			if child != nil {
				child.key = at
			}
			s.value(child)
		}
		s.next()
	case json.Delim('['):
		for i := 0; s.decoder.More(); i++ {
			var child *places
			if want != nil && want.below != nil {
				child = want.wanted(strconv.Itoa(i))
			}
			s.value(child)
		}
		s.next()
	}
}

func (p *places) wanted(step string) *places {
	if p == nil {
		return nil
	}
	return p.below[step]
}

func index(step string) int {
	i, err := strconv.Atoi(step)
	if err != nil {
		panic("internal error: a list has no element " + step)
	}
	return i
}

// lineAt returns the line of a byte, from 1.
func lineAt(text []byte, at int) int {
	return 1 + bytes.Count(text[:max(0, min(at, len(text)))], []byte("\n"))
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(text []byte) int {
	for at := 0; at < len(text); {
		c, size := utf8.DecodeRune(text[at:])
		if c == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}
