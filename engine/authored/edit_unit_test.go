package authored

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-standards/git-standards/engine/authored/reading/readingtest"
)

func TestRaiseRevision(t *testing.T) {
	t.Parallel()
	whole := func(rows, body string) string {
		return "---\ntitle: x\nstandard:\n  id: m\n  role: topic\n  level: MUST\n  units:\n" + rows + "---\n# M\n" + body
	}
	two := whole("    - {id: a, heading: [A], revision: 1} # first\n    - id: b\n      heading: [B]\n      revision: 9\n", "## A\nx\n## B\ny\n")
	for _, c := range []struct{ name, text, unit, old, now, codes string }{
		{"a flow row", two, "a", "revision: 1}", "revision: 2}", ""},
		{"a block row, and one digit more", two, "b", "revision: 9", "revision: 10", ""},
		{"CRLF and a byte order mark", "\ufeff" + strings.ReplaceAll(two, "\n", "\r\n"), "b", "revision: 9", "revision: 10", ""},
		{"quotes around the id", whole("    - {\"id\": 'a', heading: [A], revision: 7}\n", "## A\n"), "a", "revision: 7", "revision: 8", ""},
		{"no such unit", two, "c", "", "", "3 EDIT.BY_HAND"},
		{"a tag", whole("    - {id: a, heading: [A], revision: !!int 1}\n", "## A\n"), "a", "", "", "8 EDIT.BY_HAND"},
		{"a text", whole("    - {id: a, heading: [A], revision: \"1\"}\n", "## A\n"), "a", "", "", "8 EDIT.BY_HAND"},
		{"no revision", whole("    - {id: a, heading: [A]}\n", "## A\n"), "a", "", "", "8 EDIT.BY_HAND"},
		{"no module", "# M\n", "a", "", "", "1 EDIT.NOT_A_MODULE"},
		{"no end", "---\nstandard: {id: m}\n", "a", "", "", "1 EDIT.NOT_A_MODULE"},
		{"no YAML", "---\nstandard: {id: m\n---\n", "a", "", "", "2 YAML.SYNTAX"},
	} {
		got, findings := RaiseRevision("f", []byte(c.text), c.unit)
		readingtest.Check(t, findings)
		if codes := readingtest.Codes(findings); codes != c.codes {
			t.Errorf("%s: %s, want %s", c.name, codes, c.codes)
		}
		want := ""
		if c.codes == "" {
			want = strings.Replace(c.text, c.old, c.now, 1)
		}
		if string(got) != want {
			t.Errorf("%s: %s", c.name, cmp.Diff(want, string(got)))
		}
	}
}

func TestReword(t *testing.T) {
	t.Parallel()
	module := func(body string) string {
		return moduleText("  units:\n    - {id: u, heading: [A], revision: 1}\n    - {id: n, heading: [A, N], revision: 1}\n", body)
	}
	for _, c := range []struct{ name, body, unit, want string }{
		{"a heading and its text", "# M\n\n## A\nx\n\n### N\ny\n", "u", "# M\n\n## A\n\nThese words were added.\n\nx\n\n### N\ny\n"},
		{"the nested one", "# M\n\n## A\nx\n### N\ny\n", "n", "# M\n\n## A\nx\n### N\n\nThese words were added.\n\ny\n"},
		{"underlined", "# M\nA\n---\nx\n### N\n", "u", "# M\nA\n---\n\nThese words were added.\n\nx\n### N\n"},
		{"underlined twice", "M\n===\nA\n---\n### N\n", "u", "M\n===\nA\n---\n\nThese words were added.\n\n### N\n"},
		{"at the end", "## A\n### N", "n", "## A\n### N\n\nThese words were added.\n\n"},
		{"text above", "# M\nbefore\n## A\n### N\n", "u", "# M\nbefore\n## A\n\nThese words were added.\n\n### N\n"},
	} {
		for _, ending := range []string{"\n", "\r\n"} {
			text, want := strings.ReplaceAll(module(c.body), "\n", ending), strings.ReplaceAll(module(c.want), "\n", ending)
			got, findings := Reword("f", []byte(text), c.unit)
			if len(findings) > 0 || string(got) != want {
				t.Errorf("%s: %v %s", c.name, findings, cmp.Diff(want, string(got)))
			}
		}
	}
	for _, text := range []string{"# M\n", module("# M\n## B\n")} {
		if got, findings := Reword("f", []byte(text), "u"); got != nil || readingtest.Codes(findings) != "1 EDIT.BY_HAND" {
			t.Errorf("%q: %q, %s", text, got, readingtest.Codes(findings))
		}
	}
}

// What is raised says the same but for that revision, what is reworded but for the text of that unit.
func FuzzEditUnit(f *testing.F) {
	f.Add([]byte(wholeModule))
	f.Add([]byte(moduleText("  units:\n    - {id: u, heading: [A], revision: 1}\n", "A\n-\n> ## B\n### C ###\n```\n")))
	f.Add([]byte(moduleText("  units: [{id: u, heading: [A], revision: 0x1}, {id: v, heading: [A, B], revision: 2}]\n", "## A\nx\n### B")))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 || bytes.Contains(data, []byte(reworded)) {
			return
		}
		before, findings := ParseModule("f", data)
		if before == nil || len(findings) > 0 {
			return
		}
		for i := range before.Units {
			unit := before.Units[i].ID
			if raised, findings := RaiseRevision("f", data, unit); len(findings) == 0 {
				after, findings := ParseModule("f", raised)
				want := *before
				want.Units = append([]Unit{}, before.Units...)
				want.Units[i].Revision++
				if diff := cmp.Diff(&want, after); len(findings) > 0 || diff != "" {
					t.Fatalf("raising %q: %v %s", unit, findings, diff)
				}
			}
			text, findings := Reword("f", data, unit)
			if len(findings) > 0 {
				t.Fatalf("rewording %q: %v", unit, findings)
			}
			after, _ := ParseModule("f", text)
			if after == nil || len(after.Units) != len(before.Units) || after.Units[i].Text.Normal == before.Units[i].Text.Normal {
				t.Fatalf("rewording %q changes nothing of it", unit)
			}
			if diff := cmp.Diff(before.Units[:i], after.Units[:i], cmpopts.IgnoreFields(Unit{}, "TextLine")); diff != "" {
				t.Fatalf("rewording %q: %s", unit, diff)
			}
		}
	})
}
