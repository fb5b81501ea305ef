package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-standards/git-standards/gitext/gittest"
)

// Twenty processes of status and prepare in two worktrees, on a store that none of them finds, give one handle and all
// record it.
func TestProcessesOnAMissingStoreAgree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	if err := os.Mkdir(home, 0o777); err != nil {
		t.Fatal(err)
	}
	allowed, err := gittest.Allowed()
	if err == nil {
		err = os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(allowed), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	env := []string{
		"HOME=" + home, "XDG_CONFIG_HOME=" + home, "GIT_CONFIG_GLOBAL=" + home + "/.gitconfig", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.com", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.com", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
		"PATH=" + filepath.Dir(binary) + string(os.PathListSeparator) + os.Getenv("PATH"),
	}
	git := func(dir string, args ...string) {
		t.Helper()
		command := exec.Command("git", args...)
		command.Dir, command.Env = dir, env
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	if err := os.CopyFS(one, os.DirFS(fixture)); err != nil {
		t.Fatal(err)
	}
	git(dir, "init", "-q", "-b", "main", one)
	git(one, "add", "-A")
	git(one, "commit", "-q", "-m", "adopt")
	git(one, "worktree", "add", "-q", "-b", "two", two)
	for _, tree := range []string{one, two} {
		path := filepath.Join(tree, "standards", "api.md")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bytes.Replace(text, []byte("[Errors], revision: 1"), []byte("[Errors], revision: 2"), 1), 0o666); err != nil {
			t.Fatal(err)
		}
	}

	const processes = 20
	handles := make([]string, processes)
	var group sync.WaitGroup
	for i := range processes {
		group.Go(func() {
			command := exec.Command(binary, []string{"status", "prepare"}[i%2], "--format", "json")
			command.Dir, command.Env = []string{one, two}[i/2%2], env
			var out, stderr bytes.Buffer
			command.Stdout, command.Stderr = &out, &stderr
			err := command.Run()
			var result struct {
				Analysis struct{ ID string }
				Stored   bool
			}
			if jsonErr := json.Unmarshal(out.Bytes(), &result); jsonErr != nil || command.ProcessState.ExitCode() != 1 || !result.Stored {
				handles[i] = fmt.Sprintf("process %d: %v, stored %v\n%s", i, err, result.Stored, stderr.String())
				return
			}
			handles[i] = result.Analysis.ID
		})
	}
	group.Wait()
	for i, handle := range handles {
		if handle != handles[0] || !strings.HasPrefix(handle, "analysis-root:sha256:") {
			t.Errorf("process %d gives %s, process 0 %s", i, handle, handles[0])
		}
	}
	command := exec.Command(binary, "inspect", handles[0])
	command.Dir, command.Env = two, env
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("inspect: %v\n%s", err, out)
	}
}
