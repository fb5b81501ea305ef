// Package reading reads one text that people write, and says what is wrong with it in findings.
//
// It promises that every fault is found in one pass, as a finding with file, line, a code that never changes its meaning and what to do next,
// and that nothing is guessed, repaired or skipped. What a text may say is for its reader to know, and YAML for package yamltext.
package reading

import (
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/identity"
)

// Finding is one thing that is wrong or doubtful in authored text (SHAPES, "lint"). Severity is "error" or "warning".
// Unsupported marks what is well formed and written for a newer version: it is refused by name.
type Finding struct {
	Code        string
	Severity    string
	File        string
	Line        int
	Message     string
	Next        string
	Unsupported bool
}

// The severities of a finding.
const (
	SeverityError   = "error"
	SeverityWarning = "warning"
)

// MaxRevision is the largest integer that every reader of JSON keeps exactly.
const MaxRevision = 1<<53 - 1

// Reader reads one file and gathers what is wrong with it. Readers of values return the zero value beside a finding, so
// that one pass finds everything.
type Reader struct {
	yamltext.Reader
	Findings []Finding // in the order found

	file string
}

// New returns the reader of a file. examples are values to show for keys that are missing.
func New(file string, examples map[string]string) *Reader {
	r := &Reader{file: file}
	r.Report, r.Examples = r.add, examples
	return r
}

func (r *Reader) add(line int, code, message, next string) {
	r.Findings = append(r.Findings, Finding{Code: code, Severity: SeverityError, File: r.file, Line: line, Message: message, Next: next})
}

// Find adds an error, what to do next before what is wrong.
func (r *Reader) Find(line int, code, next, format string, args ...any) {
	r.add(line, code, fmt.Sprintf(format, args...), next)
}

// Sorted returns the findings by line, in the order found within one.
func (r *Reader) Sorted() []Finding {
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return a.Line - b.Line })
	return r.Findings
}

// ID reads an identifier (RULES A4).
func (r *Reader) ID(node yamltext.Node, what string) string {
	text := r.Text(node, what)
	if text == "" {
		return ""
	}
	if err := identity.CheckID(text); err != nil {
		r.Refuse(node, "MODULE.ID", "use letters, digits and . _ : / - only, a letter or a digit first", "%s: %s", what, err)
		return ""
	}
	return text
}

// IDs reads a list of identifiers, none of them twice.
func (r *Reader) IDs(node yamltext.Node, what string) []string {
	var ids []string
	taken := map[string]bool{}
	for _, item := range r.List(node, what) {
		if id := r.ID(item, "an entry of "+what); id != "" {
			if taken[id] {
				r.Refuse(item, "MODULE.ID", "keep one of them", "%s names %q twice", what, id)
				continue
			}
			taken[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}
