package corpus

import (
	"fmt"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/corpus/foldpath"
)

// findTwins warns of two paths of modules or consumers that some file systems take for one. They stay two here:
// matching is byte by byte.
func (c *Corpus) findTwins() {
	type place struct {
		path, file string
		line       int
	}
	first, warned := map[string]place{}, map[string]bool{}
	see := func(path, file string, line int) {
		key := foldpath.Fold(path)
		other, taken := first[key]
		if !taken {
			first[key] = place{path, file, line}
			return
		}
		if other.path == path || warned[path] {
			return
		}
		warned[path] = true
		differ, shown := "upper and lower case", "%q"
		if !strings.EqualFold(path, other.path) {
			differ, shown = "how Unicode spells a character", "%+q" // which %q would not show
		}
		c.Findings = append(c.Findings, reading.Finding{
			Code: "PATH.COLLIDES", Severity: reading.SeverityWarning, File: file, Line: line, Next: "rename one of the two files",
			Message: fmt.Sprintf("paths "+shown+" and "+shown+" (%s:%d) differ only in %s: some file systems hold only one of them",
				path, other.path, other.file, other.line, differ),
		})
	}
	for _, m := range c.Modules {
		see(m.File, m.File, m.Line)
	}
	for _, m := range c.Modules {
		for _, edge := range m.Consumers {
			if edge.Path != "" {
				see(edge.Path, m.File, edge.Line)
			}
		}
	}
}
