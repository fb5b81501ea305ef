package authored

import (
	"strings"
	"testing"
)

func TestSlug(t *testing.T) {
	t.Parallel()
	tests := [][2]string{ // RULES E2
		{"src/err/a.go", "src-err-a-go"},
		{"ann@example.com", "ann-example-com"},
		{"api.errors", "api-errors"},
		{"--A__b--", "a-b"},
		{"", "x"},
		{"日本", "x"},
		{"é.a", "a"},
		{strings.Repeat("a", 61), strings.Repeat("a", 60)},
		{strings.Repeat("a", 59) + ".b", strings.Repeat("a", 59)},
	}
	for _, test := range tests {
		if got := Slug(test[0]); got != test[1] {
			t.Errorf("%q: got %q, want %q", test[0], got, test[1])
		}
	}
}
