package agent

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-standards/git-standards/engine"
	"github.com/git-standards/git-standards/engine/wire"
)

const (
	modulePrefix = "standards://module/"
	markdown     = "text/markdown"

	maxID    = 65536 // as the schema's "name": an id is asked for as a target is
	maxShown = 1024  // of an URI that is not found
)

// uriOf is the URI of a module. Path escapes leave the characters of most ids as they are.
func uriOf(id string) string {
	return modulePrefix + strings.TrimPrefix((&url.URL{Path: "/" + id}).EscapedPath(), "/")
}

// idOf is the id in the URI of a module. Any character may be escaped in it.
func idOf(uri string) (string, bool) {
	escaped, found := strings.CutPrefix(uri, modulePrefix)
	id, err := url.PathUnescape(escaped)
	return id, found && err == nil && id != ""
}

type resources struct {
	engine  *engine.Engine
	modules func(context.Context) ([]Module, error)
}

// addResources serves the modules. The library keeps a list of resources that is set beforehand, and this one is what the worktree
// holds when it is asked for: both requests are answered before they reach the library.
func addResources(server *mcp.Server, e *engine.Engine, modules func(context.Context) ([]Module, error)) {
	r := resources{e, modules}
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "module", Title: "Module", URITemplate: modulePrefix + "{+id}", MIMEType: markdown,
		Description: "The text of a module of the standards, by its id.",
	}, func(ctx context.Context, q *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return r.read(ctx, q.Params.URI)
	})
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
			switch q := request.(type) {
			case *mcp.ListResourcesRequest:
				return result(r.list(ctx))
			case *mcp.ReadResourceRequest:
				return result(r.read(ctx, q.Params.URI))
			}
			return next(ctx, method, request)
		}
	})
}

// result keeps a nil of a concrete type out of the interface.
func result[R mcp.Result](r R, err error) (mcp.Result, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (r resources) list(ctx context.Context) (*mcp.ListResourcesResult, error) {
	modules, err := r.modules(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, failed(engine.Reject(err))
	}
	list := &mcp.ListResourcesResult{Resources: []*mcp.Resource{}, Cacheable: uncached}
	for _, m := range modules {
		list.Resources = append(list.Resources, &mcp.Resource{URI: uriOf(m.ID), Name: m.ID, Title: m.Title, Description: m.AppliesWhen, MIMEType: markdown})
	}
	return list, nil
}

func (r resources) read(ctx context.Context, uri string) (*mcp.ReadResourceResult, error) {
	id, ok := idOf(uri)
	if !ok || len(id) > maxID {
		return nil, notFound(uri)
	}
	answer, err := r.engine.Query(ctx, wire.QueryRequest{Query: wire.ReadQuery{Kind: "read", Target: id}})
	if err != nil {
		return nil, err
	}
	switch a := answer.(type) {
	case wire.Rejected:
		if a.Code == "TARGET.UNKNOWN" || a.Code == "MANIFEST.MISSING" {
			return nil, notFound(uri)
		}
		return nil, failed(a)
	case wire.Navigation:
		text := a.Answer.(wire.ReadAnswer)
		if text.Unit == nil { // an id of a unit is no module
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: markdown, Text: text.Text}}, Cacheable: uncached}, nil
		}
	}
	return nil, notFound(uri)
}

// notFound is the protocol's own error. The library's puts the URI down as Go source, which is not always JSON.
func notFound(uri string) error {
	if len(uri) > maxShown {
		uri = strings.ToValidUTF8(uri[:maxShown], "") + "…"
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Resource not found", Data: encoded(map[string]string{"uri": uri})}
}

// failed says why something that may be there could not be read. The message alone is what most clients show.
func failed(r wire.Rejected) error {
	message := r.Message
	if r.Target != nil {
		message = *r.Target + ": " + message
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: message, Data: encoded(r)}
}

func encoded(value any) json.RawMessage {
	text, err := wire.Compact(value)
	if err != nil {
		panic("internal error: a public shape is no JSON: " + err.Error())
	}
	return text
}
