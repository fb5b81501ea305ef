package facts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/facts"
)

// letters are the truth values as the tables write them.
var letters = map[byte]facts.Truth{'t': facts.True, 'u': facts.Unknown, 'f': facts.False}

func letter(t facts.Truth) string { return string("fut"[t]) }

// operands are n expressions over facts of their own whose truth is what state says, with what is known then.
func operands(state string) (of []any, known facts.Values, unknown []string) {
	known = facts.Values{}
	for i := range len(state) {
		id := fmt.Sprintf("flag.%d", i)
		of = append(of, equals(id, true))
		switch state[i] {
		case 't':
			known[id] = true
		case 'f':
			known[id] = false
		default:
			unknown = append(unknown, id)
		}
	}
	return of, known, unknown
}

func flags() *facts.Schema {
	var contracts []facts.Contract
	for i := range 3 {
		contracts = append(contracts, facts.Contract{ID: fmt.Sprintf("flag.%d", i), Revision: 1, Type: facts.TypeBoolean, Context: facts.ContextChange, Capability: facts.Capability})
	}
	return facts.NewSchema(contracts...)
}

// The tables of Kleene's strong logic (Kleene, Introduction to Metamathematics, § 64), written out: rows and columns are t, u, f.
var (
	tableNot  = map[string]string{"t": "f", "u": "u", "f": "t"}
	tableAll2 = []string{"tuf", "uuf", "fff"}
	tableAny2 = []string{"ttt", "tuu", "tuf"}
	// Of three operands: a block for each value of the first.
	tableAll3 = [][]string{{"tuf", "uuf", "fff"}, {"uuf", "uuf", "fff"}, {"fff", "fff", "fff"}}
	tableAny3 = [][]string{{"ttt", "ttt", "ttt"}, {"ttt", "tuu", "tuu"}, {"ttt", "tuu", "tuf"}}
)

func TestKleeneTables(t *testing.T) {
	t.Parallel()
	schema := flags()
	rows := 0
	check := func(name, state string, e record, want byte) {
		rows++
		_, known, unknown := operands(state)
		got, names := compile(t, e, schema).Evaluate(known)
		if got != letters[want] {
			t.Errorf("%s of %s is %s, not %c", name, state, letter(got), want)
		}
		if want != 'u' {
			unknown = nil
		}
		if !slices.Equal(names, unknown) {
			t.Errorf("%s of %s names %v, not %v", name, state, names, unknown)
		}
	}
	const order = "tuf"
	for a := range 3 {
		one, _, _ := operands(order[a : a+1])
		check("not", order[a:a+1], not(one[0].(record)), tableNot[order[a:a+1]][0])
		check("all", order[a:a+1], all(one...), order[a])
		check("any", order[a:a+1], anyOf(one...), order[a])
		for b := range 3 {
			two := string([]byte{order[a], order[b]})
			of, _, _ := operands(two)
			check("all", two, all(of...), tableAll2[a][b])
			check("any", two, anyOf(of...), tableAny2[a][b])
			for c := range 3 {
				three := two + order[c:c+1]
				of, _, _ := operands(three)
				check("all", three, all(of...), tableAll3[a][b][c])
				check("any", three, anyOf(of...), tableAny3[a][b][c])
			}
		}
	}
	if rows != 3*3+9*2+27*2 {
		t.Errorf("%d rows", rows)
	}
}

// What an operator makes of a fact: known, absent, unknown (RULES A9: absent makes every comparison false, exists too).
func TestOperatorsOnValues(t *testing.T) {
	t.Parallel()
	set := func(members ...any) list { return append(list{}, members...) }
	nullable := func(id, kind string, values ...string) facts.Contract {
		return facts.Contract{ID: id, Revision: 1, Type: kind, Nullable: true, Values: values, Context: facts.ContextChange, Capability: facts.Capability}
	}
	schema := facts.NewSchema(nullable("b", facts.TypeBoolean), nullable("e", facts.TypeEnum, "x", "y", "z"), nullable("s", facts.TypeString),
		nullable("ss", facts.TypeStringSet), nullable("es", facts.TypeEnumSet, "x", "y"), nullable("id", facts.TypeCanonicalID))
	for _, row := range []struct {
		e      record
		fact   string
		values map[string][]any // truth → known values
	}{
		{equals("b", true), "b", map[string][]any{"t": {true}, "f": {false}}},
		{equals("b", false), "b", map[string][]any{"t": {false}, "f": {true}}},
		{equals("e", "x"), "e", map[string][]any{"t": {"x"}, "f": {"y", "z"}}},
		{equals("s", "true"), "s", map[string][]any{"t": {"true"}, "f": {"True", "true ", "e"}}},
		{equals("s", "e\u0301"), "s", map[string][]any{"t": {"e\u0301"}, "f": {"\u00e9"}}}, // texts are never normalized
		{equals("id", "a.b"), "id", map[string][]any{"t": {"a.b"}, "f": {"a.b.c", "A.b"}}},
		{in("b", true, false), "b", map[string][]any{"t": {true, false}}},
		{in("e", "x", "z"), "e", map[string][]any{"t": {"x", "z"}, "f": {"y"}}},
		{in("s", "p"), "s", map[string][]any{"t": {"p"}, "f": {"pp"}}},
		{contains("es", "x"), "es", map[string][]any{"t": {set("x"), set("x", "y")}, "f": {set(), set("y")}}},
		{contains("ss", "x"), "ss", map[string][]any{"t": {set("a", "x")}, "f": {set(), set("X", "xx")}}},
		{exists("b"), "b", map[string][]any{"t": {true, false}}},
		{exists("e"), "e", map[string][]any{"t": {"x"}}},
		{exists("ss"), "ss", map[string][]any{"t": {set(), set("a")}}}, // none of something is not nothing
		{exists("id"), "id", map[string][]any{"t": {"a"}}},
		{matches("s", "src/**/*.go"), "s", map[string][]any{"t": {"src/a.go", "src/b/c.go"}, "f": {"src", "a.go", "src/a.md"}}},
		{matches("id", "topic.*"), "id", map[string][]any{"t": {"topic.api"}, "f": {"core.api", "topic.a/b"}}},
		{matches("ss", "*.md"), "ss", map[string][]any{"t": {set("a.md"), set("a.go", "b.md")}, "f": {set(), set("a.go", "d/b.md")}}},
	} {
		p := compile(t, row.e, schema)
		row.values["f"] = append(row.values["f"], nil) // absent
		for truth, values := range row.values {
			for _, value := range values {
				contract, _ := schema.Find(row.fact)
				if _, err := contract.Check(value); err != nil {
					t.Fatal(err)
				}
				if got, names := p.Evaluate(facts.Values{row.fact: value}); got != letters[truth[0]] || names != nil {
					t.Errorf("%v of %v is %s %v, not %s", row.e, value, letter(got), names, truth)
				}
			}
		}
		if got, names := p.Evaluate(facts.Values{"other": true}); got != facts.Unknown || strings.Join(names, " ") != row.fact {
			t.Errorf("%v of nothing known is %s %v", row.e, letter(got), names)
		}
	}
	if got, names := compile(t, record{"operator": "always"}, schema).Evaluate(nil); got != facts.True || names != nil {
		t.Errorf("always is %s %v", letter(got), names)
	}
}

func TestTruthHasAName(t *testing.T) {
	t.Parallel()
	if got := fmt.Sprint(facts.False, facts.Unknown, facts.True); got != "false unknown true" {
		t.Error(got)
	}
}
