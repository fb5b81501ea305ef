package analysis

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/analysis/ask"
	"github.com/git-standards/git-standards/engine/analysis/coverage"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/analysis/state"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/trust"
)

// base is a small repository in which each kind of edge stands once.
func base() contenttest.Files {
	return contenttest.Files{
		"standards/standards.yaml": "version: 1\nmodules: [\"standards/**/*.md\"]\n",
		"standards/api.md": `---
title: API
standard:
  id: topic.api
  role: topic
  level: MUST
  units:
    - {id: api.errors, heading: [Errors], revision: 1}
    - {id: api.names, heading: [Names], revision: 1}
  consumers:
    - {unit: api.errors, path: docs/errors.md, relation: documentation-projection}
    - {unit: api.errors, glob: "src/err/*.go", relation: implementation-projection}
    - {unit: api.errors, module: topic.http, relation: normative-consumer}
    - {unit: api.names, path: docs/names.md, relation: documentation-projection}
---
# API

What a client sees.

## Errors

Every error carries a stable code that
clients can match.

## Names

Names are lower case.
`,
		"standards/http.md": `---
standard:
  id: topic.http
  role: topic
  level: SHOULD
  requires: [topic.api]
  units:
    - {id: http.codes, heading: [Codes], revision: 1}
  consumers:
    - {unit: http.codes, path: docs/errors.md, relation: documentation-projection}
---
# HTTP

## Codes

A missing thing is 404.
`,
		"standards/glossary.md": `---
standard:
  id: ref.glossary
  role: reference
  level: REFERENCE
  units:
    - {id: glossary.code, heading: [Code], revision: 1}
  consumers:
    - {unit: glossary.code, path: docs/errors.md, relation: reference-projection}
---
# Glossary

## Code

A code is a word.
`,
		"docs/errors.md": "Errors.\n",
		"docs/names.md":  "Names.\n",
		"src/err/a.go":   "package err // a\n",
		"src/err/b.go":   "package err // b\n",
		"src/main.go":    "package main\n",
	}
}

// edit changes one side.
type edit func(t rapid.TB, files contenttest.Files)

// sub replaces text that stands in a file exactly once.
func sub(file, old, now string) edit {
	return func(t rapid.TB, files contenttest.Files) {
		t.Helper()
		if n := strings.Count(files[file], old); n != 1 {
			t.Fatalf("%q stands %d times in %s", old, n, file)
		}
		files[file] = strings.Replace(files[file], old, now, 1)
	}
}

func write(file, text string) edit {
	return func(_ rapid.TB, files contenttest.Files) { files[file] = text }
}

func remove(file string) edit {
	return func(_ rapid.TB, files contenttest.Files) { delete(files, file) }
}

// raise gives a unit of api.md or http.md another revision.
func raise(unit string, from, to int) edit {
	file := "standards/api.md"
	if unit == "http.codes" {
		file = "standards/http.md"
	}
	return func(t rapid.TB, files contenttest.Files) {
		t.Helper()
		at := strings.Index(files[file], "{id: "+unit+",")
		before, row, after := files[file][:at], files[file][at:], ""
		row, after, _ = strings.Cut(row, "\n")
		old := fmt.Sprintf("revision: %d}", from)
		if !strings.Contains(row, old) {
			t.Fatalf("%s is not at revision %d", unit, from)
		}
		files[file] = before + strings.Replace(row, old, fmt.Sprintf("revision: %d}", to), 1) + "\n" + after
	}
}

func apply(t rapid.TB, files contenttest.Files, edits ...edit) contenttest.Files {
	t.Helper()
	files = files.Clone()
	for _, e := range edits {
		e(t, files)
	}
	return files
}

// judgeSources judges two sides that are compiled anew, with no cache between them.
func judgeSources(t rapid.TB, accepted, proposed content.Source, changes []content.Change) (*Verdict, error) {
	t.Helper()
	ctx := context.Background()
	old, err := corpus.NewCompiler().Compile(ctx, accepted)
	if err != nil {
		t.Fatal(err)
	}
	now, err := corpus.NewCompiler().Compile(ctx, proposed)
	if err != nil {
		t.Fatal(err)
	}
	return Judge(ctx, ask.Sides{Accepted: old, Proposed: now, AcceptedSource: accepted, ProposedSource: proposed, Changes: changes})
}

func judgeFiles(t rapid.TB, accepted, proposed contenttest.Files) (*Verdict, error) {
	t.Helper()
	return judgeSources(t, accepted.Tree(), proposed.Tree(), contenttest.Changes(accepted, proposed))
}

func mustJudge(t rapid.TB, accepted, proposed contenttest.Files) *Verdict {
	t.Helper()
	v, err := judgeFiles(t, accepted, proposed)
	if err != nil {
		t.Fatalf("%v%s", err, list(err))
	}
	return v
}

// list renders all findings of an error for a failed test.
func list(err error) string {
	var findings *corpus.FindingsError
	var b strings.Builder
	if errors.As(err, &findings) {
		for _, f := range findings.Findings {
			fmt.Fprintf(&b, "\n%s:%d: %s %s", f.File, f.Line, f.Code, f.Message)
		}
	}
	return b.String()
}

// describe renders a question as the tables write it; " +" stands where `updated` is offered.
func describe(q *question.Question) string {
	text := q.Kind + " " + q.Reason + " "
	switch {
	case q.Reason == question.DeclarationChanged:
		return fmt.Sprintf("%s%s %s → %s", text, q.Declaration, value(q.Record["old"]), value(q.Record["new"]))
	case q.Reason == question.BaseInvalid:
		return text + q.Declaration
	case q.Kind == question.Fact:
		return text + strings.TrimPrefix(q.Declaration, question.FactDeclaration)
	case q.Unit != "":
		text += q.Unit
	default:
		text += q.Module
	}
	if q.Consumer != "" {
		relation, _ := q.Record["relation"].(string)
		text += " > " + q.Consumer + " " + relation
	}
	if q.Updatable {
		text += " +"
	}
	return text
}

// value is a declared value in canonical JSON.
func value(v any) string {
	text, err := identity.Encode(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func ids(questions []*question.Question) []string {
	out := make([]string, len(questions))
	for i, q := range questions {
		out[i] = q.ID
	}
	return out
}

// rootID builds and proves the whole state: every object under it must seal, open and have the parts it names.
func rootID(t rapid.TB, v *Verdict) string {
	t.Helper()
	codecs := authority.Compose(state.Codecs(), coverage.Codecs(), authority.CodecSet(), trust.Codecs(), corpus.Codecs(), content.Codecs())
	prove(t, codecs, v.Root, map[string]bool{})
	return v.Root.ID
}

func prove(t rapid.TB, codecs authority.Codecs, node authority.Node, seen map[string]bool) {
	t.Helper()
	if seen[node.ID] {
		return
	}
	seen[node.ID] = true
	codec, ok := codecs.Find(node.Kind)
	if !ok {
		t.Fatalf("no codec for %s", node.Kind)
	}
	payload, err := node.Payload()
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := codec.Seal(payload)
	if err != nil || sealed.Reference != node.Reference {
		t.Fatalf("%s seals as %s: %v", node.ID, sealed.ID, err)
	}
	text, err := sealed.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := codecs.Open(node.ID, text); err != nil {
		t.Fatal(err)
	}
	built := map[authority.Reference]bool{}
	for _, part := range node.Parts {
		built[part.Reference] = true
		prove(t, codecs, part, seen)
	}
	if len(built) != len(sealed.Dependencies) {
		t.Fatalf("%s names %d objects and builds %d", node.ID, len(sealed.Dependencies), len(built))
	}
	for _, d := range sealed.Dependencies {
		if !built[d] {
			t.Fatalf("%s does not build %s", node.ID, d.ID)
		}
	}
}
