package judge_test

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
)

// DESIGN 3: seven or more digits, and as many as name one question.
func TestAbbreviate(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		hexes []string
		want  string // of the first
	}{
		{[]string{"abc"}, "abc0000"},
		{[]string{"abcdef01", "bbcdef01"}, "abcdef0"},
		{[]string{"abcdef01", "abcdef02"}, "abcdef01"},
		{[]string{"abcdef01", "abcdef02", "abcdef011"}, "abcdef010"},
		{[]string{"abcdef01", "abcdef01"}, "abcdef0"},
	} {
		asked := abbreviated(row.hexes...)
		if got := judge.Abbreviations(asked)[asked[0].ID]; got != row.want {
			t.Errorf("%q: %s, not %s", row.hexes, got, row.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		asked := abbreviated(rapid.SliceOfNDistinct(rapid.StringMatching(`[01]{10}`), 1, 30, rapid.ID[string]).Draw(t, "hexes")...)
		for _, q := range asked {
			short := judge.Abbreviations(asked)[q.ID]
			if found, err := judge.FindQuestion(short, asked); err != nil || found != q || len(short) < 7 {
				t.Fatalf("%s finds %v: %v", short, found, err)
			}
			if len(short) > 7 {
				if _, err := judge.FindQuestion(short[:len(short)-1], asked); !fault.Is(err, "QUESTION.AMBIGUOUS") {
					t.Fatalf("%s is longer than it need be", short)
				}
			}
		}
	})
}

func TestFindQuestion(t *testing.T) {
	t.Parallel()
	asked := abbreviated("abcdef01", "abcdef02", "12345678")
	for _, row := range []struct {
		word  string
		index int // -1: none
		code  string
	}{
		{"1234567", 2, ""},
		{"question:1234567", 2, ""},
		{"question:sha256:1234567", 2, ""},
		{asked[0].ID, 0, ""},
		{"abcdef02", 1, ""},
		{"abcdef0", -1, "QUESTION.AMBIGUOUS"},
		{"question:abcdef0", -1, "QUESTION.AMBIGUOUS"},
		{"7777777", -1, ""},
		{"question:sha256:" + strings.Repeat("7", 64), -1, ""},
		{"123456", -1, "QUESTION.MALFORMED"},
		{"question:123456", -1, "QUESTION.MALFORMED"},
		{"question:sha256:", -1, "QUESTION.MALFORMED"},
		{"question:sha256:12", -1, "QUESTION.MALFORMED"},
		{"question:sha256:" + strings.Repeat("7", 65), -1, "QUESTION.MALFORMED"},
		{"ABCDEF01", -1, "QUESTION.MALFORMED"},
		{"no-change", -1, "QUESTION.MALFORMED"},
		{"analysis-root:1234567", -1, "QUESTION.MALFORMED"},
		{"", -1, "QUESTION.MALFORMED"},
	} {
		q, err := judge.FindQuestion(row.word, asked)
		if code(err) != row.code || row.index < 0 && q != nil || row.index >= 0 && q != asked[row.index] {
			t.Errorf("%q: %v %v", row.word, q, err)
		}
	}
	_, err := judge.FindQuestion("abcdef0", asked)
	if next := fault.As(err).Next; len(next) != 2 || next[0] != asked[0].ID || next[1] != asked[1].ID {
		t.Errorf("%q", next)
	}
}

func TestExpand(t *testing.T) {
	t.Parallel()
	id := func(kind, hex string) string { return kind + ":sha256:" + hex + strings.Repeat("0", 64-len(hex)) }
	store := memory{id("question", "abcdef01"): nil, id("question", "abcdef02"): nil, id("analysis-root", "abcdef01"): nil, id("content-file", "12345678"): nil}
	for _, row := range []struct{ word, want, code string }{
		{"1234567", id("content-file", "12345678"), ""},
		{"content-file:1234567", id("content-file", "12345678"), ""},
		{"content-file:sha256:1234567", id("content-file", "12345678"), ""},
		{id("content-file", "12345678"), id("content-file", "12345678"), ""},
		{id("question", "77"), id("question", "77"), ""}, // whole ids are looked up by Get
		{"analysis-root:abcdef0", id("analysis-root", "abcdef01"), ""},
		{"question:abcdef0", "", "HANDLE.AMBIGUOUS"},
		{"abcdef01", "", "HANDLE.AMBIGUOUS"},
		{"question:1234567", "", "HANDLE.UNKNOWN"},
		{"7777777", "", "HANDLE.UNKNOWN"},
		{"horizon:1234567", "", "HANDLE.KIND"},
		{"sha256:1234567", "", "HANDLE.KIND"},
		{"123456", "", "HANDLE.MALFORMED"},
		{"question:", "", "HANDLE.MALFORMED"},
		{"question:sha256:", "", "HANDLE.MALFORMED"},
		{"ABCDEF01", "", "HANDLE.MALFORMED"},
		{"%", "", "HANDLE.MALFORMED"},
		{"", "", "HANDLE.MALFORMED"},
	} {
		got, err := judge.Expand(context.Background(), store, judge.Codecs(), row.word)
		if got != row.want || code(err) != row.code {
			t.Errorf("%q: %q %v", row.word, got, err)
		}
	}
}

func TestInspectProvesWhatItShows(t *testing.T) {
	t.Parallel()
	outcome, err := prepare(t, base(), raised())
	if err != nil {
		t.Fatal(err)
	}
	store := memory{}
	if err := judge.Record(context.Background(), store, outcome); err != nil {
		t.Fatal(err)
	}
	root := outcome.Verdict.Root.ID
	inspection, text, err := judge.Inspect(context.Background(), store, judge.Codecs(), root)
	if err != nil || inspection.Handle.ID != root || inspection.Handle.SchemaVersion != 4 || inspection.PayloadContract != "analysis-root.v1" || string(text) != string(store[root]) ||
		len(inspection.Dependencies) != 5 { // two corpora, the closure, two questions
		t.Errorf("%v %s", err, shape(t, inspection))
	}
	for id, text := range store {
		broken := memory{}
		for other, whole := range store {
			broken[other] = whole
		}
		flipped := []byte(string(text))
		flipped[len(flipped)/2] ^= 1
		broken[id] = flipped
		if _, _, err := judge.Inspect(context.Background(), broken, judge.Codecs(), id); fault.As(err) == nil || fault.As(err).Target != id {
			t.Errorf("a flipped byte of %s: %v", id, err)
		}
		if id != root {
			delete(broken, id)
			if _, _, err := judge.Inspect(context.Background(), broken, judge.Codecs(), id); !fault.Is(err, "HANDLE.UNKNOWN") {
				t.Errorf("%s is gone: %v", id, err)
			}
		}
	}
	delete(store, outcome.Verdict.Asked[0].ID)
	if _, _, err := judge.Inspect(context.Background(), store, judge.Codecs(), root); !fault.Is(err, "OBJECT.DEPENDENCY_MISSING") {
		t.Error(err)
	}
}
