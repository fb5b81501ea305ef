package authored

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-standards/git-standards/engine/authored/reading/readingtest"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
)

func TestManifestFindings(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want, message string }{
		{"smallest", "version: 1\nmodules: [\"standards/**/*.md\"]\n", "", ""},
		{"byte order mark and CRLF", "\ufeffversion: 1\r\nmodules:\r\n  - a.md\r\n", "", ""},
		{"list", "- a\n", "1 YAML.TYPE", "the manifest must be a mapping, not a list"},
		{"keys missing", "gate: {}\n", "1 YAML.KEY_MISSING, 1 YAML.KEY_MISSING", ""},
		{"unknown key", "version: 1\nmodule: [a]\nmodules: [a]\n", "2 YAML.KEY_UNKNOWN", `did you mean "modules"?`},
		{"repeated key", "version: 1\nmodules: [a]\nversion: 1\n", "3 YAML.KEY_REPEATED", "line 1"},
		{"version", "version: 2\nmodules: [a]\n", "1 MANIFEST.VERSION", "2"},
		{"string version", "version: \"1\"\nmodules: [a]\n", "1 YAML.TYPE", "not a string"},
		{"null", "version: 1\nmodules:\n", "2 YAML.TYPE", "not nothing"},
		{"no glob", "version: 1\nmodules: []\n", "2 MANIFEST.GLOB", ""},
		{"bad globs", "version: 1\nmodules: [\"/a\", \"a/../b\", \"a[\", a, a]\n", "2 MANIFEST.GLOB, 2 MANIFEST.GLOB, 2 MANIFEST.GLOB, 2 MANIFEST.GLOB", ""},
		{"number for a string", "version: 1\nmodules: [1.0]\n", "2 YAML.TYPE", ""},
		{"gate", "version: 1\nmodules: [a]\ngate:\n  base: main\n  protected: [main, \"release/*\"]\n  block: [SHOULD, MUST]\n" +
			"  commit: all\n  push: warn\n  require-applicable: true\n", "", ""},
		{"gate wrong", "version: 1\nmodules: [a]\ngate:\n  base: ''\n  protected: [1]\n  block: [REFERENCE, MUST, MUST]\n  commit: al\n" +
			"  push: 1\n  require-applicable: yes\n  bass: x\n", "4 YAML.TYPE, 5 YAML.TYPE, 6 MANIFEST.BLOCK, 6 MANIFEST.BLOCK, " +
			"7 MANIFEST.GATE, 8 YAML.TYPE, 9 YAML.TYPE, 10 YAML.KEY_UNKNOWN", ""},
	}
	for _, test := range tests {
		manifest, findings := ParseManifest("f", []byte(test.text))
		readingtest.Check(t, findings)
		if got := readingtest.Codes(findings); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s\n%+v", test.name, got, test.want, findings)
		}
		if test.message != "" && (len(findings) == 0 || !strings.Contains(findings[0].Message, test.message)) {
			t.Errorf("%s: message without %q: %+v", test.name, test.message, findings)
		}
		if test.want == "" && (manifest == nil || len(manifest.Modules) == 0 || manifest.Lines["version"] != 1) {
			t.Errorf("%s: manifest %+v", test.name, manifest)
		}
	}
}

func TestManifestValues(t *testing.T) {
	t.Parallel()
	m, findings := ParseManifest("f", []byte("version: 1\nmodules: [b, a]\ngate: {protected: main, block: [PROFILE, MUST], push: all}\n"))
	if len(findings) > 0 || fmt.Sprint(m.Modules) != "[b a]" {
		t.Fatalf("%+v %+v", m, findings)
	}
	if got := fmt.Sprintf("%+v", m.Gate); got != "{Base: Protected:[main] Block:[MUST PROFILE] Commit:mine Push:all RequireApplicable:false}" {
		t.Error(got)
	}
	if m.Lines["gate.protected"] != 3 || m.Lines["gate"] != 3 {
		t.Error(m.Lines)
	}
	if m, _ = ParseManifest("f", []byte("version: 1\nmodules: [a]\n")); m.Gate.Protected != nil || fmt.Sprint(m.Gate.Block) != "[MUST SHOULD PROFILE]" {
		t.Errorf("defaults: %+v", m.Gate)
	}
}

// TestHostileText bounds the time of every parser by text made to hurt: the limits are far above what a slow machine
// takes and far below what quadratic time would.
func TestHostileText(t *testing.T) {
	t.Parallel()
	head := "---\nstandard:\n  id: a\n  role: core\n  level: MUST\n  units:\n    - {id: u, heading: [a], revision: 1}\n---\n# T\n## a\n"
	const size = 1 << 15
	pieces := []string{"[", "{", "- ", "? ", "#\n", "a: #x\n", "&a ", "*a ", "!a ", "\"", "'", "a: ", "{a: ", "[a,", "a:\n", "{? ", "\x00", "\n", "<", "`",
		"> ", "1. ", "[a](", "![", "*_", "# a\n", "a\n-\n", "[a]: b\n", "- \n", "&amp;", "\\", "a\n", "    a\n", "```\n", "a ", "\t", "|"}
	limit := func(name, piece string, f func()) {
		done := make(chan struct{})
		go func() { f(); close(done) }()
		select {
		case <-done:
		case <-time.After(30 * time.Second):
			t.Fatalf("%s of %q takes too long", name, piece)
		}
	}
	for _, piece := range pieces {
		text := strings.Repeat(piece, size/len(piece))
		limit("manifest", piece, func() { ParseManifest("f", []byte(text)) })
		limit("front matter", piece, func() { ParseModule("f", []byte("---\nstandard: "+text[:len(text)/2]+"\n---\n")) })
		limit("body", piece, func() { ParseModule("f", []byte(head+text[:len(text)-len(head)])) })
	}
}

// Long lists without a repeated entry, as long as they may be: each entry costs the same.
func TestLongLists(t *testing.T) {
	t.Parallel()
	var list strings.Builder
	n := 0
	for ; list.Len() < yamltext.MaxBytes-200; n++ {
		fmt.Fprintf(&list, "%06x,", n)
	}
	started := time.Now()
	m, findings := ParseManifest("f", []byte("version: 1\nmodules: ["+strings.ReplaceAll(list.String(), ",", "x,")[:yamltext.MaxBytes-200]+"]\n"))
	if len(findings) > 0 || len(m.Modules) < n/2 {
		t.Fatalf("%d globs, %s", len(m.Modules), readingtest.Codes(findings))
	}
	module, _ := ParseModule("f", []byte("---\nstandard:\n  id: a\n  role: core\n  level: MUST\n  requires: ["+strings.ReplaceAll(list.String(), ",", "x,")[:yamltext.MaxBytes-200]+"]\n---\n# T\n"))
	if len(module.Requires) != len(m.Modules) {
		t.Fatalf("%d ids of %d", len(module.Requires), len(m.Modules))
	}
	if took := time.Since(started); took > 5*time.Minute { // quadratic reading takes hours
		t.Errorf("%d entries twice in %v", len(m.Modules), took)
	}
}
