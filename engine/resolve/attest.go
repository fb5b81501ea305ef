package resolve

import (
	"fmt"

	"github.com/git-standards/git-standards/engine/analysis/coverage"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/fault"
)

// attest gives each answer `complete` the members that it attests: all that are left for the principal, with the bytes that they have
// where the question was found (RULES E3, E8). A question that is closed takes further attesters: those who closed it may be found not
// to be independent where the change lands (RULES F5).
func (f *Finder) attest(submitted []decision.Submitted, principal string) error {
	for i := range submitted {
		s := &submitted[i]
		if s.Question.Kind != question.Coverage || s.Result != decisionfile.CompleteResult {
			continue
		}
		c, err := f.cover(s.Question.ID)
		if err != nil {
			return err
		}
		members, waits := c.LeftFor(principal)
		if c.Complete() {
			members, waits = c.UnseenBy(principal)
		}
		if waits && !c.Complete() && len(c.Left()) == 0 {
			return fault.New(fault.Invalid, "COVERAGE.ATTESTED", s.Question.ID, "all of the horizon that has a name is attested; rename what has none, such as %q",
				c.Unnamed()[0]).Hint("git standards status")
		}
		if waits {
			return fault.New(fault.Invalid, "COVERAGE.ATTESTED", s.Question.ID, "%q has attested all of the horizon that is left; needed: %s",
				principal, attesters(c.Required())).Hint("git standards status")
		}
		s.Members = members
	}
	return nil
}

func attesters(n int64) string {
	if n == 1 {
		return "1 attester"
	}
	return fmt.Sprintf("%d independent attesters", n)
}

// cover is that of a coverage question in the first place that asks it.
func (f *Finder) cover(id string) (*coverage.Cover, error) {
	for _, p := range f.judged {
		v := p.outcome.Verdict
		if v == nil || !v.AskedSet()[id] {
			continue
		}
		if c := v.Cover(id); c != nil {
			return c, nil
		}
		return nil, fault.New(fault.Invalid, "SUBMISSION.NOT_APPLICABLE", id, "the question is waived").Hint("git standards status")
	}
	return nil, fault.New(fault.Invalid, "QUESTION.NOT_ASKED", id, "no side at hand asks this, and its horizon is known nowhere else").Hint("git standards status")
}
