package facts_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/identity"
)

// domains are small facts and all that each can be: what holds for all of it is tried, not sampled.
var domains = map[string][]any{
	"b": {true, false, nil},
	"c": {true, false},
	"e": {"x", "y", nil},
	"s": {list{}, list{"x"}, list{"y"}, list{"x", "y"}},
}

func small() *facts.Schema {
	contract := func(id, kind string, nullable bool, values ...string) facts.Contract {
		return facts.Contract{ID: id, Revision: 1, Type: kind, Nullable: nullable, Values: values, Context: facts.ContextChange, Capability: facts.Capability}
	}
	return facts.NewSchema(contract("b", facts.TypeBoolean, true), contract("c", facts.TypeBoolean, false), contract("e", facts.TypeEnum, true, "x", "y"),
		contract("s", facts.TypeEnumSet, false, "x", "y"))
}

// comparisons are all leaves over the small facts.
var comparisons = []record{
	{"operator": "always"}, equals("b", true), equals("b", false), exists("b"), in("b", true, false), equals("c", true), equals("e", "x"), equals("e", "y"), in("e", "x", "y"),
	exists("e"), contains("s", "x"), contains("s", "y"), exists("s"),
}

func drawExpression(t *rapid.T, depth int) record {
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth == 0 || kind < 2 {
		return rapid.SampledFrom(comparisons).Draw(t, "comparison")
	}
	if kind == 2 {
		return not(drawExpression(t, depth-1))
	}
	of := list{}
	for range rapid.IntRange(1, 3).Draw(t, "operands") {
		of = append(of, drawExpression(t, depth-1))
	}
	return record{"operator": rapid.SampledFrom([]string{"all", "any"}).Draw(t, "operator"), "of": of}
}

func drawValues(t *rapid.T) facts.Values {
	known := facts.Values{}
	for _, id := range slices.Sorted(maps.Keys(domains)) {
		if rapid.Bool().Draw(t, "knows "+id) {
			known[id] = rapid.SampledFrom(domains[id]).Draw(t, id)
		}
	}
	return known
}

// assignments calls visit with known and every way to know the facts as well.
func assignments(known facts.Values, ids []string, visit func(facts.Values)) {
	if len(ids) == 0 {
		visit(known)
		return
	}
	for _, value := range domains[ids[0]] {
		more := maps.Clone(known)
		more[ids[0]] = value
		assignments(more, ids[1:], visit)
	}
}

// classical is the two-valued meaning of an expression where everything is known, written from doc/facts.md and not from the
// program.
func classical(e record, known facts.Values) bool {
	switch e["operator"] {
	case "always":
		return true
	case "not":
		return !classical(e["of"].(record), known)
	case "all", "any":
		holding := 0
		for _, of := range e["of"].(list) {
			if classical(of.(record), known) {
				holding++
			}
		}
		return holding == len(e["of"].(list)) || e["operator"] == "any" && holding > 0
	}
	value := known[e["fact"].(string)]
	wanted := []any{e["value"]}
	if values, several := e["values"].(list); several {
		wanted = values
	}
	switch v := value.(type) {
	case nil:
		return false
	case list:
		return e["operator"] == "exists" || slices.ContainsFunc(v, func(member any) bool { return slices.Contains(wanted, member) })
	}
	return e["operator"] == "exists" || slices.Contains(wanted, value)
}

// What an unknown result promises, over all values that the facts can have: it names unknown facts of the expression; once all of
// them are known, whatever they are, the result is known; and while they are not, no other fact changes the result or the names. What a
// known result promises: no further fact changes it, and it is the two-valued meaning of the expression. Nothing is promised about fewer
// names being enough.
func TestWhatUnknownPromises(t *testing.T) {
	t.Parallel()
	schema := small()
	unknowns, knowns := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		e, known := drawExpression(t, 3), drawValues(t)
		p, err := facts.Compile(e, schema)
		if err != nil {
			t.Fatal(err)
		}
		var open []string
		for id := range domains {
			if _, is := known[id]; !is {
				open = append(open, id)
			}
		}
		truth, names := p.Evaluate(known)
		if truth != facts.Unknown {
			knowns++
			if names != nil {
				t.Fatalf("%s names %v", truth, names)
			}
			assignments(known, open, func(more facts.Values) {
				if again, _ := p.Evaluate(more); again != truth {
					t.Fatalf("%v with %v is %s, with %v %s", e, known, truth, more, again)
				}
				if classical(e, more) != (truth == facts.True) {
					t.Fatalf("%v with %v is %s", e, more, truth)
				}
			})
			return
		}
		unknowns++
		if len(names) == 0 || !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
			t.Fatalf("unknown names %v", names)
		}
		var others []string
		for _, id := range open {
			if !slices.Contains(names, id) {
				others = append(others, id)
			}
		}
		if len(others)+len(names) != len(open) {
			t.Fatalf("%v names %v, open are %v", e, names, open)
		}
		for _, name := range names {
			if !slices.Contains(p.Facts(), name) {
				t.Fatalf("%v names %s", e, name)
			}
		}
		assignments(known, names, func(more facts.Values) {
			settled, left := p.Evaluate(more)
			if settled == facts.Unknown {
				t.Fatalf("%v with %v is unknown still: %v", e, more, left)
			}
		})
		assignments(known, others, func(more facts.Values) {
			if again, left := p.Evaluate(more); again != facts.Unknown || !slices.Equal(left, names) {
				t.Fatalf("%v with %v names %v, with %v is %s and names %v", e, known, names, more, again, left)
			}
		})
	})
	if unknowns == 0 || knowns == 0 { // a short run draws few
		t.Errorf("%d unknown, %d known", unknowns, knowns)
	}
}

// shuffled is the same expression with its operands in another order, some of them twice.
func shuffled(t *rapid.T, e record) record {
	out := maps.Clone(e)
	switch of := e["of"].(type) {
	case record:
		out["of"] = shuffled(t, of)
	case list:
		mixed := list{}
		for _, i := range rapid.Permutation(identityOf(len(of))).Draw(t, "order") {
			mixed = append(mixed, shuffled(t, of[i].(record)))
			if rapid.Bool().Draw(t, "twice") {
				mixed = append(mixed, shuffled(t, of[i].(record)))
			}
		}
		out["of"] = mixed
	}
	if values, is := e["values"].(list); is {
		out["values"] = append(slices.Clone(values), values[0])
	}
	return out
}

func identityOf(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// RULES C14, D2: the order of operands, repeated ones and facts that are not named are nowhere to be seen.
func TestOrderAndOtherFactsSayNothing(t *testing.T) {
	t.Parallel()
	schema := small()
	other := facts.Contract{ID: "other", Revision: 1, Type: facts.TypeString, Context: facts.ContextChange, Capability: facts.Capability, Aliases: []string{"bb"}}
	wider := facts.NewSchema(append(contracts(schema), other)...)
	rapid.Check(t, func(t *rapid.T) {
		e, known := drawExpression(t, 3), drawValues(t)
		p, err := facts.Compile(e, schema)
		if err != nil {
			t.Fatal(err)
		}
		q, err := facts.Compile(shuffled(t, e), wider)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(p.Expression(), q.Expression()); diff != "" || p.Digest() != q.Digest() || !slices.Equal(p.Facts(), q.Facts()) {
			t.Fatal(diff, p.Digest(), q.Digest())
		}
		more := maps.Clone(known)
		more["other"], more["change.paths"], more["no such fact"] = "x", list{"a"}, nil
		truth, names := p.Evaluate(known)
		if again, left := q.Evaluate(more); again != truth || !slices.Equal(left, names) {
			t.Fatalf("%s %v, then %s %v", truth, names, again, left)
		}
	})
}

func contracts(s *facts.Schema) (all []facts.Contract) {
	for _, id := range s.IDs() {
		contract, _ := s.Find(id)
		all = append(all, contract)
	}
	return all
}

// A program's digest changes exactly when its canonical expression or the contract of a fact that it names changes.
func TestProgramDigestChangesWithWhatItNames(t *testing.T) {
	t.Parallel()
	schema := small()
	rapid.Check(t, func(t *rapid.T) {
		e, f := drawExpression(t, 2), drawExpression(t, 2)
		p, err := facts.Compile(e, schema)
		q, err2 := facts.Compile(f, schema)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if cmp.Equal(p.Expression(), q.Expression()) != (p.Digest() == q.Digest()) {
			t.Fatalf("%v and %v: %s and %s", e, f, p.Digest(), q.Digest())
		}
		changed := rapid.SampledFrom(slices.Sorted(maps.Keys(domains))).Draw(t, "fact")
		var all []facts.Contract
		for _, contract := range contracts(schema) {
			if contract.ID == changed {
				switch rapid.IntRange(0, 3).Draw(t, "part") {
				case 0:
					contract.Revision++
				case 1:
					contract.Nullable = !contract.Nullable
				case 2:
					contract.Context = facts.ContextTask
				default:
					contract.Capability = "standards.other"
				}
			}
			all = append(all, contract)
		}
		r, err := facts.Compile(e, facts.NewSchema(all...))
		if err != nil {
			t.Fatal(err)
		}
		if (r.Digest() != p.Digest()) != slices.Contains(p.Facts(), changed) {
			t.Fatalf("%v over another %s: %s and %s", e, changed, p.Digest(), r.Digest())
		}
	})
}

// What is canonical is its own canonical form, and has one encoding.
func TestCanonicalIsAFixedPoint(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		once, err := facts.Canonical(drawExpression(t, 4))
		if err != nil {
			t.Fatal(err) // at most 121 operators
		}
		twice, err := facts.Canonical(once)
		if err != nil || !cmp.Equal(once, twice) {
			t.Fatal(err, once, twice)
		}
		if _, err := identity.Encode(once); err != nil {
			t.Fatal(err)
		}
	})
}
