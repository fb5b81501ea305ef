package analysis

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/analysis/question"
)

// One change that makes each declaration of doc/questions.md which is new beside the gate and the standards themselves. The records
// were written from that page, and python3 computed their ids (scripts/identity_vectors.py); which of them the change asks is the code's.
func TestDeclarationsAskTheDocumentedRecords(t *testing.T) {
	t.Parallel()
	const before = `facts: [{id: ui.visible, revision: 1, type: boolean, meaning: "Does it show?"}]
`
	const now = `facts:
  - {id: task.area, revision: 1, type: enum, values: [web, api], nullable: true, context: task-route}
  - {id: ui.visible, revision: 2, type: boolean, aliases: [shows, seen], meaning: "Is it seen?", inputs: ["src/**", "docs/**"], provider: ci.ui}
providers: [{id: ci.ui, revision: 1, command: [scripts/ui.sh, --json]}]
routing:
  base: [topic.http, topic.api]
  rules:
    - {id: r2, module: topic.http, when: always}
    - {id: r1, module: topic.api, when: {in: {fact: task.area, values: [web, api]}}}
horizon: {include: ["src/**", "docs/**"], exclude: [{glob: "src/gen/**", reason: generated}, {glob: "src/err/*", reason: by hand}], moving: list}
`
	const authority = `version: 1
issuer: {id: example.team, revision: 3}
signatures: optional
coverage: {attesters: 2}
principals:
  - id: ann
    emails: [ann@example.com, a@example.com]
    keys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO6zOLgV2QiVY1w+nt0jXAHU7iB/J95oj7X1Pv07mIxq ann@laptop"]
    capabilities: [standards.waive, standards.review.consumer]
  - {id: bo, emails: [bo@example.com], capabilities: [standards.review.audit]}
  - {id: cy, emails: [cy@example.com], capabilities: [standards.review.audit]}
revocations:
  authority: {id: example.security, revision: 1}
  revoked:
    - {id: waives, principal: bo, capabilities: [standards.waive, standards.analyze], reason: changed teams}
    - {id: laptop, principal: ann, key: "SHA256:rGLyZ4zkE3QDbzrx7Ae3mPEix3a5Hhgbhwl5NXLacC4", reason: stolen}
`
	accepted := apply(t, base(), sub(manifest, "version: 1\n", "version: 1\n"+before))
	proposed := apply(t, accepted, sub(manifest, before, now), write("standards/authority.yaml", authority),
		sub(api, "docs/names.md, rel", "docs/names.md, when: {all: [{equals: {fact: shows, value: true}}, {contains: {fact: change.kinds, value: deleted}}]}, rel"),
		sub(api, "docs/errors.md, rel", "docs/errors.md, on: [policy, consumer], rel"))
	asked := map[string]bool{}
	for _, q := range mustJudge(t, accepted, proposed).Asked {
		if q.Reason == question.DeclarationChanged && q.Declaration != "authority#principals.bo" && q.Declaration != "authority#principals.cy" {
			asked[q.ID] = true
		}
	}
	text, err := os.ReadFile("question/testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct{ Name, ID string }
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, v := range vectors {
		if !strings.HasPrefix(v.Name, "declaration-") {
			continue
		}
		n++
		if !asked[v.ID] {
			t.Errorf("nobody asks %s", v.Name)
		}
	}
	if n != len(asked) || n == 0 {
		t.Errorf("%d asked, %d vectors", len(asked), n)
	}
}
