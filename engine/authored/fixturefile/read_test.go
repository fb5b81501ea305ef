package fixturefile_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-standards/git-standards/engine/authored/fixturefile"
	"github.com/git-standards/git-standards/engine/authored/reading/readingtest"
)

const whole = `as: ann
given: {from: HEAD, touch: a}
cases:
  - name: all
    as: bo
    given:
      raise: [u, v]
      write: {"b c": "x\n", d: ""}
    change:
      reword: u
      touch: [a, b]
      delete: c
      edit:
        e: {find: x, with: ""}
        f: [{find: y, with: z}, {find: "1", with: "2"}]
      move: {g: h/i}
    facts: {f.one: true, f.two: [a, b], f.three: null}
    answers:
      - {unit: u, consumer: "d/*", result: no-change, by: cy}
      - {fact: f.four, value: x}
    asks:
      - docs/x.md
      - "src/*.go"
      - {kind: impact-review, reason: same-revision, module: m, unit: u, declaration: d, fact: f, state: stale, who: mine, to: [], results: no-impact}
    notices: [A.B]
  - name: anew
    given: {from: nothing}
    change: {write: {a: x}}
    asks: {at-least: [u]}
  - {name: refused, change: {raise: u}, refused: A.B}
  - {name: adoption, change: {raise: u}, asks: adoption}
  - {name: unfinished, change: {raise: u}}
`

func TestParse(t *testing.T) {
	t.Parallel()
	file, findings := fixturefile.Parse("f", []byte(whole))
	if len(findings) > 0 || len(file.Cases) != 5 {
		t.Fatal(findings)
	}
	place := func(text string, line int) fixturefile.Place { return fixturefile.Place{Text: text, Line: line} }
	from := place("HEAD", 2)
	given := &fixturefile.Edits{Line: 2, IsShared: true, From: &from, Touch: []fixturefile.Place{place("a", 2)}}
	noChange := "no-change"
	want := &fixturefile.Case{
		File: "f", Name: "all", Line: 4, As: "bo", AsLine: 5,
		Givens: []*fixturefile.Edits{given, {
			Line: 7, Raise: []fixturefile.Place{place("u", 7), place("v", 7)},
			Write: []fixturefile.Written{{Place: place("b c", 8), Data: "x\n"}, {Place: place("d", 8)}},
		}},
		Change: &fixturefile.Edits{
			Line: 10, Reword: []fixturefile.Place{place("u", 10)}, Touch: []fixturefile.Place{place("a", 11), place("b", 11)},
			Delete: []fixturefile.Place{place("c", 12)},
			Replace: []fixturefile.Replacement{
				{Place: place("e", 14), Find: "x"}, {Place: place("f", 15), Find: "y", With: "z"}, {Place: place("f", 15), Find: "1", With: "2"},
			},
			Move: []fixturefile.Move{{Place: place("g", 16), To: "h/i"}},
		},
		Facts: []fixturefile.Given{{Place: place("f.one", 17), Value: true}, {Place: place("f.two", 17), Value: []any{"a", "b"}}, {Place: place("f.three", 17)}},
		Answers: []fixturefile.Answer{
			{Question: fixturefile.Pattern{Line: 19, Unit: "u", Consumer: "d/*"}, Result: &noChange, By: place("cy", 19)},
			{Question: fixturefile.Pattern{Line: 20, Fact: "f.four"}, Value: "x"},
		},
		Expected: fixturefile.Expected{
			Asks: []fixturefile.Pattern{
				{Line: 22, Subject: "docs/x.md"}, {Line: 23, Subject: "src/*.go"},
				{
					Line: 24, Kind: "impact-review", Reason: "same-revision", Module: "m", Unit: "u", Declaration: "d", Fact: "f", State: "stale", Who: "mine",
					To: []string{}, Results: []string{"no-impact"},
				},
			},
			Notices: []string{"A.B"},
		},
	}
	if diff := cmp.Diff(want, file.Cases[0], cmpopts.IgnoreFields(fixturefile.Pattern{}, "Glob")); diff != "" {
		t.Error(diff)
	}
	if asks := file.Cases[0].Asks; asks[0].Glob != nil || asks[1].Glob == nil || !asks[1].Glob.Match("src/a.go") || file.Cases[0].Answers[0].Question.Glob == nil {
		t.Error("what is a glob, and what is none")
	}
	anew, refused, adoption, unfinished := file.Cases[1], file.Cases[2], file.Cases[3], file.Cases[4]
	if len(anew.Givens) != 1 || anew.Givens[0].From.Text != fixturefile.Nothing || anew.As != "ann" || anew.AsLine != 1 || !anew.AtLeast || len(anew.Asks) != 1 {
		t.Errorf("%+v", anew)
	}
	if refused.Refused != "A.B" || !adoption.Adoption || adoption.Nothing || unfinished.IsGiven() || !refused.IsGiven() || len(refused.Givens) != 1 {
		t.Errorf("%+v %+v %+v", refused, adoption, unfinished)
	}
}

// What a pattern is written as is read as that pattern.
func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("cases:\n  - {name: x, change: {}, asks: [{}, {to: a}, 1, \"\\x01\"]}\n"))
	f.Add([]byte("cases: [{name: a, change: {edit: {a: []}}, facts: {}, answers: [{result: x, value: y}]}]\ngiven: []\nas: [a]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, findings := fixturefile.Parse("f", data)
		readingtest.Check(t, findings)
		if len(findings) > 0 {
			return
		}
		if len(file.Cases) == 0 {
			t.Fatal("neither a case nor a finding")
		}
		for _, c := range file.Cases {
			if c.Name == "" || c.Line < 1 || c.Change.IsEmpty() {
				t.Fatalf("%+v", c)
			}
			for _, p := range c.Asks {
				text := "cases: [{name: x, change: {raise: u}, asks: [" + p.String() + "]}]"
				again, findings := fixturefile.Parse("f", []byte(text))
				if len(findings) > 0 {
					t.Fatalf("%s: %v", text, findings)
				}
				if diff := cmp.Diff(p, again.Cases[0].Asks[0], cmpopts.IgnoreFields(fixturefile.Pattern{}, "Glob", "Line")); diff != "" {
					t.Fatal(diff)
				}
			}
		}
	})
}
