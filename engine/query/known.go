package query

import (
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/wire"
)

// given adds the facts of a request to those that are known already, and returns them by id, each once.
func (q *query) given(list []wire.KnownFact, known facts.Values) ([]wire.KnownFact, error) {
	schema := q.corpus.Schema()
	computed := facts.Values{}
	for id, value := range known {
		computed[id] = value
	}
	shown := map[string]wire.KnownFact{}
	for _, f := range list {
		contract, declared := schema.Find(f.Fact)
		if !declared {
			return nil, unknownFact(f, list, schema)
		}
		value, err := contract.Parse(f.Value)
		if err != nil {
			return nil, fault.New(fault.Invalid, "FACT.VALUE", f.Fact, "%s", clipped(err.Error())).Hint(routeWith(list, f.Fact, contract.ID, example(contract)))
		}
		if _, isComputed := computed[contract.ID]; isComputed {
			return nil, fault.New(fault.Invalid, "FACT.VALUE", f.Fact, "the paths and the change at hand say what %s is; it cannot be given", contract.ID).
				Hint(routeWithout(list, f.Fact))
		}
		text := contract.Show(value)
		if other, twice := shown[contract.ID]; twice && other.Value != text {
			return nil, fault.New(fault.Invalid, "FACT.VALUE", f.Fact, "the fact is given as %q and as %q", clipped(other.Value), clipped(text)).
				Hint(routeWith(list, f.Fact, contract.ID, text))
		}
		known[contract.ID], shown[contract.ID] = value, wire.KnownFact{Fact: contract.ID, Value: text}
	}
	out := make([]wire.KnownFact, 0, len(shown))
	for _, id := range schema.IDs() {
		if f, isGiven := shown[id]; isGiven {
			out = append(out, f)
		}
	}
	return out, nil
}

// clipped is a text from outside, or its beginning.
func clipped(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

func unknownFact(f wire.KnownFact, list []wire.KnownFact, schema *facts.Schema) error {
	err := fault.New(fault.Invalid, "FACT.UNKNOWN", f.Fact, "no fact is called %q here", clipped(f.Fact))
	if near := yamltext.Nearest(f.Fact, schema.IDs()); near != "" {
		err.Message += "; did you mean " + near + "?"
		return err.Hint(routeWith(list, f.Fact, near, f.Value))
	}
	err.Message += "; there are " + strings.Join(schema.IDs()[:min(8, len(schema.IDs()))], ", ")
	return err.Hint(routeWithout(list, f.Fact))
}

// routeWith is the command that asks again: with the other facts that were given, and with fact=value in the place of the one called wrong.
func routeWith(list []wire.KnownFact, wrong, fact, value string) string {
	command, placed := "git standards query route", false
	for _, f := range list {
		if f.Fact == wrong || f.Fact == fact {
			if placed {
				continue
			}
			f, placed = wire.KnownFact{Fact: fact, Value: value}, true
		}
		command += " --fact " + fault.ShellWord(f.Fact+"="+f.Value)
	}
	return command
}

// routeWithout is the command that asks again without a fact.
func routeWithout(list []wire.KnownFact, wrong string) string {
	command := "git standards query route"
	for _, f := range list {
		if f.Fact != wrong {
			command += " --fact " + fault.ShellWord(f.Fact+"="+f.Value)
		}
	}
	return command
}

// example is an answer that may be given, or the word VALUE where they cannot be listed.
func example(c facts.Contract) string {
	switch answers := c.Answers(); {
	case c.Type == facts.TypeEnumSet && len(c.Values) > 0:
		return c.Values[0]
	case answers[0] != "value" || c.Type == facts.TypeEnum:
		return answers[0]
	}
	return "VALUE"
}

// builtinMeaning is what the only built-in fact asks that paths leave open.
const builtinMeaning = "what the change does to files"

// unresolved describes facts by id.
func (q *query) unresolved(ids []string) []wire.UnresolvedFact {
	schema := q.corpus.Schema()
	meanings := map[string]string{facts.ChangeKinds: builtinMeaning}
	for _, f := range q.corpus.Manifest.Facts {
		meanings[f.ID] = f.Meaning
	}
	list := []wire.UnresolvedFact{}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		c, _ := schema.Find(id)
		list = append(list, wire.UnresolvedFact{
			Fact: id, Meaning: wire.Optional(meanings[id]), Type: c.Type, Values: texts(c.Values), Answers: c.Answers(),
		})
	}
	return list
}
