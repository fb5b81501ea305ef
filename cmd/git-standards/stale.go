package main

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/git-standards/git-standards/engine/analysis"
	"github.com/git-standards/git-standards/engine/analysis/decision"
	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/judge"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/store"
)

// The bounds of what is shown of an outdated answer: lines of a difference, how wide a line of text may be, and how many
// commits are searched for the bytes that were judged.
const (
	maxDiff     = 12
	wrapAt      = 76
	maxVersions = 100
	maxOutdated = 10 // questions that are shown with a difference: each may cost a search of the history
)

// outdated is what changed since an answer was given, line by line (RULES E7). What was judged is looked for in the store, then
// in the commits of the range. shown is what a question before said already: a unit's text is the same for all its consumers.
func (s *session) outdated(v *analysis.Verdict, open decision.Open, shown map[decision.Changed]bool) []string {
	var lines []string
	for _, c := range open.Changed {
		if c.Field == "structure" && shown[c] || len(shown) >= maxOutdated {
			continue
		}
		shown[c] = true
		switch {
		case c.Field == "consumer" && c.Now == question.Absent: // said already
		case c.Field == "consumer" && (identity.IsBytesDigest(c.Was) || identity.IsBytesDigest(c.Now)):
			lines = append(lines, s.changedFile(v, open.Consumer, c)...)
		case c.Field == "consumer":
			if m := v.Proposed.Module(open.Consumer); m != nil {
				lines = append(lines, "what the module said and says: git log -p -- "+fault.ShellWord(s.typed(m.File)))
			}
		case c.Field == "structure":
			lines = append(lines, s.changedText(v, open.Question, c)...)
		case c.Field == "revision" || c.Field == "relation" || c.Field == "old" || c.Field == "new":
			lines = append(lines, c.Field+" was "+value(c.Was)+", is "+value(c.Now))
		}
	}
	return lines
}

func (s *session) changedFile(v *analysis.Verdict, name string, c decision.Changed) []string {
	was, found := s.pastBytes(v, name, c.Was)
	if !found {
		return []string{"old bytes not in this clone"}
	}
	data, here, err := content.ReadFile(s.ctx, v.ProposedSource, name)
	if err != nil || !here {
		return nil // it changed while it was judged
	}
	return difference(was, string(data))
}

func (s *session) changedText(v *analysis.Verdict, q *question.Question, c decision.Changed) []string {
	was, found := "", c.Was == question.Absent
	if !found {
		if payload, ok := s.storedPayload(c.Was); ok {
			was, found = payload.(string)
		}
	}
	if !found {
		was, found = s.pastText(v, q, c.Was)
	}
	if !found {
		return []string{"old text not in this clone"}
	}
	return difference(wrap(was), wrap(v.TextOf(q)))
}

// pastBytes finds the bytes of a digest: in the store, on the accepted side, or in a commit of the range.
func (s *session) pastBytes(v *analysis.Verdict, name, digest string) (string, bool) {
	if digest == question.Absent {
		return "", true
	}
	if payload, ok := s.storedPayload(content.FileCodec.Kind + ":" + digest); ok {
		data, err := content.FileBytes(payload)
		return string(data), err == nil
	}
	for data := range s.versions(v, name) {
		if identity.Bytes(data) == digest {
			return string(data), true
		}
	}
	return "", false
}

// pastText finds the text of a unit, or of a module outside its units, by its structure.
func (s *session) pastText(v *analysis.Verdict, q *question.Question, structure string) (string, bool) {
	for data := range s.versions(v, q.File) {
		if text, ok := judge.TextBy(q.File, data, q.Unit, structure); ok {
			return text, true
		}
	}
	return "", false
}

// versions are the bytes that a file had: on the accepted side, then in the commits since, newest first. A file that Git can
// not give is passed over: what is shown is help, and no verdict hangs on it.
func (s *session) versions(v *analysis.Verdict, name string) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		if data, here, err := content.ReadFile(s.ctx, v.AcceptedSource, name); err == nil && here && !yield(data) {
			return
		}
		head, unborn, err := s.repo.Head(s.ctx)
		if err != nil || unborn {
			return
		}
		fork, err := s.forkPoint()
		if err != nil || fork.Info.Commit == nil {
			return
		}
		objects, err := s.repo.Objects(s.ctx)
		if err != nil {
			return
		}
		ids, err := s.repo.Versions(s.ctx, *fork.Info.Commit, head.ID, name, maxVersions)
		if err != nil {
			return
		}
		for _, id := range ids {
			if data, err := gitext.ReadBlob(s.ctx, objects, id); err == nil && !yield(data) {
				return
			}
		}
	}
}

// storedPayload reads an object of the store, proven by its owner; false where the store has it not.
func (s *session) storedPayload(id string) (payload any, ok bool) {
	err := s.withStore(store.ReadOnly, func(st *store.Store) error {
		text, err := st.Get(s.ctx, id)
		if err != nil {
			return err
		}
		var envelope authority.Envelope
		if envelope, err = judge.Codecs().Open(id, text); err == nil {
			payload = envelope.Payload
		}
		return err
	})
	return payload, err == nil
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
