// Package observe works out what the provider of a fact is asked and what its answer means (RULES F6): which command, over which files,
// with which request. It promises that a command rests on what the accepted side says and on the files that the question is bound
// to, and names what rests on more where that can be told from the declaration. It runs nothing and writes nothing.
package observe

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-standards/git-standards/engine/analysis/question"
	"github.com/git-standards/git-standards/engine/authored"
	"github.com/git-standards/git-standards/engine/authored/yamltext"
	"github.com/git-standards/git-standards/engine/authority"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/corpus"
	"github.com/git-standards/git-standards/engine/corpus/records"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/engine/wire"
)

// Version is that of what a provider is asked and may answer (doc/providers.md).
const Version = 1

// Task is a question of fact, with its contract at hand, and the provider that can observe it. Inputs are the files that the question is bound to, by path;
// Snapshot is the object that they are, nil where there are none.
type Task struct {
	Question   *question.Question
	Fact       authored.Fact
	Provider   authored.Provider
	Definition string
	Inputs     map[string][]byte
	Snapshot   *authority.Node
}

// Find returns the fact that a word names on a side, by its id or an alias. One that is not there is an invalid FACT.UNKNOWN.
func Find(side *corpus.Corpus, word string) (authored.Fact, error) {
	var names []string
	for _, f := range declared(side) {
		if f.ID == word || slices.Contains(f.Aliases, word) {
			return f, nil
		}
		names = append(append(names, f.ID), f.Aliases...)
	}
	f := fault.New(fault.Invalid, "FACT.UNKNOWN", word, "the accepted side declares no such fact")
	if near := yamltext.Nearest(word, names); near != "" {
		f.Message += fmt.Sprintf("; did you mean %s?", near)
	}
	return authored.Fact{}, f.Hint("git standards status")
}

func declared(side *corpus.Corpus) []authored.Fact {
	if side == nil || side.Manifest == nil {
		return nil
	}
	return side.Manifest.Facts
}

// ProviderOf returns the provider of a fact on a side, false where it names none there.
func ProviderOf(side *corpus.Corpus, fact authored.Fact) (authored.Provider, bool) {
	if fact.Provider == "" || side.Manifest == nil {
		return authored.Provider{}, false
	}
	for _, p := range side.Manifest.Providers {
		if p.ID == fact.Provider {
			return p, true
		}
	}
	return authored.Provider{}, false
}

// Prepare reads what the provider of a fact is given for a question: the files that the question is bound to, from the side on which it
// is asked. inside reports an absolute path that lies in the repository. Faults: PROVIDER.INPUT_UNRESOLVED, unavailable, and
// PROVIDER.INPUT_AMBIENT, invalid.
func Prepare(
	ctx context.Context, q *question.Question, fact authored.Fact, provider authored.Provider, side content.Source, inside func(string) bool,
) (*Task, error) {
	t := &Task{Question: q, Fact: fact, Provider: provider, Definition: records.ProviderDefinition(provider)}
	if err := t.read(ctx, side); err != nil {
		return nil, err
	}
	if err := t.refuseAmbient(ctx, side, inside); err != nil {
		return nil, err
	}
	return t, nil
}

// bound is the inputs in the record of a question: digests by path.
func bound(q *question.Question) map[string]string {
	list, _ := q.Record["inputs"].(identity.List)
	inputs := map[string]string{}
	for _, item := range list {
		input, _ := item.(identity.Record)
		name, _ := input["path"].(string)
		if digest, _ := input["bytes"].(string); identity.IsBytesDigest(digest) {
			inputs[name] = digest
		}
	}
	return inputs
}

// read reads the files that the question is bound to, and no others.
func (t *Task) read(ctx context.Context, side content.Source) error {
	want := bound(t.Question)
	if len(want) == 0 {
		return nil
	}
	names := make([]string, 0, len(want))
	for name := range want {
		names = append(names, name)
	}
	slices.SortFunc(names, content.ComparePaths)
	listed, err := side.List(ctx, names...)
	if err != nil {
		return t.unresolved(names[0], err)
	}
	entries := slices.DeleteFunc(slices.Clone(listed), func(e content.Entry) bool { return want[e.Name] == "" || e.Kind != content.Regular })
	data, err := side.Read(ctx, entries...)
	if err != nil {
		return t.unresolved(names[0], err)
	}
	t.Inputs = make(map[string][]byte, len(want))
	for i, entry := range entries {
		t.Inputs[entry.Name] = data[i]
	}
	for _, name := range names {
		if data, here := t.Inputs[name]; !here || identity.Bytes(data) != want[name] {
			return t.unresolved(name, nil)
		}
	}
	node, err := content.NewSnapshot(t.Inputs)
	t.Snapshot = &node
	return err
}

func (t *Task) unresolved(name string, cause error) error {
	if cause != nil && fault.As(cause) == nil {
		return cause // the context has ended
	}
	return fault.New(fault.Unavailable, "PROVIDER.INPUT_UNRESOLVED", t.Fact.ID, "the input %q cannot be read as the question was asked about it", name).
		Because(cause).Hint("git standards status")
}

// Request is what the command is given on standard input, on one line.
func (t *Task) Request() ([]byte, error) {
	contract := t.Question.Contract
	r := wire.ProviderRequest{
		SchemaVersion: Version, Fact: contract.ID, Contract: contract.Digest(), Type: contract.Type, Values: append([]string{}, contract.Values...),
		Inputs: []wire.ProviderInput{}, Units: []string{},
	}
	names := make([]string, 0, len(t.Inputs))
	for name := range t.Inputs {
		names = append(names, name)
	}
	slices.SortFunc(names, content.ComparePaths)
	for _, name := range names {
		r.Inputs = append(r.Inputs, wire.ProviderInput{Path: name, Sha256: identity.Bytes(t.Inputs[name])})
	}
	units, _ := t.Question.Record["units"].(identity.List)
	for _, unit := range units {
		r.Units = append(r.Units, fmt.Sprint(unit))
	}
	text, err := wire.Compact(r)
	return append(text, '\n'), err
}
