package main_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	compare "github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/schemas"
	"github.com/git-standards/git-standards/store"
)

// mustProject is how many verdicts a script prints at least of which it leaves the state in a store: facts, signatures, waivers, coverage,
// and dormant answers.
var mustProject = map[string]int{
	"facts_decide_what_is_asked": 1, "trust_signed_answers": 2, "trust_revoked_awaiting_restored": 2, "coverage_by_independent_attesters": 1,
	"coverage_by_anyone": 2, "deleted_and_moved_consumers": 2, "projection_replay": 4,
}

// said is what a verdict and the projection of its state both say.
type said struct {
	Result, Issuer, Coverage string
	Open                     []string
	Answers                  []string
}

// checkProjections judges every state in the stores below a folder again, from its store alone, and compares what comes out with each
// verdict that was printed when the state was made. What a script has damaged cannot be inspected either.
func checkProjections(folder, printed string) error {
	verdicts, err := printedVerdicts(printed)
	if err != nil {
		return err
	}
	compared := 0
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(entry.Name(), ".sqlite3") {
			return nil // a script may have taken its folders' permissions
		}
		n, err := projectAll(path, verdicts)
		compared += n
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	})
	if least := mustProject[strings.TrimPrefix(filepath.Base(folder), "script-")]; err == nil && compared < least {
		err = fmt.Errorf("%d projections are compared with what was printed, not %d", compared, least)
	}
	return err
}

func projectAll(path string, verdicts map[string][]said) (compared int, err error) {
	ctx, codecs := context.Background(), judge.Codecs()
	s, err := store.Open(ctx, path, codecs, store.ReadOnly)
	if err != nil {
		return 0, nil // a script's own matter
	}
	defer s.Close()
	roots, err := s.Find(ctx, "analysis-root:", 1_000_000)
	if err != nil {
		return 0, nil
	}
	for _, root := range roots {
		if _, _, err := judge.Inspect(ctx, s, codecs, root); err != nil {
			continue
		}
		p, err := judge.Project(ctx, s, codecs, root)
		if err != nil {
			return compared, fmt.Errorf("%s: %w", root, err)
		}
		text, err := wire.JSON(p)
		if err == nil {
			err = schemas.Validate("projection", text)
		}
		if err != nil {
			return compared, err
		}
		for _, verdict := range verdicts[root] {
			if diff := compare.Diff(verdict, projected(p, &verdict)); diff != "" {
				return compared, fmt.Errorf("%s: the projection is not what was printed (-printed +projection):\n%s", root, diff)
			}
			compared++
		}
	}
	return compared, nil
}

// printedVerdicts is what was printed of states that were stored, by their handles, but for what lands: that hangs on more than a state.
func printedVerdicts(folder string) (map[string][]said, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return nil, err
	}
	verdicts := map[string][]said{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var v wire.Pending
		if json.Unmarshal(text, &v) != nil || v.Result != "pending" && v.Result != "complete" || !v.Stored || v.Landed != nil {
			continue
		}
		s := said{Result: v.Result, Issuer: v.Issuer, Coverage: v.Coverage}
		for _, q := range v.Questions {
			state := q.State
			if state == "stale" {
				state = "open" // what is outdated is in no state
			}
			s.Open = append(s.Open, line(q.Question, q.Kind, reason(q.Kind, &q.Reason), q.About, q.Capability, state))
		}
		for _, d := range v.Decisions {
			s.Answers = append(s.Answers, line(d.Question, d.Result, d.Principal, d.Trust, d.Counted))
		}
		s.Answers = slices.Compact(slices.Sorted(slices.Values(s.Answers))) // of two files that say the same, a state holds one
		verdicts[v.Analysis.ID] = append(verdicts[v.Analysis.ID], s)
	}
	return verdicts, nil
}

// projected is what a projection says. What it leaves unknown is a coverage question; of that it takes what was printed.
func projected(p *wire.Projection, printed *said) said {
	s := said{Result: p.Verdict, Issuer: p.Issuer, Coverage: p.Coverage}
	if p.Coverage == "unknown" && printed.Coverage != "not-audited" {
		s.Coverage = printed.Coverage
	}
	open := false
	for _, q := range p.Questions {
		text := func(state string) string {
			return line(q.Question, q.Kind, reason(q.Kind, q.Reason), q.About, q.Capability, state)
		}
		state := q.State
		if state == "unknown" && q.Kind == "coverage" {
			if !slices.Contains(printed.Open, text("open")) {
				continue
			}
			state, open = "open", true
		}
		s.Open = append(s.Open, text(state))
	}
	if p.Verdict == "unknown" {
		s.Result = map[bool]string{true: "pending", false: "complete"}[open]
	}
	for _, d := range p.Decisions {
		s.Answers = append(s.Answers, line(d.Question, d.Result, d.Principal, d.Trust, d.Counted))
	}
	s.Answers = slices.Compact(slices.Sorted(slices.Values(s.Answers)))
	return s
}

// reason is why a question is asked, where a state says that.
func reason(kind string, why *string) string {
	if kind == "consumer-review" {
		return ""
	}
	return cmp.Or(wire.Text(why), "none")
}

func line(parts ...any) string {
	text, err := json.Marshal(parts)
	if err != nil {
		panic("internal error: " + err.Error())
	}
	return string(text)
}

// A check that cannot fail proves nothing.
func TestProjectionsAreCompared(t *testing.T) {
	t.Parallel()
	printed := said{Result: "complete", Coverage: "certified"}
	q := wire.ProjectedQuestion{Question: "q", Kind: "coverage", State: "unknown"}
	p := wire.Projection{Verdict: "unknown", Coverage: "unknown", Questions: []wire.ProjectedQuestion{q}}
	if diff := compare.Diff(printed, projected(&p, &printed)); diff != "" {
		t.Error(diff)
	}
	q.State = "open"
	for name, wrong := range map[string]wire.Projection{
		"another verdict":   {Verdict: "pending", Coverage: "certified"},
		"another coverage":  {Verdict: "complete", Coverage: "open"},
		"an open question":  {Verdict: "complete", Coverage: "certified", Questions: []wire.ProjectedQuestion{q}},
		"an answer":         {Verdict: "complete", Coverage: "certified", Decisions: []wire.ProjectedDecision{{Question: "q"}}},
		"unknown otherwise": {Verdict: "complete", Coverage: "certified", Questions: []wire.ProjectedQuestion{{Kind: "fact", State: "unknown"}}},
	} {
		if compare.Equal(printed, projected(&wrong, &printed)) {
			t.Errorf("%s is not found", name)
		}
	}
}
