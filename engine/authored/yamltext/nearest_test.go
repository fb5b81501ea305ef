package yamltext

import (
	"strings"
	"testing"
)

// A suggestion is near, or there is none. The errors are counted by hand.
func TestNearest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		word, options, want string
	}{
		{"topc", "core topic", "topic"},              // 1 of 5
		{"topci", "core topic", "topic"},             // 1 of 5: neighbours swapped
		{"mian", "mine main", "main"},                // 1 of 4, where mine is 2 away
		{"unitz", "units title", "units"},            // 1 of 5
		{"Must", "MUST SHOULD", "MUST"},              // none of 4
		{"stauts", "start status", "status"},         // 1 of 6
		{"revsions", "revision version", "revision"}, // 2 of 8
		{"onee", "one", "one"},                       // 1 of 4
		{"got", "git", "git"},                        // 1 of 3
		{"al", "all", "all"},                         // 1 of 3
		{"é", "e", ""},                               // 2 bytes of 2
		{"none", "mine all warn", ""},                // 2 of 4
		{"role", "core", ""},                         // 2 of 4
		{"must", "mine", ""},                         // 3 of 4
		{"x", "a", ""},                               // 1 of 1
		{"on", "no", ""},                             // 1 of 2
		{"level", "revel", "revel"},                  // 1 of 5
		{"abcdef", "abcxyf", "abcxyf"},               // 2 of 6
		{"abcdef", "abxyzf", ""},                     // 3 of 6
		{"abcdefghi", "abcdef", "abcdef"},            // 3 of 9
		{"abcdefgh", "abcde", ""},                    // 3 of 8
		{"a.one", "a.two a.ones a.on", "a.ones"},     // the first of two at the same distance
		{"a.oen", "a.owns a.one", "a.one"},           // 1 of 3: neighbours swapped, where owns is 2 of 4
		{"documentation", "implementation-projection documentation-projection", "documentation-projection"}, // begun
		{"DOC", "documentation-projection", "documentation-projection"},
		{"do", "documentation-projection", ""}, // too little to be a beginning
		{"err", "error-codes error-texts", ""}, // two begin so
		{"err", "error-codes error-codes", "error-codes"},
		{"api.error", "api.error-codes api.errors", "api.errors"},                        // 1 of 6 is nearer than a beginning
		{"topic.apis", "topic.names", ""},                                                // 3 of 5: what all names there begin with says nothing
		{"docs.guide.errors", "docs.guide.names docs/guide/errors", "docs/guide/errors"}, // 2 of 17, where names is 5 of 6
		{"docs.guide.erors", "docs.guide.names docs.guide.errors", "docs.guide.errors"},  // 1 of 6
		{"docs.giude.errors", "docs.guide.errors", "docs.guide.errors"},                  // 1 of 12
		{"topic.x", "topic.a", ""},                                                       // 1 of 1
		{"[Errors,Codes]", "[Errors,Names] [Errors,Code]", "[Errors,Code]"},              // 1 of 6
		{"a.", "a.", "a."},
		{"", "a", ""},
		{"a", "", ""},
		{strings.Repeat("a", 101), strings.Repeat("a", 101), ""},
	} {
		if got := Nearest(test.word, strings.Fields(test.options)); got != test.want {
			t.Errorf("%q of %q: got %q, want %q", test.word, test.options, got, test.want)
		}
	}
}
