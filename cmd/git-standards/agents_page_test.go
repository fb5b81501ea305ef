package main_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-standards/git-standards/gitext/gittest"
)

const agentsPage = root + "/doc/agents.md"

var updateAgents = flag.Bool("update-agents", false, "write what the server answers into doc/agents.md")

// exchange is the section of the page that is one run, begin to end.
const exchange = "## An exchange\n"

// fence is a fenced block of a page.
type fence struct{ language, text string }

// splitFences gives the fenced blocks of a text, and the text before each and after the last, fences included.
func splitFences(text string) (blocks []fence, between []string) {
	inside, around := false, ""
	for line := range strings.Lines(text) {
		switch word, isFence := strings.CutPrefix(line, "```"); {
		case isFence && !inside:
			inside, around = true, around+line
			between, around = append(between, around), ""
			blocks = append(blocks, fence{language: strings.TrimSpace(word)})
		case isFence:
			inside, around = false, line
		case inside:
			blocks[len(blocks)-1].text += line
		default:
			around += line
		}
	}
	return blocks, append(between, around)
}

// laidOut is JSON as the page shows it: what fits a line of 180 columns stands in one. The keys keep their order.
func laidOut(t *testing.T, raw json.RawMessage, indent, key, after string) string {
	t.Helper()
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		t.Fatal(err)
	}
	text := oneLine(compact.String())
	line := indent + key + text + after
	isOuter, isClosed := indent == "", text == "{}" || text == "[]" || !strings.ContainsAny(text[:1], "{[")
	if isClosed || !isOuter && len(line) <= 180 {
		return line + "\n"
	}
	decoder := json.NewDecoder(&compact)
	opening, err := decoder.Token()
	if err != nil {
		t.Fatal(err)
	}
	closing := map[json.Delim]string{'{': "}", '[': "]"}[opening.(json.Delim)]
	out := indent + key + opening.(json.Delim).String() + "\n"
	for decoder.More() {
		name := ""
		if closing == "}" {
			token, err := decoder.Token()
			if err != nil {
				t.Fatal(err)
			}
			name = `"` + token.(string) + `": `
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			t.Fatal(err)
		}
		comma := ","
		if !decoder.More() {
			comma = ""
		}
		out += laidOut(t, value, indent+"  ", name, comma)
	}
	return out + indent + closing + after + "\n"
}

// oneLine puts a blank after each colon and comma outside of texts.
func oneLine(compact string) string {
	var b strings.Builder
	inText, escaped := false, false
	for i := range len(compact) {
		c := compact[i]
		b.WriteByte(c)
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			inText = !inText
		case !inText && (c == ':' || c == ','):
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// TestAgentsPageIsOneRun sends the calls that doc/agents.md shows to one server in the repository that it shows, and compares the answers.
// -update-agents writes these alone: the ids in a call are copied by hand, from the answer before it.
func TestAgentsPageIsOneRun(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(agentsPage)
	if err != nil {
		t.Fatal(err)
	}
	before, section, found := strings.Cut(string(page), exchange)
	blocks, between := splitFences(section)
	if !found || len(blocks) < 12 || blocks[0].language != "yaml" || blocks[1].language != "markdown" {
		t.Fatalf("%d blocks in %q", len(blocks), exchange)
	}
	r := gittest.New(t)
	r.Env = append(r.Env, "GIT_AUTHOR_EMAIL=ann@example.com")
	r.Commit("standards/standards.yaml", blocks[0].text, "standards/api.md", strings.Replace(blocks[1].text, "revision: 2", "revision: 1", 1), "docs/errors.md", "E1\n",
		"standards/words.md", "---\nstandard: {id: ref.words, role: reference, level: REFERENCE}\n---\n# Words\n")
	r.Write("standards/api.md", blocks[1].text)
	session := connect(t, r)
	send := func(name string, arguments json.RawMessage) string {
		answer, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
		if err != nil {
			t.Fatal(err)
		}
		return laidOut(t, json.RawMessage(answer.Content[0].(*mcp.TextContent).Text), "", "", "")
	}
	written, printed := before+exchange, ""
	for i, block := range blocks {
		var called struct {
			Name      string
			Arguments json.RawMessage
		}
		if block.language == "json" {
			if err := json.Unmarshal([]byte(block.text), &called); err != nil {
				t.Fatal(err)
			}
		}
		switch {
		case block.language != "json":
		case called.Name != "":
			if called.Name == "standards_prepare" {
				r.Write("docs/errors.md", "E1: means for ever that there is no such order.\n")
			}
			printed = send(called.Name, called.Arguments)
		default:
			if printed == "" { // the last is of a call that is no request, and so is not shown
				printed = send("standards_query", json.RawMessage(`{"query": {"kind": "read", "target": 7}}`))
			}
			if diff := cmp.Diff(block.text, printed); diff != "" && !*updateAgents {
				t.Errorf("block %d of the exchange (-page +answered); -update-agents writes it:\n%s", i+1, diff)
			}
			block.text, printed = printed, ""
		}
		written += between[i] + block.text
	}
	if *updateAgents {
		if err := os.WriteFile(agentsPage, []byte(written+between[len(blocks)]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
