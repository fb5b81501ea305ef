package judge

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/analysis/ask"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/wire"
)

func render(r Request, v *analysis.Verdict, to viewer) *wire.Pending {
	result := "complete"
	if !v.Complete() || r.Landed != nil && v.Uncarried > 0 { // what lands must name where its consumers are (RULES C13)
		result = "pending"
	}
	return &wire.Pending{
		SchemaVersion: wire.SchemaVersion,
		Result:        result,
		Analysis:      wire.AnalysisHandle(wire.NewHandle(v.Root.ID)),
		Accepted:      r.Accepted.Info,
		Proposed:      r.Proposed.Info,
		Base:          r.Base,
		Issuer:        v.Policy.Issuer(),
		Questions:     questions(v, to),
		Decisions:     decisions(v),
		Notices:       notices(v, r),
		Coverage:      v.Coverage(),
		Written:       []string{},
		Landed:        r.Landed,
	}
}

func questions(v *analysis.Verdict, to viewer) []wire.Question {
	list := make([]wire.Question, 0, len(v.Open))
	short := Abbreviations(v.Asked)
	for _, open := range v.Open {
		q := wire.Question{
			Question:   open.ID,
			Abbrev:     short[open.ID],
			Kind:       open.Kind,
			Reason:     open.Reason,
			About:      about(open.Question),
			Results:    to.results(open.Question),
			Capability: open.Capability(),
			State:      open.State,
			Who:        to.who(open.Question),
			Changed:    []wire.Changed{},
		}
		for _, c := range open.Changed {
			q.Changed = append(q.Changed, wire.Changed(c))
		}
		list = append(list, q)
	}
	return list
}

func about(q *question.Question) wire.About {
	return wire.About{Module: wire.Optional(q.Module), Unit: wire.Optional(q.Unit), Consumer: wire.Optional(q.Consumer), Declaration: wire.Optional(q.Declaration)}
}

// minAbbrev is the shortest abbreviation that the command line takes (DESIGN 3).
const minAbbrev = 7

// Abbreviations gives each asked question the shortest abbreviation, of minAbbrev hex digits or more, that names it and none
// of the others, by id.
func Abbreviations(asked []*question.Question) map[string]string {
	digits := make([]string, len(asked))
	for i, q := range asked {
		_, digits[i], _ = identity.Split(q.ID)
	}
	order := slices.Sorted(slices.Values(digits))
	short := make(map[string]string, len(order))
	for i, hex := range order {
		n := minAbbrev
		for _, j := range []int{i - 1, i + 1} { // in order, the neighbours share most
			if j >= 0 && j < len(order) && order[j] != hex {
				n = max(n, 1+common(hex, order[j]))
			}
		}
		short[hex] = hex[:min(n, len(hex))]
	}
	byID := make(map[string]string, len(asked))
	for i, q := range asked {
		byID[q.ID] = short[digits[i]]
	}
	return byID
}

// common is how long the common beginning of two strings is.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// decisions are the answers of the state: those that count, and dormant ones (RULES E6).
func decisions(v *analysis.Verdict) []wire.Decision {
	list := make([]wire.Decision, 0, len(v.Counted)+len(v.Dormant))
	add := func(answers []*decision.Answer, counted bool) {
		for _, answer := range answers {
			list = append(list, wire.Decision{
				Question:  answer.Question,
				Result:    answer.Given(),
				Principal: answer.Principal,
				Trust:     TrustOf(answer),
				Counted:   counted,
				File:      answer.File,
			})
		}
	}
	add(v.Counted, true)
	add(v.Dormant, false)
	slices.SortStableFunc(list, func(a, b wire.Decision) int { return strings.Compare(a.Question, b.Question) })
	return list
}

// TrustOf is how far an answer is its principal's: signed, once its signature is verified, else asserted (RULES F3).
func TrustOf(answer *decision.Answer) string {
	if answer.Key != "" {
		return "signed"
	}
	return "asserted"
}

func notices(v *analysis.Verdict, r Request) []wire.Notice {
	own := slices.Clone(v.Notices)
	slices.SortStableFunc(own, func(a, b ask.Notice) int { return content.ComparePaths(a.Target, b.Target) })
	list := Warnings(v.Proposed.Findings)
	for _, n := range own {
		list = append(list, wire.Notice{Code: n.Code, Target: wire.Optional(n.Target), Message: n.Message, Next: wire.Optional(cmp.Or(n.Next, r.moveCommand(n)))})
	}
	return append(list, r.Notices...) // in the order of whoever asked: blocked answers that were deleted come first
}

// moveCommand is what edits the rows that name the place from which something moved.
func (r Request) moveCommand(n ask.Notice) string {
	if n.From == "" {
		return ""
	}
	from, to := n.From, n.To
	if r.Typed != nil {
		from, to = r.Typed(from), r.Typed(to)
	}
	end := ""
	if strings.HasPrefix(from, "-") || strings.HasPrefix(to, "-") {
		end = "-- "
	}
	return "git standards mv --after " + end + fault.ShellWord(from) + " " + fault.ShellWord(to)
}

// Warnings are the findings that refuse nothing, said as notices.
func Warnings(list []reading.Finding) []wire.Notice {
	out := []wire.Notice{}
	for _, f := range list {
		if f.Severity == reading.SeverityWarning {
			out = append(out, wire.Notice{Code: f.Code, Target: wire.Optional(fmt.Sprintf("%s:%d", f.File, f.Line)), Message: f.Message, Next: wire.Optional(f.Next)})
		}
	}
	return out
}

func findings(list []reading.Finding) []wire.Finding {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b reading.Finding) int {
		if c := content.ComparePaths(a.File, b.File); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
	out := make([]wire.Finding, 0, len(list))
	for _, f := range list {
		out = append(out, wire.Finding{Code: f.Code, Severity: f.Severity, File: f.File, Line: f.Line, Message: f.Message, Next: wire.Optional(f.Next)})
	}
	return out
}

// Reject gives an error of this project its public shape. An error that is no fault is a defect of ours or of the
// machine: it is said as unavailable and never hidden.
func Reject(err error) wire.Rejected {
	r := wire.Rejected{SchemaVersion: wire.SchemaVersion, Result: "rejected", Findings: []wire.Finding{}, Next: []string{}}
	var text *corpus.FindingsError
	if errors.As(err, &text) {
		first := firstError(text.Findings)
		r.Code, r.Outcome = first.Code, string(fault.Invalid)
		if first.Unsupported {
			r.Outcome = string(fault.Unsupported)
		}
		r.Target = wire.Optional(fmt.Sprintf("%s:%d", first.File, first.Line))
		r.Message, r.Findings = first.Message, findings(text.Findings)
		if first.Next != "" {
			r.Next = append(r.Next, first.Next)
		}
		return r
	}
	f := fault.As(err)
	if f == nil {
		f = fault.New(fault.Unavailable, "INTERNAL.ERROR", "", "%v", err)
	}
	r.Code, r.Outcome, r.Target, r.Message = f.Code, string(f.Outcome), wire.Optional(f.Target), f.Reason()
	r.Next = append(r.Next, f.Next...)
	return r
}

// firstError is the error that names a rejection: what is invalid before what is only unsupported, so that the outcome is
// unsupported only when nothing else is wrong.
func firstError(list []reading.Finding) reading.Finding {
	var first *reading.Finding
	for i := range list {
		f := &list[i]
		if f.Severity == reading.SeverityError && (first == nil || first.Unsupported && !f.Unsupported) {
			first = f
		}
	}
	if first == nil {
		return reading.Finding{Code: "INTERNAL.ERROR", Message: "findings without an error"}
	}
	return *first
}
