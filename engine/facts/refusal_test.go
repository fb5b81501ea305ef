package facts_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/identity"
)

// nested is n operators in each other.
func nested(n int) record {
	e := record{"operator": "always"}
	for range n - 1 {
		e = not(e)
	}
	return e
}

// wide is an any with n operators in all.
func wide(n int) record {
	of := list{}
	for i := range n - 1 {
		of = append(of, exists(fmt.Sprintf("f%d", i)))
	}
	return anyOf(of...)
}

func values(n int) list {
	out := list{}
	for i := range n {
		out = append(out, fmt.Sprint("v", i))
	}
	return out
}

func TestRefusedForms(t *testing.T) {
	t.Parallel()
	for _, e := range []record{
		nil, {}, {"operator": "never"}, {"operator": 1}, {"operator": "always", "of": list{}}, {"operator": "all"}, {"operator": "all", "of": list{}},
		{"operator": "any", "of": record{"operator": "always"}}, {"operator": "any", "of": list{"always"}}, {"operator": "not", "of": list{record{"operator": "always"}}},
		{"operator": "not"}, not(record{"operator": "x"}), all(record{}), exists(""), exists("-a"), {"operator": "exists", "fact": 1}, {"operator": "exists"},
		{"operator": "exists", "fact": "a", "contract": "fact-contract:sha256:"}, equals("a", nil), equals("a", int64(1)), equals("a", list{"b"}), equals("a", ""), equals("a", "\xff"),
		equals("a", text(4097)), contains("a", record{}), in("a"), in("a", "b", nil), in("a", values(257)...), {"operator": "in", "fact": "a", "values": "b"},
		matches("a", ""), matches("a", "/b"), matches("a", "[\xff]"), matches("a", "{"), {"operator": "matches", "fact": "a", "glob": true}, nested(17), wide(257),
	} {
		out, err := facts.Canonical(e)
		var wrong *facts.Error
		if !errors.As(err, &wrong) || wrong.Misfit != facts.MisfitForm || err.Error() == "" || out != nil {
			t.Errorf("%.200v: %v, %v", e, out, err)
		}
		if p, err := facts.Compile(e, schema); err == nil || p != nil {
			t.Errorf("%.200v compiles", e)
		}
	}
	for _, e := range []record{nested(16), wide(256), in("a", values(256)...), equals("a", text(4096))} {
		if _, err := facts.Canonical(e); err != nil {
			t.Errorf("%.200v: %v", e, err)
		}
	}
}

func TestRefusedFacts(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		e      record
		misfit facts.Misfit
		fact   string
	}{
		{exists("nobody"), facts.MisfitUnknown, "nobody"}, {all(exists("visible"), not(exists("Risk"))), facts.MisfitUnknown, "Risk"},
		{equals("visible", "true"), facts.MisfitType, "visible"}, {in("ui.visible", true, "false"), facts.MisfitType, "ui.visible"},
		{equals("risk", true), facts.MisfitType, "risk"}, {equals("risk", "none"), facts.MisfitType, "risk"}, {in("risk", "low", "none"), facts.MisfitType, "risk"},
		{contains("risk", "low"), facts.MisfitType, "risk"}, {equals("task.areas", "api"), facts.MisfitType, "task.areas"}, {in("task.areas", "api"), facts.MisfitType, "task.areas"},
		{contains("task.areas", "x"), facts.MisfitType, "task.areas"}, {contains("task.areas", true), facts.MisfitType, "task.areas"},
		{contains("change.kinds", "renamed"), facts.MisfitType, "change.kinds"}, {equals("touched.module", "a b"), facts.MisfitType, "touched.module"},
		{matches("visible", "t*"), facts.MisfitType, "visible"}, {matches("risk", "l*"), facts.MisfitType, "risk"}, {matches("task.areas", "a*"), facts.MisfitType, "task.areas"},
		{matches("change.kinds", "a*"), facts.MisfitType, "change.kinds"},
	} {
		p, err := facts.Compile(row.e, schema)
		var wrong *facts.Error
		if !errors.As(err, &wrong) || wrong.Misfit != row.misfit || wrong.Fact != row.fact || !strings.Contains(err.Error(), row.fact) || p != nil {
			t.Errorf("%v: %+v", row.e, err)
		}
	}
}

// doc/facts.md, "Canonical form".
func TestCanonicalForm(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		e    record
		want string
	}{
		{record{"operator": "always"}, `{"operator":"always"}`},
		{in("x", true, "b", false, "a", "é", "a!", "b"), `{"fact":"x","operator":"in","values":[false,true,"a","a!","b","é"]}`},
		{all(exists("b"), record{"operator": "always"}, exists("a"), exists("b")),
			`{"of":[{"fact":"a","operator":"exists"},{"fact":"b","operator":"exists"},{"operator":"always"}],"operator":"all"}`},
		{anyOf(exists("a"), exists("a")), `{"of":[{"fact":"a","operator":"exists"}],"operator":"any"}`}, // and no shorter
		{anyOf(all(exists("b"), exists("a")), all(exists("a"), exists("b"))), `{"of":[{"of":[{"fact":"a","operator":"exists"},{"fact":"b","operator":"exists"}],"operator":"all"}],"operator":"any"}`},
		{not(not(matches("p", "a/**"))), `{"of":{"of":{"fact":"p","glob":"a/**","operator":"matches"},"operator":"not"},"operator":"not"}`},
		{equals("x", "é"), `{"fact":"x","operator":"equals","value":"é"}`},
		{contains("x", "a"), `{"fact":"x","operator":"contains","value":"a"}`},
	} {
		out, err := facts.Canonical(row.e)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := identity.Encode(out); err != nil || string(text) != row.want {
			t.Errorf("%v:\ngot  %s\nwant %s", row.e, text, row.want)
		}
	}
	// An alias is the fact, and one operand with it.
	p, q := compile(t, anyOf(equals("visible", true), equals("ui.visible", true)), schema), compile(t, anyOf(equals("ui.visible", true)), schema)
	if diff := cmp.Diff(p.Expression(), q.Expression()); diff != "" || p.Digest() != q.Digest() || strings.Join(p.Facts(), " ") != "ui.visible" {
		t.Error(diff, p.Facts())
	}
}

// What is given is not written to.
func TestCompileLeavesItsInput(t *testing.T) {
	t.Parallel()
	e := all(equals("visible", true), in("risk", "low", "high"), equals("visible", true))
	compile(t, e, schema)
	if diff := cmp.Diff(all(equals("visible", true), in("risk", "low", "high"), equals("visible", true)), e); diff != "" {
		t.Error(diff)
	}
}

// Any encoded value: it is refused, or its canonical form is its own, means the same and has one digest.
func FuzzExpression(f *testing.F) {
	for _, e := range []record{
		{"operator": "always"}, all(not(exists("risk")), anyOf(equals("visible", true), equals("ui.visible", false))), in("risk", "low", "high", "low"),
		contains("change.kinds", "added"), matches("change.paths", "src/**/*.{go,md}"), nested(16), {"operator": "all", "of": list{}}, equals("owner.name", "é"),
	} {
		text, err := identity.Encode(e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	known := facts.Values{"risk": "low", "owner.name": nil, "change.paths": list{"src/a.go"}, "change.kinds": list{"added"}, "change.extensions": list{"go"}}
	f.Fuzz(func(t *testing.T, data []byte) {
		value, err := identity.Decode(data)
		e, isRecord := value.(record)
		if err != nil || !isRecord {
			return
		}
		once, err := facts.Canonical(e)
		if err != nil {
			if p, err := facts.Compile(e, schema); err == nil {
				t.Fatalf("%s compiles as %v", data, p.Expression())
			}
			return
		}
		if twice, err := facts.Canonical(once); err != nil || !cmp.Equal(once, twice) {
			t.Fatalf("%v becomes %v: %v", once, twice, err)
		}
		p, err := facts.Compile(e, schema)
		q, err2 := facts.Compile(once, schema)
		if (err == nil) != (err2 == nil) {
			t.Fatal(err, err2)
		}
		if err != nil {
			return
		}
		truth, names := p.Evaluate(known)
		if again, left := q.Evaluate(known); again != truth || !cmp.Equal(names, left) || p.Digest() != q.Digest() || (truth == facts.Unknown) != (len(names) > 0) {
			t.Fatalf("%s %v %s, %s %v %s", truth, names, p.Digest(), again, left, q.Digest())
		}
	})
}
