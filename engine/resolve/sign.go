package resolve

import (
	"context"
	"errors"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/capabilities"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/trust"
)

// Policy is who may answer: the accepted side's.
func (f *Finder) Policy(ctx context.Context) (*trust.Policy, error) {
	if f.policy != nil {
		return f.policy, nil
	}
	request, err := f.against(ctx)
	if err != nil {
		return nil, err
	}
	f.policy, err = f.judge.PolicyOf(ctx, request.Accepted.Source)
	return f.policy, err
}

// Principal is who answers (RULES F2, F3).
func (f *Finder) Principal(ctx context.Context) (string, error) {
	policy, err := f.Policy(ctx)
	if err != nil {
		return "", err
	}
	session, err := f.workspace.Session(ctx)
	if err != nil {
		return "", err
	}
	return session.Answerer(policy)
}

// permit refuses answers that their principal may not give, before anything is written or signed.
func permit(policy *trust.Policy, submitted []decision.Submitted, principal string) error {
	for _, s := range submitted {
		err := policy.May(principal, question.CapabilityFor(s.Question.Kind, s.Result))
		if f := fault.As(err); f != nil {
			return fault.New(f.Outcome, f.Code, s.Question.ID, "%s", f.Message).Hint("git standards status")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sign signs the planned files that must be, those that were signed before, and with Finder.Sign all. A signature that would not count
// is refused here, so that nobody finds out at the gate.
func (f *Finder) sign(ctx context.Context, policy *trust.Policy, plan *decision.Plan) error {
	return plan.Sign(func(d *decisionfile.Decision) (string, error) {
		capability := question.CapabilityFor(d.Kind, d.Result)
		// A fact may take out a review, by one who may answer that (RULES F1).
		mayRemove := d.Kind == question.Fact && policy.Able(d.Principal, capabilities.ReviewConsumer)
		if !f.Sign && d.Signature == "" && !policy.NeedsSignature(capability) && !(mayRemove && policy.NeedsSignature(capabilities.ReviewConsumer)) {
			return "", nil
		}
		message, err := decision.Message(d)
		if err != nil {
			return "", err
		}
		signature, err := f.workspace.Sign(ctx, message)
		if err != nil {
			return "", err
		}
		_, err = policy.Verify(d.Principal, message, signature)
		if wrong := fault.As(err); wrong != nil {
			return "", fault.New(wrong.Outcome, wrong.Code, d.Principal, "git signs with a key that does not count here").
				Because(errors.New(wrong.Message)).Hint("git config user.signingkey", "git show HEAD:"+corpus.AuthorityPath)
		}
		return signature, err
	})
}
