package decision

import (
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/identity"
)

// messageContract names what is signed, so that no other record can be taken for it.
const messageContract = "git-standards-decision.v1"

// Message is the bytes that the signature of a decision is over: all that it says, whatever the name of its file and the order of
// the questions in it. doc/trust.md has them as a table.
func Message(d *decisionfile.Decision) ([]byte, error) {
	questions, err := questionsOf(d)
	if err != nil {
		return nil, err
	}
	return messageOver(questions, d)
}

func messageOver(questions identity.List, d *decisionfile.Decision) ([]byte, error) {
	record := identity.Record{
		"contract": messageContract, "questions": questions, "kind": d.Kind, "result": nil, "value": d.Value,
		"rationale": d.Rationale, "principal": d.Principal, "evidence": evidenceRecords(d.Evidence), "members": memberRecords(d.Members),
		"provider": providerRecord(d.Provider),
	}
	if d.Result != "" {
		record["result"] = d.Result
	}
	return identity.Encode(record)
}

// questionsOf is the ids of the questions that a decision answers, sorted.
func questionsOf(d *decisionfile.Decision) (identity.List, error) {
	ids := make([]string, len(d.Questions))
	for i, record := range d.Questions {
		var err error
		if ids[i], err = question.ID(record); err != nil {
			return nil, fmt.Errorf("%s: question %d: %w", d.File, i+1, err)
		}
	}
	slices.Sort(ids)
	return identity.Texts(ids), nil
}

func evidenceRecords(list []decisionfile.Evidence) identity.List {
	records := identity.List{}
	for _, e := range list {
		record := identity.Record{"path": nil, "sha256": e.SHA256}
		if e.Path != "" {
			record["path"] = e.Path
		}
		records = append(records, record)
	}
	return records
}

func memberRecords(list []decisionfile.Member) identity.List {
	records := identity.List{}
	for _, m := range list {
		records = append(records, identity.Record{"path": m.Path, "blob": m.Blob})
	}
	return records
}

// signatureRecord is the signature of an answer as it stands in the state, with the ids of all the questions that it is over; nil where
// there is none.
func (a *Answer) signatureRecord() any {
	if a.Signature == "" {
		return nil
	}
	questions, err := questionsOf(a.Decision)
	if err != nil {
		return nil // an answer that was read has questions
	}
	return identity.Record{"questions": questions, "text": a.Signature}
}

// Sign gives each file that a plan writes the signature that sign returns for it, or none for "". What a rewritten file was signed with
// is over more than is left of it (RULES E9): sign sees it, and replaces it.
func (p *Plan) Sign(sign func(*decisionfile.Decision) (string, error)) error {
	for _, name := range p.Written() {
		d, findings := decisionfile.Parse(name, p.Write[name])
		if d == nil || len(findings) > 0 {
			return fmt.Errorf("internal error: %s was written so that it cannot be read", name)
		}
		signature, err := sign(d)
		if err != nil {
			return err
		}
		if signature == d.Signature {
			continue
		}
		d.Signature, d.Lines = signature, nil
		if p.Write[name], err = decisionfile.Format(*d); err != nil {
			return err
		}
	}
	return nil
}

// providerRecord is how a provider came to a value, nil where none did; inputs is "" where it had none.
func providerRecord(p *decisionfile.Observation) any {
	if p == nil {
		return nil
	}
	return identity.Record{"id": p.ID, "definition": p.Definition, "inputs": p.Inputs, "evidence": p.Evidence}
}
