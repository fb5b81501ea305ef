package yamltext

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The bounds of what is read, in bytes and in levels of nesting.
const (
	MaxBytes = 1 << 20
	MaxDepth = 64
)

// Reader reads one YAML text strictly. Its methods return the zero value for what they report, so that one pass finds
// everything. A what names the value in messages.
type Reader struct {
	// Report takes what is wrong: the line in the file, the code, what is wrong and what to write instead.
	Report func(line int, code, message, next string)
	// Offset is the number of lines of the file before the text.
	Offset int
	// Examples are the values to show for keys that are missing.
	Examples map[string]string
}

// Refuse reports a value that is given.
func (r *Reader) Refuse(node Node, code, next, format string, args ...any) {
	r.Report(r.Line(node), code, fmt.Sprintf(format, args...), next)
}

// Line returns the line of the file on which a value that is given begins.
func (r *Reader) Line(node Node) int { return r.Offset + max(node.yaml.Line, 1) }

// Load parses text as one YAML document and returns its root, which is not given where something is reported.
func (r *Reader) Load(text []byte) Node {
	if len(text) > MaxBytes {
		r.Report(r.Offset+1, "YAML.TOO_BIG", fmt.Sprintf("%d bytes of YAML; at most %d are read", len(text), MaxBytes), "split it")
		return Node{}
	}
	if line := InvalidLine(text); line > 0 {
		r.Report(r.Offset+line, "YAML.ENCODING", "the line is not UTF-8", "save the file as UTF-8")
		return Node{}
	}
	if line := ConflictLine(text); line > 0 {
		r.Report(r.Offset+line, "YAML.CONFLICT", "a merge conflict is not resolved", "resolve the conflict and remove its markers")
		return Node{}
	}
	root, line, err := decode(text)
	if err != nil {
		code, message, next := "YAML.SYNTAX", err.Error(), ""
		switch {
		case errors.Is(err, errDocuments):
			code, next = "YAML.DOCUMENTS", "keep one document in the file"
		case strings.Contains(message, "exceeded max depth"):
			code, next = "YAML.TOO_DEEP", "nest less"
		case strings.Contains(message, "unknown anchor"):
			line = syntaxLine(text, message)
			code, message, next = "YAML.ALIAS", "a value that begins with * is an alias, and aliases are not read",
				"write the value out, or put quotes around a text that begins with *"
		default:
			line = syntaxLine(text, message)
			message, next = explainSyntax(message)
		}
		r.Report(r.Offset+max(line, 1), code, message, next)
		return Node{}
	}
	if !r.inspect(Node{root}, 0) {
		return Node{}
	}
	return Node{root}
}

// inspect refuses what would make the text say something that does not stand where it is read, and reports whether there is
// nothing of it.
func (r *Reader) inspect(n Node, depth int) bool {
	node, clean := n.yaml, true
	switch {
	case depth > MaxDepth:
		r.Refuse(n, "YAML.TOO_DEEP", "nest less", "nesting deeper than %d levels", MaxDepth)
		return false
	case node.Kind == yaml.AliasNode:
		r.Refuse(n, "YAML.ALIAS", "write the value out", "alias *%s: aliases are not read", node.Value)
		return false
	case node.Anchor != "":
		r.Refuse(n, "YAML.ALIAS", fmt.Sprintf("remove &%s", node.Anchor), "anchor &%s: anchors are not read", node.Anchor)
		clean = false
	}
	for i, child := range node.Content {
		if node.Kind == yaml.MappingNode && i%2 == 0 && child.Kind == yaml.ScalarNode && child.Tag == "!!merge" {
			r.Refuse(Node{child}, "YAML.ALIAS", "write the keys out", "merge key <<: merge keys are not read")
			clean = false
			continue
		}
		clean = r.inspect(Node{child}, depth+1) && clean
	}
	return clean
}
