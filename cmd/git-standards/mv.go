package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext"
)

func mvCommand() *cli.Command {
	return &cli.Command{
		Name:      "mv",
		Usage:     "move a file or folder as git mv does, and the consumers that name it",
		ArgsUsage: "OLD NEW",
		Description: "Edits the path: and glob: rows that name OLD or what is below it, and stages them. Where NEW is a folder, OLD moves into it.\n" +
			"Exit codes: 0 moved, 2 refused and nothing changed, 3 unavailable.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, DisableDefaultText: true, Usage: "show what would be edited"},
			&cli.BoolFlag{Name: "after", DisableDefaultText: true, Usage: "the file was moved already: edit the rows alone"},
			formatFlag,
		},
		Action: onRepository((*session).mv),
	}
}

// mover is one move: its two places, what names the old one, and what the files become.
type mover struct {
	*session
	from, to string
	after    bool

	before   *corpus.Corpus
	source   content.Source // the worktree as it is
	moved    content.Source // and once the move is done
	index    map[string]gitext.Entry
	files    []rewrite         // by the name before the move
	staging  []staging         // by the name after it
	modified map[string][]byte // what git would record for the files, by the name after it
	untold   []string          // the files that the index does not have, by the name after it
	notices  []wire.Notice
}

// staging is an entry of the index and its new bytes.
type staging struct {
	gitext.Entry
	data []byte
}

func (s *session) mv(cc *cli.Context) error {
	if err := s.Repo.NeedWorktree(); err != nil {
		return err
	}
	m := &mover{session: s, after: cc.Bool("after"), modified: map[string][]byte{}}
	if cc.NArg() != 2 {
		return usage("mv needs two names, the old and the new: git standards mv OLD NEW")
	}
	if cc.Args().Get(0) == "" || cc.Args().Get(1) == "" {
		return usage("a name is empty: git standards mv OLD NEW")
	}
	entries, err := s.Repo.Index(s.ctx)
	if err != nil {
		return err
	}
	m.index = make(map[string]gitext.Entry, len(entries))
	for _, e := range entries {
		m.index[e.Name] = e
	}
	if err := m.places(cc.Args().Get(0), cc.Args().Get(1)); err != nil {
		return err
	}
	if err := m.plan(); err != nil {
		return err
	}
	if !cc.Bool("dry-run") {
		if err := m.carryOut(); err != nil {
			return err
		}
	}
	return m.report(cc)
}

// places finds where from and to are, and refuses what cannot be moved.
func (m *mover) places(old, young string) error {
	var err error
	if m.from, err = m.Repo.Relative(old); err != nil {
		return err
	}
	abs, err := gitext.FromDir(m.Dir, young)
	if err != nil {
		return err
	}
	name := young
	into := filepath.Join(young, path.Base(m.from))
	if isFolder(abs) && (!m.after || exists(filepath.Join(abs, path.Base(m.from)))) {
		young = into
	} else if strings.HasSuffix(young, "/") && !isFolder(abs) && !isFolder(filepath.Join(m.Repo.TopLevel, m.from)) && !m.after {
		return fault.New(fault.Invalid, "MOVE.NO_FOLDER", young, "there is no such folder").Hint("mkdir -p " + fault.ShellWord(young))
	}
	if m.to, err = m.Repo.Relative(young); err != nil {
		return err
	}
	for _, name := range []string{m.from, m.to} {
		for _, fixed := range []string{corpus.ManifestPath, corpus.AuthorityPath, corpus.DecisionsFolder} {
			if content.Under(name, []string{fixed}) || content.Under(fixed, []string{name}) {
				return fault.New(fault.Invalid, "MOVE.FIXED", name, "%s stands where it is looked for and is not moved, nor is anything into its place", fixed).
					Hint("git standards mv -h")
			}
		}
	}
	here, there := exists(filepath.Join(m.Repo.TopLevel, m.from)), exists(filepath.Join(m.Repo.TopLevel, m.to))
	if m.after && here && isFolder(filepath.Join(m.Repo.TopLevel, m.from)) {
		// To Git an empty folder is nothing, and that is what git mv leaves of one whose last file it moved.
		if here, err = m.hasFiles(m.from); err != nil {
			return err
		}
	}
	switch {
	case m.from == m.to:
		return usage("OLD and NEW are both %s", shown(m.from))
	case m.after && here:
		return fault.New(fault.Invalid, "MOVE.NOT_MOVED", m.from, "it is still there, so it was not moved").Hint(m.command("", old, young))
	case m.after && !there:
		return fault.New(fault.Invalid, "MOVE.NO_FILE", m.to, "there is no such file or folder, so nothing was moved there").Hint("git status")
	case m.after:
		return nil
	case !here && isFolder(abs) && m.from != m.to && !there: // a folder that is there holds what OLD held, or its move was cut short
		return fault.New(fault.Invalid, "MOVE.NO_FILE", m.from, "there is no such file or folder; was it moved already?").Hint(m.command("--after", old, name))
	case !here && there:
		return fault.New(fault.Invalid, "MOVE.NO_FILE", m.from, "there is no such file or folder; was it moved already?").Hint(m.command("--after", old, young))
	case !here:
		return fault.New(fault.Invalid, "MOVE.NO_FILE", m.from, "there is no such file or folder").Hint("git ls-files")
	case there:
		refused := fault.New(fault.Invalid, "MOVE.EXISTS", m.to, "something is there already; it is not overwritten")
		if !isFolder(filepath.Join(m.Repo.TopLevel, m.from)) {
			refused.Hint(fmt.Sprintf("git mv -f -- %s %s && %s", fault.ShellWord(old), fault.ShellWord(young), m.command("--after", old, young)))
		}
		return refused
	case !m.tracked():
		return fault.New(fault.Invalid, "MOVE.UNTRACKED", m.from, "git does not track it, and moves nothing else").Hint("git add -- " + fault.ShellWord(old))
	}
	if parent := path.Dir(m.to); !isFolder(filepath.Join(m.Repo.TopLevel, parent)) {
		parent = filepath.Dir(young)
		return fault.New(fault.Invalid, "MOVE.NO_FOLDER", parent, "there is no such folder").Hint("mkdir -p " + fault.ShellWord(parent))
	}
	return m.Repo.CheckMove(m.ctx, m.from, m.to)
}

// hasFiles reports whether anything below a folder would be recorded.
func (m *mover) hasFiles(folder string) (bool, error) {
	side, err := m.Worktree()
	if err != nil {
		return false, err
	}
	entries, err := side.Source.List(m.ctx, folder)
	return len(entries) > 0, err
}

// tracked reports whether the index holds what is to be moved.
func (m *mover) tracked() bool {
	for name := range m.index {
		if content.Under(name, []string{m.from}) {
			return true
		}
	}
	return false
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// command is this command with an option more, to be typed.
func (m *mover) command(option, old, young string) string {
	words := []string{"git standards mv"}
	if option != "" {
		words = append(words, option)
	}
	if strings.HasPrefix(old, "-") || strings.HasPrefix(young, "-") {
		words = append(words, "--")
	}
	return strings.Join(append(words, fault.ShellWord(old), fault.ShellWord(young)), " ")
}

// carryOut moves and edits. It is not interrupted half-way, and what fails half-way is taken back.
func (m *mover) carryOut() error {
	w, err := prepareRewrites(m.Repo.TopLevel, m.files)
	if err != nil {
		return err
	}
	defer w.close()
	entries := make([]gitext.Entry, len(m.staging))
	for i, s := range m.staging {
		entries[i] = s.Entry
		if entries[i].ID, err = m.Repo.WriteBlob(m.ctx, s.data); err != nil {
			return err
		}
	}
	if err := m.ctx.Err(); err != nil {
		return err
	}
	ctx := context.WithoutCancel(m.ctx)
	if !m.after {
		if err := m.Repo.Move(ctx, m.from, m.to); err != nil {
			return err
		}
	}
	if err = w.put(m.name); err == nil {
		if err = m.Repo.StageEntries(ctx, entries); err == nil {
			return nil
		}
		err = fault.New(fault.Unavailable, "INDEX.NOT_STAGED", m.to, "the index could not be changed; nothing was").Because(err)
	}
	undone := w.undo()
	if !m.after {
		undone = errors.Join(undone, m.Repo.Move(ctx, m.to, m.from))
	}
	if undone != nil {
		return fault.New(fault.Unavailable, "MOVE.NOT_TAKEN_BACK", m.to, "the move failed half-way and could not be taken back").Because(errors.Join(err, undone)).Hint("git status")
	}
	return err
}

func (m *mover) report(cc *cli.Context) error {
	done := !cc.Bool("dry-run")
	result := wire.Moved{SchemaVersion: wire.SchemaVersion, Result: "moved", Written: done, Old: m.from, New: m.to, Files: []wire.MovedFile{}, Notices: append([]wire.Notice{}, m.notices...)}
	for _, f := range m.files {
		name := m.name(f.name)
		diff, err := unified(f.name, name, f.old, f.now)
		if err != nil {
			return err
		}
		result.Files = append(result.Files, wire.MovedFile{File: name, Diff: diff})
	}
	if m.json {
		return m.printJSON(result)
	}
	switch {
	case m.after:
	case done:
		m.say("moved %s to %s", shown(m.from), shown(m.to))
	default:
		m.warn("would move %s to %s", shown(m.from), shown(m.to)) // the patches alone are the result
	}
	for _, f := range result.Files {
		if done {
			if slices.Contains(m.untold, f.File) {
				m.say("edited %s, which git does not track", shown(f.File))
			} else {
				m.say("edited and staged %s", shown(f.File))
			}
		} else {
			m.printDiff(m.out, f.Diff)
		}
	}
	if len(m.files) == 0 {
		m.say("no consumer names %s", shown(m.from))
	}
	m.printNotices(m.err, m.notices)
	if done {
		m.hint(m.out, "git standards status")
	} else {
		option := ""
		if m.after {
			option = "--after"
		}
		m.hint(m.err, m.command(option, cc.Args().Get(0), cc.Args().Get(1)))
	}
	return nil
}
