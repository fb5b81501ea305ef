package gitext

import (
	"maps"
	"slices"
	"testing"
)

// One question to the history answers for several paths: the blobs of each, newest first, as git names them commit by commit.
func TestVersionsOfSeveralPaths(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	base := f.Commit("a", "1")
	f.Commit("b", "1")
	f.Commit("a", "2")
	f.Commit("c", "1")
	f.Commit("b", "2")
	head := f.Commit("a", "3")
	blob := func(rev string) string { return f.Git("rev-parse", rev) }
	r := f.open()
	for _, c := range []struct {
		base  string
		paths []string
		most  int
		want  map[string][]string
	}{
		{base, []string{"a", "b"}, 100, map[string][]string{
			"a": {blob("HEAD:a"), blob("HEAD~1:a")},
			"b": {blob("HEAD:b"), blob("HEAD~2:b")}, // HEAD~1 wrote the newer one
		}},
		{base, []string{"a", "b"}, 2, map[string][]string{"a": {blob("HEAD:a")}, "b": {blob("HEAD:b")}}},
		{base, []string{"none"}, 100, map[string][]string{}},
		{base, nil, 100, map[string][]string{}},
		{"", []string{"c"}, 100, map[string][]string{"c": {blob("HEAD:c")}}},
	} {
		got, err := r.Versions(t.Context(), c.base, head, c.paths, c.most)
		if err != nil || !maps.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%v, at most %d: %v %v, want %v", c.paths, c.most, got, err, c.want)
		}
	}
}
