package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/store"
)

// largeCorpus is 1,000 modules of 5 units each, with 20,000 edges to 20,000 files.
func largeCorpus() contenttest.Files {
	files := contenttest.Files{"standards/standards.yaml": "version: 1\nmodules: [\"standards/*.md\"]\n"}
	for m := range 1000 {
		var units, edges, text strings.Builder
		for u := range 5 {
			fmt.Fprintf(&units, "    - {id: m%03d.u%d, heading: [Rule %d], revision: 1}\n", m, u, u)
			fmt.Fprintf(&text, "## Rule %d\n\nWhat rule %d of module %d says, in a sentence or two as such a rule has.\n\n", u, u, m)
			for e := range 4 {
				path := fmt.Sprintf("src/m%03d/f%d%d.go", m, u, e)
				fmt.Fprintf(&edges, "    - {unit: m%03d.u%d, path: %s, relation: implementation-projection}\n", m, u, path)
				files[path] = fmt.Sprintf("package m%03d // %d %d\n", m, u, e)
			}
		}
		files[fmt.Sprintf("standards/m%03d.md", m)] = fmt.Sprintf(
			"---\nstandard:\n  id: topic.m%03d\n  role: topic\n  level: MUST\n  units:\n%s  consumers:\n%s---\n# Module %d\n\n%s", m, units.String(), edges.String(), m, text.String())
	}
	return files
}

// DESIGN 3: an edit writes a chain, not a copy. Of what one changed unit adds, its side's flat content-snapshot is the greater part.
func TestAnEditStoresAChain(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("1,000 modules")
	}
	accepted := largeCorpus()
	proposed := accepted.Clone()
	const edited = "standards/m500.md"
	proposed[edited] = strings.Replace(proposed[edited], "id: m500.u2, heading: [Rule 2], revision: 1", "id: m500.u2, heading: [Rule 2], revision: 2", 1)
	path := filepath.Join(t.TempDir(), "s", "authority.sqlite3")
	j := judge.New()
	record := func(proposed contenttest.Files) (size int64, objects map[string]int) {
		t.Helper()
		outcome, err := j.Prepare(t.Context(), judge.Request{
			Accepted: judge.Side{Info: wire.Side{Source: "commit"}, Source: accepted.Tree()},
			Proposed: judge.Side{Info: wire.Side{Source: "index"}, Source: proposed.Tree()},
			Changes:  contenttest.Changes(accepted, proposed),
		})
		if err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(t.Context(), path, judge.Codecs(), store.Create)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if err := judge.Record(t.Context(), s, outcome); err != nil {
			t.Fatal(err)
		}
		objects = map[string]int{}
		for _, kind := range judge.Codecs().Kinds() {
			ids, err := s.Find(t.Context(), kind+":", 1_000_000)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range ids {
				text, err := s.Get(t.Context(), id)
				if err != nil {
					t.Fatal(err)
				}
				objects[kind] += len(text)
			}
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size(), objects
	}
	before, had := record(accepted)
	after, has := record(proposed)
	for kind, bytes := range has {
		if bytes > had[kind] {
			t.Logf("%8d bytes of %s", bytes-had[kind], kind)
		}
	}
	if grown := after - before; grown >= 300_000 {
		t.Errorf("the store grew by %d bytes", grown)
	} else {
		t.Logf("the store grew by %d bytes, from %d", grown, before)
	}
}
