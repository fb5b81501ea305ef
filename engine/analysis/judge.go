package analysis

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
)

// Input is what a verdict is a function of: both sides, compiled and as sources, and where they differ.
type Input struct {
	Accepted, Proposed             *corpus.Corpus
	AcceptedSource, ProposedSource content.Source
	Changes                        []content.Change
}

// Notice is something said beside the verdict.
type Notice struct{ Code, Target, Message, Next string }

// Verdict is what a change asks, what answers it, and the state they make. Complete means no question is open.
type Verdict struct {
	Input
	Asked   []*Question // by (module, unit, kind, consumer)
	Counted []*Answer   // by question, then file
	Answers []*Answer   // all that were read
	Open    []Open
	Notices []Notice
	Touched bool // a standard differs between the sides
	Root    authority.Node
}

// Complete reports whether nothing is open.
func (v *Verdict) Complete() bool { return len(v.Open) == 0 }

// Judge gives the verdict over two sides whose accepted one has a manifest. Authored text that cannot be judged is a
// *corpus.FindingsError; a contradiction is a fault.
func Judge(ctx context.Context, in Input) (*Verdict, error) {
	if err := usable(in); err != nil {
		return nil, err
	}
	a := &asker{Input: in, comparison: compare(in.Accepted, in.Proposed)}
	if err := a.refuseDeletions(ctx); err != nil {
		return nil, err
	}
	if len(a.unsupported) > 0 {
		return nil, &corpus.FindingsError{Findings: append(a.unsupported, in.Proposed.Findings...)}
	}
	if err := a.ask(ctx); err != nil {
		return nil, err
	}
	answers, err := readAnswers(ctx, in.AcceptedSource, in.ProposedSource, a.questions, in.Changes)
	if err != nil {
		return nil, err
	}
	v := &Verdict{Input: in, Asked: a.questions, Answers: answers, Notices: a.notices}
	if v.Counted, v.Open, err = match(a.questions, answers); err != nil {
		return nil, err
	}
	v.Touched = in.Accepted.Node.ID != in.Proposed.Node.ID
	evidence, err := evidenceNotices(ctx, in.ProposedSource, v.Counted)
	if err != nil {
		return nil, err
	}
	v.Notices = append(v.Notices, evidence...)
	v.Root, err = rootNode(v)
	return v, err
}

func usable(in Input) error {
	switch {
	case corpus.HasErrors(in.Accepted.Findings):
		first := in.Accepted.Findings[slices.IndexFunc(in.Accepted.Findings, func(f authored.Finding) bool { return f.Severity == authored.SeverityError })]
		return fault.New(fault.Unsupported, "UNSUPPORTED.BASE_INVALID", fmt.Sprintf("%s:%d", first.File, first.Line),
			"the accepted side's own text is invalid, and this version does not judge its repair yet (RULES B7): %s", first.Message)
	case in.Accepted.HasAuthority || in.Proposed.HasAuthority:
		return errAuthority(in.Proposed.HasAuthority)
	case corpus.HasErrors(in.Proposed.Findings):
		return &corpus.FindingsError{Findings: in.Proposed.Findings}
	case in.Proposed.Manifest == nil:
		return fault.New(fault.Unsupported, "UNSUPPORTED.MANIFEST_REMOVED", corpus.ManifestPath, "the manifest is removed, which this version does not judge yet (RULES C7)").
			Hint("git checkout HEAD -- " + corpus.ManifestPath)
	}
	return nil
}

func errAuthority(here bool) error {
	f := fault.New(fault.Unsupported, "UNSUPPORTED.AUTHORITY", corpus.AuthorityPath, "principals and capabilities are not judged by this version yet (RULES F)")
	if here {
		return f.Hint("git rm " + corpus.AuthorityPath)
	}
	return f // the accepted side has it: there is nothing to remove here
}

// evidenceNotices reports evidence whose path holds other bytes by now, which voids nothing (RULES E1).
func evidenceNotices(ctx context.Context, source content.Source, counted []*Answer) ([]Notice, error) {
	var names []string
	for _, answer := range counted {
		for _, e := range answer.Evidence {
			if e.Path != "" {
				names = append(names, e.Path)
			}
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	entries, err := source.List(ctx, names...)
	if err != nil {
		return nil, err
	}
	digests, err := digestsOf(ctx, source, entries)
	if err != nil {
		return nil, err
	}
	var notices []Notice
	for _, answer := range counted {
		for _, e := range answer.Evidence {
			if e.Path != "" && digests[e.Path] != e.SHA256 {
				notices = append(notices, Notice{
					Code: "EVIDENCE.CHANGED", Target: answer.File,
					Message: fmt.Sprintf("the evidence %q has changed since the answer was given; the answer stands", e.Path),
				})
			}
		}
	}
	return notices, nil
}

// CheckAdoption gives the findings that a first manifest has beyond its own text: every edge is new (RULES A7, B6).
func CheckAdoption(ctx context.Context, c *corpus.Corpus, source content.Source) error {
	if c.HasAuthority {
		return errAuthority(true)
	}
	findings, err := Dangling(ctx, c, source, func(string) string { return authored.SeverityError })
	if err != nil {
		return err
	}
	findings = append(append([]authored.Finding{}, c.Findings...), findings...)
	if corpus.HasErrors(findings) {
		return &corpus.FindingsError{Findings: findings}
	}
	return nil
}
