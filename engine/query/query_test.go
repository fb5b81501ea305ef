package query_test

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/query"
	"github.com/git-standards/git-standards/engine/wire"
)

// sides is a workspace of three sides; it has nobody to answer and nowhere to write, which a query does not need.
// A file named in touched is listed among the changes although its bytes are the same, as one that Git has not hashed again.
type sides struct {
	fork, index, worktree contenttest.Files
	touched               []string
}

func (s sides) Accepted(_ context.Context, revision string) (judge.Side, *wire.Base, error) {
	switch revision {
	case "":
		return judge.Side{Info: wire.Side{Source: "commit"}, Source: s.fork.Tree()}, &wire.Base{Why: "gate.base"}, nil
	case "same":
		return judge.Side{Info: wire.Side{Source: "commit"}, Source: s.worktree.Tree()}, nil, nil
	}
	return judge.Side{}, nil, fault.New(fault.Invalid, "REVISION.UNKNOWN", revision, "no such side")
}

func (s sides) Proposed(_ context.Context, which wire.ProposedSide) (judge.Side, error) {
	switch which.(type) {
	case wire.IndexSource:
		return judge.Side{Info: wire.Side{Source: "index"}, Source: s.index.Tree()}, nil
	case wire.CommitSource:
		return judge.Side{Info: wire.Side{Source: "commit"}, Source: s.fork.Tree()}, nil
	}
	return judge.Side{Info: wire.Side{Source: "worktree"}, Source: s.worktree.Worktree()}, nil
}

// files reads a side back, so that what differs is found by the bytes alone.
func files(ctx context.Context, source content.Source) (contenttest.Files, error) {
	entries, err := source.List(ctx)
	if err != nil {
		return nil, err
	}
	all := contenttest.Files{}
	for _, e := range entries {
		if e.Kind != content.Regular {
			continue
		}
		data, err := source.Read(ctx, e)
		if err != nil {
			return nil, err
		}
		all[e.Name] = string(data[0])
	}
	return all, nil
}

func (s sides) Changes(ctx context.Context, accepted, proposed content.Source) ([]content.Change, error) {
	old, err := files(ctx, accepted)
	if err != nil {
		return nil, err
	}
	now, err := files(ctx, proposed)
	changes := contenttest.Changes(old, now)
	for _, name := range s.touched {
		before, listErr := accepted.List(ctx, name)
		after, otherErr := proposed.List(ctx, name)
		if err = errors.Join(err, listErr, otherErr); err == nil {
			changes = append(changes, content.Change{Name: name, Old: &before[0], New: &after[0]})
		}
	}
	return changes, err
}

func (sides) Typed(name string) string { return path.Join("..", name) }

var errNotAsked = errors.New("a query asks for this")

func (sides) Pin(context.Context, string) (decisionfile.Evidence, error) {
	return decisionfile.Evidence{}, errNotAsked
}
func (sides) Session(context.Context) (judge.Session, error)                 { return judge.Session{}, errNotAsked }
func (sides) Sign(context.Context, []byte) (string, error)                   { return "", errNotAsked }
func (sides) Save(context.Context, map[string][]byte, []string, bool) error  { return errNotAsked }
func (sides) View(context.Context, func(authority.Repository) error) error   { return errNotAsked }
func (sides) Record(context.Context, func(authority.Repository) error) error { return errNotAsked }

const (
	manifest = "version: 1\nmodules: [\"s/*.md\"]\n"
	net      = `---
standard:
  id: net
  role: topic
  level: MUST
  title: The net
  requires: [base]
  units:
    - {id: net.dial, heading: [Dial], revision: 3, aliases: [net.call]}
    - {id: net.listen, heading: [Listen, Ports], revision: 1}
  consumers:
    - {unit: net.dial, glob: "net/*.go", relation: implementation-projection}
    - {unit: net.dial, path: docs/gone.md, relation: documentation-projection, when: always}
    - {unit: net.listen, module: base, relation: normative-consumer}
---
# Net

Before the units.

## Dial

Dial twice.

## Listen

### Ports

Above 1024.
`
	base = "---\nstandard: {id: base, role: core, level: SHOULD, applies-when: always so}\n---\n# Base\n"
)

// small is two modules: net, which requires base and has a consumer of each kind, one of which is not there.
func small() contenttest.Files {
	return contenttest.Files{
		corpus.ManifestPath: manifest, "s/net.md": net, "s/base.md": base, "net/a.go": "a", "net/b.go": "b", "docs/readme.md": "r",
		"net/link.go": contenttest.Symlink, "standards/decisions/x/y.yaml": "no decision\n",
	}
}

func answer(t *testing.T, w sides, q wire.Query, side wire.ProposedSide) (*wire.Navigation, error) {
	t.Helper()
	answered, err := query.Answer(t.Context(), w, judge.New(), wire.QueryRequest{Query: q, Proposed: side})
	if err != nil {
		return nil, err
	}
	return answered.Navigation, nil
}

func same(now contenttest.Files) sides { return sides{fork: now, index: now, worktree: now} }

// touched is a workspace in which one file is another one by now, and one was touched.
func touched() sides {
	w := same(small())
	w.worktree = small().With(contenttest.Files{"net/a.go": "2"})
	w.touched = []string{"docs/readme.md", "net/b.go"}
	return w
}

// plan is a reading plan in short: module (units): reasons.
func plan(a wire.RouteAnswer) (list []string) {
	for _, e := range a.Entries {
		var units, reasons []string
		for _, u := range e.Units {
			units = append(units, u.Unit)
		}
		for _, r := range e.Reasons {
			reasons = append(reasons, r.Why+" "+r.Subject)
		}
		list = append(list, fmt.Sprintf("%s (%s): %s", e.Module, strings.Join(units, " "), strings.Join(reasons, ", ")))
	}
	return list
}

func TestRoute(t *testing.T) {
	t.Parallel()
	core := "base (): core base"
	changed := sides{
		fork:     small(),
		index:    small().With(contenttest.Files{"net/a.go": "2"}),
		worktree: small().With(contenttest.Files{"net/a.go": "2", "docs/gone.md": "here", "s/base.md": base + "\nMore.\n", "standards/decisions/x/y.yaml": "2\n"}),
	}
	none, nowhere := "same", "nowhere"
	for _, row := range []struct {
		name  string
		w     sides
		query wire.RouteQuery
		side  wire.ProposedSide
		paths []string
		plan  []string
		code  string
	}{
		{"a consumer by glob", same(small()), wire.RouteQuery{Paths: []string{"net/a.go"}}, nil, []string{"net/a.go"}, []string{
			"base (): core base, required net", "net (net.dial): consumer net/a.go"}, ""},
		{"a folder is what is in it, once", same(small()), wire.RouteQuery{Paths: []string{"net", "net/a.go"}}, nil, []string{"net/a.go", "net/b.go"},
			[]string{"base (): core base, required net", "net (net.dial): consumer net/a.go, consumer net/b.go"}, ""},
		{"what is not there yet", same(small()), wire.RouteQuery{Paths: []string{"net/c.go", "docs/gone.md"}}, nil, []string{"docs/gone.md", "net/c.go"},
			[]string{"base (): core base, required net", "net (net.dial): consumer docs/gone.md, consumer net/c.go"}, ""},
		{"no path is no change at hand", changed, wire.RouteQuery{Paths: []string{}}, nil, []string{}, []string{core}, ""},
		{"decisions are about nothing (A10)", same(small()), wire.RouteQuery{Paths: []string{"standards/decisions"}}, nil, []string{}, []string{core}, ""},
		{"the change at hand, decisions aside", changed, wire.RouteQuery{}, nil, []string{"docs/gone.md", "net/a.go", "s/base.md"}, []string{
			"base (): changed s/base.md, core base, required net", "net (net.dial net.listen): consumer docs/gone.md, consumer net/a.go, consumer s/base.md"}, ""},
		{"of the index", changed, wire.RouteQuery{}, wire.IndexSource{}, []string{"net/a.go"}, []string{
			"base (): core base, required net", "net (net.dial): consumer net/a.go"}, ""},
		{"files that were touched are none of it", touched(), wire.RouteQuery{}, nil, []string{"net/a.go"}, []string{
			"base (): core base, required net", "net (net.dial): consumer net/a.go"}, ""},
		{"against another side", changed, wire.RouteQuery{Accepted: &none}, nil, []string{}, []string{core}, ""},
		{"against one that is none", changed, wire.RouteQuery{Accepted: &nowhere}, nil, nil, nil, "REVISION.UNKNOWN"},
		{"outside", same(small()), wire.RouteQuery{Paths: []string{"net", "../x"}}, nil, nil, nil, "PATH.OUTSIDE"},
		{"a folder with a slash behind it", same(small()), wire.RouteQuery{Paths: []string{"net/"}}, nil, nil, nil, "PATH.OUTSIDE"},
		{"no standards", same(contenttest.Files{"a": "b"}), wire.RouteQuery{}, nil, nil, nil, "MANIFEST.MISSING"},
		{"broken text", same(small().With(contenttest.Files{"s/base.md": strings.Replace(base, "core", "cor", 1)})), wire.RouteQuery{}, nil, nil, nil, "MODULE.ROLE"},
	} {
		got, err := answer(t, row.w, row.query, row.side)
		if row.code != "" {
			if err == nil || judge.Reject(err).Code != row.code {
				t.Errorf("%s: %v", row.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		route := got.Answer.(wire.RouteAnswer)
		if diff := cmp.Diff(row.paths, route.Paths); diff != "" {
			t.Errorf("%s: paths %s", row.name, diff)
		}
		if diff := cmp.Diff(row.plan, plan(route)); diff != "" {
			t.Errorf("%s: plan %s", row.name, diff)
		}
		if got.Side.Snapshot == nil || got.Result != "navigation" || got.SchemaVersion != 11 {
			t.Errorf("%s: %+v", row.name, got)
		}
	}
}

func pointer(s string) *string { return &s }

// What an entry, a summary and a relationship hold, key by key, for the module of the fixture; lines counted by hand. A consumer that
// says no `when` always applies (RULES A3).
func TestShapes(t *testing.T) {
	t.Parallel()
	w := same(small())
	got, err := answer(t, w, wire.RouteQuery{Kind: "route", Paths: []string{"net/a.go"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	entry := wire.PlanEntry{
		Module: "net", Title: pointer("The net"), Role: "topic", Level: "MUST", File: "s/net.md", Line: 2, State: "selected",
		Reasons: []wire.Reason{{Why: "consumer", Subject: "net/a.go", Unit: pointer("net.dial"), State: "selected", Facts: []string{}}},
		Units:   []wire.PlanUnit{{Unit: "net.dial", Heading: []string{"Dial"}, Revision: 3, Line: 20, State: "selected"}},
	}
	if diff := cmp.Diff(entry, got.Answer.(wire.RouteAnswer).Entries[1]); diff != "" {
		t.Error(diff)
	}

	dial := wire.UnitSummary{ID: "net.dial", Heading: []string{"Dial"}, Revision: 3, Line: 20, Aliases: []string{"net.call"}, Predecessors: []string{}, Successors: []string{}}
	listen := wire.UnitSummary{ID: "net.listen", Heading: []string{"Listen", "Ports"}, Revision: 1, Line: 26, Aliases: []string{}, Predecessors: []string{}, Successors: []string{}}
	impact := []string{"policy-impact", "semantic"}
	always := func(class string, r wire.Relationship) wire.Relationship {
		r.Groups, r.Direction, r.Distance, r.TargetClass, r.Applicability, r.File = impact, "outgoing", 1, class, "true", "s/net.md"
		r.On, r.Facts = []string{"policy"}, []string{}
		return r
	}
	consumers := []wire.Relationship{
		always("implementation-artifact", wire.Relationship{Source: "net.dial", Relation: "implementation-projection", Target: wire.GlobTarget{Kind: "glob", Glob: "net/*.go", Paths: []string{"net/a.go", "net/b.go"}}, Line: 12}),
		always("documentation", wire.Relationship{Source: "net.dial", Relation: "documentation-projection", Target: wire.PathTarget{Kind: "path", Path: "docs/gone.md"}, Line: 13}),
		always("module", wire.Relationship{Source: "net.listen", Relation: "normative-consumer", Target: wire.ModuleTarget{Kind: "module", Module: "base"}, Line: 14}),
	}
	module := wire.ModuleSummary{
		ID: "net", Title: pointer("The net"), Role: "topic", Level: "MUST", File: "s/net.md", Line: 2, Requires: []string{"base"}, Specializes: []string{},
		Units: []wire.UnitSummary{dial, listen},
	}
	body := net[strings.Index(net, "# Net"):]
	for _, row := range []struct {
		target string
		want   wire.ReadAnswer
	}{
		{"net", wire.ReadAnswer{Kind: "read", Module: module, Text: body, Consumers: consumers}},
		{"net.listen", wire.ReadAnswer{Kind: "read", Module: module, Unit: &listen, Text: "### Ports\n\nAbove 1024.\n", Consumers: consumers[2:]}},
		{"net.call", wire.ReadAnswer{Kind: "read", Module: module, Unit: &dial, Text: "## Dial\n\nDial twice.\n\n", Consumers: consumers[:2]}},
	} {
		got, err := answer(t, w, wire.ReadQuery{Kind: "read", Target: row.target}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(wire.NavigationAnswer(row.want), got.Answer); diff != "" {
			t.Errorf("%s: %s", row.target, diff)
		}
	}
}

func TestRelated(t *testing.T) {
	t.Parallel()
	w := same(small())
	yes := true
	for _, row := range []struct {
		query wire.RelatedQuery
		want  []string
		code  string
	}{
		{wire.RelatedQuery{Target: "net"}, []string{"> net standards-requires", "> net.dial implementation-projection", "> net.dial documentation-projection", "> net.listen normative-consumer"}, ""},
		{wire.RelatedQuery{Target: "net.call"}, []string{"> net.dial implementation-projection", "> net.dial documentation-projection"}, ""},
		{wire.RelatedQuery{Target: "base"}, []string{"< net standards-requires", "< net.listen normative-consumer"}, ""},
		{wire.RelatedQuery{Target: "base", Direction: pointer("outgoing")}, nil, ""},
		{wire.RelatedQuery{Target: "base", Direction: pointer("both"), Groups: []string{"semantic"}, Transitive: &yes}, []string{"< net.listen normative-consumer"}, ""},
		{wire.RelatedQuery{Target: "net/a.go"}, []string{"< net.dial implementation-projection"}, ""},
		{wire.RelatedQuery{Target: "docs/readme.md"}, nil, ""},
		{wire.RelatedQuery{Target: "docs/gone.md", Groups: []string{"standards-requires"}}, nil, ""},
		{wire.RelatedQuery{Target: "docs"}, nil, "TARGET.UNKNOWN"},
		{wire.RelatedQuery{Target: "docs/none.md"}, nil, "TARGET.UNKNOWN"},
		{wire.RelatedQuery{Target: "../x"}, nil, "TARGET.UNKNOWN"},
		{wire.RelatedQuery{Target: "s/net.md"}, nil, "TARGET.UNKNOWN"},
	} {
		got, err := answer(t, w, row.query, nil)
		if row.code != "" {
			if !fault.Is(err, row.code) || fault.As(err).Target != row.query.Target {
				t.Errorf("%s: %v", row.query.Target, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", row.query.Target, err)
			continue
		}
		var list []string
		for _, r := range got.Answer.(wire.RelatedAnswer).Relationships {
			list = append(list, map[string]string{"incoming": "< ", "outgoing": "> "}[r.Direction]+r.Source+" "+r.Relation)
		}
		if diff := cmp.Diff(row.want, list); diff != "" {
			t.Errorf("%s: %s", row.query.Target, diff)
		}
	}
}

func TestWhatIsNotKnown(t *testing.T) {
	t.Parallel()
	w := same(small())
	for _, row := range []struct {
		query         wire.Query
		message, next string
	}{
		{wire.ReadQuery{Target: "net.dail"}, "did you mean net.dial?", "git standards query read net.dial"},
		{wire.RelatedQuery{Target: "net.cal"}, "did you mean net.call?", "git standards query related net.call"},
		{wire.ReadQuery{Target: "s/net.md"}, "which is net here", "git standards query read net"},
		{wire.RelatedQuery{Target: "s/base.md"}, "which is base here", "git standards query related base"},
		{wire.ReadQuery{Target: "zzzzzzzzzz"}, "no module and no unit is called", "git standards query route ../standards"},
		{wire.RelatedQuery{Target: "docs/none.md"}, "no module, no unit and no file is called", "git standards query route ../standards"},
		{wire.RelatedQuery{Target: "net/old"}, "no module, no unit and no file is called", "git standards query route ../standards"},
		{wire.RelatedQuery{Target: "docs"}, "a folder is no consumer", "git standards query route ../docs"},
		{wire.RelatedQuery{Target: "/docs/a b.md"}, "no name begins with a slash", "git standards query related 'docs/a b.md'"},
		{wire.ReadQuery{Target: "/net"}, "no name begins with a slash", "git standards query read net"},
		{wire.RouteQuery{Paths: []string{"net/"}}, `"net/" has an empty component`, "git standards query route net"},
		{wire.RouteQuery{Paths: []string{"./net"}}, `"./net" has a component "."`, "git standards query route net"},
		{wire.RouteQuery{Paths: []string{"/net"}}, "without a slash before it", "git standards query route net"},
		{wire.RouteQuery{Paths: []string{"."}}, "name what is in it", "git ls-files"},
		{wire.RouteQuery{Paths: []string{"../x"}}, `"../x" has a component ".."`, "git ls-files"},
	} {
		_, err := answer(t, w, row.query, nil)
		if f := fault.As(err); f == nil || !strings.Contains(f.Message, row.message) || len(f.Next) != 1 || f.Next[0] != row.next {
			t.Errorf("%v: %v", row.query, err)
		}
	}
	// A row that watches everything matches what was misspelt as well, and a file that is not written yet.
	everything := small()
	for name, text := range everything {
		everything[name] = strings.Replace(text, "  consumers:\n", "  consumers:\n    - {unit: net.dial, glob: \"**/*\", relation: fixture-projection}\n", 1)
	}
	if _, err := answer(t, same(everything), wire.RelatedQuery{Target: "net.cal"}, nil); !fault.Is(err, "TARGET.UNKNOWN") {
		t.Error(err)
	}
	if _, err := answer(t, same(everything), wire.RelatedQuery{Target: "docs/new.md"}, nil); err != nil {
		t.Error(err)
	}
	if got := query.Names(must(t, small())); cmp.Diff([]string{"base", "net", "net.dial", "net.call", "net.listen"}, got) != "" {
		t.Error(got)
	}
}

func must(t *testing.T, files contenttest.Files) *corpus.Corpus {
	t.Helper()
	c, err := judge.New().Compile(t.Context(), files.Tree())
	if err != nil {
		t.Fatal(err)
	}
	return c
}
