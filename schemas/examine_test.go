package schemas_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/schemas"
)

// told is the problems of a submission, one a line.
func told(t *testing.T, text string) []string {
	t.Helper()
	tree, problems, err := schemas.Examine("submission", []byte(text))
	if err != nil || (tree != nil) != (len(problems) == 0) {
		t.Fatal(tree, problems, err)
	}
	var lines []string
	for _, p := range problems {
		lines = append(lines, fmt.Sprintf("%d %s %s: %s", p.Line, p.Code, p.Pointer, p.Message))
	}
	return lines
}

func TestExamineTellsEverythingInOrder(t *testing.T) {
	t.Parallel()
	const answer = `{"question": "3f2a9c1", "result": "no-change", "rationale": "why"}`
	for _, c := range []struct {
		text string
		want []string
	}{
		{`{"schema_version": 11, "answers": [` + answer + `]}`, nil},
		{"\n\n[]", []string{`3 JSON.SHAPE : found an array of 0 items; allowed: object`}},
		{"{}", []string{`1 JSON.SHAPE : missing: "answers", "schema_version"`}},
		// A key of the object around comes where it stands, before and after the values below another key.
		{"{\"b\": 1,\n\"answers\": [\n{\"question\": \"3f2a9c1\",\n\"result\":\n\"x\",\n\"rationale\": 1}],\n\"a~/\": 2, \"schema_version\": 11}", []string{
			`1 JSON.SHAPE /b: found the unknown key "b"; allowed: schema_version, answers`,
			`5 JSON.SHAPE /answers/0/result: found "x"; allowed: "updated", "no-change", "not-applicable", "no-impact", "complete", "value", "absent", "waiver", "blocked"`,
			`6 JSON.SHAPE /answers/0/rationale: found 1; allowed: string`,
			`7 JSON.SHAPE /a~0~1: found the unknown key "a~/"; allowed: schema_version, answers`,
		}},
		// Ten comes after nine.
		{`{"schema_version": 11, "answers": [` + strings.Repeat(answer+",\n", 9) + "1,\n2]}", []string{
			"10 JSON.SHAPE /answers/9: found 1; allowed: object", "11 JSON.SHAPE /answers/10: found 2; allowed: object"}},
		// What is no strict JSON has one problem, where reading stopped.
		{"{\n\"a\": 1,\n}", []string{`3 JSON.SYNTAX : the text is not one JSON value: found "}" at byte 11 of 11, where none can stand`}},
		{"{\n\"a\":\n", []string{"2 JSON.SYNTAX : the text is not one JSON value: it ends too early, after 7 bytes"}},
		{"{", []string{"1 JSON.SYNTAX : the text is not one JSON value: it ends too early, after 1 byte"}},
		{"{} é", []string{`1 JSON.SYNTAX : the text is not one JSON value: found "é" at byte 4 of 5, where none can stand`}},
		{"{\"a\":\n" + strings.Repeat("[", 20_000), []string{"2 JSON.DEPTH /a" + strings.Repeat("/0", 63) + ": nested deeper than 64"}},
		{`{"schema_version": 11, "answers": [{"question": "3f2a9c1", "result": "no-change", "rationale": "a\u0000b"}]}`, []string{
			`1 JSON.SHAPE /answers/0/rationale: found "a\x00b"; allowed: a text without NUL`}},
		{"{\"a\": {\n\"b\": 1,\n\n\"b\"\n: 2}}", []string{`4 JSON.DUPLICATE_KEY /a/b: the key "b" stands twice in one object`}},
		{"{\"a\": [\n1,\n1.5]}", []string{"3 JSON.NUMBER /a/1: found 1.5; allowed: an integer of at most 64 digits"}},
		{"{\"a\":\n\"\xff\"}", []string{"2 JSON.ENCODING : the text is not UTF-8"}},
		{"{\"a\":\n\n\"\\ud800\"}", []string{"3 JSON.ENCODING : the escape at byte 8 is half of a surrogate pair"}},
	} {
		if got := told(t, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", c.text, strings.Join(got, "\n     "), strings.Join(c.want, "\n     "))
		}
	}
}

// plain is an origin whose every scalar may be a text, such as YAML's plain ones.
type plain map[string]string

func (plain) Position([]string, bool) (int, int) { return 1, 1 }
func (p plain) Text(path []string) (string, bool) {
	text, ok := p[strings.Join(path, "/")]
	return text, ok
}

// A scalar becomes the text that stands there only where the schema takes a text and nothing else.
func TestScalarsWhereTextsAre(t *testing.T) {
	t.Parallel()
	tree := func() map[string]any {
		return map[string]any{"schema_version": true, "answers": []any{
			map[string]any{"question": true, "result": "no-change", "rationale": false, "evidence": []any{true}}}}
	}
	good := tree()
	good["schema_version"] = json.Number("11")
	read, problems, err := schemas.ExamineTree("submission", good, plain{"answers/0/question": "0123456", "answers/0/rationale": "no", "answers/0/evidence/0": "1"})
	if err != nil || len(problems) > 0 || fmt.Sprint(read) != "map[answers:[map[evidence:[1] question:0123456 rationale:no result:no-change]] schema_version:11]" {
		t.Fatal(read, problems, err)
	}
	read, problems, err = schemas.ExamineTree("submission", tree(), plain{"schema_version": "11", "answers/0/question": "x", "answers/0/evidence/0": "1"})
	var all []string
	for _, p := range problems {
		all = append(all, p.Pointer+": "+p.Message)
	}
	want := []string{"/answers/0/question: found \"x\"; allowed: a question's id, or 7 or more of its hex digits",
		"/answers/0/rationale: found false; allowed: string", "/schema_version: found true; allowed: 11"}
	if err != nil || read != nil || !slices.Equal(all, want) {
		t.Fatal(read, strings.Join(all, "\n"), err)
	}
}
