package ask

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/identity"
)

// The fixed point of RULES C10 against its definition: by sets, one answer at a time, in any order.
func TestTheFixedPointIsIndependentOfOrder(t *testing.T) {
	t.Parallel()
	ids := []string{"f.a", "f.b", "f.c", "f.d", "f.e"}
	contracts := make([]facts.Contract, len(ids))
	for i, id := range ids {
		contracts[i] = facts.Contract{ID: id, Revision: 1, Type: facts.TypeBoolean, Context: facts.ContextChange, Capability: facts.Capability}
	}
	schema := facts.NewSchema(contracts...)
	rapid.Check(t, func(t *rapid.T) {
		var all []*condition
		for range rapid.IntRange(1, 6).Draw(t, "edges") {
			c := &condition{}
			for range rapid.IntRange(1, 2).Draw(t, "sides") {
				p, err := facts.Compile(drawExpression(t, ids, 3), schema)
				if err != nil {
					t.Fatal(err)
				}
				c.programs = append(c.programs, p)
			}
			all = append(all, c)
		}
		answers := map[string]Answer{}
		for _, id := range ids {
			switch rapid.IntRange(0, 6).Draw(t, id) {
			case 0, 1:
				answers[id] = Answer{Value: true}
			case 2, 3:
				answers[id] = Answer{Value: false}
			case 4:
				answers[id] = Answer{Waived: true}
			}
		}
		got := settle(all, nil, answers)
		shuffled := settle(rapid.Permutation(all).Draw(t, "order"), nil, maps.Clone(answers))
		if diff := cmp.Diff(fmt.Sprint(got.values, got.asked, got.waived), fmt.Sprint(shuffled.values, shuffled.asked, shuffled.waived)); diff != "" {
			t.Fatal(diff)
		}
		for id := range got.values {
			if answer, here := answers[id]; !here || answer.Waived || !got.asked[id] || answer.Value != got.values[id] {
				t.Fatalf("%s is bound and not asked or answered", id)
			}
		}
		// It is a fixed point: what is unknown needs a fact that nobody answered, or hangs on a waived one.
		for _, c := range all {
			truth, names := c.holds(got.values)
			if truth != facts.Unknown {
				continue
			}
			waived := slices.ContainsFunc(names, func(id string) bool { return got.waived[id] })
			for _, id := range names {
				if _, answered := answers[id]; !waived && (answered || !got.asked[id]) {
					t.Fatalf("%s would settle an edge, and is answered or not asked", id)
				}
			}
		}
		// Answering what is open, one by one in any order, follows the same edges in the end as all answers at once.
		step := map[string]Answer{}
		for {
			now := settle(all, nil, step)
			var open []string
			for id := range now.asked {
				if _, here := answers[id]; here && step[id] == (Answer{}) {
					open = append(open, id)
				}
			}
			if len(open) == 0 {
				for _, c := range all {
					one, _ := c.holds(now.values)
					other, _ := c.holds(got.values)
					if len(got.waived) == 0 && one != other {
						t.Fatalf("one by one %s under %v, at once %s under %v", one, now.values, other, got.values)
					}
				}
				break
			}
			slices.Sort(open)
			id := rapid.SampledFrom(open).Draw(t, "next")
			step[id] = answers[id]
		}
	})
}

func drawExpression(t *rapid.T, ids []string, depth int) authored.Expression {
	operator := rapid.SampledFrom([]string{facts.Equals, facts.Exists, facts.All, facts.Any, facts.Not}).Draw(t, "operator")
	if depth == 0 && operator != facts.Exists {
		operator = facts.Equals
	}
	switch operator {
	case facts.Equals:
		return authored.Expression{"operator": operator, "fact": rapid.SampledFrom(ids).Draw(t, "fact"), "value": rapid.Bool().Draw(t, "value")}
	case facts.Exists:
		return authored.Expression{"operator": operator, "fact": rapid.SampledFrom(ids).Draw(t, "fact")}
	case facts.Not:
		return authored.Expression{"operator": operator, "of": drawExpression(t, ids, depth-1)}
	}
	list := identity.List{}
	for range rapid.IntRange(1, 3).Draw(t, "operands") {
		list = append(list, drawExpression(t, ids, depth-1))
	}
	return authored.Expression{"operator": operator, "of": list}
}
