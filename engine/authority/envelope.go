// Package authority is the envelope in which every inspectable value is stored, the references between them, and the
// codec sets by which their owners recompute ids. It interprets no payload and holds no list of kinds: owners export
// codecs, the composition hands them in (seed 004, "Immutable object envelope").
package authority

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// MaxEnvelope is the largest envelope, in bytes of canonical text.
const MaxEnvelope = 67_108_864

const (
	envelopeKind    = "authority-envelope"
	envelopeVersion = 1
)

// Reference names one stored object: its kind and its semantic id ("kind:sha256:…").
type Reference struct{ Kind, ID string }

func compareReferences(a, b Reference) int {
	if c := strings.Compare(a.Kind, b.Kind); c != 0 {
		return c
	}
	return strings.Compare(a.ID, b.ID)
}

// SortReferences sorts refs and removes repetitions.
func SortReferences(refs []Reference) []Reference {
	slices.SortFunc(refs, compareReferences)
	return slices.Compact(refs)
}

// Envelope is AuthorityObjectEnvelopeV1 without its two constant fields. Dependencies are sorted and unique.
type Envelope struct {
	Reference
	Dependencies    []Reference
	PayloadContract string
	Payload         any
}

// Encode returns the canonical text of the seven fields. Text beyond MaxEnvelope is refused as ENVELOPE.TOO_LARGE.
func (e Envelope) Encode() ([]byte, error) {
	dependencies := make(identity.List, len(e.Dependencies))
	for i, d := range e.Dependencies {
		dependencies[i] = identity.Record{"object_kind": d.Kind, "semantic_id": d.ID}
	}
	text, err := identity.Encode(identity.Record{
		"envelope_kind":       envelopeKind,
		"envelope_version":    envelopeVersion,
		"object_kind":         e.Kind,
		"semantic_id":         e.ID,
		"direct_dependencies": dependencies,
		"payload_contract":    e.PayloadContract,
		"payload":             e.Payload,
	})
	if err != nil {
		return nil, fmt.Errorf("envelope of %s: %w", e.ID, err)
	}
	if len(text) > MaxEnvelope {
		return nil, fault.New(fault.Unsupported, "ENVELOPE.TOO_LARGE", e.ID, "the envelope has %d bytes, more than %d", len(text), MaxEnvelope)
	}
	return text, nil
}

// DecodeEnvelope reads an envelope's structure. A malformed one is invalid; a well-formed one of another envelope kind
// or version is unsupported.
func DecodeEnvelope(text []byte) (Envelope, error) {
	var e Envelope
	malformed := func(why string, args ...any) (Envelope, error) {
		return Envelope{}, fault.New(fault.Invalid, "ENVELOPE.MALFORMED", "", "stored envelope: %s", fmt.Sprintf(why, args...))
	}
	if len(text) > MaxEnvelope {
		return malformed("%d bytes, more than %d", len(text), MaxEnvelope)
	}
	value, err := identity.Decode(text)
	if err != nil {
		return malformed("%v", err)
	}
	fields, ok := value.(identity.Record)
	if !ok {
		return malformed("not an object")
	}
	// Kind and version come first: what the other fields are is for them to say.
	kind, isString := fields["envelope_kind"].(string)
	version, isVersion := positive(fields["envelope_version"])
	switch {
	case !isVersion || !isString || kind == "":
		return malformed("no envelope kind and version")
	case kind != envelopeKind || version != strconv.Itoa(envelopeVersion):
		return Envelope{}, fault.New(fault.Unsupported, "ENVELOPE.VERSION", "", "stored envelope: %q version %s; this build reads %s %d", kind, version, envelopeKind, envelopeVersion)
	case len(fields) != 7:
		return malformed("not an object of seven fields")
	}
	for _, want := range []struct {
		name  string
		field *string
	}{{"object_kind", &e.Kind}, {"semantic_id", &e.ID}, {"payload_contract", &e.PayloadContract}} {
		if *want.field, ok = fields[want.name].(string); !ok || *want.field == "" {
			return malformed("%s is not a nonempty string", want.name)
		}
	}
	if e.Payload, ok = fields["payload"]; !ok {
		return malformed("no payload")
	}
	list, ok := fields["direct_dependencies"].(identity.List)
	if !ok {
		return malformed("direct_dependencies is not a list")
	}
	for _, item := range list {
		d, ok := decodeReference(item)
		if !ok {
			return malformed("a dependency is not a reference")
		}
		if n := len(e.Dependencies); n > 0 && compareReferences(e.Dependencies[n-1], d) >= 0 {
			return malformed("dependencies repeated or out of order")
		}
		if d == e.Reference {
			return malformed("the object depends on itself")
		}
		e.Dependencies = append(e.Dependencies, d)
	}
	return e, nil
}

// positive returns the decimal digits of an integer of any size above zero.
func positive(value any) (string, bool) {
	switch n := value.(type) {
	case int64:
		return strconv.FormatInt(n, 10), n > 0
	case *big.Int:
		return n.String(), n.Sign() > 0
	}
	return "", false
}

func decodeReference(item any) (Reference, bool) {
	fields, ok := item.(identity.Record)
	if !ok || len(fields) != 2 {
		return Reference{}, false
	}
	kind, isKind := fields["object_kind"].(string)
	id, isID := fields["semantic_id"].(string)
	return Reference{kind, id}, isKind && isID && kind != "" && id != ""
}
