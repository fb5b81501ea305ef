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

	"github.com/git-standards/git-standards/engine/publish"
	"github.com/git-standards/git-standards/gitext/gittest"
)

// A hundred publishes into one branch, most begun at the same moment and the others one behind the other meanwhile: each lands on what it
// was judged against or is refused as moved; the branch is never rewound; each that landed has its record and no other has one. What is
// expected is read by git alone. It takes some eighty seconds of one processor.
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

// A record that is whole in itself and says something else than its trees is told by judging again, from Git alone.
func TestForgedRecords(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	if err := os.CopyFS(r.Dir, os.DirFS(fixture)); err != nil {
		t.Fatal(err)
	}
	start := r.Commit()
	run := func(args ...string) (string, int) {
		t.Helper()
		command := exec.Command(binary, args...)
		command.Dir, command.Env = r.Dir, r.Env
		out, _ := command.CombinedOutput()
		return string(out), command.ProcessState.ExitCode()
	}
	standards := filepath.Join(r.Dir, "standards", "api.md")
	text, err := os.ReadFile(standards)
	if err != nil {
		t.Fatal(err)
	}
	r.Write("standards/api.md", strings.Replace(string(text), "[Errors], revision: 1", "[Errors], revision: 2", 1))
	if out, code := run("resolve", "--accepted", start, "--all", "no-change", "-m", "fine"); code != 0 {
		t.Fatal(out)
	}
	head := r.Commit()
	if out, code := run("publish", "--base", start, "--head", head); code != 0 {
		t.Fatal(out)
	}
	if err := os.RemoveAll(filepath.Join(r.Dir, ".standards-engine")); err != nil {
		t.Fatal(err)
	}
	whole := r.Git("notes", "--ref=standards", "show", head)
	records, wrong, err := publish.Read([]byte(whole))
	if err != nil || len(records) != 1 || len(wrong) > 0 || len(records[0].Decisions) != 3 {
		t.Fatalf("%v %q %v", records, wrong, err)
	}
	other := r.Git("commit-tree", "-m", "an equal tree without the manifest's history", start+"^{tree}")
	for name, forge := range map[string]struct {
		change func(*publish.Publication)
		says   string
	}{
		"nothing":            {func(*publish.Publication) {}, "PUBLICATION.VERIFIED"},
		"another program":    {func(p *publish.Publication) { p.Tool.Version = "9" }, "PUBLICATION.VERIFIED"},
		"who answered":       {func(p *publish.Publication) { p.Decisions[0].Principal = "eve@example.com" }, "eve@example.com"},
		"what was answered":  {func(p *publish.Publication) { p.Decisions[1].Answer = "updated" }, "updated"},
		"a signature":        {func(p *publish.Publication) { p.Decisions[0].Trust = "signed" }, "PUBLICATION.DIFFERS"},
		"an answer less":     {func(p *publish.Publication) { p.Decisions = p.Decisions[1:] }, "not among those recorded"},
		"another state":      {func(p *publish.Publication) { p.Analysis = "analysis-root:sha256:" + strings.Repeat("1", 64) }, "analysis: recorded"},
		"another base":       {func(p *publish.Publication) { p.Accepted = publish.Commit{Commit: head, Tree: p.Landed.Tree} }, "PUBLICATION.DIFFERS"},
		"a base elsewhere":   {func(p *publish.Publication) { p.Accepted.Commit = other }, "does not contain the base"},
		"the tree of a base": {func(p *publish.Publication) { p.Accepted.Tree = p.Landed.Tree }, "accepted tree"},
		"another commit":     {func(p *publish.Publication) { p.Landed = p.Accepted }, "it is the record of commit"},
		"an adoption instead": {func(p *publish.Publication) {
			*p = publish.Publication{Result: publish.Adoption, Accepted: p.Accepted, Proposed: p.Proposed, Landed: p.Landed, Tool: p.Tool}
		}, "result: recorded"},
		"a base that is gone": {func(p *publish.Publication) { p.Accepted.Commit = strings.Repeat("1", 40) }, "OBJECT.MISSING"},
	} {
		p := records[0].Publication
		p.Decisions = append([]publish.Decision{}, p.Decisions...)
		forge.change(&p)
		lines, err := p.Lines()
		if err != nil {
			t.Fatal(err)
		}
		r.Feed(strings.Join(lines, "\n"), "notes", "--ref=standards", "add", "-f", "-F", "-", head)
		want := 1
		if forge.says == "PUBLICATION.VERIFIED" {
			want = 0
		}
		if forge.says == "OBJECT.MISSING" {
			want = 3
		}
		if out, code := run("publish", "--verify", head); code != want || !strings.Contains(out, forge.says) {
			t.Errorf("%s: exit code %d, want %d\n%s", name, code, want, out)
		}
	}
	if _, err := os.Stat(filepath.Join(r.Dir, ".standards-engine", "authority.sqlite3")); err == nil {
		t.Error("a store was made by looking")
	}
}
