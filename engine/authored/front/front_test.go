package front

import "testing"

func TestIsModule(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		want bool
	}{
		{"---\nstandard:\n---\n", true},
		{"\ufeff--- \t\r\ntitle: x\r\nstandard: {}\r\n---\r\n", true},
		{"---\nstandard:", true}, // open front matter is a finding, not another file (RULES A6)
		{"---\n---\nstandard:\n", false},
		{"---\n standard:\n---\n", false},
		{"---\nstandards:\n---\n", false},
		{"---\nstandard:x\n---\n", false},
		{"---\n# standard:\n---\n", false},
		{"\n---\nstandard:\n---\n", false},
		{"----\nstandard:\n---\n", false},
		{"", false},
		{"---", false},
		{"# Title\n", false},
	}
	for _, test := range tests {
		if got := IsModule([]byte(test.text)); got != test.want {
			t.Errorf("%q: got %t", test.text, got)
		}
	}
}

func TestMayDeclare(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		text    string
		yes, no []string
	}{
		{"---\nstandard:\n  id: topic.a\n  requires: [topic.x]\n  unts:\n    - {id: a.one, heading: [One], revision: 1, aliases: [a.old]}\n  consumers: [{unit: a.two, path: a.three}]\n---\n# a.four\n",
			[]string{"topic.a", "a.one", "a.old"}, []string{"topic.x", "One", "a.two", "a.three", "a.four", "id"}},
		{"---\nstandard:\n  id: topic.a\n  level: [\n  units: [{id: \"a.one\"}, {id: 'a.two', aliases: [a.old]}] # c\n---\n", []string{"topic.a", "a.one", "a.two", "a.old"}, nil},
		{"---\nstandard:\n  id: topic.a\n<<<<<<< x\n  units: [{id: a.one}]\n=======\n  units: [{id: a.two}]\n>>>>>>> y\n---\n", []string{"topic.a", "a.one", "a.two"}, nil},
		{"---\nstandard: {id: a.one}\n", []string{"a.one"}, nil},
		{"no front matter: a.one", nil, []string{"a.one"}},
	} {
		words := MayDeclare([]byte(row.text))
		for _, word := range row.yes {
			if !words[word] {
				t.Errorf("%q is not among the words of %q", word, row.text)
			}
		}
		for _, word := range row.no {
			if words[word] {
				t.Errorf("%q is among the words of %q", word, row.text)
			}
		}
	}
}
