package ask

import (
	"context"
	"maps"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/facts"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/graph"
	"github.com/git-standards/git-standards/engine/identity"
)

// makeFacts makes the question of every fact that the `when` of a candidate names, asked or not (RULES C10, E6), and learns the
// built-in facts where one of them counts.
func (a *Asker) makeFacts(ctx context.Context) error {
	a.facts, a.refusedFacts, a.known = map[string]*question.Question{}, map[string]error{}, facts.Values{}
	named, builtin := map[string]bool{}, false
	for _, c := range a.candidates {
		for _, id := range c.condition.facts() {
			named[id] = true
		}
		builtin = builtin || c.condition.looksAtChange()
	}
	if builtin {
		if err := a.learnChange(ctx); err != nil {
			return err
		}
	}
	ids := slices.Sorted(maps.Keys(named))
	inputs, err := a.inputsOf(ctx, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if a.refusedFacts[id] != nil {
			continue
		}
		declared, line := a.declaredFact(id)
		contract, _ := a.contracts.Find(id)
		var units []string
		if len(declared.Inputs) == 0 {
			units = a.unitsInQuestion()
		}
		q := &question.Question{
			Kind: question.Fact, Reason: question.FactNeeded, Declaration: question.FactDeclaration + id,
			File: corpus.ManifestPath, Line: line, Contract: &contract, Meaning: declared.Meaning,
			Record: question.FactRecord(contract, inputs[id], units),
		}
		if err := q.Seal(); err != nil {
			return err
		}
		a.facts[id] = q
	}
	return nil
}

// declaredFact is the declaration by which a fact is judged, the accepted side's where it has one (RULES B1), and the line to look at.
func (a *Asker) declaredFact(id string) (declared authored.Fact, line int) {
	line = 1
	for _, side := range []*corpus.Corpus{a.Proposed, a.Accepted} {
		if side.Manifest == nil {
			continue
		}
		at := slices.IndexFunc(side.Manifest.Facts, func(f authored.Fact) bool { return f.ID == id })
		if at >= 0 {
			declared = side.Manifest.Facts[at]
			if side == a.Proposed {
				line = declared.Line
			}
		}
	}
	return declared, line
}

// unitsInQuestion is the ids of the units that the change asks about, whatever comes of a `when`, in order.
func (a *Asker) unitsInQuestion() []string {
	ids := map[string]bool{}
	for _, change := range a.Units {
		if a.AsksAbout(change) {
			ids[change.ID()] = true
		}
	}
	for _, c := range a.candidates {
		ids[c.change.ID()] = true
	}
	return slices.Sorted(maps.Keys(ids))
}

// inputsOf reads what the declared globs of facts match on the proposed side, decisions aside (RULES D1), in one reading, and notes the
// facts that no question can be made of, since an input has a name that cannot be recorded.
func (a *Asker) inputsOf(ctx context.Context, ids []string) (map[string][]question.Input, error) {
	var edges []graph.Edge
	for _, id := range ids {
		declared, _ := a.declaredFact(id)
		for _, glob := range declared.Inputs {
			edges = append(edges, toGlob(glob))
		}
	}
	files, err := graph.Resolve(ctx, a.ProposedSource, edges)
	if err != nil {
		return nil, err
	}
	named, entries := map[string][]string{}, map[string]content.Entry{} // files by fact, and each once
	for _, id := range ids {
		declared, _ := a.declaredFact(id)
		var names []string
		for _, glob := range declared.Inputs {
			names = append(names, files.Paths(toGlob(glob))...)
		}
		slices.SortFunc(names, content.ComparePaths)
		names = slices.Compact(names)
		if a.refusedFacts[id] = unrecordableInput(id, names); a.refusedFacts[id] != nil {
			continue
		}
		named[id] = names
		for _, name := range names {
			entries[name], _ = files.File(name)
		}
	}
	digests, err := a.digestsOf(ctx, entries)
	if err != nil {
		return nil, err
	}
	inputs := map[string][]question.Input{}
	for id, names := range named {
		for _, name := range names {
			inputs[id] = append(inputs[id], question.Input{Path: name, Bytes: digests[name]})
		}
	}
	return inputs, nil
}

// unrecordableInput refuses a fact for the first of its inputs whose name no question can hold.
func unrecordableInput(id string, names []string) error {
	for _, name := range names {
		if err := content.CheckPath(name); err != nil {
			return fault.New(fault.Unsupported, "CONTENT.PATH", name, "this input of fact %q cannot be recorded by its name", id).
				Because(err).Hint("git mv -- " + fault.ShellWord(name) + " NEW")
		}
	}
	return nil
}

// readChunk bounds how many inputs of facts are held in memory at a time.
const readChunk = 64

// digestsOf is the digests of files of the proposed side. Reading them one by one would start Git for each, where it converts them.
func (a *Asker) digestsOf(ctx context.Context, entries map[string]content.Entry) (map[string]string, error) {
	digests := make(map[string]string, len(entries))
	for chunk := range slices.Chunk(slices.Sorted(maps.Keys(entries)), readChunk) {
		some := make([]content.Entry, len(chunk))
		for i, name := range chunk {
			some[i] = entries[name]
		}
		data, err := a.ProposedSource.Read(ctx, some...)
		if err != nil {
			return nil, err
		}
		for i, name := range chunk {
			digests[name] = identity.Bytes(data[i])
		}
	}
	return digests, nil
}

// learnChange makes the built-in facts known (RULES A9).
func (a *Asker) learnChange(ctx context.Context) error {
	list, err := corpus.Changed(ctx, a.AcceptedSource, a.ProposedSource, a.Changes)
	if err != nil {
		return err
	}
	a.known = facts.ChangeFacts(list)
	return nil
}
