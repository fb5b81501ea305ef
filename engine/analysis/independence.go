package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/analysis/ask"
	"github.com/git-standards/git-standards/engine/analysis/coverage"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/identity"
)

// NotIndependentCode is the notice by which a change is refused whose authors are needed among the attesters of its coverage.
const NotIndependentCode = "COVERAGE.NOT_INDEPENDENT"

// Written is a commit of the range that lands: the mail address of its author, and the paths that it changes.
type Written struct {
	Mail  string
	Paths []string
}

// HangsOnAuthors reports whether who wrote the change matters at all (RULES F5): a coverage question is closed by attesters, and the
// accepted authority wants them independent. With the open issuer anyone may be anyone.
func (v *Verdict) HangsOnAuthors() bool {
	if v.Policy.IsOpen() || !v.Policy.Independent() {
		return false
	}
	return slices.ContainsFunc(v.Asked, func(q *question.Question) bool { c := v.covers[q.ID]; return c != nil && c.Complete() })
}

// NotIndependent is a notice for each coverage question that would be open if those who wrote the change had attested nothing. No tree
// tells who that is, so it is beside the verdict (RULES F5): the principals whose mail addresses stand in commits that change more
// than decisions and the evidence that these cite.
func (v *Verdict) NotIndependent(commits []Written) ([]ask.Notice, error) {
	if !v.HangsOnAuthors() {
		return nil, nil
	}
	beside, err := v.besides()
	if err != nil {
		return nil, err
	}
	authors := map[string]bool{}
	for _, c := range commits {
		if slices.ContainsFunc(c.Paths, func(path string) bool { return !beside(path) }) {
			if id, listed := v.Policy.Identify("", []string{c.Mail}, ""); listed {
				authors[id] = true
			}
		}
	}
	isAuthor := func(principal string) bool { return authors[principal] }
	var notices []ask.Notice
	for _, q := range v.Asked {
		c := v.covers[q.ID]
		if c == nil || !c.Complete() || c.Without(isAuthor).Complete() {
			continue
		}
		names := slices.DeleteFunc(c.Attesters(), func(name string) bool { return !authors[name] })
		for i := range names {
			names[i] = fmt.Sprintf("%q", names[i])
		}
		_, hex, _ := identity.Split(q.ID)
		notices = append(notices, ask.Notice{
			Next: fmt.Sprintf("git standards resolve %s %s -m \"why\"", hex[:12], decisionfile.CompleteResult),
			Code: NotIndependentCode, Target: fmt.Sprintf("%s:%d", q.File, q.Line),
			Message: fmt.Sprintf("%s: without %s, who wrote this change, too few have looked at the horizon", q.Unit, strings.Join(names, " and ")),
		})
	}
	return notices, nil
}

// besides says which paths make nobody an author who changes them: decisions, and evidence of answers that count. What is judged itself,
// a standard, a consumer or a file of the horizon, is no mere evidence, whoever cites it.
func (v *Verdict) besides() (func(path string) bool, error) {
	horizon, err := coverage.Compile(v.Accepted.Manifest.Horizon)
	if err != nil {
		return nil, err
	}
	judged := map[string]bool{corpus.ManifestPath: true, corpus.AuthorityPath: true}
	for _, side := range []*corpus.Corpus{v.Accepted, v.Proposed} {
		for _, m := range side.Modules {
			judged[m.File] = true
		}
	}
	for _, q := range v.Asked {
		judged[q.Consumer] = true
	}
	cited := map[string]bool{}
	for _, answer := range v.Counted {
		for _, e := range answer.Evidence {
			cited[e.Path] = true
		}
	}
	return func(path string) bool {
		return corpus.IsDecision(path) || cited[path] && !judged[path] && !horizon.Holds(path)
	}, nil
}
