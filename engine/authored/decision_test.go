package authored

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestFormatDecision(t *testing.T) {
	t.Parallel()
	sum := "sha256:" + strings.Repeat("0f", 32)
	d := Decision{
		Questions: []any{identity.Record{
			"kind": "consumer-review", "recipe": "q1", "unit": "api.errors", "revision": int64(2), "structure": "structure:" + sum,
			"relation": "documentation-projection", "consumer": "docs/errors.md", "bytes": "absent", "zone": nil,
			"also": identity.List{"yes", true, identity.Record{"b": "1", "a": int64(1)}},
		}},
		Kind: "consumer-review", Result: "no-change", Rationale: "The table lists codes only.\n\n  It stays right.", Principal: "ann@example.com",
		Evidence: []Evidence{{Path: "docs/proof.txt", SHA256: sum}, {SHA256: sum}},
	}
	want := `questions:
  - recipe: q1
    kind: consumer-review
    unit: api.errors
    revision: 2
    structure: structure:` + sum + `
    relation: documentation-projection
    consumer: docs/errors.md
    bytes: absent
    also: ["yes", true, {a: 1, b: "1"}]
    zone: null
kind: consumer-review
result: no-change
rationale: |-
  The table lists codes only.

    It stays right.
principal: ann@example.com
evidence:
  - path: docs/proof.txt
    sha256: ` + sum + `
  - sha256: ` + sum + `
`
	got, err := FormatDecision(d)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

// hardStrings are the texts that YAML is known to take for something else.
var hardStrings = []string{
	"", "yes", "no", "on", "y", "1.0", "1", "0x1", "0o7", "null", "~", "2026-01-01", "true", ".inf", "1e3", "<<", "-", "- a", "? a",
	": a", "a: b", "a #b", "#a", "a:", "'a'", "\"a\"", "\\", "a\\", "&a", "*a", "!a", "%a", "@a", "`a", "{a}", "[a]", "a,b", "|", ">",
	"---", "...", "---\na\n", "a\n---\nb", " a", "a ", "\ta", "a\t", "a\tb", "a\nb", "a\nb\n", "a\nb\n\n", "\na\nb", " a\nb", "a\n b",
	"a \nb", "a\n \nb", "a\n\n\nb", "a\r\nb", "a\rb", "a\u0085b", "a\u2028b\nc", "\ufeffa", "a\ufeff", "\ufeffa\nb", "é", "日本\n語",
	"\U0001F600", "\uFFFE", "\uFFFF", "\U0010FFFF", "\x00", "\x7f", "\x1b[31m", "\uD7FF", "\uE000", "# a\n# b", "a\n# b", "a\n\tb",
	strings.Repeat("long ", 300) + "x", strings.Repeat("k", 1200), "a\n" + strings.Repeat("é", 2000),
}

func drawString(t *rapid.T, label string) string {
	switch rapid.IntRange(0, 3).Draw(t, label+" kind") {
	case 0, 1:
		return rapid.SampledFrom(hardStrings).Draw(t, label)
	case 2:
		glue := rapid.SampledFrom([]string{"", " ", "\n", ":", "#"}).Draw(t, "glue")
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(hardStrings), 1, 3).Draw(t, label), glue)
	}
	return rapid.StringN(-1, -1, 200).Draw(t, label)
}

func drawValue(t *rapid.T, depth int) any {
	most := 6
	if depth > 2 {
		most = 4
	}
	switch rapid.IntRange(0, most).Draw(t, "value kind") {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2:
		return rapid.Int64().Draw(t, "int")
	case 5:
		list := identity.List{}
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			list = append(list, drawValue(t, depth+1))
		}
		return list
	case 6:
		return drawRecord(t, depth+1)
	}
	return drawString(t, "string")
}

func drawRecord(t *rapid.T, depth int) identity.Record {
	record := identity.Record{}
	for range rapid.IntRange(0, 4).Draw(t, "keys") {
		record[drawString(t, "key")] = drawValue(t, depth)
	}
	return record
}

func TestDecisionRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var kinds []string
		for kind := range decisionResults {
			kinds = append(kinds, kind)
		}
		slices.Sort(kinds)
		d := Decision{Kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
		d.Result = rapid.SampledFrom(decisionResults[d.Kind]).Draw(t, "result")
		for range rapid.IntRange(1, 3).Draw(t, "questions") {
			record := drawRecord(t, 0)
			record["kind"] = d.Kind
			d.Questions = append(d.Questions, record)
		}
		for strings.TrimSpace(d.Rationale) == "" {
			d.Rationale = drawString(t, "rationale")
		}
		for strings.TrimSpace(d.Principal) == "" || strings.ContainsFunc(d.Principal, isControl) {
			d.Principal = drawString(t, "principal")
		}
		for range rapid.IntRange(0, 2).Draw(t, "evidence") {
			d.Evidence = append(d.Evidence, Evidence{Path: rapid.SampledFrom([]string{"", "a", "docs/é #1: yes.md", "true", "1"}).Draw(t, "path"),
				SHA256: identity.Bytes([]byte(drawString(t, "bytes")))})
		}
		text, err := FormatDecision(d)
		if err != nil {
			t.Fatalf("%v\n%+v", err, d)
		}
		back, findings := ParseDecision("", text)
		if len(findings) > 0 {
			t.Fatal(findings)
		}
		if diff := cmp.Diff(d, *back); diff != "" {
			t.Fatalf("%s\n%s", diff, text)
		}
		if again, _ := FormatDecision(*back); string(again) != string(text) {
			t.Fatalf("%q and %q", text, again)
		}
	})
}

func TestFormatDecisionRefuses(t *testing.T) {
	t.Parallel()
	valid := func() Decision {
		questions := []any{identity.Record{"kind": "impact-review"}}
		return Decision{Questions: questions, Kind: "impact-review", Result: "no-impact", Rationale: "r", Principal: "p"}
	}
	tests := []struct {
		change func(*Decision)
		want   string
	}{
		{func(*Decision) {}, ""},
		{func(d *Decision) { d.Questions = nil }, "invalid DECISION.QUESTIONS"},
		{func(d *Decision) { d.Questions = []any{"x"} }, "invalid DECISION.QUESTIONS"},
		{func(d *Decision) { d.Questions = []any{identity.Record{"kind": "fact"}} }, "invalid DECISION.KIND"},
		{func(d *Decision) { d.Questions = []any{identity.Record{"kind": "impact-review", "x": 1.5}} }, "invalid DECISION.VALUE"},
		{func(d *Decision) { d.Questions = []any{identity.Record{"kind": "impact-review", "x": "\xff"}} }, "invalid DECISION.VALUE"},
		{func(d *Decision) { d.Rationale = "a\n\xff" }, "invalid DECISION.VALUE"},
		{func(d *Decision) { d.Rationale = "\n\n" }, "invalid YAML.TYPE"},
		{func(d *Decision) { d.Rationale = "" }, "invalid YAML.TYPE"},
		{func(d *Decision) { d.Principal = "a\nb" }, "invalid YAML.TYPE"},
		{func(d *Decision) { d.Result = "updated" }, "invalid DECISION.RESULT"},
		{func(d *Decision) { d.Result = "" }, "invalid YAML.TYPE, invalid DECISION.RESULT"},
		{func(d *Decision) { d.Value = "x" }, "invalid DECISION.RESULT"},
		{func(d *Decision) { d.Result = "waiver" }, "unsupported UNSUPPORTED.WAIVER"},
		{func(d *Decision) { d.Signature = "x\ny" }, "unsupported UNSUPPORTED.SIGNATURE"},
		{func(d *Decision) { d.Evidence = []Evidence{{Path: "a"}} }, "invalid YAML.TYPE"},
	}
	for i, test := range tests {
		d := valid()
		test.change(&d)
		_, err := FormatDecision(d)
		got := ""
		if f := fault.As(err); f != nil {
			got = fmt.Sprintf("%s %s", f.Outcome, f.Code)
		}
		if !strings.Contains(test.want, got) || (got == "") != (test.want == "") {
			t.Errorf("%d: got %q (%v), want %q", i, got, err, test.want)
		}
	}
}
