package authority_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

func reference(kind string) authority.Reference {
	return authority.Reference{Kind: kind, ID: kind + ":sha256:" + strings.Repeat("0", 64)}
}

func example() authority.Envelope {
	return authority.Envelope{
		Reference:       reference("c"),
		Dependencies:    []authority.Reference{reference("a"), reference("b")},
		PayloadContract: "c.v1",
		Payload:         identity.Record{"n": int64(1)},
	}
}

// The text is written out by hand from the seven fields of seed 004, keys sorted.
func TestEnvelopeText(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("0", 64)
	want := `{"direct_dependencies":[{"object_kind":"a","semantic_id":"a:sha256:` + zeros + `"},{"object_kind":"b","semantic_id":"b:sha256:` + zeros +
		`"}],"envelope_kind":"authority-envelope","envelope_version":1,"object_kind":"c","payload":{"n":1},"payload_contract":"c.v1","semantic_id":"c:sha256:` + zeros + `"}`
	got, err := example().Encode()
	if err != nil || string(got) != want {
		t.Fatalf("%v\n got %s\nwant %s", err, got, want)
	}
	back, err := authority.DecodeEnvelope(got)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(example(), back); diff != "" {
		t.Error(diff)
	}
}

// edit returns the example's text with one change to its fields.
func edit(t *testing.T, change func(fields identity.Record)) []byte {
	t.Helper()
	text, err := example().Encode()
	if err != nil {
		t.Fatal(err)
	}
	value, err := identity.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	change(value.(identity.Record))
	if text, err = identity.Encode(value); err != nil {
		t.Fatal(err)
	}
	return text
}

func set(name string, value any) func(identity.Record) {
	return func(fields identity.Record) { fields[name] = value }
}

func row(kind string) identity.Record {
	return identity.Record{"object_kind": kind, "semantic_id": reference(kind).ID}
}

func TestMalformedEnvelopesAreInvalid(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(identity.Record){
		"unknown field":                 set("comment", "x"),
		"kind empty":                    set("object_kind", ""),
		"kind not a string":             set("object_kind", int64(1)),
		"id empty":                      set("semantic_id", ""),
		"id null":                       set("semantic_id", nil),
		"contract empty":                set("payload_contract", ""),
		"contract a list":               set("payload_contract", identity.List{}),
		"version zero":                  set("envelope_version", int64(0)),
		"version negative":              set("envelope_version", int64(-1)),
		"version a string":              set("envelope_version", "1"),
		"version null":                  set("envelope_version", nil),
		"envelope kind empty":           set("envelope_kind", ""),
		"envelope kind a number":        set("envelope_kind", int64(1)),
		"dependencies null":             set("direct_dependencies", nil),
		"dependencies an object":        set("direct_dependencies", identity.Record{}),
		"dependency a string":           set("direct_dependencies", identity.List{"a"}),
		"dependency with a third field": set("direct_dependencies", identity.List{identity.Record{"object_kind": "a", "semantic_id": "a:1", "x": nil}}),
		"dependency without id":         set("direct_dependencies", identity.List{identity.Record{"object_kind": "a"}}),
		"dependency with an empty id":   set("direct_dependencies", identity.List{identity.Record{"object_kind": "a", "semantic_id": ""}}),
		"dependencies unsorted":         set("direct_dependencies", identity.List{row("b"), row("a")}),
		"dependency twice":              set("direct_dependencies", identity.List{row("a"), row("a")}),
		"depends on itself":             set("direct_dependencies", identity.List{row("c")}),
	} {
		if e, err := authority.DecodeEnvelope(edit(t, change)); !fault.Is(err, "ENVELOPE.MALFORMED") || fault.As(err).Outcome != fault.Invalid {
			t.Errorf("%s: %v, %v", name, e, err)
		}
	}
	for _, name := range []string{"envelope_kind", "envelope_version", "object_kind", "semantic_id", "direct_dependencies", "payload_contract", "payload"} {
		text := edit(t, func(fields identity.Record) { delete(fields, name) })
		if e, err := authority.DecodeEnvelope(text); !fault.Is(err, "ENVELOPE.MALFORMED") {
			t.Errorf("without %s: %v, %v", name, e, err)
		}
	}
	good := string(edit(t, func(identity.Record) {}))
	for name, text := range map[string]string{
		"empty":          "",
		"not an object":  "[]",
		"float":          strings.Replace(good, `{"n":1}`, `{"n":1.0}`, 1),
		"blank":          strings.Replace(good, `{"n":1}`, `{"n": 1}`, 1),
		"trailing line":  good + "\n",
		"key twice":      strings.Replace(good, `{"n":1}`, `{"n":1,"n":1}`, 1),
		"keys unsorted":  strings.Replace(good, `{"n":1}`, `{"n":1,"m":1}`, 1),
		"two envelopes":  good + good,
		"truncated":      good[:len(good)-1],
		"invalid UTF-8":  strings.Replace(good, "c.v1", "c.\xff1", 1),
		"needless \\u00": strings.Replace(good, "c.v1", `c.\u00761`, 1),
	} {
		if e, err := authority.DecodeEnvelope([]byte(text)); !fault.Is(err, "ENVELOPE.MALFORMED") {
			t.Errorf("%s: %v, %v", name, e, err)
		}
	}
}

// Seed 004: a well-typed unknown kind or positive version is unsupported, whatever its other fields are.
func TestOtherEnvelopesAreUnsupported(t *testing.T) {
	t.Parallel()
	huge, err := identity.Decode([]byte(strings.Repeat("9", 40)))
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(identity.Record){
		"version 2":    set("envelope_version", int64(2)),
		"version huge": set("envelope_version", huge),
		"other kind":   set("envelope_kind", "journal-envelope"),
		"version 2 with a field more": func(fields identity.Record) {
			fields["envelope_version"], fields["compression"] = int64(2), "none"
		},
	} {
		if e, err := authority.DecodeEnvelope(edit(t, change)); !fault.Is(err, "ENVELOPE.VERSION") || fault.As(err).Outcome != fault.Unsupported {
			t.Errorf("%s: %v, %v", name, e, err)
		}
	}
}

func TestLargestEnvelope(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("64 MiB")
	}
	e := example()
	e.Payload = ""
	text, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	e.Payload = strings.Repeat("x", authority.MaxEnvelope-len(text))
	if text, err = e.Encode(); err != nil || len(text) != authority.MaxEnvelope {
		t.Fatal(len(text), err)
	}
	if _, err := authority.DecodeEnvelope(text); err != nil {
		t.Fatal(err)
	}
	if _, err := authority.DecodeEnvelope(append(text, '\n')); !fault.Is(err, "ENVELOPE.MALFORMED") {
		t.Fatal(err)
	}
	e.Payload = e.Payload.(string) + "x"
	if _, err := e.Encode(); !fault.Is(err, "ENVELOPE.TOO_LARGE") {
		t.Fatal(err)
	}
}

func FuzzDecodeEnvelope(f *testing.F) {
	text, err := example().Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := authority.DecodeEnvelope(text)
		if err != nil {
			if fault.As(err) == nil {
				t.Fatalf("%q: %v is no fault", text, err)
			}
			return
		}
		if again, err := e.Encode(); err != nil || !bytes.Equal(again, text) {
			t.Fatalf("%q opens, but encodes as %q (%v)", text, again, err)
		}
	})
}

var errPayload = errors.New("payload not understood")

// pair is a codec for payloads that name two parts, in any order and perhaps the same one twice.
var pair = authority.Codec{
	Kind: "pair", Domain: "coding-standards:pair:v1", PayloadContract: "pair.v1",
	Examine: func(payload any) (any, []authority.Reference, error) {
		fields, ok := payload.(identity.Record)
		left, isLeft := fields["left"].(string)
		right, isRight := fields["right"].(string)
		if !ok || !isLeft || !isRight {
			return nil, nil, errPayload
		}
		return payload, []authority.Reference{{Kind: "leaf", ID: left}, {Kind: "leaf", ID: right}}, nil
	},
}

func TestSealSortsDependencies(t *testing.T) {
	t.Parallel()
	e, err := pair.Seal(identity.Record{"left": "leaf:2", "right": "leaf:1"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]authority.Reference{{Kind: "leaf", ID: "leaf:1"}, {Kind: "leaf", ID: "leaf:2"}}, e.Dependencies); diff != "" {
		t.Error(diff)
	}
	if e, err = pair.Seal(identity.Record{"left": "leaf:1", "right": "leaf:1"}); err != nil || len(e.Dependencies) != 1 {
		t.Error(e.Dependencies, err)
	}
	if _, err := pair.Seal("x"); !errors.Is(err, errPayload) {
		t.Error(err)
	}
}

func TestOpenProvesWhatIsStored(t *testing.T) {
	t.Parallel()
	codecs := authority.Compose([]authority.Codec{pair})
	sealed, err := pair.Seal(identity.Record{"left": "leaf:1", "right": "leaf:2"})
	if err != nil {
		t.Fatal(err)
	}
	open := func(id string, change func(*authority.Envelope)) error {
		e := sealed
		change(&e)
		text, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		_, err = codecs.Open(id, text)
		return err
	}
	if err := open(sealed.ID, func(*authority.Envelope) {}); err != nil {
		t.Fatal(err)
	}
	other := "pair:sha256:" + strings.Repeat("0", 64)
	for name, c := range map[string]struct {
		id     string
		code   string
		change func(*authority.Envelope)
	}{
		"asked for by another id": {other, "ENVELOPE.CORRUPT", func(*authority.Envelope) {}},
		"id of another payload":   {other, "ENVELOPE.CORRUPT", func(e *authority.Envelope) { e.ID = other }},
		"payload changed":         {sealed.ID, "ENVELOPE.CORRUPT", func(e *authority.Envelope) { e.Payload = identity.Record{"left": "leaf:1", "right": "leaf:3"} }},
		"payload not understood":  {sealed.ID, "ENVELOPE.CORRUPT", func(e *authority.Envelope) { e.Payload = nil }},
		"dependency left out":     {sealed.ID, "ENVELOPE.CORRUPT", func(e *authority.Envelope) { e.Dependencies = e.Dependencies[:1] }},
		"kind unknown":            {sealed.ID, "OBJECT.KIND", func(e *authority.Envelope) { e.Kind = "triple" }},
		"contract unknown":        {sealed.ID, "OBJECT.KIND", func(e *authority.Envelope) { e.PayloadContract = "pair.v2" }},
	} {
		if err := open(c.id, c.change); !fault.Is(err, c.code) || fault.As(err).Target != c.id {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := codecs.Open(sealed.ID, []byte("{}")); !fault.Is(err, "ENVELOPE.MALFORMED") || fault.As(err).Target != sealed.ID {
		t.Error(err)
	}
}

func TestComposeRefusesTwoOwners(t *testing.T) {
	t.Parallel()
	defer func() {
		if message, _ := recover().(string); !strings.HasPrefix(message, "internal error: ") {
			t.Errorf("%q", message)
		}
	}()
	authority.Compose([]authority.Codec{pair}, []authority.Codec{pair})
}
