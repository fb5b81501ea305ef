package adopt

import (
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/authored"
)

func TestReadDocumentRefuses(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		data, code string
		line       int
	}{
		{"---\nx: 1\nstandard:\n  id: a\n---\n", "ADOPT.MODULE", 3},
		{"\ufeff+++\ntitle = 'x'\n+++\n# T\n", "ADOPT.TOML", 1},
		{"---\ntitle: x\n\n# T\n", "ADOPT.FRONT_MATTER", 1},
		{"---\r\ntitle: x\r\n...\r\n# T\r\n", "ADOPT.FRONT_MATTER", 1},
		{"---\n\nA thematic break, and prose.\n\n---\n", "ADOPT.FRONT_MATTER", 3},
		{"---\nTitle\n---\n", "ADOPT.FRONT_MATTER", 2},
		{"---\n- a\n- b\n---\n", "ADOPT.FRONT_MATTER", 2},
		{"---\na: 1\nb: [\n---\n", "ADOPT.FRONT_MATTER", 3},
		{"---\n{a: 1}\n---\n", "ADOPT.FRONT_MATTER", 3},
		{"---\n  a: 1\n---\n", "ADOPT.FRONT_MATTER", 3},
		{"---\na: 1\n...\nb: 1\n---\n", "ADOPT.FRONT_MATTER", 5},
		{"---\na: *x\n---\n", "ADOPT.FRONT_MATTER", 2},
		{"# T\n\nx\xffy\n", "MODULE.ENCODING", 3},
		{"---\nx: 1\n---\n" + strings.Repeat(">", 200) + "\n", "MODULE.TOO_DEEP", 4},
		{strings.Repeat("a\n", 1<<20), "MODULE.TOO_BIG", 1},
	} {
		var text []byte
		document, findings := readDocument("f.md", []byte(row.data))
		if document != nil {
			text, findings = document.addStandard(&authored.Module{ID: "f", Role: "topic", Level: "MUST"})
		}
		if text != nil || len(findings) != 1 || findings[0].Code != row.code || findings[0].Line != row.line || findings[0].Next == "" {
			t.Errorf("%.40q: %q %v", row.data, text, findings)
		}
	}
}
