package main

import (
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/hooks"
)

func hooksCommand() *cli.Command {
	verb := func(name, usage string, run func(hooks.Dir) (hooks.Status, error)) *cli.Command {
		return &cli.Command{Name: name, Usage: usage, Flags: []cli.Flag{formatFlag}, Action: withoutArguments(func(s *session, _ *cli.Context) error {
			return s.manageHooks(name, run)
		})}
	}
	return &cli.Command{
		Name:        "hooks",
		Usage:       "install, uninstall or check the Git hooks",
		Description: "Exit codes: 0 done, 1 status says that the hooks are not in force, 2 refused.",
		Subcommands: []*cli.Command{
			verb("install", "install pre-commit, pre-merge-commit and pre-push; hooks that are there are kept and chained", installHooks),
			verb("uninstall", "remove them; what was there before is put back", hooks.Uninstall),
			verb("status", "say whether Git would run them", hooks.Inspect),
		},
		Action: func(cc *cli.Context) error { return usage("hooks needs install, uninstall or status") },
	}
}

func installHooks(dir hooks.Dir) (hooks.Status, error) {
	binary, err := os.Executable()
	if err != nil {
		return hooks.Status{}, fault.New(fault.Unavailable, "HOOKS.BINARY", "", "this program's own path is not known").Because(err)
	}
	if real, err := filepath.EvalSymlinks(binary); err == nil {
		binary = real
	}
	return hooks.Install(dir, binary)
}

func (s *session) manageHooks(verb string, run func(hooks.Dir) (hooks.Status, error)) error {
	dir, err := s.hooksDir()
	if err != nil {
		return err
	}
	status, err := run(dir)
	if err != nil {
		return err
	}
	if s.json {
		result := wire.Hooks{SchemaVersion: wire.SchemaVersion, Result: "hooks", Path: status.Path, InForce: status.InForce, Hooks: []wire.Hook{}}
		for _, h := range status.Hooks {
			result.Hooks = append(result.Hooks, wire.Hook{Name: h.Name, State: string(h.State)})
		}
		if err := s.printJSON(result); err != nil {
			return err
		}
	} else {
		s.say("%s", shown(status.Path))
		for _, h := range status.Hooks {
			s.say("  %-16s %s", h.Name, h.State)
		}
		if verb == "install" {
			s.hint(s.out, "edit a standard and commit: git standards status says what it asks")
		}
	}
	if verb != "uninstall" && !status.InForce {
		s.warn("the hooks are not in force")
		s.hint(s.err, "git standards hooks install")
		return exit(exitOpen)
	}
	return nil
}

// hooksDir is where Git looks for hooks, and who says so (RULES I4).
func (s *session) hooksDir() (hooks.Dir, error) {
	path, err := s.repo.GitPath(s.ctx, "hooks")
	if err != nil {
		return hooks.Dir{}, err
	}
	_, scope, _, err := s.repo.ConfigScope(s.ctx, "core.hooksPath")
	if err != nil {
		return hooks.Dir{}, err
	}
	return hooks.Dir{Path: path, Own: filepath.Join(s.repo.CommonDir, "hooks"), Scope: scope}, nil
}
