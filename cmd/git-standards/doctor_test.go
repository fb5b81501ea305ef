package main_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-standards/git-standards/engine/wire"
)

// examined is what doctor says where a script stands, after commands that are typed before it in one shell. Its exit code is to agree.
func examined(ts *testscript.TestScript, typed ...string) []wire.Diagnosis {
	err := ts.Exec("sh", "-ec", "{\n:\n"+strings.Join(typed, "\n")+"\n} >&2\nexec git-standards doctor --format json")
	code := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	var said wire.Doctor
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &said))
	isProblem := slices.ContainsFunc(said.Checks, func(d wire.Diagnosis) bool { return d.Level == "problem" })
	if said.InOrder == isProblem || isProblem && code != 1 || !isProblem && code != 0 {
		ts.Fatalf("a problem %v, in order %v, exit %d", isProblem, said.InOrder, code)
	}
	return said.Checks
}

// diagnosis is the one of a name and level whose message matches.
func diagnosis(ts *testscript.TestScript, args []string) wire.Diagnosis {
	if len(args) != 3 {
		ts.Fatalf("usage: told|mends NAME LEVEL PATTERN")
	}
	checks := examined(ts)
	for _, d := range checks {
		if d.Name == args[0] && d.Level == args[1] && regexp.MustCompile(args[2]).MatchString(d.Message) {
			return d
		}
	}
	ts.Fatalf("doctor does not say that: %+v", checks)
	panic("unreachable")
}

// told NAME LEVEL PATTERN fails unless doctor says that.
func told(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("told is not turned round")
	}
	diagnosis(ts, args)
}

// mends NAME LEVEL PATTERN fails unless doctor says that, and does not say it any more once the commands are typed that it prints with it.
func mends(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("mends is not turned round")
	}
	d := diagnosis(ts, args)
	if len(d.Next) == 0 {
		ts.Fatalf("it says no command: %s", d.Message)
	}
	ts.Logf("typed: %s", strings.Join(d.Next, "\n       "))
	for _, left := range examined(ts, d.Next...) {
		if left.Name == d.Name && left.Level == d.Level {
			ts.Fatalf("it is still there: %s", left.Message)
		}
	}
}

// Every check has its row in the page, every row its check, and each of what can be found wrong is really made by a script.
func TestDoctorIsWhole(t *testing.T) {
	t.Parallel()
	var sources, played strings.Builder
	for _, list := range []struct {
		pattern string
		into    *strings.Builder
	}{{"doctor/*.go", &sources}, {"testdata/script/doctor_*.txtar", &played}} {
		files, err := filepath.Glob(list.pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			list.into.Write(text)
		}
	}
	page, err := os.ReadFile(root + "/doc/doctor.md")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, m := range regexp.MustCompile(`e\.(?:say|fail)\("([a-z]+\.[a-z-]+)", (ok|note|warning|problem|level)`).FindAllStringSubmatch(sources.String(), -1) {
		known[m[1]] = true
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z]+\\.[a-z-]+)` \\|").FindAllStringSubmatch(string(page), -1) {
		if !known[m[1]] {
			t.Errorf("doc/doctor.md has %s, which nothing says", m[1])
		}
		delete(known, m[1])
		if m[1] == "program.version" || m[1] == "repository.format" { // which are what they are
			continue
		}
		name := regexp.QuoteMeta(m[1])
		if !regexp.MustCompile(`(?m)^(told|mends) ` + name + ` (note|warning|problem) |^stdout '\^(note|warning|problem) +` + name + ` `).MatchString(played.String()) {
			t.Errorf("no script makes %s anything but well", m[1])
		}
	}
	for name := range known {
		t.Errorf("doc/doctor.md does not have %s", name)
	}
}
