package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

var (
	formatFlag   = &cli.StringFlag{Name: "format", Value: "text", Usage: "print the result as `text|json`"}
	storeFlag    = &cli.StringFlag{Name: "store", Usage: "record in, or read from, this store `FILE`"}
	acceptedFlag = &cli.StringFlag{Name: "accepted", Usage: "compare with `REV` instead of the fork point"}
	proposedFlag = &cli.StringFlag{Name: "proposed", Usage: "judge the commit `REV`"}
	stagedFlag   = &cli.BoolFlag{Name: "staged", DisableDefaultText: true, Usage: "judge the index: what a commit would record"}
)

// directory is where -C leads: each counts from the one before, as in Git.
func directory(cc *cli.Context) string {
	dir := ""
	for _, next := range cc.StringSlice("C") {
		if filepath.IsAbs(next) {
			dir = next
		} else {
			dir = filepath.Join(dir, next)
		}
	}
	return dir
}

// begin reads the flags that every command has.
func begin(cc *cli.Context) (*console, error) {
	c := consoleOf(cc)
	for _, flag := range append(cc.Command.Flags, cc.App.Flags...) {
		name := flag.Names()[0]
		if _, isString := flag.(*cli.StringFlag); isString && cc.IsSet(name) && cc.String(name) == "" {
			return c, usage("--%s is empty", name) // an unset variable in a script, say
		}
		if name == "as" && cc.IsSet(name) && strings.TrimSpace(cc.String(name)) == "" {
			return c, usage("--as names nobody")
		}
	}
	formats := []string{"text", "json"} // what is no text is set already, for errors before this
	switch cc.Command.Name {
	case "graph":
		formats = []string{"text", "dot", "svg", "json"}
	case "gate":
		formats = append(formats, forms...)
	case "test":
		formats = append(formats, "junit")
	}
	if format := cc.String("format"); format != "" && !slices.Contains(formats, format) {
		last := len(formats) - 1
		return c, usage("--format is %s or %s, not %q", strings.Join(formats[:last], ", "), formats[last], format)
	}
	return c, nil
}
