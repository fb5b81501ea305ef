package judge_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/judge"
)

// watching is base with an edge along which a change of the consumer asks.
func watching() contenttest.Files {
	return sub(base(), api, "docs/errors.md, rel", "docs/errors.md, on: [policy, consumer], rel")
}

func TestRelevant(t *testing.T) {
	t.Parallel()
	noFile := base().With(contenttest.Files{manifest: "", manifest + "/x": "modules"})
	for _, row := range []struct {
		name               string
		accepted, proposed contenttest.Files
		want               bool
	}{
		{"nothing", base(), base(), false},
		{"another file", base(), base().With(contenttest.Files{"README": "x", "new": "x"}), false},
		{"a consumer", base(), base().With(contenttest.Files{"docs/errors.md": "x"}), false},
		{"a module", base(), raised(), true},
		{"a consumer that is watched (C9)", watching(), watching().With(contenttest.Files{"docs/errors.md": "x"}), true},
		{"a file beside one that is watched", watching(), watching().With(contenttest.Files{"README": "x"}), false},
		{"a consumer that is watched, in other words", sub(watching(), api, "[policy, consumer]", `["policy", "\x63onsumer"]`), sub(watching(), api, "[policy, consumer]", `["policy", "\x63onsumer"]`).With(contenttest.Files{"docs/errors.md": "x"}), true},
		{"a file that a glob matches", base(), base().With(contenttest.Files{"standards/x.md": "x"}), true},
		{"the manifest", base(), sub(base(), manifest, "version: 1", "version: 1 # one"), true},
		{"authority", base(), base().With(contenttest.Files{corpus.AuthorityPath: "x"}), true},
		{"another file beside an accepted authority", base().With(contenttest.Files{corpus.AuthorityPath: authorityText}),
			base().With(contenttest.Files{corpus.AuthorityPath: authorityText, "README": "x"}), false},
		{"an accepted authority that cannot be read", base().With(contenttest.Files{corpus.AuthorityPath: "x"}),
			base().With(contenttest.Files{corpus.AuthorityPath: "x", "README": "x"}), true},
		{"a folder of the authority's name", base(), base().With(contenttest.Files{corpus.AuthorityPath + "/x": "x"}), true},
		{"another file beside an accepted folder of the authority's name", base().With(contenttest.Files{corpus.AuthorityPath + "/x": "x"}),
			base().With(contenttest.Files{corpus.AuthorityPath + "/x": "x", "README": "x"}), true},
		{"a decision", base(), base().With(contenttest.Files{"standards/decisions/x/y.yaml": "x"}), true},
		{"a deletion", base(), base().With(contenttest.Files{"README": ""}), true},
		{"a file that becomes a link", base(), base().With(contenttest.Files{"README": contenttest.Symlink}), true},
		{"no standards", contenttest.Files{"a": "1"}, contenttest.Files{"a": "2"}, false},
		{"a folder of the manifest's name", noFile, noFile.With(contenttest.Files{"README": "x"}), false},
		{"adoption", contenttest.Files{}, base(), true},
		{"a glob of the accepted side alone", sub(base(), manifest, "standards/**/*.md\"", "standards/**/*.md\", \"docs/*.md\""), base().With(contenttest.Files{"docs/errors.md": "x"}), true},
		{"a manifest that cannot be read", base().With(contenttest.Files{manifest: "x"}), base().With(contenttest.Files{manifest: "x", "README": "x"}), true},
	} {
		got, err := judge.Relevant(context.Background(), request(row.accepted, row.proposed))
		if err != nil || got != row.want {
			t.Errorf("%s: %v %v", row.name, got, err)
		}
		has, err := judge.HasManifest(context.Background(), row.proposed.Tree())
		if want := row.proposed[manifest] != ""; err != nil || has != want {
			t.Errorf("%s: has a manifest: %v %v", row.name, has, err)
		}
	}
}

// Whatever changes: where Relevant says false, judging in full asks nothing, refuses nothing and finds no standard touched.
func TestIrrelevantIsCompleteAndUntouched(t *testing.T) {
	t.Parallel()
	names := []string{manifest, corpus.AuthorityPath, corpus.AuthorityPath + "/x", api, "standards/b.md", "standards/deep/c.md", "standards/decisions/api-errors/d.yaml", "standards/x.txt",
		"docs/errors.md", "docs/other.md", "src/a.go", "src/b.go", "src/deep/c.go", "README"}
	texts := []string{"", "x", contenttest.Symlink, contenttest.Gitlink, "---\nstandard:\n", raised()[api]}
	irrelevant := 0
	rapid.Check(t, func(t *rapid.T) {
		accepted := base()
		if rapid.Bool().Draw(t, "watching") {
			accepted = watching()
		}
		for _, name := range []string{"docs/errors.md", "src/a.go", "src/b.go", "docs/other.md"} {
			if rapid.IntRange(0, 3).Draw(t, "accepted") == 0 {
				accepted = accepted.With(contenttest.Files{name: rapid.SampledFrom(texts[:4]).Draw(t, name)})
			}
		}
		proposed := accepted.With(contenttest.Files(rapid.MapOfN(rapid.SampledFrom(names), rapid.SampledFrom(texts), 0, 3).Draw(t, "changes")))
		relevant, err := judge.Relevant(context.Background(), request(accepted, proposed))
		if err != nil {
			t.Fatal(err)
		}
		if relevant {
			return
		}
		irrelevant++
		outcome, err := prepare(t, accepted, proposed)
		if err != nil {
			t.Fatalf("irrelevant, and %v", err)
		}
		if outcome.Analysis == nil || outcome.Analysis.Result != "complete" || outcome.Verdict.Touched || len(outcome.Verdict.Asked) > 0 {
			t.Fatalf("irrelevant, and %+v", outcome.Analysis)
		}
	})
	if irrelevant == 0 {
		t.Error("no case was irrelevant")
	}
}
