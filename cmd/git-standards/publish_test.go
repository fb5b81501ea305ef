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

// A hundred publishes into one branch, most begun at the same moment and the others one behind the other meanwhile: each lands on what it was judged against or is refused as moved; the branch is never
// rewound; each that landed has its record and no other has one. What is expected is read by git alone.
func TestHundredPublishesAtOnce(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	if err := os.CopyFS(r.Dir, os.DirFS(fixture)); err != nil {
		t.Fatal(err)
	}
	start := r.Commit()
	const processes = 100
	var topics strings.Builder
	for i := range processes {
		fmt.Fprintf(&topics, "commit refs/heads/topic%d\ncommitter A <a@b.c> 1700000000 +0000\ndata 1\nt\nfrom %s\nM 644 inline notes/%d\ndata 1\nx\n", i, start, i)
	}
	r.Feed(topics.String(), "fast-import", "--quiet")
	r.Git("checkout", "-q", "--detach")
	env := append(r.Env, "GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.com", "GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.com")

	var mutex sync.Mutex
	landed := map[string]int{} // commit: process
	var group sync.WaitGroup
	turn := make(chan struct{}, 2)
	for i := range processes {
		group.Go(func() {
			if i%3 == 0 {
				turn <- struct{}{}
				defer func() { <-turn }()
			}
			command := exec.Command(binary, "publish", "--base", "main", "--head", fmt.Sprintf("topic%d", i), "--into", "main", "--format", "json")
			command.Dir, command.Env = r.Dir, env
			var out, stderr bytes.Buffer
			command.Stdout, command.Stderr = &out, &stderr
			err := command.Run()
			var result struct {
				Result, Code string
				Landed       struct{ Base, Head string }
				Notices      []struct{ Code, Message string }
			}
			jsonErr := json.Unmarshal(out.Bytes(), &result)
			mutex.Lock()
			defer mutex.Unlock()
			switch code := command.ProcessState.ExitCode(); {
			case jsonErr != nil:
				t.Errorf("process %d: %v, %v\n%s", i, err, jsonErr, stderr.String())
			case code == 0 && result.Result == "complete" && result.Notices[0].Code == "PUBLICATION.RECORDED":
				landed[strings.Fields(result.Notices[0].Message)[1]] = i
			case code == 1 && result.Code == "PUBLISH.MOVED":
			default:
				t.Errorf("process %d: exit code %d, %s\n%s", i, code, out.String(), stderr.String())
			}
		})
	}
	group.Wait()
	line := strings.Fields(r.Git("rev-list", "--first-parent", start+"..main"))
	if len(line) != len(landed) || len(landed) == 0 {
		t.Errorf("%d commits on main, %d publishes say that they landed", len(line), len(landed))
	}
	// Each entry of the reflog moves from the one before it to a commit that contains it.
	log, err := os.ReadFile(filepath.Join(r.Dir, ".git", "logs", "refs", "heads", "main"))
	if err != nil {
		t.Fatal(err)
	}
	at := start
	for entry := range strings.Lines(string(log)) {
		fields := strings.Fields(entry)
		if fields[1] == start {
			continue
		}
		if first := strings.Fields(r.Git("rev-list", "--parents", "-n1", fields[1]))[1]; fields[0] != at || first != at && fields[0] != start {
			t.Errorf("main went from %s to %s, whose first parent is %s; it was at %s", fields[0], fields[1], first, at)
		}
		at = fields[1]
	}
	if at != r.Git("rev-parse", "main") {
		t.Errorf("the log ends at %s", at)
	}
	noted := strings.Fields(r.Git("notes", "--ref=standards", "list"))
	if len(noted) != 2*len(landed) {
		t.Errorf("%d notes, %d landed", len(noted)/2, len(landed))
	}
	for _, commit := range line {
		process, ok := landed[commit]
		note := r.Git("notes", "--ref=standards", "show", commit)
		_, record, _ := strings.Cut(note, "\n{")
		var object struct {
			Payload struct{ Accepted, Proposed struct{ Commit string } }
		}
		if err := json.Unmarshal([]byte("{"+record), &object); err != nil || !ok {
			t.Errorf("%s landed by no publish, or its note is %q: %v", commit, note, err)
			continue
		}
		parents := r.Git("rev-parse", commit+"^1")
		if head := r.Git("rev-parse", fmt.Sprintf("topic%d", process)); object.Payload.Accepted.Commit != parents || object.Payload.Proposed.Commit != head {
			t.Errorf("%s was judged against %s and stands on %s", commit, object.Payload.Accepted.Commit, parents)
		}
	}
	t.Logf("%d of %d landed", len(landed), processes)
	r.Git("fsck", "--strict")
}
