package schemas

import (
	"embed"
	"slices"
)

//go:embed authored/*.schema.json
var authored embed.FS

// authoredNames are the formats that people write, in the order in which they meet them.
var authoredNames = []string{"manifest", "module", "decision", "authority", "fixture"}

// AuthoredNames returns the names of the formats that people write (RULES A, E1, F2), each of which has a schema.
func AuthoredNames() []string { return slices.Clone(authoredNames) }

// Authored returns the JSON Schema (Draft 2020-12) of a format that people write, for their editors, and whether there is
// one of that name. It says what one text can show by itself; readers of package authored say the rest.
func Authored(name string) ([]byte, bool) {
	if !slices.Contains(authoredNames, name) {
		return nil, false
	}
	text, err := authored.ReadFile("authored/" + name + ".schema.json")
	if err != nil {
		panic("internal error: the embedded schema " + name + " is missing")
	}
	return text, true
}
