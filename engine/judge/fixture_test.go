package judge_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content/contenttest"
	"github.com/git-standards/git-standards/engine/fault"
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

// memory is a store in a map: what authority.Repository promises, by the envelopes themselves.
type memory map[string][]byte

func (m memory) Put(ctx context.Context, nodes ...authority.Node) error {
	codecs := judge.Codecs()
	for _, node := range nodes {
		if _, stored := m[node.ID]; stored {
			continue
		}
		payload, err := node.Payload()
		if err != nil {
			return err
		}
		if err := m.Put(ctx, node.Parts...); err != nil {
			return err
		}
		codec, _ := codecs.Find(node.Kind)
		sealed, err := codec.Seal(payload)
		if err != nil {
			return err
		}
		if sealed.Reference != node.Reference {
			return fmt.Errorf("%s seals as %s", node.ID, sealed.ID)
		}
		if m[node.ID], err = sealed.Encode(); err != nil {
			return err
		}
	}
	return nil
}

func (m memory) Get(_ context.Context, id string) ([]byte, error) {
	text, ok := m[id]
	if !ok {
		return nil, fault.New(fault.Unavailable, "HANDLE.UNKNOWN", id, "not in this store")
	}
	return text, nil
}

func (m memory) Find(_ context.Context, prefix string, limit int) ([]string, error) {
	var found []string
	for _, id := range slices.Sorted(maps.Keys(m)) {
		if strings.HasPrefix(id, prefix) && len(found) < limit {
			found = append(found, id)
		}
	}
	return found, nil
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
