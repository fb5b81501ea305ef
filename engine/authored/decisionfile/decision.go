// Package decisionfile reads and writes decision files (RULES E1): question records as they were asked, and one answer to all of them.
//
// It promises that equal decisions are written as equal bytes, that what it writes it reads back as the same decision, and what package
// reading promises of every reading. Whether somebody asks these questions, who may answer them and whether a signature is good is not known
// here.
package decisionfile

import (
	"regexp"
	"slices"
	"sync"

	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/identity"
)

// Decision is one decision file (RULES E1): the embedded question records as identity values (identity.Record with
// strings, int64, nil, bool, identity.List), and one answer to all of them: a Result, or the Value of a fact (bool, string, or
// identity.List of strings). Lines is where each question stands in a file that was
// read, in the order of Questions.
type Decision struct {
	File      string
	Questions []any
	Lines     []int
	Kind      string
	Result    string
	Value     any
	ValueLine int // where value stands, 0 where it does not
	Rationale string
	Principal string
	Evidence  []Evidence
	Members   []Member     // of a coverage answer: what was looked at, by path
	Provider  *Observation // of a fact that was observed
	Signature string       // an armored SSH signature, or ""
}

// Member is a file of the horizon as an attester saw it. Blob is its Git object id after its algorithm ("sha1:…", "sha256:…").
type Member struct{ Path, Blob string }

// Observation is how a provider came to a value (RULES F6): the provider's id, the digest of its definition
// ("provider-definition:sha256:…"), that of its inputs ("content-snapshot:sha256:…", or "" where it has none), and that of the exact
// bytes that it printed ("sha256:…").
type Observation struct{ ID, Definition, Inputs, Evidence string }

// Evidence is what an answer rests on: a repository path or nothing, and the digest ("sha256:…") of the exact bytes.
type Evidence struct {
	Path   string
	SHA256 string
}

// reader reads one decision file.
type reader struct{ *reading.Reader }

// resultsOf is what may be answered to each kind of question (RULES E3), waiver and the value of a fact aside.
var resultsOf = map[string][]string{
	"consumer-review": {"updated", "no-change", "not-applicable", "blocked"},
	"impact-review":   {"no-impact", "blocked"},
	"fact":            {facts.Absent},
	"coverage":        {CompleteResult},
}

// Results returns what may be answered to a kind of question, in the order of RULES E3; none for what is no kind.
func Results(kind string) []string { return slices.Clone(resultsOf[kind]) }

var kinds = []string{"consumer-review", "impact-review", "fact", "coverage"}

// signatureForm is the armor that ssh-keygen -Y sign writes; what is in it, and whose it is, is not read here. To compile it takes
// longer than all else that a start of the program does, and most starts never read a signature.
var signatureForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^-----BEGIN SSH SIGNATURE-----\n(?:[A-Za-z0-9+/=]{1,76}\n)+-----END SSH SIGNATURE-----\n?$`)
})

// Parse reads one decision file (RULES E1). The decision is nil only when the text is no mapping; beside
// findings it holds what could be read. It does not say whether the records are questions that somebody asks.
func Parse(file string, data []byte) (*Decision, []reading.Finding) {
	r := reader{reading.New(file, nil)}
	root := r.Load(data)
	if !root.IsGiven() {
		return nil, r.Sorted()
	}
	top, ok := r.Mapping(root, "the decision", 4, "questions", "kind", "rationale", "principal", "result", "value", "evidence", "members", "provider", "signature")
	if !ok {
		return nil, r.Sorted()
	}
	d := &Decision{
		File:      file,
		Kind:      r.Choice(top.Get("kind"), "kind", "DECISION.KIND", kinds),
		Rationale: r.Text(top.Get("rationale"), "rationale"),
		Principal: r.OneLine(top.Get("principal"), "principal"),
		Signature: r.Text(top.Get("signature"), "signature"),
	}
	r.questions(d, top.Get("questions"))
	r.answer(d, top)
	r.members(d, top)
	for _, node := range r.List(top.Get("evidence"), "evidence") {
		if e, ok := r.evidence(node); ok {
			d.Evidence = append(d.Evidence, e)
		}
	}
	r.observation(d, top.Get("provider"))
	if d.Signature != "" && !signatureForm().MatchString(d.Signature) {
		r.Refuse(top.Get("signature"), "DECISION.SIGNATURE", "remove this file and answer again with git standards resolve", "signature is no armored SSH signature")
	}
	return d, r.Sorted()
}

func (r reader) questions(d *Decision, node yamltext.Node) {
	rows := r.List(node, "questions")
	if node.IsGiven() && node.Kind() == yamltext.KindList && len(rows) == 0 {
		r.Refuse(node, "DECISION.QUESTIONS", "embed the records of the questions answered", "questions lists no record")
	}
	for _, row := range rows {
		if !r.Is(row, "a question", yamltext.KindMapping) {
			continue
		}
		value, ok := r.Value(row, "a question")
		record, isRecord := value.(identity.Record)
		if !ok || !isRecord {
			continue
		}
		kind, ok := record["kind"].(string)
		switch {
		case !ok:
			r.Refuse(row, "DECISION.KIND", "embed the record as it was asked", "the question has no kind")
		case d.Kind != "" && kind != d.Kind:
			r.Refuse(row, "DECISION.KIND", "give questions of another kind their own file",
				"the kind of the question is %q, that of the file %q", kind, d.Kind)
		}
		d.Questions, d.Lines = append(d.Questions, record), append(d.Lines, r.Line(row))
	}
}

// answer reads result or value, of which a decision has exactly one.
func (r reader) answer(d *Decision, top *yamltext.Fields) {
	result, value := top.Keys["result"], top.Keys["value"]
	switch {
	case !result.IsGiven() && !value.IsGiven() && d.Kind == "fact":
		r.Refuse(top.Node, "DECISION.RESULT", "add value:, or result: absent", "the decision has no value")
	case !result.IsGiven() && !value.IsGiven():
		r.Refuse(top.Node, "DECISION.RESULT", "add result:", "the decision has no result")
	case result.IsGiven() && value.IsGiven():
		r.Refuse(value, "DECISION.RESULT", "keep one of them", "the decision has both a result and a value")
	}
	if value.IsGiven() && !result.IsGiven() {
		d.Value, d.ValueLine = r.value(d.Kind, value, top.Get("value")), r.Line(value)
	}
	d.Result = r.Text(top.Get("result"), "result")
	if results, known := resultsOf[d.Kind]; known && d.Result != "" {
		results = append(slices.Clone(results), facts.Waiver)
		r.Choice(top.Get("result"), "result of a "+d.Kind, "DECISION.RESULT", results)
	}
}

// value reads the value of a fact; whether its contract takes it is not known here.
func (r reader) value(kind string, key, node yamltext.Node) any {
	if _, known := resultsOf[kind]; known && kind != "fact" {
		r.Refuse(key, "DECISION.RESULT", "write result: instead", "a decision of kind %s has a result, not a value", kind)
		return nil
	}
	value, ok := r.Value(node, "value")
	members, isList := value.(identity.List)
	_, isText := value.(string)
	_, isBoolean := value.(bool)
	allTexts := isList && !slices.ContainsFunc(members, func(member any) bool { _, isText := member.(string); return !isText })
	if ok && !isText && !isBoolean && !allTexts {
		r.Refuse(key, "DECISION.VALUE", "write true, false, a text or a list of texts; for none, result: absent", "the value is none that a fact can have")
		return nil
	}
	return value
}

func (r reader) evidence(node yamltext.Node) (Evidence, bool) {
	f, ok := r.Mapping(node, "an entry of evidence", 1, "sha256", "path")
	if !ok {
		return Evidence{}, false
	}
	e := Evidence{Path: r.Text(f.Get("path"), "path"), SHA256: r.Text(f.Get("sha256"), "sha256")}
	if e.SHA256 != "" && !identity.IsBytesDigest(e.SHA256) {
		r.Refuse(f.Get("sha256"), "DECISION.EVIDENCE", "write sha256: and 64 lower-case hex digits", "%q is no digest", e.SHA256)
		ok = false
	}
	if e.Path != "" {
		if err := content.CheckPath(e.Path); err != nil {
			r.Refuse(f.Get("path"), "DECISION.EVIDENCE", "write the path from the root of the repository", "path: %s", err)
			ok = false
		}
	}
	return e, ok && e.SHA256 != ""
}
