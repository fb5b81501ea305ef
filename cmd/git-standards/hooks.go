package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/cmd/git-standards/landing"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/hooks"
)

func hooksCommand() *cli.Command {
	server := &cli.BoolFlag{Name: "server", DisableDefaultText: true, Usage: "the hooks of a repository that is pushed to: pre-receive and post-receive"}
	share := []cli.Flag{
		&cli.BoolFlag{Name: "share", DisableDefaultText: true, Usage: "set up that the records of publish are fetched and sent as well"},
		&cli.StringFlag{Name: "remote", Usage: "share them with this remote: `NAME` (default: origin, or the only one)"},
	}
	verb := func(name, about string, run func(hooks.Dir) (hooks.Status, error), flags ...cli.Flag) *cli.Command {
		return &cli.Command{Name: name, Usage: about, Flags: append(flags, formatFlag), Action: withoutArguments(func(s *session, cc *cli.Context) error {
			switch {
			case cc.Bool("share") && cc.Bool("server"):
				return usage("--share is for a repository that people work in; a server has nobody to fetch from")
			case cc.String("remote") != "" && !cc.Bool("share"):
				return usage("--remote says with whom --share shares records")
			case cc.Bool("share"):
				if err := landing.Share(s.ctx, s.Repo, cc.String("remote")); err != nil {
					return err
				}
			case name == "uninstall":
				if err := landing.Unshare(s.ctx, s.Repo); err != nil {
					return err
				}
			}
			return s.manageHooks(name, cc.Bool("server"), run)
		})}
	}
	return &cli.Command{
		Name:        "hooks",
		Usage:       "install, uninstall or check the Git hooks",
		Description: "Exit codes: 0 done, 1 status says that the hooks are not in force, 2 refused.",
		Subcommands: []*cli.Command{
			verb("install", "install pre-commit, pre-merge-commit and pre-push; hooks that are there are kept and chained", installHooks, append(share, server)...),
			verb("uninstall", "remove them; what was there before is put back", hooks.Uninstall),
			verb("status", "say whether Git would run them", hooks.Inspect, server),
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
	// Package managers change what a link on PATH leads to; the link stays.
	if same, err := sameFile(dir.OnPath, binary); err == nil && same {
		binary = dir.OnPath
	}
	return hooks.Install(dir, binary)
}

func sameFile(a, b string) (bool, error) {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return os.SameFile(infoA, infoB), errors.Join(errA, errB)
}

func (s *session) manageHooks(verb string, server bool, run func(hooks.Dir) (hooks.Status, error)) error {
	dir, err := s.hooksDir()
	if err != nil {
		return err
	}
	// Nobody works in a bare repository, unless it has worktrees; then its own hooks are still those that are asked for.
	dir.Server = server || s.Repo.Bare && verb != "install" && dir.Serves()
	status, err := run(dir)
	if err != nil {
		return err
	}
	if verb == "status" && !dir.Server {
		if err := hooks.LookInOtherWorktrees(s.ctx, s.Repo, dir, os.Environ(), &status); err != nil {
			return err
		}
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
		s.printHooks(status)
		if err := s.printShared(); err != nil {
			return err
		}
	}
	if verb == "uninstall" {
		return nil
	}
	var next []string
	for _, note := range status.Notes {
		s.warn("%s", clean(note.Text))
		next = append(next, note.Next...)
	}
	if status.InForce {
		if verb == "install" && !s.json && !dir.Server {
			s.hint(s.out, "git standards status")
		}
		if verb == "install" && s.Repo.Bare && !dir.Server {
			s.warn("this repository is bare; where it is pushed to, the hooks that guard it are others")
			s.hint(s.err, "git standards hooks install --server")
		}
		return nil
	}
	for _, h := range status.Hooks {
		if s.json && h.Why != "" {
			s.warn("%s: %s: %s", h.Name, h.State, clean(h.Why))
		}
		next = append(next, h.Next...)
	}
	s.warn("the hooks are not in force")
	for _, command := range inOrder(next) {
		s.hint(s.err, command)
	}
	return exit(exitOpen)
}

// sayWithoutHooks says in one line that Git asks nothing here, as in a fresh clone: nothing else would. A machine that builds has no
// use for hooks, and who wants none says so once, in standards.hooks.
func (s *session) sayWithoutHooks() {
	if s.json || s.Repo.TopLevel == "" || os.Getenv("CI") != "" {
		return
	}
	dir, err := s.hooksDir()
	if err != nil {
		return // what keeps the hooks from being looked at is for hooks status to say
	}
	status, err := hooks.Inspect(dir)
	if err != nil || status.InForce {
		return
	}
	wanted, _, _, err := s.Repo.ConfigScope(s.ctx, "standards.hooks")
	if err != nil || slices.Contains([]string{"false", "no", "off", "0"}, strings.ToLower(wanted)) {
		return
	}
	if len(status.Notes) > 0 || slices.ContainsFunc(status.Hooks, func(h hooks.Hook) bool { return h.State != hooks.Absent }) {
		s.warn("hooks are not in force here; next: git standards hooks status")
		return
	}
	s.warn("hooks are not installed here; next: git standards hooks install")
}

func (s *session) printHooks(status hooks.Status) {
	folder := status.Path
	if rel, err := filepath.Rel(s.Repo.TopLevel, folder); err == nil && filepath.IsLocal(rel) {
		folder = s.Typed(rel)
	}
	s.say("%s", shown(folder))
	for _, h := range status.Hooks {
		if h.Why == "" {
			s.say("  %-16s %s", h.Name, h.State)
		} else {
			s.say("  %-16s %-14s %s", h.Name, h.State, clean(h.Why))
		}
	}
}

// inOrder is each command once, where it was last: what several hooks need last is typed last.
func inOrder(commands []string) (list []string) {
	for i, command := range commands {
		if !slices.Contains(commands[i+1:], command) {
			list = append(list, command)
		}
	}
	return list
}

// hooksDir is where Git looks for hooks, and who says so (RULES I4).
func (s *session) hooksDir() (hooks.Dir, error) { return hooks.Find(s.ctx, s.Repo, os.Getenv("PATH")) }

// printShared says with whom records are shared, where they are.
func (s *session) printShared() error {
	remotes, err := landing.Shared(s.ctx, s.Repo)
	for _, remote := range remotes {
		s.say("  %-16s %-14s with %s: git fetch brings records, git share-standards sends them", "records", "shared", shown(remote))
	}
	return err
}
