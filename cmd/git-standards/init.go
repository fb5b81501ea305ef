package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/cmd/git-standards/workspace"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/wire"
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
	if err := s.Repo.NeedWorktree(); err != nil {
		return err
	}
	base, err := s.baseName()
	if err != nil {
		return err
	}
	result := wire.Init{SchemaVersion: wire.SchemaVersion, Result: "init", Created: []string{}, Kept: []string{}}
	created, err := createFile(s.Repo.TopLevel, corpus.ManifestPath, manifestText(base))
	switch {
	case err != nil:
		return fault.New(fault.Unavailable, "MANIFEST.NOT_WRITTEN", corpus.ManifestPath, "the manifest could not be written").Because(err)
	case created:
		result.Created = append(result.Created, corpus.ManifestPath)
	default:
		result.Kept = append(result.Kept, corpus.ManifestPath)
	}
	s.keepSchemas()
	if s.json {
		return s.printJSON(result)
	}
	if !created {
		s.say("kept %s, which is there already", corpus.ManifestPath)
		s.hint(s.out, "git standards status")
		return nil
	}
	s.say("wrote %s: standards are standards/**/*.md, changes land on %s", corpus.ManifestPath, shown(base))
	if found, err := s.countModules(); err != nil || found > 0 {
		if err == nil {
			s.say("found %s", count(found, "module", "modules"))
			s.hint(s.out, "git standards lint")
		}
		return err
	}
	s.say("\na standard is a Markdown file whose front matter says which sections bind whom, for example standards/api.md:\n")
	s.say("%s", exampleModule)
	s.say("write one, or let a document that you have become one:")
	document, err := s.adoptable()
	if err != nil {
		return err
	}
	s.hint(s.out, "git standards adopt "+document)
	return nil
}

// adoptable is a document of the kind that most repositories have and that binds people, as it is typed here, else what to
// put in its place.
func (s *session) adoptable() (string, error) {
	worktree, err := s.Worktree()
	if err != nil {
		return "", err
	}
	for _, name := range []string{"CONTRIBUTING.md", "docs/CONTRIBUTING.md", "doc/CONTRIBUTING.md", ".github/CONTRIBUTING.md"} {
		entries, err := worktree.Source.List(s.ctx, name)
		if err != nil {
			return "", err
		}
		if len(entries) == 1 && entries[0].Kind == content.Regular {
			return s.Typed(name), nil
		}
	}
	return "FILE.md", nil
}

// countModules is how many modules the new manifest's globs match.
func (s *session) countModules() (int, error) {
	worktree, err := s.Worktree()
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
	name, err := s.Repo.BaseName(s.ctx)
	if err != nil || name != "" {
		return name, err
	}
	if name, err = s.Repo.CurrentBranch(s.ctx); err != nil || name != "" {
		return name, err
	}
	return "main", nil // a detached HEAD and no branch of a usual name
}

func manifestText(base string) string {
	return schemaComment("..", "manifest") + `
# The manifest of this repository's written standards.
version: 1
# Which Markdown files hold standards: globs from the repository root.
modules: ["standards/**/*.md"]
gate:
  # The branch that changes land on.
  base: ` + yamltext.Scalar(base) + "\n"
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

// createFile writes a new file below the top level, folders included, whole or not at all, and never one that is there.
func createFile(top, name, text string) (created bool, err error) {
	root, err := os.OpenRoot(top)
	if err != nil {
		return false, err
	}
	defer root.Close()
	if info, err := root.Lstat(name); err == nil {
		if !info.Mode().IsRegular() {
			return false, fmt.Errorf("what stands there is no file")
		}
		return false, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return false, err
	}
	temporary := path.Join(path.Dir(name), ".tmp-"+rand.Text())
	defer func() { _ = root.Remove(temporary) }() // gone already, once it was linked
	if err := workspace.WriteWhole(root, temporary, []byte(text)); err != nil {
		return false, err
	}
	if err := root.Link(temporary, name); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return false, nil // another was quicker
		}
		return true, root.Rename(temporary, name) // a file system without links
	}
	return true, nil
}
