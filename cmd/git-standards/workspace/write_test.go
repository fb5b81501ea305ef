package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
)

// Whoever is left with half of what was to be written is told what could not be done, what is there, and how to see it from any
// folder. A file in the place of a folder, and a folder in that of a file, are what no privilege gets around.
func TestWhatIsWrittenInPartIsSaid(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, message string
		write         map[string][]byte
		remove        []string
	}{
		{"a name that another one makes a folder", "the answers could not all be put in place; written are: standards/decisions/0",
			map[string][]byte{"standards/decisions/0": nil, "standards/decisions/a": nil, "standards/decisions/a/b": nil}, nil},
		{"a name to remove that is a folder by then", "the answers could not all be removed; written are: standards/decisions/a/b",
			map[string][]byte{"standards/decisions/a/b": nil}, []string{"standards/decisions/a"}},
	} {
		top := t.TempDir()
		_, err := writeFiles(top, row.write, row.remove)
		f := fault.As(err)
		if f == nil || f.Code != "DECISION.NOT_WRITTEN" || f.Message != row.message || len(f.Next) != 1 || f.Next[0] != "git status :/standards/decisions" {
			t.Errorf("%s: %v %+v", row.name, err, f)
		}
		left, err := filepath.Glob(filepath.Join(top, "standards/decisions", "*tmp*"))
		if _, gitErr := os.Lstat(filepath.Join(top, ".git")); err != nil || len(left) > 0 || gitErr == nil {
			t.Errorf("%s: left behind: %q %v", row.name, left, err)
		}
	}
}
