package glob

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRename(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ pattern, from, to, want string }{
		{"src/*.go", "src", "lib", "lib/*.go"},
		{"src/err/*.go", "src", "lib", "lib/err/*.go"},
		{"src/err/*.go", "src/err", "lib/[x]", `lib/\[x\]/*.go`},
		{`lib/\[x\]/*.go`, "lib/[x]", "src", "src/*.go"},
		{`lib/\[x\]/*.go`, "lib", "src", `src/\[x\]/*.go`},
		{"docs/a.md", "docs/a.md", "b", "b"},
		{"docs/a.md", "docs/a", "b", ""},
		{"src2/*.go", "src", "lib", ""},
		{"*/err.go", "src", "lib", ""},
		{"{src,lib}/*.go", "src", "x", ""},
		{"**", "src", "lib", ""},
		{"src*", "src", "lib", ""},
		{"src/**", "src", "lib", "lib/**"},
		{"src", "src/a", "lib", ""},
	} {
		got, ok := Rename(row.pattern, row.from, row.to)
		if got != row.want || ok != (row.want != "") {
			t.Errorf("%s, %s → %s: %q %t", row.pattern, row.from, row.to, got, ok)
		}
	}
	// An escaped path matches itself and no other.
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.StringMatching(`[a*?\[\]{}\\,!^-]{1,8}(/[a*?\[\]{}\\,!^-]{1,4})?`).Draw(t, "path")
		other := rapid.StringMatching(`[a*?\[\]{}\\,!^-]{1,8}`).Draw(t, "other")
		g, err := Parse(Escape(path))
		if err != nil && !strings.Contains(err.Error(), "alternatives") && !strings.Contains(err.Error(), "**") {
			t.Fatalf("%q: %v", path, err)
		}
		if err == nil && (!g.Match(path) || g.Match(other) && other != path) {
			t.Fatalf("%q for %q matches %t, %q %t", g, path, g.Match(path), other, g.Match(other))
		}
	})
}
