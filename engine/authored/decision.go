package authored

import (
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/identity"
	"go.yaml.in/yaml/v3"
)

// decisionResults is what may be answered to each kind of question (RULES E3), waiver aside.
var decisionResults = map[string][]string{
	"consumer-review": {"updated", "no-change", "not-applicable", "blocked"},
	"impact-review":   {"no-impact", "blocked"},
}

var decisionKinds = []string{"consumer-review", "impact-review", "fact", "coverage"}

// ParseDecision reads one decision file (RULES E1). The decision is nil only when the text is no mapping; beside
// findings it holds what could be read. It does not say whether the records are questions that somebody asks.
func ParseDecision(file string, data []byte) (*Decision, []Finding) {
	r := &reader{file: file}
	root := r.load(data)
	if root == nil {
		return nil, r.sorted()
	}
	top, ok := r.mapping(root, "the decision", 4, "questions", "kind", "rationale", "principal", "result", "value", "evidence", "signature")
	if !ok {
		return nil, r.sorted()
	}
	d := &Decision{
		File:      file,
		Kind:      r.choice(top.get("kind"), "kind", "DECISION.KIND", decisionKinds),
		Rationale: r.text(top.get("rationale"), "rationale"),
		Principal: r.line1(top.get("principal"), "principal"),
		Signature: r.text(top.get("signature"), "signature"),
	}
	r.questions(d, top.get("questions"))
	r.answer(d, top)
	for _, node := range r.list(top.get("evidence"), "evidence") {
		if e, ok := r.evidence(node); ok {
			d.Evidence = append(d.Evidence, e)
		}
	}
	if key := top.keys["signature"]; key != nil {
		r.unsupported(key, "UNSUPPORTED.SIGNATURE", "signatures are not judged by this version")
	}
	return d, r.sorted()
}

func (r *reader) questions(d *Decision, node *yaml.Node) {
	rows := r.list(node, "questions")
	if node != nil && kindOf(node) == kindList && len(rows) == 0 {
		r.refuse(node, "DECISION.QUESTIONS", "embed the records of the questions answered", "questions lists no record")
	}
	for _, row := range rows {
		if !r.is(row, "a question", kindMapping) {
			continue
		}
		value, ok := r.value(row, "a question")
		record, isRecord := value.(identity.Record)
		if !ok || !isRecord {
			continue
		}
		kind, ok := record["kind"].(string)
		switch {
		case !ok:
			r.refuse(row, "DECISION.KIND", "embed the record as it was asked", "the question has no kind")
		case d.Kind != "" && kind != d.Kind:
			r.refuse(row, "DECISION.KIND", "give questions of another kind their own file",
				"the kind of the question is %q, that of the file %q", kind, d.Kind)
		}
		d.Questions = append(d.Questions, record)
	}
}

// value reads any YAML as an identity value: strings, integers of 64 bits, booleans, null, lists and mappings.
func (r *reader) value(node *yaml.Node, what string) (any, bool) {
	switch kind := kindOf(node); kind {
	case kindNull:
		return nil, true
	case kindBool:
		before := len(r.findings)
		value := r.boolean(node, what)
		return value, len(r.findings) == before
	case kindInt:
		return r.integer(node, what)
	case kindString:
		return node.Value, true
	case kindList:
		list, all := identity.List{}, true
		for _, item := range node.Content {
			value, ok := r.value(item, "an entry of "+what)
			list, all = append(list, value), all && ok
		}
		return list, all
	case kindMapping:
		return r.record(node, what)
	default:
		r.refuse(node, "YAML.TYPE", "use a string, an integer, a boolean, null, a list or a mapping", "%s cannot be %s", what, kind)
		return nil, false
	}
}

func (r *reader) record(node *yaml.Node, what string) (any, bool) {
	record, all := identity.Record{}, true
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		if !r.is(key, "a key of "+what, kindString) {
			all = false
			continue
		}
		if _, repeated := record[key.Value]; repeated {
			r.refuse(key, "YAML.KEY_REPEATED", "keep one of them", "key %q of %s stands there twice", key.Value, what)
			all = false
			continue
		}
		value, ok := r.value(node.Content[i+1], fmt.Sprintf("%.60q", key.Value))
		record[key.Value] = value
		all = all && ok
	}
	return record, all
}

// answer reads result or value, of which a decision has exactly one.
func (r *reader) answer(d *Decision, top *fields) {
	result, value := top.keys["result"], top.keys["value"]
	switch {
	case result == nil && value == nil:
		r.refuse(top.node, "DECISION.RESULT", "add result:", "the decision has no result")
	case result != nil && value != nil:
		r.refuse(value, "DECISION.RESULT", "keep one of them", "the decision has both a result and a value")
	}
	if value != nil {
		d.Value, _ = r.value(top.get("value"), "value")
	}
	d.Result = r.text(top.get("result"), "result")
	if d.Result == "waiver" {
		r.unsupported(result, "UNSUPPORTED.WAIVER", "waivers are not judged by this version")
		return
	}
	results, known := decisionResults[d.Kind]
	switch {
	case d.Kind == "fact":
		r.unsupported(top.keys["kind"], "UNSUPPORTED.FACT", "decisions of kind fact are not judged by this version")
	case d.Kind == "coverage":
		r.unsupported(top.keys["kind"], "UNSUPPORTED.COVERAGE", "decisions of kind coverage are not judged by this version")
	case known && value != nil && result == nil:
		r.refuse(value, "DECISION.RESULT", "write result: instead", "a decision of kind %s has a result, not a value", d.Kind)
	case known && d.Result != "" && !slices.Contains(results, d.Result):
		r.choice(top.get("result"), "result of a "+d.Kind, "DECISION.RESULT", results)
	}
}

func (r *reader) evidence(node *yaml.Node) (Evidence, bool) {
	f, ok := r.mapping(node, "an entry of evidence", 1, "sha256", "path")
	if !ok {
		return Evidence{}, false
	}
	e := Evidence{Path: r.text(f.get("path"), "path"), SHA256: r.text(f.get("sha256"), "sha256")}
	if e.SHA256 != "" && !identity.IsBytesDigest(e.SHA256) {
		r.refuse(f.get("sha256"), "DECISION.EVIDENCE", "write sha256: and 64 lower-case hex digits", "%q is no digest", e.SHA256)
		ok = false
	}
	if e.Path != "" {
		if err := content.CheckPath(e.Path); err != nil {
			r.refuse(f.get("path"), "DECISION.EVIDENCE", "write the path from the root of the repository", "path: %s", err)
			ok = false
		}
	}
	return e, ok && e.SHA256 != ""
}
