package gitext

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

// Who wrote what, by the address in the commit itself: a mailmap is a file of the change that is judged.
func TestAuthorsBetween(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		f := newFixture(t, "--object-format="+format)
		as := func(mail string, files ...string) string {
			f.Env = append(f.Env, "GIT_AUTHOR_EMAIL="+mail)
			return f.Commit(files...)
		}
		base := as("a@x", "base", "1")
		as("Ann@Example.com", ".mailmap", "<hidden@x> <ann@example.com>\n", "dir/:odd name\n", "1")
		f.Git("switch", "-q", "-c", "side", base)
		as("bob@x", "b", "1")
		as("empty@x")
		f.Git("switch", "-q", "main")
		f.Env = append(f.Env, "GIT_AUTHOR_EMAIL=clean@x")
		f.Git("merge", "-q", "--no-ff", "-m", "m", "side")
		f.Git("switch", "-q", "side")
		as("cid@x", "base", "side\n")
		f.Git("switch", "-q", "main")
		as("dan@x", "base", "main\n")
		f.Env = append(f.Env, "GIT_AUTHOR_EMAIL=evil@x")
		if _, err := f.Run("", "merge", "-q", "side"); err == nil {
			t.Fatal("no conflict")
		}
		head := as("evil@x", "base", "both\n")
		for from, want := range map[string]string{
			base: `"Ann@Example.com" [".mailmap" "dir/:odd name\n"], "bob@x" ["b"], "cid@x" ["base"], "dan@x" ["base"], "evil@x" ["base"]`,
			"":   `"Ann@Example.com" [".mailmap" "dir/:odd name\n"], "a@x" ["base"], "bob@x" ["b"], "cid@x" ["base"], "dan@x" ["base"], "evil@x" ["base"]`,
			head: "",
		} {
			list, err := f.open().AuthorsBetween(t.Context(), from, head)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, a := range list {
				got = append(got, fmt.Sprintf("%q %q", a.Mail, a.Paths))
			}
			slices.Sort(got)
			if strings.Join(got, ", ") != want {
				t.Errorf("%s, from %q: %s", format, from, strings.Join(got, ", "))
			}
		}
	}
}

// What a shallow clone cannot tell is not guessed.
func TestAuthorsOfAShallowClone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	base := f.Commit("a", "1")
	f.Commit("a", "2")
	head := f.Commit("a", "3")
	shallow := newFixture(t)
	shallow.Git("fetch", "-q", "--depth=1", "file://"+f.Dir, "main")
	_, err := shallow.open().AuthorsBetween(t.Context(), "", head)
	if !fault.Is(err, "HISTORY.SHALLOW") {
		t.Error(err, base)
	}
}
