package authored

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// The bounds of what is read, in bytes and in levels of nesting.
const (
	maxYAML  = 1 << 20
	maxDepth = 64
)

// reader reads one YAML text strictly and gathers what is wrong with it. Readers of values return the zero value
// beside a finding, so that one pass finds everything.
type reader struct {
	file     string
	offset   int // lines of the file before the text
	findings []Finding
}

func (r *reader) report(line int, code, next, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	r.findings = append(r.findings, Finding{Code: code, Severity: SeverityError, File: r.file, Line: line, Message: message, Next: next})
}

func (r *reader) refuse(node *yaml.Node, code, next, format string, args ...any) {
	r.report(r.line(node), code, next, format, args...)
}

// unsupported refuses by name what is well formed and not judged yet, so that nothing passes unjudged.
func (r *reader) unsupported(node *yaml.Node, code, format string, args ...any) {
	r.refuse(node, code, "remove it until a version that judges it is installed", format, args...)
	r.findings[len(r.findings)-1].Unsupported = true
}

func (r *reader) line(node *yaml.Node) int { return r.offset + max(node.Line, 1) }

// sorted returns the findings by line, in the order found within one.
func (r *reader) sorted() []Finding {
	slices.SortStableFunc(r.findings, func(a, b Finding) int { return a.Line - b.Line })
	return r.findings
}

// load parses text as one YAML document and returns its root, or nil beside findings.
func (r *reader) load(text []byte) *yaml.Node {
	if len(text) > maxYAML {
		r.report(r.offset+1, "YAML.TOO_BIG", "split it", "%d bytes of YAML; at most %d are read", len(text), maxYAML)
		return nil
	}
	if line := invalidLine(text); line > 0 {
		r.report(r.offset+line, "YAML.ENCODING", "save the file as UTF-8", "the line is not UTF-8")
		return nil
	}
	if line := conflictLine(text); line > 0 {
		r.report(r.offset+line, "YAML.CONFLICT", "resolve the conflict and remove its markers", "a merge conflict is not resolved")
		return nil
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
		r.report(r.offset+max(line, 1), code, next, "%s", message)
		return nil
	}
	before := len(r.findings)
	r.inspect(root, 0)
	if len(r.findings) > before {
		return nil
	}
	return root
}

var errDocuments = errors.New("more than one YAML document")

// decode runs the library over text. Should hostile text make it panic, the panic is reported as what it is: a text
// that cannot be read.
func decode(text []byte) (root *yaml.Node, line int, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, fmt.Errorf("the YAML cannot be read: %v", p)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, second yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, 1, errors.New("there is nothing in it")
	case err != nil:
		line, err := libraryError(err)
		return nil, line, err
	}
	switch err := decoder.Decode(&second); {
	case err == nil:
		return nil, second.Line, errDocuments
	case !errors.Is(err, io.EOF):
		line, err := libraryError(err)
		return nil, line, err
	}
	if document.Kind != yaml.DocumentNode || len(document.Content) != 1 {
		return nil, 1, errors.New("there is nothing in it")
	}
	return document.Content[0], 0, nil
}

var libraryLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// libraryError takes the line out of the library's message.
func libraryError(err error) (int, error) {
	message := err.Error()
	match := libraryLine.FindStringSubmatch(message)
	if match == nil {
		return 1, errors.New(message)
	}
	line, _ := strconv.Atoi(match[1])
	return max(line, 1), errors.New(message[len(match[0]):])
}

// inspect refuses what would make the text say something that does not stand where it is read.
func (r *reader) inspect(node *yaml.Node, depth int) {
	switch {
	case depth > maxDepth:
		r.refuse(node, "YAML.TOO_DEEP", "nest less", "nesting deeper than %d levels", maxDepth)
		return
	case node.Kind == yaml.AliasNode:
		r.refuse(node, "YAML.ALIAS", "write the value out", "alias *%s: aliases are not read", node.Value)
		return
	case node.Anchor != "":
		r.refuse(node, "YAML.ALIAS", fmt.Sprintf("remove &%s", node.Anchor), "anchor &%s: anchors are not read", node.Anchor)
	}
	for i, child := range node.Content {
		if node.Kind == yaml.MappingNode && i%2 == 0 && child.Kind == yaml.ScalarNode && child.Tag == "!!merge" {
			r.refuse(child, "YAML.ALIAS", "write the keys out", "merge key <<: merge keys are not read")
			continue
		}
		r.inspect(child, depth+1)
	}
}

// invalidLine returns the number of the first line that is not UTF-8, or 0.
func invalidLine(text []byte) int {
	for at := 0; at < len(text); {
		c, size := utf8.DecodeRune(text[at:])
		if c == utf8.RuneError && size == 1 {
			return 1 + bytes.Count(text[:at], []byte("\n"))
		}
		at += size
	}
	return 0
}
