package main_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/git-standards/git-standards/gitext/gittest"
)

const tutorialPage = root + "/doc/tutorial.md"

var updateTutorial = flag.Bool("update-tutorial", false, "write what the commands print into doc/tutorial.md")

// exitsWith is how a command of the page says its exit code, where that is not 0.
var exitsWith = regexp.MustCompile(`    # exits with ([0-9]+)$`)

// step is one command of the page: its lines as they stand there, what is run, its exit code, and what it prints.
type step struct {
	line   int
	shown  string
	script string
	code   int
	output string
}

// consoleSteps splits the console blocks of a page: a command begins with "$ ", goes on in lines that begin with ">", and
// what follows is its output. between is the text before each step, and after the last.
func consoleSteps(t *testing.T, page string) (steps []step, between []string) {
	t.Helper()
	inBlock, text, number := false, "", 0
	for line := range strings.Lines(page) {
		number++
		bare := strings.TrimSuffix(line, "\n")
		last := len(steps) - 1
		switch {
		case !inBlock || bare == "```":
			inBlock = bare == "```console"
			text += line
		case strings.HasPrefix(bare, "$ "):
			s := step{line: number, shown: line, script: strings.TrimPrefix(bare, "$ ")}
			if code := exitsWith.FindStringSubmatch(s.script); code != nil {
				s.script = strings.TrimSuffix(s.script, code[0])
				s.code, _ = strconv.Atoi(code[1])
			}
			steps, between = append(steps, s), append(between, text)
			text = ""
		case last < 0 || text != "":
			t.Fatalf("doc/tutorial.md:%d: output without a command", number)
		case strings.HasPrefix(bare, ">") && steps[last].output == "":
			steps[last].shown += line
			steps[last].script += "\n" + strings.TrimPrefix(strings.TrimPrefix(bare, ">"), " ")
		default:
			steps[last].output += line
		}
	}
	return steps, append(between, text)
}

// reader is somebody who types along: one repository, one identity, nothing of the machine's configuration.
type reader struct {
	env  []string
	work string // where the folder is noted after each command
	dir  string
}

func newReader(t *testing.T) *reader {
	t.Helper()
	work := t.TempDir()
	home := filepath.Join(work, "home")
	config := filepath.Join(home, ".gitconfig")
	here := filepath.Join(work, "here")
	allowed, err := gittest.Allowed()
	if err := errors.Join(err, os.Mkdir(home, 0o777), os.Mkdir(here, 0o777), os.WriteFile(config, []byte("[gc]\n\tauto = 0\n"+allowed), 0o666)); err != nil {
		t.Fatal(err)
	}
	return &reader{work: work, dir: here, env: []string{
		"HOME=" + home, "XDG_CONFIG_HOME=" + home, "GIT_CONFIG_GLOBAL=" + config, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.com", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.com", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
		"GIT_TERMINAL_PROMPT=0", "LC_ALL=C.UTF-8", "TZ=UTC", "TERM=dumb",
		"PATH=" + filepath.Dir(binary) + string(os.PathListSeparator) + os.Getenv("PATH"),
	}}
}

// temporary is the one line that a reader does not get: the program of a test lies in a folder for temporary files.
var temporary = regexp.MustCompile(`(?m)^git-standards: the hooks run .*, and what is in a folder for temporary files vanishes;.*\n`)

// run types one command and returns what it prints on a terminal, both outputs in order.
func (r *reader) run(t *testing.T, s step) string {
	t.Helper()
	note := filepath.Join(r.work, "folder")
	cmd := exec.Command("bash", "-c", "eval \"$1\"\ncode=$?\npwd >\"$2\"\nexit $code", "bash", s.script, note)
	cmd.Dir, cmd.Env = r.dir, r.env
	out, err := cmd.CombinedOutput()
	code := cmd.ProcessState.ExitCode()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if code != s.code {
		fail := t.Fatalf
		if *updateTutorial {
			fail = t.Errorf // the page is written whole, for somebody to mend
		}
		fail("doc/tutorial.md:%d: %s\nexits with %d, and the page says %d:\n%s", s.line, s.script, code, s.code, out)
	}
	folder, err := os.ReadFile(note)
	if err != nil {
		t.Fatal(err)
	}
	r.dir = strings.TrimSpace(string(folder))
	return temporary.ReplaceAllString(string(out), "")
}

// ids are what the page may leave out: digits that are those of commits, or of what holds the reader's address. The seven
// digits of a question are never left out.
var ids = regexp.MustCompile(`[0-9a-f]{12,64}`)

// agrees compares what is printed with what the page shows, where … stands for 12 to 64 hex digits.
func agrees(page, printed string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(page), "…", `(?:…|[0-9a-f]{12,64})`)
	return regexp.MustCompile(`\A` + pattern + `\z`).MatchString(printed)
}

// TestTutorial types what doc/tutorial.md shows, in order, and compares all that is printed.
func TestTutorial(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(tutorialPage)
	if err != nil {
		t.Fatal(err)
	}
	steps, between := consoleSteps(t, string(page))
	if len(steps) < 20 {
		t.Fatalf("only %d commands found", len(steps))
	}
	reader, written := newReader(t), ""
	for i, s := range steps {
		printed := reader.run(t, s)
		written += between[i] + s.shown + ids.ReplaceAllString(printed, "…")
		if !*updateTutorial && !agrees(s.output, printed) {
			t.Fatalf("doc/tutorial.md:%d: %s\nprints\n%s\nand the page says\n%s", s.line, s.script, printed, s.output)
		}
	}
	if reports, err := guards.found(reader.work); err != nil || len(reports) > 0 {
		t.Fatal(err, reports)
	}
	if *updateTutorial {
		if err := os.WriteFile(tutorialPage, []byte(written+between[len(steps)]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A page that says something else is found out.
func TestTutorialIsCompared(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		page, printed string
		want          bool
	}{
		{"accepted  commit …\n", "accepted  commit 0123456789ab\n", true},
		{"  … and 3 more\n", "  … and 3 more\n", true},
		{"  c0ffee1  does it?\n", "  c0ffee2  does it?\n", false},
		{"complete\n", "complete\nmore\n", false},
		{"a.c\n", "abc\n", false},
		{"commit …\n", "commit main\n", false},
		{"", fmt.Sprintln("something"), false},
	} {
		if got := agrees(c.page, c.printed); got != c.want {
			t.Errorf("%q and %q: %v", c.page, c.printed, got)
		}
	}
}
