package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// completionFlag comes last where a shell asks for words to complete.
const completionFlag = "--generate-bash-completion"

// permute moves the options of a command before its arguments, so that `resolve ID no-change -m why` works as in Git: the
// library stops reading options at the first argument. `--` ends options, and `-mTEXT` is taken apart.
func permute(app *cli.App, args []string) ([]string, error) {
	if len(args) == 0 || args[len(args)-1] == completionFlag {
		return args, nil
	}
	out, rest := args[:1:1], args[1:]
	flags, commands := app.Flags, app.Commands
	for len(rest) > 0 {
		var options []string
		options, rest = leading(flags, rest)
		if err := complete(flags, options); err != nil {
			return nil, err
		}
		out = append(out, options...)
		command := find(commands, rest)
		if command == nil {
			break
		}
		out, rest = append(out, rest[0]), rest[1:]
		flags, commands = command.Flags, command.Subcommands
		if len(commands) == 0 {
			if command.SkipFlagParsing {
				return append(out, rest...), nil
			}
			options, arguments := sortOptions(flags, rest)
			if err := complete(flags, options); err != nil {
				return nil, err
			}
			return slices.Concat(out, options, []string{"--"}, arguments), nil
		}
	}
	return append(out, rest...), nil
}

// complete refuses a last option that lacks its value: what follows in the line would be taken for it.
func complete(flags []cli.Flag, options []string) error {
	if n := len(options); n > 0 && isOption(options[n-1]) && takesValue(flags, options[n-1]) && (n == 1 || !takesValue(flags, options[n-2])) {
		return usage("%s needs a value", options[n-1])
	}
	return nil
}

func find(commands []*cli.Command, rest []string) *cli.Command {
	if len(rest) == 0 {
		return nil
	}
	for _, command := range commands {
		if command.HasName(rest[0]) {
			return command
		}
	}
	return nil
}

// leading splits off the options before the first argument.
func leading(flags []cli.Flag, args []string) (options, rest []string) {
	for len(args) > 0 && isOption(args[0]) {
		n := 1
		if takesValue(flags, args[0]) && len(args) > 1 {
			n = 2
		}
		options, args = append(options, args[:n]...), args[n:]
	}
	return options, args
}

func sortOptions(flags []cli.Flag, args []string) (options, arguments []string) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			arguments, args = append(arguments, args...), nil
		case !isOption(arg):
			arguments = append(arguments, arg)
		case isJoined(flags, arg):
			options = append(options, arg[:2], arg[2:])
		default:
			options = append(options, arg)
			if takesValue(flags, arg) && len(args) > 0 {
				options, args = append(options, args[0]), args[1:]
			}
		}
	}
	return options, arguments
}

func isOption(arg string) bool { return len(arg) > 1 && arg[0] == '-' && arg != "--" }

// isJoined reports the short form -mTEXT of a known option that takes a value.
func isJoined(flags []cli.Flag, arg string) bool {
	return len(arg) > 2 && arg[1] != '-' && arg[2] != '=' && lookup(flags, arg[1:]) == nil && takesValue(flags, arg[:2])
}

func takesValue(flags []cli.Flag, arg string) bool {
	if strings.Contains(arg, "=") {
		return false
	}
	flag := lookup(flags, strings.TrimLeft(arg, "-"))
	if flag == nil {
		return false
	}
	_, isBool := flag.(*cli.BoolFlag)
	return !isBool
}

func lookup(flags []cli.Flag, name string) cli.Flag {
	for _, flag := range flags {
		for _, known := range flag.Names() {
			if known == name {
				return flag
			}
		}
	}
	return nil
}

// askedFormat is the value of --format anywhere among the arguments, "" where there is none.
func askedFormat(args []string) (format string) {
	for i, arg := range args {
		name, value, joined := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		switch {
		case name != "format" || !strings.HasPrefix(arg, "-"):
		case joined:
			format = value
		case i+1 < len(args):
			format = args[i+1]
		}
	}
	return format
}

// commandName is the command that a command line names, with the one below it, or "".
func commandName(app *cli.App, args []string) string {
	_, rest := leading(app.Flags, args[min(1, len(args)):])
	command := find(app.Commands, rest)
	if command == nil {
		return ""
	}
	if below := find(command.Subcommands, rest[1:]); below != nil {
		return command.Name + " " + below.Name
	}
	return command.Name
}
