package gitext

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

// What a partial clone has not, git fetches from who promised it, once. Where it may not or cannot, the object is missing, with the
// command that gets it.
func TestReadersOfPartialClones(t *testing.T) {
	t.Parallel()
	template, _ := partialClone(t)
	ids := strings.Fields(template.Git("rev-parse", "HEAD:docs/a.md", "HEAD:docs/deep/er/b.md"))
	text := template.Git("cat-file", "blob", ids[0]) + "\n"
	for name, without := range map[string]func(f, clone *fixture) (*fixture, string){
		"the remote is there": func(_, clone *fixture) (*fixture, string) { return clone, "" },
		"the remote is gone": func(f, clone *fixture) (*fixture, string) {
			if err := os.Rename(f.Dir, f.Beside("gone")); err != nil {
				f.T.Fatal(err)
			}
			f.T.Cleanup(func() {
				// What is to be typed next gets the object once the remote is back.
				if err := os.Rename(f.Beside("gone"), f.Dir); err != nil {
					f.T.Fatal(err)
				}
				clone.Git("cat-file", "-e", ids[0])
				if missing := clone.Git("rev-list", "--objects", "--missing=print", "HEAD", "--no-object-names"); strings.Contains(missing, "?"+ids[0]) {
					f.T.Error(missing)
				}
			})
			return clone, "git cat-file -e "
		},
		"nothing may be fetched": func(_, clone *fixture) (*fixture, string) {
			return clone.With("GIT_NO_LAZY_FETCH=1"), "env -u GIT_NO_LAZY_FETCH git cat-file -e "
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			probe, clone := partialClone(t)
			clone, hint := without(probe, clone)
			r := clone.open()
			readers(t, r, func(t *testing.T, o Objects) {
				for range 2 {
					data, err := ReadBlob(t.Context(), o, ids[0])
					if hint == "" {
						if err != nil || string(data) != text {
							t.Fatalf("%q %v", data, err)
						}
						continue
					}
					if e := wantFault(t, err, fault.Unavailable, "OBJECT.MISSING"); e.Target != ids[0] || e.Next[0] != hint+ids[0] {
						t.Errorf("%v: next %q", e, e.Next)
					}
				}
				// What is there is read, before and after.
				if typ, _, err := o.Read(t.Context(), clone.Git("rev-parse", "HEAD^{tree}")); err != nil || typ != "tree" {
					t.Error(typ, err)
				}
			})
			// Git has it now, as one that asks nobody sees, if it was fetched; and no other object.
			missing := clone.Git("rev-list", "--objects", "--missing=print", "HEAD", "--no-object-names")
			if strings.Contains(missing, "?"+ids[0]) != (hint != "") || !strings.Contains(missing, "?"+ids[1]) {
				t.Errorf("missing are %q", missing)
			}
		})
	}
}

// Alternates are followed as deep as git follows them.
func TestAlternatesAsDeepAsGit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Commit("a", "1")
	id := f.Git("rev-parse", "HEAD:a")
	found := 0
	for depth := 1; depth <= 8; depth++ {
		next := f.At(f.Beside(fmt.Sprint("lender", depth)))
		f.Git("init", "-q", next.Dir)
		next.borrow(filepath.Join(f.Dir, ".git/objects") + "\n")
		f = next
		want, gitErr := f.Run("", "cat-file", "blob", id)
		readers(t, f.open(), func(t *testing.T, o Objects) {
			data, err := ReadBlob(t.Context(), o, id)
			if (err == nil) != (gitErr == nil) || err == nil && string(data) != want {
				t.Errorf("%d deep: %q %v, git says %q %v", depth, data, err, want, gitErr)
			}
		})
		if gitErr == nil {
			found++
		}
	}
	if found == 0 || found == 8 {
		t.Errorf("git followed %d", found)
	}
}

// A pack on disk that holds a difference from an object elsewhere, which git does not leave there: what git reads of it, no more.
func TestThinPacksOnDisk(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	base := strings.Repeat("a base of some length\n", 20)
	baseID := f.Feed(base, "hash-object", "-w", "--stdin")
	text := base + "and more\n"
	id, _ := hashObject(40, "blob", []byte(text))
	// Copy 440 bytes from 0, then 9 bytes that follow (gitformat-pack, "Deltified representation").
	delta := append(append(varint(440), varint(449)...), 0xb0, 440&0xff, 440>>8, 9)
	delta = append(delta, "and more\n"...)
	writePack(t, f, packed{id: id, typ: 7, base: baseID, size: uint64(len(delta)), data: delta})
	want, gitErr := f.Run("", "cat-file", "blob", id)
	if gitErr == nil && want+"\n" != text {
		t.Fatalf("git says %q", want)
	}
	readers(t, f.open(), func(t *testing.T, o Objects) {
		data, err := ReadBlob(t.Context(), o, id)
		if (err == nil) != (gitErr == nil) || err == nil && string(data) != text {
			t.Errorf("%q %v, git says %q", data, err, want)
		}
	})
}

// Git refuses a repository with an extension that it does not know, and so do we, with its reason.
func TestUnknownExtensionsAreRefusedAsGitRefusesThem(t *testing.T) {
	t.Parallel()
	f := extended(t, "tomorrow", "true")
	said, err := f.Run("", "rev-parse", "HEAD")
	if err == nil || !strings.Contains(said, "extensions.tomorrow") && !strings.Contains(said, "tomorrow") {
		t.Fatal(said, err)
	}
	e := openFault(t, Options{Dir: f.Dir, Env: f.Env}, "GIT.BROKEN")
	if !strings.HasSuffix(e.Message, "does not know (extensions: tomorrow)") {
		t.Error(e)
	}
}

// A repository of another's is trusted where git trusts it: by name, by the star, not by another name.
func TestForeignOwnerIsTrustedAsGitTrusts(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can give a repository away")
	}
	f := newFixture(t)
	f.Commit("a", "1")
	for _, dir := range []string{f.Dir, filepath.Join(f.Dir, ".git")} {
		if err := os.Chown(dir, 12345, 12345); err != nil {
			t.Fatal(err)
		}
	}
	refused := 0
	names := []string{"", "*", f.Dir, f.Dir + "/", f.Dir + "/.git", "/elsewhere", filepath.Dir(f.Dir)}
	for _, trusted := range names {
		setting := fmt.Sprintf("[safe]\n\tdirectory = /other\n\tdirectory = %s\n", trusted)
		if err := os.WriteFile(lookup(f.Env, "GIT_CONFIG_GLOBAL"), []byte(setting), 0o644); err != nil {
			t.Fatal(err)
		}
		head, gitErr := f.Run("", "rev-parse", "HEAD")
		if gitErr != nil {
			openFault(t, Options{Dir: f.Dir, Env: f.Env}, "GIT.OWNERSHIP")
			refused++
			continue
		}
		readers(t, f.open(), func(t *testing.T, o Objects) {
			if typ, _, err := o.Read(t.Context(), head); err != nil || typ != "commit" {
				t.Error(trusted, typ, err)
			}
		})
	}
	if refused == 0 || refused == len(names) {
		t.Errorf("git refused %d of %d", refused, len(names))
	}
}
