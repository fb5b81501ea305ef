package main

import (
	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/wire"
)

func lintCommand() *cli.Command {
	return &cli.Command{
		Name:        "lint",
		Usage:       "check the authored text: every finding with its place and what to write instead",
		Description: "Exit codes: 0 no error, 2 errors.",
		Flags:       []cli.Flag{stagedFlag, proposedFlag, formatFlag},
		Action:      withoutArguments((*session).lint),
	}
}

func (s *session) lint(cc *cli.Context) error {
	s.keepSchemas()
	side, err := s.proposed(cc.String("proposed"), cc.Bool("staged"))
	if err != nil {
		return err
	}
	// An edge is new only against an accepted side. Where that cannot be found, every edge is held to be new.
	var accepted content.Source
	if fork, err := s.ForkPoint(s.ctx); err == nil {
		accepted = fork.Source
	}
	result, err := s.engine.Lint(s.ctx, side.Source, accepted)
	if err != nil {
		return err
	}
	errors := 0
	for _, f := range result.Findings {
		if f.Severity == "error" {
			errors++
		}
	}
	if s.json {
		if err := s.printJSON(result); err != nil {
			return err
		}
	} else {
		s.printLint(result)
	}
	if errors > 0 {
		s.warn("%s in the authored text", count(errors, "error", "errors"))
		return exit(exitInvalid)
	}
	return nil
}

// printLint says the findings in the form that editors jump by, then what was looked at.
func (s *session) printLint(result *wire.Lint) {
	s.printFindings(s.out, result.Findings)
	findings, rest := s.green("0 findings"), ""
	if len(result.Findings) > 0 {
		findings = s.red(count(len(result.Findings), "finding", "findings"))
	}
	if result.Ignored > 0 {
		rest = s.faint("; no standard in " + count(result.Ignored, "other file", "other files") + " that modules matches")
	}
	s.say("%s, %s, %s%s", count(result.Modules, "module", "modules"), count(result.Units, "unit", "units"), findings, rest)
	if len(result.Findings) == 0 {
		s.hint(s.out, "git standards status")
	}
}
