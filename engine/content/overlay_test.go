package content_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/content/contenttest"
)

// everything reads a side as a map; under limits it as List does.
func everything(t *rapid.T, source content.Source, under ...string) (names []string, bytes map[string]string) {
	entries, err := source.List(context.Background(), under...)
	if err != nil {
		t.Fatal(err)
	}
	var regular []content.Entry
	for _, e := range entries {
		names = append(names, fmt.Sprint(e.Name, " ", e.Kind))
		if e.Kind == content.Regular {
			regular = append(regular, e)
		}
	}
	slices.Reverse(regular) // the order asked is the caller's
	data, err := source.Read(context.Background(), regular...)
	if err != nil || len(data) != len(regular) {
		t.Fatalf("%d files of %d: %v", len(data), len(regular), err)
	}
	bytes = map[string]string{}
	for i, e := range regular {
		bytes[e.Name] = string(data[i])
	}
	return names, bytes
}

func TestOverlayIsTheSideAsItWouldBe(t *testing.T) {
	t.Parallel()
	names := []string{"a", "a.b", "a/b", "a/b.c", "b/c/d", "b/c", "ab"}
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SampledFrom([]string{"x", "y", contenttest.Symlink})
		below := contenttest.Files(rapid.MapOf(rapid.SampledFrom(names), texts).Draw(t, "below"))
		over := rapid.MapOf(rapid.SampledFrom(names), rapid.SampledFrom([]string{"x", "z"})).Draw(t, "written")
		removed := rapid.SliceOf(rapid.SampledFrom(names)).Draw(t, "removed")
		written, want := map[string][]byte{}, below.Clone()
		maps.DeleteFunc(want, func(name, _ string) bool { return slices.Contains(removed, name) })
		for name, text := range over {
			written[name] = []byte(text)
			want[name] = text
		}
		under := rapid.SliceOf(rapid.SampledFrom([]string{"a", "a/b", "b", "b/c", "nothing"})).Draw(t, "under")
		wantNames, wantBytes := everything(t, want.Tree(), under...)
		gotNames, gotBytes := everything(t, content.Overlay(below.Tree(), written, removed), under...)
		if diff := cmp.Diff(wantNames, gotNames); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(wantBytes, gotBytes); diff != "" {
			t.Error(diff)
		}
	})
}
