// Package landing carries out a publication that may land (RULES J2): it moves the branch and writes the record, and says in a journal
// beforehand what it is about to do (doc/publish.md, doc/journal.md). It promises that a branch moves from exactly the commit that was
// judged against, that whatever ended a publication, the next one finds out what became of it before it begins its own, and that no
// record of a branch that was moved is lost. What may land, it is told.
package landing

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/engine/identity"
	"github.com/git-standards/git-standards/gitext"
	"github.com/git-standards/git-standards/store/journal"
)

// Stream is the journal of publications.
const Stream = "publish"

// NotesRef holds the records.
const NotesRef = "refs/notes/standards"

// patience is how long a publication waits for others of this repository: each holds the journal for parts of a second.
const patience = 2 * time.Minute

// Plan is a publication that was judged and may land.
type Plan struct {
	Publication string // its id
	Base, Head  string // commits
	Tree        string // what was judged
	Branch      string // whole; "" where nothing is moved
	Commit      string // what the branch will hold, or what holds it already
	Text        []byte // of Commit, where it has to be made
	Note        string // the lines of the record
}

// Log is the journal of one repository, held open: nobody else publishes meanwhile.
type Log struct {
	repo    *gitext.Repo
	journal *journal.Journal
	after   func(step string) error // a test ends the process here
}

// Open waits for the journal. Its faults are those of journal.Open.
func Open(ctx context.Context, repo *gitext.Repo) (*Log, error) {
	until := time.Now().Add(patience)
	for {
		j, err := journal.Open(ctx, folder(repo), Stream)
		if fault.Is(err, "JOURNAL.BUSY") && time.Now().Before(until) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return &Log{repo: repo, journal: j, after: func(string) error { return nil }}, nil
	}
}

func folder(repo *gitext.Repo) string { return filepath.Join(repo.CommonDir, journal.FolderName) }

// Close lets others publish.
func (l *Log) Close() error { return l.journal.Close() }

// write appends one step and returns its number.
func (l *Log) write(ctx context.Context, record identity.Record) (int64, error) {
	head, err := l.journal.Append(ctx, record)
	if err != nil {
		return 0, err
	}
	return head.Sequence, l.after(record["step"].(string))
}

func (l *Log) step(ctx context.Context, intent int64, step string) error {
	_, err := l.write(ctx, identity.Record{"step": step, "intent": intent})
	return err
}

// done ends an intent. outcome is one of published, refused and absent.
func (l *Log) done(ctx context.Context, intent int64, outcome string) error {
	_, err := l.write(ctx, identity.Record{"step": "done", "intent": intent, "outcome": outcome})
	return err
}

// CheckBranch refuses a branch that cannot be moved from a commit now: one that is not there (BRANCH.UNKNOWN), symbolic (REF.SYMBOLIC), in use in a
// worktree (PUBLISH.CHECKED_OUT) or elsewhere (PUBLISH.MOVED), all invalid.
func CheckBranch(ctx context.Context, repo *gitext.Repo, branch, base string) error {
	id, symref, err := repo.Ref(ctx, branch)
	if err != nil {
		return err
	}
	name := strings.TrimPrefix(branch, "refs/heads/")
	switch {
	case id == "":
		return fault.New(fault.Invalid, "BRANCH.UNKNOWN", name, "there is no such branch here").Hint("git branch " + fault.ShellWord(name) + " " + base)
	case symref != "":
		return fault.New(fault.Invalid, "REF.SYMBOLIC", name, "it stands for %s; name that branch", symref)
	}
	folder, err := repo.UsedBy(ctx, branch)
	if err != nil {
		return err
	}
	if folder != "" {
		return fault.New(fault.Invalid, "PUBLISH.CHECKED_OUT", name, "the branch is in use in the worktree %q, whose files would stay behind", folder).
			Hint("git -C " + fault.ShellWord(folder) + " switch --detach")
	}
	if id != base {
		return moved(branch, base, id)
	}
	return nil
}

func moved(branch, base, actual string) error {
	name := strings.TrimPrefix(branch, "refs/heads/")
	if actual == "" {
		return fault.New(fault.Invalid, "PUBLISH.MOVED", name, "the branch stood at the base %s and is gone by now; nothing was changed", base)
	}
	return fault.New(fault.Invalid, "PUBLISH.MOVED", name, "the branch is at %s, not at the base %s; nothing was changed", actual, base)
}

// Publish carries out a plan. What is begun is finished: the context is looked at before the first change and not again.
func (l *Log) Publish(ctx context.Context, p Plan) error {
	if p.Branch != "" {
		if err := CheckBranch(ctx, l.repo, p.Branch, p.Base); err != nil {
			return err
		}
	}
	author, _, err := l.repo.Identities(ctx)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	var branch any
	if p.Branch != "" {
		branch = p.Branch
	}
	intent, err := l.write(ctx, identity.Record{
		"step": "intent", "publication": p.Publication, "branch": branch, "base": p.Base, "head": p.Head, "landed": p.Commit, "note": p.Note,
	})
	if err != nil {
		return err
	}
	if p.Branch != "" {
		if err := l.move(ctx, intent, p); err != nil {
			return err
		}
	}
	if err := l.note(ctx, intent, p.Commit, p.Note, author); err != nil {
		return l.unfinished(p, err)
	}
	if err := l.done(ctx, intent, "published"); err != nil {
		return l.unfinished(p, err)
	}
	return nil
}

// move makes what the branch will hold and moves it there.
func (l *Log) move(ctx context.Context, intent int64, p Plan) error {
	refuse := func(err error) error { return errors.Join(err, l.done(ctx, intent, "refused")) }
	if len(p.Text) > 0 {
		if err := l.repo.KeepLanding(ctx, p.Base, p.Head, p.Tree); err != nil {
			return refuse(err)
		}
		id, err := l.repo.WriteObject(ctx, "commit", p.Text)
		if err == nil && id != p.Commit {
			err = fmt.Errorf("internal error: the commit became %s, not %s", id, p.Commit)
		}
		if err != nil {
			return refuse(err)
		}
	}
	if err := l.step(ctx, intent, "made"); err != nil {
		return err
	}
	ok, actual, err := l.repo.MoveRef(ctx, p.Branch, p.Commit, p.Base, "publish: "+p.Publication)
	if fault.Is(err, "REF.LOCKED") {
		return refuse(err)
	}
	if err != nil {
		return err // whether it was moved, the next one finds out
	}
	if !ok {
		return refuse(moved(p.Branch, p.Base, actual))
	}
	if err := l.after("ref"); err != nil {
		return err
	}
	if err := l.step(ctx, intent, "moved"); err != nil {
		return l.unfinished(p, err)
	}
	return nil
}

// note writes the record, together with those that were fetched.
func (l *Log) note(ctx context.Context, intent int64, commit, lines, author string) error {
	others, err := fetched(ctx, l.repo)
	if err != nil {
		return err
	}
	err = l.repo.AddNotes(ctx, gitext.NoteChange{
		Ref: NotesRef, Add: map[string][]byte{commit: []byte(lines)}, Merge: others, Author: author, Message: "record of " + commit,
	})
	if err != nil {
		return err
	}
	if err := l.after("notes"); err != nil {
		return err
	}
	return l.step(ctx, intent, "noted")
}

func (l *Log) unfinished(p Plan, err error) error {
	what := "the record of " + p.Commit + " may not be written yet"
	if p.Branch != "" {
		what = fmt.Sprintf("the branch is moved to %s, but its record may not be written yet", p.Commit)
	}
	f := fault.New(fault.Unavailable, "PUBLISH.UNFINISHED", strings.TrimPrefix(p.Branch, "refs/heads/"), "%s; the next publish finishes it", what).Because(err)
	if cause := fault.As(err); cause != nil {
		f.Hint(cause.Next...)
	}
	return f.Hint("git standards publish --records")
}

// noteRefs is where records are, that of this repository first and then those that were fetched, refs/notes/REMOTE/standards, with their tips.
func noteRefs(ctx context.Context, repo *gitext.Repo) (names, tips []string, err error) {
	refs, err := repo.RefsMatching(ctx, "refs/notes/")
	if err != nil {
		return nil, nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		if name == NotesRef {
			names, tips = append([]string{name}, names...), append([]string{refs[name]}, tips...)
		} else if strings.HasSuffix(name, "/standards") {
			names, tips = append(names, name), append(tips, refs[name])
		}
	}
	return names, tips, nil
}

// fetched is the tips of the records that were fetched.
func fetched(ctx context.Context, repo *gitext.Repo) ([]string, error) {
	names, tips, err := noteRefs(ctx, repo)
	if len(names) > 0 && names[0] == NotesRef {
		tips = tips[1:]
	}
	return tips, err
}

// Note is all that is recorded of a commit, here and in what was fetched; nothing where there is no record.
func Note(ctx context.Context, repo *gitext.Repo, commit string) ([]byte, error) {
	names, _, err := noteRefs(ctx, repo)
	if err != nil {
		return nil, err
	}
	var all []byte
	for _, name := range names {
		note, _, err := repo.Note(ctx, name, commit)
		if err != nil {
			return nil, err
		}
		all = append(append(all, note...), '\n')
	}
	return all, nil
}

// Noted is the commits that have a note, here or in what was fetched.
func Noted(ctx context.Context, repo *gitext.Repo) (map[string]bool, error) {
	names, _, err := noteRefs(ctx, repo)
	if err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for _, name := range names {
		noted, err := repo.Notes(ctx, name)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, noted)
	}
	return all, nil
}

// TakeIn merges fetched records into those here, without losing one. It reports whether there was any.
func (l *Log) TakeIn(ctx context.Context) (changed bool, err error) {
	others, err := fetched(ctx, l.repo)
	if err != nil || len(others) == 0 {
		return false, err
	}
	author, _, err := l.repo.Identities(ctx)
	if err != nil {
		return false, err
	}
	before, _, err := l.repo.Ref(ctx, NotesRef)
	if err != nil {
		return false, err
	}
	err = l.repo.AddNotes(ctx, gitext.NoteChange{Ref: NotesRef, Merge: others, Author: author, Message: "records that were fetched"})
	if err != nil {
		return false, err
	}
	after, _, err := l.repo.Ref(ctx, NotesRef)
	return after != before, err
}
