package gitext

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/engine/fault"
	"github.com/git-standards/git-standards/gitext/gittest"
)

// ownRepository is a clean filter that keeps a repository of its own elsewhere, as some tools do, and writes down what it was told
// of this one.
const ownRepository = `#!/bin/sh
env | grep -E '^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR)=' >>'LOG'
own=$(mktemp -d) && cd "$own" && git init -q . && echo x >x && git add x || echo failed >>'LOG'
rm -r "$own"
sed s/^/cleaned-/
`

// A filter meets what it would meet under git add (which the test runs beside it), so that one with a repository of its own
// changes nothing of ours; with and without a GIT_DIR of the user's.
func TestFiltersAreNotTiedToTheRepository(t *testing.T) {
	t.Parallel()
	for _, variant := range []string{"configured", "told", "option"} {
		told := variant == "told"
		r := gittest.New(t)
		r.Write("a%f.txt", "one\n")
		r.Git("add", "-A")
		r.Git("commit", "-q", "-m", "1")
		log := filepath.Join(t.TempDir(), "log 100%")
		filter := filepath.Join(t.TempDir(), "it's a filter")
		if err := os.WriteFile(filter, []byte(strings.ReplaceAll(ownRepository, "LOG", log)), 0o755); err != nil {
			t.Fatal(err)
		}
		if variant == "option" { // as git -c hands it to its children
			r.Env = append(r.Env, "GIT_CONFIG_PARAMETERS='filter.own.x=y.clean'="+fault.PosixWord(fault.PosixWord(filter)+" %f"))
		} else {
			r.Git("config", "filter.own.x=y.clean", fault.PosixWord(filter)+" %f")
		}
		r.Write(".git/info/attributes", "*.txt filter=own.x=y\n")
		r.Write("a%f.txt", "two\n")
		if told {
			// A filter like this one is broken by the user's own variables, under git add as well.
			if err := os.WriteFile(filter, []byte("#!/bin/sh\nenv | grep -E '^GIT_(DIR|WORK_TREE|INDEX_FILE)=' >>'"+log+"'\nsed s/^/cleaned-/\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			r.Env = append(r.Env, "GIT_DIR="+filepath.Join(r.Dir, ".git"), "GIT_WORK_TREE="+r.Dir)
		}
		config, err := os.ReadFile(filepath.Join(r.Dir, ".git/config"))
		if err != nil {
			t.Fatal(err)
		}
		repo, err := Open(context.Background(), Options{Dir: r.Dir, Env: r.Env})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := repo.DiffWorktree(context.Background()); err != nil {
			t.Fatal(err)
		}
		data, err := repo.CleanBytes(context.Background(), []string{"a%f.txt"}, 0)
		if err != nil || len(data) != 1 || string(data[0].Data) != "cleaned-two\n" {
			t.Fatalf("%v, %v", data, err)
		}
		if !told {
			if err := repo.Stage(context.Background(), []string{"a%f.txt"}); err != nil {
				t.Fatal(err)
			}
			r.Git("reset", "-q")
			r.Write("a%f.txt", "two\n")
		}
		repo.Close()
		ours, _ := os.ReadFile(log)
		if now, err := os.ReadFile(filepath.Join(r.Dir, ".git/config")); err != nil || string(now) != string(config) {
			t.Errorf("told %v: the configuration changed: %s", told, now)
		}
		os.Remove(log)
		r.Git("add", "a%f.txt")
		theirs, _ := os.ReadFile(log)
		lines := func(text []byte) []string { return slices.Compact(slices.Sorted(strings.Lines(string(text)))) }
		// From the root of the worktree both name the same folder.
		ours = bytes.ReplaceAll(ours, []byte("GIT_WORK_TREE="+r.Dir+"\n"), []byte("GIT_WORK_TREE=.\n"))
		if !slices.Equal(lines(ours), lines(theirs)) {
			t.Errorf("told %v: the filter met\n%s\nunder git add\n%s", told, ours, theirs)
		}
		if !told && len(ours) > 0 {
			t.Errorf("the filter met %s", ours)
		}
	}
}
