package facts_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/facts"
)

var names = facts.Contract{ID: "names", Revision: 1, Type: facts.TypeStringSet}

func text(n int) string { return strings.Repeat("x", n) }

func members(n int) list {
	out := list{}
	for i := range n {
		out = append(out, fmt.Sprint(i))
	}
	return out
}

func TestCheck(t *testing.T) {
	t.Parallel()
	nullable := risk
	refuse := fmt.Errorf("refused")
	for _, row := range []struct {
		c           facts.Contract
		value, want any
	}{
		{visible, true, true}, {visible, false, false}, {visible, nil, refuse}, {visible, "true", refuse}, {visible, list{}, refuse}, {visible, int64(1), refuse},
		{nullable, nil, nil}, {nullable, "low", "low"}, {nullable, "medium", refuse}, {nullable, "", refuse}, {nullable, "Low", refuse}, {nullable, true, refuse},
		{owner, "ann", "ann"}, {owner, " a\nb ", " a\nb "}, {owner, "", refuse}, {owner, "\xff", refuse}, {owner, text(4096), text(4096)}, {owner, text(4097), refuse},
		{owner, list{"ann"}, refuse}, {owner, map[string]any{}, refuse}, {owner, 1.5, refuse},
		{touched, "topic.api", "topic.api"}, {touched, "-a", refuse}, {touched, "a b", refuse}, {touched, nil, refuse},
		{areas, list{"ui", "api", "ui"}, list{"api", "ui"}}, {areas, list{}, list{}}, {areas, list{"x"}, refuse}, {areas, list{true}, refuse}, {areas, "api", refuse}, {areas, list{nil}, refuse},
		{names, list{"b", "a"}, list{"a", "b"}}, {names, list{""}, refuse}, {names, members(1024), nil}, {names, members(1025), refuse}, {names, list{text(4097)}, refuse},
	} {
		got, err := row.c.Check(row.value)
		switch {
		case row.want == error(refuse):
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", row.c.ID)) {
				t.Errorf("%s takes %.80v: %v", row.c.ID, row.value, err)
			}
		case err != nil:
			t.Errorf("%s of %.80v: %v", row.c.ID, row.value, err)
		case row.want == nil && row.value != nil: // too long to be written down
			if len(got.(list)) != 1024 {
				t.Errorf("%d members", len(got.(list)))
			}
		default:
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Error(row.c.ID, diff)
			}
		}
	}
}

func TestParseAndShow(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		c     facts.Contract
		text  string
		want  any
		shown string
	}{
		{visible, "true", true, "true"}, {visible, "false", false, "false"}, {visible, "True", nil, ""}, {visible, "absent", nil, ""}, {visible, "", nil, ""},
		{risk, "low", "low", "low"}, {risk, "medium", nil, ""},
		{owner, "ann smith", "ann smith", "ann smith"}, {owner, "true", "true", "true"}, {owner, "", nil, ""},
		{touched, "topic.api", "topic.api", "topic.api"}, {touched, "absent", nil, ""},
		{areas, "ui,api", list{"api", "ui"}, `["api","ui"]`}, {areas, "", list{}, "[]"}, {areas, `["ui"]`, list{"ui"}, `["ui"]`}, {areas, "[]", list{}, "[]"},
		{areas, "ui, api", nil, ""}, {areas, "ui,", nil, ""}, {areas, "[ui", nil, ""}, {areas, `["ui",1]`, nil, ""},
		// Neither is a text of that name: a fact that is never absent, and a list as YAML writes it.
		{areas, "absent", nil, ""}, {names, "absent", nil, ""}, {names, "[a,b]", nil, ""}, {names, `["a","b"`, nil, ""},
	} {
		got, err := row.c.Parse(row.text)
		if row.want == nil {
			if err == nil {
				t.Errorf("%s takes %q as %v", row.c.ID, row.text, got)
			}
			continue
		}
		if diff := cmp.Diff(row.want, got); diff != "" || err != nil || row.c.Show(got) != row.shown {
			t.Errorf("%s of %q: %s %v, shown %q", row.c.ID, row.text, diff, err, row.c.Show(got))
		}
	}
	if got, err := owner.Parse("absent"); got != nil || err != nil || owner.Show(got) != "absent" {
		t.Error(got, err)
	}
}

// What is shown can be typed, but for the one text that says absent.
func TestWhatIsShownCanBeTyped(t *testing.T) {
	t.Parallel()
	word := rapid.StringMatching(`[a-z\[\]",\\ é]{1,6}`)
	rapid.Check(t, func(t *rapid.T) {
		of := list{}
		for _, one := range rapid.SliceOf(word).Draw(t, "set") {
			of = append(of, one)
		}
		for _, row := range []struct {
			c     facts.Contract
			value any
		}{{names, of}, {owner, word.Draw(t, "text")}, {visible, rapid.Bool().Draw(t, "boolean")}} {
			value, err := row.c.Check(row.value)
			if err != nil {
				t.Fatal(err)
			}
			again, err := row.c.Parse(row.c.Show(value))
			if diff := cmp.Diff(value, again); diff != "" || err != nil {
				t.Fatal(diff, err)
			}
		}
	})
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	ofType := func(kind string, nullable bool) facts.Contract {
		return facts.Contract{ID: "x", Type: kind, Nullable: nullable, Values: []string{"a", "b"}}
	}
	for want, c := range map[string]facts.Contract{
		"true false": ofType(facts.TypeBoolean, false), "true false absent": ofType(facts.TypeBoolean, true), "a b": ofType(facts.TypeEnum, false),
		"a b absent": ofType(facts.TypeEnum, true), "value": ofType(facts.TypeEnumSet, false), "value absent": ofType(facts.TypeString, true),
	} {
		if got := strings.Join(c.Answers(), " "); got != want {
			t.Errorf("%s: %s, not %s", c.Type, got, want)
		}
	}
}

// doc/facts.md: what is in the digest of a contract and what is not.
func TestContractDigest(t *testing.T) {
	t.Parallel()
	before := risk.Digest()
	same := risk
	same.Aliases, same.Values = []string{"danger"}, []string{"high", "low"}
	if same.Digest() != before {
		t.Error("aliases or the order of values are in the digest")
	}
	seen := map[string]bool{before: true}
	for _, change := range []func(*facts.Contract){
		func(c *facts.Contract) { c.ID = "risks" }, func(c *facts.Contract) { c.Revision++ }, func(c *facts.Contract) { c.Type = facts.TypeEnumSet },
		func(c *facts.Contract) { c.Nullable = false }, func(c *facts.Contract) { c.Values = []string{"high", "low", "none"} },
		func(c *facts.Contract) { c.Context = facts.ContextTask }, func(c *facts.Contract) { c.Capability = "standards.waive" },
	} {
		other := risk
		if change(&other); seen[other.Digest()] {
			t.Errorf("%+v has the digest of another", other)
		}
		seen[other.Digest()] = true
	}
}

func TestSchema(t *testing.T) {
	t.Parallel()
	mine := facts.Contract{ID: "change.paths", Revision: 9, Type: facts.TypeBoolean, Aliases: []string{"mine"}}
	first := facts.Contract{ID: "a", Revision: 1, Type: facts.TypeBoolean, Aliases: []string{"b", "c", "change.kinds"}}
	second := facts.Contract{ID: "b", Revision: 2, Type: facts.TypeBoolean, Aliases: []string{"c", "d"}}
	again := facts.Contract{ID: "a", Revision: 3, Type: facts.TypeBoolean, Aliases: []string{"e"}}
	s := facts.NewSchema(mine, first, second, again)
	if got := strings.Join(s.IDs(), " "); got != "a b change.extensions change.kinds change.paths" {
		t.Error(got)
	}
	for name, want := range map[string]string{
		"a": "a 1", "b": "b 2", "c": "a 1", "d": "b 2", "change.paths": "change.paths 1", "change.kinds": "change.kinds 1", "mine": "no", "e": "no", "": "no",
	} {
		got := "no"
		if c, ok := s.Find(name); ok {
			got = fmt.Sprint(c.ID, " ", c.Revision)
		}
		if got != want {
			t.Errorf("%q is %s, not %s", name, got, want)
		}
	}
}

func TestChangeFacts(t *testing.T) {
	t.Parallel()
	got := facts.ChangeFacts([]facts.Change{{"src/b.go", facts.Changed}, {"a.d/Makefile", facts.Deleted}, {"src/a.GO", facts.Changed}, {".gitignore", facts.Added},
		{"x/.eslintrc.js", facts.Added}, {"pkg.tar.gz", facts.Added}, {"odd.", facts.Added}, {"src/b.go", facts.Changed}, {"..a", facts.Added}})
	want := facts.Values{
		"change.paths":      list{"..a", ".gitignore", "a.d/Makefile", "odd.", "pkg.tar.gz", "src/a.GO", "src/b.go", "x/.eslintrc.js"},
		"change.kinds":      list{"added", "changed", "deleted"},
		"change.extensions": list{"GO", "a", "go", "gz", "js"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	none := facts.Values{"change.paths": list{}, "change.kinds": list{}, "change.extensions": list{}}
	if diff := cmp.Diff(none, facts.ChangeFacts(nil)); diff != "" {
		t.Error(diff)
	}
	// Each value is one that its contract takes.
	for id, value := range got {
		c, _ := schema.Find(id)
		if checked, err := c.Check(value); err != nil || !cmp.Equal(checked, value) {
			t.Error(id, checked, err)
		}
	}
}
