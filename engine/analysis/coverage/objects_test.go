package coverage

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/identity"
)

type vector struct{ Name, Kind, Domain, Value, ID string }

// payloads is the values of the vectors, which scripts/identity_vectors.py hashed, by name.
func payloads(t *testing.T) (map[string]identity.Record, map[string]vector) {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []vector
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	values, vectors := map[string]identity.Record{}, map[string]vector{}
	for _, v := range list {
		var value any
		if err := json.Unmarshal([]byte(v.Value), &value); err != nil {
			t.Fatal(err)
		}
		values[v.Name], vectors[v.Name] = integers(value).(identity.Record), v
	}
	return values, vectors
}

// integers turns what encoding/json reads into identity values; the vectors hold no integer beyond a float64.
func integers(value any) any {
	switch v := value.(type) {
	case float64:
		return int64(v)
	case []any:
		for i := range v {
			v[i] = integers(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = integers(v[key])
		}
	}
	return value
}

func TestVectorsAreAdmittedAndHashToTheirIDs(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../../doc/coverage.md")
	if err != nil {
		t.Fatal(err)
	}
	codecs, kinds := authority.Compose(Codecs()), map[string]bool{}
	values, vectors := payloads(t)
	for name, v := range vectors {
		codec, known := codecs.Find(v.Kind)
		if !known || codec.Domain != v.Domain {
			t.Fatalf("%s: no codec for %s in %s", name, v.Kind, v.Domain)
		}
		kinds[v.Kind] = true
		if sealed, err := codec.Seal(values[name]); err != nil || sealed.ID != v.ID {
			t.Errorf("%s: sealed as %s, %v; want %s", name, sealed.ID, err, v.ID)
		}
		if !strings.Contains(string(doc), v.ID) {
			t.Errorf("doc/coverage.md does not give %s", v.ID)
		}
	}
	if len(kinds) != len(Codecs()) {
		t.Errorf("vectors of %d kinds of %d", len(kinds), len(Codecs()))
	}
}

// What an object depends on is the seed's table, and nothing else.
func TestDependencies(t *testing.T) {
	t.Parallel()
	values, vectors := payloads(t)
	for name, want := range map[string][]string{
		"view":                   {"canonical-standards-corpus", "compiled-policy-impact", "coverage-horizon", "standards-graph"},
		"view-unit-removed":      {"canonical-standards-corpus", "compiled-policy-impact", "coverage-horizon", "standards-graph"},
		"requirement":            {"coverage-view"},
		"attestation":            {"authorization-grant", "coverage-requirement"},
		"attestation-signed":     {"authorization-grant", "coverage-requirement"},
		"attestation-of-nothing": {"authorization-grant", "coverage-requirement"},
		"certificate":            {"coverage-attestation", "coverage-attestation", "coverage-requirement", "coverage-view"},
		"directory":              {"horizon-directory"},
		"directory-empty":        {},
	} {
		codec, _ := authority.Compose(Codecs()).Find(vectors[name].Kind)
		sealed, err := codec.Seal(values[name])
		if err != nil {
			t.Fatal(name, err)
		}
		kinds := []string{}
		for _, d := range sealed.Dependencies {
			kinds = append(kinds, d.Kind)
		}
		if !slices.Equal(kinds, want) {
			t.Errorf("%s depends on %q", name, kinds)
		}
	}
}

func TestDamagedObjectsAreRefused(t *testing.T) {
	t.Parallel()
	values, vectors := payloads(t)
	member := func(path, blob string) any { return identity.Record{"path": path, "blob": blob} }
	file := func(name string) any { return identity.Record{"name": name, "blob": sha1OfA} }
	folder := func(name, id string) any { return identity.Record{"name": name, "id": id} }
	a, b := "coverage-attestation:sha256:"+strings.Repeat("a", 64), "coverage-attestation:sha256:"+strings.Repeat("b", 64)
	directory := "horizon-directory:sha256:" + strings.Repeat("c", 64)
	rows := []struct {
		name, key string
		value     any
	}{
		{"view", "graph", values["view"]["coverage"]}, {"view", "metadata", "x"}, {"view", "unit", ""}, {"view", "revision", int64(0)}, {"view", "revision", "2"},
		{"view", "relations", "x"}, {"view", "structure", "x"}, {"view", "members", identity.List{}},
		{"requirement", "view", b}, {"requirement", "attesters", int64(0)}, {"requirement", "attesters", "1"}, {"requirement", "owner", ""}, {"requirement", "members", nil},
		{"attestation", "grant", b}, {"attestation", "requirement", a}, {"attestation", "conclusion", "partly"}, {"attestation", "principal", ""}, {"attestation", "rationale", nil},
		{"attestation", "key", ""}, {"attestation", "key", int64(1)}, {"attestation", "evidence", nil}, {"attestation", "evidence", identity.List{"x"}},
		{"attestation", "evidence", identity.List{"sha256:" + strings.Repeat("2", 64), "sha256:" + strings.Repeat("1", 64)}},
		{"attestation", "members", nil}, {"attestation", "members", identity.List{"a"}}, {"attestation", "members", identity.List{member("../a", sha1OfA)}},
		{"attestation", "members", identity.List{member("a", "sha1:x")}}, {"attestation", "members", identity.List{member("a", sha1OfA), member("a", sha1OfA)}},
		{"attestation", "members", identity.List{member("b", sha1OfA), member("a", sha1OfA)}},
		{"attestation", "members", identity.List{member("a.go", sha1OfA), member("a/b", sha1OfA)}}, // a folder comes before what follows its name
		{"certificate", "attestations", identity.List{}}, {"certificate", "attestations", nil}, {"certificate", "attestations", identity.List{b, a}},
		{"certificate", "attestations", identity.List{a, a}}, {"certificate", "attestations", identity.List{directory}}, {"certificate", "view", a}, {"certificate", "more", nil},
		{"directory", "files", nil}, {"directory", "files", identity.List{file("b"), file("a")}}, {"directory", "files", identity.List{file("a"), file("a")}},
		{"directory", "files", identity.List{file("a/b")}}, {"directory", "files", identity.List{file("")}}, {"directory", "files", identity.List{file("..")}},
		{"directory", "files", identity.List{identity.Record{"name": "a", "blob": "x"}}}, {"directory", "folders", identity.List{folder("a", a)}},
		{"directory", "folders", identity.List{folder("b", directory), folder("a", directory)}}, {"directory", "folders", nil}, {"directory", "more", nil},
	}
	for name := range values {
		for key := range values[name] {
			rows = append(rows, struct {
				name, key string
				value     any
			}{name, key, missing{}})
		}
	}
	for _, row := range rows {
		changed := maps.Clone(values[row.name])
		if changed[row.key] = row.value; row.value == (missing{}) {
			delete(changed, row.key)
		}
		codec, _ := authority.Compose(Codecs()).Find(vectors[row.name].Kind)
		if _, err := codec.Seal(changed); err == nil {
			t.Errorf("%s with %q %v is admitted", row.name, row.key, row.value)
		}
	}
}

type missing struct{}

// stand is an object that only has an id.
func stand(kind, digit string) authority.Node {
	return authority.Node{Reference: authority.Reference{Kind: kind, ID: kind + ":sha256:" + strings.Repeat(digit, 64)}}
}

// The chain of objects is the one of the vectors, and nothing of a member reaches a view or requirement (RULES D2).
func TestTheChainIsThatOfTheVectors(t *testing.T) {
	t.Parallel()
	_, vectors := payloads(t)
	values, _ := payloads(t)
	record := question.CoverageRecord("api.errors", nil, authored.Relations())
	record["revision"], record["structure"] = values["view"]["revision"], values["view"]["structure"]
	q := question.Stored("", record)
	q.Module = "topic.api"
	view, err := View(q, Grounds{
		Metadata: stand("canonical-standards-corpus", "2"), PolicyImpact: stand("compiled-policy-impact", "3"),
		Graph: stand("standards-graph", "4"), Horizon: stand("coverage-horizon", "5"),
	})
	if err != nil || view.ID != vectors["view"].ID {
		t.Fatalf("%s %v", view.ID, err)
	}
	requirement, err := Requirement(q, stand("coverage-view", "6"), 2)
	if err != nil || requirement.ID != vectors["requirement"].ID {
		t.Fatalf("%s %v", requirement.ID, err)
	}
	given := stand("coverage-requirement", "7")
	claim := Claim{Attestation: Attestation{Principal: "ann@example.com"}, Rationale: "read them all"}
	claim.Members = []decisionfile.Member{{Path: "src/a.go", Blob: sha1OfA}, {Path: "src/a/b.go", Blob: sha1OfA}, {Path: "src/a.go", Blob: sha1OfA}}
	attestation, err := claim.Node(given, stand("authorization-grant", "8"))
	if err != nil || attestation.ID != vectors["attestation"].ID {
		t.Fatalf("%s %v", attestation.ID, err)
	}
	a, b := stand("coverage-attestation", "a"), stand("coverage-attestation", "b")
	certificate, err := Certificate(stand("coverage-view", "6"), given, []authority.Node{b, a, b})
	if err != nil || certificate.ID != vectors["certificate"].ID {
		t.Fatalf("%s %v", certificate.ID, err)
	}
}

// A directory holds exactly the members below it, and a change of one member makes a chain of new directories: the rest is the same
// objects.
func TestDirectoriesAreMerkle(t *testing.T) {
	t.Parallel()
	component := rapid.StringMatching(`[ab.-]{1,2}x`)
	rapid.Check(t, func(t *rapid.T) {
		files := map[string]string{}
		for _, path := range rapid.SliceOf(rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(component, 1, 4).Draw(t, "components"), "/")
		})).Draw(t, "paths") {
			clash := slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(other string) bool {
				return strings.HasPrefix(other, path+"/") || strings.HasPrefix(path, other+"/")
			})
			if !clash {
				files[path] = blob(rapid.IntRange(0, 9).Draw(t, "bytes"))
			}
		}
		members := membersOf(files)
		root, err := Directory(members)
		if err != nil {
			t.Fatal(err)
		}
		found, objects := map[string]string{}, map[string]bool{}
		walk(t, root, "", found, objects)
		if !maps.Equal(found, files) {
			t.Fatalf("%v holds %v", files, found)
		}
		if len(members) == 0 {
			return
		}
		changed := rapid.SampledFrom(members).Draw(t, "changed")
		files[changed.Path] = blob(10)
		root, err = Directory(membersOf(files))
		if err != nil {
			t.Fatal(err)
		}
		after := map[string]bool{}
		walk(t, root, "", map[string]string{}, after)
		fresh := 0
		for id := range after {
			if !objects[id] {
				fresh++
			}
		}
		if depth := 1 + strings.Count(changed.Path, "/"); fresh != depth {
			t.Fatalf("a change %d deep makes %d new objects", depth, fresh)
		}
	})
}

func membersOf(files map[string]string) (members []decisionfile.Member) {
	for _, path := range slices.SortedFunc(maps.Keys(files), content.ComparePaths) {
		members = append(members, decisionfile.Member{Path: path, Blob: files[path]})
	}
	return members
}

// walk collects what stands in a directory and below.
func walk(t *rapid.T, node authority.Node, under string, files map[string]string, objects map[string]bool) {
	objects[node.ID] = true
	value, err := node.Payload()
	if err != nil {
		t.Fatal(err)
	}
	payload := value.(identity.Record)
	if sealed, err := DirectoryCodec.Seal(payload); err != nil || sealed.ID != node.ID {
		t.Fatalf("%s seals as %s: %v", node.ID, sealed.ID, err)
	}
	for _, item := range payload["files"].(identity.List) {
		file := item.(identity.Record)
		files[under+file["name"].(string)] = file["blob"].(string)
	}
	for _, item := range payload["folders"].(identity.List) {
		folder := item.(identity.Record)
		at := slices.IndexFunc(node.Parts, func(part authority.Node) bool { return part.ID == folder["id"] })
		walk(t, node.Parts[at], under+folder["name"].(string)+"/", files, objects)
	}
}
