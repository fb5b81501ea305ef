package observe

import (
	"fmt"

	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/wire"
)

// Claim is what a provider says about a fact: a value in its canonical form, nil for absent, or that it observed nothing, and perhaps why.
// Printed is the exact bytes that say so.
type Claim struct {
	Observed bool
	Value    any
	Reason   string
	Printed  []byte
}

// Read reads an answer that was validated from what a command printed. One that cannot look is an unavailable PROVIDER.UNAVAILABLE, a
// value that the contract does not have an invalid PROVIDER.VALUE.
func (t *Task) Read(answer wire.ProviderAnswer, printed []byte) (*Claim, error) {
	switch a := answer.(type) {
	case wire.ProviderClaim:
		value, err := identity.Decode(a.Value)
		if err == nil {
			value, err = t.Question.Contract.Check(value)
		}
		if err != nil {
			return nil, fault.New(fault.Invalid, "PROVIDER.VALUE", t.Fact.ID, "provider %s claims %.200s, which is no value of the fact", t.Provider.ID, a.Value).
				Because(err).Hint("git standards schema providerAnswer")
		}
		return &Claim{Observed: true, Value: value, Printed: printed}, nil
	case wire.ProviderNoObservation:
		return &Claim{Reason: wire.Text(a.Reason), Printed: printed}, nil
	case wire.ProviderUnavailable:
		return nil, fault.New(fault.Unavailable, "PROVIDER.UNAVAILABLE", t.Fact.ID, "provider %s cannot look now: %s", t.Provider.ID, a.Reason).
			Hint("git standards observe " + fault.ShellWord(t.Fact.ID))
	}
	panic(fmt.Sprintf("internal error: a provider's answer of type %T", answer))
}

// Submitted is the answer that a claim is to the task's question.
func (t *Task) Submitted(c *Claim) decision.Submitted {
	s := decision.Submitted{
		Question: t.Question, Value: c.Value, Rationale: "observed by the provider " + t.Provider.ID,
		Provider: &decisionfile.Observation{ID: t.Provider.ID, Definition: t.Definition, Evidence: identity.Bytes(c.Printed)},
	}
	if c.Value == nil {
		s.Result = facts.Absent
	}
	if t.Snapshot != nil {
		s.Provider.Inputs = t.Snapshot.ID
	}
	return s
}

// Agrees reports a decision that says what the claim says.
func (c *Claim) Agrees(d *decisionfile.Decision) bool {
	if !c.Observed || d.Result != "" || c.Value == nil {
		return c.Observed && c.Value == nil && d.Result == facts.Absent
	}
	was, err := identity.Encode(d.Value)
	now, nowErr := identity.Encode(c.Value)
	return err == nil && nowErr == nil && string(was) == string(now)
}

// Shown is what a claim says, for people.
func (t *Task) Shown(c *Claim) string {
	if !c.Observed {
		return "nothing"
	}
	return t.Question.Contract.Show(c.Value)
}
