package authored

import (
	"encoding/hex"
	slash "path"
	"regexp"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/markdown"
	"github.com/git-standards/git-standards/engine/content"
)

// Link is a link of a module's text that leads to a place in the repository: its path, and the line of the file on which the link
// begins.
type Link struct {
	Line int
	Path string
}

// links reads where the text of a router leads, whose lines count from first. What it links is compared with what is routed
// (RULES A5).
func (r *reader) links(m *Module, body []byte, first int) {
	found, tooLong := markdown.Links(body)
	if tooLong > 0 {
		r.Find(first+tooLong-1, "MODULE.TOO_BIG", "divide it, or begin each row of a table with |",
			"the links of a paragraph of more than %d bytes are not read, and this is a router", markdown.MaxParagraph)
	}
	for _, l := range found {
		if path := linkedPath(m.File, l.Destination); path != "" {
			m.Links = append(m.Links, Link{first + l.Line - 1, path})
		}
	}
}

var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// linkedPath is the path to which a destination leads from a file, or "": elsewhere than in the repository, to a folder, or within the
// file itself. One that begins with a slash counts from the top of the repository, as hosts show it.
func linkedPath(file, destination string) string {
	if scheme.MatchString(destination) || strings.HasPrefix(destination, "//") {
		return ""
	}
	if end := strings.IndexAny(destination, "?#"); end >= 0 {
		destination = destination[:end]
	}
	components := strings.Split(destination, "/")
	for i, c := range components {
		if components[i] = unescape(c); strings.Contains(components[i], "/") {
			return "" // a slash that does not divide is in no name
		}
	}
	if last := components[len(components)-1]; last == "" || last == "." || last == ".." {
		return ""
	}
	path := slash.Clean(strings.Join(components, "/"))
	if strings.HasPrefix(path, "/") {
		path = strings.TrimLeft(path, "/")
	} else {
		path = slash.Join(slash.Dir(file), path)
	}
	if content.CheckPath(path) != nil || path == file {
		return ""
	}
	return path
}

// unescape replaces each percent sign that two hex digits follow, as RFC 3986 says; others stay.
func unescape(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if i+2 < len(text) && text[i] == '%' {
			if b, err := hex.DecodeString(text[i+1 : i+3]); err == nil {
				out.WriteByte(b[0])
				i += 2
				continue
			}
		}
		out.WriteByte(text[i])
	}
	return out.String()
}
