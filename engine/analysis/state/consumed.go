package state

import (
	"context"
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/coverage"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/observation"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/corpus/records"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/operation"
	"github.com/git-standards/git-standards/engine/trust"
)

// consumption is the objects that the answers of a verdict rest on: what was asked of facts and of coverage, what was observed and
// attested, and by whose grant.
type consumption struct {
	Verdict
	ground       ground
	roots        []authority.RootNode
	certificates []authority.Node
	requirements map[string]requirement // of facts, by question
	audits       map[string]*audit      // of coverage, by question
}

// audit is what a coverage question makes.
type audit struct {
	view, requirement authority.Node
	attestations      []authority.Node
}

type requirement struct {
	authority.Node
	contract facts.Contract
}

// consume collects the dynamic roots of a verdict, all on the proposed side: the requirement of every fact that is asked, the view and the
// requirement of every coverage question, and for every counted answer its grant, and what was observed or attested. Another answer, or
// a grant to somebody else, is in no state that did not use it.
func (c *consumption) consume(ctx context.Context) error {
	asked := map[string]*question.Question{}
	for _, q := range c.Asked {
		asked[q.ID] = q
		var err error
		switch q.Kind {
		case question.Fact:
			err = c.require(q)
		case question.Coverage:
			err = c.audit(q)
		}
		if err != nil {
			return err
		}
	}
	for _, answer := range c.Counted {
		if err := c.answer(ctx, asked[answer.Question], answer); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.audits)) {
		if err := c.certify(id); err != nil {
			return err
		}
	}
	return nil
}

func (c *consumption) add(role string, node authority.Node) {
	c.roots = append(c.roots, authority.RootNode{Side: authority.Proposed, Role: role, Node: node})
}

// require makes the requirement of a fact, under the contract of the side that the question was made of.
func (c *consumption) require(q *question.Question) error {
	fact, _ := q.Record["fact"].(string)
	inputs, _ := q.Record["inputs"].(identity.List)
	for _, side := range []struct {
		*corpus.Corpus
		policyImpact authority.Node
	}{{c.Accepted, c.ground.accepted.PolicyImpact}, {c.Proposed, c.ground.proposed.PolicyImpact}} {
		contract, known := side.Schema().Find(fact)
		if !known || contract.Digest() != q.Record["contract"] {
			continue
		}
		node, err := observation.Requirement(c.ground.context, side.policyImpact, contract, inputs)
		if err != nil {
			return err
		}
		c.requirements[q.ID] = requirement{node, contract}
		c.add(operation.Requirement, node)
		return nil
	}
	return fault.New(fault.Invalid, "STORE.INTERNAL", q.ID, "internal error: neither side declares the fact %q as it is asked", fact)
}

// subjects is the kind of a grant's subject for each kind of question whose id it names.
var subjects = map[string]string{
	question.ConsumerReview: trust.ConsumerObligation,
	question.ImpactReview:   trust.ImpactObligation,
}

// audit makes what an auditor of a coverage question has to meet: over the proposed side, by the horizon of the accepted one (RULES B1).
func (c *consumption) audit(q *question.Question) error {
	on := c.ground.proposed
	view, err := coverage.View(q, coverage.Grounds{
		Metadata: on.Metadata, PolicyImpact: on.PolicyImpact, Graph: on.Graph, Horizon: c.ground.accepted.Coverage,
	})
	if err != nil {
		return err
	}
	requirement, err := coverage.Requirement(q, view, c.Policy.Attesters())
	c.audits[q.ID] = &audit{view: view, requirement: requirement}
	c.add(operation.CoverageView, view)
	c.add(operation.CoverageRequirement, requirement)
	return err
}

// certify makes the certificate of a coverage question whose attestations leave nothing. It is no root: whether something is left depends
// on files of the horizon, which no state covers (RULES D2, E8).
func (c *consumption) certify(id string) error {
	if cover := c.Covers[id]; cover == nil || !cover.Complete() {
		return nil
	}
	of := c.audits[id]
	node, err := coverage.Certificate(of.view, of.requirement, of.attestations)
	c.certificates = append(c.certificates, node)
	return err
}

func (c *consumption) answer(ctx context.Context, q *question.Question, answer *decision.Answer) error {
	subject := trust.Subject{Kind: subjects[q.Kind], ID: q.ID}
	switch q.Kind {
	case question.Fact:
		subject = trust.Subject{Kind: trust.FactRequirement, ID: c.requirements[q.ID].ID}
	case question.Coverage:
		subject = trust.Subject{Kind: trust.CoverageRequirement, ID: c.audits[q.ID].requirement.ID}
	}
	grant, err := c.Policy.Grant(answer.Principal, question.CapabilityFor(q.Kind, answer.Result), subject)
	if err != nil {
		return err
	}
	c.add(operation.AuthorizationGrant, grant)
	switch {
	case answer.Result == facts.Waiver:
	case q.Kind == question.Fact:
		return c.observe(ctx, q, answer, grant)
	case q.Kind == question.Coverage:
		return c.attest(c.audits[q.ID], answer, grant)
	}
	return nil
}

func (c *consumption) attest(of *audit, answer *decision.Answer, grant authority.Node) error {
	node, err := coverage.Claim{
		Attestation: coverage.Attestation{Principal: answer.Principal, Key: answer.Key, Members: answer.Members},
		Rationale:   answer.Rationale, Evidence: digests(answer),
	}.Node(of.requirement, grant)
	of.attestations = append(of.attestations, node)
	c.add(operation.CoverageAttestation, node)
	return err
}

// digests is those of the bytes that an answer rests on.
func digests(answer *decision.Answer) []string {
	list := []string{}
	for _, e := range answer.Evidence {
		list = append(list, e.SHA256)
	}
	return list
}

// observe makes the observation of a value, and the authority of the provider that came to it.
func (c *consumption) observe(ctx context.Context, q *question.Question, answer *decision.Answer, grant authority.Node) error {
	of, evidence := c.requirements[q.ID], digests(answer)
	provider, err := c.providerOf(ctx, q, answer)
	if err != nil {
		return err
	}
	if provider != nil {
		evidence = append(evidence, answer.Provider.Evidence)
		c.add(operation.ProviderAuthority, *provider)
	}
	value, err := of.contract.Check(answer.Value)
	if err != nil {
		return err
	}
	node, err := observation.Observation(of.Node, value, evidence, grant, provider)
	c.add(operation.Observation, node)
	return err
}

// providerOf is the authority of the provider that an answer names, over the requirement and the files that it read. It is nil where a
// person answered, and where what the answer says cannot be what ran: the accepted side has another provider for the fact, or another
// definition of it (RULES B1), or the question is bound to other files. Such an answer is its principal's word and no more.
func (c *consumption) providerOf(ctx context.Context, q *question.Question, answer *decision.Answer) (*authority.Node, error) {
	if answer.Provider == nil {
		return nil, nil
	}
	of, manifest := c.requirements[q.ID], c.Accepted.Manifest
	at := slices.IndexFunc(manifest.Providers, func(p authored.Provider) bool {
		return p.ID == answer.Provider.ID && records.ProviderDefinition(p) == answer.Provider.Definition
	})
	isFor := func(f authored.Fact) bool { return f.ID == of.contract.ID && f.Provider == answer.Provider.ID }
	if at < 0 || !slices.ContainsFunc(manifest.Facts, isFor) {
		return nil, nil
	}
	declared := manifest.Providers[at]
	provider := trust.Provider{
		ID: trust.Escape(declared.ID), Revision: declared.Revision, InputContract: answer.Provider.Definition, EvidenceContract: "fact-evidence.v1",
		Inputs: []trust.Input{{Side: authority.Proposed, Role: operation.Requirement, Reference: of.Reference}},
	}
	parts, read := []authority.Node{of.Node}, ""
	files, err := c.inputsOf(ctx, q)
	if err != nil {
		return nil, err
	}
	if len(files) > 0 {
		snapshot, err := content.NewSnapshot(files)
		if err != nil {
			return nil, err
		}
		read = snapshot.ID
		provider.Inputs = append(provider.Inputs, trust.Input{Side: authority.Proposed, Role: "content", Reference: snapshot.Reference})
		parts = append(parts, snapshot)
	}
	if read != answer.Provider.Inputs {
		return nil, nil
	}
	node, err := provider.Node(parts...)
	return &node, err
}

// inputsOf reads the files that the question of a fact is bound to.
func (c *consumption) inputsOf(ctx context.Context, q *question.Question) (map[string][]byte, error) {
	bound := map[string]string{}
	for _, input := range question.InputsOf(q.Record) {
		bound[input.Path] = input.Bytes
	}
	names := slices.Sorted(maps.Keys(bound))
	files, err := content.ReadFiles(ctx, c.Source, names...)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if data, here := files[name]; !here || identity.Bytes(data) != bound[name] {
			return nil, fault.New(fault.Unavailable, "WORKTREE.CHANGED", name, "the file changed while it was read; try again")
		}
	}
	return files, nil
}
