package decisionfile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/git-standards/git-standards/engine/authored/reading"
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
	got, err := Format(d)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func drawString(t *rapid.T, label string) string {
	odd := rapid.SampledFrom([]string{"", "no", "1", "~", "2026-01-01", "a: b", "a #b", "- a", "---", "a\nb\n", " a\n\nb ", "\x00", "\u0085", "日本\n語", strings.Repeat("k", 1200)})
	return rapid.OneOf(odd, rapid.StringN(-1, -1, 200)).Draw(t, label)
}

func drawRecord(t *rapid.T) identity.Record {
	record := identity.Record{}
	for range rapid.IntRange(0, 4).Draw(t, "keys") {
		text := drawString(t, "string")
		values := []any{nil, true, rapid.Int64().Draw(t, "int"), text, identity.List{text, nil}, identity.Record{text: identity.List{}}}
		record[drawString(t, "key")] = rapid.SampledFrom(values).Draw(t, "value")
	}
	return record
}

// isControlOrBreak is what a text of one line cannot hold.
func isControlOrBreak(c rune) bool { return unicode.IsControl(c) || c == 0x2028 || c == 0x2029 }

func TestDecisionRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var kinds []string
		for kind := range resultsOf {
			kinds = append(kinds, kind)
		}
		slices.Sort(kinds)
		d := Decision{Kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
		d.Result = rapid.SampledFrom(append(slices.Clone(resultsOf[d.Kind]), "waiver")).Draw(t, "result")
		if text := drawString(t, "value"); d.Kind == "fact" && rapid.Bool().Draw(t, "has a value") {
			d.Result, d.Value = "", rapid.SampledFrom([]any{true, false, text, identity.List{}, identity.List{text, "b"}}).Draw(t, "value")
		}
		for range rapid.IntRange(1, 3).Draw(t, "questions") {
			record := drawRecord(t)
			record["kind"] = d.Kind
			d.Questions = append(d.Questions, record)
		}
		for strings.TrimSpace(d.Rationale) == "" {
			d.Rationale = drawString(t, "rationale")
		}
		for strings.TrimSpace(d.Principal) == "" || strings.ContainsFunc(d.Principal, isControlOrBreak) {
			d.Principal = drawString(t, "principal")
		}
		for range rapid.IntRange(0, 2).Draw(t, "evidence") {
			d.Evidence = append(d.Evidence, Evidence{Path: rapid.SampledFrom([]string{"", "a", "docs/é #1: yes.md", "true", "1"}).Draw(t, "path"),
				SHA256: identity.Bytes([]byte(drawString(t, "bytes")))})
		}
		if d.Kind == "coverage" && d.Result == CompleteResult {
			for range rapid.IntRange(0, 2).Draw(t, "members") {
				d.Members = append(d.Members, Member{Path: rapid.SampledFrom([]string{"a", "docs/é #1: yes.md", "true", "1", "{a", "x\ny"}).Draw(t, "member"),
					Blob: rapid.SampledFrom([]string{"sha1:" + strings.Repeat("0", 40), "sha256:" + strings.Repeat("e", 64)}).Draw(t, "blob")})
			}
		}
		text, err := Format(d)
		if err != nil {
			t.Fatalf("%v\n%+v", err, d)
		}
		back, findings := Parse("", text)
		if len(findings) > 0 {
			t.Fatal(findings)
		}
		if len(back.Lines) != len(d.Questions) || !slices.IsSorted(back.Lines) || back.Lines[0] < 2 {
			t.Fatalf("lines %v of\n%s", back.Lines, text)
		}
		lines := strings.Split(string(text), "\n")
		if hasValue := d.Value != nil; hasValue != (back.ValueLine > 0) || hasValue && !strings.HasPrefix(lines[back.ValueLine-1], "value:") {
			t.Fatalf("the value is on line %d of\n%s", back.ValueLine, text)
		}
		back.Lines, back.ValueLine = nil, 0
		if diff := cmp.Diff(d, *back); diff != "" {
			t.Fatalf("%s\n%s", diff, text)
		}
		if again, _ := Format(*back); string(again) != string(text) {
			t.Fatalf("%q and %q", text, again)
		}
	})
}

// What a decision lacks is named as its kind has it.
func TestDecisionWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{"fact": "the decision has no value", "coverage": "the decision has no result"} {
		_, findings := Parse("d.yaml", []byte("questions: [{kind: "+kind+"}]\nkind: "+kind+"\nrationale: r\nprincipal: p\n"))
		if i := slices.IndexFunc(findings, func(f reading.Finding) bool { return f.Code == "DECISION.RESULT" }); i < 0 || findings[i].Message != want {
			t.Errorf("%s: %+v", kind, findings)
		}
	}
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
		{func(d *Decision) { d.Result = "waiver" }, ""},
		{func(d *Decision) { d.Kind, d.Result, d.Value = "fact", "", int64(1) }, "invalid DECISION.KIND, invalid DECISION.VALUE"},
		{func(d *Decision) { d.Signature = "x\ny" }, "invalid DECISION.SIGNATURE"},
		{func(d *Decision) { d.Evidence = []Evidence{{Path: "a"}} }, "invalid YAML.TYPE"},
		{func(d *Decision) { d.Members = []Member{{Path: "a", Blob: "sha1:" + strings.Repeat("0", 40)}} }, "invalid DECISION.MEMBERS"},
		{func(d *Decision) {
			d.Kind, d.Result, d.Questions = "coverage", CompleteResult, []any{identity.Record{"kind": "coverage"}}
			d.Members = []Member{{Path: "a", Blob: strings.Repeat("0", 40)}}
		}, "invalid DECISION.MEMBERS"},
	}
	for i, test := range tests {
		d := valid()
		test.change(&d)
		_, err := Format(d)
		got := ""
		if f := fault.As(err); f != nil {
			got = fmt.Sprintf("%s %s", f.Outcome, f.Code)
		}
		if !strings.Contains(test.want, got) || (got == "") != (test.want == "") {
			t.Errorf("%d: got %q (%v), want %q", i, got, err, test.want)
		}
	}
}
