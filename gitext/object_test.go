package gitext

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

// history gives a repository with blobs, nested trees, commits and an annotated tag, near enough alike to be deltas.
func withHistory(t *testing.T, format string) *fixture {
	f := newFixture(t, "--object-format="+format)
	text := strings.Repeat("a line that repeats\n", 200)
	for i := range 4 {
		f.Commit("docs/a.md", fmt.Sprintf("%s%d\n", text, i), "docs/deep/er/b.md", fmt.Sprint(i), "empty", "")
	}
	f.Git("tag", "-a", "-m", "a tag", "v1")
	return f
}

// readers runs a conformance test against every reader that a repository can have.
func readers(t *testing.T, r *Repo, run func(t *testing.T, o Objects)) {
	t.Run("batch", func(t *testing.T) {
		b := newBatch(r.git, r.dir, r.env)
		defer b.close()
		run(t, b)
	})
	t.Run("with loose files", func(t *testing.T) {
		o := &reader{dirs: withAlternates(r.objectDirs()), git: newBatch(r.git, r.dir, r.env)}
		defer o.close()
		run(t, o)
	})
	if r.ObjectFormat == "sha256" {
		return
	}
	t.Run("libgit2", func(t *testing.T) {
		o := &reader{dirs: withAlternates(r.objectDirs()), packs: openLibgit2(r), git: newBatch(r.git, r.dir, r.env)}
		if o.packs == nil {
			t.Fatal("libgit2 does not open it")
		}
		defer o.close()
		run(t, o)
	})
}

func TestReadersAgreeWithGit(t *testing.T) {
	shapes := map[string]func(t *testing.T) *fixture{
		"loose":  func(t *testing.T) *fixture { return withHistory(t, "sha1") },
		"sha256": func(t *testing.T) *fixture { return withHistory(t, "sha256") },
		"packed deltas": func(t *testing.T) *fixture {
			f := withHistory(t, "sha1")
			f.Git("repack", "-adfq", "--depth=10")
			return f
		},
		"sha256 packed": func(t *testing.T) *fixture {
			f := withHistory(t, "sha256")
			f.Git("gc", "-q")
			return f
		},
		"alternates": func(t *testing.T) *fixture {
			f := withHistory(t, "sha1")
			f.Git("clone", "-q", "--shared", ".", "../clone")
			return f.At(filepath.Join(filepath.Dir(f.Dir), "clone"))
		},
		"linked worktree": func(t *testing.T) *fixture {
			f := withHistory(t, "sha1")
			f.Git("worktree", "add", "-q", "../linked", "-b", "linked")
			return f.At(filepath.Join(filepath.Dir(f.Dir), "linked"))
		},
	}
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := shape(t)
			raw := map[string][2]string{}
			for line := range strings.SplitSeq(f.Git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)"), "\n") {
				id, typ, _ := strings.Cut(line, " ")
				raw[id] = [2]string{typ, f.Git("cat-file", typ, id)}
			}
			if len(raw) < 20 {
				t.Fatalf("only %d objects", len(raw))
			}
			readers(t, f.open(), func(t *testing.T, o Objects) {
				for id, want := range raw {
					typ, data, err := o.Read(t.Context(), id)
					if err != nil || typ != want[0] || strings.TrimSuffix(string(data), "\n") != want[1] {
						t.Fatalf("%s: %s %q, %v; git says %q", id, typ, data, err, want)
					}
				}
			})
		})
	}
}

func TestReaderChoice(t *testing.T) {
	t.Parallel()
	plain, other := withHistory(t, "sha1"), withHistory(t, "sha256")
	extended := withHistory(t, "sha1")
	extended.Git("config", "core.repositoryformatversion", "1")
	extended.Git("config", "extensions.preciousObjects", "true")
	for _, c := range []struct {
		name string
		f    *fixture
		fast bool
	}{
		{"sha1", plain, true}, {"sha256", other, false}, {"an extension libgit2 does not know", extended, false},
		{"an object directory in the environment", plain.With("GIT_OBJECT_DIRECTORY=" + filepath.Join(plain.Dir, ".git/objects")), false},
	} {
		r := c.f.open()
		o, err := r.Objects(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if fast := o.(*reader).packs != nil; fast != c.fast {
			t.Errorf("%s: libgit2 is used: %v", c.name, fast)
		}
		if _, _, err := o.Read(t.Context(), c.f.Git("rev-parse", "HEAD")); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func loosePath(f *fixture, id string) string {
	return filepath.Join(f.Dir, ".git/objects", id[:2], id[2:])
}

func replaceFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o444); err != nil {
		t.Fatal(err)
	}
}

func deflate(text string) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	fmt.Fprint(w, text)
	w.Close()
	return b.Bytes()
}

// Damage to an object is found by every reader, is never other bytes, and does not spoil the next read.
func TestReadersRefuseDamage(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		for name, damage := range map[string]func(t *testing.T, f *fixture, victim, other string){
			"swapped": func(t *testing.T, f *fixture, victim, other string) {
				data, err := os.ReadFile(loosePath(f, other))
				if err != nil {
					t.Fatal(err)
				}
				replaceFile(t, loosePath(f, victim), data)
			},
			"flipped bits": func(t *testing.T, f *fixture, victim, _ string) {
				data, _ := os.ReadFile(loosePath(f, victim))
				data[len(data)/2] ^= 0xff
				replaceFile(t, loosePath(f, victim), data)
			},
			"truncated": func(t *testing.T, f *fixture, victim, _ string) {
				data, _ := os.ReadFile(loosePath(f, victim))
				replaceFile(t, loosePath(f, victim), data[:len(data)/2])
			},
			"empty": func(t *testing.T, f *fixture, victim, _ string) { replaceFile(t, loosePath(f, victim), nil) },
			"another type": func(t *testing.T, f *fixture, victim, _ string) {
				replaceFile(t, loosePath(f, victim), deflate("tree 7\x00victim\n"))
			},
			"a size that is not its own": func(t *testing.T, f *fixture, victim, _ string) {
				replaceFile(t, loosePath(f, victim), deflate("blob 9999\x00victim\n"))
			},
			"trailing bytes": func(t *testing.T, f *fixture, victim, _ string) {
				replaceFile(t, loosePath(f, victim), deflate("blob 7\x00victim\nmore"))
			},
		} {
			t.Run(format+" "+name, func(t *testing.T) {
				t.Parallel()
				f := newFixture(t, "--object-format="+format)
				victim, other := f.Feed("victim\n", "hash-object", "-w", "--stdin"), f.Feed("other\n", "hash-object", "-w", "--stdin")
				damage(t, f, victim, other)
				readers(t, f.open(), func(t *testing.T, o Objects) {
					typ, data, err := o.Read(t.Context(), victim)
					if err == nil && (typ != "blob" || string(data) != "victim\n") {
						t.Errorf("other bytes: %s %q", typ, data)
					}
					// Git calls a file that it cannot open missing, and what only trails an object it passes over.
					if err != nil && !fault.Is(err, "OBJECT.MISSING") {
						if e := wantFault(t, err, fault.Unavailable, "OBJECT.CORRUPT"); e.Target != victim {
							t.Errorf("damage of %s is put down to %s", victim, e.Target)
						}
					}
					if err == nil && name != "trailing bytes" {
						t.Error("the damage is not noticed")
					}
					if typ, data, err := o.Read(t.Context(), other); err != nil || typ != "blob" || string(data) != "other\n" {
						t.Errorf("after damage: %s %q %v", typ, data, err)
					}
				})
			})
		}
	}
}

func TestReadersSayWhatIsMissing(t *testing.T) {
	t.Parallel()
	f := withHistory(t, "sha1")
	r := f.open()
	readers(t, r, func(t *testing.T, o Objects) {
		for _, id := range []string{strings.Repeat("ab", 20), strings.Repeat("0", 40), "HEAD", "", "abc\nHEAD", strings.Repeat("ab", 32)} {
			_, _, err := o.Read(t.Context(), id)
			wantFault(t, err, fault.Unavailable, "OBJECT.MISSING")
		}
		blob := f.Git("rev-parse", "HEAD:empty")
		if _, err := ReadTree(t.Context(), o, blob); !fault.Is(err, "OBJECT.CORRUPT") {
			t.Errorf("a blob read as a tree: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := o.Read(ctx, blob); err != context.Canceled {
			t.Errorf("cancelled: %v", err)
		}
	})
}

// A replace ref must not change what stands under an id, nor must a graft change a history.
func TestReplaceRefsHaveNoSay(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	good := f.Commit("std.md", "good\n")
	evil := f.Commit("std.md", "evil\n")
	f.Git("replace", good, evil)
	if f.Git("show", good+":std.md") != "evil" {
		t.Fatal("the attack does not work on git itself")
	}
	r := f.open()
	commit, err := r.Commit(t.Context(), good)
	if err != nil || commit.ID != good {
		t.Fatal(commit, err)
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

// In a partial clone what is not here is asked of the remote, and is missing, not absent, where that cannot be reached.
func TestPartialClone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Commit("a", "1", "b", "2")
	f.Git("config", "uploadpack.allowFilter", "true")
	f.Git("config", "uploadpack.allowAnySHA1InWant", "true")
	a, b := f.Git("rev-parse", "HEAD:a"), f.Git("rev-parse", "HEAD:b")
	clone := f.At(filepath.Join(t.TempDir(), "clone"))
	f.Git("clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+f.Dir, clone.Dir)
	o, err := clone.open().Objects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if data, err := ReadBlob(t.Context(), o, a); err != nil || string(data) != "1" {
		t.Fatalf("%q %v", data, err)
	}
	if err := os.Rename(f.Dir, f.Dir+" away"); err != nil {
		t.Fatal(err)
	}
	_, err = ReadBlob(t.Context(), o, b)
	wantFault(t, err, fault.Unavailable, "OBJECT.MISSING")
	if data, err := ReadBlob(t.Context(), o, a); err != nil || string(data) != "1" {
		t.Fatalf("%q %v", data, err)
	}
}

// No byte of a pack can be changed so that a reader hangs or gives other bytes than the object's.
func TestReadersRefuseDamagedPacks(t *testing.T) {
	t.Parallel()
	f := withHistory(t, "sha1")
	f.Git("gc", "-q")
	packs, err := filepath.Glob(filepath.Join(f.Dir, ".git/objects/pack/*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	sound, err := os.ReadFile(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	ids := strings.Fields(f.Git("rev-list", "--objects", "--no-object-names", "HEAD"))
	for at := 12; at < len(sound)-20; at += len(sound) / 40 {
		damaged := bytes.Clone(sound)
		damaged[at] ^= 0x5a
		replaceFile(t, packs[0], damaged)
		r, err := Open(t.Context(), Options{Dir: f.Dir, Env: f.Env})
		if err != nil {
			t.Fatal(err)
		}
		o, err := r.Objects(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			typ, data, err := o.Read(t.Context(), id)
			if err != nil {
				if e := fault.As(err); e == nil || e.Outcome != fault.Unavailable {
					t.Fatal(err)
				}
				continue
			}
			if have, err := hashObject(40, typ, data); err != nil || have != id {
				t.Fatalf("byte %d: other bytes for %s", at, id)
			}
		}
		r.Close()
	}
}

// A size is told without the bytes, by every reader; of what is damaged or missing it may be told or not, but it never hangs.
func TestSizesAreToldWithoutReading(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		f := newFixture(t, "--object-format="+format)
		want := map[string]int64{}
		for _, text := range []string{"", "x", strings.Repeat("large\n", 100_000)} {
			f.Write("file", text)
			want[f.Git("hash-object", "-w", "file")] = int64(len(text))
		}
		f.Commit("a", "1")
		f.Git("repack", "-adq")
		for _, text := range []string{"loose", strings.Repeat("loose\n", 100_000)} {
			f.Write("file", text)
			want[f.Git("hash-object", "-w", "file")] = int64(len(text))
		}
		truncated := f.Feed(strings.Repeat("0123456789", 1000), "hash-object", "-w", "--stdin")
		data, err := os.ReadFile(loosePath(f, truncated))
		if err != nil {
			t.Fatal(err)
		}
		replaceFile(t, loosePath(f, truncated), data[:len(data)/2])
		readers(t, f.open(), func(t *testing.T, o Objects) {
			for id, size := range want {
				if have, ok := BlobSize(t.Context(), o, id); !ok || have != size {
					t.Errorf("%s has %d bytes, told are %d %v", id, size, have, ok)
				}
			}
			if _, ok := BlobSize(t.Context(), o, strings.Repeat("1", len(truncated))); ok {
				t.Error("what is missing has a size")
			}
			if size, ok := BlobSize(t.Context(), o, truncated); ok && size != 10_000 {
				t.Error(size)
			}
			if _, _, err := o.Read(t.Context(), truncated); err == nil {
				t.Error("a truncated object is read")
			}
		})
	}
}
