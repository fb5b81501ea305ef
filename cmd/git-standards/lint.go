package main

import (
	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/content"
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
	side, err := s.proposed(cc.String("proposed"), cc.Bool("staged"))
	if err != nil {
		return err
	}
	// An edge is new only against an accepted side. Where that cannot be found, every edge is held to be new.
	var accepted content.Source
	if fork, err := s.forkPoint(); err == nil {
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
		s.printFindings(s.out, result.Findings)
		s.say("%s, %s, %s, %s", count(result.Modules, "module", "modules"), count(result.Units, "unit", "units"),
			count(result.Ignored, "matched file without standards", "matched files without standards"), count(len(result.Findings), "finding", "findings"))
	}
	if errors > 0 {
		s.warn("%s in the authored text", count(errors, "error", "errors"))
		return exit(exitInvalid)
	}
	return nil
}
