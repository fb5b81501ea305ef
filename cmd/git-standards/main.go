// Command git-standards makes a team's written standards bind: it says what a change touches, which questions must be
// answered before it may land, and whether they are. `git standards` runs it.
//
// This room alone parses arguments, prints, exits and reads the environment; one file a verb. What it promises about
// exit codes is RULES H2.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
)

// version is set by the build.
var version = "0.1.0-dev"

// The exit codes of RULES H2. Their meaning never changes.
const (
	exitDone        = 0
	exitOpen        = 1
	exitInvalid     = 2
	exitUnavailable = 3
	exitInterrupted = 130
)

// undefined is how the flag package speaks of an unknown option: with one dash, however many were typed.
const undefined = "flag provided but not defined: -"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends us as it would any program
	code := run(ctx, newConsole(), os.Args)
	if ctx.Err() != nil {
		code = exitInterrupted
	}
	stop()
	os.Exit(code)
}

// run runs one command line and returns its exit code.
func run(ctx context.Context, c *console, args []string) int {
	app := newApp(c)
	c.in = &interruptible{ctx, c.in}
	c.setFormat(args, commandName(app, args)) // also where the command line is wrong before the command reads its options
	app.ErrWriter = c.err
	ordered, err := permute(app, args)
	if err == nil {
		err = app.RunContext(ctx, ordered)
	}
	code := c.end(ctx, app, args, err)
	if c.out.failed != nil && code == exitDone {
		c.warn("standard output cannot be written: %v", c.out.failed)
		return exitUnavailable
	}
	return code
}

// end says how a command ended, where that was not said yet, and gives its exit code.
func (c *console) end(ctx context.Context, app *cli.App, args []string, err error) int {
	if err == nil {
		return exitDone
	}
	// The library's own refusals, such as an unknown help topic; a child that was killed looks like one.
	if coder := cli.ExitCoder(nil); fault.As(err) == nil && errors.As(err, &coder) {
		err = usage("%v", err)
	}
	if f := fault.As(err); f != nil && f.Code == "REQUEST.USAGE" {
		f.Next = []string{strings.TrimSpace("git standards "+commandName(app, args)) + " -h"}
		if option, ok := strings.CutPrefix(f.Message, undefined); ok {
			f.Message = "there is no option " + asTyped(option, args)
		}
	}
	var done *exitError
	if errors.As(err, &done) {
		return done.code
	}
	if ctx.Err() != nil {
		c.warn("interrupted")
		return exitInterrupted
	}
	return c.reject(err)
}

// asTyped is an option as the command line has it.
func asTyped(option string, args []string) string {
	for _, arg := range args {
		if word, _, _ := strings.Cut(arg, "="); word == "-"+option {
			return word
		}
	}
	return "--" + option
}

// exitError ends the command with a code after everything was said.
type exitError struct{ code int }

func (e *exitError) Error() string { return "exit" }

func exit(code int) error {
	if code == exitDone {
		return nil
	}
	return &exitError{code}
}

// codeOf maps an error to its exit code: the only place that does.
func codeOf(err error) int {
	var text *corpus.FindingsError
	if errors.As(err, &text) {
		return exitInvalid
	}
	f := fault.As(err)
	switch {
	case f == nil || f.Outcome == fault.Unavailable:
		return exitUnavailable
	case f.Code == "PUBLISH.MOVED" || f.Code == "PUBLICATION.DIFFERS":
		return exitOpen // nothing that was asked is wrong: what is there is another
	case strings.HasPrefix(f.Code, "STORE.") && f.Code != "STORE.CORRUPT" && f.Code != "STORE.EXISTS":
		return exitUnavailable // the store where it is the subject; what is asked to be written over is not
	}
	return exitInvalid
}

func usage(format string, args ...any) error {
	return fault.New(fault.Invalid, "REQUEST.USAGE", "", format, args...)
}

func newApp(c *console) *cli.App {
	app := &cli.App{
		Name:                      "git standards",
		Usage:                     "make written standards bind",
		UsageText:                 "git standards [-C DIR] COMMAND [OPTIONS] [ARGS]",
		Version:                   version,
		HideVersion:               true,
		Suggest:                   true,
		EnableBashCompletion:      true,
		DisableSliceFlagSeparator: true,
		Writer:                    c.out,
		ErrWriter:                 c.err,
		ExitErrHandler:            func(*cli.Context, error) {}, // run maps errors
		OnUsageError:              func(_ *cli.Context, err error, _ bool) error { return usage("%v", err) },
		Metadata:                  map[string]any{"console": c},
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "C", KeepSpace: true, Usage: "run as if started in `DIR`"},
			&cli.StringFlag{Name: "git-dir", Usage: "the repository's `DIR`, as in git"},
			&cli.StringFlag{Name: "work-tree", Usage: "the working tree's `DIR`, as in git"},
		},
		Action: func(cc *cli.Context) error {
			if cc.Args().Present() {
				return usage("%q is no command of git standards%s", cc.Args().First(), suggestion(cc.App, cc.Args().First()))
			}
			return cli.ShowAppHelp(cc)
		},
		Commands: []*cli.Command{
			initCommand(), adoptCommand(), mvCommand(), lintCommand(), statusCommand(), queryCommand(), graphCommand(), reportCommand(), prepareCommand(),
			resolveCommand(), observeCommand(), pruneCommand(), inspectCommand(), gateCommand(), publishCommand(), auditCommand(), testCommand(), hooksCommand(),
			hookCommand(), storeCommand(), mcpCommand(), schemaCommand(), doctorCommand(), versionCommand(),
		},
	}
	for _, command := range app.Commands {
		for _, c := range append(command.Subcommands, command) {
			c.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return usage("%v", err) }
			c.HideHelpCommand = true
		}
	}
	return app
}

func suggestion(app *cli.App, word string) string {
	var names []string
	for _, command := range app.Commands {
		if !command.Hidden {
			names = append(names, command.Name)
		}
	}
	if near := yamltext.Nearest(word, names); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}
