package main_test

import (
	"database/sql"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3"

	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/store"
)

// roleKinds is the kind in each role of seed 004.
var roleKinds = map[string]string{
	"content": "content-snapshot", "metadata": "canonical-standards-corpus", "routing": "routing-projection",
	"policy-impact": "compiled-policy-impact", "graph": "standards-graph", "coverage": "coverage-horizon", "context": "analysis-context",
	"requirement": "fact-requirement", "observation": "fact-observation", "coverage-view": "coverage-view",
	"coverage-requirement": "coverage-requirement", "coverage-attestation": "coverage-attestation",
	"coverage-certificate": "coverage-certificate", "provider-authority": "provider-authority", "authorization-grant": "authorization-grant",
}

// roleDependencies is the seed's table of structural role dependencies, verbatim but for "optional", which is a question mark. Of a
// provider-authority any subset is right. A side without a file of standards has no content.
var roleDependencies = map[string]string{
	"content":              "",
	"metadata":             "content?",
	"routing":              "content? metadata",
	"policy-impact":        "content? metadata",
	"graph":                "metadata policy-impact",
	"coverage":             "content? metadata policy-impact graph",
	"context":              "metadata",
	"requirement":          "context policy-impact",
	"observation":          "requirement provider-authority? authorization-grant",
	"coverage-view":        "metadata policy-impact graph coverage",
	"coverage-requirement": "coverage-view",
	"coverage-attestation": "coverage-requirement authorization-grant",
	"coverage-certificate": "coverage-view coverage-requirement coverage-attestation",
	"provider-authority":   "content? metadata? policy-impact? graph? coverage? context? requirement?",
	"authorization-grant":  "",
}

// merkle is what the roles rest on beside: the parts of large objects, which the seed keeps inside them.
var merkle = map[string][]string{
	"content-snapshot":           {"content-file"},
	"canonical-standards-corpus": {"standards-module", "standards-module-group"},
}

// checkDependencies compares the kinds that one object of a store rests on with the table. Kinds without a role are not in it.
func checkDependencies(kind string, on []string) error {
	for role, of := range roleKinds {
		if of != kind {
			continue
		}
		allowed := map[string]bool{}
		for _, kind := range merkle[kind] {
			allowed[kind] = true
		}
		for _, other := range strings.Fields(roleDependencies[role]) {
			name, optional := strings.CutSuffix(other, "?")
			allowed[roleKinds[name]] = true
			if !optional && !slices.Contains(on, roleKinds[name]) {
				return fmt.Errorf("%s rests on no %s", kind, name)
			}
		}
		for _, kindOn := range on {
			if !allowed[kindOn] {
				return fmt.Errorf("%s rests on a %s", kind, kindOn)
			}
		}
	}
	return nil
}

// checkStores compares every object that a script stored, and that its owner's codec proves, with the table. What a script has damaged is
// its own matter.
func checkStores(folder string) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() != store.FileName {
			return nil // a script may have taken its folders' permissions
		}
		db, err := sql.Open("sqlite3", "file://"+path+"?mode=ro&immutable=1")
		if err != nil {
			return nil
		}
		defer db.Close()
		rows, err := db.Query("SELECT handle, envelope FROM authority_objects")
		if err != nil {
			return nil
		}
		defer rows.Close()
		codecs := judge.Codecs()
		for rows.Next() {
			var handle string
			var text []byte
			if rows.Scan(&handle, &text) != nil {
				return nil
			}
			envelope, err := codecs.Open(handle, text)
			if err != nil {
				continue
			}
			var on []string
			for _, d := range envelope.Dependencies {
				on = append(on, d.Kind)
			}
			if err := checkDependencies(envelope.Kind, on); err != nil {
				return fmt.Errorf("%s: %s: %w", path, handle, err)
			}
		}
		return nil
	})
}

// A check that cannot fail proves nothing.
func TestDependenciesAreChecked(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		kind  string
		on    []string
		right bool
	}{
		{"standards-graph", []string{"canonical-standards-corpus", "compiled-policy-impact"}, true},
		{"standards-graph", []string{"canonical-standards-corpus"}, false},
		{"standards-graph", []string{"canonical-standards-corpus", "compiled-policy-impact", "content-snapshot"}, false},
		{"authorization-grant", []string{"question"}, false},
		{"fact-observation", []string{"authorization-grant", "fact-requirement"}, true},
		{"canonical-standards-corpus", []string{"content-snapshot", "standards-module-group"}, true},
		{"canonical-standards-corpus", []string{"content-file"}, false},
		{"question", []string{"content-file"}, true},
	} {
		if err := checkDependencies(row.kind, row.on); (err == nil) != row.right {
			t.Errorf("%s on %q: %v", row.kind, row.on, err)
		}
	}
}
