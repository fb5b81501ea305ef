package analysis

import (
	"errors"
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/ask"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/trust"
)

// PolicyOf is who may answer where a side is the accepted one (RULES B1, F). An authority.yaml that cannot be read lets nobody
// answer, and not everybody: it is invalid wherever it would count (RULES B7).
func PolicyOf(accepted *corpus.Corpus) (*trust.Policy, error) {
	if accepted.IsUnreadable(corpus.AuthorityPath) {
		at := corpus.AuthorityPath
		var cause error
		for _, f := range accepted.Findings {
			if f.File == corpus.AuthorityPath && f.Severity == reading.SeverityError && cause == nil {
				at, cause = fmt.Sprintf("%s:%d", f.File, f.Line), errors.New(f.Message)
			}
		}
		return nil, fault.New(fault.Invalid, "AUTHORITY.UNREADABLE", at,
			"on the accepted side it cannot be read, so no answer counts until it is mended there").Because(cause).
			Hint("git log -- " + corpus.AuthorityPath)
	}
	if accepted.Authority == nil {
		return trust.Open(), nil
	}
	a := accepted.Authority
	stated := trust.Authority{
		Issuer: trust.Source(a.Issuer), Optional: a.Signatures == "optional", Attesters: a.Attesters, Independent: a.Independent,
	}
	if a.Revocation != nil {
		revoker := trust.Source(*a.Revocation)
		stated.Revoker = &revoker
	}
	for _, p := range a.Principals {
		stated.Principals = append(stated.Principals, trust.Principal{ID: p.ID, Emails: p.Emails, Keys: p.Keys, Capabilities: p.Capabilities})
	}
	for _, r := range a.Revoked {
		stated.Revocations = append(stated.Revocations, trust.Revocation{ID: r.ID, Principal: r.Principal, Key: r.Key, Capabilities: r.Capabilities})
	}
	return trust.New(stated)
}

// authorize keeps of the answers those that somebody gave who may, and notes by which key. One to a question of this change that
// nobody may have given so refuses the whole where it stands in a file of this range; where the accepted side holds the file, it
// counts no longer, and a notice says why. What answers no question of this change is not looked at.
func (h *hearing) authorize() ([]*decision.Answer, error) {
	type verdict struct {
		key string
		err error
	}
	files := map[string]verdict{} // all answers of a file are one answer, under one signature
	var kept []*decision.Answer
	var refused *fault.Error
	var remove []string
	for _, answer := range h.answers {
		q := h.byID[answer.Question]
		if q == nil {
			kept = append(kept, answer)
			continue
		}
		of, known := files[answer.File]
		if !known {
			of.key, of.err = permit(h.policy, question.CapabilityFor(q.Kind, answer.Result), answer.Decision)
			files[answer.File] = of
		}
		if of.err == nil {
			answer.Key = of.key
			kept = append(kept, answer)
			continue
		}
		f := fault.As(of.err)
		if f == nil {
			return nil, of.err
		}
		switch {
		case answer.InRange:
			if refused == nil {
				refused = f
			}
			if !slices.Contains(remove, answer.File) {
				remove = append(remove, answer.File)
			}
		case !known:
			h.notices = append(h.notices, ask.Notice{Code: f.Code, Target: answer.File, Message: "the answer does not count: " + f.Reason()})
		}
	}
	if refused == nil {
		return kept, nil
	}
	slices.SortFunc(remove, content.ComparePaths)
	return nil, unauthorized(refused, remove)
}

// unauthorized refuses a whole change for the files of answers that may not stand. Whether git knows them is not known here: the command
// also takes away one that was never added.
func unauthorized(f *fault.Error, files []string) error {
	message, names := f.Reason(), ""
	if len(files) > 1 {
		message += fmt.Sprintf("; %d files are refused", len(files))
	}
	for _, name := range files {
		names += " " + fault.ShellWord(name)
	}
	next := "git rm -fq --ignore-unmatch" + names + " && rm -f" + names
	return fault.New(f.Outcome, f.Code, files[0], "%s", message).Hint(next, "git standards status")
}

// permit says why an answer may not count, or by which key it is signed. A signature that is not needed is looked at all the same: what
// is shown as signed is signed.
func permit(policy *trust.Policy, capability string, d *decisionfile.Decision) (key string, err error) {
	if err := policy.May(d.Principal, capability); err != nil {
		return "", err
	}
	if d.Signature == "" && !policy.NeedsSignature(capability) {
		return "", nil
	}
	message, err := decision.Message(d)
	if err != nil {
		return "", err
	}
	return policy.Verify(d.Principal, message, d.Signature)
}
