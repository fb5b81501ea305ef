package observe

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/corpus/records"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/wire"
)

var contract = facts.Contract{ID: "ui.kinds", Revision: 2, Type: facts.TypeEnumSet, Nullable: true, Values: []string{"api", "ui"}, Context: facts.ContextChange, Capability: facts.Capability}

// about is a question over inputs as they stand in files, written by hand from doc/questions.md.
func about(t *testing.T, c facts.Contract, files contenttest.Files, names ...string) *question.Question {
	t.Helper()
	inputs := identity.List{}
	for _, name := range names {
		inputs = append(inputs, identity.Record{"path": name, "bytes": identity.Bytes([]byte(files[name]))})
	}
	record := identity.Record{"recipe": "q1", "kind": "fact", "fact": c.ID, "contract": c.Digest(), "inputs": inputs, "units": identity.List{"api.errors", "api.names"}}
	id, err := question.ID(record)
	if err != nil {
		t.Fatal(err)
	}
	q := question.Stored(id, record)
	q.Contract = &c
	return q
}

func inside(name string) bool { return strings.HasPrefix(name, "/repo/") }

func prepare(t *testing.T, files contenttest.Files, inputs []string, command ...string) (*Task, error) {
	t.Helper()
	q := about(t, contract, files, "scripts/ui.sh", "src/a.go")
	return Prepare(t.Context(), q, authored.Fact{ID: contract.ID, Inputs: inputs}, authored.Provider{ID: "ci.ui", Revision: 1, Command: command, TimeLimit: 60},
		files.Tree(), inside)
}

var files = contenttest.Files{
	"scripts/ui.sh": "#!/bin/sh\n", "src/a.go": "package a\n", "src/b.go": "package b\n", "conf/x.yaml": "x", "docs/link.md": contenttest.Symlink,
	"vendor": contenttest.Gitlink, "Makefile": "all:\n",
}

// A provider is given the files that the question is bound to and no other, and is told so.
func TestPrepare(t *testing.T) {
	t.Parallel()
	task, err := prepare(t, files, []string{"scripts/ui.sh", "src/a.go"}, "./scripts/ui.sh", "--json")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]byte{"scripts/ui.sh": []byte("#!/bin/sh\n"), "src/a.go": []byte("package a\n")}
	if diff := cmp.Diff(want, task.Inputs); diff != "" {
		t.Error(diff)
	}
	snapshot, err := content.NewSnapshot(want)
	if err != nil || task.Snapshot == nil || task.Snapshot.ID != snapshot.ID {
		t.Errorf("%v %v", task.Snapshot, err)
	}
	request, err := task.Request()
	if err != nil {
		t.Fatal(err)
	}
	// sha256sum gives these.
	said := `{"schema_version":1,"fact":"ui.kinds","contract":"` + contract.Digest() + `","type":"enum-set","values":["api","ui"],` +
		`"inputs":[{"path":"scripts/ui.sh","sha256":"sha256:a8076d3d28d21e02012b20eaf7dbf75409a6277134439025f282e368e3305abf"},` +
		`{"path":"src/a.go","sha256":"sha256:7b39baa38a2ec2b8d111bbbd8e448e80226477ab40105d9d2123d4dc18067438"}],"units":["api.errors","api.names"]}` + "\n"
	if diff := cmp.Diff(said, string(request)); diff != "" {
		t.Error(diff)
	}
	none, err := Prepare(t.Context(), about(t, contract, files), authored.Fact{ID: contract.ID}, authored.Provider{ID: "ci.ui", Command: []string{"date"}}, files.Tree(), inside)
	if err != nil || none.Snapshot != nil || len(none.Inputs) > 0 {
		t.Errorf("%+v %v", none, err)
	}
}

// What cannot be read as the question was asked about it is not guessed.
func TestInputsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	q := about(t, contract, files, "scripts/ui.sh", "src/a.go")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, row := range []struct {
		name string
		ctx  context.Context
		side content.Source
	}{
		{"gone", t.Context(), files.With(contenttest.Files{"src/a.go": ""}).Tree()},
		{"changed", t.Context(), files.With(contenttest.Files{"src/a.go": "package c\n"}).Tree()},
		{"a link by now", t.Context(), files.With(contenttest.Files{"src/a.go": contenttest.Symlink}).Tree()},
		{"an object that is missing", t.Context(), broken{files.Tree(), fault.New(fault.Unavailable, "OBJECT.MISSING", "", "the object is missing")}},
		{"interrupted", ended, broken{files.Tree(), context.Canceled}},
	} {
		_, err := Prepare(row.ctx, q, authored.Fact{ID: contract.ID}, authored.Provider{ID: "ci.ui", Command: []string{"date"}}, row.side, inside)
		if row.ctx.Err() != nil {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", row.name, err)
			}
			continue
		}
		f := fault.As(err)
		if f == nil || f.Code != "PROVIDER.INPUT_UNRESOLVED" || f.Outcome != fault.Unavailable || f.Target != contract.ID || !strings.Contains(f.Message, `"src/a.go"`) && row.name != "an object that is missing" {
			t.Errorf("%s: %v", row.name, err)
		}
	}
}

type broken struct {
	content.Source
	err error
}

func (b broken) Read(context.Context, ...content.Entry) ([][]byte, error) { return nil, b.err }

// What a declaration says of itself to rest on more than the declared inputs is refused before anything runs.
func TestAmbientInputs(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		command string
		inputs  string
		says    string // "" is fine
	}{
		{"scripts/ui.sh --json", "", ""},
		{"./scripts/ui.sh ./src/a.go", "", ""},
		{"sh -x scripts/ui.sh src", "", ""}, // a folder holds what was declared of it
		{"python3 /usr/share/tool.py /repository/x", "", ""},
		{"grep -q a=b --file=src/a.go", "src/*.go", ""},
		{"nothing/of/that/name .. ...", "", `".."`},
		{"scripts/other.sh", "", ""}, // no such file: the run says so
		{"make all", "", ""},
		{"src/b.go", "", `"src/b.go"`},
		{"./src/b.go", "", `"./src/b.go"`},
		{"make Makefile", "", `"Makefile"`},
		{"lint --config=conf/x.yaml", "", `"conf/x.yaml"`},
		{"lint --config conf/x.yaml", "", `"conf/x.yaml"`},
		{"cat docs/link.md", "", `"docs/link.md"`},
		{"cat ../x", "", `"../x"`},
		{"cat src/../../x", "", `"src/../../x"`},
		{"cat /repo/src/b.go", "", `"/repo/src/b.go"`},
		{"cat --all=/repo/src/../src/b.go", "", `"/repo/src/../src/b.go"`},
		{"cat", "docs/link.md", `"docs/link.md"`},
		{"cat", "vendor", `"vendor"`},
		{"cat", "docs/*.md", ""}, // a pattern that also matches a link passes it over
		{"cat", "docs/gone.md", ""},
	} {
		_, err := prepare(t, files, strings.Fields(row.inputs), strings.Fields(row.command)...)
		f := fault.As(err)
		switch {
		case row.says == "" && err != nil:
			t.Errorf("%s: %v", row.command, err)
		case row.says != "" && (f == nil || f.Code != "PROVIDER.INPUT_AMBIENT" || f.Outcome != fault.Invalid || f.Target != contract.ID || !strings.Contains(f.Message, row.says) || len(f.Next) != 1):
			t.Errorf("%s: %v", row.command, err)
		}
	}
}

// A decision says exactly what was claimed, by which command, over what, and what was printed.
func TestSubmitted(t *testing.T) {
	t.Parallel()
	task, err := prepare(t, files, nil, "scripts/ui.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		claimed string
		value   any
		result  string
		agrees  []*decisionfile.Decision
		differs []*decisionfile.Decision
	}{
		{`["ui"]`, identity.List{"ui"}, "", []*decisionfile.Decision{{Value: identity.List{"ui"}}},
			[]*decisionfile.Decision{{Value: identity.List{}}, {Value: "ui"}, {Result: "absent"}, {Result: "waiver"}}},
		{`null`, nil, "absent", []*decisionfile.Decision{{Result: "absent"}}, []*decisionfile.Decision{{Value: identity.List{}}, {Result: "waiver"}, {}}},
	} {
		claim, err := task.Read(wire.ProviderClaim{Result: "claim", Value: json.RawMessage(row.claimed)}, []byte(row.claimed+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		s := task.Submitted(claim)
		want := decisionfile.Observation{
			ID: "ci.ui", Definition: records.ProviderDefinition(task.Provider), Inputs: task.Snapshot.ID, Evidence: identity.Bytes([]byte(row.claimed + "\n")),
		}
		if s.Provider == nil || *s.Provider != want || !cmp.Equal(s.Value, row.value) || s.Result != row.result || s.Question != task.Question {
			t.Errorf("%+v", s)
		}
		for _, d := range row.agrees {
			if !claim.Agrees(d) {
				t.Errorf("%s does not agree with %+v", row.claimed, d)
			}
		}
		for _, d := range row.differs {
			if claim.Agrees(d) {
				t.Errorf("%s agrees with %+v", row.claimed, d)
			}
		}
	}
	none, err := task.Read(wire.ProviderNoObservation{Result: "no-observation"}, nil)
	if err != nil || none.Agrees(&decisionfile.Decision{Result: "absent"}) || none.Agrees(&decisionfile.Decision{}) {
		t.Error("nothing agrees with something", err)
	}
}

// RULES B1: providers come from the accepted side; a name is an id or an alias.
func TestFind(t *testing.T) {
	t.Parallel()
	side := &corpus.Corpus{Manifest: &authored.Manifest{
		Facts:     []authored.Fact{{ID: "ui.visible", Aliases: []string{"visible"}, Provider: "ci.ui"}, {ID: "ui.kinds"}},
		Providers: []authored.Provider{{ID: "ci.other"}, {ID: "ci.ui", Revision: 3}},
	}}
	for word, want := range map[string]string{"ui.visible": "ui.visible", "visible": "ui.visible", "ui.kinds": "ui.kinds", "ui.visibel": "did you mean ui.visible?", "": "no such fact"} {
		fact, err := Find(side, word)
		if err != nil && (!fault.Is(err, "FACT.UNKNOWN") || !strings.Contains(err.Error(), want)) || err == nil && fact.ID != want {
			t.Errorf("%q: %v %v", word, fact, err)
		}
	}
	visible, _ := Find(side, "visible")
	if p, ok := ProviderOf(side, visible); !ok || p.Revision != 3 {
		t.Errorf("%+v", p)
	}
	kinds, _ := Find(side, "ui.kinds")
	if _, ok := ProviderOf(side, kinds); ok {
		t.Error("a provider of nothing")
	}
	for _, empty := range []*corpus.Corpus{nil, {}} {
		if _, err := Find(empty, "x"); !fault.Is(err, "FACT.UNKNOWN") {
			t.Error(err)
		}
	}
}
