package landing

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/store/journal"
)

// Word is what a person says of a publication of which nobody else can tell.
type Word string

// The words of --settle, and none.
const (
	NoWord Word = ""
	Landed Word = "landed"
	Absent Word = "absent"
)

// Settled is what became of a publication that had been interrupted.
type Settled struct {
	Publication, Branch, Commit string
	Landed                      bool
}

// intent is one in the journal, and how far it is known to have come.
type intent struct {
	sequence                                      int64
	publication, branch, base, head, commit, text string
	moved                                         bool
}

// Settle ends all publications that were interrupted: the record of a branch that was moved is written, one that changed nothing is
// closed. The first of which nobody can tell is PUBLISH.UNCERTAIN, unavailable, unless word says what became of it.
func (l *Log) Settle(ctx context.Context, word Word) ([]Settled, error) {
	open, err := unsettled(l.journal.Read(ctx, 1))
	if err != nil {
		return nil, err
	}
	var settled []Settled
	for _, i := range open {
		landed, err := l.landed(ctx, i, word)
		if err != nil {
			return settled, err
		}
		outcome := "absent"
		if landed {
			outcome = "published"
			author, _, err := l.repo.Identities(ctx)
			if err != nil {
				return settled, err
			}
			if err := l.note(ctx, i.sequence, i.commit, i.text, author); err != nil {
				return settled, err
			}
		}
		if err := l.done(ctx, i.sequence, outcome); err != nil {
			return settled, err
		}
		settled = append(settled, Settled{Publication: i.publication, Branch: i.branch, Commit: i.commit, Landed: landed})
	}
	return settled, nil
}

var steps = []string{"intent", "made", "moved", "noted", "done"}

// Unsettled is how many publications of the journal have no end: they are being carried out, or were interrupted. It waits for nobody and
// changes nothing. Its faults are those of journal.Read, where a journal that is not there is none, and PUBLISH.JOURNAL.
func Unsettled(ctx context.Context, repo *gitext.Repo) (int, error) {
	open, err := unsettled(journal.Read(ctx, folder(repo), Stream, 1))
	if fault.Is(err, "JOURNAL.MISSING") {
		return 0, nil
	}
	return len(open), err
}

// Idle reports, without waiting for whoever publishes, that the journal holds no publication without an end. Of one that is being carried out or
// was interrupted, and where the journal cannot be read, it says no.
func Idle(ctx context.Context, repo *gitext.Repo) bool {
	open, err := Unsettled(ctx, repo)
	return err == nil && open == 0
}

// unsettled is the intents that have no end, in their order.
func unsettled(records iter.Seq2[journal.Record, error]) ([]*intent, error) {
	open := map[int64]*intent{}
	for record, err := range records {
		if err != nil {
			return nil, err
		}
		text := func(key string) string { s, _ := record.Payload[key].(string); return s }
		of, _ := record.Payload["intent"].(int64)
		switch step := text("step"); {
		case step != "intent" && open[of] == nil || !slices.Contains(steps, step):
			return nil, fault.New(fault.Unsupported, "PUBLISH.JOURNAL", Stream, "record %d is a step %q that this build does not know there", record.Sequence, step).
				Hint("git standards version")
		case step == "intent":
			open[record.Sequence] = &intent{
				sequence: record.Sequence, publication: text("publication"), branch: text("branch"), base: text("base"), head: text("head"),
				commit: text("landed"), text: text("note"),
			}
		case step == "moved":
			open[of].moved = true
		case step == "done":
			delete(open, of)
		}
	}
	return slices.SortedFunc(maps.Values(open), func(a, b *intent) int { return int(a.sequence - b.sequence) }), nil
}

// landed finds out what became of an intent from what the repository holds.
func (l *Log) landed(ctx context.Context, i *intent, word Word) (bool, error) {
	if i.branch == "" { // nothing but the record was to be written
		note, _, err := l.repo.Note(ctx, NotesRef, i.commit)
		return err == nil && holdsLines(string(note), i.text), err
	}
	tip, _, err := l.repo.Ref(ctx, i.branch)
	if err != nil {
		return false, err
	}
	if tip != "" {
		holds, onLine, err := l.repo.Holds(ctx, tip, i.commit)
		if err != nil {
			return false, err
		}
		// A branch that somebody else merged the head into holds it as well, but not on its own line.
		if onLine || holds && i.moved {
			return true, nil
		}
		was, err := l.repo.LeftBehind(ctx, i.branch, i.commit)
		if err != nil {
			return false, err
		}
		if !i.moved && !was {
			return false, nil
		}
	}
	if word != NoWord {
		return word == Landed, nil
	}
	name := strings.TrimPrefix(i.branch, "refs/heads/")
	now := "is gone now"
	if tip != "" {
		now = "is at " + tip + " now"
	}
	f := fault.New(fault.Unavailable, "PUBLISH.UNCERTAIN", name,
		"an interrupted publish was to move it from %s to %s, and it %s: whether that landed, nobody can tell from the repository", i.base, i.commit, now)
	return false, f.Hint("git log -g "+fault.ShellWord(i.branch), "git standards publish --settle landed", "git standards publish --settle absent")
}

func holdsLines(note, lines string) bool {
	has := map[string]bool{}
	for line := range strings.SplitSeq(note, "\n") {
		has[line] = true
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(lines, "\n"), "\n") {
		if !has[line] {
			return false
		}
	}
	return true
}

// String says what became of it, for people.
func (s Settled) String() string {
	switch {
	case s.Branch == "" && s.Landed:
		return fmt.Sprintf("an interrupted publish had recorded %s", s.Commit)
	case s.Branch == "":
		return fmt.Sprintf("an interrupted publish of %s had changed nothing", s.Commit)
	case s.Landed:
		return fmt.Sprintf("an interrupted publish had moved %s to %s; its record is written now", s.Branch, s.Commit)
	}
	return fmt.Sprintf("an interrupted publish of %s to %s had changed nothing", s.Commit, s.Branch)
}
