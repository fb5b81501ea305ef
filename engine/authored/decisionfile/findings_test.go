package decisionfile

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/authored/reading/readingtest"
)

const questionText = "questions:\n  - {recipe: q1, kind: consumer-review, unit: api.errors, revision: 2}\n"

func TestDecisionFindings(t *testing.T) {
	t.Parallel()
	const rest = "rationale: because\nprincipal: ann@example.com\n"
	sum := strings.Repeat("0f", 32)
	tests := []struct{ name, text, want string }{
		{"smallest", questionText + "kind: consumer-review\nresult: no-change\n" + rest, ""},
		{"evidence", questionText + "kind: consumer-review\nresult: updated\n" + rest + "evidence:\n  - {path: a/b, sha256: \"sha256:" + sum +
			"\"}\n  - sha256: sha256:" + sum + "\n", ""},
		{"evidence wrong", questionText + "kind: consumer-review\nresult: updated\n" + rest + "evidence:\n  - {path: ../b, sha256: x}\n  - {path: a}\n",
			"8 DECISION.EVIDENCE, 8 DECISION.EVIDENCE, 9 YAML.KEY_MISSING"},
		{"no keys", "{}\n", "1 YAML.KEY_MISSING, 1 YAML.KEY_MISSING, 1 YAML.KEY_MISSING, 1 YAML.KEY_MISSING, 1 DECISION.RESULT"},
		{"no record", "questions: []\nkind: impact-review\nresult: blocked\n" + rest, "1 DECISION.QUESTIONS"},
		{"other kind", questionText + "kind: impact-review\nresult: no-impact\n" + rest, "2 DECISION.KIND"},
		{"unknown kind", questionText + "kind: consumer\nresult: no-impact\n" + rest, "3 DECISION.KIND"},
		{"unknown result", questionText + "kind: consumer-review\nresult: no-impact\n" + rest, "4 DECISION.RESULT"},
		{"both", questionText + "kind: consumer-review\nresult: updated\nvalue: 1\n" + rest, "5 DECISION.RESULT"},
		{"value", questionText + "kind: consumer-review\nvalue: 1\n" + rest, "4 DECISION.RESULT"},
		{"blank texts", questionText + "kind: consumer-review\nresult: updated\nrationale: \" \"\nprincipal: \"a\\nb\"\n", "5 YAML.TYPE, 6 YAML.TYPE"},
		{"waiver", questionText + "kind: consumer-review\nresult: waiver\n" + rest, ""},
		{"a waived fact", "questions: [{kind: fact}]\nkind: fact\nresult: waiver\n" + rest, ""},
		{"fact", "questions: [{kind: fact}]\nkind: fact\nvalue: [a, b]\n" + rest, ""},
		{"an absent fact", "questions: [{kind: fact}]\nkind: fact\nresult: absent\n" + rest, ""},
		{"a fact without an answer", "questions: [{kind: fact}]\nkind: fact\n" + rest, "1 DECISION.RESULT"},
		{"a fact with a result of a review", "questions: [{kind: fact}]\nkind: fact\nresult: no-change\n" + rest, "3 DECISION.RESULT"},
		{"a fact that is a number", "questions: [{kind: fact}]\nkind: fact\nvalue: 1\n" + rest, "3 DECISION.VALUE"},
		{"a fact that is nothing", "questions: [{kind: fact}]\nkind: fact\nvalue: null\n" + rest, "3 DECISION.VALUE"},
		{"a fact that is many things", "questions: [{kind: fact}]\nkind: fact\nvalue: [1, null, {a: true}]\n" + rest, "3 DECISION.VALUE"},
		{"signature", questionText + "kind: consumer-review\nresult: updated\n" + rest + "signature: x\n", "7 DECISION.SIGNATURE"},
		{"signed", questionText + "kind: consumer-review\nresult: updated\n" + rest + "signature: |\n  -----BEGIN SSH SIGNATURE-----\n  U1NIU0lH\n  -----END SSH SIGNATURE-----\n", ""},
		{"signed in part", questionText + "kind: consumer-review\nresult: updated\n" + rest + "signature: |\n  -----BEGIN SSH SIGNATURE-----\n  U1NIU0lH\n", "7 DECISION.SIGNATURE"},
		{"coverage", "questions: [{kind: coverage}]\nkind: coverage\nresult: complete\n" + rest + "members:\n  - {path: a/b, blob: \"sha1:" + sum[:40] +
			"\"}\n  - blob: sha256:" + sum + "\n    path: é\n", ""},
		{"coverage of nothing", "questions: [{kind: coverage}]\nkind: coverage\nresult: complete\n" + rest + "members: []\n", ""},
		{"coverage without members", "questions: [{kind: coverage}]\nkind: coverage\nresult: complete\n" + rest, "1 DECISION.MEMBERS"},
		{"coverage blocked", "questions: [{kind: coverage}]\nkind: coverage\nresult: blocked\n" + rest, "3 DECISION.RESULT"},
		{"members of a review", questionText + "kind: consumer-review\nresult: updated\n" + rest + "members: []\n", "7 DECISION.MEMBERS"},
		{"members wrong", "questions: [{kind: coverage}]\nkind: coverage\nresult: complete\n" + rest + "members:\n  - {path: a, blob: \"sha1:" + sum + "\"}\n" +
			"  - {path: ../a, blob: \"sha256:" + sum + "\"}\n  - {path: a}\n  - a\n  - {path: a, blob: x, more: 1}\n",
			"7 DECISION.MEMBERS, 8 DECISION.MEMBERS, 9 YAML.KEY_MISSING, 10 YAML.TYPE, 11 YAML.KEY_UNKNOWN, 11 DECISION.MEMBERS"},
		{"values", "questions:\n  - kind: impact-review\n    a: 1.5\n    b: 0x1\n    c: [1, True, 99999999999999999999]\n    d: {x: 1, x: 2}\n    1: x\n" +
			"kind: impact-review\nresult: no-impact\n" + rest,
			"3 YAML.TYPE, 4 YAML.TYPE, 5 YAML.TYPE, 5 YAML.TYPE, 6 YAML.KEY_REPEATED, 7 YAML.TYPE"},
	}
	for _, test := range tests {
		decision, findings := Parse("f", []byte(test.text))
		readingtest.Check(t, findings)
		if got := readingtest.Codes(findings); got != test.want || decision == nil {
			t.Errorf("%s:\ngot  %s\nwant %s\n%+v", test.name, got, test.want, findings)
		}
	}
}

// TestHostileText bounds the time of reading by text made to hurt: the limit is far above what a slow machine takes and far below what
// quadratic time would.
func TestHostileText(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"[", "{", "- ", "? ", "#\n", "a: #x\n", "&a ", "*a ", "!a ", "\"", "'", "a: ", "{a: ", "[a,", "a:\n", "{? ", "\x00", "\n", "\t", "|", "> "} {
		done := make(chan struct{})
		go func() { Parse("f", []byte("questions: "+strings.Repeat(piece, (1<<14)/len(piece)))); close(done) }()
		select {
		case <-done:
		case <-time.After(30 * time.Second):
			t.Fatalf("a decision of %q takes too long", piece)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(questionText + "kind: consumer-review\nresult: no-change\nrationale: |\n  a\n  b\nprincipal: ann@example.com\n"))
	f.Add([]byte("questions:\n- ? kind\n  : impact-review\n  x: [1, {a: null}, \"\\u0085\"]\nkind: impact-review\nresult: blocked\nrationale: >-\n  a\nprincipal: a b\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, findings := Parse("", data)
		if len(findings) > 0 {
			return
		}
		text, err := Format(*d)
		if err != nil {
			t.Fatal(err)
		}
		back, findings := Parse("", text)
		d.Lines, back.Lines = nil, nil // where they stand may differ
		if diff := cmp.Diff(d, back); diff != "" || len(findings) > 0 {
			t.Fatalf("%s%v\n%s", diff, findings, text)
		}
	})
}
