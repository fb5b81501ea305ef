package glob

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxExpansion bounds the bytes of all alternatives of a glob together, and with them the states of its automaton.
const maxExpansion = 1 << 13

// automaton accepts the paths that a glob matches, state 0 being the start. It is exact for paths without an empty
// component where crosses is false; else it accepts more than the matcher, which then does not try every way.
type automaton struct {
	states  []state
	crosses bool // a class admits a slash
}

type state struct {
	edges   []edge
	skips   []int // states reached without a rune
	accepts bool
}

type edge struct {
	class runeClass
	to    int
}

// runeClass is a set of runes: those in the ranges, or if negated all others.
type runeClass struct {
	ranges  []runeRange
	negated bool
}

type runeRange struct{ low, high rune }

func (c runeClass) has(r rune) bool {
	return slices.ContainsFunc(c.ranges, func(x runeRange) bool { return x.low <= r && r <= x.high }) != c.negated
}

func only(r rune) runeClass { return runeClass{ranges: []runeRange{{r, r}}} }

var (
	anyRune = runeClass{negated: true}
	inside  = runeClass{ranges: []runeRange{{'/', '/'}}, negated: true} // what * and ? match
)

// compile returns the automaton of a checked pattern, or false for exotic or long ones (see Covers).
func compile(pattern string) (*automaton, bool) {
	if !utf8.ValidString(pattern) {
		return nil, false // the bytes of one character may stand on both sides of a brace
	}
	alternatives, ok := expand(pattern, nil)
	if !ok {
		return nil, false
	}
	a := &automaton{}
	a.state()
	size := 0
	for _, alternative := range alternatives {
		isExotic := strings.Contains(alternative, "***") || strings.Contains(alternative, `\/`) || slices.Contains(strings.Split(alternative, "/"), "")
		if size += len(alternative); isExotic || size > maxExpansion {
			return nil, false
		}
		a.alternative(alternative)
	}
	return a, true
}

// expand appends the patterns that the braces of pattern stand for, the first brace first, as the matcher takes them.
func expand(pattern string, into []string) ([]string, bool) {
	open := indexOutside(pattern, '{')
	if open < 0 {
		return append(into, pattern), true
	}
	before, rest := pattern[:open], pattern[open+1:]
	shut := indexOutside(rest, '}')
	for ok, begin := true, 0; begin <= shut; {
		end := shut
		if comma := indexOutside(rest[begin:shut], ','); comma >= 0 {
			end = begin + comma
		}
		behind := rest[begin:end] + rest[shut+1:]
		// The matcher reads a star and what a brace puts behind it apart, and takes "/**" at the end of a pattern for "or
		// nothing" only where the whole of it is written.
		if strings.HasSuffix(before, "*") && (behind == "" || behind[0] == '*' || behind[0] == '/') ||
			strings.HasSuffix(before, "/") && behind == "**" {
			return nil, false
		}
		if into, ok = expand(before+behind, into); !ok {
			return nil, false
		}
		begin = end + 1
	}
	return into, true
}

// indexOutside returns the first place of c that is not escaped, in a class or in inner braces, or -1.
func indexOutside(s string, c byte) int {
	for i, depth := 0, 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '[':
			for i++; i < len(s) && s[i] != ']'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case s[i] == c && depth == 0:
			return i
		case s[i] == '{':
			depth++
		case s[i] == '}':
			depth--
		}
	}
	return -1
}

func (a *automaton) state() int {
	a.states = append(a.states, state{})
	return len(a.states) - 1
}

func (a *automaton) edge(from int, class runeClass, to int) {
	a.states[from].edges = append(a.states[from].edges, edge{class, to})
}

// after returns a new state that at leads to without a rune.
func (a *automaton) after(at int) int {
	next := a.state()
	a.states[at].skips = append(a.states[at].skips, next)
	return next
}

// alternative adds a pattern without braces.
func (a *automaton) alternative(p string) {
	at, star := a.after(0), -1 // star is the state of a * right before
	for i := 0; i < len(p); {
		previous := star
		star = -1
		begins := i == 0 || p[i-1] == '/'
		switch c := p[i]; {
		case begins && p[i:] == "**":
			next := a.state()
			a.edge(at, anyRune, next)
			a.edge(next, anyRune, next)
			at, i = next, len(p)
		case begins && strings.HasPrefix(p[i:], "**/"):
			loop := a.after(at)
			component := a.state()
			a.edge(loop, inside, component)
			a.edge(component, inside, component)
			a.edge(component, only('/'), loop)
			at, i = a.after(loop), i+3
		case c == '*':
			star = a.after(at)
			a.edge(star, inside, star)
			at, i = a.after(star), i+len(p[i:])-len(strings.TrimLeft(p[i:], "*"))
		case c == '?':
			next := a.state()
			a.edge(at, inside, next)
			at, i = next, i+1
		case c == '[':
			class, length := readClass(p[i:])
			a.crosses = a.crosses || class.has('/')
			next := a.state()
			a.edge(at, class, next)
			at, i = next, i+length
		default:
			if p[i:] == "/**" {
				a.bare(at, previous)
			}
			if c == '\\' {
				i++
			}
			r, size := utf8.DecodeRuneInString(p[i:])
			next := a.state()
			a.edge(at, only(r), next)
			at, i = next, i+size
		}
	}
	a.states[at].accepts = true
}

// bare accepts what stands before a last "/**", which is matched as well; a star at its end then holds a rune at least.
func (a *automaton) bare(at, star int) {
	if star < 0 {
		a.states[a.after(at)].accepts = true
		return
	}
	end := a.state()
	a.edge(star, inside, end)
	a.states[end].accepts = true
}

// readClass reads the class that p begins with, as the matcher does, and returns its length in bytes.
func readClass(p string) (runeClass, int) {
	var class runeClass
	i := 1
	if p[i] == '!' || p[i] == '^' {
		class.negated = true
		i++
	}
	next := func() rune {
		if p[i] == '\\' {
			i++
		}
		r, size := utf8.DecodeRuneInString(p[i:])
		i += size
		return r
	}
	low := rune(-1) // what a dash would make the lower end of a range
	for p[i] != ']' {
		if low >= 0 && low < utf8.MaxRune && p[i] == '-' && p[i+1] != ']' {
			i++
			class.ranges = append(class.ranges, runeRange{low, next()})
			low = -1
			continue
		}
		low = next()
		class.ranges = append(class.ranges, runeRange{low, low})
	}
	return class, i + 1
}

// closure returns the states reached from those given without a rune, sorted, themselves among them.
func (a *automaton) closure(states []int) []int {
	seen := make(map[int]bool, len(states))
	var reached []int
	for todo := slices.Clone(states); len(todo) > 0; {
		state := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[state] {
			seen[state] = true
			reached = append(reached, state)
			todo = append(todo, a.states[state].skips...)
		}
	}
	slices.Sort(reached)
	return reached
}

// representatives returns one rune of each set of runes that no class of the automata tells apart.
func representatives(automata ...*automaton) []rune {
	runes := []rune{0, '/', '/' + 1}
	for _, a := range automata {
		for _, state := range a.states {
			for _, edge := range state.edges {
				for _, x := range edge.class.ranges {
					if x.low <= x.high && x.high < utf8.MaxRune {
						runes = append(runes, x.low, x.high+1)
					} else if x.low <= x.high {
						runes = append(runes, x.low)
					}
				}
			}
		}
	}
	slices.Sort(runes)
	return slices.Compact(runes)
}
