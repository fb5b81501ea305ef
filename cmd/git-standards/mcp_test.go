package main_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-standards/git-standards/gitext/gittest"
	"github.com/git-standards/git-standards/schemas"
)

// governed is a repository that has adopted the fixture and has a change of the unit api.errors at work.
func governed(t *testing.T) *gittest.Repository {
	t.Helper()
	r := gittest.New(t)
	if err := os.CopyFS(r.Dir, os.DirFS(fixture)); err != nil {
		t.Fatal(err)
	}
	r.Git("add", "-A")
	r.Git("commit", "-q", "-m", "adopt")
	edit(t, r, "standards/api.md", "[Errors], revision: 1", "[Errors], revision: 2")
	edit(t, r, "standards/api.md", "a client may rely on it", "no client relies on it")
	return r
}

func edit(t *testing.T, r *gittest.Repository, name, old, now string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(r.Dir, name))
	if err != nil || !strings.Contains(string(text), old) {
		t.Fatalf("%s does not hold %q: %v", name, old, err)
	}
	r.Write(name, strings.ReplaceAll(string(text), old, now))
}

// server is the command that an agent starts.
func server(t *testing.T, r *gittest.Repository, args ...string) (command *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	command = exec.Command(binary, append([]string{"mcp"}, args...)...)
	command.Dir, command.Env = r.Dir, r.Env
	stderr = &bytes.Buffer{}
	command.Stderr = stderr
	return command, stderr
}

// connect starts a server and connects the library's own client to it. At the end the server must have said nothing to people.
func connect(t *testing.T, r *gittest.Repository, args ...string) *mcp.ClientSession {
	t.Helper()
	command, stderr := server(t, r, args...)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil || stderr.Len() > 0 {
			t.Errorf("the server ended with %v and said %q", err, stderr)
		}
	})
	return session
}

// result is a tool's result: a public shape, decoded.
type result map[string]any

func (r result) at(t *testing.T, path ...any) any {
	t.Helper()
	var value any = map[string]any(r)
	for _, step := range path {
		switch s := step.(type) {
		case string:
			object, ok := value.(map[string]any)
			if value = object[s]; !ok {
				t.Fatalf("%v: no object before %q in %v", path, s, r)
			}
		case int:
			list, ok := value.([]any)
			if !ok || s >= len(list) {
				t.Fatalf("%v: no element %d in %v", path, s, r)
			}
			value = list[s]
		}
	}
	return value
}

// questions are the ids of those that are open.
func (r result) questions(t *testing.T) []string {
	t.Helper()
	var ids []string
	for _, q := range r.at(t, "questions").([]any) {
		ids = append(ids, q.(map[string]any)["question"].(string))
	}
	return ids
}

// checked is what a call gave: its two texts are one, which is the public shape of the operation, and only rejections are errors.
func checked(t *testing.T, tool string, r *mcp.CallToolResult) result {
	t.Helper()
	text := []byte(r.Content[0].(*mcp.TextContent).Text)
	if err := schemas.Validate(strings.TrimPrefix(tool, "standards_")+"Result", text); err != nil {
		t.Fatalf("%s: %v\n%s", tool, err, text)
	}
	var decoded result
	if err := json.Unmarshal(text, &decoded); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any(decoded), r.StructuredContent); diff != "" || len(r.Content) != 1 {
		t.Errorf("%s: structured content and text differ (-text +structured):\n%s", tool, diff)
	}
	if rejected := decoded["result"] == "rejected"; rejected != r.IsError {
		t.Errorf("%s: isError is %v beside %s", tool, r.IsError, text)
	}
	return decoded
}

// call calls a tool with arguments in JSON, or none.
func call(t *testing.T, session *mcp.ClientSession, tool, arguments string) result {
	t.Helper()
	params := &mcp.CallToolParams{Name: tool}
	if arguments != "" {
		params.Arguments = json.RawMessage(arguments)
	}
	r, err := session.CallTool(t.Context(), params)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return checked(t, tool, r)
}

func answers(principal string, questions ...string) string {
	var list []map[string]any
	for _, q := range questions {
		list = append(list, map[string]any{"question": q, "result": "no-change", "rationale": "read by " + principal})
	}
	text, err := json.Marshal(map[string]any{"answers": list})
	if err != nil {
		panic("internal error: " + err.Error())
	}
	return string(text)
}

func TestAgentPreparesAndResolves(t *testing.T) {
	t.Parallel()
	r := governed(t)
	session := connect(t, r, "--as", "Robot@Example.com")
	pending := call(t, session, "standards_prepare", "")
	analysis := pending.at(t, "analysis", "id").(string)
	asked := pending.questions(t)
	if pending["result"] != "pending" || len(asked) != 3 || pending["stored"] != true {
		t.Fatalf("prepare gives %v", pending)
	}
	// The handle is the one that a person gets.
	if out, _ := (&gittest.Repository{T: t, Dir: r.Dir, Env: withProgram(r.Env)}).Run("", "standards", "prepare", "--format", "json"); !strings.Contains(out, analysis) {
		t.Errorf("the command does not give %s but\n%s", analysis, out)
	}
	for _, handle := range []string{analysis, asked[0], asked[0][len("question:sha256:"):][:12]} {
		shown := call(t, session, "standards_inspect", `{"handle": "`+handle+`"}`)
		if id := shown.at(t, "handle", "id").(string); !strings.Contains(id, handle) || shown["result"] != "inspection" {
			t.Errorf("inspect %s gives %v", handle, shown)
		}
	}

	first := strings.Replace(answers("a robot", asked[0]), "{", `{"analysis": "`+analysis+`", `, 1)
	left := call(t, session, "standards_resolve", first)
	written := left.at(t, "written", 0).(string)
	if left["result"] != "pending" || !slices.Equal(left.questions(t), asked[1:]) {
		t.Errorf("after one answer: %v", left)
	}
	text, err := os.ReadFile(filepath.Join(r.Dir, written))
	if err != nil || !strings.Contains(string(text), "robot@example.com") || !strings.Contains(string(text), "read by a robot") {
		t.Errorf("%s: %v\n%s", written, err, text)
	}
	if staged := r.Git("diff", "--cached", "--name-only"); staged != written {
		t.Errorf("staged: %q, written: %q", staged, written)
	}
	if principal := left.at(t, "decisions", 0, "principal"); principal != "robot@example.com" {
		t.Errorf("the answer is from %v", principal)
	}
	// The same again changes nothing, as the tool's annotations say.
	call(t, session, "standards_resolve", answers("a robot", asked[0]))
	again, err := os.ReadFile(filepath.Join(r.Dir, written))
	if status := r.Git("status", "--porcelain", "--untracked-files=all", "standards/decisions"); err != nil || !bytes.Equal(again, text) || status != "A  "+written {
		t.Errorf("the same answer again leaves %q: %v\n%s", status, err, again)
	}
	// The state is another one now, and what is not asked, or not allowed, is refused.
	for arguments, code := range map[string]string{
		strings.Replace(first, asked[0], asked[1], 1):                                         "ANALYSIS.MOVED",
		answers("x", "question:sha256:"+strings.Repeat("0", 64)):                              "QUESTION.NOT_ASKED",
		strings.Replace(answers("x", asked[1]), "no-change", "updated", 1):                    "ANSWER.NOT_UPDATED",
		strings.Replace(answers("x", asked[1]), `"answers"`, `"accepted": "x", "answers"`, 1): "REVISION.UNKNOWN",
	} {
		if refused := call(t, session, "standards_resolve", arguments); refused["code"] != code {
			t.Errorf("%s is refused as %v, not %s", arguments, refused, code)
		}
	}
	if status := r.Git("status", "--porcelain", "--untracked-files=all", "standards/decisions"); status != "A  "+written {
		t.Errorf("refused answers left\n%s", status)
	}
	unstaged := strings.Replace(answers("a robot", asked[1:]...), "{", `{"stage": false, `, 1)
	if done := call(t, session, "standards_resolve", unstaged); done["result"] != "complete" {
		t.Errorf("after all answers: %v", done)
	}
	if staged := r.Git("diff", "--cached", "--name-only"); staged != written {
		t.Errorf("staged although it must not be: %q", staged)
	}
}

// withProgram lets git find the program.
func withProgram(env []string) []string {
	return append(slices.Clone(env), "PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func TestAgentQueries(t *testing.T) {
	t.Parallel()
	session := connect(t, governed(t))
	plan := call(t, session, "standards_query", `{"query": {"kind": "route", "paths": ["src/err/a.go"]}}`)
	if plan.at(t, "answer", "entries", 0, "module") != "topic.api" {
		t.Errorf("route gives %v", plan)
	}
	known := call(t, session, "standards_query", `{"query": {"kind": "route", "paths": ["src/err/a.go"], "facts": [{"fact": "change.kinds", "value": "deleted,added"}]}}`)
	if known.at(t, "answer", "facts", 0, "value") != `["added","deleted"]` {
		t.Errorf("route with a fact gives %v", known)
	}
	if wrong := call(t, session, "standards_query", `{"query": {"kind": "route", "facts": [{"fact": "change.paths", "value": "x"}]}}`); wrong["code"] != "FACT.VALUE" {
		t.Errorf("a fact that is computed gives %v", wrong)
	}
	atWork := call(t, session, "standards_query", `{"query": {"kind": "route"}}`)
	if atWork.at(t, "answer", "paths", 0) != "standards/api.md" {
		t.Errorf("route without paths gives %v", atWork)
	}
	for side, word := range map[string]string{`{"source": "worktree"}`: "no client relies on it", `{"source": "commit", "revision": "HEAD"}`: "a client may rely on it"} {
		read := call(t, session, "standards_query", `{"query": {"kind": "read", "target": "api.errors"}, "proposed": `+side+`}`)
		if text := read.at(t, "answer", "text").(string); !strings.Contains(text, word) {
			t.Errorf("read of %s gives %q", side, text)
		}
	}
	related := call(t, session, "standards_query", `{"query": {"kind": "related", "target": "docs/errors.md"}}`)
	if related.at(t, "answer", "relationships", 0, "source") != "api.errors" {
		t.Errorf("related gives %v", related)
	}
	if unknown := call(t, session, "standards_query", `{"query": {"kind": "read", "target": "api.eror"}}`); unknown["code"] != "TARGET.UNKNOWN" {
		t.Errorf("an unknown target gives %v", unknown)
	}
}

// Arguments that are no request end as a result that says where, what was found and what is allowed. Nothing else ends with them.
func TestAgentRefusesArguments(t *testing.T) {
	t.Parallel()
	r := governed(t)
	session := connect(t, r)
	for _, c := range []struct{ tool, arguments, code, target, message string }{
		{"standards_query", ``, "JSON.SHAPE", "#", `missing: "query"`},
		{"standards_query", `{"query": {"kind": "read", "target": 7}}`, "JSON.SHAPE", "#/query/target", "found 7; allowed: string"},
		{"standards_query", `{"query": {"kind": "guess"}}`, "JSON.SHAPE", "#/query/kind", `found "guess"; allowed: "route", "read", "related"`},
		{"standards_prepare", `{"proposed": {"source": "tree"}}`, "JSON.SHAPE", "#/proposed/source", `found "tree"; allowed: "worktree", "index", "commit"`},
		{"standards_prepare", `{"proposed": {"source": "commit"}}`, "JSON.SHAPE", "#/proposed", `missing: "revision"`},
		{"standards_query", `{"query": {"kind": "read", "target": "a", "targt": "a"}}`, "JSON.SHAPE", "#/query", `unknown key "targt"`},
		{"standards_query", `{"query": {"kind": "read", "target": "a", "target": "b"}}`, "JSON.DUPLICATE_KEY", "#/query/target", "twice"},
		{"standards_query", `{"query": {"kind": "read", "target": "\ud800"}}`, "JSON.ENCODING", "#", "surrogate"},
		{"standards_prepare", `{"accepted": null}`, "JSON.SHAPE", "#/accepted", "found null; allowed: string"},
		{"standards_prepare", `[]`, "JSON.SHAPE", "#", "found an array of 0 items; allowed: object"},
		{"standards_prepare", `"HEAD"`, "JSON.SHAPE", "#", "allowed: object"},
		{"standards_prepare", `null`, "JSON.SHAPE", "#", "found null; allowed: object"},
		{"standards_prepare", `{"accepted": ` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, "JSON.DEPTH", "", "deeper"},
		{"standards_resolve", `{"answers": []}`, "JSON.SHAPE", "#/answers", "at least 1"},
		{"standards_inspect", `{"handle": 1e400}`, "JSON.NUMBER", "#/handle", "1e400"},
		{"standards_inspect", `{"handle": "` + strings.Repeat("a", schemas.MaxDocument) + `"}`, "JSON.TOO_LARGE", "#", "at most"},
	} {
		refused := call(t, session, c.tool, c.arguments)
		target, _ := refused["target"].(string)
		if refused["code"] != c.code || c.target != "" && target != c.target || !strings.Contains(refused["message"].(string), c.message) {
			t.Errorf("%s %.100s: %v", c.tool, c.arguments, refused)
		}
	}
	if status := r.Git("status", "--porcelain"); status != " M standards/api.md" {
		t.Errorf("refused calls changed the worktree: %q", status)
	}
	if after := call(t, session, "standards_prepare", `{}`); after["result"] != "pending" {
		t.Errorf("after refusals prepare gives %v", after)
	}
}

// alive reports whether a process runs; one that ended and was not waited for does not.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(stat), ") ")
	return err == nil && !strings.HasPrefix(state, "Z")
}

func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("still not: %s", what)
		}
	}
}

// stuck makes reading standards/glossary.md take for ever, through a filter of Git's. It returns what waits until a filter runs and gives
// its process, and what mends the repository.
func stuck(t *testing.T, r *gittest.Repository) (filter func(string) int, mend func()) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pid")
	r.Write(".gitattributes", "standards/glossary.md filter=slow\n")
	edit(t, r, "standards/glossary.md", "whoever calls", "a caller")
	r.Git("config", "filter.slow.clean", "echo $$ >'"+file+".new' && mv '"+file+".new' '"+file+"' && exec sleep 600")
	filter = func(what string) (pid int) {
		t.Helper()
		eventually(t, "the filter runs in "+what, func() bool {
			text, err := os.ReadFile(file)
			if err == nil {
				pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
			}
			return err == nil && alive(pid)
		})
		return pid
	}
	return filter, func() { r.Git("config", "filter.slow.clean", "cat") }
}

// A cancelled call ends its work, the programs of others that Git runs for it too, writes nothing, and leaves the server in order.
func TestAgentCancelsACall(t *testing.T) {
	t.Parallel()
	r := governed(t)
	session := connect(t, r)
	asked := call(t, session, "standards_prepare", "").questions(t)
	filter, mend := stuck(t, r)
	calling := func(tool, arguments string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
			return err
		}
	}
	for what, run := range map[string]func(context.Context) error{
		"prepare": calling("standards_prepare", `{}`),
		"resolve": calling("standards_resolve", answers("nobody", asked...)),
		"query":   calling("standards_query", `{"query": {"kind": "read", "target": "api.errors"}}`),
		"read": func(ctx context.Context) error {
			_, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "standards://module/topic.api"})
			return err
		},
		"list": func(ctx context.Context) error {
			_, err := session.ListResources(ctx, nil)
			return err
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- run(ctx) }()
		pid := filter(what)
		// Others are answered meanwhile.
		if read := call(t, session, "standards_query", `{"query": {"kind": "read", "target": "logging.errors"}, "proposed": {"source": "index"}}`); read["result"] != "navigation" {
			t.Errorf("beside a call that is stuck: %v", read)
		}
		cancel()
		if err := <-ended; err == nil {
			t.Errorf("%s ended with a result", what)
		}
		eventually(t, what+" ended its programs", func() bool { return !alive(pid) })
	}
	mend()
	if status := r.Git("status", "--porcelain", "--untracked-files=all"); status != " M standards/api.md\n M standards/glossary.md\n?? .gitattributes" {
		t.Errorf("cancelled calls left\n%s", status)
	}
	if after := call(t, session, "standards_prepare", ""); after["result"] != "pending" {
		t.Errorf("afterwards prepare gives %v", after)
	}
}

// speaker writes lines to a server and reads lines from it.
type speaker struct {
	t       *testing.T
	command *exec.Cmd
	stderr  *bytes.Buffer
	in      io.WriteCloser
	out     *bufio.Reader
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

func speak(t *testing.T, r *gittest.Repository, args ...string) *speaker {
	t.Helper()
	command, stderr := server(t, r, args...)
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	return &speaker{t, command, stderr, in, bufio.NewReader(out)}
}

func (s *speaker) write(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, text); err != nil {
		s.t.Fatal(err)
	}
}

func (s *speaker) read() (line string) {
	s.t.Helper()
	line, err := s.out.ReadString('\n')
	if err != nil {
		s.t.Fatalf("%v after %q; the server said %q", err, line, s.stderr)
	}
	return line
}

// ends waits for the end and gives the exit code and what was printed until then.
func (s *speaker) ends() (code int, rest string) {
	s.t.Helper()
	printed, err := io.ReadAll(s.out)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = s.command.Wait()
	return s.command.ProcessState.ExitCode(), string(printed)
}

// How a server ends (RULES H2), with nothing but the protocol on its output.
func TestAgentServerEnds(t *testing.T) {
	t.Parallel()
	r := governed(t)
	for name, c := range map[string]struct {
		say    string
		signal os.Signal
		code   int
		stderr string
	}{
		"end of input":          {"", nil, 0, ""},
		"garbage":               {"garbage\n", nil, 2, "(MCP.INPUT)"},
		"a message cut off":     {`{"jsonrpc": "2.0", "id": 1, `, nil, 2, "(MCP.INPUT)"},
		"a message of no kind":  {"{}\n", nil, 2, "(MCP.INPUT)"},
		"a message without end": {`{"jsonrpc": "2.0", "id": 1, "method": "` + strings.Repeat("a", 65<<20), nil, 2, "(MCP.INPUT)"},
		"interrupt":             {"", syscall.SIGINT, 130, "interrupted"},
		"terminate":             {"", syscall.SIGTERM, 130, "interrupted"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := speak(t, r)
			s.write(hello)
			if first := s.read(); !strings.HasPrefix(first, `{"jsonrpc":"2.0","id":0,"result":{`) {
				t.Errorf("the server begins with %q", first)
			}
			_, _ = io.WriteString(s.in, c.say) // the server may end before it has read all
			if c.signal != nil {
				if err := s.command.Process.Signal(c.signal); err != nil {
					t.Fatal(err)
				}
			} else if err := s.in.Close(); err != nil {
				t.Fatal(err)
			}
			code, rest := s.ends()
			if code != c.code || rest != "" || c.stderr == "" && s.stderr.Len() > 0 || !strings.Contains(s.stderr.String(), c.stderr) {
				t.Errorf("exit code %d, printed %q, said %q", code, rest, s.stderr)
			}
			if lines := strings.Count(s.stderr.String(), "\n"); lines > 2 || s.stderr.Len() > 400 {
				t.Errorf("%d lines are said: %q", lines, s.stderr)
			}
		})
	}
}

// A server that ends takes the programs of its calls with it.
func TestAgentServerEndsItsCalls(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*speaker) error{
		"interrupt": func(s *speaker) error { return s.command.Process.Signal(os.Interrupt) },
		"terminate": func(s *speaker) error { return s.command.Process.Signal(syscall.SIGTERM) },
		"terminate after the end of input": func(s *speaker) error {
			return errors.Join(s.in.Close(), s.command.Process.Signal(syscall.SIGTERM))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := governed(t)
			filter, _ := stuck(t, r)
			s := speak(t, r)
			s.write(hello)
			s.read()
			s.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"standards_prepare"}}` + "\n")
			pid := filter(name)
			if err := end(s); err != nil {
				t.Fatal(err)
			}
			if code, _ := s.ends(); code != 130 {
				t.Errorf("exit code %d, said %q", code, s.stderr)
			}
			eventually(t, "the filter ended", func() bool { return !alive(pid) })
		})
	}
}

// Whoever pipes requests in and ends there gets every answer, but for what was cancelled.
func TestAgentAnswersAfterTheEndOfInput(t *testing.T) {
	t.Parallel()
	s := speak(t, governed(t))
	var all strings.Builder
	all.WriteString(hello)
	for id := 1; id <= 5; id++ {
		fmt.Fprintf(&all, `{"jsonrpc":"2.0","id":"p%d","method":"tools/call","params":{"name":"standards_prepare"}}`+"\n", id)
	}
	all.WriteString(`{"jsonrpc":"2.0","id":6,"method":"tools/list"}` + "\n")
	s.write(all.String())
	if err := s.in.Close(); err != nil {
		t.Fatal(err)
	}
	code, rest := s.ends()
	if code != 0 || s.stderr.Len() > 0 {
		t.Errorf("exit code %d, said %q", code, s.stderr)
	}
	for _, id := range []string{`"p1"`, `"p2"`, `"p3"`, `"p4"`, `"p5"`, "6"} {
		if !strings.Contains(rest, `{"jsonrpc":"2.0","id":`+id+`,"result":`) {
			t.Errorf("no answer to %s in %.2000s", id, rest)
		}
	}
}

// A message that is cut off ends the server, and before that all is answered that came before it.
func TestAgentAnswersBeforeAMessageCutOff(t *testing.T) {
	t.Parallel()
	s := speak(t, governed(t))
	s.write(hello + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"standards_prepare"}}` + "\n" + `{"json`)
	if err := s.in.Close(); err != nil {
		t.Fatal(err)
	}
	code, rest := s.ends()
	if code != 2 || !strings.Contains(s.stderr.String(), "(MCP.INPUT)") || !strings.Contains(rest, `{"jsonrpc":"2.0","id":1,"result":{"content"`) {
		t.Errorf("exit code %d, said %q, printed %.300s", code, s.stderr, rest)
	}
}

// However an id is written, and whether or not the last line ends, the server answers and ends at once.
func TestAgentAnswersWhateverTheID(t *testing.T) {
	t.Parallel()
	r := governed(t)
	for id, back := range map[string]string{`"\u0061"`: `"a"`, "1.0": "1", "1e0": "1", "null": "", "9007199254740993": "9007199254740992"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			s := speak(t, r)
			began := time.Now()
			s.write(hello + `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"standards_prepare"}}`)
			if err := s.in.Close(); err != nil {
				t.Fatal(err)
			}
			code, rest := s.ends()
			if code != 0 || s.stderr.Len() > 0 || time.Since(began) > 40*time.Second {
				t.Errorf("exit code %d after %v, said %q", code, time.Since(began), s.stderr)
			}
			if answered := strings.Contains(rest, `{"jsonrpc":"2.0","id":`+back+`,"result":{"content"`); answered != (back != "") {
				t.Errorf("the answer is %.300s", rest)
			}
		})
	}
}

// What is wrong with the protocol is the protocol's own error, whatever it holds; the session goes on. Text that is not UTF-8 is
// refused as arguments are.
func TestAgentAnswersWithErrorsOfTheProtocol(t *testing.T) {
	t.Parallel()
	s := speak(t, governed(t), "--read-only")
	s.write(hello)
	s.read()
	for i, c := range []struct{ request, want string }{
		{`"method":"nonsense"`, `"code":-32601`},
		{`"method":"tools/call","params":{"name":"standards_guess"}`, `"code":-32602,"message":"unknown tool`},
		{`"method":"tools/call","params":{"name":"standards_resolve","arguments":{"answers":[]}}`, `"code":-32602,"message":"unknown tool`},
		{`"method":"tools/call"`, `"code":-32600`},
		{`"method":"tools/call","params":[]`, `"error"`},
		{`"method":"prompts/get","params":{"name":"guess"}`, `"code":-32602`},
		{`"method":"resources/read","params":{"uri":"standards://module/topic.none"}`, `"code":-32602,"message":"Resource not found","data":{"uri":"standards://module/topic.none"}`},
		{`"method":"resources/read","params":{"uri":"elsewhere:\u0001\ud800"}`, `"code":-32602`},
		{`"method":"resources/read","params":{"uri":"standards://module/` + strings.Repeat("a", 20<<20) + `"}`, strings.Repeat("a", 1005) + `…"}`},
		{`"method":"tools/call","params":{"name":"standards_inspect","arguments":{"handle":"` + "\xff" + `"}}`, `JSON.ENCODING`},
		{`"method":"ping"`, `"result":{}`},
	} {
		s.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`+"\n", i+1, c.request))
		line := s.read()
		if !strings.HasPrefix(line, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,`, i+1)) || !strings.Contains(line, c.want) || !json.Valid([]byte(line)) {
			t.Errorf("%s: %s", c.request, line)
		}
	}
	if err := s.in.Close(); err != nil {
		t.Fatal(err)
	}
	if code, rest := s.ends(); code != 0 || rest != "" || s.stderr.Len() > 0 {
		t.Errorf("exit code %d, printed %q, said %q", code, rest, s.stderr)
	}
}
