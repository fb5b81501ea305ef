package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/cmd/git-standards/doctor"
	"github.com/git-standards/git-standards/engine/wire"
)

func doctorCommand() *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "say what of this clone keeps its standards from binding, and the commands that mend it",
		Description: "It changes nothing and works where other commands fail; where git itself refuses, type git-standards doctor. The page is doc/doctor.md.\n" +
			"Exit codes: 0 nothing is a problem, 1 something is.",
		Flags:  []cli.Flag{formatFlag},
		Action: examine,
	}
}

func examine(cc *cli.Context) error {
	c, err := begin(cc)
	if err == nil && cc.Args().Present() {
		err = usage("doctor takes no argument; %q is one", cc.Args().First())
	}
	if err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		program = "" // what would be said of it is not
	}
	checks, err := doctor.Examine(cc.Context, doctor.Place{Options: optionsOf(cc), Environ: os.Environ(), Program: program, Version: version})
	if err != nil {
		return err
	}
	result := wire.Doctor{SchemaVersion: wire.SchemaVersion, Result: "doctor", InOrder: doctor.InOrder(checks), Checks: checks}
	if c.json {
		err = c.printJSON(result)
	} else {
		c.printDoctor(checks)
	}
	if err != nil || result.InOrder {
		return err
	}
	problems := 0
	for _, check := range checks {
		if check.Level == "problem" {
			problems++
		}
	}
	c.warn("%s", count(problems, "problem", "problems"))
	return exit(exitOpen)
}

// printDoctor says on one line each subject of which all is well, and of the others what is not, with the commands that mend it.
func (c *console) printDoctor(checks []wire.Diagnosis) {
	subject := func(check wire.Diagnosis) string {
		name, _, _ := strings.Cut(check.Name, ".")
		return name
	}
	for len(checks) > 0 {
		name := subject(checks[0])
		n := slices.IndexFunc(checks, func(check wire.Diagnosis) bool { return subject(check) != name })
		if n < 0 {
			n = len(checks)
		}
		c.printSubject(name, checks[:n])
		checks = checks[n:]
	}
}

func (c *console) printSubject(name string, checks []wire.Diagnosis) {
	if !slices.ContainsFunc(checks, func(check wire.Diagnosis) bool { return check.Level != "ok" }) {
		c.say("%s %-18s %s", c.green("ok     "), name, clean(checks[0].Message))
		return
	}
	for _, check := range checks {
		level := fmt.Sprintf("%-7s", check.Level)
		switch check.Level {
		case "ok":
			continue
		case "problem":
			level = c.red(level)
		case "warning":
			level = c.bold(level)
		}
		c.say("%s %-18s %s", level, check.Name, clean(check.Message))
		for _, next := range check.Next {
			c.hint(c.out, next)
		}
	}
}
