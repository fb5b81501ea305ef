package decisionfile

import (
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
)

// recordOrder is the order in which people read a question record. Keys that are not in it follow, sorted.
var recordOrder = []string{
	"recipe", "kind", "reason", "unit", "module", "declaration", "revision", "structure", "relation", "relations", "program", "consumer", "bytes", "evidence", "path", "blob",
}

// Format writes d as a decision file that Parse reads back as d, d.File aside, with the same bytes for
// equal decisions. A decision that Parse would not read back so is refused: invalid, with the first finding.
func Format(d Decision) ([]byte, error) {
	w := yamltext.Writer{What: "a decision", Order: recordOrder}
	w.Raw("questions:")
	for _, question := range d.Questions {
		record, ok := question.(identity.Record)
		if !ok {
			return nil, fault.New(fault.Invalid, "DECISION.QUESTIONS", d.File, "a question must be a record, not %T", question)
		}
		w.Block("\n  - ", "\n    ", record)
	}
	if len(d.Questions) == 0 {
		w.Raw(" []")
	}
	w.Field("kind", d.Kind)
	if d.Result != "" {
		w.Field("result", d.Result)
	}
	if d.Value != nil {
		w.Raw("\nvalue: ")
		w.Flow(d.Value)
	}
	w.Raw("\nrationale: ")
	w.Prose(d.Rationale)
	w.Field("principal", d.Principal)
	if len(d.Evidence) > 0 {
		w.Raw("\nevidence:")
	}
	for _, e := range d.Evidence {
		record := identity.Record{"sha256": e.SHA256}
		if e.Path != "" {
			record["path"] = e.Path
		}
		w.Block("\n  - ", "\n    ", record)
	}
	if len(d.Members) > 0 {
		w.Raw("\nmembers:")
	} else if d.Kind == "coverage" && d.Result == CompleteResult {
		w.Raw("\nmembers: []")
	}
	for _, m := range d.Members {
		w.Raw("\n  - ")
		w.Flow(identity.Record{"path": m.Path, "blob": m.Blob})
	}
	if d.Provider != nil {
		d.Provider.write(&w)
	}
	if d.Signature != "" {
		w.Raw("\nsignature: ")
		w.Prose(d.Signature)
	}
	w.Raw("\n")
	if err := w.Err(); err != nil {
		return nil, fault.New(fault.Invalid, "DECISION.VALUE", d.File, "the decision cannot be written").Because(err)
	}
	text := []byte(w.String())
	_, findings := Parse(d.File, text)
	if len(findings) == 0 {
		return text, nil
	}
	first := findings[0]
	return nil, fault.New(fault.Invalid, first.Code, d.File, "the decision cannot be written: %s", first.Message).Hint(first.Next)
}
