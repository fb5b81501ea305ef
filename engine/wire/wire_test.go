package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/wire"
)

// The texts are those of SHAPES with the values of the zero result: exactly these keys, null where there is nothing.
func TestEveryFieldIsAlwaysThere(t *testing.T) {
	t.Parallel()
	const handle = `{"schema_version":0,"kind":"","id":""}`
	const side = `{"source":"","commit":null,"tree":null,"snapshot":null}`
	for _, row := range []struct {
		result any
		want   string
	}{
		{wire.Pending{Questions: []wire.Question{{}}, Decisions: []wire.Decision{{}}, Notices: []wire.Notice{{}}}, `{"schema_version":0,"result":"","analysis":` + handle + `,
			"stored":false,"accepted":` + side + `,"proposed":` + side + `,"base":null,"issuer":"",
			"questions":[{"question":"","abbrev":"","kind":"","reason":"","about":{"module":null,"unit":null,"consumer":null,"declaration":null},
				"results":null,"capability":"","state":"","who":"","changed":null}],
			"decisions":[{"question":"","result":"","principal":"","trust":"","counted":false,"file":""}],
			"notices":[{"code":"","target":null,"message":"","next":null}],"coverage":"","written":null,"landed":null}`},
		{wire.Adoption{Base: &wire.Base{}, Landed: &wire.Landed{}}, `{"schema_version":0,"result":"","accepted":` + side + `,"proposed":` + side + `,
			"base":{"branch":null,"why":""},"modules":0,"units":0,"consumers":0,"notices":null,"landed":{"base":"","head":"","tree":"","merged":false}}`},
		{wire.Rejected{}, `{"schema_version":0,"result":"","code":"","outcome":"","target":null,"message":"","findings":null,"next":null}`},
		{wire.Lint{Findings: []wire.Finding{{}}}, `{"schema_version":0,"result":"","modules":0,"units":0,"ignored":0,
			"findings":[{"code":"","severity":"","file":"","line":0,"message":"","next":null}]}`},
		{wire.Inspection{Payload: json.RawMessage(`{}`)}, `{"schema_version":0,"result":"","handle":` + handle + `,"payload_contract":"","dependencies":null,"payload":{}}`},
		{wire.Init{}, `{"schema_version":0,"result":"","created":null,"kept":null}`},
		{wire.Adopted{Files: []wire.AdoptedFile{{}}}, `{"schema_version":0,"result":"","written":false,"files":[{"file":"","module":null,"units":null,"diff":""}]}`},
		{wire.Moved{Files: []wire.MovedFile{{}}}, `{"schema_version":0,"result":"","written":false,"old":"","new":"","files":[{"file":"","diff":""}],"notices":null}`},
		{wire.Hooks{Hooks: []wire.Hook{{}}}, `{"schema_version":0,"result":"","path":"","in_force":false,"hooks":[{"name":"","state":""}]}`},
		{wire.Version{}, `{"schema_version":0,"result":"","version":"","interface":0,"handle":0,"envelope":0,"identity":0,"git":"","libgit2":"","sqlite":""}`},
		{wire.Navigation{Answer: wire.RelatedAnswer{Relationships: []wire.Relationship{{Target: wire.PathTarget{}}}}}, `{"schema_version":0,"result":"","navigation":` + handle + `,"view":` + handle + `,"stored":false,"side":` + side + `,
			"answer":{"kind":"","target":"","relationships":[{"source":"","relation":"","target":{"kind":"","path":"","present":false},"groups":null,"direction":"",
				"distance":0,"target_class":"","traversal_eligible":false,"when":null,"on":null,"applicability":"","facts":null,"file":"","line":0}]},"notices":null}`},
		{wire.Changed{}, `{"field":"","was":"","now":""}`},
	} {
		text, err := wire.JSON(row.result)
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(row.want), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%T: %s", row.result, diff)
		}
	}
}

func TestJSONText(t *testing.T) {
	t.Parallel()
	handle := wire.SnapshotHandle(wire.NewHandle("content-file:sha256:00"))
	text, err := wire.JSON(wire.Side{Source: "a <b> & c", Snapshot: &handle})
	want := `{
  "source": "a <b> & c",
  "commit": null,
  "tree": null,
  "snapshot": {
    "schema_version": 4,
    "kind": "content-file",
    "id": "content-file:sha256:00"
  }
}
`
	if err != nil || string(text) != want {
		t.Errorf("%v %s", err, text)
	}
	if _, err := wire.JSON(func() {}); err == nil {
		t.Error("a function is no result")
	}
	if _, err := wire.Compact(func() {}); err == nil {
		t.Error("a function is no request")
	}
}

// What may be absent in a request is absent where it is nothing, and there where it is empty.
func TestCompactRequests(t *testing.T) {
	t.Parallel()
	revision, isStaged, path := "a <b>", false, "\xff"
	for _, row := range []struct {
		request any
		want    string
	}{
		{wire.PrepareRequest{}, `{}`},
		{&wire.PrepareRequest{Accepted: &revision, Proposed: wire.IndexSource{Source: "index"}}, `{"accepted":"a <b>","proposed":{"source":"index"}}`},
		{wire.ResolveRequest{Stage: &isStaged}, `{"answers":null,"stage":false}`},
		{wire.QueryRequest{Query: wire.RouteQuery{Kind: "route"}}, `{"query":{"kind":"route"}}`},
		{wire.QueryRequest{Query: wire.RouteQuery{Kind: "route", Paths: []string{}}}, `{"query":{"kind":"route","paths":[]}}`},
		{wire.QueryRequest{Query: wire.RouteQuery{Kind: "route", Paths: []string{path}}}, `{"query":{"kind":"route","paths":["\"\\xff\""]}}`},
		{wire.Inspection{Payload: json.RawMessage(`{"<": 1}`)}.Payload, `{"<":1}`},
	} {
		if got, err := wire.Compact(row.request); err != nil || string(got) != row.want {
			t.Errorf("%v %s, want %s", err, got, row.want)
		}
	}
}

// A name that is not UTF-8 is told from every other name.
func TestJSONOfNamesThatAreNoText(t *testing.T) {
	t.Parallel()
	target, again := "a\xff:1", "a\xfe:1"
	text, err := wire.JSON(wire.Pending{
		Decisions: []wire.Decision{{File: "d/\xed\xa0\x80"}, {File: "d/\ufffd"}},
		Notices:   []wire.Notice{{Target: &target}, {Target: &again}},
		Written:   []string{"w\xff"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got wire.Pending
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]string{
		{got.Decisions[0].File, `"d/\xed\xa0\x80"`}, {got.Decisions[1].File, "d/\ufffd"}, {got.Written[0], `"w\xff"`},
		{*got.Notices[0].Target, `"a\xff:1"`}, {*got.Notices[1].Target, `"a\xfe:1"`}, {target, "a\xff:1"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%q, want %q", pair[0], pair[1])
		}
	}
}
