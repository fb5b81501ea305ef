package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/adopt"
	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/authored/markdown"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
)

func adoptCommand() *cli.Command {
	return &cli.Command{
		Name:      "adopt",
		Usage:     "make modules of Markdown documents: show the front matter to add, or add it",
		ArgsUsage: "FILE…",
		Description: "Adds the key standard: with a unit for each heading, and changes nothing else. Without --write it shows the change as a patch.\n" +
			"Exit codes: 0 shown or written, 2 a file is refused and none was written, 3 unavailable.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "write", DisableDefaultText: true, Usage: "write the files"},
			&cli.BoolFlag{Name: "add-glob", DisableDefaultText: true, Usage: "also add to the manifest's modules what matches them, where nothing does"},
			&cli.StringFlag{Name: "id", Usage: "the module's `ID` instead of one derived from the path"},
			&cli.StringFlag{Name: "role", Value: adopt.DefaultRole, Usage: "the module's `ROLE`: core, router, workflow, profile, topic or reference"},
			&cli.StringFlag{Name: "level", Value: adopt.DefaultLevel, Usage: "the module's `LEVEL`: MUST, SHOULD, PROFILE or REFERENCE"},
			&cli.IntFlag{Name: "depth", Value: adopt.DefaultDepth, Usage: "give units to headings down to `N` below the title"},
			formatFlag,
		},
		Action: onRepository((*session).adopt),
	}
}

// adopter is what one adoption works on.
type adopter struct {
	*session
	options adopt.Options
	before  *corpus.Corpus
	source  content.Source
	taken   map[string]bool
	refused []reading.Finding
}

// adoptedFile is a file that can be adopted, and what it becomes.
type adoptedFile struct {
	rewrite
	*adopt.Result
}

func (s *session) adopt(cc *cli.Context) error {
	a := &adopter{session: s, taken: map[string]bool{}}
	a.options = adopt.Options{ID: cc.String("id"), Role: cc.String("role"), Level: cc.String("level"), Depth: cc.Int("depth"),
		Taken: func(id string) bool { return a.taken[id] }}
	if err := a.options.Check(); err != nil {
		return usage("%s", err)
	}
	switch args := cc.Args().Slice(); {
	case len(args) == 0:
		return usage("adopt needs a file: git standards adopt FILE…")
	case len(args) > 1 && a.options.ID != "":
		return usage("--id names one module; give one FILE, not %d", len(args))
	}
	if err := a.compile(); err != nil {
		return err
	}
	s.keepSchemas()
	files, err := a.files(cc.Args().Slice())
	if err != nil {
		return err
	}
	manifest, unmatched, err := a.manifest(files)
	if err != nil {
		return err
	}
	if err := a.check(files, manifest); err != nil {
		return err
	}
	list := make([]rewrite, 0, len(files)+1)
	for _, f := range files {
		list = append(list, f.rewrite)
	}
	if manifest != nil && cc.Bool("add-glob") {
		list = append(list, *manifest)
	}
	if cc.Bool("write") {
		w, err := prepareRewrites(s.Repo.TopLevel, list)
		if err != nil {
			return err
		}
		defer w.close()
		if err := w.put(func(name string) string { return name }); err != nil {
			return errors.Join(w.undo(), err) // what could not be taken back is said first
		}
	}
	return a.report(cc, files, manifest, unmatched)
}

// compile reads the standards as they are, whose ids are taken.
func (a *adopter) compile() error {
	side, err := a.Worktree()
	if err != nil {
		return err
	}
	a.source = side.Source
	if a.before, err = a.compiled(a.source); err != nil {
		return err
	}
	for _, m := range a.before.Modules {
		a.taken[m.ID] = true
		for _, u := range m.Units {
			a.taken[u.ID] = true
			for _, alias := range u.Aliases {
				a.taken[alias] = true
			}
		}
		for _, stone := range m.Tombstones {
			a.taken[stone.ID] = true
		}
	}
	return nil
}

// compiled is the standards of a side. Without a manifest that can be read there are none.
func (s *session) compiled(source content.Source) (*corpus.Corpus, error) {
	c, err := corpus.NewCompiler().Compile(s.ctx, source)
	if err != nil {
		return nil, err
	}
	if c.Manifest == nil && len(c.Findings) == 0 {
		return nil, fault.New(fault.Invalid, "MANIFEST.MISSING", corpus.ManifestPath, "there are no standards here yet").Hint("git standards init")
	}
	if slices.ContainsFunc(c.Findings, func(f reading.Finding) bool { return f.File == corpus.ManifestPath && f.Code != "MANIFEST.GLOB_EMPTY" }) {
		return nil, &corpus.FindingsError{Findings: c.Findings}
	}
	return c, nil
}

func (a *adopter) refuse(name, code, next, format string, args ...any) {
	a.refused = append(a.refused, reading.Finding{
		Code: code, Severity: reading.SeverityError, File: name, Line: 1, Message: fmt.Sprintf(format, args...), Next: next,
	})
}

// files adopts every file named, or none: what is wrong with any of them is said at once.
func (a *adopter) files(args []string) ([]*adoptedFile, error) {
	root, err := os.OpenRoot(a.Repo.TopLevel)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "FILE.UNREADABLE", a.Repo.TopLevel, "the worktree cannot be read").Because(err)
	}
	defer root.Close()
	var names []string
	for _, arg := range args {
		name, err := a.name(arg)
		if err != nil {
			return nil, err
		}
		if name != "" {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, content.ComparePaths)
	var files []*adoptedFile
	for _, name := range slices.Compact(names) {
		data, _, err := readFile(root, name)
		if f := fault.As(err); f != nil && f.Outcome == fault.Invalid {
			next := "adopt the file that it leads to"
			if f.Code == "FILE.TOO_BIG" {
				next = "split the document"
			}
			a.refuse(name, f.Code, next, "%s", f.Message)
			continue
		} else if err != nil {
			return nil, err
		}
		done, findings := adopt.Document(name, data, a.options)
		a.refused = append(a.refused, findings...)
		if done == nil {
			continue
		}
		a.taken[done.ID] = true
		for _, id := range done.Units {
			a.taken[id] = true
		}
		files = append(files, &adoptedFile{rewrite{name: name, old: data, now: done.Text}, done})
	}
	if len(a.refused) > 0 {
		return nil, &corpus.FindingsError{Findings: a.refused}
	}
	return files, nil
}

// name is the repository path of a file that can become a module, "" where it was refused.
func (a *adopter) name(arg string) (string, error) {
	name, err := a.Repo.Relative(arg)
	if abs, absErr := gitext.FromDir(a.Dir, arg); absErr == nil && isFolder(abs) && (err == nil || abs == a.Repo.TopLevel) {
		a.refuse(path.Clean("./"+name), "ADOPT.NO_FILE", "git standards adopt "+fault.ShellWord(path.Clean(arg))+"/*.md", "it is a folder; name the files")
		return "", nil
	}
	if err != nil {
		return "", err
	}
	_, err = os.Lstat(filepath.Join(a.Repo.TopLevel, name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		a.refuse(name, "ADOPT.NO_FILE", "name a Markdown file", "there is no such file")
	case err != nil:
		return "", fault.New(fault.Unavailable, "FILE.UNREADABLE", name, "the file cannot be read").Because(err)
	case corpus.IsDecision(name) || name == corpus.ManifestPath || name == corpus.AuthorityPath:
		a.refuse(name, "ADOPT.PLACE", "move it to another folder first", "no module can stand there")
	case content.CheckPath(name) != nil:
		a.refuse(name, "MODULE.PATH", "rename the file", "the file name cannot be recorded: %s", content.CheckPath(name))
	case path.Ext(name) != "" && !markdown.HasExtension(name):
		a.refuse(name, "ADOPT.NOT_MARKDOWN", "name a file that ends in .md", "the name is not that of a Markdown file")
	default:
		entries, err := a.source.List(a.ctx, name)
		if err != nil {
			return "", err
		}
		if len(entries) == 0 {
			a.refuse(name, "ADOPT.IGNORED", "git add -f "+fault.ShellWord(arg), "git ignores the file, so a commit would not have it")
			return "", nil
		}
		return name, nil
	}
	return "", nil
}

func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// manifest is the manifest with globs for the files that none of its globs matches, nil where there is no such file; its only
// glob, if no module is there, gives way to them. Only --add-glob writes it; else a person is told the line.
func (a *adopter) manifest(files []*adoptedFile) (r *rewrite, unmatched []string, err error) {
	for _, f := range files {
		if !matchesAny(a.before.Manifest.Modules, f.name) {
			unmatched = append(unmatched, f.name)
		}
	}
	if len(unmatched) == 0 {
		return nil, nil, nil
	}
	root, err := os.OpenRoot(a.Repo.TopLevel)
	if err != nil {
		return nil, nil, fault.New(fault.Unavailable, "FILE.UNREADABLE", a.Repo.TopLevel, "the worktree cannot be read").Because(err)
	}
	defer root.Close()
	data, _, err := readFile(root, corpus.ManifestPath)
	if err != nil {
		return nil, nil, err
	}
	unused := ""
	if globs := a.before.Manifest.Modules; len(globs) == 1 && len(a.before.Modules) == 0 && len(unmatched) == len(files) {
		unused = globs[0] // what init wrote for standards that are kept elsewhere
	}
	now, findings := authored.AddGlobs(corpus.ManifestPath, data, globsFor(unmatched), unused)
	if len(findings) > 0 {
		return nil, nil, &corpus.FindingsError{Findings: findings}
	}
	return &rewrite{name: corpus.ManifestPath, old: data, now: now}, unmatched, nil
}

func matchesAny(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(pattern string) bool {
		g, err := glob.Parse(pattern)
		return err == nil && g.Match(name)
	})
}

// globsFor is the globs that match files: a file by its own name, several of one folder by their ending, so that the next
// one needs no line of its own. Files of the top folder are named, for most there are no standards.
func globsFor(names []string) []string {
	count := map[string]int{}
	key := func(name string) string { return path.Dir(name) + "/*" + path.Ext(name) }
	for _, name := range names {
		count[key(name)]++
	}
	var globs []string
	for _, name := range names {
		pattern := glob.Escape(name)
		_, err := glob.Parse(pattern)
		if (count[key(name)] > 1 || err != nil) && path.Dir(name) != "." {
			pattern = glob.Escape(path.Dir(name)) + "/*" + path.Ext(name)
		}
		if !slices.Contains(globs, pattern) {
			globs = append(globs, pattern)
		}
	}
	return globs
}

// check compiles the standards as they will be: the adopted files must add no finding. What was wrong before stays so.
func (a *adopter) check(files []*adoptedFile, manifest *rewrite) error {
	written := map[string][]byte{}
	for _, f := range files {
		written[f.name] = f.now
	}
	if manifest != nil {
		written[manifest.name] = manifest.now
	}
	after, err := corpus.NewCompiler().Compile(a.ctx, content.Overlay(a.source, written, nil))
	if err != nil {
		return err
	}
	// Lines move, so a finding is known by its message.
	type same struct{ file, code, message string }
	known := map[same]bool{}
	for _, f := range a.before.Findings {
		known[same{f.File, f.Code, f.Message}] = true
	}
	var added []reading.Finding
	for _, f := range after.Findings {
		if !known[same{f.File, f.Code, f.Message}] && f.Severity == reading.SeverityError {
			added = append(added, f)
		}
	}
	if len(added) > 0 {
		return &corpus.FindingsError{Findings: added}
	}
	for _, f := range files {
		if !slices.ContainsFunc(after.Modules, func(m *corpus.Module) bool { return m.File == f.name }) {
			return fmt.Errorf("internal error: %s would not be read as a module", f.name)
		}
	}
	return nil
}
