package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/store"
)

// The bounds of what is shown of outdated answers: lines of a difference, how wide a line of text may be, how many commits are
// searched, for each file, for the bytes that were judged, and how many differences are shown. What is left out has a … in its place.
const (
	maxDiff     = 12
	wrapAt      = 76
	maxVersions = 100
	maxOutdated = 10
)

// past looks for what outdated answers judged: in the store, then on the accepted side and in the commits of the range. The store is
// opened once and the history asked once, however many answers are outdated. told is what was shown already: a unit's text is the
// same for all its consumers. What it cannot find is said: what is shown is help, and no verdict hangs on it.
type past struct {
	*session
	verdict     *analysis.Verdict
	told        map[decision.Changed]bool
	differences int // that were shown

	store     *store.Store // nil where there is none
	opened    bool
	objects   gitext.Objects
	history   map[string][]string // blobs by path, newest first
	remembers bool
}

func (p *past) close() {
	if p.store != nil {
		p.store.Close()
	}
}

func (p *past) print(w io.Writer, open decision.Open) {
	for _, line := range p.outdated(open) {
		line = clean(strings.ReplaceAll(line, "\t", "    "))
		switch {
		case strings.HasPrefix(line, "+"):
			line = p.green(line)
		case strings.HasPrefix(line, "-"):
			line = p.red(line)
		}
		fmt.Fprintf(w, "             %s\n", line)
	}
}

// outdated is what changed since an answer was given, line by line (RULES E7).
func (p *past) outdated(open decision.Open) []string {
	var lines []string
	for _, c := range open.Changed {
		if c.Field == "structure" && p.told[c] {
			continue
		}
		if p.differences == maxOutdated {
			return append(lines, "…")
		}
		p.told[c] = true
		p.differences++
		switch {
		case c.Field == "consumer" && c.Now == question.Absent: // said already
		case isFile(c):
			lines = append(lines, p.changedFile(open.Consumer, c)...)
		case c.Field == "consumer":
			if m := p.verdict.Proposed.Module(open.Consumer); m != nil {
				lines = append(lines, "what the module said and says: git log -p -- "+fault.ShellWord(p.Typed(m.File)))
			}
		case c.Field == "structure":
			lines = append(lines, p.changedText(open.Question, c)...)
		case c.Field == "revision" || c.Field == "relation" || c.Field == "old" || c.Field == "new":
			lines = append(lines, c.Field+" was "+value(c.Was)+", is "+value(c.Now))
		}
	}
	return lines
}

// isFile reports a consumer that is a file and not a module.
func isFile(c decision.Changed) bool {
	return c.Field == "consumer" && (identity.IsBytesDigest(c.Was) || identity.IsBytesDigest(c.Now))
}

func (p *past) changedFile(name string, c decision.Changed) []string {
	was, found := p.bytes(name, c.Was)
	if !found {
		return []string{"old bytes not in this clone"}
	}
	data, here, err := content.ReadFile(p.ctx, p.verdict.ProposedSource, name)
	if err != nil || !here {
		return nil // it changed while it was judged
	}
	return difference(was, string(data))
}

func (p *past) changedText(q *question.Question, c decision.Changed) []string {
	was, found := "", c.Was == question.Absent
	if !found {
		if payload, ok := p.stored(c.Was); ok {
			was, found = payload.(string)
		}
	}
	if !found {
		was, found = p.text(q, c.Was)
	}
	if !found {
		return []string{"old text not in this clone"}
	}
	return difference(wrap(was), wrap(p.verdict.TextOf(q)))
}

// bytes finds the bytes of a digest.
func (p *past) bytes(name, digest string) (string, bool) {
	if digest == question.Absent {
		return "", true
	}
	if ref, err := content.FileReference(digest); err == nil {
		if payload, ok := p.stored(ref.ID); ok {
			data, err := content.FileBytes(payload)
			return string(data), err == nil
		}
	}
	for data := range p.versions(name) {
		if identity.Bytes(data) == digest {
			return string(data), true
		}
	}
	return "", false
}

// text finds the text of a unit, or of a module outside its units, by its structure.
func (p *past) text(q *question.Question, structure string) (string, bool) {
	for data := range p.versions(q.File) {
		if text, ok := judge.TextBy(q.File, data, q.Unit, structure); ok {
			return text, true
		}
	}
	return "", false
}

// versions are the bytes that a file had: on the accepted side, then in the commits since, newest first. What Git cannot give
// is passed over.
func (p *past) versions(name string) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		if data, here, err := content.ReadFile(p.ctx, p.verdict.AcceptedSource, name); err == nil && here && !yield(data) {
			return
		}
		if !p.remembers {
			p.remembers = true
			p.remember()
		}
		for _, id := range p.history[name] {
			if data, err := gitext.ReadBlob(p.ctx, p.objects, id); err == nil && !yield(data) {
				return
			}
		}
	}
}

// remember asks once for the versions of every file that an outdated answer may need.
func (p *past) remember() {
	var names []string
	for _, open := range p.verdict.Open {
		for _, c := range open.Changed {
			name := ""
			if c.Field == "structure" {
				name = open.File
			} else if isFile(c) {
				name = open.Consumer
			}
			if name != "" && len(names) < maxOutdated && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	head, unborn, err := p.Repo.Head(p.ctx)
	if err != nil || unborn {
		return
	}
	fork, err := p.ForkPoint(p.ctx)
	if err != nil || fork.Info.Commit == nil {
		return
	}
	if p.objects, err = p.Repo.Objects(p.ctx); err != nil {
		return
	}
	history, err := p.Repo.Versions(p.ctx, *fork.Info.Commit, head.ID, names, maxVersions*len(names))
	if err == nil {
		p.history = history
	}
}

// stored reads an object of the store, proven by its owner; false where the store has it not.
func (p *past) stored(id string) (payload any, ok bool) {
	if !p.opened {
		p.opened = true
		if st, err := p.OpenStore(p.ctx, store.ReadOnly); err == nil {
			p.store = st
		}
	}
	if p.store == nil {
		return nil, false
	}
	text, err := p.store.Get(p.ctx, id)
	if err != nil {
		return nil, false
	}
	envelope, err := judge.Codecs().Open(id, text)
	return envelope.Payload, err == nil
}

// difference is the changed lines of two texts with one line around them, cut where it is long.
func difference(was, now string) []string {
	unified, err := udiff.ToUnified("", "", was, udiff.Lines(was, now), 1)
	if err != nil {
		return nil
	}
	var lines []string
	for i, line := range strings.Split(strings.TrimRight(unified, "\n"), "\n") {
		if i < 2 || strings.TrimSpace(line) == "" || strings.HasPrefix(line, "@@") || strings.HasPrefix(line, `\`) {
			continue // the names of the two texts, blank lines, and places
		}
		if len(lines) == maxDiff {
			return append(lines, "…")
		}
		lines = append(lines, line)
	}
	return lines
}

// wrap breaks long lines between words: normalized text has a paragraph on one line, which no difference shows well.
func wrap(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		width := 0
		for i, word := range strings.Split(strings.TrimSuffix(line, "\n"), " ") {
			if i > 0 && width+1+len(word) > wrapAt {
				b.WriteByte('\n')
				width = 0
			} else if i > 0 {
				b.WriteByte(' ')
				width++
			}
			b.WriteString(word)
			width += len(word)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
