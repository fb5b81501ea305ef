package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext"
)

func initCommand() *cli.Command {
	return &cli.Command{
		Name:        "init",
		Usage:       "write the manifest standards/standards.yaml, if there is none",
		Description: "Exit codes: 0 written, or there already, 2 no worktree.",
		Flags:       []cli.Flag{formatFlag},
		Action:      withoutArguments((*session).initialise),
	}
}

func (s *session) initialise(*cli.Context) error {
	if s.repo.TopLevel == "" {
		return fault.New(fault.Invalid, "GIT.NO_WORKTREE", s.repo.GitDir, "this repository has no worktree to write the manifest in")
	}
	base, err := s.baseName()
	if err != nil {
		return err
	}
	result := wire.Init{SchemaVersion: wire.SchemaVersion, Result: "init", Created: []string{}, Kept: []string{}}
	created, err := createFile(s.repo.TopLevel, corpus.ManifestPath, manifestText(base))
	switch {
	case err != nil:
		return fault.New(fault.Unavailable, "MANIFEST.NOT_WRITTEN", corpus.ManifestPath, "the manifest could not be written").Because(err)
	case created:
		result.Created = append(result.Created, corpus.ManifestPath)
	default:
		result.Kept = append(result.Kept, corpus.ManifestPath)
	}
	if s.json {
		return s.printJSON(result)
	}
	if !created {
		s.say("kept %s, which is there already", corpus.ManifestPath)
		s.hint(s.out, "git standards status")
		return nil
	}
	s.say("wrote %s: modules are standards/**/*.md, changes land on %s", corpus.ManifestPath, shown(base))
	if found, err := s.countModules(); err != nil || found > 0 {
		if err == nil {
			s.say("found %s", count(found, "module", "modules"))
			s.hint(s.out, "git standards lint")
		}
		return err
	}
	s.say("a module is a Markdown file whose front matter says what binds, for example standards/api.md:\n")
	s.say("%s", exampleModule)
	s.hint(s.out, "git standards lint, and once it is clean: git standards hooks install")
	return nil
}

// countModules is how many modules the new manifest's globs match.
func (s *session) countModules() (int, error) {
	worktree, err := s.worktreeSide()
	if err != nil {
		return 0, err
	}
	result, err := s.engine.Lint(s.ctx, worktree.Source, nil)
	if err != nil {
		return 0, err
	}
	return result.Modules, nil
}

// baseName is the branch that changes land on, as far as the repository shows (RULES B3).
func (s *session) baseName() (string, error) {
	head, unborn, err := s.repo.Head(s.ctx)
	if err != nil {
		return "", err
	}
	if !unborn {
		fork, err := s.repo.ForkPoint(s.ctx, gitext.ForkRequest{Tip: head.ID})
		if err == nil && fork.Name != "" {
			return fork.Name, nil
		}
	}
	name, err := s.repo.CurrentBranch(s.ctx)
	if err != nil {
		return "", err
	}
	if name == "" {
		name = "main" // a detached HEAD and no branch of a usual name
	}
	return name, nil
}

func manifestText(base string) string {
	return `# The manifest of this repository's written standards.
version: 1
# Which Markdown files hold standards: globs from the repository root.
modules: ["standards/**/*.md"]
gate:
  # The branch that changes land on.
  base: ` + yamlScalar(base) + "\n"
}

// yamlScalar quotes a branch name unless it is made of what no YAML reader takes for anything but a string.
func yamlScalar(name string) string {
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r != '-' && r != '/' && r != '_' && (r < '0' || r > '9')) {
			return strconv.Quote(name)
		}
	}
	switch name {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return strconv.Quote(name)
	}
	return name
}

const exampleModule = `    ---
    standard:
      id: topic.api
      role: topic
      level: MUST
      units:
        - {id: api.errors, heading: [Errors], revision: 1}
      consumers:
        - {unit: api.errors, path: docs/errors.md, relation: documentation-projection}
    ---
    # API
    ## Errors
    Every error carries a stable code.
`

// createFile writes a new file below the top level, folders included, and never one that is there.
func createFile(top, name, text string) (created bool, err error) {
	root, err := os.OpenRoot(top)
	if err != nil {
		return false, err
	}
	defer root.Close()
	if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return false, err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		info, err := root.Lstat(name)
		if err == nil && !info.Mode().IsRegular() {
			return false, fmt.Errorf("what stands there is no file")
		}
		return false, err
	}
	if err != nil {
		return false, err
	}
	if _, err := f.WriteString(text); err != nil {
		f.Close()
		return false, err
	}
	return true, f.Close()
}
