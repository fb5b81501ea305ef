package analysis

import (
	"slices"
	"testing"

	"github.com/git-standards/git-standards/engine/analysis/ask"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/fault"
)

// RULES F1: a fact that would remove a question needs that question's capability as well. bob has standards.analyze alone.
func TestWhoMayTakeOutAReviewByAFact(t *testing.T) {
	t.Parallel()
	both := "any: [{" + ifVisible + "}, {" + ifLow + "}]"
	for _, row := range []struct {
		name, when string
		bob, ann   map[string]any
		code       string
	}{
		{"a value that asks the review", ifVisible, map[string]any{"ui.visible": true}, nil, ""},
		{"a value that takes it out", ifVisible, map[string]any{"ui.visible": false}, nil, "AUTHORITY.CAPABILITY"},
		{"the same by one who may", ifVisible, nil, map[string]any{"ui.visible": false}, ""},
		{"one of two that are needed for it", both, map[string]any{"ui.visible": false}, map[string]any{"ui.risk": "high"}, "AUTHORITY.CAPABILITY"},
		{"one of two, where the other keeps it", both, map[string]any{"ui.visible": false}, map[string]any{"ui.risk": "low"}, ""},
		{"one beside another that is enough", "all: [{" + ifVisible + "}, {" + ifLow + "}]", map[string]any{"ui.risk": "high"}, map[string]any{"ui.visible": false}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			accepted := apply(t, base(), mayWaive(), declares(), when(row.when))
			bare := apply(t, accepted, raise("api.names", 1, 2))
			asked := mustJudge(t, accepted, bare).Asked
			answers := contenttest.Files{}
			for _, by := range []struct {
				principal string
				answers   map[string]any
			}{{"bob", row.bob}, {"ann", row.ann}} {
				for id, answer := range by.answers {
					i := slices.IndexFunc(asked, func(q *question.Question) bool { return q.Contract != nil && q.Contract.ID == id })
					answers["standards/decisions/_facts/"+id+"."+by.principal+".yaml"] = valueText(t, answer, by.principal, asked[i])
				}
			}
			proposed := bare.With(answers)
			_, err := judgeFiles(t, accepted, proposed)
			if f := fault.As(err); row.code == "" && err != nil || row.code != "" && (f == nil || f.Code != row.code || f.Outcome != fault.Unauthorized) {
				t.Fatalf("%v", err)
			}
			if row.code == "" {
				return
			}
			// Where the accepted side holds the answer, it counts no longer and the fact is asked again.
			landed := accepted.With(answers)
			v := mustJudge(t, landed, bare.With(answers))
			told := slices.ContainsFunc(v.Notices, func(n ask.Notice) bool { return n.Code == row.code })
			open := slices.ContainsFunc(v.Open, func(o decision.Open) bool { return o.Contract != nil && o.Contract.ID == "ui.visible" })
			if !told || !open {
				t.Errorf("told %v, open %v: %q", told, open, states(v))
			}
		})
	}
}
