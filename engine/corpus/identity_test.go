package corpus_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// rich has a list of every kind, of two entries each.
func rich() contenttest.Files {
	return side(contenttest.Files{
		manifest: "version: 1\nmodules: [\"standards/*.md\", \"standards/deep/*.md\"]\ngate: {base: main, protected: [main, dev], block: [MUST, SHOULD]}\n",
		"standards/deep/b.md": `---
title: B
standard:
  id: topic.b
  role: topic
  level: SHOULD
  title: About B
  applies-when: always
  does-not-apply-when: never
  verification: by hand
  owner: ann
  requires: [topic.a, topic.c]
  specializes: [topic.a, topic.c]
  units:
    - {id: b.one, heading: [One], revision: 3, aliases: [b.first, b.uno], predecessors: [b.x, b.y], successors: [a.one, b.two]}
    - {id: b.two, heading: [One, Two], revision: 1}
  tombstones:
    - {id: b.old, retired-revision: 2, successors: [b.one, b.two], evidence: docs/why.md}
    - {id: b.older, retired-revision: 1}
  consumers:
    - {unit: b.one, path: x, relation: fixture-projection, rationale: because, evidence-owner: bob}
    - {unit: a.one, module: topic.b, relation: normative-consumer}
    - {unit: b.two, glob: "*.go", relation: implementation-projection}
---
# B

Text.

## One

One.

### Two

Two.
`,
		"standards/c.md": module("topic.c", "c.one"),
	})
}

// payload is what a corpus or module object says, without the digests of the file's own bytes.
func payload(t *testing.T, node authority.Node) string {
	t.Helper()
	value, err := node.Payload()
	if err != nil {
		t.Fatal(err)
	}
	record := maps.Clone(value.(identity.Record))
	for _, key := range []string{"file", "snapshot", "members"} {
		delete(record, key)
	}
	text, err := identity.Encode(record)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// RULES C14, D2: the order in which lists were written says nothing; only the digests of the bytes know it.
func TestOrderOfListsSaysNothing(t *testing.T) {
	t.Parallel()
	const file = "standards/deep/b.md"
	before := compile(t, rich())
	if len(before.Findings) > 0 {
		t.Fatal(before.Findings)
	}
	for _, swap := range [][2]string{
		{"requires: [topic.a, topic.c]", "requires: [topic.c, topic.a]"}, {"specializes: [topic.a, topic.c]", "specializes: [topic.c, topic.a]"},
		{"[b.first, b.uno]", "[b.uno, b.first]"}, {"[b.x, b.y]", "[b.y, b.x]"}, {"[a.one, b.two]", "[b.two, a.one]"}, {"[b.one, b.two]", "[b.two, b.one]"},
	} {
		files := rich()
		if files[file] = strings.Replace(files[file], swap[0], swap[1], 1); files[file] == rich()[file] {
			t.Fatalf("%s does not stand there", swap[0])
		}
		after := compile(t, files)
		if diff := cmp.Diff(payload(t, before.Module("topic.b").Node), payload(t, after.Module("topic.b").Node)); diff != "" {
			t.Errorf("%s: %s", swap[0], diff)
		}
	}
	for _, rows := range []string{"  units:\n", "  tombstones:\n", "  consumers:\n"} {
		files := rich()
		head, rest, _ := strings.Cut(files[file], rows)
		first, rest, _ := strings.Cut(rest, "\n")
		second, rest, _ := strings.Cut(rest, "\n")
		files[file] = head + rows + second + "\n" + first + "\n" + rest
		if diff := cmp.Diff(payload(t, before.Module("topic.b").Node), payload(t, compile(t, files).Module("topic.b").Node)); diff != "" {
			t.Errorf("%s: %s", rows, diff)
		}
	}
	files := rich()
	files[manifest] = "version: 1\ngate: {block: [SHOULD, MUST], protected: [dev, main], base: main}\nmodules: [\"standards/deep/*.md\", \"standards/*.md\"]\n"
	after := compile(t, files)
	if diff := cmp.Diff(payload(t, before.Node), payload(t, after.Node)); diff != "" {
		t.Error(diff)
	}
	if before.Module("topic.b").Node.ID != after.Module("topic.b").Node.ID || before.Node.ID == after.Node.ID {
		t.Error("a module's id follows its own bytes, the corpus's those of the manifest too")
	}
}

// Any byte of a file of the corpus is in the ids of the snapshot and the corpus, and of that module and no other.
func TestIDsChangeWithAnyByteAndWithNoOther(t *testing.T) {
	t.Parallel()
	before := compile(t, rich())
	rapid.Check(t, func(t *rapid.T) {
		files := rich()
		file := rapid.SampledFrom([]string{"standards/a.md", "standards/deep/b.md", "standards/c.md", manifest}).Draw(t, "file")
		at := rapid.IntRange(0, len(files[file])-1).Draw(t, "at")
		text := []byte(files[file])
		text[at] ^= 1 << rapid.IntRange(0, 6).Draw(t, "bit")
		files[file] = string(text)
		after, err := corpus.NewCompiler().Compile(context.Background(), files.Tree())
		if err != nil {
			t.Fatal(err)
		}
		if corpus.HasErrors(after.Findings) || len(after.Modules) != 3 {
			return // no longer a corpus, or a module less
		}
		if after.Node.ID == before.Node.ID || after.Snapshot.ID == before.Snapshot.ID {
			t.Fatalf("byte %d of %s is in no id", at, file)
		}
		for _, m := range after.Modules {
			if old := before.Module(m.ID); old != nil && (old.Node.ID == m.Node.ID) != (m.File != file) {
				t.Fatalf("byte %d of %s: module %s", at, file, m.ID)
			}
		}
	})
	other := compile(t, rich().With(contenttest.Files{"docs/x.md": "x", "standards/decisions/d.yaml": "x", "standards/readme.md": "no module"}))
	if other.Node.ID != before.Node.ID {
		t.Error("a file that is no module is in the corpus")
	}
}

// summary is everything that a corpus says.
func summary(c *corpus.Corpus) string {
	var b strings.Builder
	fmt.Fprintln(&b, c.Node.ID, c.Snapshot.ID, c.Ignored, c.Findings)
	for _, m := range c.Modules {
		fmt.Fprintln(&b, m.ID, m.File, m.Node.ID, m.Outside)
	}
	for _, u := range c.Units() {
		fmt.Fprintln(&b, u.ID, u.Module.File, u.Structure, u.Representation, u.TextLine)
	}
	return b.String()
}

// One compiler for many sides says what a new one says of each.
func TestTheCacheChangesNothing(t *testing.T) {
	t.Parallel()
	texts := []string{module("topic.x", "x.one"), module("topic.x", "x.two"), module("topic.y", "y.one", "  requires: [topic.x]"), module("topic.y", "x.one"),
		"# no module\n", "---\nstandard: {id: z}\n---\n", "---\nstandard:\n", contenttest.Symlink, ""}
	rapid.Check(t, func(t *rapid.T) {
		compiler := corpus.NewCompiler()
		for range 3 {
			files := side(nil)
			for _, name := range []string{"standards/p.md", "standards/q.md", "standards/r/s.md"} {
				files = files.With(contenttest.Files{name: rapid.SampledFrom(texts).Draw(t, name)})
			}
			source := files.Tree()
			if rapid.Bool().Draw(t, "worktree") {
				source = files.Worktree()
			}
			cached, err := compiler.Compile(context.Background(), source)
			if err != nil {
				t.Fatal(err)
			}
			fresh, err := corpus.NewCompiler().Compile(context.Background(), files.Worktree())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(summary(fresh), summary(cached)); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

func TestEveryObjectOfACorpusSealsAndOpens(t *testing.T) {
	t.Parallel()
	codecs := authority.Compose(corpus.Codecs(), content.Codecs())
	seen := map[string]int{}
	var walk func(node authority.Node)
	walk = func(node authority.Node) {
		codec, _ := codecs.Find(node.Kind)
		value, err := node.Payload()
		if err != nil {
			t.Fatal(err)
		}
		sealed, err := codec.Seal(value)
		if err != nil || sealed.Reference != node.Reference {
			t.Fatalf("%s: %v", node.ID, err)
		}
		text, err := sealed.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := codecs.Open(node.ID, text); err != nil {
			t.Fatal(err)
		}
		if node.Kind != content.FileCodec.Kind && node.Kind != content.SnapshotCodec.Kind {
			tamper(t, codecs, sealed)
		}
		seen[node.Kind]++
		var built []authority.Reference
		for _, part := range node.Parts {
			built = append(built, part.Reference)
			walk(part)
		}
		if !slices.Equal(authority.SortReferences(built), sealed.Dependencies) {
			t.Errorf("%s builds other parts than it names", node.ID)
		}
	}
	walk(compile(t, rich()).Node)
	if seen["canonical-standards-corpus"] != 1 || seen["standards-module"] != 3 || seen["content-snapshot"] != 1 || seen["content-file"] != 4+3 {
		t.Error(seen)
	}
}

// tamper opens the object with each field changed, left out and added.
func tamper(t *testing.T, codecs authority.Codecs, sealed authority.Envelope) {
	t.Helper()
	refuse := func(what string, change func(identity.Record)) {
		other := sealed
		record := maps.Clone(sealed.Payload.(identity.Record))
		change(record)
		other.Payload = record
		text, err := other.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := codecs.Open(sealed.ID, text); !fault.Is(err, "ENVELOPE.CORRUPT") {
			t.Errorf("%s with %s: %v", sealed.Kind, what, err)
		}
	}
	for key := range sealed.Payload.(identity.Record) {
		refuse("another "+key, func(r identity.Record) { r[key] = "other" })
		refuse("no "+key, func(r identity.Record) { delete(r, key) })
	}
	refuse("one field more", func(r identity.Record) { r["note"] = "x" })
}
