// Package markdown reads Markdown: the outline of a text and the sections of its headings (RULES A2), and the normal form
// of a section (RULES A8).
//
// It promises that Normalize is the frozen algorithm of doc/normalization.md and depends on no library; that headings are
// those of CommonMark and sections hold every byte of the text once; and that hostile text costs bounded time, Parse where
// Check finds nothing. It knows neither front matter nor findings, and what a heading is good for is for package authored
// to say. It is the only room that imports a Markdown library.
package markdown

import (
	"path"
	"slices"
	"strings"
)

// HasExtension reports whether a file's name ends as those of Markdown files do.
func HasExtension(name string) bool {
	return slices.Contains([]string{".md", ".markdown", ".mdx"}, strings.ToLower(path.Ext(name)))
}
