package authored

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/facts"
)

func FuzzParseModule(f *testing.F) {
	f.Add([]byte(wholeModule))
	f.Add([]byte(moduleText("  units:\n    - {id: u, heading: [A], revision: 1}\n", "A\n-\n> ## B\n### C ###\n```\n")))
	f.Add([]byte(moduleText("  units:\n    - {id: u, heading: [A], revision: 1}\n  consumers:\n    - {unit: u, path: a, relation: fixture-projection, on: [policy, consumer],\n"+
		"       when: {any: [{not: {in: {fact: x, values: [true, b]}}}, {matches: {fact: y, glob: \"*\"}}]}}\n", "## A\n")))
	f.Add([]byte("\ufeff---\r\nstandard: {id: 1}\r\n---"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 {
			return
		}
		m, findings := ParseModule("f", data)
		checkFindings(t, findings)
		if m == nil && len(findings) == 0 {
			t.Fatal("neither a module nor a finding")
		}
		if !IsModule(data) && m != nil {
			t.Fatal("a module that is none")
		}
		if m == nil || len(findings) > 0 {
			return
		}
		// Every byte of the body is in exactly one section.
		front, _ := findFront(data)
		size := len(m.Outside.Raw)
		for _, u := range m.Units {
			size += len(u.Text.Raw)
			if len(u.Text.Raw) == 0 || u.TextLine == 0 {
				t.Fatalf("unit %q has no text", u.ID)
			}
		}
		if size != len(data)-front.body {
			t.Fatalf("%d bytes in sections, %d in the body", size, len(data)-front.body)
		}
	})
}

func FuzzParseManifest(f *testing.F) {
	f.Add([]byte("version: 1\nmodules: [\"standards/**/*.md\"]\ngate: {base: main, protected: main, block: [MUST], commit: mine}\n"))
	f.Add([]byte(wholeManifest))
	f.Add([]byte("version: 1\nmodules: &a\n  - *a\n? x\n: |\n y\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, findings := ParseManifest("f", data)
		checkFindings(t, findings)
		if len(findings) > 0 {
			return
		}
		if m == nil || len(m.Modules) == 0 {
			t.Fatalf("%+v", m)
		}
		if m.Routing == nil {
			return
		}
		for _, rule := range m.Routing.Rules {
			if canonical, err := facts.Canonical(rule.When); err != nil || !cmp.Equal(canonical, rule.When) {
				t.Fatalf("%v becomes %v: %v", rule.When, canonical, err)
			}
		}
	})
}

func FuzzParseDecision(f *testing.F) {
	f.Add([]byte(questionText + "kind: consumer-review\nresult: no-change\nrationale: |\n  a\n  b\nprincipal: ann@example.com\n"))
	f.Add([]byte("questions:\n- ? kind\n  : impact-review\n  x: [1, {a: null}, \"\\u0085\"]\nkind: impact-review\nresult: blocked\nrationale: >-\n  a\nprincipal: a b\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, findings := ParseDecision("", data)
		if len(findings) > 0 {
			return
		}
		text, err := FormatDecision(*d)
		if err != nil {
			t.Fatal(err)
		}
		back, findings := ParseDecision("", text)
		d.Lines, back.Lines = nil, nil // where they stand may differ
		if diff := cmp.Diff(d, back); diff != "" || len(findings) > 0 {
			t.Fatalf("%s%v\n%s", diff, findings, text)
		}
	})
}
