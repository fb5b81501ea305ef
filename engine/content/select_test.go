package content

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Select gives what a look at every entry would give, in the same order.
func TestSelectIsEveryEntryUnderThePaths(t *testing.T) {
	path := rapid.StringMatching(`[ab.](/[ab.-]|[ab.-]){0,4}`)
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfDistinct(path, rapid.ID[string]).Draw(t, "names")
		slices.SortFunc(names, ComparePaths)
		var entries, want []Entry
		for _, name := range names {
			entries = append(entries, Entry{Name: name})
		}
		under := rapid.SliceOf(path).Draw(t, "under")
		for _, entry := range entries {
			if Under(entry.Name, under) {
				want = append(want, entry)
			}
		}
		if got := Select(entries, under); !slices.Equal(got, want) {
			t.Fatalf("Select(%v, %v) = %v, want %v", names, under, got, want)
		}
	})
}
