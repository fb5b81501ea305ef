package judge

import (
	"context"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/observation"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/analysis/state"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/operation"
	"github.com/git-standards/git-standards/engine/trust"
	"github.com/git-standards/git-standards/engine/wire"
)

// Project judges a stored state again, by the code that judged it and from the store alone: both sides are compiled from the bytes of
// their stored snapshots, and what comes out must be the state that was asked for, byte for byte. What the state does not bind is said to
// be unknown.
func Project(ctx context.Context, repository authority.Repository, codecs authority.Codecs, word string) (*wire.Projection, error) {
	id, err := Expand(ctx, repository, codecs, word)
	if err != nil {
		return nil, err
	}
	if kind, _, _ := identity.Split(id); kind != state.Codec.Kind {
		return nil, fault.New(fault.Invalid, "HANDLE.KIND", id, "only a state has a projection, which is an %s", state.Codec.Kind).
			Hint("git standards inspect " + id)
	}
	text, err := repository.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	envelope, err := codecs.Open(id, text)
	if err != nil {
		return nil, err
	}
	r := &stored{ctx: ctx, repository: repository, codecs: codecs, compiler: corpus.NewCompiler(), files: map[string][]byte{}}
	state, err := r.state(envelope)
	if err != nil {
		return nil, err
	}
	replayed, err := analysis.Replay(ctx, state)
	if err != nil {
		return nil, err
	}
	if replayed.Root.ID != id {
		return nil, fault.New(fault.Invalid, "ENVELOPE.CORRUPT", id, "what this state holds gives another one: %s", replayed.Root.ID)
	}
	return r.projection(id, envelope, replayed)
}

// stored reads objects of a store, each proven.
type stored struct {
	ctx        context.Context
	repository authority.Repository
	codecs     authority.Codecs
	compiler   *corpus.Compiler
	files      map[string][]byte // by digest
}

func (r *stored) open(id, kind string) (authority.Envelope, identity.Record, error) {
	envelope, err := authority.OpenStored(r.ctx, r.repository, r.codecs, authority.Reference{Kind: kind, ID: id})
	fields, _ := envelope.Payload.(identity.Record)
	return envelope, fields, err
}

// state reads what a state holds.
func (r *stored) state(envelope authority.Envelope) (s analysis.State, err error) {
	fields, _ := envelope.Payload.(identity.Record)
	if s.Accepted, err = r.corpus(fields["accepted"]); err != nil {
		return s, err
	}
	if s.Proposed, err = r.corpus(fields["proposed"]); err != nil {
		return s, err
	}
	s.Records = map[string]identity.Record{}
	asked, _ := fields["questions"].(identity.List)
	for _, item := range asked {
		id, _ := item.(string)
		s.Asked = append(s.Asked, id)
	}
	for _, d := range envelope.Dependencies {
		if d.Kind == question.Codec.Kind {
			if _, s.Records[d.ID], err = r.open(d.ID, d.Kind); err != nil {
				return s, err
			}
		}
	}
	s.Decisions, _ = fields["decisions"].(identity.List)
	s.Files, err = r.inputs(s.Records)
	return s, err
}

// corpus compiles a side from the bytes of its snapshot.
func (r *stored) corpus(value any) (*corpus.Corpus, error) {
	id, _ := value.(string)
	_, fields, err := r.open(id, corpus.Codec.Kind)
	if err != nil {
		return nil, err
	}
	side := &snapshotSource{files: r.files}
	if snapshot, here := fields["snapshot"].(string); here {
		if side.entries, err = r.snapshot(snapshot); err != nil {
			return nil, err
		}
	}
	compiled, err := r.compiler.Compile(r.ctx, side)
	if err != nil {
		return nil, err
	}
	if compiled.Node.ID != id {
		return nil, fault.New(fault.Invalid, "ENVELOPE.CORRUPT", id, "its snapshot compiles to %s", compiled.Node.ID)
	}
	return compiled, nil
}

// snapshot reads the files of a snapshot.
func (r *stored) snapshot(id string) ([]content.Entry, error) {
	envelope, _, err := r.open(id, content.SnapshotCodec.Kind)
	if err != nil {
		return nil, err
	}
	entries := content.SnapshotEntries(envelope.Payload)
	for _, entry := range entries {
		if _, err := r.file(entry.Object); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// file is the stored bytes of a digest.
func (r *stored) file(digest string) ([]byte, error) {
	if data, known := r.files[digest]; known {
		return data, nil
	}
	reference, err := content.FileReference(digest)
	if err != nil {
		return nil, err
	}
	envelope, _, err := r.open(reference.ID, reference.Kind)
	if err != nil {
		return nil, err
	}
	r.files[digest], err = content.FileBytes(envelope.Payload)
	return r.files[digest], err
}

// inputs reads the inputs of facts as far as they are stored: they are with what a provider observed, and need not be elsewhere.
func (r *stored) inputs(records map[string]identity.Record) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, record := range records {
		for _, input := range question.InputsOf(record) {
			data, err := r.file(input.Bytes)
			if err != nil && !fault.Is(err, "CLOSURE.MISSING") {
				return nil, err
			}
			if err == nil {
				files[input.Path] = data
			}
		}
	}
	return files, nil
}

// snapshotSource is a stored snapshot as a side. Its objects are the digests of its files.
type snapshotSource struct {
	entries []content.Entry
	files   map[string][]byte
}

func (s *snapshotSource) List(_ context.Context, under ...string) ([]content.Entry, error) {
	return content.Select(s.entries, under), nil
}

func (s *snapshotSource) Read(_ context.Context, entries ...content.Entry) ([][]byte, error) {
	data := make([][]byte, len(entries))
	for i, entry := range entries {
		data[i] = s.files[entry.Object]
	}
	return data, nil
}

func (r *stored) projection(id string, envelope authority.Envelope, v *analysis.Replayed) (*wire.Projection, error) {
	p := &wire.Projection{
		SchemaVersion: wire.SchemaVersion, Result: "projection", Analysis: wire.AnalysisHandle(wire.NewHandle(id)), Verdict: "complete",
		Issuer: v.Policy.Issuer(), Coverage: v.Coverage(), Asked: len(v.Asked), Questions: []wire.ProjectedQuestion{}, Decisions: projectedDecisions(v),
		Facts: []wire.ProjectedFact{}, Grants: []wire.ProjectedGrant{}, Certificates: []wire.ProjectedCertificate{},
	}
	states := map[string]string{}
	for _, open := range v.Open {
		states[open.ID], p.Verdict = open.State, "pending"
	}
	if len(v.Hanging) > 0 && p.Verdict == "complete" {
		p.Verdict = unknown
	}
	if len(v.Hanging) > 0 && p.Coverage == analysis.Certified {
		p.Coverage = unknown
	}
	for _, q := range v.Asked {
		state, isOpen := states[q.ID]
		if v.Hanging[q.ID] {
			state, isOpen = unknown, true
		}
		if isOpen {
			p.Questions = append(p.Questions, wire.ProjectedQuestion{
				Question: q.ID, Kind: q.Kind, Reason: wire.Optional(q.Reason), About: about(q), Capability: q.Capability(), State: state,
			})
		}
	}
	for _, certificate := range v.Certificates {
		found, err := r.repository.Find(r.ctx, certificate.ID, 1)
		if err != nil {
			return nil, err
		}
		p.Certificates = append(p.Certificates, wire.ProjectedCertificate{Certificate: certificate.ID, Stored: len(found) > 0})
	}
	return p, r.consumed(p, closureOf(envelope), v)
}

const unknown = "unknown"

func projectedDecisions(v *analysis.Replayed) []wire.ProjectedDecision {
	list := []wire.ProjectedDecision{}
	add := func(answers []*decision.Answer, counted bool) {
		for _, answer := range answers {
			q := v.ByID[answer.Question]
			list = append(list, wire.ProjectedDecision{
				Question: answer.Question, Kind: answer.Kind, About: about(q), Result: answer.Given(), Principal: answer.Principal,
				Rationale: answer.Rationale, Trust: TrustOf(answer), Proven: v.Proven[answer], Counted: counted,
			})
		}
	}
	add(v.Counted, true)
	add(v.Dormant, false)
	slices.SortStableFunc(list, func(a, b wire.ProjectedDecision) int { return strings.Compare(a.Question, b.Question) })
	return list
}

// consumed adds what the closure of the state holds of facts and grants. Inspect proves that it holds.
func (r *stored) consumed(p *wire.Projection, closure string, v *analysis.Replayed) error {
	if _, err := operation.Verify(r.ctx, r.repository, r.codecs, closure); err != nil {
		return err
	}
	envelope, _, err := r.open(closure, authority.ClosureCodec.Kind)
	if err != nil {
		return err
	}
	byRequirement := map[string]*wire.ProjectedFact{}
	var observations []authority.Reference
	for _, d := range envelope.Dependencies {
		switch d.Kind {
		case observation.RequirementCodec.Kind:
			_, fields, err := r.open(d.ID, d.Kind)
			if err != nil {
				return err
			}
			fact, _ := fields["fact"].(string)
			byRequirement[d.ID] = &wire.ProjectedFact{Fact: fact, Requirement: d.ID, State: unknown, Observations: []string{}}
		case observation.ObservationCodec.Kind:
			observations = append(observations, d)
		case trust.GrantCodec.Kind:
			_, fields, err := r.open(d.ID, d.Kind)
			if err != nil {
				return err
			}
			grant := wire.ProjectedGrant{Grant: d.ID}
			grant.Principal, _ = fields["principal_id"].(string)
			grant.Capability, _ = fields["capability"].(string)
			subject, _ := fields["subject"].(identity.Record)
			grant.Subject, _ = subject["id"].(string)
			p.Grants = append(p.Grants, grant)
		}
	}
	for _, o := range observations {
		_, fields, err := r.open(o.ID, o.Kind)
		if err != nil {
			return err
		}
		requirement, _ := fields["requirement"].(string)
		fact := byRequirement[requirement]
		fact.State, _ = fields["state"].(string)
		fact.Observations = append(fact.Observations, o.ID)
		if fact.State == observation.Known {
			shown := show(v, fact.Fact, fields["value"])
			fact.Value = &shown
		}
	}
	for _, fact := range byRequirement {
		p.Facts = append(p.Facts, *fact)
	}
	slices.SortFunc(p.Facts, func(a, b wire.ProjectedFact) int { return strings.Compare(a.Fact+a.Requirement, b.Fact+b.Requirement) })
	return nil
}

// show is a value as the contract by which it was asked for shows it.
func show(v *analysis.Replayed, fact string, value any) string {
	var contract facts.Contract
	for _, q := range v.Asked {
		if q.Contract != nil && q.Contract.ID == fact {
			contract = *q.Contract
		}
	}
	return contract.Show(value)
}
