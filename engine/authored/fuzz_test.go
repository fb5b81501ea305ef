package authored

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/authored/front"
	"github.com/git-standards/git-standards/engine/authored/reading/readingtest"
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
		readingtest.Check(t, findings)
		if m == nil && len(findings) == 0 {
			t.Fatal("neither a module nor a finding")
		}
		if !front.IsModule(data) && m != nil {
			t.Fatal("a module that is none")
		}
		if m == nil || len(findings) > 0 {
			return
		}
		// Every byte of the body is in exactly one section.
		matter, _ := front.Find(data)
		size := len(m.Outside.Raw)
		for _, u := range m.Units {
			size += len(u.Text.Raw)
			if len(u.Text.Raw) == 0 || u.TextLine == 0 {
				t.Fatalf("unit %q has no text", u.ID)
			}
		}
		if size != len(data)-matter.Body {
			t.Fatalf("%d bytes in sections, %d in the body", size, len(data)-matter.Body)
		}
	})
}

func FuzzParseManifest(f *testing.F) {
	f.Add([]byte("version: 1\nmodules: [\"standards/**/*.md\"]\ngate: {base: main, protected: main, block: [MUST], commit: mine}\n"))
	f.Add([]byte(wholeManifest))
	f.Add([]byte("version: 1\nmodules: &a\n  - *a\n? x\n: |\n y\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, findings := ParseManifest("f", data)
		readingtest.Check(t, findings)
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
