package operation_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/authority/authoritytest"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/operation"
)

var ctx = context.Background()

// thing is an object of any kind in these tests: a label and what it rests on. Its record leaves out what it rests on where the label
// begins with "loose", which no owner's codec does and which alone makes a cycle possible.
func thing(kind string) authority.Codec {
	return authority.Codec{Kind: kind, Domain: "git-standards:test:v1", PayloadContract: kind + ".v1",
		Examine: func(payload any) (any, []authority.Reference, error) {
			fields, err := authority.Closed(payload, "label", "on")
			if err != nil {
				return nil, nil, err
			}
			var references []authority.Reference
			for _, item := range fields["on"].(identity.List) {
				row := item.(identity.Record)
				references = append(references, authority.Reference{Kind: row["kind"].(string), ID: row["id"].(string)})
			}
			if label, _ := fields["label"].(string); strings.HasPrefix(label, "loose") {
				return label, references, nil
			}
			return payload, references, nil
		}}
}

func node(t testing.TB, kind, label string, on ...authority.Node) authority.Node {
	t.Helper()
	list := identity.List{}
	for _, part := range on {
		list = append(list, identity.Record{"kind": part.Kind, "id": part.ID})
	}
	n, err := thing(kind).Node(identity.Record{"label": label, "on": list}, on...)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func codecs() authority.Codecs {
	sets := [][]authority.Codec{operation.Codecs(), authority.CodecSet()}
	for _, kind := range []string{"leaf", "canonical-standards-corpus", "standards-graph", "compiled-policy-impact", "coverage-horizon",
		"analysis-context", "authorization-grant", "routing-projection"} {
		sets = append(sets, []authority.Codec{thing(kind)})
	}
	return authority.Compose(sets...)
}

// memory is a store in a map.
type memory map[string][]byte

func (m memory) Put(_ context.Context, nodes ...authority.Node) error {
	return authoritytest.Memory(m).Store(codecs(), nodes...)
}

func (m memory) Get(ctx context.Context, id string) ([]byte, error) {
	return authoritytest.Memory(m).Get(ctx, id)
}

func (m memory) Find(ctx context.Context, prefix string, limit int) ([]string, error) {
	return authoritytest.Memory(m).Find(ctx, prefix, limit)
}

// side is one side of an analysis in the shape of the role table.
func side(t testing.TB, name, label string) []authority.RootNode {
	corpus := node(t, "canonical-standards-corpus", label, node(t, "leaf", label))
	impact := node(t, "compiled-policy-impact", "", corpus)
	graph := node(t, "standards-graph", "", corpus, impact)
	return []authority.RootNode{
		{Side: name, Role: "metadata", Node: corpus}, {Side: name, Role: "policy-impact", Node: impact},
		{Side: name, Role: "graph", Node: graph}, {Side: name, Role: "coverage", Node: node(t, "coverage-horizon", "", corpus, impact, graph)},
	}
}

func analysis(t testing.TB, accepted, proposed string) []authority.RootNode {
	a, p := side(t, "accepted", accepted), side(t, "proposed", proposed)
	context := authority.RootNode{Side: "transition", Role: "context", Node: node(t, "analysis-context", "", a[0].Node, p[0].Node)}
	return append(append(a, p...), context)
}

// The seed's table, row by row.
func TestContractsAreTheSeedsTable(t *testing.T) {
	t.Parallel()
	type pairs map[string]string
	navigation := pairs{"metadata": "canonical-standards-corpus", "graph": "standards-graph"}
	for _, row := range []struct {
		operation         string
		required, dynamic pairs
	}{
		{"route", pairs{"metadata": "canonical-standards-corpus", "routing": "routing-projection", "graph": "standards-graph"}, pairs{}},
		{"read", navigation, pairs{}},
		{"related", navigation, pairs{}},
		{"analysis", pairs{"metadata": "canonical-standards-corpus", "graph": "standards-graph", "policy-impact": "compiled-policy-impact", "coverage": "coverage-horizon"},
			pairs{"context": "analysis-context", "requirement": "fact-requirement", "observation": "fact-observation", "coverage-view": "coverage-view",
				"coverage-requirement": "coverage-requirement", "coverage-attestation": "coverage-attestation", "coverage-certificate": "coverage-certificate",
				"provider-authority": "provider-authority", "authorization-grant": "authorization-grant"}},
	} {
		c, ok := operation.Find(row.operation, 2)
		if !ok {
			t.Fatalf("no contract %s 2", row.operation)
		}
		got := func(roles []operation.Role) pairs {
			p := pairs{}
			for _, r := range roles {
				p[r.Name] = r.Kind
				if want := r.Name == "context" || row.required[r.Name] != ""; (r.Cardinality == "1..1") != want {
					t.Errorf("%s: the cardinality of %s is %s", row.operation, r.Name, r.Cardinality)
				}
			}
			return p
		}
		if !maps.Equal(got(c.Required), row.required) || !maps.Equal(got(c.Dynamic), row.dynamic) {
			t.Errorf("%s: %+v", row.operation, c)
		}
	}
	if n := len(operation.Contracts()); n != 4 {
		t.Errorf("%d contracts", n)
	}
}

func TestCoherence(t *testing.T) {
	t.Parallel()
	contract, _ := operation.Find("analysis", 2)
	whole := analysis(t, "one", "two")
	grant := node(t, "authorization-grant", "")
	change := func(i int, edit func(*authority.RootNode)) []authority.RootNode {
		roots := slices.Clone(whole)
		edit(&roots[i])
		return roots
	}
	for _, row := range []struct {
		name, code string
		roots      []authority.RootNode
	}{
		{"whole", "", whole},
		{"with two grants", "", append(slices.Clone(whole), authority.RootNode{Side: "proposed", Role: "authorization-grant", Node: grant},
			authority.RootNode{Side: "proposed", Role: "authorization-grant", Node: node(t, "authorization-grant", "other")})},
		{"a required role absent", "OPERATION.ROLE_MISSING", whole[1:]},
		{"the context absent", "OPERATION.ROLE_MISSING", whole[:8]},
		{"a wrong kind", "OPERATION.ROLE_KIND", change(1, func(r *authority.RootNode) { r.Node = grant })},
		{"an unknown role", "OPERATION.ROLE_UNKNOWN", change(1, func(r *authority.RootNode) { r.Role = "decision" })},
		{"routing, which analysis never loads", "OPERATION.ROLE_UNKNOWN",
			append(slices.Clone(whole), authority.RootNode{Side: "proposed", Role: "routing", Node: node(t, "routing-projection", "")})},
		{"a wrong side", "OPERATION.ROLE_SIDE", change(0, func(r *authority.RootNode) { r.Side = "current" })},
		{"a grant of the accepted side", "OPERATION.ROLE_SIDE", append(slices.Clone(whole), authority.RootNode{Side: "accepted", Role: "authorization-grant", Node: grant})},
		{"a role twice", "OPERATION.ROLE_REPEATED", append(slices.Clone(whole), authority.RootNode{Side: "proposed", Role: "metadata", Node: node(t, "canonical-standards-corpus", "third")})},
		{"the other side's graph", "OPERATION.SIDES_MIXED", change(2, func(r *authority.RootNode) { r.Node = whole[6].Node })},
	} {
		if _, err := contract.Close(row.roots...); !fault.Is(err, row.code) && !(row.code == "" && err == nil) {
			t.Errorf("%s: %v", row.name, err)
		} else if f := fault.As(err); f != nil && f.Outcome != fault.Invalid {
			t.Errorf("%s is %s", row.name, f.Outcome)
		}
	}
}

func TestVerifyProvesAStoredClosure(t *testing.T) {
	t.Parallel()
	contract, _ := operation.Find("analysis", 2)
	closure, err := contract.Close(analysis(t, "one", "two")...)
	if err != nil {
		t.Fatal(err)
	}
	store := memory{}
	if err := store.Put(ctx, closure); err != nil {
		t.Fatal(err)
	}
	reached, err := operation.Verify(ctx, store, codecs(), closure.ID)
	if err != nil || len(reached) != 12 { // two sides of five, a context, a contract
		t.Fatal(len(reached), err)
	}
	want := func(what, code string, outcome fault.Outcome, s memory, id string) {
		t.Helper()
		if _, err := operation.Verify(ctx, s, codecs(), id); fault.As(err) == nil || fault.As(err).Code != code || fault.As(err).Outcome != outcome {
			t.Errorf("%s: %v", what, err)
		}
	}
	for at := range reached {
		less := maps.Clone(store)
		delete(less, at.ID)
		want("without "+at.ID, "CLOSURE.MISSING", fault.Unavailable, less, closure.ID)
	}
	want("an unknown closure", "CLOSURE.MISSING", fault.Unavailable, memory{}, closure.ID)

	forge := func(edit func(identity.Record)) (memory, string) {
		payload, _ := closure.Payload()
		other := maps.Clone(payload.(identity.Record))
		edit(other)
		sealed, err := authority.ClosureCodec.Seal(other)
		if err != nil {
			t.Fatal(err)
		}
		more := maps.Clone(store)
		more[sealed.ID], _ = sealed.Encode()
		return more, sealed.ID
	}
	s, id := forge(func(r identity.Record) { r["derived"] = "derived-set:sha256:" + strings.Repeat("0", 64) })
	want("another derived set", "CLOSURE.CHANGED", fault.Invalid, s, id)
	s, id = forge(func(r identity.Record) {
		roots := slices.Clone(r["roots"].(identity.List))
		row := maps.Clone(roots[0].(identity.Record))
		row["object_kind"] = "another-kind"
		roots[0] = row
		r["roots"] = roots
	})
	want("a root of another kind", "CLOSURE.KIND", fault.Invalid, s, id)

	// Another promise under a known key, and a key of another build.
	for _, row := range []struct {
		edit    func(*operation.Contract)
		code    string
		outcome fault.Outcome
	}{
		{func(c *operation.Contract) { c.Dynamic = c.Dynamic[:3] }, "OPERATION.CONTRACT", fault.Invalid},
		{func(c *operation.Contract) { c.Revision = 3 }, "OPERATION.UNSUPPORTED", fault.Unsupported},
		{func(c *operation.Contract) { c.Operation = "audit" }, "OPERATION.UNSUPPORTED", fault.Unsupported},
	} {
		other := contract
		row.edit(&other)
		closure, err := other.Close(analysis(t, "one", "two")...)
		if err != nil {
			t.Fatal(err)
		}
		s := memory{}
		if err := s.Put(ctx, closure); err != nil {
			t.Fatal(err)
		}
		want(row.code, row.code, row.outcome, s, closure.ID)
	}
	roots := analysis(t, "one", "two")
	nodes := make([]authority.Node, len(roots))
	for i, root := range roots {
		nodes[i] = root.Node
	}
	bare, err := authority.NewClosure(authority.Reach(nodes...), roots...)
	if err != nil {
		t.Fatal(err)
	}
	s = memory{}
	if err := s.Put(ctx, bare); err != nil {
		t.Fatal(err)
	}
	want("no contract", "OPERATION.CONTRACT", fault.Invalid, s, bare.ID)
}

// Only a codec that leaves dependencies out of its record could make a cycle; the walk ends all the same.
func TestACycleIsFound(t *testing.T) {
	t.Parallel()
	a, _ := thing("leaf").ID("loose a")
	b, _ := thing("leaf").ID("loose b")
	s := memory{}
	for id, pair := range map[string][2]string{a: {"loose a", b}, b: {"loose b", a}} {
		sealed, err := thing("leaf").Seal(identity.Record{"label": pair[0], "on": identity.List{identity.Record{"kind": "leaf", "id": pair[1]}}})
		if err != nil || sealed.ID != id {
			t.Fatal(sealed.ID, err)
		}
		s[id], _ = sealed.Encode()
	}
	if _, err := authority.ReachStored(ctx, s, codecs(), authority.Reference{Kind: "leaf", ID: a}); !fault.Is(err, "CLOSURE.CYCLE") {
		t.Error(err)
	}
}

// Order never changes an id; any reachable object does, and an unreachable one does not.
func TestAClosureBindsWhatIsReachable(t *testing.T) {
	t.Parallel()
	contract, _ := operation.Find("analysis", 2)
	rapid.Check(t, func(r *rapid.T) {
		label := rapid.StringMatching(`[a-c]{1,2}`)
		x, y := label.Draw(r, "accepted"), label.Draw(r, "proposed")
		u, v := label.Draw(r, "other accepted"), label.Draw(r, "other proposed")
		one, err := contract.Close(analysis(t, x, y)...)
		if err != nil {
			r.Fatal(err)
		}
		shuffled := rapid.Permutation(analysis(t, x, y)).Draw(r, "order")
		again, err := contract.Close(shuffled...)
		if err != nil || again.ID != one.ID {
			r.Fatalf("%s, in another order %s: %v", one.ID, again.ID, err)
		}
		other, err := contract.Close(analysis(t, u, v)...)
		if err != nil || (other.ID == one.ID) != (x == u && y == v) {
			r.Fatalf("%q %q and %q %q: %v", x, y, u, v, err)
		}
		store := memory{}
		if err := store.Put(ctx, other, one); err != nil {
			r.Fatal(err)
		}
		stored, err := operation.Verify(ctx, store, codecs(), one.ID)
		if err != nil {
			r.Fatal(err)
		}
		inMemory := authority.Reach(one.Parts...)
		if !slices.Equal(stored.References(), inMemory.References()) {
			r.Fatal("memory and store derive different sets")
		}
	})
}
