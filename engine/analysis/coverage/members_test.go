package coverage

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/decisionfile"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/content/contenttest"
)

// The ids that `git hash-object --stdin` gives "a\n" in a repository of each format.
const (
	sha1OfA   = "sha1:78981922613b2afb6025042ff6bd878ac1994e85"
	sha256OfA = "sha256:f8625e43f9e04f24291f77cdbe4c71b3c2a3b0003f60419b3ed06a058d766c8b"
)

func horizon(t *testing.T, include, exclude []string) *Horizon {
	t.Helper()
	declared := &authored.Horizon{Include: include}
	for _, pattern := range exclude {
		declared.Exclude = append(declared.Exclude, authored.Exclusion{Glob: pattern, Reason: "r"})
	}
	h, err := Compile(declared)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestMembersAreTheRegularFilesThatAreIncludedAndNotExcluded(t *testing.T) {
	t.Parallel()
	files := contenttest.Files{
		"a.md": "a\n", "src/a.go": "a\n", "src/a/b.go": "a\n", "src/gen/c.go": "a\n", "src/gen.go": "a\n", "src/link": contenttest.Symlink, "src/sub": contenttest.Gitlink,
		"src/\xff.go": "a\n", "standards/standards.yaml": "a\n", "standards/decisions/x/y.yaml": "a\n", "docs/d.md": "a\n", "src/café.go": "a\n",
	}
	for _, row := range []struct {
		name             string
		include, exclude []string
		want, unnamed    []string
	}{
		{"a folder", []string{"src/**"}, nil, []string{"src/a/b.go", "src/a.go", "src/café.go", "src/gen/c.go", "src/gen.go"}, []string{"src/\xff.go"}},
		{"excluded", []string{"src/**"}, []string{"src/gen/**", "src/[!a-z]*"}, []string{"src/a/b.go", "src/a.go", "src/café.go", "src/gen.go"}, nil},
		{"everything, decisions aside (A10)", []string{"**"}, []string{"src/**"}, []string{"a.md", "docs/d.md", "standards/standards.yaml"}, nil},
		{"two globs that both match", []string{"src/a.go", "src/*.go", "docs/*"}, []string{"src/\xff*"}, []string{"docs/d.md", "src/a.go", "src/café.go", "src/gen.go"}, nil},
		{"nothing", []string{"none/**"}, nil, nil, nil},
		{"decisions are asked for (A10)", []string{"standards/decisions/**"}, nil, nil, nil},
	} {
		h := horizon(t, row.include, row.exclude)
		for side, source := range map[string]content.Source{"tree": files.Tree(), "worktree": files.Worktree()} {
			m, err := h.Members(context.Background(), source, content.Empty)
			if err != nil {
				t.Fatal(row.name, err)
			}
			var paths []string
			for _, member := range m.List {
				paths = append(paths, member.Path)
				if !h.Holds(member.Path) {
					t.Errorf("%s: Holds(%q) says no", row.name, member.Path)
				}
				if side == "worktree" && member.Blob != sha1OfA {
					t.Errorf("%s: %v, want %s", row.name, member, sha1OfA)
				}
			}
			if diff := cmp.Diff(row.want, paths); diff != "" {
				t.Errorf("%s, %s: %s", row.name, side, diff)
			}
			if !slices.Equal(m.Unnamed, row.unnamed) {
				t.Errorf("%s, %s: unnamed %q", row.name, side, m.Unnamed)
			}
		}
	}
}

// named is a side some of whose files have objects, as an index beside changed files of the worktree has.
type named struct {
	content.Source
	objects map[string]string
	asked   int
}

func (n *named) List(ctx context.Context, under ...string) ([]content.Entry, error) {
	entries, err := n.Source.List(ctx, under...)
	entries = slices.Clone(entries)
	for i := range entries {
		entries[i].Object = n.objects[entries[i].Name]
	}
	return entries, err
}

// namer can tell what the others would have.
type namer struct {
	named
	would map[string]string
}

func (n *namer) Objects(_ context.Context, entries ...content.Entry) ([]string, error) {
	n.asked += len(entries)
	ids := make([]string, len(entries))
	for i, entry := range entries {
		ids[i] = n.would[entry.Name]
	}
	return ids, nil
}

func (n *named) Read(ctx context.Context, entries ...content.Entry) ([][]byte, error) {
	entries = slices.Clone(entries)
	for i := range entries {
		entries[i].Object = ""
	}
	return n.Source.Read(ctx, entries...)
}

// Whatever a source knows of its objects, a member has the id that git gives its bytes in the repository's object format.
func TestBlobsAreNamedAsGitNamesThem(t *testing.T) {
	t.Parallel()
	a1, a256 := sha1OfA[len("sha1:"):], sha256OfA[len("sha256:"):]
	files := contenttest.Files{"src/a": "a\n", "src/b": "a\n"}
	some := func(objects map[string]string) named { return named{Source: files.Worktree(), objects: objects} }
	none, sha1Side, sha256Side := some(nil), some(map[string]string{"src/b": a1}), some(map[string]string{"src/b": a256})
	for _, row := range []struct {
		name           string
		source, beside content.Source
		want           string
	}{
		{"no object anywhere", &none, content.Empty, sha1OfA},
		{"one of its own", &sha1Side, content.Empty, sha1OfA},
		{"one of its own, SHA-256", &sha256Side, content.Empty, sha256OfA},
		{"one of the other side, SHA-256", &none, &sha256Side, sha256OfA},
		{"told by the source", &namer{named: none, would: map[string]string{"src/a": a256, "src/b": a256}}, content.Empty, sha256OfA},
		{"told in part", &namer{named: sha256Side, would: map[string]string{}}, content.Empty, sha256OfA},
	} {
		m, err := horizon(t, []string{"src/*"}, nil).Members(context.Background(), row.source, row.beside)
		if err != nil {
			t.Fatal(row.name, err)
		}
		if want := []decisionfile.Member{{Path: "src/a", Blob: row.want}, {Path: "src/b", Blob: row.want}}; !slices.Equal(m.List, want) {
			t.Errorf("%s: %v", row.name, m.List)
		}
	}
}
