package judge_test

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/authority/authoritytest"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/engine/wire"
)

const (
	manifest = "standards/standards.yaml"
	api      = "standards/api.md"
)

func base() contenttest.Files {
	return contenttest.Files{
		manifest: "version: 1\nmodules: [\"standards/**/*.md\"]\n",
		api: `---
standard:
  id: topic.api
  role: topic
  level: MUST
  units:
    - {id: api.errors, heading: [Errors], revision: 1}
  consumers:
    - {unit: api.errors, path: docs/errors.md, relation: documentation-projection}
    - {unit: api.errors, glob: "src/*.go", relation: implementation-projection}
---
# API

## Errors

Every error carries a code.
`,
		"docs/errors.md": "Errors.\n",
		"src/a.go":       "package a\n",
		"README":         "hello\n",
	}
}

func sub(files contenttest.Files, file, old, now string) contenttest.Files {
	files = files.Clone()
	files[file] = strings.Replace(files[file], old, now, 1)
	return files
}

func raised() contenttest.Files { return sub(base(), api, "revision: 1", "revision: 2") }

func request(accepted, proposed contenttest.Files) judge.Request {
	return judge.Request{
		Accepted: judge.Side{Info: wire.Side{Source: "commit"}, Source: accepted.Tree()},
		Proposed: judge.Side{Info: wire.Side{Source: "index"}, Source: proposed.Tree()},
		Changes:  contenttest.Changes(accepted, proposed),
		Notices:  []wire.Notice{{Code: "CALLER", Message: "said by the caller"}},
	}
}

func prepare(t rapid.TB, accepted, proposed contenttest.Files) (*judge.Outcome, error) {
	t.Helper()
	return judge.New().Prepare(context.Background(), request(accepted, proposed))
}

// memory is a store in a map.
type memory map[string][]byte

func (m memory) Put(_ context.Context, nodes ...authority.Node) error {
	return authoritytest.Memory(m).Store(judge.Codecs(), nodes...)
}

func (m memory) Get(ctx context.Context, id string) ([]byte, error) {
	return authoritytest.Memory(m).Get(ctx, id)
}

func (m memory) Find(ctx context.Context, prefix string, limit int) ([]string, error) {
	return authoritytest.Memory(m).Find(ctx, prefix, limit)
}

func code(err error) string {
	if err == nil {
		return ""
	}
	return judge.Reject(err).Code
}

func shape(t testing.TB, result any) string {
	t.Helper()
	text, err := wire.JSON(result)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
