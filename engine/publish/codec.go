package publish

import (
	"fmt"
	"strings"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/analysis/state"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/identity"
)

// Codec owns publication: the record of one landing (doc/publish.md). It depends on the state that it names.
var Codec = authority.Codec{
	Kind:            "publication",
	Domain:          "coding-standards:publication:v1",
	PayloadContract: "publication.v1",
	Examine:         examine,
}

// Codecs is the codec set of this package.
func Codecs() []authority.Codec { return []authority.Codec{Codec} }

func (p Publication) record() identity.Record {
	decisions := make(identity.List, len(p.Decisions))
	for i, d := range p.Decisions {
		decisions[i] = identity.Record{
			"question": d.Question, "answer": d.Answer, "principal": d.Principal, "trust": d.Trust, "counted": d.Counted,
			"file": d.File, "sha256": d.Digest,
		}
	}
	return identity.Record{
		"result":    p.Result,
		"analysis":  optional(p.Analysis),
		"issuer":    optional(p.Issuer),
		"coverage":  optional(p.Coverage),
		"accepted":  p.Accepted.record(),
		"proposed":  p.Proposed.record(),
		"landed":    p.Landed.record(),
		"branch":    optional(p.Branch),
		"decisions": decisions,
		"tool":      identity.Record{"version": p.Tool.Version, "git": p.Tool.Git},
		"contracts": identity.Record{
			"interface": p.Tool.Interface, "handle": p.Tool.Handle, "envelope": p.Tool.Envelope, "identity": p.Tool.Identity,
		},
	}
}

func (c Commit) record() identity.Record { return identity.Record{"commit": c.Commit, "tree": c.Tree} }

func optional(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func examine(payload any) (any, []authority.Reference, error) {
	p, err := parse(payload)
	if err != nil || p.Analysis == "" {
		return payload, nil, err
	}
	root, err := authority.ReferenceTo(p.Analysis, state.Codec.Kind)
	return payload, []authority.Reference{root}, err
}

func parse(payload any) (p Publication, err error) {
	fields, err := authority.Closed(payload, "result", "analysis", "issuer", "coverage", "accepted", "proposed", "landed", "branch", "decisions", "tool", "contracts")
	if err != nil {
		return p, err
	}
	p.Result, _ = fields["result"].(string)
	for key, text := range map[string]*string{"analysis": &p.Analysis, "issuer": &p.Issuer, "coverage": &p.Coverage, "branch": &p.Branch} {
		if value, isText := fields[key].(string); isText && value != "" {
			*text = value
		} else if fields[key] != nil {
			return p, fmt.Errorf("%s is neither null nor a text", key)
		}
	}
	hasState := p.Analysis != "" && p.Issuer != "" && p.Coverage != ""
	hasNone := p.Analysis == "" && p.Issuer == "" && p.Coverage == ""
	if !(p.Result == Complete && hasState) && !(p.Result == Adoption && hasNone) {
		return p, fmt.Errorf("the result %q is neither complete, with a state, nor an adoption, without one", p.Result)
	}
	if p.Branch != "" && !strings.HasPrefix(p.Branch, "refs/heads/") {
		return p, fmt.Errorf("%q is no branch", p.Branch)
	}
	for key, c := range map[string]*Commit{"accepted": &p.Accepted, "proposed": &p.Proposed, "landed": &p.Landed} {
		if *c, err = parseCommit(fields[key]); err != nil {
			return p, fmt.Errorf("%s: %w", key, err)
		}
	}
	if n := len(p.Landed.Commit); len(p.Accepted.Commit) != n || len(p.Proposed.Commit) != n {
		return p, fmt.Errorf("the commits are of two object formats")
	}
	if p.Decisions, err = parseDecisions(fields["decisions"]); err != nil {
		return p, err
	}
	if p.Result == Adoption && len(p.Decisions) > 0 {
		return p, fmt.Errorf("an adoption holds decisions")
	}
	p.Tool, err = parseTool(fields["tool"], fields["contracts"])
	return p, err
}

func parseCommit(value any) (Commit, error) {
	fields, err := authority.Closed(value, "commit", "tree")
	if err != nil {
		return Commit{}, err
	}
	var c Commit
	c.Commit, _ = fields["commit"].(string)
	c.Tree, _ = fields["tree"].(string)
	if !isGitID(c.Commit) || !isGitID(c.Tree) || len(c.Commit) != len(c.Tree) {
		return Commit{}, fmt.Errorf("%q and %q are not the ids of a commit and its tree", c.Commit, c.Tree)
	}
	return c, nil
}

// isGitID reports a full object id: 40 or 64 lower-case hex digits.
func isGitID(id string) bool {
	return (len(id) == 40 || len(id) == 64) && strings.Trim(id, "0123456789abcdef") == ""
}

func parseDecisions(value any) ([]Decision, error) {
	list, ok := value.(identity.List)
	if !ok {
		return nil, fmt.Errorf("decisions are not a list")
	}
	var decisions []Decision
	for _, item := range list {
		fields, err := authority.Closed(item, "question", "answer", "principal", "trust", "counted", "file", "sha256")
		if err != nil {
			return nil, fmt.Errorf("decision: %w", err)
		}
		asked, err := authority.ReferenceTo(fields["question"], question.Codec.Kind)
		if err != nil {
			return nil, fmt.Errorf("decision: %w", err)
		}
		d := Decision{Question: asked.ID}
		counted, isBool := fields["counted"].(bool)
		d.Counted = counted
		for key, text := range map[string]*string{"answer": &d.Answer, "principal": &d.Principal, "trust": &d.Trust, "file": &d.File, "sha256": &d.Digest} {
			*text, _ = fields[key].(string)
		}
		if !isBool || d.Answer == "" || d.Principal == "" || d.Trust != "signed" && d.Trust != "asserted" || content.CheckPath(d.File) != nil || !identity.IsBytesDigest(d.Digest) {
			return nil, fmt.Errorf("the decision in %q is malformed", d.File)
		}
		if n := len(decisions); n > 0 && compareDecisions(decisions[n-1], d) >= 0 {
			return nil, fmt.Errorf("decisions are repeated or out of order")
		}
		decisions = append(decisions, d)
	}
	return decisions, nil
}

func parseTool(tool, contracts any) (t Tool, err error) {
	names, err := authority.Closed(tool, "version", "git")
	if err != nil {
		return t, fmt.Errorf("tool: %w", err)
	}
	t.Version, _ = names["version"].(string)
	t.Git, _ = names["git"].(string)
	numbers, err := authority.Closed(contracts, "interface", "handle", "envelope", "identity")
	if err != nil {
		return t, fmt.Errorf("contracts: %w", err)
	}
	for key, n := range map[string]*int64{"interface": &t.Interface, "handle": &t.Handle, "envelope": &t.Envelope, "identity": &t.Identity} {
		if *n, _ = numbers[key].(int64); *n < 1 {
			return t, fmt.Errorf("the contract %s has no version", key)
		}
	}
	if t.Version == "" || t.Git == "" {
		return t, fmt.Errorf("a tool has no version")
	}
	return t, nil
}
