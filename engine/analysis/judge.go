package analysis

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
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
	// Evidence is the bytes that counted answers rest on, where the proposed side still has them (RULES E1). Nothing of the
	// state depends on them: in another clone they may be gone.
	Evidence []authority.Node
}

// Complete reports whether nothing is open.
func (v *Verdict) Complete() bool { return len(v.Open) == 0 }

// Judge gives the verdict over two sides whose accepted one has a manifest. Authored text that cannot be judged is a
// *corpus.FindingsError, and so are answers that contradict each other.
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
	if err := v.lookAtEvidence(ctx); err != nil {
		return nil, err
	}
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

// lookAtEvidence keeps the evidence that is still there, and reports what holds other bytes by now, which voids nothing
// (RULES E1).
func (v *Verdict) lookAtEvidence(ctx context.Context) error {
	wanted := map[string]bool{}
	for _, answer := range v.Counted {
		for _, e := range answer.Evidence {
			if e.Path != "" {
				wanted[e.Path] = true
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	listed, err := v.ProposedSource.List(ctx, slices.Sorted(maps.Keys(wanted))...)
	if err != nil {
		return err
	}
	entries := slices.DeleteFunc(slices.Clone(listed), func(e content.Entry) bool { return e.Kind != content.Regular || !wanted[e.Name] })
	data, err := readAll(ctx, v.ProposedSource, entries)
	if err != nil {
		return err
	}
	for _, answer := range v.Counted {
		for _, e := range answer.Evidence {
			if e.Path == "" {
				continue
			}
			bytes, here := data[e.Path]
			if here && identity.Bytes(bytes) == e.SHA256 {
				// What is too large for the store stays pinned by its digest.
				if node, err := content.FileNode(e.Path, bytes); err == nil {
					v.Evidence = append(v.Evidence, node)
				}
				continue
			}
			v.Notices = append(v.Notices, Notice{
				Code: "EVIDENCE.CHANGED", Target: answer.File,
				Message: fmt.Sprintf("the evidence %q has changed since the answer was given; the answer stands", e.Path),
			})
		}
	}
	return nil
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
