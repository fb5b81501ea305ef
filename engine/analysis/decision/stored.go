package decision

import (
	"fmt"

	"github.com/git-standards/git-standards/engine/analysis/coverage"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/identity"
)

// Stored is an answer as it stands in a state, without the file that it came from.
type Stored struct {
	*Answer
	signed identity.List // the questions that its signature is over
}

// Restore reads one decision of a state, which its owner's codec has admitted; record is that of the question it answers.
func Restore(item any, record identity.Record) (Stored, error) {
	if _, _, err := ExamineRecord(item); err != nil {
		return Stored{}, err
	}
	fields := item.(identity.Record)
	d := &decisionfile.Decision{Questions: []any{record}, Value: fields["value"]}
	s := Stored{Answer: &Answer{Decision: d, Record: record, Value: fields["value"]}}
	for key, field := range map[string]*string{
		"question": &s.Question, "kind": &d.Kind, "result": &d.Result, "rationale": &d.Rationale, "principal": &d.Principal,
	} {
		text, ok := fields[key].(string)
		if !ok {
			return Stored{}, fmt.Errorf("%s is no text", key)
		}
		*field = text
	}
	evidence, _ := fields["evidence"].(identity.List)
	for _, item := range evidence {
		digest, _ := item.(string)
		if !identity.IsBytesDigest(digest) {
			return Stored{}, fmt.Errorf("evidence %q is no digest", digest)
		}
		d.Evidence = append(d.Evidence, decisionfile.Evidence{SHA256: digest})
	}
	members, _ := fields["members"].(identity.List)
	for _, item := range members {
		member, err := coverage.ParseMember(item)
		if err != nil {
			return Stored{}, err
		}
		d.Members = append(d.Members, member)
	}
	if p, observed := fields["provider"].(identity.Record); observed {
		d.Provider = &decisionfile.Observation{}
		for key, field := range map[string]*string{
			"id": &d.Provider.ID, "definition": &d.Provider.Definition, "inputs": &d.Provider.Inputs, "evidence": &d.Provider.Evidence,
		} {
			*field, _ = p[key].(string)
		}
	}
	if signature, ok := fields["signature"].(identity.Record); ok {
		d.Signature, _ = signature["text"].(string)
		s.signed, _ = signature["questions"].(identity.List)
	}
	return s, nil
}

// Message is the bytes that its signature is over. known is false where the state does not say all of them: of evidence it holds the
// digests, and the paths are signed as well.
func (s Stored) Message() (message []byte, known bool, err error) {
	if len(s.Evidence) > 0 {
		return nil, false, nil
	}
	message, err = messageOver(s.signed, s.Decision)
	return message, true, err
}
