package main_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/schemas"
)

// fencedJSON returns the blocks of JSON in a page, by the line that each begins at.
func fencedJSON(page string) map[int]string {
	blocks, begin, number := map[int]string{}, 0, 0
	for line := range strings.Lines(page) {
		number++
		switch bare := strings.TrimSpace(line); {
		case begin == 0 && bare == "```json":
			begin = number + 1
			blocks[begin] = ""
		case bare == "```":
			begin = 0
		case begin > 0:
			blocks[begin] += line
		}
	}
	return blocks
}

// checkExample checks one block of JSON for what it is: a result, a submission, a request to resolve, a call of a tool, what a provider is
// asked or says, or how an agent starts the server. An ellipsis stands for the digits of a digest.
func checkExample(text string) error {
	text = strings.ReplaceAll(text, "sha256:…", "sha256:"+strings.Repeat("0", 64))
	var keys map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &keys); err != nil {
		return err
	}
	has := func(key string) bool { return keys[key] != nil }
	switch {
	case has("schema_version") && has("result"):
		return schemas.Validate("", []byte(text))
	case has("schema_version") && has("contract"):
		return schemas.Validate("providerRequest", []byte(text))
	case has("result"):
		return schemas.Validate("providerAnswer", []byte(text))
	case has("schema_version") && has("answers"):
		return schemas.Validate("submission", []byte(text))
	case has("answers"):
		return schemas.Validate("resolveRequest", []byte(text))
	case has("name") && has("arguments"):
		var name string
		if err := json.Unmarshal(keys["name"], &name); err != nil {
			return err
		}
		operation, known := strings.CutPrefix(name, "standards_")
		if !known || !slices.Contains([]string{"query", "prepare", "resolve", "inspect"}, operation) {
			return fmt.Errorf("there is no tool %q", name)
		}
		return schemas.Validate(operation+"Request", keys["arguments"])
	case has("mcpServers") || has("servers"):
		var started struct {
			MCPServers, Servers map[string]struct {
				Type, Command string
				Args          []string
			}
		}
		if err := json.Unmarshal([]byte(text), &started); err != nil {
			return err
		}
		s := started.MCPServers["standards"]
		if has("servers") {
			s = started.Servers["standards"]
		}
		if s.Command != "git" || !slices.Equal(s.Args, []string{"standards", "mcp"}) {
			return fmt.Errorf("that starts %+v", s)
		}
		return nil
	}
	if has("yaml.schemas") {
		var files map[string]string
		if err := json.Unmarshal(keys["yaml.schemas"], &files); err != nil {
			return err
		}
		for file := range files {
			if _, known := schemas.Authored(strings.TrimSuffix(filepath.Base(file), ".schema.json")); !known {
				return fmt.Errorf("nothing is kept as %s", file)
			}
		}
		return nil
	}
	return fmt.Errorf("that is nothing this test knows")
}

// fragments are the blocks that show a part of a schema.
var fragments = []string{"contract.md"}

// Every example of JSON in the documentation is what it says it is.
func TestExamplesOfJSON(t *testing.T) {
	t.Parallel()
	checked := 0
	err := filepath.WalkDir(root+"/doc", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".md") {
			return err
		}
		text, err := os.ReadFile(path)
		for line, block := range fencedJSON(string(text)) {
			if slices.Contains(fragments, entry.Name()) && !strings.HasPrefix(block, "{") {
				continue
			}
			if err := checkExample(block); err != nil {
				t.Errorf("doc/%s:%d: %v", entry.Name(), line, err)
			}
			checked++
		}
		return err
	})
	if err != nil || checked < 9 {
		t.Errorf("%d examples: %v", checked, err)
	}
	// What is wrong is found to be.
	for _, wrong := range []string{
		`{`, `{}`, `{"schema_version": 11, "result": "rejected"}`, `{"schema_version": 11, "answers": []}`, `{"answers": []}`,
		`{"name": "standards_guess", "arguments": {}}`, `{"name": "standards_query", "arguments": {}}`,
		`{"mcpServers": {"standards": {"command": "git-standards", "args": ["mcp"]}}}`,
	} {
		if checkExample(wrong) == nil {
			t.Errorf("%s passes", wrong)
		}
	}
}
