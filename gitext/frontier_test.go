package gitext

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

// Whatever the history, asking for all tips at once gives what git merge-base gives for each.
func TestExpectedTipsHaveTheirMergeBases(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	random := rand.New(rand.NewPCG(1, 2))
	var stream strings.Builder
	const commits = 40
	for i := range commits {
		fmt.Fprintf(&stream, "commit refs/heads/c%02d\nmark :%d\ncommitter A <a@b.c> 1 +0000\ndata 2\n%02d\n", i, i+1, i)
		// A few lines of work without a common beginning, that cross and cross again.
		for n := min([]int{0, 1, 1, 1, 1, 2, 2, 3}[random.IntN(8)], i); n > 0; n-- {
			fmt.Fprintf(&stream, "merge :%d\n", i+1-min(n+random.IntN(3), i))
		}
		stream.WriteString("\n")
	}
	f.Feed(stream.String(), "fast-import", "--quiet")
	ids := strings.Fields(f.Git("for-each-ref", "--format=%(objectname)", "refs/heads"))
	if len(ids) != commits {
		t.Fatal(len(ids))
	}
	told := 0
	for range 10 {
		others := []string{ids[random.IntN(commits)]}
		if random.IntN(2) == 0 {
			others = append(others, ids[random.IntN(commits)])
		}
		r := f.open()
		r.ExpectTips(ids)
		for _, tip := range ids {
			have, ok, err := r.expectedBases(t.Context(), tip, others)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				continue
			}
			told++
			out, _ := f.Run("", slices.Concat([]string{"merge-base", "--all", tip}, others)...)
			if want := strings.Fields(out); !slices.Equal(have, want) {
				t.Errorf("merge bases of %s and %v are %v, git says %v", tip, others, have, want)
			}
		}
	}
	if told < 200 {
		t.Errorf("only %d of 400 could be told", told)
	}
}

// A damaged history of one tip does not speak for the others, and is never taken for one that has nothing in common.
func TestExpectedTipsBesideADamagedOne(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	root := f.line("root")
	tips := []string{root}
	for i := range few + 1 {
		tips = append(tips, f.line(fmt.Sprint(i), root))
	}
	lost := f.Feed("tree "+f.Git("rev-parse", root+"^{tree}")+"\nparent "+strings.Repeat("1", 40)+"\nauthor A <a@b.c> 1 +0000\ncommitter A <a@b.c> 1 +0000\n\nx\n",
		"hash-object", "-w", "-t", "commit", "--stdin")
	r := f.open()
	r.ExpectTips(append(tips, lost))
	for _, tip := range tips {
		if merges, err := r.mergeBases(t.Context(), tip, root); err != nil || !slices.Equal(merges, []string{root}) {
			t.Error(merges, err)
		}
	}
	if merges, err := r.mergeBases(t.Context(), lost, root); !fault.Is(err, "OBJECT.MISSING") {
		t.Error(merges, err)
	}
	if landing, err := r.Landing(t.Context(), root, lost); !fault.Is(err, "OBJECT.MISSING") {
		t.Error(landing, err)
	}
}
