package gitext_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/gitext/gittest"
)

// eachReader opens a repository for each reader that knows its object format. What libgit2 reads, git must not have been asked for.
func eachReader(t *testing.T, f *gittest.Repository, run func(t *testing.T, r *gitext.Repo)) {
	t.Helper()
	for _, name := range []string{"libgit2", "git cat-file"} {
		if name == "libgit2" && f.Git("rev-parse", "--show-object-format") != "sha1" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			r, err := gitext.Open(t.Context(), gitext.Options{Dir: f.Dir, Env: f.Env})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if name != "libgit2" {
				r.ReadByGit()
			}
			run(t, r)
			if r.AskedGit() == (name == "libgit2") {
				t.Errorf("git was asked: %v", r.AskedGit())
			}
		})
	}
}

// snapshotOf reads the regular files of a side whole. Those whose names cannot be in a snapshot must be the refused ones, in order.
func snapshotOf(t *testing.T, side content.Source, refused ...string) (id string, files map[string][]byte) {
	t.Helper()
	entries, err := side.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var regular []content.Entry
	var others []string
	for _, entry := range entries {
		switch {
		case entry.Kind != content.Regular:
		case content.CheckPath(entry.Name) != nil:
			others = append(others, entry.Name)
		default:
			regular = append(regular, entry)
		}
	}
	if have, want := strings.Join(others, "\x00"), strings.Join(refused, "\x00"); have != want {
		t.Errorf("refused are %q, want %q", have, want)
	}
	data, err := side.Read(t.Context(), regular...)
	if err != nil {
		t.Fatal(err)
	}
	files = make(map[string][]byte, len(regular))
	for i, entry := range regular {
		files[entry.Name] = data[i]
	}
	return snapshotID(t, files), files
}

func snapshotID(t *testing.T, files map[string][]byte) string {
	t.Helper()
	node, err := content.NewSnapshot(files)
	if err != nil {
		t.Fatal(err)
	}
	return node.ID
}

// goTold is what the go command prints.
func goTold(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", args...).Output()
	if err != nil || len(out) < 2 {
		t.Fatalf("go %q: %v %q", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// filesBelow reads a folder as it is: every file, none of which is anything but regular.
func filesBelow(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err == nil {
			files[name], err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// tree is a folder that git-standards did not make.
type tree struct {
	name, dir string
	least     int // files, fewer than such a tree has had for years
}

// realTrees are what every machine has that builds this: sources of Go and of modules. The whole of Go's is read where wholeTrees is set.
func realTrees(t *testing.T) []tree {
	source := filepath.Join(goTold(t, "env", "GOROOT"), "src")
	trees := []tree{{"a part of the Go source tree", filepath.Join(source, "net/http"), 50}}
	if os.Getenv(wholeTrees) != "" {
		trees = []tree{{"the Go source tree", source, 10_000}}
	}
	if testing.Short() {
		return trees
	}
	for name, least := range map[string]int{"github.com/rogpeppe/go-internal": 150, "github.com/yuin/goldmark": 80, "github.com/santhosh-tekuri/jsonschema/v6": 60} {
		trees = append(trees, tree{name, goTold(t, "list", "-m", "-f", "{{.Dir}}", name), least})
	}
	return trees
}

// wholeTrees is the variable with which `make test` asks for a sweep that takes a minute.
const wholeTrees = "GIT_STANDARDS_WHOLE_TREES"

// The same bytes have one snapshot: those of a folder that is read with nothing of ours, committed, staged, checked out, and in a
// worktree of which Git knows no file, whichever reader and object format.
func TestRealTreesHaveOneSnapshot(t *testing.T) {
	for _, tree := range realTrees(t) {
		t.Run(tree.name, func(t *testing.T) {
			t.Parallel()
			want := filesBelow(t, tree.dir)
			if len(want) < tree.least {
				t.Fatalf("%d files only", len(want))
			}
			id := snapshotID(t, want)
			same := func(t *testing.T, name string, side content.Source) {
				t.Helper()
				// No name of these trees is one that cannot be in a snapshot.
				if have, files := snapshotOf(t, side); have != id || len(files) != len(want) {
					t.Errorf("the %s of %d files has the snapshot %s; %d files have %s", name, len(files), have, len(want), id)
				}
			}
			home := gittest.New(t)
			// A bit that the module cache does not keep; it is no part of a snapshot.
			executable := filepath.Join(home.Dir, slices.Min(slices.Collect(maps.Keys(want))))
			if err := errors.Join(os.CopyFS(home.Dir, os.DirFS(tree.dir)), os.Chmod(executable, 0o755)); err != nil {
				t.Fatal(err)
			}
			for _, format := range []string{"sha1", "sha256"} {
				t.Run(format, func(t *testing.T) {
					gitDir := filepath.Join(filepath.Dir(home.Dir), format+".git")
					f := &gittest.Repository{T: t, Dir: home.Dir, Env: append(slices.Clone(home.Env), "GIT_DIR="+gitDir, "GIT_WORK_TREE="+home.Dir)}
					f.Git("init", "-q", "--object-format="+format)
					// The same bytes are meant, so that attributes of the tree convert nothing.
					if err := os.WriteFile(filepath.Join(gitDir, "info/attributes"), []byte("* -text -ident -filter -working-tree-encoding\n"), 0o644); err != nil {
						t.Fatal(err)
					}
					f.Git("-c", "core.compression=0", "-c", "core.fsync=none", "-c", "core.bigFileThreshold=1", "add", "-A") // into one pack
					f.Git("commit", "-qm", "all")
					if tree.least < 10_000 {
						f.Git("repack", "-adfq", "--window=4")
					}
					committed := f.Git("rev-parse", "HEAD^{tree}")
					eachReader(t, f, func(t *testing.T, r *gitext.Repo) {
						same(t, "commit", capture.Tree(r, nil, committed))
						same(t, "index", capture.Index(r))
						same(t, "worktree", capture.Worktree(r))
					})
					if err := os.Remove(filepath.Join(gitDir, "index")); err != nil {
						t.Fatal(err)
					}
					r, err := gitext.Open(t.Context(), gitext.Options{Dir: f.Dir, Env: f.Env})
					if err != nil {
						t.Fatal(err)
					}
					defer r.Close()
					same(t, "worktree of new files", capture.Worktree(r))
				})
			}
		})
	}
}
