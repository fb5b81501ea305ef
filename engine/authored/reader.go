package authored

import (
	"strings"

	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/facts"
)

// examples are values to show for keys that are missing.
var examples = map[string]string{
	"version": "1", "revision": "1", "modules": `["standards/**/*.md"]`, "heading": "[text of the heading]", "role": "topic (or another of " + strings.Join(roles, ", ") + ")",
	"level": "MUST (or another of " + strings.Join(levels, ", ") + ")", "relation": "with one of " + strings.Join(relations, ", "),
	"type": "boolean (or another of " + strings.Join(facts.Types(), ", ") + ")", "command": "[scripts/PROGRAM]", "include": `["src/**"]`, "when": "always",
}

// reader reads a manifest or a module.
type reader struct{ *reading.Reader }

func newReader(file string) *reader { return &reader{reading.New(file, examples)} }

// howToPath says what to write for a text that is no path.
func howToPath(text string) string {
	guess := strings.TrimLeft(strings.TrimPrefix(text, "./"), "/")
	if folder := strings.TrimRight(guess, "/"); folder != guess && content.CheckPath(folder) == nil {
		return "name one file in it, or write glob: " + yamltext.Scalar(folder+"/**")
	}
	if content.CheckPath(guess) == nil {
		return "write path: " + yamltext.Scalar(guess)
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
		return "write " + yamltext.Scalar(guess)
	}
	return `write a glob from the root of the repository, such as "docs/**/*.md"`
}
