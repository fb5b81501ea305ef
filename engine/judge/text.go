package judge

import (
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/front"
	"github.com/git-standards/git-standards/engine/corpus"
)

// TextBy finds, in the bytes of a module as they once were, the normalized text of that structure: of a unit, or where unit is
// "" of what is outside them.
func TextBy(file string, data []byte, unit, structure string) (string, bool) {
	if !front.IsModule(data) {
		return "", false
	}
	m, _ := authored.ParseModule(file, data)
	if m == nil {
		return "", false
	}
	texts := []string{}
	if unit == "" {
		texts = append(texts, m.Outside.Normal)
	}
	for i := range m.Units {
		if m.Units[i].ID == unit {
			texts = append(texts, m.Units[i].Text.Normal)
		}
	}
	for _, text := range texts {
		if id, err := corpus.Structure(text); err == nil && id == structure {
			return text, true
		}
	}
	return "", false
}
