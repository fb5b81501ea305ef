// Package adopt makes modules of Markdown documents that were written without one: which headings become units, and what
// the module and its units are called.
//
// It promises that a document is adopted whole or refused by findings, that no byte of it changes, and that no id is given
// that another text has. Which documents are worth it, and whether the manifest finds them, is for its callers to say.
package adopt

import (
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/identity"
)

// The defaults of adoption. Two levels of headings are the sections of a decision record and the rules of a style guide;
// what stands deeper is most often an example.
const (
	DefaultRole  = "topic"
	DefaultLevel = "MUST"
	DefaultDepth = 2
)

// Options says how a document becomes a module. Its ID is derived from the path where it is "". Depth is how many
// headings below the H1 a unit's path may have. Taken reports the ids that other texts have.
type Options struct {
	ID, Role, Level string
	Depth           int
	Taken           func(id string) bool
}

// Check returns why no document can be adopted so, or nil.
func (o Options) Check() error {
	if err := authored.CheckRole(o.Role); err != nil {
		return err
	}
	if err := authored.CheckLevel(o.Level); err != nil {
		return err
	}
	if o.Depth < 1 {
		return fmt.Errorf("depth is 1 or more, not %d", o.Depth)
	}
	if o.ID != "" {
		return identity.CheckID(o.ID)
	}
	return nil
}

// Result is a document as a module: its whole text, the id of the module and of its units, and the headings that no unit
// can name.
type Result struct {
	Text    []byte
	ID      string
	Units   []string
	Skipped []Skipped
}

// Skipped is a heading without a unit, where it stands in the document, and why.
type Skipped struct {
	Line    int
	Heading string // as front matter would have it
	Why     string
}

// Document adds the key `standard` to the front matter of a Markdown document, with one unit a heading (RULES A1, A2, A6).
// A document to which that cannot be done is refused by findings.
func Document(file string, data []byte, o Options) (*Result, []reading.Finding) {
	read, findings := readDocument(file, data)
	if read == nil {
		return nil, findings
	}
	done := &Result{ID: o.ID}
	if done.ID == "" {
		done.ID = moduleID(file, o.Taken)
	}
	module := &authored.Module{ID: done.ID, Role: o.Role, Level: o.Level}
	paths := done.choose(read, o.Depth)
	done.Units = unitIDs(done.ID, o, paths)
	for i, path := range paths {
		module.Units = append(module.Units, authored.Unit{ID: done.Units[i], Heading: path, Revision: 1})
	}
	if done.Text, findings = read.addStandard(module); len(findings) > 0 {
		return nil, findings
	}
	return done, nil
}

// choose returns the heading paths that become units, in order: down to a depth, those that name one section, and of
// headings that only gather others none.
func (r *Result) choose(d *document, depth int) (paths [][]string) {
	outline := d.outline
	isUnit := make([]bool, len(outline.Headings))
	gathers := make([]bool, len(outline.Headings)) // a heading below it has a unit
	chosen := make([][]string, len(outline.Headings))
	for i, heading := range outline.Headings {
		path := outline.Path(i)
		if len(path) == 0 || len(path) > depth {
			continue
		}
		why := ""
		switch {
		case slices.Contains(path, ""):
			why = "it, or a heading above it, has no text that a unit can name"
		case len(outline.Find(path)) > 1:
			why = "it stands more than once"
		}
		if why != "" {
			r.Skipped = append(r.Skipped, Skipped{Line: d.line(i), Heading: yamltext.FlowList(path), Why: why})
			continue
		}
		isUnit[i], chosen[i] = true, path
		if heading.Parent >= 0 {
			gathers[heading.Parent] = true
		}
	}
	for i := range outline.Headings {
		if isUnit[i] && (!gathers[i] || outline.HasText(i)) {
			paths = append(paths, chosen[i])
		}
	}
	return paths
}
