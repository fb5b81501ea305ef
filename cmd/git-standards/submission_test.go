package main_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/schemas"
)

// value draws a value of a submission as JSON, white space and line ends wherever they may be, most often a right one.
func value(t *rapid.T, depth int) string {
	space := func() string { return rapid.SampledFrom([]string{"", "", " ", "\n", "\n  ", "\r\n"}).Draw(t, "space") }
	list := func(open, shut string, n int, entry func(i int) string) string {
		var entries []string
		for i := range n {
			entries = append(entries, space()+entry(i)+space())
		}
		return open + strings.Join(entries, ",") + shut
	}
	kind := rapid.IntRange(0, 9).Draw(t, "kind")
	switch {
	case depth > 0 && kind < 3:
		return list("[", "]", rapid.IntRange(0, 3).Draw(t, "n"), func(int) string { return value(t, depth-1) })
	case depth > 0 && kind < 6:
		keys := rapid.Permutation([]string{"question", "result", "rationale", "evidence", "answers", "schema_version", "é/~", "more"}).Draw(t, "keys")
		return list("{", "}", rapid.IntRange(0, 6).Draw(t, "n"), func(i int) string { return `"` + keys[i] + `"` + ":" + space() + value(t, depth-1) })
	}
	return rapid.SampledFrom([]string{`"3f2a9c1"`, `"no-change"`, `"why"`, "null", `""`, `"a, [b]: {c}"`, `"docs/a.md"`, `"é\n\u0041"`}).Draw(t, "text")
}

// JSON is YAML: two readers that share nothing find the same problems on the same lines, in the same order.
func TestJSONAndYAMLAreToldTheSame(t *testing.T) {
	t.Parallel()
	told := func(tree any, problems []schemas.Problem, err error) string {
		var all strings.Builder
		for _, p := range problems {
			fmt.Fprintf(&all, "%d %s %s %s\n", p.Line, p.Pointer, p.Code, p.Message)
		}
		if err != nil || (tree == nil) == (len(problems) == 0) {
			return fmt.Sprintf("tree %v, %v", tree, err)
		}
		return all.String()
	}
	refused := 0
	rapid.Check(t, func(t *rapid.T) {
		text := "\n{" + `"schema_version": 11,` + "\n" + `"answers":[` + value(t, 3) + ",\n" + value(t, 2) + "]}"
		yaml, findings := reading.Tree("f", []byte(text))
		if len(findings) > 0 {
			t.Fatalf("%v\n%s", findings, text)
		}
		json := told(schemas.Examine("submission", []byte(text)))
		if other := told(schemas.ExamineTree("submission", yaml.Value, yaml)); json != other {
			t.Fatalf("%s\nJSON:\n%s\nYAML:\n%s", text, json, other)
		}
		if json != "" {
			refused++
		}
	})
	if refused == 0 {
		t.Error("nothing was refused")
	}
}
