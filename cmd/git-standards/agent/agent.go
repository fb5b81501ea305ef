// Package agent serves the operations of an engine to an agent: a Model Context Protocol server over one pair of streams, with the
// four tools of schemas.AgentTools, the modules as resources, and a prompt that says how to answer questions honestly.
//
// It promises that arguments are read by package schemas alone, that a tool's result is a public shape, and that a call which the
// client cancels ends its work, and that a result which is cut because it is too long to be read in one piece says so. It does not judge, look
// for the repository or choose who answers: that is the engine it is given.
package agent

import (
	"context"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-standards/git-standards/engine"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/schemas"
)

// Options are what a server is and shows.
type Options struct {
	Version  string // of the program
	ReadOnly bool   // leaves out the tool that writes answers

	// Modules lists the modules of the worktree at this moment. Where there are no standards it lists none.
	Modules func(context.Context) ([]Module, error)
}

// Module is what a list of resources says of a module. Title and AppliesWhen may be "".
type Module struct{ ID, Title, AppliesWhen string }

// maxMessage is the size of a message in bytes above which a client is not answered any more. Arguments that are too large get a
// result that says so as long as their message is smaller.
const maxMessage = 4 * schemas.MaxDocument

// Serve answers a client until in ends and what was asked is answered, which is no error, or ctx ends. A call that is being answered
// then is cancelled. Input that is no message of the protocol ends as the fault MCP.INPUT, a failing out as the error that it gave.
func Serve(ctx context.Context, e *engine.Engine, o Options, in io.Reader, out io.Writer) error {
	talk := &conversation{ctx: ctx, in: in, out: out, open: map[string]bool{}}
	err := newServer(e, o).Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(talk), Writer: talk, MaxLineLength: maxMessage})
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case talk.writingFailed() != nil:
		return talk.writingFailed()
	}
	return fault.New(fault.Invalid, "MCP.INPUT", "", "what came on standard input is no message of the Model Context Protocol").Because(err).
		Hint("git standards mcp -h")
}

// instructions go to the agent's model before anything is asked.
const (
	instructions = "This repository keeps its standards as text that binds. Before changing files, ask standards_query (kind route) what to read; " +
		"modules can be read as resources as well. After changing them, standards_prepare says which questions the change raises.\n"
	instructionsResolve = "Answer them with standards_resolve, and only what you have checked: the prompt answer_open_questions says how."
	instructionsRead    = "This server answers none of them: tell the person what you found. The prompt answer_open_questions says how."
)

func newServer(e *engine.Engine, o Options) *mcp.Server {
	said := instructions + instructionsResolve
	if o.ReadOnly {
		said = instructions + instructionsRead
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "git-standards", Title: "git-standards", Version: o.Version}, &mcp.ServerOptions{
		Instructions: said,
		// No list changes without being asked for again, so that nothing is announced.
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}, Prompts: &mcp.PromptCapabilities{}},
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { *c = uncached },
	})
	addTools(server, e, o.ReadOnly)
	addResources(server, e, o.Modules)
	addPrompt(server, o.ReadOnly)
	return server
}

// uncached is all that a worktree holds: it may be another in a moment, and is nobody else's.
var uncached = mcp.Cacheable{CacheScope: "private"}
