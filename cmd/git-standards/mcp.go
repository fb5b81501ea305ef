package main

import (
	"context"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/cmd/git-standards/agent"
	"github.com/git-standards/git-standards/cmd/git-standards/workspace"
	"github.com/git-standards/git-standards/engine"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/judge"
)

func mcpCommand() *cli.Command {
	return &cli.Command{
		Name:  "mcp",
		Usage: "serve the standards to an agent: the Model Context Protocol on standard input and output",
		Description: "An agent starts it: its configuration names the command git with the arguments standards and mcp.\n" +
			"Exit codes: 0 the input ended, 2 the input is not the protocol, 3 the output cannot be written, 130 interrupted.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "as", Usage: "answer as `PRINCIPAL` instead of the author's mail address"},
			&cli.BoolFlag{Name: "read-only", DisableDefaultText: true, Usage: "leave out the tool that answers questions"},
			storeFlag,
		},
		Action: serve,
	}
}

// serve opens the repository anew for each call, so that it may be made, moved or changed while the server runs.
func serve(cc *cli.Context) error {
	c, err := begin(cc)
	if err == nil && cc.Args().Present() {
		err = usage("mcp takes no argument; %q is one", cc.Args().First())
	}
	if err != nil {
		return err
	}
	options := optionsOf(cc)
	if areTerminals([]*os.File{os.Stdin}) {
		c.warn("this waits for an agent's messages on standard input; Ctrl-D ends it")
	}
	err = agent.Serve(cc.Context, engine.New(workspace.Opener(options)), agent.Options{
		Version: version, ReadOnly: cc.Bool("read-only"),
		Modules: func(ctx context.Context) ([]agent.Module, error) { return modules(ctx, options) },
	}, c.in, failing{c.out})
	if c.out.failed != nil {
		return nil // which run says
	}
	return err
}

// failing is an output that says at once that it cannot be written: a server without one has nothing to go on for.
type failing struct{ *output }

func (f failing) Write(p []byte) (int, error) {
	n, _ := f.output.Write(p)
	return n, f.failed
}

// modules lists those of the worktree, by id.
func modules(ctx context.Context, options workspace.Options) ([]agent.Module, error) {
	w, err := workspace.Open(ctx, options)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	side, err := w.Worktree()
	if err != nil {
		return nil, err
	}
	compiled, err := judge.New().Compile(ctx, side.Source)
	if fault.Is(err, "MANIFEST.MISSING") {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []agent.Module
	for _, m := range compiled.Modules {
		list = append(list, agent.Module{ID: m.ID, Title: m.Title, AppliesWhen: m.AppliesWhen})
	}
	return list, nil
}
