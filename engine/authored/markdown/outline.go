package markdown

import (
	"bytes"
	"regexp"
	"slices"
)

// Heading is one top-level heading of a text: its plain text, its line, counted from 1, and the heading it stands under, by
// its place in the outline, -1 directly below an H1 or without one.
type Heading struct {
	Text   string
	Line   int
	Parent int

	level      int
	start, end int // of its section, in bytes
}

// Outline is the headings of a text in order. A path is the texts of the headings from below the H1 on; it is kept as a
// chain of steps, so that many long paths cost no more than their headings.
type Outline struct {
	Headings []Heading

	body  []byte
	steps map[step][]int // the headings that a step from the first heading of the same path leads to
}

type step struct {
	from int // the first heading with the path above, -1 for the top
	text string
}

// outline sets parents, lines and ends. Paths start anew below each H1; levels may skip.
func outline(list []Heading, body []byte) *Outline {
	o := &Outline{Headings: list, body: body, steps: map[step][]int{}}
	lineOf := lineCounter(body)
	first := make([]int, len(list)) // the first heading with the same path
	var open []int
	for i := range list {
		list[i].end, list[i].Parent, list[i].Line = len(body), -1, lineOf(list[i].start)
		for len(open) > 0 && list[open[len(open)-1]].level >= list[i].level {
			list[open[len(open)-1]].end = list[i].start
			open = open[:len(open)-1]
		}
		from := -1
		if last := len(open) - 1; last >= 0 && list[open[last]].level > 1 {
			list[i].Parent = open[last]
			from = first[open[last]]
		}
		if list[i].level > 1 {
			s := step{from, list[i].Text}
			o.steps[s] = append(o.steps[s], i)
			first[i] = o.steps[s][0]
		}
		open = append(open, i)
	}
	return o
}

// lineCounter returns the line numbers of offsets into body.
func lineCounter(body []byte) func(int) int {
	var ends []int
	for i, c := range body {
		if c == '\n' {
			ends = append(ends, i)
		}
	}
	return func(offset int) int {
		n, _ := slices.BinarySearch(ends, offset)
		return 1 + n
	}
}

// Find returns the headings with that path, by their places.
func (o *Outline) Find(path []string) []int {
	var found []int
	from := -1
	for _, text := range path {
		if found = o.steps[step{from, text}]; len(found) == 0 {
			return nil
		}
		from = found[0]
	}
	return found
}

// Path returns the texts of a heading and those it stands under, below the H1; nil for an H1.
func (o *Outline) Path(i int) []string {
	var path []string
	for ; i >= 0 && o.Headings[i].level > 1; i = o.Headings[i].Parent {
		path = append(path, o.Headings[i].Text)
	}
	slices.Reverse(path)
	return path
}

var (
	atx       = regexp.MustCompile(`^ {0,3}#{1,6}(?:[ \t]|$)`)
	underline = regexp.MustCompile(`^ {0,3}(?:=+|-+)[ \t]*$`)
)

// HasText reports whether anything stands between a heading and the next one.
func (o *Outline) HasText(i int) bool {
	end := o.Headings[i].end
	if i+1 < len(o.Headings) {
		end = min(end, o.Headings[i+1].start)
	}
	inHeading := true
	for source := range bytes.Lines(o.body[o.Headings[i].start:end]) {
		line := bytes.TrimRight(source, "\r\n")
		switch {
		case inHeading:
			inHeading = !atx.Match(line) && !underline.Match(line)
		case !isBlank(string(line)):
			return true
		}
	}
	return false
}
