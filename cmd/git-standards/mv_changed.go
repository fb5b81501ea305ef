package main

import (
	"bytes"
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/wire"
)

// noticeChanged tells of consumers that move and have other bytes than where this work left its base: what is judged is the whole
// of it, in which such a file is not seen to move (RULES C13), so that its old row asks and its new one, too. The move is the same
// without a base to compare with, so what cannot be read there is not told.
func (m *mover) noticeChanged() error {
	fork, err := m.ForkPoint(m.ctx)
	if err != nil || fork.Info.Commit == nil {
		return nil
	}
	accepted, err := corpus.NewCompiler().Compile(m.ctx, fork.Source)
	if err != nil || accepted.Manifest == nil {
		return nil // nothing binds there yet
	}
	was, err := fork.Source.List(m.ctx, m.from)
	if err != nil {
		return nil
	}
	at := m.from
	if m.after {
		at = m.to
	}
	now, err := m.source.List(m.ctx, at)
	if err != nil {
		return err
	}
	moved := make(map[string]content.Entry, len(now)) // by the name before the move
	for _, e := range now {
		moved[m.from+e.Name[len(at):]] = e
	}
	var changed []string
	isNamed := m.namedBy(accepted)
	for _, old := range was {
		young, here := moved[old.Name]
		if !here || old.Kind != content.Regular || young.Kind != content.Regular || !isNamed(old.Name) {
			continue
		}
		same, err := m.sameBytes(fork.Source, old, young)
		if err != nil {
			return err
		}
		if !same {
			changed = append(changed, m.name(old.Name))
		}
	}
	if len(changed) > 0 {
		m.notices = append(m.notices, changedNotice(changed))
	}
	return nil
}

// namedBy reports of a file whether a row of the accepted side leads to it, of those that the move edits. There can be many files
// and many rows, of which many share a glob.
func (m *mover) namedBy(accepted *corpus.Corpus) func(name string) bool {
	patterns, paths := graph.NewPatterns(), map[string]bool{}
	globs := map[string]graph.Edge{}
	for _, edge := range graph.Edges(accepted) {
		if edge.Path != "" {
			paths[edge.Path] = true
		} else if edge.Glob != "" && m.names(*edge.Consumer) {
			globs[edge.Glob] = edge
		}
	}
	edges := slices.Collect(maps.Values(globs))
	return func(name string) bool { return paths[name] || patterns.AnyLeadsTo(edges, name) }
}

func (m *mover) sameBytes(accepted content.Source, old, young content.Entry) (bool, error) {
	if old.Object != "" && old.Object == young.Object {
		return true, nil
	}
	a, err := accepted.Read(m.ctx, old)
	if err != nil {
		return false, err
	}
	b, err := m.source.Read(m.ctx, young)
	if err != nil {
		return false, err
	}
	return bytes.Equal(bytes.Join(a, nil), bytes.Join(b, nil)), nil
}

func changedNotice(names []string) wire.Notice {
	target, next := names[0], "git standards status"
	return wire.Notice{Code: "MOVE.CHANGED", Target: &target, Next: &next, Message: names[0] + more(len(names)-1) + " changed in this work as well, " +
		"so it asks as a consumer dropped and one added: answer both, or land the move before the change"}
}
