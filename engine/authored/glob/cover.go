package glob

import "strings"

// maxCoverWork bounds what one comparison of two globs may cost, in runes tried on edges: some milliseconds.
const maxCoverWork = 1 << 19

// Covers reports whether every path that other matches is matched by g. True is always right, for paths as a
// repository has them: no empty component. It is right, too, for two globs without exotic forms that are small enough;
// else false means "not known". Exotic are, where g and other are not the same text, what the matcher reads otherwise
// than its parts would say: three stars in a row, a star or a last ** that meets the border of a brace, an empty
// component made by a brace, an escaped slash, bytes that are not UTF-8, and in g a class that admits a slash.
func (g Glob) Covers(other Glob) bool {
	if g.pattern == "" || other.pattern == "" {
		return false
	}
	if g.pattern == other.pattern {
		return true
	}
	wide, known := compile(g.pattern)
	if !known || wide.crosses {
		return false
	}
	narrow, known := compile(other.pattern)
	if !known {
		return false
	}
	return (&inclusion{narrow: narrow, wide: wide, runes: representatives(narrow, wide), ids: map[string]int{}}).holds()
}

// inclusion explores one state of narrow beside the set of states that wide can be in after the same runes.
type inclusion struct {
	narrow, wide *automaton
	runes        []rune
	work         int

	sets  [][]int // of wide, sorted
	ids   map[string]int
	steps []map[rune]int // the set that a rune leads to
}

// pair is a place in the exploration. starts says that a component is about to begin, where paths have no slash and no
// end.
type pair struct {
	state, set int
	starts     bool
}

func (x *inclusion) holds() bool {
	seen := map[pair]bool{}
	var todo []pair
	add := func(states []int, set int, starts bool) {
		for _, state := range states {
			if p := (pair{state, set, starts}); !seen[p] {
				seen[p] = true
				todo = append(todo, p)
			}
		}
	}
	add(x.narrow.closure([]int{0}), x.set(x.wide.closure([]int{0})), true)
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !p.starts && x.narrow.states[p.state].accepts && !x.accepts(p.set) {
			return false
		}
		for _, edge := range x.narrow.states[p.state].edges {
			reached := x.narrow.closure([]int{edge.to})
			for _, r := range x.runes {
				if x.work++; x.work > maxCoverWork {
					return false
				}
				if edge.class.has(r) && !(p.starts && r == '/') {
					add(reached, x.step(p.set, r), r == '/')
				}
			}
		}
	}
	return true
}

func (x *inclusion) accepts(set int) bool {
	for _, state := range x.sets[set] {
		if x.wide.states[state].accepts {
			return true
		}
	}
	return false
}

// set returns the number of a sorted set of states.
func (x *inclusion) set(states []int) int {
	var key strings.Builder
	for _, state := range states {
		key.WriteRune(rune(state)) // maxExpansion keeps the number of states below the surrogates
	}
	id, known := x.ids[key.String()]
	if !known {
		id = len(x.sets)
		x.ids[key.String()] = id
		x.sets = append(x.sets, states)
		x.steps = append(x.steps, map[rune]int{})
	}
	return id
}

func (x *inclusion) step(set int, r rune) int {
	if next, known := x.steps[set][r]; known {
		return next
	}
	var reached []int
	for _, state := range x.sets[set] {
		for _, edge := range x.wide.states[state].edges {
			x.work++
			if edge.class.has(r) {
				reached = append(reached, edge.to)
			}
		}
	}
	next := x.set(x.wide.closure(reached))
	x.steps[set][r] = next
	return next
}
