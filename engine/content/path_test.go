package content_test

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/content"
)

func TestCheckPath(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 255)
	for _, name := range []string{"a", "a/b", "...", ".gitignore", ".gitattributes", "a.git", "git", "git~2", ".git~1", ".gitx", "..git", ".git x", "docs/é.md",
		"a b", " ", "a\\b", "a:b", "a\nb", "\x01", "e\u0301", "\U0001f600", long, long + "/" + long, ".g\u0130t", "\u2028"} {
		if err := content.CheckPath(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"", "/", "/a", "a/", "a//b", ".", "..", "./a", "a/.", "a/../b", "a/..", "\x00", "a\x00b", "\xff", "a/\xc0\x80", "\xed\xa0\x80",
		long + "x", "a/" + long + "x", strings.Repeat("é", 128), ".git", "a/.git/b", ".GIT", ".Git/hooks", ".git.", ".git ", ".git. .", ".git:x",
		".git::$INDEX_ALLOCATION", "git~1", "GIT~1", "git~1.", ".g\u200cit", "\ufeff.git", ".gIt\u206f", ".git\\config", "a\\.git", "a\\b\\git~1"} {
		if err := content.CheckPath(name); err == nil {
			t.Errorf("%q is admitted", name)
		}
	}
}

// refusedByGit asks git fsck which of the names it takes for ".git" (message hasDotgit), one tree a name.
func refusedByGit(t *testing.T, names []string) []bool {
	t.Helper()
	dir := t.TempDir()
	git := func(stdin []byte, args ...string) (string, []byte) {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"}
		cmd.Stdin = bytes.NewReader(stdin)
		var out, complaints bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &complaints
		err := cmd.Run()
		if _, exited := err.(*exec.ExitError); err != nil && !exited {
			t.Fatal(err)
		}
		return strings.TrimSpace(out.String()), complaints.Bytes()
	}
	git(nil, "init", "-q", ".")
	blob, _ := git([]byte("x"), "hash-object", "-w", "--stdin")
	if len(blob) != 40 {
		t.Fatalf("no blob: %q", blob)
	}
	var raw []byte
	for i := 0; i < len(blob); i += 2 {
		raw = append(raw, unhex(t, blob[i:i+2])...)
	}
	var paths strings.Builder
	for i, name := range names {
		path := fmt.Sprintf("%s/tree-%d", dir, i)
		if err := os.WriteFile(path, append(append([]byte("100644 "+name), 0), raw...), 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&paths, path)
	}
	out, _ := git([]byte(paths.String()), "hash-object", "-w", "-t", "tree", "--literally", "--no-filters", "--stdin-paths")
	ids := strings.Fields(out)
	if len(ids) != len(names) {
		t.Fatalf("%d trees for %d names", len(ids), len(names))
	}
	_, complaints := git(nil, append([]string{"fsck", "--no-dangling"}, ids...)...)
	refused := make([]bool, len(names))
	for i, id := range ids {
		for line := range strings.Lines(string(complaints)) {
			refused[i] = refused[i] || strings.Contains(line, id) && strings.Contains(line, "hasDotgit")
		}
	}
	return refused
}

func TestDotGitSpellingsAreThoseOfGit(t *testing.T) {
	t.Parallel()
	names := []string{".git", "git~1", "git~2", ".gitx", "x.git", ".git~1", ".gi", "git", "..git", ".g\u0130t", ".g\u0131t", ".git\u2063", ".git.\u200c", ".g\u200cit ", "g\u200dit~1"}
	for _, head := range []string{"", "a\\", "\\", "a/", "\u200e"} {
		for _, stem := range []string{".git", ".GIT", ".gIt", "git~1", "GIT~1", ".g\u200cit", "\u202a.git"} {
			for _, tail := range []string{"", ".", " ", ". .", ":", ":x", " :x", "\\", "\\x", "x", ".x", " x", "\u206a", "\ufeff", "\u200b"} {
				if name := head + stem + tail; !strings.Contains(name, "/") {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	refused := 0
	for i, byGit := range refusedByGit(t, names) {
		if byUs := content.CheckPath(names[i]) != nil; byUs != byGit {
			t.Errorf("%q: refused by git %v, by CheckPath %v", names[i], byGit, byUs)
		}
		if byGit {
			refused++
		}
	}
	if refused < 50 || refused == len(names) {
		t.Errorf("git refused %d of %d names: the comparison says nothing", refused, len(names))
	}
}

// byComponents is the order as DESIGN 5 words it: lists of components, each by scalar, a prefix first.
func byComponents(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "/"), strings.Split(b, "/"), func(x, y string) int {
		return slices.Compare([]rune(x), []rune(y))
	})
}

func TestComparePaths(t *testing.T) {
	t.Parallel()
	// What is below "/" (0x2F) by byte must still come after it.
	sorted := []string{"a", "a/b", "a/b/c", "a/c", "a b", "a-b", "a.b", "aa", "b", "é", "\uffee", "\U0001f600"}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := content.ComparePaths(a, b); cmp.Compare(got, 0) != cmp.Compare(i, j) {
				t.Errorf("ComparePaths(%q, %q) = %d", a, b, got)
			}
		}
	}
	names := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("/// .-ab\x01"))))
	rapid.Check(t, func(t *rapid.T) {
		a := names.Draw(t, "a")
		b := rapid.OneOf(names, rapid.Map(names, func(tail string) string { return a + tail })).Draw(t, "b")
		if got, want := content.ComparePaths(a, b), byComponents(a, b); cmp.Compare(got, 0) != want {
			t.Fatalf("ComparePaths(%q, %q) = %d, by components %d", a, b, got, want)
		}
	})
}

func FuzzCheckPath(f *testing.F) {
	for _, name := range []string{"a/b", ".git", "a/../b", ".g\u200cit", "a\\.git ", "\xff"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if content.CheckPath(name) != nil {
			return
		}
		if name == "" || strings.HasPrefix(name, "/") || strings.HasSuffix(name, "/") || strings.ContainsRune(name, 0) || strings.ToValidUTF8(name, "") != name {
			t.Errorf("%q is admitted", name)
		}
		for _, component := range strings.Split(name, "/") {
			if len(component) < 1 || len(component) > 255 || component == "." || component == ".." || strings.EqualFold(component, ".git") {
				t.Errorf("%q is admitted with component %q", name, component)
			}
		}
	})
}
