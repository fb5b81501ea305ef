package decisionfile

import (
	"strings"

	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/content"
)

// CompleteResult is what an attester says of the members that a coverage decision lists (RULES E3).
const CompleteResult = "complete"

// blobDigits is the hex digits of a Git object id by its algorithm.
var blobDigits = map[string]int{"sha1": 40, "sha256": 64}

// IsBlob reports whether text is a Git object id after its algorithm.
func IsBlob(text string) bool {
	algorithm, hex, _ := strings.Cut(text, ":")
	return hex != "" && len(hex) == blobDigits[algorithm] && strings.Trim(hex, "0123456789abcdef") == ""
}

// members reads what a coverage decision attests, which every one that says complete lists and no other does.
func (r reader) members(d *Decision, top *yamltext.Fields) {
	node := top.Keys["members"]
	attests := d.Kind == "coverage" && d.Result == CompleteResult
	switch {
	case !node.IsGiven() && attests:
		r.Refuse(top.Node, "DECISION.MEMBERS", "answer with git standards resolve, which lists them", "the decision lists no members")
		return
	case !node.IsGiven():
		return
	case !attests && d.Kind != "" && d.Result != "":
		r.Refuse(node, "DECISION.MEMBERS", "remove members:", "only a coverage decision with the result %s lists members", CompleteResult)
		return
	}
	for _, row := range r.List(top.Get("members"), "members") {
		if m, ok := r.member(row); ok {
			d.Members = append(d.Members, m)
		}
	}
}

func (r reader) member(node yamltext.Node) (Member, bool) {
	f, ok := r.Mapping(node, "an entry of members", 2, "path", "blob")
	if !ok {
		return Member{}, false
	}
	m := Member{Path: r.Text(f.Get("path"), "path"), Blob: r.Text(f.Get("blob"), "blob")}
	if m.Path == "" || m.Blob == "" {
		return Member{}, false
	}
	if !IsBlob(m.Blob) {
		r.Refuse(f.Get("blob"), "DECISION.MEMBERS", "write sha1: and 40 lower-case hex digits, or sha256: and 64", "%q is no Git object id after its algorithm", m.Blob)
		ok = false
	}
	if err := content.CheckPath(m.Path); err != nil {
		r.Refuse(f.Get("path"), "DECISION.MEMBERS", "write the path from the root of the repository", "path: %s", err)
		ok = false
	}
	return m, ok
}
