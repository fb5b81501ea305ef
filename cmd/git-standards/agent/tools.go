package agent

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-standards/git-standards/engine"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/schemas"
)

// operation runs one operation over a tree that was validated as its request.
type operation func(ctx context.Context, request any) (result any, err error)

func over[Request, Result any](decode func(any) Request, run func(context.Context, Request) (Result, error)) operation {
	return func(ctx context.Context, request any) (any, error) { return run(ctx, decode(request)) }
}

// oneAtATime lets calls of a server wait for each other. Agents call tools side by side, and Git does not wait for its index: what
// another program does at the same time is still refused by name.
func oneAtATime(run operation) operation {
	turn := make(chan struct{}, 1)
	return func(ctx context.Context, request any) (any, error) {
		select {
		case turn <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		defer func() { <-turn }()
		return run(ctx, request)
	}
}

const resolveOperation = "resolve"

// addTools adds the tools as they are defined. Their schemas are sent as they are; the library validates nothing, so that there is
// one authority on what an argument may be.
func addTools(server *mcp.Server, e *engine.Engine, readOnly bool) {
	operations := map[string]operation{
		"query":          over(wire.DecodeQueryRequest, e.Query),
		"prepare":        over(wire.DecodePrepareRequest, e.Prepare),
		resolveOperation: oneAtATime(over(wire.DecodeResolveRequest, e.Resolve)),
		"inspect":        over(wire.DecodeInspectRequest, e.Inspect),
	}
	var defined struct {
		Tools []struct {
			Name, Description string
			InputSchema       json.RawMessage
		}
	}
	if err := json.Unmarshal(schemas.AgentTools(), &defined); err != nil {
		panic("internal error: the tools cannot be read: " + err.Error())
	}
	for _, t := range defined.Tools {
		name := strings.TrimPrefix(t.Name, "standards_")
		run, known := operations[name]
		if !known {
			panic("internal error: there is no operation for the tool " + t.Name)
		}
		if readOnly && name == resolveOperation {
			continue
		}
		server.AddTool(&mcp.Tool{Name: t.Name, Description: t.Description, InputSchema: t.InputSchema, Annotations: annotations(name)},
			func(ctx context.Context, call *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return answer(ctx, name+"Request", run, call.Params.Arguments)
			})
	}
}

// annotations: resolve adds files and gives the same ones when it is called again; it replaces nobody else's answer (RULES E9).
func annotations(name string) *mcp.ToolAnnotations {
	no := false
	if name == resolveOperation {
		return &mcp.ToolAnnotations{DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no}
	}
	return &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &no}
}

// answer reads the arguments of a call, runs the operation and gives its result its public shape, twice: for programs and as text.
// What ends as rejected is an error that the agent can read and mend; an error of the protocol is only that the call was cancelled.
func answer(ctx context.Context, def string, run operation, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	var result any
	request, err := schemas.Read(def, arguments)
	if err != nil {
		result = refused(def, err)
	} else if result, err = run(ctx, request); err != nil {
		return nil, err
	}
	text, err := fitting(result)
	if err != nil {
		return nil, err
	}
	_, rejected := result.(wire.Rejected)
	return &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}, StructuredContent: json.RawMessage(text), IsError: rejected,
	}, nil
}

// refused is the result of arguments that are no request.
func refused(def string, err error) wire.Rejected {
	f := fault.As(err)
	if f == nil {
		f = fault.New(fault.Unavailable, "INTERNAL.ERROR", "", "the arguments could not be checked")
	}
	r := wire.Rejected{
		SchemaVersion: wire.SchemaVersion, Result: "rejected", Code: f.Code, Outcome: string(f.Outcome), Message: f.Message,
		Findings: []wire.Finding{}, Next: []string{"git standards schema " + def},
	}
	if f.Target != "" {
		r.Target = &f.Target
	}
	return r
}
