package gitext

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext/gittest"
)

// CleanIDs gives what git add records, with conversions and for any name, and stores nothing.
func TestCleanIDsAreWhatAddRecords(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		f := gittest.New(t, "--object-format="+format)
		f.Commit(".gitattributes", "*.txt text\n")
		names := []string{"a.txt", "new\nline.txt", `quo"te`, `back\slash`, "\xff", " blank ", "é", "-x"}
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(f.Dir, name), []byte("one\r\ntwo\r\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Open(context.Background(), Options{Dir: f.Dir, Env: f.Env})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		ids, err := r.CleanIDs(context.Background(), names)
		if err != nil || len(ids) != len(names) {
			t.Fatal(ids, err)
		}
		if loose := f.Git("count-objects"); !strings.HasPrefix(loose, "3 objects") {
			t.Errorf("something was stored: %s", loose)
		}
		f.Git("add", "-A")
		staged := map[string]string{}
		for record := range strings.SplitSeq(f.Git("ls-files", "-s", "-z"), "\x00") {
			if head, name, ok := strings.Cut(record, "\t"); ok {
				staged[name] = strings.Fields(head)[1]
			}
		}
		for i, name := range names {
			if ids[i] != staged[name] {
				t.Errorf("%q: %s, and git add records %s", name, ids[i], staged[name])
			}
		}
		if _, err := r.CleanIDs(context.Background(), []string{"a.txt", "gone"}); !fault.Is(err, "WORKTREE.CHANGED") {
			t.Error(err)
		}
		if ids, err := r.CleanIDs(context.Background(), nil); err != nil || len(ids) != 0 {
			t.Error(ids, err)
		}
	}
}
