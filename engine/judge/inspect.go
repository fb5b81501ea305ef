package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/operation"
	"github.com/git-standards/git-standards/engine/wire"
)

// maxCandidates bounds the list that an ambiguous abbreviation prints.
const maxCandidates = 20

// Inspect returns one stored object, proven by its owner's codec, and its stored text. word is a whole id, "kind:abbrev"
// or a bare abbreviation of seven or more hex digits. Of a closure, and of what was computed from one, it is proven that the closure
// holds (operation.Verify).
func Inspect(ctx context.Context, repository authority.Repository, codecs authority.Codecs, word string) (*wire.Inspection, []byte, error) {
	id, err := Expand(ctx, repository, codecs, word)
	if err != nil {
		return nil, nil, err
	}
	text, err := repository.Get(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	envelope, err := codecs.Open(id, text)
	if err != nil {
		return nil, nil, err
	}
	payload, err := identity.Encode(envelope.Payload)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", id, err)
	}
	inspection := &wire.Inspection{
		SchemaVersion:   wire.SchemaVersion,
		Result:          "inspection",
		Handle:          wire.NewHandle(envelope.ID),
		PayloadContract: envelope.PayloadContract,
		Dependencies:    []wire.Handle{},
		Payload:         json.RawMessage(payload),
	}
	for _, d := range envelope.Dependencies {
		found, err := repository.Find(ctx, d.ID, 1)
		if err != nil {
			return nil, nil, err
		}
		if len(found) == 0 {
			return nil, nil, fault.New(fault.Invalid, "OBJECT.DEPENDENCY_MISSING", id, "the store is damaged: %s, on which this object depends, is not in it", d.ID)
		}
		inspection.Dependencies = append(inspection.Dependencies, wire.NewHandle(d.ID))
	}
	if closure := closureOf(envelope); closure != "" {
		if _, err := operation.Verify(ctx, repository, codecs, closure); err != nil {
			return nil, nil, err
		}
	}
	return inspection, text, nil
}

// closureOf is the id of the closure that an object is, or binds; "" where there is none.
func closureOf(envelope authority.Envelope) string {
	if envelope.Kind == authority.ClosureCodec.Kind {
		return envelope.ID
	}
	for _, d := range envelope.Dependencies {
		if d.Kind == authority.ClosureCodec.Kind {
			return d.ID
		}
	}
	return ""
}

// Closure is everything that a stored object rests on, itself among it, sorted and each proven; where it binds a closure, that holds.
func Closure(ctx context.Context, repository authority.Repository, codecs authority.Codecs, word string) (*wire.Closure, error) {
	inspection, _, err := Inspect(ctx, repository, codecs, word)
	if err != nil {
		return nil, err
	}
	at := authority.Reference{Kind: inspection.Handle.Kind, ID: inspection.Handle.ID}
	reached, err := authority.ReachStored(ctx, repository, codecs, at)
	if err != nil {
		return nil, err
	}
	derived, err := reached.Digest()
	if err != nil {
		return nil, err
	}
	closure := &wire.Closure{
		SchemaVersion: wire.SchemaVersion, Result: "closure", Handle: inspection.Handle, Derived: derived, Objects: []wire.ClosureObject{},
	}
	for _, reference := range reached.References() {
		object := wire.ClosureObject{ID: reference.ID, Dependencies: []string{}}
		for _, d := range reached[reference] {
			object.Dependencies = append(object.Dependencies, d.ID)
		}
		closure.Objects = append(closure.Objects, object)
	}
	return closure, nil
}

// Expand turns what was typed into one stored id, with one index probe per composed kind.
func Expand(ctx context.Context, repository authority.Repository, codecs authority.Codecs, word string) (string, error) {
	if _, _, whole := identity.Split(word); whole {
		return word, nil
	}
	kinds := codecs.Kinds()
	abbrev := word
	if kind, rest, ok := strings.Cut(word, ":"); ok {
		if _, known := codecs.Find(kind); !known {
			return "", fault.New(fault.Unsupported, "HANDLE.KIND", word, "%q is no kind of object that this build knows: %s", kind, strings.Join(kinds, ", ")).
				Hint("git standards inspect -h")
		}
		kinds, abbrev = []string{kind}, strings.TrimPrefix(rest, "sha256:")
	}
	if !IsAbbreviation(abbrev) {
		return "", fault.New(fault.Invalid, "HANDLE.MALFORMED", word, "a handle is kind:sha256: and 64 hex digits, or kind:abbrev, or at least %d hex digits in lower case", minAbbrev).
			Hint("git standards prepare")
	}
	var candidates []string
	for _, kind := range kinds {
		found, err := repository.Find(ctx, kind+":sha256:"+abbrev, maxCandidates)
		if err != nil {
			return "", err
		}
		candidates = append(candidates, found...)
	}
	switch len(candidates) {
	case 0:
		return "", fault.New(fault.Unavailable, "HANDLE.UNKNOWN", word, "no object in this store begins with that").Hint("git standards prepare")
	case 1:
		return candidates[0], nil
	}
	return "", fault.New(fault.Invalid, "HANDLE.AMBIGUOUS", word, "more than one object begins with that").Hint(candidates...)
}

// IsAbbreviation reports whether word is hex digits enough to name an object: seven to 64, in lower case.
func IsAbbreviation(word string) bool {
	return len(word) >= minAbbrev && len(word) <= 64 && strings.Trim(word, "0123456789abcdef") == ""
}

// FindQuestion finds the question that was typed as a whole id, "question:abbrev" or a bare abbreviation among those
// asked. None is no error: the caller may know of other places to look.
func FindQuestion(word string, asked []*question.Question) (*question.Question, error) {
	abbrev := word
	if rest, ok := strings.CutPrefix(word, question.Codec.Kind+":"); ok {
		abbrev = strings.TrimPrefix(rest, "sha256:")
	}
	if !IsAbbreviation(abbrev) {
		return nil, fault.New(fault.Invalid, "QUESTION.MALFORMED", word, "a question is named by at least %d hex digits of its id", minAbbrev).Hint("git standards status")
	}
	prefix := question.Codec.Kind + ":sha256:" + abbrev
	var found []*question.Question
	var names []string
	for _, q := range asked {
		if strings.HasPrefix(q.ID, prefix) {
			found, names = append(found, q), append(names, q.ID)
		}
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return found[0], nil
	}
	return nil, fault.New(fault.Invalid, "QUESTION.AMBIGUOUS", word, "%d questions begin with that", len(found)).Hint(names...)
}
