package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"slices"

	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/front"
	"github.com/git-standards/git-standards/engine/authored/glob"
	"github.com/git-standards/git-standards/engine/authored/reading"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/wire"
	"github.com/git-standards/git-standards/gitext"
)

// name is where a path is after the move.
func (m *mover) name(name string) string {
	if content.Under(name, []string{m.from}) {
		return m.to + name[len(m.from):]
	}
	return name
}

// rename gives the target of a consumer its new name, as authored.RewriteTargets asks.
func (m *mover) rename(kind, target string) (string, bool) {
	if kind == "glob" {
		return glob.Rename(target, m.from, m.to)
	}
	return m.name(target), m.name(target) != target
}

// plan works out every edit and judges the text as it will be, before anything is changed.
func (m *mover) plan() error {
	side, err := m.Worktree()
	if err != nil {
		return err
	}
	m.source = side.Source
	if m.before, err = m.compiled(m.source); err != nil {
		return err
	}
	if !m.after && corpus.HasErrors(m.before.Findings) {
		return &corpus.FindingsError{Findings: m.before.Findings}
	}
	m.moved = m.source
	if !m.after {
		m.moved = &renamed{Source: m.source, name: m.name}
	}
	if err := m.edit(); err != nil {
		return err
	}
	after, err := corpus.NewCompiler().Compile(m.ctx, content.Overlay(m.moved, m.modified, nil))
	if err != nil {
		return err
	}
	if err := m.checkModules(after); err != nil {
		return err
	}
	if corpus.HasErrors(after.Findings) {
		return &corpus.FindingsError{Findings: after.Findings}
	}
	if err := m.noticeGlobs(); err != nil {
		return err
	}
	return m.noticeChanged()
}

// checkModules refuses a move that would make modules plain files: what they say would bind no more, and nobody would be
// told.
func (m *mover) checkModules(after *corpus.Corpus) error {
	for _, module := range m.before.Modules {
		name := m.name(module.File)
		if m.after || slices.ContainsFunc(after.Modules, func(a *corpus.Module) bool { return a.File == name }) || matchesAny(m.before.Manifest.Modules, name) {
			continue
		}
		return fault.New(fault.Invalid, "MOVE.MODULE_LOST", name, "module %q would be none there: no glob of modules in %s matches it", module.ID, corpus.ManifestPath).
			Hint(fmt.Sprintf("add to modules in %s: %s", corpus.ManifestPath, yamltext.Scalar(globsFor([]string{name})[0])))
	}
	return nil
}

// edit rewrites each module that names what moves: in the worktree as it lies there, and in the index what is staged, so
// that what is not staged of it stays so.
func (m *mover) edit() error {
	root, err := os.OpenRoot(m.Repo.TopLevel)
	if err != nil {
		return fault.New(fault.Unavailable, "FILE.UNREADABLE", m.Repo.TopLevel, "the worktree cannot be read").Because(err)
	}
	defer root.Close()
	var refused []reading.Finding
	for _, module := range m.before.Modules {
		if !slices.ContainsFunc(module.Consumers, m.names) {
			continue
		}
		data, _, err := readFile(root, module.File)
		if err != nil {
			return err
		}
		if !front.IsModule(data) { // what git records is one
			return fault.New(fault.Unsupported, "FILE.ENCODING", module.File, "the worktree holds the file in another encoding than git records, so its rows are not edited").
				Hint(fmt.Sprintf("edit the rows that name %s, then git mv", shown(m.from)))
		}
		now, findings := authored.RewriteTargets(module.File, data, m.rename)
		refused = append(refused, findings...)
		recorded, err := m.recorded(module.File)
		if err != nil {
			return err
		}
		recorded, more := authored.RewriteTargets(module.File, recorded, m.rename)
		if len(findings) == 0 {
			refused = append(refused, more...)
		}
		if len(findings)+len(more) > 0 {
			continue
		}
		m.files = append(m.files, rewrite{name: module.File, old: data, now: now})
		m.modified[m.name(module.File)] = recorded
		entry, ok := m.index[module.File]
		if !ok {
			m.untold = append(m.untold, m.name(module.File))
			continue
		}
		findings, err = m.editStaged(entry)
		if err != nil {
			return err
		}
		refused = append(refused, findings...)
	}
	if len(refused) > 0 {
		return &corpus.FindingsError{Findings: refused}
	}
	slices.SortFunc(m.files, func(a, b rewrite) int { return content.ComparePaths(m.name(a.name), m.name(b.name)) })
	return nil
}

func (m *mover) names(c authored.Consumer) bool {
	for kind, target := range map[string]string{"path": c.Path, "glob": c.Glob} {
		if _, ok := m.rename(kind, target); ok && target != "" {
			return true
		}
	}
	return false
}

// editStaged rewrites what is staged of a module. What is staged may be another text than the worktree's.
func (m *mover) editStaged(entry gitext.Entry) ([]reading.Finding, error) {
	objects, err := m.Repo.Objects(m.ctx)
	if err != nil || !entry.Mode.Regular() {
		return nil, err
	}
	data, err := gitext.ReadBlob(m.ctx, objects, entry.ID)
	if err != nil || !front.IsModule(data) {
		return nil, err
	}
	now, findings := authored.RewriteTargets(entry.Name, data, m.rename)
	if len(findings) > 0 || string(now) == string(data) {
		return findings, nil
	}
	entry.Name = m.name(entry.Name)
	m.staging = append(m.staging, staging{entry, now})
	return nil, nil
}

// recorded is what git would record for a file of the worktree.
func (m *mover) recorded(name string) ([]byte, error) {
	entries, err := m.source.List(m.ctx, name)
	if err != nil {
		return nil, err
	}
	data, err := m.source.Read(m.ctx, entries...)
	if err != nil {
		return nil, err
	}
	if len(data) != 1 {
		return nil, fmt.Errorf("internal error: %d files named %s", len(data), name)
	}
	return data[0], nil
}

// noticeGlobs tells of globs that matched what moves and do not match it any more: nothing stops binding silently.
func (m *mover) noticeGlobs() error {
	at := m.from
	if m.after {
		at = m.to
	}
	entries, err := m.source.List(m.ctx, at)
	if err != nil {
		return err
	}
	names := make([]string, len(entries)) // before the move
	for i, e := range entries {
		names[i] = m.from + e.Name[len(at):]
	}
	known := map[string][]string{} // by glob: many rows share one
	for _, module := range m.before.Modules {
		for _, c := range module.Consumers {
			left, asked := known[c.Glob]
			if !asked {
				left = m.leftBy(c.Glob, names)
				known[c.Glob] = left
			}
			if len(left) > 0 {
				m.notices = append(m.notices, leftNotice(m.name(module.File), c, left))
			}
		}
	}
	return nil
}

// leftBy is where those of some files are after the move that a glob matches before it and no more then.
func (m *mover) leftBy(pattern string, names []string) (left []string) {
	old, err := glob.Parse(pattern)
	if pattern == "" || err != nil {
		return nil
	}
	young := old
	if renamed, ok := m.rename("glob", pattern); ok {
		if young, err = glob.Parse(renamed); err != nil {
			return nil // a finding by now
		}
	}
	for _, name := range names {
		if old.Match(name) && !young.Match(m.name(name)) {
			left = append(left, m.name(name))
		}
	}
	return left
}

func leftNotice(file string, c authored.Consumer, left []string) wire.Notice {
	row := c
	row.Path = left[0]
	target, next := fmt.Sprintf("%s:%d", file, c.Line), "add to consumers: "+authored.ConsumerRow(row)
	if len(left) > 1 {
		next = "add a row to consumers that matches " + yamltext.Scalar(path.Dir(left[0]))
	}
	return wire.Notice{Code: "EDGE.GLOB_LEFT", Target: &target, Next: &next,
		Message: fmt.Sprintf("the glob %q of unit %q matched %s where it was and does not match it now", c.Glob, c.Unit, left[0]+more(len(left)-1))}
}

// renamed is a source whose files have other names.
type renamed struct {
	content.Source
	name     func(string) string
	original map[string]content.Entry // by the new name
	entries  []content.Entry
}

func (r *renamed) List(ctx context.Context, under ...string) ([]content.Entry, error) {
	if r.original == nil {
		entries, err := r.Source.List(ctx)
		if err != nil {
			return nil, err
		}
		r.original = make(map[string]content.Entry, len(entries))
		for _, e := range entries {
			now := e
			now.Name = r.name(e.Name)
			r.original[now.Name] = e
			r.entries = append(r.entries, now)
		}
		slices.SortFunc(r.entries, func(a, b content.Entry) int { return content.ComparePaths(a.Name, b.Name) })
	}
	return content.Select(r.entries, under), nil
}

func (r *renamed) Read(ctx context.Context, entries ...content.Entry) ([][]byte, error) {
	originals := make([]content.Entry, len(entries))
	for i, e := range entries {
		originals[i] = r.original[e.Name]
	}
	return r.Source.Read(ctx, originals...)
}
