package workspace_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/cmd/git-standards/workspace"
	"github.com/git-standards/git-standards/engine"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext/gittest"
)

func TestPrepare(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := adopted(t)
	e := engineOf(r)
	// The first commit on the base branch is its own fork point.
	if c := result[wire.Complete](t, r)(e.Prepare(ctx, wire.PrepareRequest{})); !c.Stored || c.Proposed.Source != "worktree" || c.Issuer != "open" {
		t.Errorf("%+v", c)
	}
	edit(r, "standards/api.md", "[Errors], revision: 1", "[Errors], revision: 2")
	p := result[wire.Pending](t, r)(e.Prepare(ctx, wire.PrepareRequest{}))
	var about []string
	for _, q := range p.Questions {
		about = append(about, *q.About.Consumer)
	}
	if diff := cmp.Diff([]string{"docs/errors.md", "src/err/a.go", "src/err/b.go"}, about); diff != "" || !p.Stored {
		t.Error(diff)
	}
	// The index holds nothing of that yet, and neither does HEAD.
	for _, side := range []wire.ProposedSide{wire.IndexSource{Source: "index"}, wire.CommitSource{Source: "commit", Revision: "HEAD"}} {
		result[wire.Complete](t, r)(e.Prepare(ctx, wire.PrepareRequest{Proposed: side}))
	}
	head := "HEAD"
	if p := result[wire.Pending](t, r)(e.Prepare(ctx, wire.PrepareRequest{Accepted: &head})); p.Base != nil {
		t.Errorf("%+v", p.Base)
	}

	empty := gittest.New(t)
	if err := os.CopyFS(empty.Dir, os.DirFS(fixture)); err != nil {
		t.Fatal(err)
	}
	if a := result[wire.Adoption](t, empty)(engineOf(empty).Prepare(ctx, wire.PrepareRequest{})); a.Modules != 3 || a.Units != 3 {
		t.Errorf("%+v", a)
	}
}

// What has no result is rejected, by the code and outcome of the interface.
func TestRejected(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	broken := adopted(t)
	edit(broken, "standards/api.md", "role: topic", "role: topix")
	none := gittest.New(t)
	bare := gittest.New(t, "--bare")
	nowhere := gittest.New(t)
	if err := os.RemoveAll(filepath.Join(nowhere.Dir, ".git")); err != nil {
		t.Fatal(err)
	}
	unknown := "0123456789"
	for _, row := range []struct {
		name     string
		r        *gittest.Repository
		accepted *string
		code     string
		outcome  string
	}{
		{"broken text", broken, nil, "MODULE.ROLE", "invalid"},
		{"no standards", none, nil, "MANIFEST.MISSING", "invalid"},
		{"no worktree", bare, nil, "WORKTREE.NONE", "invalid"},
		{"no repository", nowhere, nil, "GIT.NOT_A_REPOSITORY", "unavailable"},
		{"a revision that is none", broken, &unknown, "REVISION.UNKNOWN", "invalid"},
	} {
		got := result[wire.Rejected](t, row.r)(engineOf(row.r).Prepare(ctx, wire.PrepareRequest{Accepted: row.accepted}))
		if got.Code != row.code || got.Outcome != row.outcome {
			t.Errorf("%s: %+v", row.name, got)
		}
	}
	gone := &gittest.Repository{T: t, Dir: filepath.Join(none.Dir, "gone")}
	if got := result[wire.Rejected](t, none)(engineOf(raised(t)).Query(ctx, wire.QueryRequest{})); got.Code != "REQUEST.USAGE" || got.Outcome != "invalid" {
		t.Errorf("a request without a query: %+v", got)
	}
	if got := result[wire.Rejected](t, none)(engineOf(gone).Query(ctx, wire.QueryRequest{Query: wire.RouteQuery{Kind: "route"}})); got.Outcome != "unavailable" {
		t.Errorf("%+v", got)
	}
}

func TestQuery(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := adopted(t)
	e := engineOf(r)
	ask := func(q wire.Query) wire.Navigation {
		return result[wire.Navigation](t, r)(e.Query(ctx, wire.QueryRequest{Query: q}))
	}
	route := ask(wire.RouteQuery{Kind: "route", Paths: []string{"src"}}).Answer.(wire.RouteAnswer)
	if len(route.Entries) != 1 || route.Entries[0].Module != "topic.api" || len(route.Paths) != 2 {
		t.Errorf("%+v", route)
	}
	if read := ask(wire.ReadQuery{Kind: "read", Target: "api.versions"}).Answer.(wire.ReadAnswer); read.Text != "## Versions\n\nA breaking change needs a new major version.\n" {
		t.Errorf("%+v", read)
	}
	if related := ask(wire.RelatedQuery{Kind: "related", Target: "docs/errors.md"}).Answer.(wire.RelatedAnswer); len(related.Relationships) != 1 {
		t.Errorf("%+v", related)
	}
	for _, row := range []struct {
		query wire.Query
		code  string
	}{
		{wire.ReadQuery{Kind: "read", Target: "api.version"}, "TARGET.UNKNOWN"},
		{wire.RouteQuery{Kind: "route", Paths: []string{"../x"}}, "PATH.OUTSIDE"},
		{wire.RouteQuery{Kind: "route", Paths: []string{r.Dir}}, "PATH.OUTSIDE"},
	} {
		if got := result[wire.Rejected](t, r)(e.Query(ctx, wire.QueryRequest{Query: row.query})); got.Code != row.code {
			t.Errorf("%+v: %+v", row.query, got)
		}
	}
}

// one returns the store of a repository and the id of an object in it, of a question.
func one(t *testing.T, r *gittest.Repository, e *engine.Engine) (store, id string) {
	t.Helper()
	p := result[wire.Pending](t, r)(e.Prepare(t.Context(), wire.PrepareRequest{}))
	return filepath.Join(r.Dir, ".standards-engine", "authority.sqlite3"), p.Questions[0].Question
}

func TestInspect(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := raised(t)
	e := engineOf(r)
	// Before anything is stored.
	if got := result[wire.Rejected](t, r)(e.Inspect(ctx, wire.InspectRequest{Handle: "0123456"})); got.Code != "STORE.MISSING" || got.Outcome != "unavailable" {
		t.Errorf("%+v", got)
	}
	store, id := one(t, r, e)
	hex := id[len("question:sha256:"):]
	for _, word := range []string{id, "question:" + hex[:9], hex[:12]} {
		if got := result[wire.Inspection](t, r)(e.Inspect(ctx, wire.InspectRequest{Handle: word})); got.Handle.ID != id || got.Handle.Kind != "question" {
			t.Errorf("%s: %+v", word, got)
		}
	}
	for _, row := range []struct{ word, code, outcome string }{
		{"question:sha256:" + strings.Repeat("0", 64), "HANDLE.UNKNOWN", "unavailable"},
		{"0000000000", "HANDLE.UNKNOWN", "unavailable"},
		{"answer:0123456", "HANDLE.KIND", "unsupported"},
		{"xyz", "HANDLE.MALFORMED", "invalid"},
		{r.Dir, "HANDLE.MALFORMED", "invalid"},
	} {
		if got := result[wire.Rejected](t, r)(e.Inspect(ctx, wire.InspectRequest{Handle: row.word})); got.Code != row.code || got.Outcome != row.outcome {
			t.Errorf("%s: %+v", row.word, got)
		}
	}
	text, err := os.ReadFile(store)
	if err != nil {
		t.Fatal(err)
	}
	damage := func(name, code string, damaged []byte) {
		if err := os.WriteFile(store, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		if got := result[wire.Rejected](t, r)(e.Inspect(ctx, wire.InspectRequest{Handle: id})); got.Code != code {
			t.Errorf("%s: %+v", name, got)
		}
	}
	damage("no database at all", "STORE.FOREIGN", []byte(strings.Repeat("no store ", 1000)))
	damage("cut in the middle", "STORE.CORRUPT", text[:len(text)/2/4096*4096])
	// One character of one stored envelope: the id is not that of the text any more.
	at := strings.Index(string(text), `docs/errors.md`)
	if at < 0 {
		t.Fatal("the store does not hold the question as text")
	}
	changed := []byte(strings.ReplaceAll(string(text), "docs/errors.md", "docs/errorz.md"))
	if err := os.WriteFile(store, changed, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := result[wire.Rejected](t, r)(e.Inspect(ctx, wire.InspectRequest{Handle: id})); got.Outcome != "invalid" {
		t.Errorf("%+v", got)
	}
	// The store is a record and never an input: what is damaged changes no verdict.
	if p := result[wire.Pending](t, r)(e.Prepare(ctx, wire.PrepareRequest{})); len(p.Questions) != 3 {
		t.Errorf("%+v", p)
	}
}

// Some two of many files have ids that begin with the same seven digits (by the birthday rule, of about 20,000).
func TestInspectSaysWhichMayBeMeant(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := adopted(t)
	seen, digits := map[string]authority.Node{}, ""
	var alike []authority.Node
	for n := 0; alike == nil; n++ {
		node, err := content.FileNode("f", []byte(strconv.Itoa(n)))
		if err != nil {
			t.Fatal(err)
		}
		digits = strings.TrimPrefix(node.ID, "content-file:sha256:")[:7]
		if other, known := seen[digits]; known {
			alike = []authority.Node{other, node}
		}
		seen[digits] = node
	}
	w, err := workspace.Open(ctx, workspace.Options{Dir: r.Dir})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Record(ctx, func(repository authority.Repository) error { return repository.Put(ctx, alike...) }); err != nil {
		t.Fatal(err)
	}
	e := engineOf(r)
	got := result[wire.Rejected](t, r)(e.Inspect(ctx, wire.InspectRequest{Handle: digits}))
	want := []string{alike[0].ID, alike[1].ID}
	slices.Sort(want)
	if diff := cmp.Diff(want, got.Next); got.Code != "HANDLE.AMBIGUOUS" || got.Outcome != "invalid" || diff != "" {
		t.Errorf("%+v %s", got, diff)
	}
	// What is of another kind is not meant.
	if got := result[wire.Rejected](t, r)(e.Inspect(ctx, wire.InspectRequest{Handle: "question:" + digits})); got.Code != "HANDLE.UNKNOWN" {
		t.Errorf("%+v", got)
	}
}

// A context that has ended is the one error that there is; nothing is written.
func TestCancelled(t *testing.T) {
	t.Parallel()
	r := raised(t)
	e := engineOf(r)
	_, id := one(t, r, e)
	before := r.Git("status", "--porcelain", "--ignored")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	query, err := e.Query(ctx, wire.QueryRequest{Query: wire.RouteQuery{Kind: "route"}})
	prepare, err2 := e.Prepare(ctx, wire.PrepareRequest{})
	resolve, err3 := e.Resolve(ctx, wire.ResolveRequest{Answers: []wire.Answer{{Question: id, Result: wire.Optional("no-change"), Rationale: "x"}}})
	inspect, err4 := e.Inspect(ctx, wire.InspectRequest{Handle: id})
	for _, err := range []error{err, err2, err3, err4} {
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if query != nil || prepare != nil || resolve != nil || inspect != nil {
		t.Error(query, prepare, resolve, inspect)
	}
	if now := r.Git("status", "--porcelain", "--ignored"); now != before {
		t.Errorf("%s\nwas\n%s", now, before)
	}
}

// What the facade returns is what the command prints for the same repository, byte for byte.
func TestTheCommandPrintsTheSame(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r, twin := raised(t), raised(t) // same bytes; resolve changes one each
	e := engineOf(r)
	_, id := one(t, r, e)
	transitive, direction, staged := true, "both", wire.IndexSource{Source: "index"}
	compare := func(args []string) func(any, error) {
		return func(got any, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(printed(t, r, args...), public(t, r, got)); diff != "" {
				t.Errorf("%v: %s", args, diff)
			}
		}
	}
	ask := func(args []string, q wire.Query, side wire.ProposedSide) {
		t.Helper()
		got, err := e.Query(ctx, wire.QueryRequest{Query: q, Proposed: side})
		compare(append([]string{"query"}, args...))(got, err)
	}
	ask([]string{"route"}, wire.RouteQuery{Kind: "route"}, nil)
	ask([]string{"route", "docs", "--staged"}, wire.RouteQuery{Kind: "route", Paths: []string{"docs"}}, staged)
	given := []wire.KnownFact{{Fact: "change.kinds", Value: "added"}}
	ask([]string{"route", "docs", "--fact", "change.kinds=added"}, wire.RouteQuery{Kind: "route", Paths: []string{"docs"}, Facts: given}, nil)
	ask([]string{"route", "--fact", "change.kind=added"}, wire.RouteQuery{Kind: "route", Facts: []wire.KnownFact{{Fact: "change.kind", Value: "added"}}}, nil)
	ask([]string{"related", "topic.api", "--fact", "change.kinds=added"}, wire.RelatedQuery{Kind: "related", Target: "topic.api", Direction: &direction, Facts: given}, nil)
	ask([]string{"read", "topic.api", "--proposed", "HEAD"}, wire.ReadQuery{Kind: "read", Target: "topic.api"}, wire.CommitSource{Source: "commit", Revision: "HEAD"})
	ask([]string{"read", "topic.apo"}, wire.ReadQuery{Kind: "read", Target: "topic.apo"}, nil)
	ask([]string{"related", "topic.api", "--transitive"}, wire.RelatedQuery{Kind: "related", Target: "topic.api", Direction: &direction, Transitive: &transitive}, nil)
	for _, row := range []struct {
		args    []string
		request wire.PrepareRequest
	}{
		{[]string{"prepare"}, wire.PrepareRequest{}},
		{[]string{"prepare", "--staged"}, wire.PrepareRequest{Proposed: staged}},
		{[]string{"prepare", "--proposed", "nothing"}, wire.PrepareRequest{Proposed: wire.CommitSource{Source: "commit", Revision: "nothing"}}},
	} {
		got, err := e.Prepare(ctx, row.request)
		compare(row.args)(got, err)
	}
	for _, word := range []string{id, id[:20], "fffffff"} {
		got, err := e.Inspect(ctx, wire.InspectRequest{Handle: word})
		compare([]string{"inspect", word})(got, err)
	}
	answer := []wire.Answer{{Question: id, Result: wire.Optional("no-change"), Rationale: "it only names the codes", Evidence: []string{"docs/readme.md"}}}
	got, err := e.Resolve(ctx, wire.ResolveRequest{Answers: answer})
	if err != nil {
		t.Fatal(err)
	}
	want := printed(t, twin, "resolve", id, "no-change", "-m", "it only names the codes", "--evidence", "docs/readme.md")
	if diff := cmp.Diff(want, public(t, r, got)); diff != "" {
		t.Errorf("resolve: %s", diff)
	}
	if a, b := r.Git("ls-files", "-s"), twin.Git("ls-files", "-s"); a != b || !strings.Contains(a, "standards/decisions/") {
		t.Errorf("%s\nand\n%s", a, b)
	}
}

// Operations on one repository may run at the same time, and agree.
func TestAtTheSameTime(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := raised(t)
	e := engineOf(r)
	_, id := one(t, r, e)
	operations := []func() (any, error){
		func() (any, error) { return e.Prepare(ctx, wire.PrepareRequest{}) },
		func() (any, error) { return e.Query(ctx, wire.QueryRequest{Query: wire.RouteQuery{Kind: "route"}}) },
		func() (any, error) { return e.Inspect(ctx, wire.InspectRequest{Handle: id}) },
		func() (any, error) {
			return e.Prepare(ctx, wire.PrepareRequest{Proposed: wire.IndexSource{Source: "index"}})
		},
	}
	want := make([]string, len(operations))
	for i, operation := range operations {
		got, err := operation()
		if err != nil {
			t.Fatal(err)
		}
		want[i] = public(t, r, got)
	}
	type outcome struct {
		i   int
		got any
		err error
	}
	ended := make(chan outcome)
	const at = 8
	for n := range at {
		go func() {
			i := n % len(operations)
			got, err := operations[i]()
			ended <- outcome{i, got, err}
		}()
	}
	for range at {
		o := <-ended
		if o.err != nil {
			t.Fatal(o.err)
		}
		if diff := cmp.Diff(want[o.i], public(t, r, o.got)); diff != "" {
			t.Error(diff)
		}
	}
}
