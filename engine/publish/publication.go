// Package publish is what is recorded of a change that landed (RULES J2): the publication, an object that holds what was judged, how
// and with which answers, and the text of the Git note that carries it. It promises that a note can be checked line by line without a
// store, and that two notes about one commit, put one behind the other or sorted together line by line, are still both whole. Which
// commits land, and where the note goes, it is told.
package publish

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/identity"
)

// The results that may land, verbatim as in SHAPES.
const (
	Complete = "complete"
	Adoption = "adoption"
)

// Commit is a commit and its tree, by their ids in Git.
type Commit struct{ Commit, Tree string }

// Decision is one answer of the state. Digest is that of the file's bytes in the landed tree.
type Decision struct {
	Question, Answer, Principal, Trust string
	Counted                            bool
	File, Digest                       string
}

// Tool is what published: the version of this program and of git, and those of the public contracts.
type Tool struct {
	Version, Git                          string
	Interface, Handle, Envelope, Identity int64
}

// Publication is the record of one landing. Analysis, Issuer and Coverage are "" of an adoption, which has no state. Branch is the ref
// that was moved to Landed, "" where the commit was there already.
type Publication struct {
	Result, Analysis, Issuer, Coverage string
	Accepted, Proposed, Landed         Commit
	Branch                             string
	Decisions                          []Decision
	Tool                               Tool
}

// Of is what a verdict says in a publication. nil is an adoption.
func Of(ctx context.Context, v *analysis.Verdict) (Publication, error) {
	if v == nil {
		return Publication{Result: Adoption}, nil
	}
	p := Publication{Result: Complete, Analysis: v.Root.ID, Issuer: v.Policy.Issuer(), Coverage: v.Coverage()}
	add := func(answers []*decision.Answer, counted bool) error {
		for _, a := range answers {
			data, here, err := content.ReadFile(ctx, v.ProposedSource, a.File)
			if err == nil && !here {
				err = fmt.Errorf("internal error: the answer in %q is not in the tree that was judged", a.File)
			}
			if err != nil {
				return err
			}
			p.Decisions = append(p.Decisions, Decision{
				Question: a.Question, Answer: a.Given(), Principal: a.Principal, Trust: trustOf(a), Counted: counted, File: a.File, Digest: identity.Bytes(data),
			})
		}
		return nil
	}
	if err := add(v.Counted, true); err != nil {
		return Publication{}, err
	}
	if err := add(v.Dormant, false); err != nil {
		return Publication{}, err
	}
	slices.SortFunc(p.Decisions, compareDecisions)
	return p, nil
}

// trustOf is how far an answer is its principal's (RULES F3).
func trustOf(a *decision.Answer) string {
	if a.Key != "" {
		return "signed"
	}
	return "asserted"
}

func compareDecisions(a, b Decision) int {
	return cmp.Or(strings.Compare(a.Question, b.Question), content.ComparePaths(a.File, b.File))
}

// Node is the publication as an object. root is the state that it names, nil of an adoption.
func (p Publication) Node(root *authority.Node) (authority.Node, error) {
	var parts []authority.Node
	if root != nil {
		parts = append(parts, *root)
	}
	return Codec.Node(p.record(), parts...)
}

// Text is the publication as it is stored: its envelope, one line without a line end.
func (p Publication) Text() (id string, text []byte, err error) {
	sealed, err := Codec.Seal(p.record())
	if err != nil {
		return "", nil, err
	}
	text, err = sealed.Encode()
	return sealed.ID, text, err
}

// Differences names, for people, in what a publication made anew differs from the one that was recorded. What published is no part of it.
func (p Publication) Differences(anew Publication) []string {
	var list []string
	differ := func(name, was, now string) {
		if was != now {
			list = append(list, fmt.Sprintf("%s: recorded %q, judged %q", name, was, now))
		}
	}
	differ("result", p.Result, anew.Result)
	differ("analysis", p.Analysis, anew.Analysis)
	differ("issuer", p.Issuer, anew.Issuer)
	differ("coverage", p.Coverage, anew.Coverage)
	for _, pair := range []struct {
		name     string
		was, now Commit
	}{{"accepted", p.Accepted, anew.Accepted}, {"proposed", p.Proposed, anew.Proposed}, {"landed", p.Landed, anew.Landed}} {
		differ(pair.name+" commit", pair.was.Commit, pair.now.Commit)
		differ(pair.name+" tree", pair.was.Tree, pair.now.Tree)
	}
	for _, d := range p.Decisions {
		if !slices.Contains(anew.Decisions, d) {
			list = append(list, fmt.Sprintf("decision: recorded %q by %q in %q, which is not among those judged", d.Answer, d.Principal, d.File))
		}
	}
	for _, d := range anew.Decisions {
		if !slices.Contains(p.Decisions, d) {
			list = append(list, fmt.Sprintf("decision: judged %q by %q in %q, which is not among those recorded", d.Answer, d.Principal, d.File))
		}
	}
	return list
}
