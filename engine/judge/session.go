package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/analysis/coverage"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/capabilities"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/trust"
)

// Session is who is at the keyboard, as far as Git knows (RULES F2): As is the name that was given, Mail the author of commits in lower
// case, Key the SSH public key of user.signingkey. Each is "" where there is none; NoMail then says why there is no author. No verdict
// hangs on it.
type Session struct {
	As     string
	Mail   string
	Key    string
	NoMail error
}

// Principal is who a session is under a policy. listed is false for one that may answer nothing.
func (s Session) Principal(policy *trust.Policy) (id string, listed bool) {
	var mails []string
	if s.Mail != "" {
		mails = append(mails, s.Mail)
	}
	as := s.As
	if policy.IsOpen() {
		as = strings.ToLower(as) // it stands for an address
	}
	return policy.Identify(as, mails, s.Key)
}

// Answerer is the principal that answers, or why there is none: AUTHORITY.NOT_LISTED, or what NoMail says.
func (s Session) Answerer(policy *trust.Policy) (string, error) {
	id, listed := s.Principal(policy)
	switch {
	case listed:
		return id, nil
	case id == "" && s.NoMail != nil:
		return "", s.NoMail
	case s.As == "":
		return "", fault.New(fault.Unauthorized, "AUTHORITY.NOT_LISTED", id, "%s lists neither the author %q nor the key that git signs with", corpus.AuthorityPath, id).
			Hint("git standards resolve --as PRINCIPAL …", "git config user.email")
	}
	return "", policy.May(id, capabilities.Analyze)
}

// FoundBy is by what a session was found to be its principal (RULES F2).
type FoundBy string

// The ways, and that there was none: authority.yaml lists nobody of this address or key, or nobody need be known.
const (
	ByName    FoundBy = "name"
	ByMail    FoundBy = "mail"
	ByKey     FoundBy = "key"
	ByNothing FoundBy = ""
)

// viewer is who a result is shown to.
type viewer struct {
	session Session
	policy  *trust.Policy
	id      string
	listed  bool
	cover   func(question string) *coverage.Cover
}

// viewer asks who is there only where that makes a difference: an open issuer takes answers of anybody.
func (r Request) viewer(ctx context.Context, verdict *analysis.Verdict) (viewer, error) {
	policy := verdict.Policy
	v := viewer{policy: policy, listed: policy.IsOpen(), cover: verdict.Cover}
	if policy.IsOpen() || r.Session == nil {
		return v, nil
	}
	session, err := r.Session(ctx)
	if err != nil {
		return v, err
	}
	v.session = session
	v.id, v.listed = session.Principal(policy)
	return v, nil
}

// isMine reports a question that the viewer may answer: listed, with its capability, and with a key where it needs a signature
// (RULES F2, I1).
func (v viewer) isMine(q *question.Question) bool {
	return v.listed && v.policy.Able(v.id, q.Capability()) && !v.hasAttested(q)
}

// hasAttested reports an open coverage question of which the viewer has attested all that is left: it waits for others. With the open
// issuer one attester is enough for each file, so that none waits.
func (v viewer) hasAttested(q *question.Question) bool {
	c := v.cover(q.ID)
	if c == nil || c.Complete() || v.policy.IsOpen() {
		return false
	}
	_, waits := c.LeftFor(v.id)
	return waits
}

func (v viewer) who(q *question.Question) string {
	if v.isMine(q) {
		return "mine"
	}
	return "awaiting"
}

// results is what the viewer may give now; a waiver only who may.
func (v viewer) results(q *question.Question) []string {
	results := q.Results()
	if v.hasAttested(q) {
		results = []string{}
	}
	if v.listed && !v.policy.IsOpen() && v.policy.Able(v.id, capabilities.Waive) {
		results = append(results, facts.Waiver)
	}
	return results
}

// Waivable reports a question of the verdict that whoever is at the keyboard may close by a waiver.
func (o *Outcome) Waivable(q *question.Question) bool {
	return slices.Contains(o.viewer.results(q), facts.Waiver)
}

// Viewer is the principal at the keyboard, or "" where authority.yaml lists none, or nobody need be known.
func (o *Outcome) Viewer() string {
	if !o.viewer.listed {
		return ""
	}
	return o.viewer.id
}

// Session is who is at the keyboard, as far as Git was asked.
func (o *Outcome) Session() Session { return o.viewer.session }

// FoundBy is by what Viewer was found.
func (o *Outcome) FoundBy() FoundBy {
	v := o.viewer
	switch {
	case !v.listed || v.policy.IsOpen():
		return ByNothing
	case v.session.As != "":
		return ByName
	case v.policy.Mapped(v.session.Mail) != "":
		return ByMail
	}
	return ByKey
}

// Others is the principals that an open question waits for, where it is not mine: those who are able to use its capability.
func (o *Outcome) Others(q *question.Question) []string {
	return slices.DeleteFunc(o.Verdict.Policy.Listed(q.Capability()), func(id string) bool { return id == o.Viewer() })
}

// Awaits names Others for people.
func (o *Outcome) Awaits(q *question.Question) string {
	return cmp.Or(SomeOf(o.Others(q)), "somebody who is granted "+q.Capability())
}

// maxNames bounds how many principals are named at once.
const maxNames = 4

// SomeOf names a few principals, and how many more there are.
func SomeOf(names []string) string {
	if len(names) <= maxNames {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNames], ", "), len(names)-maxNames)
}

// Results is what whoever is at the keyboard may give now to a question of the verdict.
func (o *Outcome) Results(q *question.Question) []string { return o.viewer.results(q) }

// Mine reports a question of the verdict that whoever is at the keyboard may answer.
func (o *Outcome) Mine(q *question.Question) bool { return o.viewer.isMine(q) }
