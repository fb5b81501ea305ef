package decisionfile

import (
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/identity"
)

// observation reads how a provider came to the value (RULES F6), which only the answer to a fact can say.
func (r reader) observation(d *Decision, node yamltext.Node) {
	if !node.IsGiven() {
		return
	}
	f, ok := r.Mapping(node, "provider", 3, "id", "definition", "evidence", "inputs")
	if !ok {
		return
	}
	o := &Observation{
		ID:         r.OneLine(f.Get("id"), "id"),
		Definition: r.digestOf(f.Get("definition"), "definition", "provider-definition"),
		Inputs:     r.digestOf(f.Get("inputs"), "inputs", "content-snapshot"),
		Evidence:   r.Text(f.Get("evidence"), "evidence"),
	}
	if o.ID != "" && identity.CheckID(o.ID) != nil {
		r.Refuse(f.Get("id"), "DECISION.PROVIDER", "write the id of a provider of standards.yaml", "%q is no id", o.ID)
	}
	if o.Evidence != "" && !identity.IsBytesDigest(o.Evidence) {
		r.Refuse(f.Get("evidence"), "DECISION.PROVIDER", "write sha256: and 64 lower-case hex digits", "%q is no digest", o.Evidence)
	}
	switch {
	case d.Kind != "" && d.Kind != "fact":
		r.Refuse(node, "DECISION.PROVIDER", "remove provider:", "a decision of kind %s was not observed by a provider", d.Kind)
	case d.Result == "waiver":
		r.Refuse(node, "DECISION.PROVIDER", "remove provider:", "a waiver was not observed by a provider")
	}
	d.Provider = o
}

// digestOf reads an id of one kind, such as content-snapshot:sha256:….
func (r reader) digestOf(node yamltext.Node, what, kind string) string {
	text := r.Text(node, what)
	if got, _, ok := identity.Split(text); text != "" && (!ok || got != kind) {
		r.Refuse(node, "DECISION.PROVIDER", "write "+kind+":sha256: and 64 lower-case hex digits", "%s %q is no digest of a %s", what, text, kind)
	}
	return text
}

// write writes it as observation reads it.
func (o *Observation) write(w *yamltext.Writer) {
	w.Raw("\nprovider:")
	for _, field := range [][2]string{{"id", o.ID}, {"definition", o.Definition}, {"inputs", o.Inputs}, {"evidence", o.Evidence}} {
		if field[0] != "inputs" || field[1] != "" {
			w.Raw("\n  " + field[0] + ": ")
			w.Scalar(field[1])
		}
	}
}
