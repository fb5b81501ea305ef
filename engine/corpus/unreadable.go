package corpus

import (
	"slices"

	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/identity"
)

// Unreadable is a file of a side's standards whose text is wrong in itself, so that nothing can be said of what it declares.
// Digest is that of its bytes ("sha256:…"), or "absent" for a manifest or an authority that is no regular file. Module is the id of the
// module in it as far as that could be read, or "".
type Unreadable struct{ File, Digest, Module string }

// references are the findings about what a readable text names: on an accepted side they read as if it did not name it
// (RULES B7).
var references = map[string]bool{
	"CONSUMER.UNIT_RETIRED":    true,
	"CONSUMER.UNIT_UNKNOWN":    true,
	"CONSUMER.MODULE_UNKNOWN":  true,
	"CONSUMER.REPEATED":        true,
	"FACT.CONTEXT":             true,
	"FACT.TYPE":                true,
	"FACT.UNKNOWN":             true,
	"MANIFEST.GLOB_EMPTY":      true,
	"MODULE.CYCLE":             true,
	"MODULE.REFERENCE_UNKNOWN": true,
	"PROVIDER.UNKNOWN":         true,
	"ROUTING.MODULE_UNKNOWN":   true,
	"ROUTING.LINK_EXTRA":       true,
	"ROUTING.LINK_MISSING":     true,
	"UNIT.SUCCESSOR_UNKNOWN":   true,
}

// findUnreadable names the files with a finding of their own. Links and the like that stand where a module might never
// declared anything: they are not among files.
func (c *Corpus) findUnreadable(files map[string][]byte) {
	byFile := make(map[string]*Module, len(c.Modules))
	for _, m := range c.Modules {
		byFile[m.File] = m
	}
	for _, f := range c.Findings {
		data, isFile := files[f.File]
		m := byFile[f.File]
		onlyNames := references[f.Code] && (m == nil || m.Node.ID != "")
		if f.Severity != reading.SeverityError || onlyNames || c.IsUnreadable(f.File) || !isFile && f.File != ManifestPath && f.File != AuthorityPath {
			continue
		}
		u := Unreadable{File: f.File, Digest: "absent"}
		if isFile {
			u.Digest = identity.Bytes(data)
		}
		if m != nil {
			u.Module = m.ID
		}
		c.Unreadable = append(c.Unreadable, u)
	}
	slices.SortFunc(c.Unreadable, func(a, b Unreadable) int { return content.ComparePaths(a.File, b.File) })
}

// IsUnreadable reports whether a file is among the unreadable ones.
func (c *Corpus) IsUnreadable(file string) bool {
	return slices.ContainsFunc(c.Unreadable, func(u Unreadable) bool { return u.File == file })
}
