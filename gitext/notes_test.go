package gitext

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

const notesRef = "refs/notes/standards"

// add adds lines to the note of an object.
func addNote(t *testing.T, r *Repo, object, lines string) {
	t.Helper()
	author, _, err := r.Identities(context.Background())
	if err == nil {
		err = r.AddNotes(context.Background(), NoteChange{Ref: notesRef, Add: map[string][]byte{object: []byte(lines)}, Author: author, Message: "record"})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// What git writes is read, and git reads what is written, in few and in many notes, in both object formats.
func TestNotesAreThoseOfGit(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, format := range []string{"sha1", "sha256"} {
		f := newFixture(t, "--object-format="+format)
		head := f.Commit("a", "a")
		second := f.Commit("b", "b")
		f.Git("notes", "--ref=standards", "add", "-m", "by git", head)
		r := f.open()
		if note, has, err := r.Note(ctx, notesRef, head); err != nil || !has || string(note) != "by git\n" {
			t.Errorf("%s: %q, %v, %v", format, note, has, err)
		}
		addNote(t, r, head, "by us\n")
		addNote(t, r, second, "other\n")
		addNote(t, r, second, "other\n")
		if got := f.Git("notes", "--ref=standards", "show", head); got != "by git\nby us" {
			t.Errorf("%s: %q", format, got)
		}
		if n := f.Git("rev-list", "--count", notesRef); n != "3" {
			t.Errorf("%s: %s commits of notes; what is there already is written again", format, n)
		}
		// 300 notes in one folder, and one more.
		entries := f.Git("ls-tree", notesRef) + "\n"
		blob := f.Feed("imported", "hash-object", "-w", "--stdin")
		added := strings.Repeat("1", len(head))
		for i := range 300 {
			entries += fmt.Sprintf("100644 blob %s\t%04x%s\n", blob, i, added[4:])
		}
		tree := f.Feed(entries, "mktree")
		f.Git("update-ref", notesRef, f.Git("commit-tree", "-p", notesRef, "-m", "300", tree))
		addNote(t, r, added, "one more\n")
		if got := f.Git("notes", "--ref=standards", "show", added); got != "one more" {
			t.Errorf("%s: %q", format, got)
		}
		noted, err := r.Notes(ctx, notesRef)
		if listed := strings.Count(f.Git("notes", "--ref=standards", "list"), "\n") + 1; err != nil || len(noted) != listed || !noted[head] || !noted[added] {
			t.Errorf("%s: %d notes, git lists %d, %v", format, len(noted), listed, err)
		}
		if got := f.Git("notes", "--ref=standards", "show", head); got != "by git\nby us" {
			t.Errorf("%s: %q", format, got)
		}
		if names := f.Git("ls-tree", "--name-only", notesRef); len(strings.SplitN(names, "\n", 2)[0]) != 2 {
			t.Errorf("300 notes in one folder: %.80q", names)
		}
		f.Git("fsck", "--strict")
	}
}

// Of writers at one time, git notes merge aside, none loses a line.
func TestNotesOfManyWriters(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	head := f.Commit("a", "a")
	var wait sync.WaitGroup
	const writers = 8
	for i := range writers {
		wait.Go(func() { addNote(t, f.open(), head, fmt.Sprintf("writer %d\n", i)) })
	}
	wait.Wait()
	if lines := strings.Split(f.Git("notes", "--ref=standards", "show", head), "\n"); len(lines) != writers {
		t.Errorf("%q", lines)
	}
	f.Git("fsck", "--strict")
}

// Fetched notes are taken in whole: of an object that both have noted, the lines of both; of a history that is ahead, it itself; and
// what the other side took out stays.
func TestNotesAreTakenIn(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := newFixture(t)
	one, two := f.Commit("a", "a"), f.Commit("b", "b")
	r := f.open()
	author, _, err := r.Identities(ctx)
	if err != nil {
		t.Fatal(err)
	}
	take := func() string {
		t.Helper()
		theirs := f.Git("rev-parse", "refs/notes/theirs")
		if err := r.AddNotes(ctx, NoteChange{Ref: notesRef, Merge: []string{theirs}, Author: author, Message: "merge"}); err != nil {
			t.Fatal(err)
		}
		return f.Git("rev-parse", notesRef)
	}
	f.Git("notes", "--ref=theirs", "add", "-m", "theirs", one)
	theirs := f.Git("rev-parse", "refs/notes/theirs")
	if got := take(); got != theirs {
		t.Errorf("into none: %s, not %s", got, theirs)
	}
	addNote(t, r, one, "ours\n")
	addNote(t, r, two, "ours of two\n")
	f.Git("notes", "--ref=theirs", "append", "-m", "more", one)
	merged := take()
	if parents := f.Git("rev-list", "--parents", "-n1", merged); len(strings.Fields(parents)) != 3 {
		t.Errorf("%q", parents)
	}
	show := func(object string) string {
		return strings.ReplaceAll(f.Git("notes", "--ref=standards", "show", object), "\n", "|")
	}
	if got := show(one); got != "theirs|ours|more" {
		t.Errorf("%q", got)
	}
	if again := take(); again != merged {
		t.Errorf("taken in twice: %s", again)
	}
	f.Git("update-ref", "refs/notes/theirs", merged)
	f.Git("notes", "--ref=theirs", "append", "-m", "ahead", two)
	ahead := f.Git("rev-parse", "refs/notes/theirs")
	if got := take(); got != ahead {
		t.Errorf("behind: %s, not %s", got, ahead)
	}
	f.Git("notes", "--ref=theirs", "remove", two)
	take()
	if got := show(two); got != "ours of two||ahead" {
		t.Errorf("what was removed elsewhere: %q", got)
	}
}

func TestRefsMoveByCompareAndSwap(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := newFixture(t)
	one := f.Commit("a", "a")
	two := f.Commit("a", "b")
	f.Git("branch", "other", one)
	r := f.open()
	move := func(to, old string) (bool, string) {
		t.Helper()
		moved, actual, err := r.MoveRef(ctx, "refs/heads/other", to, old, "publish: x")
		if err != nil {
			t.Fatal(err)
		}
		return moved, actual
	}
	if moved, actual := move(two, two); moved || actual != one {
		t.Errorf("%v %s", moved, actual)
	}
	if moved, actual := move(two, ""); moved || actual != one {
		t.Errorf("one that should not be there: %v %s", moved, actual)
	}
	f.Git("config", "core.hooksPath", "hooks")
	f.Write("hooks/reference-transaction", "#!/bin/sh\ntouch ran\nexit 1\n")
	f.Git("update-index", "--add", "--chmod=+x", "hooks/reference-transaction")
	f.Git("checkout-index", "-f", "hooks/reference-transaction")
	if moved, _ := move(two, one); !moved || f.Git("rev-parse", "other") != two {
		t.Error("not moved")
	}
	if log := f.Git("log", "-g", "-1", "--format=%gs", "other"); log != "publish: x" {
		t.Errorf("the reflog says %q", log)
	}
	f.Write(".git/refs/heads/other.lock", "")
	_, _, err := r.MoveRef(ctx, "refs/heads/other", one, two, "x")
	wantFault(t, err, fault.Unavailable, "REF.LOCKED")
	if f.Git("rev-parse", "other") != two {
		t.Error("moved under a lock")
	}
}

func TestBranchesInUse(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := newFixture(t)
	one := f.Commit("a", "a")
	for _, name := range []string{"linked", "rebased", "free"} {
		f.Git("branch", name, one)
	}
	linked, other := f.Dir+"-linked", f.Dir+"-rebase"
	f.Git("worktree", "add", "-q", linked, "linked")
	f.Git("worktree", "add", "-q", other, "rebased")
	there := f.At(other)
	there.Commit("a", "theirs")
	f.Commit("a", "ours")
	if out, err := there.Run("", "rebase", "main"); err == nil {
		t.Fatalf("no conflict: %s", out)
	}
	r := f.open()
	for branch, want := range map[string]string{"main": f.Dir, "linked": linked, "rebased": other, "free": "", "none": ""} {
		if got, err := r.UsedBy(ctx, "refs/heads/"+branch); err != nil || got != want {
			t.Errorf("%s: %q, want %q, %v", branch, got, want, err)
		}
	}
	f.Git("checkout", "-q", "free")
	f.Git("bisect", "start")
	f.Git("checkout", "-q", "--detach")
	if got, err := r.UsedBy(ctx, "refs/heads/free"); err != nil || got != f.Dir {
		t.Errorf("bisected: %q, %v", got, err)
	}
	bare := f.At(f.Dir + ".git")
	f.Git("clone", "-q", "--bare", ".", bare.Dir)
	if got, err := bare.open().UsedBy(ctx, "refs/heads/main"); err != nil || got != "" {
		t.Errorf("the HEAD of a bare repository: %q, %v", got, err)
	}
}

// The objects of a merge come to stay with the permissions that the repository gives its own, and a commit of them is whole.
func TestLandingIsKept(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, format := range []string{"sha1", "sha256"} {
		f, base, head := diverged(t, format)
		f.Git("config", "core.sharedRepository", "group")
		r := f.open()
		l, err := r.Landing(ctx, base, head)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if out, err := f.Run("", "cat-file", "-e", l.Tree); err == nil {
			t.Fatalf("the tree is here already: %s", out)
		}
		if err := r.KeepLanding(ctx, base, head, base); !fault.Is(err, "LANDING.DIFFERS") {
			t.Errorf("another tree: %v", err)
		}
		if err := r.KeepLanding(ctx, base, head, l.Tree); err != nil {
			t.Fatal(err)
		}
		author, committer, err := r.Identities(ctx)
		if err != nil {
			t.Fatal(err)
		}
		text := CommitText(l.Tree, []string{base, head}, author, committer, "Merge\n\nbody")
		id, err := r.WriteObject(ctx, "commit", text)
		if err != nil {
			t.Fatal(err)
		}
		f.Git("update-ref", "refs/heads/landed", id)
		if got := f.Git("log", "-1", "--format=%T %P%n%B", "landed"); got != l.Tree+" "+base+" "+head+"\nMerge\n\nbody\n" {
			t.Errorf("%q", got)
		}
		f.Git("fsck", "--strict")
	}
}
