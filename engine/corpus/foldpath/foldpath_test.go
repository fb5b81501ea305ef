package foldpath

import "testing"

// The pairs are canonically equivalent, or differ in simple case, by the Unicode standard (chapter 3, and the code
// charts' decompositions); the last are neither.
func TestFold(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		a, b string
		same bool
	}{
		{"docs/Std.md", "docs/std.md", true},
		{"docs/caf\u00e9", "docs/cafe\u0301", true},
		{"docs/CAF\u00c9", "docs/cafe\u0301", true},
		{"\u212b", "\u00c5", true},              // the ångström sign
		{"\u212bk", "a\u030a\u212a", true},      // and the kelvin sign
		{"\u1ead", "a\u0323\u0302", true},       // two marks on one letter
		{"a\u0323\u0302", "\u00e2\u0323", true}, // in either order
		{"\uac01", "\u1100\u1161\u11a8", true},  // Hangul with and without a last consonant
		{"\uac00x", "\u1100\u1161x", true},
		{"\ufa1e", "\u7fbd", true},
		{"\u2000", "\u2002", true},
		{"stra\u00dfe", "strasse", false},
		{"\u0131", "i", false},
		{"caf\u00e9", "cafe", false},
		{"\ufb01x", "fix", false}, // compatibility only
		{"a/b", "a-b", false},
	} {
		if got := Fold(row.a) == Fold(row.b); got != row.same {
			t.Errorf("%+q and %+q: %v", row.a, row.b, got)
		}
	}
	if n := len(decomposed()); n != 2061 {
		t.Errorf("%d decompositions", n) // of Unicode 14, Hangul aside
	}
}
