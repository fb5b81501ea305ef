package trust

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/capabilities"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

const (
	digest    = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
	aQuestion = "question:" + digest
)

// vectors are closed records with what python3 computes of them (scripts/identity_vectors.py).
func vectors(t *testing.T) map[string]struct{ Name, Domain, Kind, Value, Canonical, ID string } {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []struct{ Name, Domain, Kind, Value, Canonical, ID string }
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	byName := map[string]struct{ Name, Domain, Kind, Value, Canonical, ID string }{}
	for _, v := range list {
		byName[v.Name] = v
	}
	return byName
}

func TestVectorsAreWhatPythonComputes(t *testing.T) {
	t.Parallel()
	if out, err := exec.Command("python3", "../../scripts/identity_vectors.py", "--check").CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
}

func decoded(t *testing.T, text string) identity.Record {
	t.Helper()
	value, err := identity.Decode([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return value.(identity.Record)
}

func built(t *testing.T, node authority.Node, err error) (string, identity.Record) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	payload, err := node.Payload()
	if err != nil {
		t.Fatal(err)
	}
	return node.ID, payload.(identity.Record)
}

func example(t *testing.T, change func(*Authority)) *Policy {
	t.Helper()
	a := Authority{
		Issuer: Source{"example.team", 3}, Revoker: &Source{"example.security", 2},
		Principals: []Principal{
			{ID: "ann@example.com", Emails: []string{"ann@example.com", "Ann@Other.example"}, Keys: []string{fuzzKey + " laptop"}, Capabilities: []string{capabilities.ReviewImpact, capabilities.ReviewConsumer}},
			{ID: "bo", Capabilities: []string{capabilities.Analyze}},
		},
		Revocations: []Revocation{
			{ID: "sold", Principal: "ann@example.com", Key: "SHA256:rGLyZ4zkE3QDbzrx7Ae3mPEix3a5Hhgbhwl5NXLacC4"},
			{ID: "none", Principal: "ann@example.com", Capabilities: []string{capabilities.Waive}},
		},
	}
	if change != nil {
		change(&a)
	}
	policy, err := New(a)
	if err != nil {
		t.Fatal(err)
	}
	return policy
}

var asked = Subject{ConsumerObligation, aQuestion}

// The grants of a policy are the records of doc/identity.md, which the vectors spell out by hand.
func TestGrantsAreTheVectors(t *testing.T) {
	t.Parallel()
	all := vectors(t)
	for name, grant := range map[string]func() (authority.Node, error){
		"a consumer-review by ann": func() (authority.Node, error) {
			return example(t, nil).Grant("ann@example.com", capabilities.ReviewConsumer, asked)
		},
		"a fact by anybody": func() (authority.Node, error) {
			return Open().Grant("bo@example.com", capabilities.Analyze, Subject{FactRequirement, "fact-requirement:" + digest})
		},
		"a provider": func() (authority.Node, error) {
			parts := []authority.Node{
				{Reference: authority.Reference{Kind: "content-snapshot", ID: "content-snapshot:" + digest}},
				{Reference: authority.Reference{Kind: "fact-requirement", ID: "fact-requirement:" + digest}},
			}
			return Provider{ID: "ci.ui", Revision: 2, InputContract: "fact-inputs.v1", EvidenceContract: "fact-evidence.v1", Inputs: []Input{
				{"proposed", "requirement", authority.Reference{Kind: "fact-requirement", ID: "fact-requirement:" + digest}},
				{"proposed", "content", authority.Reference{Kind: "content-snapshot", ID: "content-snapshot:" + digest}},
			}}.Node(parts...)
		},
	} {
		node, err := grant()
		id, payload := built(t, node, err)
		text, err := identity.Encode(payload)
		if want := all[name]; err != nil || id != want.ID || string(text) == "" {
			t.Errorf("%s: %s %s", name, id, text)
		}
	}
}

// An edit of another principal, of order, of formatting and of what is for people changes no grant; one of the own entry and of the
// own revocations does.
func TestWhatChangesAGrant(t *testing.T) {
	t.Parallel()
	before, _ := granted(t, nil)
	for _, row := range []struct {
		name   string
		change func(*Authority)
		same   bool
	}{
		{"nothing", nil, true},
		{"another principal", func(a *Authority) { a.Principals[1].Capabilities = []string{capabilities.Waive} }, true},
		{"a principal more", func(a *Authority) { a.Principals = append(a.Principals, Principal{ID: "cy"}) }, true},
		{"another's revocation", func(a *Authority) { a.Revocations = append(a.Revocations, Revocation{ID: "bo-left", Principal: "bo"}) }, true},
		{"order", func(a *Authority) {
			a.Principals[0], a.Principals[1] = a.Principals[1], a.Principals[0]
			a.Principals[1].Capabilities = []string{capabilities.ReviewConsumer, capabilities.ReviewImpact}
			a.Revocations[0], a.Revocations[1] = a.Revocations[1], a.Revocations[0]
		}, true},
		{"the comment of a key", func(a *Authority) { a.Principals[0].Keys = []string{fuzzKey + " desk"} }, true},
		{"the case of an address", func(a *Authority) { a.Principals[0].Emails[1] = "ann@other.example" }, true},
		{"how many attest", func(a *Authority) { a.Attesters = 2 }, true},
		{"an own capability", func(a *Authority) { a.Principals[0].Capabilities = []string{capabilities.ReviewConsumer} }, false},
		{"an own address", func(a *Authority) { a.Principals[0].Emails = nil }, false},
		{"an own key", func(a *Authority) { a.Principals[0].Keys = nil }, false},
		{"an own revocation", func(a *Authority) {
			a.Revocations = append(a.Revocations, Revocation{ID: "more", Principal: "ann@example.com", Capabilities: []string{capabilities.Analyze}})
		}, false},
		{"the issuer's revision", func(a *Authority) { a.Issuer.Revision++ }, false},
		{"the revoker's revision", func(a *Authority) { a.Revoker.Revision++ }, false},
	} {
		after, _ := granted(t, row.change)
		if (before == after) != row.same {
			t.Errorf("%s: %s and %s", row.name, before, after)
		}
	}
	if _, err := example(t, nil).Grant("ann@example.com", capabilities.Waive, asked); !fault.Is(err, "AUTHORITY.REVOKED") {
		t.Errorf("%v", err)
	}
	if _, err := Open().Grant("ann", capabilities.Waive, asked); !fault.Is(err, "AUTHORITY.CAPABILITY") {
		t.Errorf("%v", err)
	}
}

func granted(t *testing.T, change func(*Authority)) (string, identity.Record) {
	t.Helper()
	node, err := example(t, change).Grant("ann@example.com", capabilities.ReviewConsumer, asked)
	return built(t, node, err)
}

// Every field of the records is checked (seed 004, "Consumed trust authority"): closed objects, actions that fit their subjects,
// evidence in order and once by its key, whatever its digest.
func TestExamineRefuses(t *testing.T) {
	t.Parallel()
	all := vectors(t)
	grant, provider := all["a consumer-review by ann"].Value, all["a provider"].Value
	evidence := func(contract, version, id string) identity.Record {
		return identity.Record{"id": id, "digest": digest, "provider_contract": contract, "provider_contract_version": version}
	}
	other := evidence("c", "1", "a")
	other["digest"] = "sha256:" + strings.Repeat("1", 64)
	type edit = func(r identity.Record)
	set := func(key string, value any) edit { return func(r identity.Record) { r[key] = value } }
	for _, row := range []struct {
		name, value string
		codec       authority.Codec
		change      edit
		want        string // "" valid, "invalid" or "unsupported"
	}{
		{"as it is", grant, GrantCodec, func(identity.Record) {}, ""},
		{"a field more", grant, GrantCodec, set("expires", int64(1)), "invalid"},
		{"a field less", grant, GrantCodec, func(r identity.Record) { delete(r, "grant_id") }, "invalid"},
		{"an issuer that is no id", grant, GrantCodec, set("issuer_id", "a b"), "invalid"},
		{"a revision of zero", grant, GrantCodec, set("issuer_semantic_revision", int64(0)), "invalid"},
		{"a revision that is a text", grant, GrantCodec, set("revocation_authority_semantic_revision", "1"), "invalid"},
		{"a principal that is no id", grant, GrantCodec, set("principal_id", "ann@example.com"), "invalid"},
		{"no capability", grant, GrantCodec, set("capability", ""), "invalid"},
		{"an action of another subject", grant, GrantCodec, set("action", "impact-disposition"), "invalid"},
		{"an unknown action", grant, GrantCodec, set("action", "approve"), "invalid"},
		{"a subject of another action", grant, GrantCodec, set("subject", identity.Record{"kind": "impact-obligation", "id": aQuestion}), "invalid"},
		{"an unknown subject", grant, GrantCodec, set("subject", identity.Record{"kind": "obligation", "id": aQuestion}), "invalid"},
		{"a subject with more", grant, GrantCodec, set("subject", identity.Record{"kind": "consumer-obligation", "id": aQuestion, "x": nil}), "invalid"},
		{"an obligation that is no question", grant, GrantCodec, set("subject", identity.Record{"kind": "consumer-obligation", "id": "fact-requirement:" + digest}), "invalid"},
		{"another contract", grant, GrantCodec, set("authorization_contract", "authorization-grant.v2"), "unsupported"},
		{"a contract that is none", grant, GrantCodec, set("authorization_contract", "v 2"), "invalid"},
		{"another contract of revocation", grant, GrantCodec, set("revocation_contract", "authorization-revocation.v2"), "unsupported"},
		{"revoked", grant, GrantCodec, set("revocation_state", "revoked"), "unsupported"},
		{"denied", grant, GrantCodec, set("decision", "deny"), "unsupported"},
		{"no evidence", grant, GrantCodec, set("authorization_evidence", identity.List{}), "invalid"},
		{"evidence that is none", grant, GrantCodec, set("revocation_evidence", identity.List{"x"}), "invalid"},
		{"evidence in order", grant, GrantCodec, set("revocation_evidence", identity.List{evidence("b", "1", "z"), evidence("c", "1", "a"), evidence("c", "10", "A"), evidence("c", "2", "a")}), ""},
		{"evidence out of order", grant, GrantCodec, set("revocation_evidence", identity.List{evidence("c", "2", "a"), evidence("c", "1", "a")}), "invalid"},
		{"evidence twice, agreeing", grant, GrantCodec, set("revocation_evidence", identity.List{evidence("c", "1", "a"), evidence("c", "1", "a")}), "invalid"},
		{"evidence twice, conflicting", grant, GrantCodec, set("revocation_evidence", identity.List{evidence("c", "1", "a"), other}), "invalid"},
		{"evidence without a digest", grant, GrantCodec, set("revocation_evidence", identity.List{func() identity.Record {
			r := evidence("c", "1", "a")
			r["digest"] = "sha256:00"
			return r
		}()}), "invalid"},
		{"evidence of no version", grant, GrantCodec, set("revocation_evidence", identity.List{evidence("c", "", "a")}), "invalid"},
		{"a provider", provider, ProviderCodec, func(identity.Record) {}, ""},
		{"a provider of nothing", provider, ProviderCodec, set("inputs", identity.List{}), ""},
		{"a provider that is no id", provider, ProviderCodec, set("provider_id", "ci ui"), "invalid"},
		{"a provider of no revision", provider, ProviderCodec, set("semantic_revision", int64(0)), "invalid"},
		{"inputs in another order", provider, ProviderCodec, func(r identity.Record) {
			list := r["inputs"].(identity.List)
			r["inputs"] = identity.List{list[1], list[0]}
		}, "invalid"},
		{"an input twice", provider, ProviderCodec, func(r identity.Record) {
			list := r["inputs"].(identity.List)
			r["inputs"] = identity.List{list[0], list[0]}
		}, "invalid"},
		{"an input of another role", provider, ProviderCodec, func(r identity.Record) {
			input := maps.Clone(r["inputs"].(identity.List)[0].(identity.Record))
			input["role"] = "observation"
			r["inputs"] = identity.List{input}
		}, "invalid"},
		{"an input of no side", provider, ProviderCodec, func(r identity.Record) {
			input := maps.Clone(r["inputs"].(identity.List)[0].(identity.Record))
			input["side"] = "both"
			r["inputs"] = identity.List{input}
		}, "invalid"},
	} {
		record := decoded(t, string(mustCompact(t, row.value)))
		row.change(record)
		_, err := row.codec.Seal(record)
		got := ""
		if err != nil {
			got = "invalid"
		}
		if f := fault.As(err); f != nil {
			got = string(f.Outcome)
		}
		if got != row.want {
			t.Errorf("%s: %q %v", row.name, got, err)
		}
	}
	if references := mustSeal(t, ProviderCodec, provider).Dependencies; len(references) != 2 || references[0].Kind != "content-snapshot" {
		t.Errorf("%v", references)
	}
	if references := mustSeal(t, GrantCodec, grant).Dependencies; len(references) != 0 {
		t.Errorf("%v", references)
	}
}

func mustSeal(t *testing.T, codec authority.Codec, text string) authority.Envelope {
	t.Helper()
	sealed, err := codec.Seal(decoded(t, string(mustCompact(t, text))))
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

// mustCompact gives JSON in any spelling its canonical one: json sorts keys, and the vectors are ASCII.
func mustCompact(t *testing.T, text string) []byte {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Of two things that are wrong in a record one may be unsupported and the other invalid: the outcome is the same each time.
func TestWhatIsWrongIsSaidInOneOrder(t *testing.T) {
	t.Parallel()
	fields := map[string]func(any) error{"contract": exactly("this.v1"), "revision": positive, "name": nonempty}
	for range 50 {
		_, err := closed(identity.Record{"contract": "this.v2", "revision": int64(0), "name": ""}, "it", fields)
		if fault.As(err) == nil || !fault.Is(err, "TRUST.CONTRACT") {
			t.Fatal(err)
		}
	}
}
