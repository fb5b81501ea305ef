package authored

import (
	"fmt"
	"strings"

	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/content"
	"go.yaml.in/yaml/v3"
)

// howToWrite says how a value of another kind is written.
func howToWrite(node *yaml.Node, kind, got string) string {
	isScalar := node.Kind == yaml.ScalarNode && got != kindNull
	switch {
	case kind == kindString && isScalar:
		return fmt.Sprintf("put quotes around %q", node.Value)
	case kind == kindString:
		return "write a text behind the key"
	case kind == kindList && isScalar:
		return fmt.Sprintf("write [%s]", Scalar(node.Value))
	case kind == kindList:
		return "begin each entry on a line of its own with a -"
	case kind == kindInt && got == kindString && decimal.MatchString(node.Value):
		return fmt.Sprintf("write %s without quotes", node.Value)
	case kind == kindInt:
		return "write a whole number, such as 1"
	case kind == kindBool:
		return "write true or false"
	}
	return "write its keys on indented lines below, or as {key: value}"
}

// howToAdd shows a key that is missing with a value that it may have.
func howToAdd(key string) string {
	values := map[string]string{
		"version": "1", "revision": "1", "modules": `["standards/**/*.md"]`, "heading": "[text of the heading]", "role": "topic (or another of " + strings.Join(roles, ", ") + ")",
		"level": "MUST (or another of " + strings.Join(levels, ", ") + ")", "relation": "with one of " + strings.Join(relations, ", "),
	}
	return strings.TrimSpace("add " + key + ": " + values[key])
}

// howToPath says what to write for a text that is no path.
func howToPath(text string) string {
	guess := strings.TrimLeft(strings.TrimPrefix(text, "./"), "/")
	if folder := strings.TrimRight(guess, "/"); folder != guess && content.CheckPath(folder) == nil {
		return "name one file in it, or write glob: " + Scalar(folder+"/**")
	}
	if content.CheckPath(guess) == nil {
		return "write path: " + Scalar(guess)
	}
	return "write the path of one file from the root of the repository, such as docs/errors.md"
}

// howToGlob says what to write for a text that glob.Parse refuses, where a guess at what was meant is a glob.
func howToGlob(pattern string) string {
	guess := strings.TrimLeft(strings.TrimPrefix(pattern, "./"), "/")
	if strings.HasSuffix(guess, "/") {
		guess += "**"
	}
	if _, err := glob.Parse(guess); err == nil && guess != pattern {
		return "write " + Scalar(guess)
	}
	return `write a glob from the root of the repository, such as "docs/**/*.md"`
}
