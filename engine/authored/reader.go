package authored

import (
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/identity"
)

// reader reads one file and gathers what is wrong with it. Readers of values return the zero value beside a finding, so
// that one pass finds everything.
type reader struct {
	yamltext.Reader
	file     string
	findings []Finding
}

func newReader(file string) *reader {
	r := &reader{file: file}
	r.Report, r.Examples = r.add, examples
	return r
}

func (r *reader) add(line int, code, message, next string) {
	r.findings = append(r.findings, Finding{Code: code, Severity: SeverityError, File: r.file, Line: line, Message: message, Next: next})
}

func (r *reader) report(line int, code, next, format string, args ...any) {
	r.add(line, code, fmt.Sprintf(format, args...), next)
}

// sorted returns the findings by line, in the order found within one.
func (r *reader) sorted() []Finding {
	slices.SortStableFunc(r.findings, func(a, b Finding) int { return a.Line - b.Line })
	return r.findings
}

// id reads an identifier (RULES A4).
func (r *reader) id(node yamltext.Node, what string) string {
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

func (r *reader) ids(node yamltext.Node, what string) []string {
	var ids []string
	taken := map[string]bool{}
	for _, item := range r.List(node, what) {
		if id := r.id(item, "an entry of "+what); id != "" {
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
