package decision

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/identity"
)

// authorityKeys are what is declared in authority.yaml and of no unit or module, one of which may be called authority, too.
var authorityKeys = []string{"issuer", "signatures", "coverage", "principals", "revocation-authority", "revocations"}

// Folder is where decisions about a question are kept (RULES E2). A declaration belongs to the unit or module before its #.
func Folder(record identity.Record) string {
	for _, key := range []string{"unit", "module"} {
		if name, ok := record[key].(string); ok {
			return corpus.DecisionsFolder + "/" + authored.Slug(name)
		}
	}
	if _, ok := record["fact"].(string); ok {
		return corpus.DecisionsFolder + "/_facts"
	}
	name, _ := record["declaration"].(string)
	owner, key, _ := strings.Cut(name, "#")
	if word, _, _ := strings.Cut(key, "."); owner == "authority" && slices.Contains(authorityKeys, word) {
		return corpus.DecisionsFolder + "/_authority"
	}
	if owner != "" && !(owner == "manifest" && isOfManifest(key)) {
		return corpus.DecisionsFolder + "/" + authored.Slug(owner)
	}
	return corpus.DecisionsFolder + "/_manifest"
}

// isOfManifest tells a key of the manifest from one of a module or unit that is called so.
func isOfManifest(key string) bool {
	switch section, _, _ := strings.Cut(key, "."); section {
	case "modules", "gate", "facts", "providers", "routing", "horizon":
		return true
	}
	return false
}

// FileName is the path at which a new decision file about questions of one folder, in the order of their ids, is written.
// Several are named by the hash of their ids. attempt counts from 1: a taken name gets -2, -3, … (RULES E2).
func FileName(questions []*question.Question, principal string, attempt int) (string, error) {
	q := questions[0]
	name, id := "several", q.ID
	if len(questions) == 1 {
		name = label(q)
	} else {
		ids := identity.List{}
		for _, q := range questions {
			ids = append(ids, q.ID)
		}
		var err error
		if id, err = identity.Hash("coding-standards:decision-questions:v1", "decision-questions", ids); err != nil {
			return "", err
		}
	}
	_, hex, _ := identity.Split(id)
	suffix := ""
	if attempt > 1 {
		suffix = fmt.Sprintf("-%d", attempt)
	}
	return path.Join(Folder(q.Record), fmt.Sprintf("%s.%s.%s%s.yaml", authored.Slug(name), hex[:12], authored.Slug(principal), suffix)), nil
}

// label is the consumer or the fact, else the reason, else the kind.
func label(q *question.Question) string {
	if fact, ok := q.Record["fact"].(string); ok {
		return fact
	}
	for _, name := range []string{q.Consumer, q.Reason} {
		if name != "" {
			return name
		}
	}
	return q.Kind
}

// TemporaryPrefix begins the name of what is being written beside an answer. A kill may leave such a file, which answers nothing.
const TemporaryPrefix = ".tmp-"

// IsFile reports whether a file under standards/decisions/ holds decisions, whatever its name (RULES E2): a YAML file
// always does, so that a damaged one is not passed over; any other, such as a README, when it has the key `questions`.
func IsFile(name string, data []byte) bool {
	if !corpus.IsDecision(name) || strings.HasPrefix(path.Base(name), TemporaryPrefix) {
		return false
	}
	if strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") {
		return true
	}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "questions:") {
			return true
		}
	}
	return false
}
