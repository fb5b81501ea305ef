package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/schemas"
)

func schemaCommand() *cli.Command {
	command := &cli.Command{
		Name:      "schema",
		Usage:     "print the JSON Schema of what is printed, asked or written",
		ArgsUsage: "[NAME]",
		Description: "Without a NAME it prints the whole public schema; --list lists the names. It needs no repository.\n" +
			"Exit codes: 0 printed, 2 there is no such schema.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "list", DisableDefaultText: true, Usage: "list the schemas, one line each"},
			formatFlag,
		},
		Action: showSchema,
	}
	command.BashComplete = func(cc *cli.Context) {
		if args := cc.Args().Slice(); len(args) > 0 && strings.HasPrefix(args[len(args)-1], "-") {
			cli.DefaultCompleteWithFlags(command)(cc)
			return
		}
		for _, entry := range schemas.List() {
			fmt.Fprintln(cc.App.Writer, entry.Name)
		}
	}
	return command
}

func showSchema(cc *cli.Context) error {
	c, err := begin(cc)
	if err != nil {
		return err
	}
	args := cc.Args().Slice()
	switch {
	case len(args) > 1:
		return usage("schema takes one name; %q is one too many", args[1])
	case cc.Bool("list") && len(args) > 0:
		return usage("--list lists every schema; %q is one too many", args[0])
	case cc.Bool("list"):
		return c.listSchemas()
	}
	name := schemas.DocumentName
	if len(args) > 0 {
		name = args[0]
	}
	text, known := schemas.Named(name)
	if !known {
		return unknownSchema(name)
	}
	_, err = c.out.Write(text)
	return err
}

func unknownSchema(name string) error {
	var names []string
	for _, entry := range schemas.List() {
		names = append(names, entry.Name)
	}
	meant := ""
	if near := yamltext.Nearest(name, names); near != "" {
		meant = "; did you mean " + near + "?"
	}
	return fault.New(fault.Invalid, "SCHEMA.UNKNOWN", "", "there is no schema %q%s", name, meant).Hint("git standards schema --list")
}

// schemaKinds says what the schemas of a kind are, in the order in which they are listed.
var schemaKinds = map[string]string{
	"document": "everything that --format json prints",
	"authored": "what people write, for editors",
	"request":  "what is asked of an operation",
	"result":   "what a command prints",
	"tools":    "for agents",
	"part":     "parts of these",
}

func (c *console) listSchemas() error {
	list := schemas.List()
	if c.json {
		result := wire.Schemas{SchemaVersion: wire.SchemaVersion, Result: "schemas"}
		for _, entry := range list {
			result.Schemas = append(result.Schemas, wire.Schema(entry))
		}
		return c.printJSON(result)
	}
	widest, kind := 0, ""
	for _, entry := range list {
		widest = max(widest, len(entry.Name))
	}
	for _, entry := range list {
		if entry.Kind != kind {
			kind = entry.Kind
			c.say("%s", c.bold(schemaKinds[kind]))
		}
		c.say("  %-*s  %s", widest, entry.Name, entry.Title)
	}
	c.hint(c.out, "git standards schema NAME")
	return nil
}
