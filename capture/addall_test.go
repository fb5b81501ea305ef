package capture_test

import (
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-standards/git-standards/capture"
	"github.com/git-standards/git-standards/engine/content"
	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext"
)

// copied is a copy of a repository with its worktree, times and all.
func (f *fixture) copied() *fixture {
	f.T.Helper()
	copied := f.At(filepath.Join(f.T.TempDir(), "copy"))
	if out, err := exec.Command("cp", "-a", f.Dir, copied.Dir).CombinedOutput(); err != nil {
		f.T.Fatalf("%v\n%s", err, out)
	}
	return copied
}

// staged is what git says of its index: for each path the mode and the id, intended entries left out.
func staged(f *fixture) map[string]string {
	files := map[string]string{}
	for record := range strings.SplitSeq(f.Git("ls-files", "-s", "-z"), "\x00") {
		if head, name, ok := strings.Cut(record, "\t"); ok {
			files[name] = strings.TrimSuffix(head, " 0")
		}
	}
	return files
}

// listing is the same of what we say of a worktree: the modes that gitext gives, and the ids that the side gives. Of links, whose
// bytes are no part of a side, git makes the ids in a copy.
func listing(ctx context.Context, copied *fixture, r *gitext.Repo) (map[string]string, error) {
	changes, err := r.DiffWorktree(ctx)
	if err != nil {
		return nil, err
	}
	entries, err := r.Worktree(ctx, changes)
	if err != nil {
		return nil, err
	}
	side := capture.Worktree(r)
	all, err := side.List(ctx)
	if err != nil {
		return nil, err
	}
	ids, err := side.(content.Namer).Objects(ctx, all...)
	if err != nil {
		return nil, err
	}
	byName := map[string]string{}
	for i, entry := range all {
		byName[entry.Name] = ids[i]
	}
	files := map[string]string{}
	for _, entry := range entries {
		id := byName[entry.Name]
		if entry.Mode == gitext.ModeSymlink && id == "" {
			target, err := os.Readlink(filepath.Join(copied.Dir, entry.Name))
			if err != nil { // core.symlinks=false
				data, readErr := os.ReadFile(filepath.Join(copied.Dir, entry.Name))
				if readErr != nil {
					return nil, errors.Join(err, readErr)
				}
				target = string(data)
			}
			id = copied.Feed(target, "hash-object", "--stdin", "--no-filters")
		}
		files[entry.Name] = fmt.Sprintf("%06o %s", entry.Mode, id)
	}
	return files, nil
}

// Whatever a worktree has become, it is what git add -A makes of it in a copy, path by path with modes, ids and bytes; where git add
// refuses, so do we.
func TestWorktreesAtRandom(t *testing.T) {
	t.Parallel()
	template := newFixture(t)
	template.Git("config", "filter.up.clean", "tr a-z A-Z")
	template.Git("config", "core.checkStat", "minimal") // a copy has other inodes, and is else no copy for git
	template.Git("config", "core.trustctime", "false")
	names := rapid.SampledFrom([]string{
		"a", "A", "b.txt", "c.bin", "d", "d/x", "d/y.txt", "D/x", "d/e/z.up", "\u00e9.md", "e\u0301.md", "sp ace", "new\nline", "x.up", "y.id",
		"z.l1", "ignored.o", "x\xff", ".gitignore", "d/.gitignore", ".gitattributes", "d/.gitattributes",
	})
	texts := rapid.SampledFrom([]string{
		"", "text\n", "other\n", "crlf\r\n", "mixed\r\nlf\n", "no end", "$Id$\n", "$Id: 0123 $\r\n", "nul\x00\r\n", "lone\rcr\r", "\xe9\r\n",
		"* text=auto\n", "*.txt text\n*.bin -text\n", "*.up filter=up\n*.id ident\n*.l1 working-tree-encoding=ISO-8859-1\n", "* eol=crlf\n", "d/* text eol=lf\n",
		"* -text\n", "[attr]loud filter=up\n*.md loud\n", "*.o\n", "d\n!d/x\n", "*.txt\n/d/e\n",
	})
	settings := [][]string{{}, {"autocrlf", "true"}, {"autocrlf", "input"}, {"fileMode", "false"}, {"safecrlf", "true"}, {"eol", "crlf"}, {"autocrlf", "true", "safecrlf", "true"}}
	rapid.Check(t, func(rt *rapid.T) {
		f := template.copied()
		defer os.RemoveAll(filepath.Dir(f.Dir))
		for range rapid.IntRange(0, 8).Draw(rt, "files") {
			f.put(names.Draw(rt, "name"), texts.Draw(rt, "text"))
		}
		f.Git("add", "-A")
		if setting := rapid.SampledFrom(settings).Draw(rt, "settings"); len(setting) > 0 {
			for i := 0; i < len(setting); i += 2 {
				f.Git("config", "core."+setting[i], setting[i+1])
			}
		}
		for range rapid.IntRange(0, 2).Draw(rt, "flags") {
			name, flag := names.Draw(rt, "flagged"), rapid.SampledFrom([]string{"--skip-worktree", "--assume-unchanged", "--chmod=+x", "--force-remove"}).Draw(rt, "flag")
			if _, err := os.Lstat(filepath.Join(f.Dir, name)); err == nil {
				_, _ = f.Run("", "update-index", flag, "--", name) // one that is ignored or a folder is not there
			}
		}
		for range rapid.IntRange(0, 6).Draw(rt, "changes") {
			name := names.Draw(rt, "changed")
			path := filepath.Join(f.Dir, name)
			switch rapid.SampledFrom([]string{"write", "write", "remove", "chmod", "link", "touch", "intend"}).Draw(rt, "change") {
			case "write":
				f.put(name, texts.Draw(rt, "text"))
			case "remove":
				_ = os.RemoveAll(path)
			case "chmod":
				if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
					_ = os.Chmod(path, info.Mode()^0o111)
				}
			case "link":
				f.put(name, "")
				if err := errors.Join(os.Remove(path), os.Symlink("a", path)); err != nil {
					rt.Fatal(err)
				}
			case "touch":
				_ = os.Chtimes(path, f.tick(), f.clock)
			case "intend":
				_, _ = f.Run("", "add", "-N", "--", name)
			}
		}
		copied := f.copied()
		defer os.RemoveAll(filepath.Dir(copied.Dir))
		said, refused := copied.Run("", "add", "-A")
		r, err := gitext.Open(t.Context(), gitext.Options{Dir: f.Dir, Env: f.Env})
		if err != nil {
			rt.Fatal(err)
		}
		defer r.Close()
		have, err := listing(t.Context(), copied, r)
		if refused != nil {
			if !fault.Is(err, "WORKTREE.UNREADABLE") {
				rt.Fatalf("git add -A says %s\nwe say %v", said, err)
			}
			return
		}
		if diff := cmp.Diff(staged(copied), have); err != nil || diff != "" {
			rt.Fatalf("git add -A and we differ: %v\n%s", err, diff)
		}
		read, err := filesOf(t.Context(), capture.Worktree(r))
		if err != nil {
			rt.Fatal(err)
		}
		for name, text := range read {
			data, isFile := strings.CutPrefix(text, "file ")
			id := fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(data), data)))
			if isFile && !strings.HasSuffix(have[name], " "+id) {
				rt.Fatalf("%q was read as %q, which is not %s", name, data, have[name])
			}
		}
	})
}

// put writes a file, in the place of whatever stands in its way.
func (f *fixture) put(name, text string) {
	f.T.Helper()
	at := f.Dir
	for component := range strings.SplitSeq(filepath.Dir(name), "/") {
		at = filepath.Join(at, component)
		if info, err := os.Lstat(at); err == nil && !info.IsDir() {
			_ = os.Remove(at)
		}
	}
	path := filepath.Join(f.Dir, name)
	_ = os.RemoveAll(path)
	f.Write(name, text)
	if err := os.Chtimes(path, f.tick(), f.clock); err != nil {
		f.T.Fatal(err)
	}
}

// tick is a time before every index, later each time: git looks again at a file that is as young as the index, and what it finds then
// depends on the hour.
func (f *fixture) tick() time.Time {
	if f.clock.IsZero() {
		f.clock = time.Unix(1_000_000_000, 0)
	}
	f.clock = f.clock.Add(time.Second)
	return f.clock
}
