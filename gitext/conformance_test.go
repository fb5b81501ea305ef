package gitext

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// readers runs one conformance test against both readers of a repository's objects. Loose files are read by the same code in both.
func readers(t *testing.T, r *Repo, run func(t *testing.T, o Objects)) {
	t.Helper()
	if r.ObjectFormat == "sha1" {
		t.Run("libgit2", func(t *testing.T) {
			o := r.newReader(r.objectDirs(), r.dir, r.env)
			if o.packs == nil {
				t.Fatal("libgit2 does not read it")
			}
			defer o.close()
			run(t, o)
		})
	}
	t.Run("git cat-file", func(t *testing.T) {
		o := r.newReader(r.objectDirs(), r.dir, r.env)
		o.packs = nil
		defer o.close()
		run(t, o)
	})
}

// Beside is a path beside the repository.
func (f *fixture) Beside(name string) string { return filepath.Join(filepath.Dir(f.Dir), name) }

func (f *fixture) borrow(lines string) {
	f.Write(".git/objects/info/alternates", lines)
}

// extended is a repository of format version 1 with an extension.
func extended(t *testing.T, name, value string) *fixture {
	f := withHistory(t, "sha1")
	f.Git("repack", "-adq")
	f.Git("config", "core.repositoryformatversion", "1")
	f.Git("config", "extensions."+name, value)
	return f
}

// shapes are repositories as git makes them. What this git cannot make is skipped, with its reason.
var shapes = map[string]func(t *testing.T) *fixture{
	"loose":  func(t *testing.T) *fixture { return withHistory(t, "sha1") },
	"sha256": func(t *testing.T) *fixture { return withHistory(t, "sha256") },
	"deltas by offset": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		f.Git("repack", "-adfq", "--depth=10")
		return f
	},
	"deltas by id": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		f.Git("-c", "repack.useDeltaBaseOffset=false", "repack", "-adfq", "--depth=10")
		return f
	},
	"packed sha256": func(t *testing.T) *fixture {
		f := withHistory(t, "sha256")
		f.Git("gc", "-q")
		return f
	},
	"several packs and loose objects": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		f.Git("repack", "-dq")
		f.Commit("docs/a.md", "more")
		f.Git("repack", "-dq")
		f.Commit("docs/a.md", "yet more")
		return f
	},
	"multi-pack-index": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		f.Git("repack", "-dq")
		f.Commit("docs/a.md", "more")
		f.Git("repack", "-dq")
		f.Git("multi-pack-index", "write")
		return f
	},
	"a stale multi-pack-index": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		f.Git("repack", "-dq")
		f.Git("multi-pack-index", "write")
		stale, err := os.ReadFile(filepath.Join(f.Dir, ".git/objects/pack/multi-pack-index"))
		if err != nil {
			t.Fatal(err)
		}
		f.Commit("docs/a.md", "more")
		f.Git("repack", "-adfq")
		f.Write(".git/objects/pack/multi-pack-index", string(stale))
		return f
	},
	"a borrowed repository": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		f.Git("clone", "-q", "--shared", ".", "../clone")
		return f.At(f.Beside("clone"))
	},
	"borrowed by a relative path, from one that borrows": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		f.Git("repack", "-adq")
		f.Git("clone", "-q", "--shared", ".", "../second")
		second := f.At(f.Beside("second"))
		second.borrow("../../../repo/.git/objects\n")
		second.Commit("docs/a.md", "second")
		f.Git("init", "-q", "-b", "main", "../third")
		third := f.At(f.Beside("third"))
		third.borrow("# a comment\n\n../../../second/.git/objects\n")
		third.Git("reset", "-q", second.Git("rev-parse", "HEAD"))
		return third
	},
	"borrowed in a loop": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		f.Git("clone", "-q", "--shared", ".", "../clone")
		f.borrow("../../../clone/.git/objects\n" + filepath.Join(f.Dir, ".git/objects") + "\n")
		return f.At(f.Beside("clone"))
	},
	"borrowed from a quoted name": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		odd := f.Beside("odd \"name\"\n\tü")
		if err := os.Rename(f.Dir, odd); err != nil {
			t.Fatal(err)
		}
		f.gitBeside("init", "-q", "-b", "main", f.Beside("clone"))
		clone := f.At(f.Beside("clone"))
		clone.borrow(quoteC(odd+"/.git/objects") + "\n")
		clone.Git("reset", "-q", strings.TrimSpace(read(t, odd+"/.git/refs/heads/main")))
		return clone
	},
	"object directories of the environment": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		f.Git("repack", "-adq")
		objects := f.Beside("colon:name")
		if err := os.Rename(filepath.Join(f.Dir, ".git/objects"), objects); err != nil {
			t.Fatal(err)
		}
		fresh := f.Beside("fresh")
		for _, dir := range []string{fresh, filepath.Join(f.Dir, ".git/objects")} {
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		f = f.With("GIT_OBJECT_DIRECTORY="+fresh, alternates+"="+quoteC(objects))
		f.Commit("docs/a.md", "fresh")
		return f
	},
	"linked worktree": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		f.Git("worktree", "add", "-q", "../linked", "-b", "linked")
		return f.At(f.Beside("linked"))
	},
	"submodule": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		f.Git("init", "-q", "-b", "main", "../super")
		super := f.At(f.Beside("super"))
		super.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", f.Dir, "module")
		return f.At(filepath.Join(super.Dir, "module"))
	},
	"sparse checkout with its own settings": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		f.Git("repack", "-adq")
		f.Git("sparse-checkout", "set", "docs/deep")
		return f
	},
	"split index": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		f.Git("repack", "-adq")
		f.Git("update-index", "--split-index")
		return f
	},
	"sparse index": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		f.Git("sparse-checkout", "set", "--cone", "--sparse-index", "docs/deep")
		return f
	},
	"extension preciousObjects":   func(t *testing.T) *fixture { return extended(t, "preciousObjects", "false") },
	"extension objectFormat=sha1": func(t *testing.T) *fixture { return extended(t, "objectFormat", "sha1") },
	"extension worktreeConfig":    func(t *testing.T) *fixture { return extended(t, "worktreeConfig", "true") },
	"partial clone, filled": func(t *testing.T) *fixture {
		f, clone := partialClone(t)
		clone.Git("checkout", "-q", "main")
		_ = f
		return clone
	},
	"shallow clone": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		f.Git("clone", "-q", "--depth=2", "file://"+f.Dir, f.Beside("shallow"))
		return f.At(f.Beside("shallow"))
	},
	"bare": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		f.Git("clone", "-q", "--bare", ".", "../bare.git")
		return f.At(f.Beside("bare.git"))
	},
	"replace refs and grafts": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		f.Git("replace", f.Git("rev-parse", "HEAD~1"), f.Git("rev-parse", "HEAD"))
		f.Git("replace", f.Git("rev-parse", "HEAD~1:docs/a.md"), f.Git("rev-parse", "HEAD:docs/a.md"))
		f.Write(".git/info/grafts", f.Git("rev-parse", "HEAD")+"\n")
		return f
	},
	"reftable": func(t *testing.T) *fixture {
		f := newFixture(t)
		if out, err := f.Run("", "init", "-q", "-b", "main", "--ref-format=reftable", "../tables"); err != nil {
			t.Skipf("this git makes no reftable: %s", strings.SplitN(out, "\n", 2)[0])
		}
		f = f.At(f.Beside("tables"))
		for _, text := range []string{"1", "2", "3"} {
			f.Commit("docs/a.md", text, "docs/deep/er/b.md", text)
		}
		return f
	},
	"relative worktrees": func(t *testing.T) *fixture {
		f := withHistory(t, "sha1")
		if out, err := f.Run("", "worktree", "add", "-q", "--relative-paths", "../linked", "-b", "linked"); err != nil {
			t.Skipf("this git links worktrees by absolute paths alone: %s", strings.SplitN(out, "\n", 2)[0])
		}
		return f.At(f.Beside("linked"))
	},
}

// gitBeside runs git beside the repository, which may be gone.
func (f *fixture) gitBeside(args ...string) {
	f.T.Helper()
	f.At(filepath.Dir(f.Dir)).Git(args...)
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// partialClone has the trees of a history and none of its files.
func partialClone(t *testing.T) (f, clone *fixture) {
	f = withHistory(t, "sha1")
	f.Git("config", "uploadpack.allowFilter", "true")
	f.Git("config", "uploadpack.allowAnySHA1InWant", "true")
	clone = f.At(f.Beside("clone"))
	f.Git("clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+f.Dir, clone.Dir)
	return f, clone
}

// object is what git itself says of one.
type object struct{ typ, data string }

// gitObjects lists every object that git finds, with the bytes as they are, not as replace refs would have them.
func gitObjects(f *fixture) map[string]object {
	f = f.With("GIT_NO_REPLACE_OBJECTS=1")
	objects := map[string]object{}
	// The answers to a batch are "<id> <type> <size>", a line end, the bytes and a line end.
	rest := f.Git("cat-file", "--batch-all-objects", "--batch", "--unordered") + "\n"
	for rest != "" {
		head, after, _ := strings.Cut(rest, "\n")
		var id, typ string
		var size int
		if _, err := fmt.Sscan(head, &id, &typ, &size); err != nil {
			f.T.Fatalf("%q: %v", head, err)
		}
		objects[id] = object{typ, after[:size]}
		rest = after[size+1:]
	}
	return objects
}

// Every reader gives of every object what git gives, in every shape a repository can have, and the files of HEAD are git's.
func TestReadersAgreeWithGit(t *testing.T) {
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := shape(t)
			want := gitObjects(f)
			if len(want) < 10 {
				t.Fatalf("only %d objects", len(want))
			}
			r := f.open()
			tree, err := r.Tree(t.Context(), "HEAD")
			if err != nil {
				t.Fatal(err)
			}
			files := f.With("GIT_NO_REPLACE_OBJECTS=1").Git("ls-tree", "-r", "--name-only", "HEAD")
			readers(t, r, func(t *testing.T, o Objects) {
				for id, w := range want {
					if typ, data, err := o.Read(t.Context(), id); err != nil || typ != w.typ || string(data) != w.data {
						t.Fatalf("%s: %s %q, %v; git says %q", id, typ, data, err, w)
					}
					if size, ok := BlobSize(t.Context(), o, id); !ok || size != int64(len(w.data)) {
						t.Fatalf("%s has %d bytes, told are %d %v", id, len(w.data), size, ok)
					}
				}
				entries, err := WalkTree(t.Context(), o, tree)
				if err != nil {
					t.Fatal(err)
				}
				var names []string
				for _, e := range entries {
					names = append(names, e.Name)
				}
				if have := strings.Join(names, "\n"); have != files {
					t.Errorf("%q, git says %q", have, files)
				}
			})
		})
	}
}

// Packs are read by libgit2 whatever the settings, extensions and owner of the repository; it knows one object format alone.
func TestReaderChoice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		f    *fixture
		fast bool
	}{
		{"sha1", withHistory(t, "sha1"), true}, {"sha256", withHistory(t, "sha256"), false},
		{"an extension libgit2 does not know", extended(t, "preciousObjects", "true"), true},
	} {
		if c.f.Git("count-objects") != "0 objects, 0 kilobytes" {
			c.f.Git("repack", "-adq")
		}
		o, err := c.f.open().Objects(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := o.Read(t.Context(), c.f.Git("rev-parse", "HEAD")); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if started := o.(*reader).git.process != nil; started == c.fast {
			t.Errorf("%s: git was asked: %v", c.name, started)
		}
	}
}

// A replace ref must not change what stands under an id, nor must a graft change a history.
func TestReplaceRefsAndGraftsHaveNoSay(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	root := f.Commit("std.md", "first\n")
	good := f.Commit("std.md", "good\n")
	evil := f.Commit("std.md", "evil\n")
	f.Git("replace", good, evil)
	f.Write(".git/info/grafts", evil+"\n")
	if f.Git("show", good+":std.md") != "evil" || f.Git("rev-list", "--count", evil) != "1" {
		t.Fatal("the attacks do not work on git itself")
	}
	r := f.open()
	commit, err := r.Commit(t.Context(), good)
	if err != nil || commit.ID != good || len(commit.Parents) != 1 || commit.Parents[0] != root {
		t.Fatal(commit, err)
	}
	if head, err := r.Commit(t.Context(), evil); err != nil || len(head.Parents) != 1 {
		t.Error(head, err)
	}
	readers(t, r, func(t *testing.T, o Objects) {
		entries, err := WalkTree(t.Context(), o, commit.Tree, "std.md")
		if err != nil || len(entries) != 1 {
			t.Fatal(entries, err)
		}
		if data, err := ReadBlob(t.Context(), o, entries[0].ID); err != nil || string(data) != "good\n" {
			t.Errorf("%q %v", data, err)
		}
	})
}
