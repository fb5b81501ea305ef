package main

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/wire"
)

// What is read of a submission, in YAML or JSON, is read again from the JSON that it is; what is refused is refused with findings or a code.
func FuzzSubmission(f *testing.F) {
	f.Add([]byte("schema_version: 11\nanswers:\n  - {question: 3f2a9c1, result: no-change, rationale: fine}\n"))
	f.Add([]byte(`{"schema_version": 11, "answers": [{"question": "3f2a9c1", "value": ["a"], "rationale": "x", "evidence": ["docs/a.md"]}], "stage": false}`))
	f.Add([]byte("{\"schema_version\": 11, \"answers\": [{\"question\": \"3f2a9c1\", \"question\": \"x\"}]}"))
	f.Add([]byte("schema_version: 1e1000000\nanswers: &a [*a]\n"))
	f.Add([]byte("\xef\xbb\xbf{"))
	f.Fuzz(func(t *testing.T, text []byte) {
		answers, err := parseSubmission("s.yaml", text)
		var findings *corpus.FindingsError
		if err != nil {
			if fault.As(err) == nil && (!errors.As(err, &findings) || len(findings.Findings) == 0) {
				t.Fatal(err)
			}
			return
		}
		again, err := json.Marshal(wire.Submission{SchemaVersion: wire.SchemaVersion, Answers: answers})
		if err != nil {
			t.Fatal(err)
		}
		back, err := parseSubmission("s.json", again)
		if diff := cmp.Diff(answers, back); err != nil || diff != "" {
			t.Fatalf("%s\n%v\n%s", again, err, diff)
		}
	})
}
