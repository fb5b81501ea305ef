package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/git-standards/git-standards/gitext/gittest"
	"github.com/git-standards/git-standards/schemas"
)

// What the server shows is what is generated: names, descriptions and schemas, which stand alone.
func TestAgentShowsTheTools(t *testing.T) {
	t.Parallel()
	var defined struct {
		Tools []struct {
			Name, Description string
			InputSchema       any
		}
	}
	if err := json.Unmarshal(schemas.AgentTools(), &defined); err != nil || len(defined.Tools) != 4 {
		t.Fatalf("%d tools: %v", len(defined.Tools), err)
	}
	r := gittest.New(t)
	for _, args := range [][]string{nil, {"--read-only"}} {
		session := connect(t, r, args...)
		listed, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		shown := map[string]*mcp.Tool{}
		for _, tool := range listed.Tools {
			shown[tool.Name] = tool
		}
		for _, want := range defined.Tools {
			tool := shown[want.Name]
			writes := want.Name == "standards_resolve"
			if writes && args != nil {
				if tool != nil {
					t.Errorf("%v shows %s", args, want.Name)
				}
				continue
			}
			if tool == nil {
				t.Fatalf("%v does not show %s", args, want.Name)
			}
			if diff := cmp.Diff(want.InputSchema, tool.InputSchema); diff != "" || tool.Description != want.Description {
				t.Errorf("%s: %q\n%s", want.Name, tool.Description, diff)
			}
			a := tool.Annotations
			if a.ReadOnlyHint == writes || writes && (*a.DestructiveHint || !a.IdempotentHint) || *a.OpenWorldHint {
				t.Errorf("%s: annotations %+v", want.Name, a)
			}
			text, err := json.Marshal(tool.InputSchema)
			if err != nil {
				t.Fatal(err)
			}
			schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			if err != nil || schema.(map[string]any)["type"] != "object" || bytes.Contains(text, []byte(`"$ref"`)) {
				t.Fatalf("%s: %v\n%s", want.Name, err, text)
			}
			compiler := jsonschema.NewCompiler()
			if err := compiler.AddResource("tool.json", schema); err != nil {
				t.Fatal(err)
			}
			if _, err := compiler.Compile("tool.json"); err != nil {
				t.Errorf("%s: %v", want.Name, err)
			}
		}
		info := session.InitializeResult()
		if info.ServerInfo.Name != "git-standards" || !strings.Contains(info.Instructions, "standards_prepare") ||
			strings.Contains(info.Instructions, "standards_resolve") != (args == nil) || strings.Count(info.Instructions, "\n") > 2 {
			t.Errorf("%v: %+v says %q", args, info.ServerInfo, info.Instructions)
		}
	}
}

func TestAgentReadsModules(t *testing.T) {
	t.Parallel()
	r := governed(t)
	session := connect(t, r)
	uris := func() (list []string) {
		for resource, err := range session.Resources(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			if resource.MIMEType != "text/markdown" || resource.Name == "" {
				t.Errorf("%+v", resource)
			}
			list = append(list, resource.URI)
		}
		return list
	}
	read := func(uri string) (string, error) {
		got, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			return "", err
		}
		if len(got.Contents) != 1 || got.Contents[0].URI != uri || got.Contents[0].MIMEType != "text/markdown" {
			t.Errorf("%s: %+v", uri, got.Contents)
		}
		return got.Contents[0].Text, nil
	}
	if got := uris(); !slices.Equal(got, []string{"standards://module/reference.glossary", "standards://module/topic.api", "standards://module/topic.logging"}) {
		t.Fatalf("the modules are %q", got)
	}
	// The text is the file without its front matter; the worktree is read each time.
	const odd = "a/b:c_d.e-f"
	r.Write("standards/odd.md", "---\ntitle: Odd\nstandard: {id: \""+odd+"\", role: topic, level: MUST}\n---\n# Odd\n\nText <&>.\n")
	if got := uris(); !slices.Contains(got, "standards://module/"+odd) || len(got) != 4 {
		t.Errorf("after an edit the modules are %q", got)
	}
	for _, uri := range []string{"standards://module/" + odd, "standards://module/a%2Fb%3Ac%5Fd.e-f"} {
		if text, err := read(uri); err != nil || text != "# Odd\n\nText <&>.\n" {
			t.Errorf("%s: %v %q", uri, err, text)
		}
	}
	for _, uri := range []string{
		"standards://module/topic.none", "standards://module/api.errors", "standards://module/", "standards://module", "standards://unit/api.errors",
		"file:///etc/passwd", "standards://module/%zz", "standards://module/standards%2Fapi.md",
	} {
		if text, err := read(uri); err == nil || !strings.Contains(err.Error(), "Resource not found") {
			t.Errorf("%s: %v %q", uri, err, text)
		}
	}
	templates, err := session.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 1 || templates.ResourceTemplates[0].URITemplate != "standards://module/{+id}" {
		t.Errorf("%v %+v", err, templates)
	}
	// Text that is wrong is said to be, and which.
	edit(t, r, "standards/odd.md", "level: MUST", "level: WHATEVER")
	_, listErr := session.ListResources(t.Context(), nil)
	_, readErr := read("standards://module/topic.api")
	for _, err := range []error{listErr, readErr} {
		if err == nil || strings.Contains(err.Error(), "Resource not found") || !strings.Contains(err.Error(), "WHATEVER") {
			t.Errorf("with a wrong text: %v", err)
		}
	}
	if err := os.Remove(filepath.Join(r.Dir, "standards/odd.md")); err != nil {
		t.Fatal(err)
	}
	if got := uris(); len(got) != 3 {
		t.Errorf("at last the modules are %q", got)
	}
}

func TestAgentIsToldToAnswerHonestly(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	said := func(unit string, args ...string) string {
		session := connect(t, r, args...)
		listed, err := session.ListPrompts(t.Context(), nil)
		if err != nil || len(listed.Prompts) != 1 || listed.Prompts[0].Name != "answer_open_questions" || listed.Prompts[0].Arguments[0].Required {
			t.Fatalf("%v %+v", err, listed)
		}
		params := &mcp.GetPromptParams{Name: "answer_open_questions"}
		if unit != "" {
			params.Arguments = map[string]string{"unit": unit}
		}
		got, err := session.GetPrompt(t.Context(), params)
		if err != nil || len(got.Messages) != 1 || got.Messages[0].Role != "user" {
			t.Fatalf("%v %+v", err, got)
		}
		return got.Messages[0].Content.(*mcp.TextContent).Text
	}
	all, one, reading := said(""), said("api.\nerrors"), said("", "--read-only")
	for _, word := range []string{
		"standards_prepare", "- updated:", "- no-change:", "- not-applicable:", "- no-impact:", "- blocked:", "Never answer", "Never invent evidence", "a reader in a year",
	} {
		for _, text := range []string{all, one, reading} {
			if !strings.Contains(text, word) {
				t.Errorf("%q is not said in\n%s", word, text)
			}
		}
	}
	if !strings.Contains(one, `"api.\nerrors"`) || strings.Contains(all, "Answer only those") {
		t.Errorf("the unit is said as\n%s", one)
	}
	if strings.Contains(reading, "standards_resolve") || !strings.Contains(all, "standards_resolve") {
		t.Errorf("a server that only reads says\n%s", reading)
	}
}

// Where there is no repository, or no standards in it, the server runs and says so: it may be started for a folder that gets them later.
func TestAgentOutsideOfStandards(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	session := connect(t, r)
	if got := call(t, session, "standards_query", `{"query": {"kind": "read", "target": "x"}}`); got["code"] != "MANIFEST.MISSING" {
		t.Errorf("without standards: %v", got)
	}
	if list, err := session.ListResources(t.Context(), nil); err != nil || len(list.Resources) != 0 {
		t.Errorf("without standards: %v %v", err, list)
	}
	outside := *r
	outside.Dir = t.TempDir()
	session = connect(t, &outside)
	for _, tool := range []string{"standards_prepare", "standards_inspect"} {
		arguments := map[string]string{"standards_inspect": `{"handle": "1234567"}`}[tool]
		if got := call(t, session, tool, arguments); got["code"] != "GIT.NOT_A_REPOSITORY" {
			t.Errorf("outside a repository: %s gives %v", tool, got)
		}
	}
	// What is asked for as a resource ends in the same way: with the rejection, and without a place of the machine or Git's own words.
	var refused *jsonrpc.Error
	if _, err := session.ListResources(t.Context(), nil); !errors.As(err, &refused) {
		t.Fatalf("outside a repository modules are listed: %v", err)
	}
	if err := schemas.Validate("rejected", refused.Data); err != nil || !bytes.Contains(refused.Data, []byte(`"GIT.NOT_A_REPOSITORY"`)) ||
		strings.Contains(refused.Message+string(refused.Data), filepath.Dir(outside.Dir)) || strings.Contains(refused.Message, "fatal") {
		t.Errorf("%v: %s says %s", err, refused.Message, refused.Data)
	}
	// The options of git say where it is, as everywhere.
	elsewhere := *r
	elsewhere.Dir = outside.Dir
	command, stderr := server(t, &elsewhere)
	command.Args = append(command.Args[:1:1], "-C", r.Dir, "mcp")
	there, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatalf("%v %s", err, stderr)
	}
	defer there.Close()
	if got := call(t, there, "standards_query", `{"query": {"kind": "read", "target": "x"}}`); got["code"] != "MANIFEST.MISSING" {
		t.Errorf("with -C: %v", got)
	}
}

// What is too long to be read in one piece has the beginnings of its lists, and says so first; the verdict is that of the whole.
func TestAgentCutsLongResults(t *testing.T) {
	t.Parallel()
	r := governed(t)
	const files = 600
	for i := range files {
		r.Write(fmt.Sprintf("src/err/f%03d.go", i), "package err\n")
	}
	session := connect(t, r)
	for _, c := range []struct {
		tool, arguments, cut string
		list                 []any
	}{
		{"standards_prepare", "", "100 of 603 questions", []any{"questions"}},
		{"standards_query", `{"query": {"kind": "route", "paths": ["src"]}}`, "100 of 602 paths, 10 of 602 reasons for an entry", []any{"answer", "entries", 0, "reasons"}},
		{"standards_query", `{"query": {"kind": "related", "target": "topic.api"}}`, "", nil},
	} {
		got := call(t, session, c.tool, c.arguments)
		text, err := json.Marshal(got)
		if err != nil || len(text) > 48<<10 {
			t.Errorf("%s %s: %d bytes, %v", c.tool, c.arguments, len(text), err)
		}
		notices := got.at(t, "notices").([]any)
		if c.cut == "" {
			if len(notices) > 0 {
				t.Errorf("%s %s: %v", c.tool, c.arguments, notices)
			}
			continue
		}
		shown := len(got.at(t, c.list...).([]any))
		notice := got.at(t, "notices", 0).(map[string]any)
		if notice["code"] != "RESULT.CUT" || !strings.HasSuffix(notice["message"].(string), c.cut) || !strings.Contains(c.cut, fmt.Sprintf("%d of", shown)) {
			t.Errorf("%s %s shows %d and says %v", c.tool, c.arguments, shown, notice)
		}
	}
}

// Two servers on one store, each with calls side by side: all give one handle, none loses an answer, and the same question may be
// answered by two at once.
func TestAgentsShareAStore(t *testing.T) {
	t.Parallel()
	r := governed(t)
	edit(t, r, "standards/logging.md", "[Errors], revision: 1", "[Errors], revision: 2")
	names := []string{"ann@example.com", "bob@example.com"}
	sessions := []*mcp.ClientSession{connect(t, r, "--as", names[0]), connect(t, r, "--as", names[1])}
	atOnce := func(n int, run func(i int)) {
		var group sync.WaitGroup
		for i := range n {
			group.Go(func() { run(i) })
		}
		group.Wait()
	}
	handles := make([]string, 12)
	atOnce(len(handles), func(i int) {
		got, err := sessions[i%2].CallTool(t.Context(), &mcp.CallToolParams{Name: "standards_prepare"})
		if err != nil {
			t.Error(err)
			return
		}
		handles[i] = checkedInGroup(t, got)
	})
	for _, handle := range handles {
		if handle != handles[0] || handle == "" {
			t.Fatalf("the handles are %q", handles)
		}
	}
	asked := call(t, sessions[0], "standards_prepare", "").questions(t)
	// Each answers two questions of its own side by side, and both answer the last one at the same time.
	if len(asked) != 4 {
		t.Fatalf("asked are %q", asked)
	}
	last := asked[3]
	work := []struct {
		session  int
		question string
	}{{0, asked[0]}, {1, asked[1]}, {0, asked[2]}, {0, last}, {1, last}}
	atOnce(len(work), func(i int) {
		w := work[i]
		got, err := sessions[w.session].CallTool(t.Context(), &mcp.CallToolParams{Name: "standards_resolve", Arguments: json.RawMessage(answers(names[w.session], w.question))})
		if err != nil {
			t.Error(err)
			return
		}
		// Git does not wait for its index: then the answer is written, and the result says how to finish. Who is the second to answer a
		// question that was the last one is told so.
		text := got.Content[0].(*mcp.TextContent).Text
		late := w.question == last && strings.Contains(text, "nothing is open: the question is answered already")
		if got.IsError && !strings.Contains(text, "INDEX.NOT_STAGED") && !late {
			t.Errorf("%+v: %s", w, text)
		}
	})
	r.Git("add", "-A", ":/standards/decisions") // what INDEX.NOT_STAGED says
	done := call(t, sessions[1], "standards_prepare", "")
	if done["result"] != "complete" {
		t.Fatalf("at last: %v", done)
	}
	answered := map[string][]string{}
	for _, d := range done["decisions"].([]any) {
		decision := d.(map[string]any)
		answered[decision["question"].(string)] = append(answered[decision["question"].(string)], decision["principal"].(string))
	}
	for _, w := range work[:3] {
		if !slices.Equal(answered[w.question], []string{names[w.session]}) {
			t.Errorf("%s is answered by %q", w.question, answered[w.question])
		}
	}
	if by := answered[last]; len(by) == 0 || len(by) > 2 {
		t.Errorf("the last question is answered by %q", by)
	}
	for _, handle := range append(asked, handles[0], done.at(t, "analysis", "id").(string)) {
		if got := call(t, sessions[0], "standards_inspect", `{"handle": "`+handle+`"}`); got["result"] != "inspection" {
			t.Errorf("%s is not in the store: %v", handle, got)
		}
	}
}

// checkedInGroup is the handle in a result, checked without ending the test from another goroutine.
func checkedInGroup(t *testing.T, r *mcp.CallToolResult) string {
	text := r.Content[0].(*mcp.TextContent).Text
	if err := schemas.Validate("prepareResult", []byte(text)); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	var prepared struct{ Analysis struct{ ID string } }
	if err := json.Unmarshal([]byte(text), &prepared); err != nil {
		t.Error(err)
	}
	return prepared.Analysis.ID
}
