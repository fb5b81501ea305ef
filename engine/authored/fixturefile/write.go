package fixturefile

import "github.com/git-standards/git-standards/engine/authored/yamltext"

// order is the keys of a question as they are written.
var order = []string{"kind", "reason", "module", "unit", "consumer", "declaration", "fact", "state", "who", "to", "results"}

// String is a pattern as a fixture has it.
func (p *Pattern) String() string {
	if p.Subject != "" {
		return yamltext.Scalar(p.Subject)
	}
	record := map[string]any{
		"kind": p.Kind, "reason": p.Reason, "module": p.Module, "unit": p.Unit, "consumer": p.Consumer, "declaration": p.Declaration,
		"fact": p.Fact, "state": p.State, "who": p.Who,
	}
	for key, value := range record {
		if value == "" {
			delete(record, key)
		}
	}
	for key, words := range map[string][]string{"to": p.To, "results": p.Results} {
		if words != nil {
			record[key] = Texts(words)
		}
	}
	return Question(record)
}

// Texts is words as the entries of a list.
func Texts(words []string) []any {
	list := make([]any, len(words))
	for i, word := range words {
		list[i] = word
	}
	return list
}

// Question writes a question as a mapping.
func Question(record map[string]any) string {
	w := yamltext.Writer{What: "a question", Order: order}
	w.Flow(record)
	return w.String()
}
