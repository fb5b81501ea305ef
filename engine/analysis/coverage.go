package analysis

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-standards/git-standards/engine/analysis/ask"
	"github.com/git-standards/git-standards/engine/analysis/coverage"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
)

// The notices about coverage.
const (
	leftCode    = "COVERAGE.LEFT"
	landedCode  = "COVERAGE.LANDED_SINCE"
	unnamedCode = "COVERAGE.UNNAMED"
)

// moveLists is the value of horizon.moving by which what landed since a complete set is listed instead of asked about.
const moveLists = "list"

// cover opens each coverage question whose attestations leave something of the horizon (RULES E8), and says what. Members are listed
// only where such a question is asked, by the rules of the accepted side (RULES B1).
func (v *Verdict) cover(ctx context.Context) error {
	var asked []*question.Question
	for _, q := range v.Asked {
		if q.Kind == question.Coverage {
			asked = append(asked, q)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	declared := v.Accepted.Manifest.Horizon
	horizon, err := coverage.Compile(declared)
	if err != nil {
		return err
	}
	members, err := horizon.Members(ctx, v.ProposedSource, v.AcceptedSource)
	if err != nil {
		return err
	}
	var movable *coverage.Members
	if declared.Moving == moveLists {
		if movable, err = horizon.Members(ctx, v.AcceptedSource, v.ProposedSource); err != nil {
			return err
		}
	}
	root, err := coverage.Directory(members.List)
	if err != nil {
		return err
	}
	v.Horizons = append(v.Horizons, root)
	attestations, waived := v.attestations()
	v.covers = map[string]*coverage.Cover{}
	for _, q := range asked {
		if waived[q.ID] {
			continue
		}
		c := coverage.NewCover(members, movable, v.Policy.Attesters(), attestations[q.ID])
		v.covers[q.ID] = c
		if err := v.tellCover(q, c); err != nil {
			return err
		}
	}
	v.reopen()
	if len(members.Unnamed) > 0 {
		v.Notices = append(v.Notices, ask.Notice{Code: unnamedCode, Message: fmt.Sprintf(
			"%s in the horizon whose name no answer can write down; rename %s: %s", count(len(members.Unnamed), "file stands", "files stand"),
			itOrThem(len(members.Unnamed)), quoted(members.Unnamed))})
	}
	return nil
}

// attestations is what counted answers attest, by question, and which questions are waived.
func (v *Verdict) attestations() (by map[string][]coverage.Attestation, waived map[string]bool) {
	by, waived = map[string][]coverage.Attestation{}, map[string]bool{}
	for _, answer := range v.Counted {
		switch {
		case answer.Kind != question.Coverage:
		case answer.Result == decisionfile.CompleteResult:
			by[answer.Question] = append(by[answer.Question], coverage.Attestation{Principal: answer.Principal, Key: answer.Key, Members: answer.Members})
		default:
			waived[answer.Question] = true
		}
	}
	return by, waived
}

// reopen puts the coverage questions that are not complete among what is open, in the order of the questions.
func (v *Verdict) reopen() {
	open := map[string]decision.Open{}
	for _, o := range v.Open {
		open[o.ID] = o
	}
	v.Open = nil
	for _, q := range v.Asked {
		o, isOpen := open[q.ID]
		if c := v.covers[q.ID]; c != nil && !c.Complete() {
			if !isOpen {
				o = decision.Open{Question: q, State: decision.StateOpen}
			}
			o.Cover, isOpen = c, true
		}
		if isOpen {
			v.Open = append(v.Open, o)
		}
	}
}

// Cover is how far a coverage question is answered; nil for one that is waived, and for any other question.
func (v *Verdict) Cover(id string) *coverage.Cover { return v.covers[id] }

// tellCover says what is left of a horizon, or landed since, and where the list of it can be read.
func (v *Verdict) tellCover(q *question.Question, c *coverage.Cover) error {
	code, list, said := leftCode, c.Left(), fmt.Sprintf("%d of %s", len(c.Left()), count(c.Len(), "file", "files")+" in the horizon")
	switch {
	case len(c.Landed()) > 0:
		code, list = landedCode, c.Landed()
		said = fmt.Sprintf("%s since the horizon was attested and %s not looked at", count(len(list), "file landed", "files landed"), isOrAre(len(list)))
	case c.Complete():
		return nil
	case len(list) == 0 && len(c.Unnamed()) > 0:
		return nil // another notice names them
	case c.Len() == 0:
		said = "the horizon holds no file, and nobody has attested that"
	case c.Required() == 1:
		said += fmt.Sprintf(" %s not looked at", isOrAre(len(list)))
	default:
		said += fmt.Sprintf(" %s looked at by fewer than %d independent attesters", isOrAre(len(list)), c.Required())
	}
	n := ask.Notice{Code: code, Target: fmt.Sprintf("%s:%d", q.File, q.Line), Message: fmt.Sprintf("%s: %s", q.Unit, said)}
	if len(list) > 0 {
		var names []string
		for _, m := range list {
			names = append(names, m.Path)
		}
		root, err := coverage.Directory(list)
		if err != nil {
			return err
		}
		v.Horizons = append(v.Horizons, root)
		n.Message += ": " + quoted(names)
		n.Next = "git standards inspect " + root.ID
	}
	v.Notices = append(v.Notices, n)
	return nil
}

// maxNamed bounds how many paths one notice names.
const maxNamed = 5

// quoted is the first of some names.
func quoted(names []string) string {
	shown := make([]string, 0, maxNamed+1)
	for _, name := range names[:min(len(names), maxNamed)] {
		shown = append(shown, fmt.Sprintf("%q", name))
	}
	if len(names) > maxNamed {
		shown = append(shown, "…")
	}
	return strings.Join(shown, ", ")
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func itOrThem(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// What coverage says of a state, verbatim as in SHAPES.
const (
	NotAudited = "not-audited"
	Uncovered  = "open"
	Certified  = "certified"
)

// Coverage is not-audited without a horizon or where a coverage question is waived, open while one is, and else certified: for every
// changed unit that asks, each member of the horizon has its attesters (RULES C16, E8).
func (v *Verdict) Coverage() string {
	word := Certified
	if v.Accepted.Manifest == nil || v.Accepted.Manifest.Horizon == nil {
		word = NotAudited
	}
	for _, q := range v.Asked {
		if q.Kind != question.Coverage {
			continue
		}
		switch c := v.covers[q.ID]; {
		case c == nil:
			word = NotAudited
		case !c.Complete():
			return Uncovered
		}
	}
	return word
}
