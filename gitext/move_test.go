package gitext

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-standards/git-standards/engine/fault"
)

// The right index is the one that git mv, git hash-object and git update-index make by hand.
func TestMoveAndStageAsGitDoes(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		f := newFixture(t, "--object-format="+format)
		f.Write(".gitattributes", "*.md text eol=crlf\n")
		f.Commit("docs/a.md", "a\n", "-x", "x\n", "b c", "b\n")
		r, ctx := f.open(), context.Background()
		for _, pair := range [][2]string{{"docs", "papers"}, {"-x", "*"}, {"b c", ":(top)é\n"}} {
			if err := r.CheckMove(ctx, pair[0], pair[1]); err != nil {
				t.Fatal(err)
			}
			if err := r.Move(ctx, pair[0], pair[1]); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff("*\x00.gitattributes\x00:(top)é\n\x00papers/a.md\x00", f.Git("ls-files", "-z")); diff != "" {
			t.Error(diff)
		}
		// Bytes are stored as they are: no filter makes LF of what is CRLF.
		id, err := r.WriteBlob(ctx, []byte("a\r\nb\n"))
		if err != nil {
			t.Fatal(err)
		}
		if want := f.Feed("a\r\nb\n", "hash-object", "--no-filters", "--stdin"); id != want || f.Git("cat-file", "-s", id) != "5" {
			t.Errorf("%s, want %s", id, want)
		}
		empty, err := r.WriteBlob(ctx, nil)
		if err != nil || f.Git("cat-file", "-s", empty) != "0" {
			t.Errorf("%s: %v", empty, err)
		}
		if err := r.StageEntries(ctx, []Entry{{"papers/a.md", ModeExecutable, id}, {":(top)é\n", ModeFile, empty}}); err != nil {
			t.Fatal(err)
		}
		if got, want := f.Git("ls-files", "-s", "papers/a.md"), "100755 "+id+" 0\tpapers/a.md"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got, want := f.Git("--literal-pathspecs", "ls-files", "-s", "-z", ":(top)é\n"), "100644 "+empty+" 0\t:(top)é\n\x00"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestMoveRefuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Commit("a", "a", "d/b", "b")
	f.Write("new", "new")
	r, ctx := f.open(), context.Background()
	for _, pair := range [][2]string{{"none", "x"}, {"new", "x"}, {"a", "d/b"}, {"d", "d/d"}} {
		wantFault(t, r.CheckMove(ctx, pair[0], pair[1]), fault.Invalid, "MOVE.REFUSED")
		wantFault(t, r.Move(ctx, pair[0], pair[1]), fault.Unavailable, "MOVE.FAILED")
	}
	if status := f.Git("status", "--porcelain"); status != "?? new" {
		t.Errorf("something changed: %s", status)
	}
	lock := filepath.Join(f.Dir, ".git/index.lock")
	if err := os.WriteFile(lock, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	wantFault(t, r.CheckMove(ctx, "a", "x"), fault.Unavailable, "INDEX.LOCKED")
	wantFault(t, r.Move(ctx, "a", "x"), fault.Unavailable, "INDEX.LOCKED")
	wantFault(t, r.StageEntries(ctx, []Entry{{"a", ModeFile, f.Git("rev-parse", "HEAD:a")}}), fault.Unavailable, "INDEX.LOCKED")
	if _, err := os.Stat(lock); err != nil {
		t.Error("the lock of another was removed")
	}
	if _, err := os.Stat(filepath.Join(f.Dir, "a")); err != nil {
		t.Error(err)
	}
	bare := newFixture(t, "--bare")
	wantFault(t, bare.open().Move(ctx, "a", "b"), fault.Invalid, "WORKTREE.NONE")
	wantFault(t, bare.open().StageEntries(ctx, nil), fault.Invalid, "WORKTREE.NONE")
}
