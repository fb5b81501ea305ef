// Package corpus compiles one side's authored text: the manifest, the modules its globs match, their policy units and
// declared consumers, and the digests by which a change of any of them is told. A corpus is a function of the side's
// bytes alone. It judges nothing, and it does not look at consumers' files.
package corpus

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/authorityfile"
	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/facts"
)

// The fixed places of RULES A. A side is a repository root, whatever directory the command runs in.
const (
	ManifestPath    = "standards/standards.yaml"
	AuthorityPath   = "standards/authority.yaml"
	DecisionsFolder = authored.DecisionsFolder
	decisionsPrefix = DecisionsFolder + "/"
	ReferenceLevel  = "REFERENCE"
)

// Module is a compiled module: what was written, and the digests over its text.
type Module struct {
	*authored.Module
	Node    authority.Node
	Outside string // structure digest of the text outside units
	units   map[string]*Unit
}

// Unit is a compiled policy unit. Structure is its structural digest ("structure:sha256:…"), Representation the digest
// of its exact bytes ("sha256:…").
type Unit struct {
	*authored.Unit
	Module         *Module
	Structure      string
	Representation string
}

// Corpus is one side's authored text, compiled. Manifest is nil where the side has none: then everything else is empty.
// Findings are all findings of the side's own text, sorted by file and line. A proposed side is usable for judging only if
// none of them is an error; an accepted one always is, with what is in its Unreadable files left out (RULES B7).
type Corpus struct {
	Manifest   *authored.Manifest
	Modules    []*Module // by id
	Findings   []reading.Finding
	Unreadable []Unreadable             // by path
	Ignored    int                      // files that the globs match and that are no modules
	Authority  *authorityfile.Authority // nil where there is none, or no manifest; holds what could be read where it is unreadable
	Snapshot   authority.Node
	Node       authority.Node

	schema  *facts.Schema
	modules map[string]*Module
	units   map[string]*Unit
	names   map[string]*Unit // by id or alias
	unread  map[string]bool  // words of unreadable modules that may be ids they declare
}

// Module returns the module with that id, or nil.
func (c *Corpus) Module(id string) *Module { return c.modules[id] }

// Unit returns the unit with that id, or nil.
func (c *Corpus) Unit(id string) *Unit { return c.units[id] }

// Units returns the units of all modules in the order of their ids.
func (c *Corpus) Units() []*Unit {
	units := make([]*Unit, 0, len(c.units))
	for _, unit := range c.units {
		units = append(units, unit)
	}
	slices.SortFunc(units, func(a, b *Unit) int { return strings.Compare(a.ID, b.ID) })
	return units
}

// Consumers counts the declared edges.
func (c *Corpus) Consumers() int {
	n := 0
	for _, module := range c.Modules {
		n += len(module.Consumers)
	}
	return n
}

// HasErrors reports whether a finding is an error.
func HasErrors(findings []reading.Finding) bool {
	return slices.ContainsFunc(findings, func(f reading.Finding) bool { return f.Severity == reading.SeverityError })
}

// Compiler compiles sides of one repository. A module that both sides hold as the same Git object is compiled once.
type Compiler struct {
	modules map[moduleKey]*compiled
	cache   Cache // nil where nothing is kept between commands
	recipe  string
}

type moduleKey struct{ name, object string }

type compiled struct {
	data     []byte
	module   *Module
	findings []reading.Finding
	// mayDeclare is set where an id may stand in the module that could not be read.
	mayDeclare map[string]bool
}

// NewCompiler returns a compiler without memory.
func NewCompiler() *Compiler { return &Compiler{modules: map[moduleKey]*compiled{}} }

// Compile reads and compiles one side. An error is a failure to read; what is wrong with the text is in Findings.
func (k *Compiler) Compile(ctx context.Context, source content.Source) (*Corpus, error) {
	c := &Corpus{modules: map[string]*Module{}, units: map[string]*Unit{}, unread: map[string]bool{}, schema: facts.NewSchema()}
	fixed, err := source.List(ctx, ManifestPath, AuthorityPath)
	if err != nil {
		return nil, err
	}
	manifestEntry, authorityEntry := pick(fixed, ManifestPath), pickAny(fixed, AuthorityPath)
	if manifestEntry == nil {
		c.Node, err = c.node()
		return c, err
	}
	files := map[string][]byte{}
	if err := c.readAuthority(ctx, source, authorityEntry, files); err != nil {
		return nil, err
	}
	if manifestEntry.Kind != content.Regular {
		c.find("MANIFEST.NOT_A_FILE", ManifestPath, 1, "the manifest is a link or a submodule", "make it a regular file")
		c.Manifest = &authored.Manifest{Gate: authored.DefaultGate()}
		return c, c.seal(files)
	}
	data, err := source.Read(ctx, *manifestEntry)
	if err != nil {
		return nil, err
	}
	files[ManifestPath] = data[0]
	manifest, findings := authored.ParseManifest(ManifestPath, data[0])
	c.Manifest = manifest
	c.Findings = append(c.Findings, findings...)
	if manifest == nil {
		c.Manifest = &authored.Manifest{Gate: authored.DefaultGate()}
		return c, c.seal(files)
	}
	c.schema = facts.NewSchema(c.contracts()...)
	if err := k.compileModules(ctx, source, c, files); err != nil {
		return nil, err
	}
	if err := c.link(ctx); err != nil {
		return nil, err
	}
	slices.SortStableFunc(c.Findings, compareFindings)
	return c, c.seal(files)
}

// readAuthority reads standards/authority.yaml (RULES F). It binds like the manifest, beside which it stands: without one nobody is
// asked anything.
func (c *Corpus) readAuthority(ctx context.Context, source content.Source, entry *content.Entry, files map[string][]byte) error {
	if entry == nil {
		return nil
	}
	c.Authority = &authorityfile.Authority{}
	if entry.Name != AuthorityPath || entry.Kind != content.Regular {
		c.find("AUTHORITY.NOT_A_FILE", AuthorityPath, 1, "the authority is a link, a folder or a submodule", "make it a regular file")
		return nil
	}
	data, err := source.Read(ctx, *entry)
	if err != nil {
		return err
	}
	files[AuthorityPath] = data[0]
	authority, findings := authorityfile.Parse(AuthorityPath, data[0])
	if authority != nil {
		c.Authority = authority
	}
	c.Findings = append(c.Findings, findings...)
	return nil
}

// seal finds which of the files cannot be read and makes the objects of the side.
func (c *Corpus) seal(files map[string][]byte) error {
	c.findUnreadable(files)
	var err error
	if len(files) > 0 {
		if c.Snapshot, err = content.NewSnapshot(files); err != nil {
			return err
		}
	}
	c.Node, err = c.node()
	return err
}

func pick(entries []content.Entry, name string) *content.Entry {
	for i := range entries {
		if entries[i].Name == name {
			return &entries[i]
		}
	}
	return nil
}

// pickAny is pick, or where a folder stands there a file below it: what should bind must not read as absent.
func pickAny(entries []content.Entry, name string) *content.Entry {
	for i := range entries {
		if entries[i].Name == name || strings.HasPrefix(entries[i].Name, name+"/") {
			return &entries[i]
		}
	}
	return nil
}

func compareFindings(a, b reading.Finding) int {
	if c := content.ComparePaths(a.File, b.File); c != 0 {
		return c
	}
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return strings.Compare(a.Code, b.Code)
}

func (c *Corpus) find(code, file string, line int, message, next string) {
	c.Findings = append(c.Findings, reading.Finding{
		Code: code, Severity: reading.SeverityError, File: file, Line: line, Message: message, Next: next,
	})
}

// IsDecision reports whether a path is under standards/decisions/, which is outside modules, consumers, horizon and
// change facts by construction (RULES A10).
func IsDecision(name string) bool { return strings.HasPrefix(name, decisionsPrefix) }

func (k *Compiler) compileModules(ctx context.Context, source content.Source, c *Corpus, files map[string][]byte) error {
	globs := parseGlobs(c.Manifest.Modules)
	candidates, err := c.candidates(ctx, source, globs)
	if err != nil {
		return err
	}
	var missing []content.Entry
	for _, entry := range candidates {
		if entry.Object == "" || k.modules[moduleKey{entry.Name, entry.Object}] == nil {
			missing = append(missing, entry)
		}
	}
	data, err := source.Read(ctx, missing...)
	if err != nil {
		return err
	}
	fresh := map[string]*compiled{}
	results, err := k.compileAll(ctx, missing, data)
	if err != nil {
		return err
	}
	for i, entry := range missing {
		fresh[entry.Name] = results[i]
		if entry.Object != "" {
			k.modules[moduleKey{entry.Name, entry.Object}] = results[i]
		}
	}
	for _, entry := range candidates {
		done := fresh[entry.Name]
		if done == nil {
			done = k.modules[moduleKey{entry.Name, entry.Object}]
		}
		if done.module == nil && done.findings == nil {
			c.Ignored++
			continue
		}
		c.Findings = append(c.Findings, done.findings...)
		maps.Copy(c.unread, done.mayDeclare)
		if content.CheckPath(entry.Name) == nil {
			files[entry.Name] = done.data
		}
		if done.module != nil {
			c.add(done.module)
		}
	}
	for _, g := range globs {
		if !slices.ContainsFunc(candidates, func(e content.Entry) bool { return files[e.Name] != nil && g.Match(e.Name) }) {
			c.find("MANIFEST.GLOB_EMPTY", ManifestPath, c.Manifest.Lines["modules"], fmt.Sprintf("the glob %q matches no module", g),
				"git standards adopt FILE.md makes a module of a document; or mend the glob")
		}
	}
	return nil
}

// workers is how many files are worked on at a time.
const workers = 8

// SideBySide calls do for each number below n, several at a time, until ctx is done: for files of which each gives something by
// itself.
func SideBySide(ctx context.Context, n int, do func(i int)) {
	var next atomic.Int64
	var running sync.WaitGroup
	for range min(workers, n) {
		running.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	running.Wait()
}

// compileAll compiles files side by side: a module is a function of its own bytes. It stops once ctx is done.
func (k *Compiler) compileAll(ctx context.Context, entries []content.Entry, data [][]byte) ([]*compiled, error) {
	results, errs := k.cached(ctx, entries, data), make([]error, len(entries))
	fresh := make([]*compiled, len(entries))
	SideBySide(ctx, len(entries), func(i int) {
		if results[i] == nil {
			fresh[i], errs[i] = compileModule(entries[i].Name, data[i])
			results[i] = fresh[i]
		}
	})
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return nil, err
	}
	k.keep(entries, fresh)
	return results, nil
}

// parseGlobs leaves out what is no glob: the manifest's own findings name it.
func parseGlobs(patterns []string) []glob.Glob {
	var globs []glob.Glob
	for _, pattern := range patterns {
		if g, err := glob.Parse(pattern); err == nil {
			globs = append(globs, g)
		}
	}
	return globs
}

// candidates lists the files that the manifest's globs match, and reports those that cannot be modules.
func (c *Corpus) candidates(ctx context.Context, source content.Source, globs []glob.Glob) ([]content.Entry, error) {
	var bases []string
	for _, g := range globs {
		bases = append(bases, g.Base())
	}
	entries, err := ListUnder(ctx, source, bases)
	if err != nil {
		return nil, err
	}
	var candidates []content.Entry
	for _, entry := range entries {
		if IsDecision(entry.Name) || entry.Name == ManifestPath || entry.Name == AuthorityPath {
			continue
		}
		switch {
		case !slices.ContainsFunc(globs, func(g glob.Glob) bool { return g.Match(entry.Name) }):
		case entry.Kind == content.Symlink:
			c.find("MODULE.NOT_A_FILE", entry.Name, 1, "a symbolic link cannot be a module", "make it a regular file, or narrow the glob in "+ManifestPath)
		case entry.Kind == content.Gitlink:
			c.find("MODULE.NOT_A_FILE", entry.Name, 1, "a submodule cannot be a module", "narrow the glob in "+ManifestPath)
		default:
			candidates = append(candidates, entry)
		}
	}
	return candidates, nil
}

// ListUnder lists the entries below any of the bases, decisions aside (RULES A10); the base "" is the whole side.
func ListUnder(ctx context.Context, source content.Source, bases []string) ([]content.Entry, error) {
	if len(bases) == 0 {
		return nil, nil
	}
	if slices.Contains(bases, "") {
		bases = nil
	}
	return content.ListSkipping(ctx, source, DecisionsFolder, bases...)
}

// LineOf is the line of a key below `standard`, or where it is not written, of the front matter's own.
func (m *Module) LineOf(key string) int {
	if line := m.Lines[key]; line > 0 {
		return line
	}
	return m.Line
}

// Unit returns the module's unit with that id, or nil.
func (m *Module) Unit(id string) *Unit { return m.units[id] }

// FindingsError says that authored text is not usable. It carries every finding, warnings too.
type FindingsError struct{ Findings []reading.Finding }

// Error renders the first error.
func (e *FindingsError) Error() string {
	for _, f := range e.Findings {
		if f.Severity == reading.SeverityError {
			return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message)
		}
	}
	return "authored text has findings"
}
