package content_test

import (
	"cmp"
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
		"a b", " ", "a\\b", "a:b", "a\nb", "\x01", "e\u0301", "\U0001f600", long, long + "/" + long, ".g\u0130t", "\u2028", ".git\u200c ", "\u200egit~1"} {
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
